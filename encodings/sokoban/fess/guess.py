"""A run to the goal, if the search finds one: the two sides in turns of equal work, and the moves between them.

Turns are counted in cells looked at, never in seconds: the same level has the same moves everywhere.
"""

from typing import Any

import numpy as np

from puzzlemc.encodings.sokoban.fess import corrals, floods, freeze, moves, plan, positions, search, sides, walks
from puzzlemc.encodings.sokoban.fess.boards import LETTERS, NEVER, Board, Numbers, Shorts, Words, board_of
from puzzlemc.encodings.sokoban.fess.corrals import Corrals, no_corrals
from puzzlemc.encodings.sokoban.fess.moves import PULL, PUSH
from puzzlemc.encodings.sokoban.fess.search import CROWDED, ENDED, FULL, MET, PAUSED, SOLVED
from puzzlemc.encodings.sokoban.fess.sides import COUNT, HERE, THERE, WORK, Side
from puzzlemc.mc.jit import ready
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.sokoban import Level

MODULES = tuple(module.__name__ for module in (corrals, floods, freeze, moves, plan, positions, search, walks))
TURN = 1_000_000  # cells that a side looks at in its turn: some thousandths of a second
REHASHED = 1 << 18  # positions at a time


def guess(
    level: Level, watch: Watch, work: int | None = None, settings: Any = None, report: Any = None
) -> list[str] | None:
    """The moves of a solution, or None where none was found within so much work. Raises LimitReached."""
    ready(warm_up, *MODULES)
    board = board_of(level)
    if board is None:
        return None
    if set(board.goals.tolist()) <= set(board.boxes.tolist()):
        return []
    given = np.array([63, 7, 1, 1, 0, 0, 0, 0] if settings is None else settings, np.int64)
    return _solve(board, watch, work, given, report)


def random_words(cells: int) -> Words:
    """Random words: splitmix64 (Steele, Lea and Flood 2014)."""
    state = (np.arange(1, 2 * (cells + 1) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (state ^ (state >> np.uint64(31))).reshape(2, cells + 1)


def never(near: Numbers, game: int, targets: Shorts) -> Any:
    """The squares from which a lone box comes to no target, and the wall."""
    cells = len(near) - 1
    walls = np.zeros(cells + 1, np.uint8)
    walls[cells] = 1
    steps = np.full(cells + 1, NEVER, np.int32)
    waiting = np.zeros(cells + 1, np.int32)
    steps[targets] = 0
    waiting[: len(targets)] = targets
    spread: Any = plan.spread
    spread(near, game, walls, steps, waiting, len(targets))
    return (steps >= NEVER).astype(np.uint8)


class _Both:
    """The two sides, or one where it is not known how the level ends."""

    def __init__(self, board: Board, watch: Watch, settings: Any) -> None:
        self.board, self.watch, self.settings = board, watch, settings
        cells, boxes = len(board.near) - 1, len(board.boxes)
        self.most = 4 * boxes * cells
        spare = boxes - len(board.goals)
        codes = random_words(cells)
        self.two = spare == 0 and bool(settings[sides.WITH_ENDS])
        room = watch.limits.memory // 2 // sides.bytes_per_position(cells) // (1 + self.two)
        room = max(room, self.most + 1)
        barred = never(board.near, PUSH, board.goals) if spare == 0 else np.zeros(cells + 1, np.uint8)
        barred[cells] = 1
        variant = int(settings[sides.ORDER])
        made = plan.plan(board.near, PUSH, board.goals, board.boxes, variant, watch)
        self.push = sides.side_of(board.near, codes, barred, board.goals, made, PUSH, spare, room)
        barred = never(board.near, PULL, board.boxes)
        if self.two:
            made = plan.plan(board.near, PULL, board.boxes, board.goals, variant, watch)
            self.pull = sides.side_of(board.near, codes, barred, board.boxes, made, PULL, 0, room)
        else:
            self.pull = self.push
        self.room = sides.room_for(cells, boxes)
        self.corrals: Corrals = no_corrals(cells)

    def run(self, work: int | None) -> int:
        board, watch = self.board, self.watch
        begin: Any = search.begin
        go_on: Any = search.search
        self.push = self._grown(self.push)
        status = begin(self.push, self.push, self.settings, self.room, board.boxes, board.player, False)
        if status != PAUSED:
            return int(status)
        if self.two:
            self.pull = self._grown(self.pull)
            taken = set(board.goals.tolist())
            for player in range(len(board.near) - 1):
                if player in taken:
                    continue
                status = begin(self.pull, self.push, self.settings, self.room, board.goals, player, True)
                if status != PAUSED:
                    self.met = (int(self.pull.scalars[THERE]), int(self.pull.scalars[HERE]))
                    return int(status)
        done = [False, not self.two]
        while not all(done):
            watch.check()
            at = min((at for at in range(2) if not done[at]), key=lambda at: self._side(at).scalars[WORK])
            side, other = self._side(at), self._side(1 - at)
            if work is not None and 2 * side.scalars[WORK] >= work:
                break
            until = int(side.scalars[WORK]) + TURN
            status = go_on(side, other, self.settings, self.room, self.corrals, self.most, until, self.two)
            if status in (MET, SOLVED):
                here, there = int(side.scalars[HERE]), int(side.scalars[THERE])
                self.met = (here, there) if at == 0 else (there, here)
                return int(status)
            if status == CROWDED:
                grown = self._grown(side)
                if at == 0:
                    self.push = grown
                else:
                    self.pull = grown
            elif status in (ENDED, FULL):
                done[at] = True
        return ENDED

    def _side(self, at: int) -> Side:
        return self.pull if at and self.two else self.push

    def _grown(self, side: Side) -> Side:
        rehash: Any = positions.rehash
        count = int(side.scalars[COUNT])
        size = len(side.slots)
        while size < 4 * (count + self.most):
            size *= 2
        slots = np.full(size, -1, np.int32)
        for first in range(0, count, REHASHED):
            self.watch.check()
            rehash(side.hashes, slots, first, min(count, first + REHASHED))
        return side._replace(slots=slots)

    def positions(self) -> list[tuple[frozenset[int], int]]:
        """The boxes and the least cell of the player, from the start to the goal."""
        here, there = self.met
        forward = []
        while here >= 0:
            forward.append(_position(self.push, here))
            here = int(self.push.parents[here])
        forward.reverse()
        if self.two and there >= 0:
            there = int(self.pull.parents[there])
            while there >= 0:
                forward.append(_position(self.pull, there))
                there = int(self.pull.parents[there])
        return forward


def _position(side: Side, number: int) -> tuple[frozenset[int], int]:
    row = np.unpackbits(side.bits[number].view(np.uint8), bitorder="little")
    return frozenset(np.flatnonzero(row).tolist()), int(side.players[number])


def _solve(board: Board, watch: Watch, work: int | None, settings: Any, report: Any = None) -> list[str] | None:
    both = _Both(board, watch, settings)
    try:
        status = both.run(work)
    finally:
        if report is not None:
            report(both)
    if status not in (MET, SOLVED):
        return None
    return _moves(board, both.positions(), watch)


def _moves(board: Board, places: list[tuple[frozenset[int], int]], watch: Watch) -> list[str]:
    """The moves through these positions."""
    lead: Any = walks.lead
    cells = len(board.near) - 1
    before, waiting = np.empty(cells * cells, np.int32), np.empty(cells * cells, np.int32)
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = 1
    player, told = board.player, []
    for (boxes, _), (after, ends) in zip(places, places[1:], strict=False):
        watch.check()
        gone, come = boxes - after, after - boxes
        # The box that is moved may come back to its square, with the player elsewhere: any may be it.
        ways = [(min(gone), min(come))] if gone else [(box, box) for box in sorted(boxes)]
        for box, target in ways:
            on[:cells] = 0
            on[list(boxes - {box})] = 1
            steps = lead(board.near, on, player, box, target, ends, before, waiting)
            if len(steps):
                break
        for step in steps:
            told.append(LETTERS[step] if step < 4 else LETTERS[step - 4].upper())
            player = int(board.near[player, step % 4])
    return told


def warm_up() -> None:
    """Lead through all the compiled code."""
    from puzzlemc.screens.sokoban import parse

    (level,) = parse("#######\n#.$ @ #\n#  $ .#\n#     #\n#######\n", "warm-up")
    assert isinstance(level, Level)
    guess(level, Watch())
