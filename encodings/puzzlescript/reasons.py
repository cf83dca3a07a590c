"""Reasons why a level cannot be won that need no search: a bound by what never changes, see `planes/analysis`."""

from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.screens.puzzlescript.game import Game, Level, Win


def hopeless(level: Level) -> str:
    """Why nothing can win; empty if something may."""
    compilation = board(level).compilation
    if compilation.can_win:
        return ""
    if not level.game.wins:
        return "no win condition, and no rule that can apply has the command win"
    named = [f"`{in_words(win, level.game)}` (line {win.line})" for win in compilation.never]
    return f"{' and '.join(named)} can never hold: what it is about never changes" if named else ""


def in_words(win: Win, game: Game) -> str:
    """A win condition as in the text of the game: a name for several objects is one that means them."""
    words = [win.quantifier, _name(win.subject, win.subject_all, game)]
    if win.on is not None:
        words += ["on", _name(win.on, win.on_all, game)]
    return " ".join(words)


def _name(objects: frozenset[str], all_of_them: bool, game: Game) -> str:
    if len(objects) == 1:
        return min(objects)
    named = game.aggregates if all_of_them else game.properties
    sign = " and " if all_of_them else " or "
    return next((name for name, each in named.items() if each == objects), sign.join(sorted(objects)))
