"""The winner of a position of Fabrik, and the number of turns: searches for a forced win of each player.

Iterative deepening by one turn of the winner: first for the player to move, then for the opponent. No game is a
draw, so one of them can force a win, and the search ends if it has enough time. Before the first turn, it tries
all places of the workers and both decisions, but only one of positions that are symmetric to each other.
Boards of up to 25 cells have a search of their own (`small.py`).
"""

from collections.abc import Iterator
from itertools import count

from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.encodings.fabrik.forced import Search
from puzzlemc.encodings.fabrik.rules import GAME
from puzzlemc.encodings.fabrik.small import MOST_CELLS, SmallSearch, Solution
from puzzlemc.encodings.fabrik.tree import Tree
from puzzlemc.encodings.puzzle.questions import GameOutcome
from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.games.strategy import Strategy
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import SIDES
from puzzlemc.screens.fabrik import Level, Position

ENGINE = "and-or"


def decide(level: Level, within: int | None, budget: Budget) -> GameOutcome:
    """Find the side that can force a win within this number of its own turns; None: any number."""
    position = plain.start(level)
    mover = GAME.turn(level, position)
    forcing = _forcing(level, budget)
    if GAME.over(level, position):
        winner = next(side for side in SIDES if side == GAME.result(level, position))
        return GameOutcome(winner, 0, forcing[winner].strategy(position), ENGINE)
    refuted = 0
    try:
        for turns in count(1) if within is None else range(1, within + 1):
            for side in (mover, 1 - mover):
                if forcing[side].wins(position, turns):
                    return GameOutcome(side, turns, forcing[side].strategy(position), ENGINE, refuted)
                if side == mover:
                    refuted = turns
                    budget.record_bound(turns + 1)
    except LIMITS as limit:
        return GameOutcome(engine=ENGINE, refuted=refuted, reason=reason_of(limit))
    return GameOutcome(engine=ENGINE, refuted=refuted, reason="bound")


def openings(level: Level, turns: int, budget: Budget) -> Iterator[str]:
    """All first moves with which the player to move forces a win within the least number of own turns.

    `turns` must be this number. Raises LimitReached.
    """
    position = plain.start(level)
    forcing = _forcing(level, budget)[GAME.turn(level, position)]
    if position.turn:
        yield from forcing.attacks(position, turns)
        return
    for name, then in plain.moves(level, position):
        if forcing.wins(then, turns - 1):
            yield name


def _forcing(level: Level, budget: Budget) -> list["Forcing"]:
    """The wins that each player can force."""
    searches: list[Search | SmallSearch]
    if level.size**2 <= MOST_CELLS:
        solution = Solution(level, budget)
        searches = [SmallSearch(solution, side) for side in SIDES]
    else:
        searches = [Search(level, side, budget) for side in SIDES]
    return [Forcing(level, side, search, budget) for side, search in zip(SIDES, searches, strict=True)]


class Forcing:
    """The wins that one player can force."""

    def __init__(self, level: Level, side: int, search: Search | SmallSearch, budget: Budget) -> None:
        self._level = level
        self._side = side
        self._search = search
        self._watch = budget

    def wins(self, position: Position, within: int) -> bool:
        """Can the player force a win within a number of own turns? Raises LimitReached."""
        self._watch.check()
        if GAME.over(self._level, position):
            return GAME.result(self._level, position) == self._side
        if position.turn:
            return self._search.place(position).wins(within)
        own = self._own(position)
        if within < own:
            return False
        after = dict.fromkeys(plain.canonical(self._level, then) for _, then in plain.moves(self._level, position))
        return (any if own else all)(self.wins(then, within - own) for then in after)

    def attacks(self, position: Position, within: int) -> Iterator[str]:
        """The first turns of forced wins within the least number of own turns. Raises LimitReached."""
        return self._search.place(position).first_turns(within)

    def strategy(self, position: Position) -> Strategy:
        """A strategy with which the player wins; a forced win must exist. Raises LimitReached."""
        tree = Tree()
        return tree.strategy(self._side, self._add(tree, position))

    def _own(self, position: Position) -> int:
        return int(GAME.turn(self._level, position) == self._side)

    def _add(self, tree: Tree, position: Position) -> int:
        if GAME.over(self._level, position):
            return tree.end()
        if position.turn:
            return self._search.place(position).add(tree)
        after = list(plain.moves(self._level, position))
        if not self._own(position):
            return tree.replies({name: self._add(tree, then) for name, then in after})
        name, then = next(pair for within in count() for pair in after if self.wins(pair[1], within))
        return tree.own(name, self._add(tree, then))
