"""Reasons why a level cannot be won: without a search, by what never changes; or by fewer win conditions.

A level without some of its win conditions is won whenever the level is won, if not earlier. So if it cannot be won
with some of them alone, these are the reason. That is sound for each game: nothing but the end of turns depends on
win conditions.
"""

from dataclasses import replace
from itertools import combinations

from puzzlemc.encodings.puzzlescript.planes.encoding import board, relevant_planes
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unknown, Unreachable
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


def reason(level: Level, budget: Budget) -> str:
    """Why a level cannot be won, by as few win conditions as possible; empty if that is not found.

    Raises LimitReached.
    """
    if words := hopeless(level):
        return words
    if board(level).compilation.drawing:
        raise LimitReached("bound", "turns with chance have no search for reasons")
    limit = ""
    for size in range(1, len(level.game.wins) + 1):
        for some in combinations(level.game.wins, size):
            part = replace(level, game=replace(level.game, wins=some))
            model = relevant_planes(part).model
            assert isinstance(model, StepSystem)
            verdict = breadth_first(model, ANY, budget)
            if isinstance(verdict, Unreachable):
                return _of(some, level, verdict.statistics.states or 0)
            if isinstance(verdict, Unknown):
                limit = verdict.reason
    if limit:
        raise LimitReached(limit)
    return ""


def _of(wins: tuple[Win, ...], level: Level, states: int) -> str:
    """The sentence that these conditions hold in no reachable position."""
    named = " and ".join(f"`{in_words(win, level.game)}`" for win in wins)
    whole = len(wins) == len(level.game.wins)
    alone = "" if whole else " alone" if len(wins) == 1 else " by themselves"
    never = "holds" if len(wins) == 1 else "hold together"
    positions = f"{states:,} positions" if states > 1 else "the only position"
    return f"{named}{alone} never {never}, as a search of {positions} shows"


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
