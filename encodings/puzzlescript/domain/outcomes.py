"""The outcomes of a turn with chance: what may come of a board and a move, whatever is drawn.

A round has a set of results. After it come the checks of `turn`. If `again` is queued and the round has changed
the board, a dry round is drawn first: if it would do something, the round is played, with draws of its own. So if
some dry round does nothing, the turn may settle there; if some does something, all rounds from there may follow.
Boards from which rounds follow are nodes of a graph. Rounds that lead in a circle end with probability 1 if a way
leads out; a turn is *stuck* if it may come to a node from which none does.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.domain.drawing import MOST_STATES, Drawing, TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.rounds import rounds
from puzzlemc.encodings.puzzlescript.domain.turn import Round, does_something
from puzzlemc.screens.puzzlescript.game import Level
from puzzlemc.screens.puzzlescript.winning import won


class Outcomes(NamedTuple):
    """What may come of a turn.

    settled    the boards on which the level may go on, in the order of `order`
    won        the boards on which it may be won, likewise
    restarted  may a rule restart the level, without a win?
    stuck      may the turn never end?
    """

    settled: tuple[Cells, ...]
    won: tuple[Cells, ...]
    restarted: bool
    stuck: bool


@dataclass
class _Node:
    """A board from which a round without a movement is played: the boards after such rounds; may the turn end?"""

    after: set[Cells] = field(default_factory=set)
    ends: bool = False


def order(cells: Cells) -> list[list[str]]:
    """A sort key of boards: the names in each cell, by rows."""
    return [sorted(here) for here in cells]


def outcomes(level: Level, cells: Cells, movement: str, *, begins: bool = False) -> Outcomes:
    """What may come of the turn from these cells in which the players get a movement, or none ("").

    `begins` says that it is the turn at the start of the level (see `turn`). Raises TooManyDraws.
    """
    return _Turn(level).outcomes(cells, movement, begins)


def starts(level: Level) -> Outcomes:
    """The boards from which a level may begin; those of `won` are won by the rules at its start.

    A restart of these rules draws again. Raises TooManyDraws.
    """
    if level.begun or not level.game.run_rules_on_level_start:
        return Outcomes(() if level.won else (level.cells,), (level.cells,) if level.won else (), False, False)
    return outcomes(level, level.cells, "", begins=True)


class _Turn:
    """A turn that is explored: its outcomes so far, and the graph of the boards from which rounds follow."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._drawing = Drawing(level.width, level.height)
        self._settled, self._won = set[Cells](), set[Cells]()
        self._restarted = False
        self._nodes: dict[Cells, _Node] = {}
        self._restart_wins: set[bool] | None = None

    def outcomes(self, cells: Cells, movement: str, begins: bool) -> Outcomes:
        first, waiting = _Node(), list[Cells]()
        waiting += self._play(cells, movement, first, is_start=begins)
        while waiting:
            here = waiting.pop()
            waiting += self._play(here, "", self._nodes[here], is_start=False)
        stuck = any(not self._may_end(cells) for cells in self._nodes)
        return Outcomes(
            tuple(sorted(self._settled, key=order)), tuple(sorted(self._won, key=order)), self._restarted, stuck
        )

    def _play(self, cells: Cells, movement: str, node: _Node, *, is_start: bool) -> Iterator[Cells]:
        """Play all rounds from a board, and yield the new boards from which further rounds follow."""
        game = self._level.game
        for after, commands, dropped in self._rounds(cells, movement):
            has_message = "message" in commands
            if dropped or "cancel" in commands:
                wins = not dropped and has_message and not is_start and won(game, cells)
                self._end(node, self._won if wins else self._settled, cells)
                continue
            if "restart" in commands and not is_start:
                node.ends = True
                wins_again = self._wins_by_restart()
                self._restarted |= False in wins_again
                if True in wins_again:
                    self._won.add(after)
                continue
            if not is_start and (("win" in commands and not has_message) or won(game, after)):
                self._end(node, self._won, after)
                continue
            if "again" not in commands or after == cells:
                self._end(node, self._settled, after)
                continue
            dry = {does_something(each, after) for each in self._rounds(after, "")}
            if False in dry:
                self._end(node, self._settled, after)
            if True in dry:
                node.after.add(after)
                if after not in self._nodes:
                    self._nodes[after] = _Node()
                    yield after

    def _end(self, node: _Node, where: set[Cells], cells: Cells) -> None:
        node.ends = True
        where.add(cells)
        if len(where) > MOST_STATES:
            raise TooManyDraws()

    def _may_end(self, cells: Cells) -> bool:
        """May a turn end that has come to a node?"""
        seen, waiting = {cells}, [cells]
        for here in waiting:
            if self._nodes[here].ends:
                return True
            new = self._nodes[here].after - seen
            seen |= new
            waiting += new
        return False

    def _wins_by_restart(self) -> set[bool]:
        """Does a restart win, after the first round of the level? It may depend on what is drawn."""
        if self._restart_wins is None:
            origin = self._level.origin or self._level
            game, boards = origin.game, {origin.cells}
            if game.run_rules_on_level_start and not origin.begun:
                drawn = self._rounds(origin.cells, "")
                boards = {origin.cells if "cancel" in each.commands else each.cells for each in drawn}
            self._restart_wins = {won(game, cells) for cells in boards}
        return self._restart_wins

    def _rounds(self, cells: Cells, movement: str) -> Iterable[Round]:
        return rounds(self._level, self._drawing, cells, movement)
