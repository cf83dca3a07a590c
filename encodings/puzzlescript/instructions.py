"""What a game asks of its player: the win conditions in words, and the keys that the game has."""

from puzzlemc.encodings.puzzle.display import Instructions
from puzzlemc.screens.puzzlescript.game import Game, Level, Win
from puzzlemc.screens.puzzlescript.source import lower

MOST_NAMED = 6  # objects that a name stands for


def instructions(level: Level) -> Instructions:
    """The title and the author of the game of a level, its goal, and its keys."""
    game = level.game
    return Instructions(game.title, game.author, _goal(game), _keys(game))


def _goal(game: Game) -> str:
    by_rule = any("win" in rule.commands for rule in game.rules)
    if not game.wins:
        return "A rule of the game says when it is won." if by_rule else "The game has no goal."
    more = " A rule of the game may win, too." if by_rule else ""
    return f"Goal: {', and '.join(_words(game, win) for win in game.wins)}.{more}"


def _words(game: Game, win: Win) -> str:
    """A win condition, with names as its line spells them, and with the objects that they stand for."""
    line = game.text.split("\n")[win.line - 1]
    names = line.partition("(")[0].split()[1::2]
    said = f"{win.quantifier} {_named(game, names[0], win.subject, win.subject_all)}"
    return said if win.on is None else f"{said} on {_named(game, names[1], win.on, win.on_all)}"


def _named(game: Game, name: str, objects: frozenset[str], all_of_them: bool) -> str:
    if not 1 < len(objects) <= MOST_NAMED:
        return name
    spelled = {lower(first): first for row in reversed(game.text.split("\n")) for first in row.split()[:1]}
    *others, last = [spelled.get(each, each) for each in game.objects if each in objects]
    return f"{name} ({', '.join(others)} {'and' if all_of_them else 'or'} {last})"


def _keys(game: Game) -> str:
    more = ["X is the action"] * game.has_action + ["the full stop lets time pass"] * game.has_clock
    return "; ".join(["The arrow keys move the player", *more]) + "."
