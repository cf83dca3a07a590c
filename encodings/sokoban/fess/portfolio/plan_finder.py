"""The plan finder: several settings of feature space search side by side, and the moves of the plan they find.

Turns are counted in visited cells, never in seconds: with the same memory limit, a level has the same plan on
every machine. The searches share the deadlock patterns that they learn.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.fess.deadlocks import corrals, freeze, groups, matching, patterns
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import KNOWN, KNOWN_OF_LEG, Patterns, no_patterns
from puzzlemc.encodings.sokoban.fess.domain import floods, moves, positions, walks
from puzzlemc.encodings.sokoban.fess.domain.boards import (
    LETTERS,
    NEVER,
    Board,
    Bytes,
    Numbers,
    Shorts,
    Words,
    board_of,
)
from puzzlemc.encodings.sokoban.fess.domain.counters import COUNT, GAME, HERE, NAME, TESTED, THERE, WORK
from puzzlemc.encodings.sokoban.fess.domain.moves import PULL, PUSH
from puzzlemc.encodings.sokoban.fess.features import loose, plan
from puzzlemc.encodings.sokoban.fess.portfolio.relays import Relays
from puzzlemc.encodings.sokoban.fess.portfolio.subgoals import Subgoals, between_cells, paired
from puzzlemc.encodings.sokoban.fess.search import meetings, search, sides, turns
from puzzlemc.encodings.sokoban.fess.search.meetings import AT_FIRST, NUMBERS, Meetings, Seen, Tables
from puzzlemc.encodings.sokoban.fess.search.search import CROWDED, ENDED, MET, NO_ROOM, PAUSED, SOLVED
from puzzlemc.encodings.sokoban.fess.search.sides import Longs, Place, Room, Side
from puzzlemc.mc.jit import ready
from puzzlemc.mc.limits import GIB, Budget
from puzzlemc.screens.sokoban import Level, parse

MODULES = tuple(
    module.__name__
    for module in (
        corrals,
        floods,
        freeze,
        groups,
        loose,
        matching,
        meetings,
        moves,
        patterns,
        plan,
        positions,
        search,
        turns,
        walks,
    )
)
TURN = 1_000_000  # cells that a side visits in its turn: a few hundredths of a second
DELAY = 1 << 26  # work by which each setting is ahead of the next one
BEHIND = 1 << 24  # work by which the settings are ahead of relays and subgoals
SHARE = 1  # of subgoals, beside the settings
ORDERS = 4  # variants of a packing plan
BYTES_FOR_KNOWN = 128  # memory of a search for each cached result about dead boxes
TIMES = 8  # starts of a search that runs out of room for positions; each start takes the next packing order
REHASHED = 1 << 18  # positions at a time


class Settings(NamedTuple):
    """The settings of a search.

    advisors, features  the ones in use, as bits
    corrals, matching, groups  test for these deadlocks
    ends                search from both ends
    order               variant of the packing plan
    loose               fill targets in any order that bars no way
    hurry               weight of the distance to the next target
    walled              in a loose plan, the penalty, in packed boxes, for a box lost while they stay packed
    share               its share of the work
    eager               expand the best cells of the feature space more often
    """

    advisors: int = 63
    features: int = 7
    corrals: int = 1
    ends: int = 1
    order: int = 0
    loose: int = 0
    hurry: int = 0
    matching: int = 1
    eager: int = 0
    walled: int = 0
    groups: int = 1
    share: int = 1


ALL = (
    Settings(loose=1, eager=1, walled=2, share=2),
    Settings(),
    Settings(order=2, hurry=2, eager=1),
    Settings(loose=1, eager=1),
)

LEG = Settings(loose=1, eager=1, walled=2)  # of a relay


def find_plan(
    level: Level,
    budget: Budget,
    work: int | None = None,
    settings: tuple[Settings, ...] = ALL,
    report: Callable[[Any], None] | None = None,
    relayed: bool = True,
    in_parts: bool = True,
) -> list[str] | None:
    """The moves of a plan, or None if none was found within `work`. Raises LimitReached.

    `report` is called with each pair of sides as the search ends; `relayed` turns relays on, `in_parts` subgoals.
    """
    ready(warm_up, *MODULES)
    board = board_of(level)
    if board is None:
        return None
    if set(board.goals.tolist()) <= set(board.boxes.tolist()):
        return []
    pairs: dict[int, Pair] = {}
    waiting = list(range(len(settings)))
    memory = budget.limits.memory // (len(settings) + 2)
    shared = shared_on(board, memory)

    def leg(part: Board, players: list[int] | None, before: list[Place], after: list[Place]) -> Pair:
        # Patterns remain valid for the same targets.
        push, pull = shared.patterns
        if part.goals is not board.goals:
            push = no_patterns(part.near, PUSH, part.goals, KNOWN_OF_LEG)
        if part.boxes is not board.boxes:
            pull = no_patterns(part.near, PULL, part.boxes, KNOWN_OF_LEG)
        own = shared._replace(patterns=(push, pull))
        return Pair(part, own, LEG, memory // 2, budget, Segment(players, before, after, True))

    def part(part: Board, players: list[int] | None) -> Pair:
        # Some boxes are walls, so patterns and positions of the level are invalid here.
        own = shared._replace(patterns=patterns_of(part, KNOWN_OF_LEG), meetings=Meetings(memory // 2))
        return Pair(part, own, LEG, memory // 2, budget, Segment(players))

    relays = Relays(leg)
    behind = BEHIND
    subgoals: Subgoals | None = None
    try:
        while waiting:
            budget.check()
            spent = relays.work + (subgoals.work if subgoals else 0) + sum(pair.work for pair in pairs.values())
            if work is not None and spent >= work:
                return None
            turn = min(waiting, key=lambda at: (pairs[at].turns if at in pairs else 0) + at * DELAY)
            turns = pairs[turn].turns if turn in pairs and pairs[turn].two else 0
            if in_parts and turns >= BEHIND:
                subgoals = subgoals or Subgoals(board, part, budget)
                if subgoals.work // SHARE + BEHIND <= turns:
                    if subgoals.go_on(TURN) == MET:
                        return moves_through(board, subgoals.positions(), budget)
                    continue
            if relayed and relays.work // LEG.share + behind <= turns:
                if not relays.has_legs():
                    for pair in pairs.values():
                        relays.add(pair)
                if relays.go_on() == MET:
                    return moves_through(board, relays.positions(), budget)
                if not relays.has_legs():
                    behind += BEHIND
                continue
            if turn not in pairs:
                pairs[turn] = Pair(board, shared, settings[turn], memory, budget)
            status = pairs[turn].go_on()
            if status in (MET, SOLVED):
                return moves_through(board, pairs[turn].positions(), budget)
            if status == NO_ROOM and pairs[turn].times < (TIMES if pairs[turn].two else ORDERS):
                pairs[turn].begin_anew()
                shared.meetings.whole.gather({pair.name: pair for pair in pairs.values() if pair.two})
            elif status in (ENDED, NO_ROOM):
                waiting.remove(turn)
    finally:
        shared.meetings.forget()  # they and the searches refer to each other
        for pair in pairs.values():
            if report is not None:
                report(pair)
    return None


def random_words(cells: int) -> Words:
    """For each cell a word for a box there, and one for the player: splitmix64 (Steele, Lea and Flood 2014)."""
    state = np.arange(1, 2 * (cells + 1) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)), np.uint64).reshape(2, cells + 1)


def dead_squares(near: Numbers, game: int, targets: Shorts) -> Bytes:
    """Dead squares, from which a lone box reaches no target, as an array by cell; the wall is one of them."""
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


def patterns_of(board: Board, known: int) -> tuple[Patterns, Patterns]:
    """Empty patterns for pushes and for pulls."""
    return (
        no_patterns(board.near, PUSH, board.goals, known),
        no_patterns(board.near, PULL, board.boxes, known),
    )


class Shared(NamedTuple):
    """The state that all searches on a level share: random words, work arrays, patterns, meetings."""

    codes: Words
    room: Room
    patterns: tuple[Patterns, Patterns]
    meetings: Meetings


def shared_on(board: Board, memory: int) -> Shared:
    """The shared state at the start, for searches with `memory` bytes each."""
    known = min(KNOWN, 1 << (memory // BYTES_FOR_KNOWN).bit_length())
    codes, room = random_words(len(board.near) - 1), sides.room_for(board.near, len(board.boxes))
    return Shared(codes, room, patterns_of(board, known), Meetings(memory // 2))


class Segment(NamedTuple):
    """The part of a plan that a search is for; by default the whole plan.

    players  cells on which the player may be at the end; None for anywhere
    before   the positions of the plan before the segment
    after    the positions of the plan after the segment
    is_leg   whether the search is a leg: it then meets other legs first
    """

    players: list[int] | None = None
    before: Sequence[Place] = ()
    after: Sequence[Place] = ()
    is_leg: bool = False


WHOLE = Segment()


class Pair:
    """A search from both ends, or from the start alone if there are more boxes than goals.

    After a meeting, `met` has the numbers of the position on the push side and on the pull side.
    """

    def __init__(
        self,
        board: Board,
        shared: Shared,
        settings: Settings,
        memory: int,
        budget: Budget,
        segment: Segment = WHOLE,
    ) -> None:
        self.board, self.budget, self.shared, self.players = board, budget, shared, segment.players
        self.before, self.after = list(segment.before), list(segment.after)
        self.met = (-1, -1)
        self.name = shared.meetings.join(self)
        self.is_leg = segment.is_leg
        self.tables = shared.meetings.legs if segment.is_leg else shared.meetings.whole
        self._settings, self.times = settings, 1
        self.share = settings.share
        cells, boxes = len(board.near) - 1, len(board.boxes)
        spare = boxes - len(board.goals)
        self.two = spare == 0 and bool(settings.ends)
        self.most = 4 * boxes * cells  # children of a position: a box, a square, a side of it
        self._count = max(memory // sides.bytes_per_position(cells) // (1 + self.two), self.most + cells + 1)
        self._prepare()

    def _prepare(self) -> None:
        """Make empty sides."""
        settings = self._settings
        self.settings: Longs = np.array(settings, np.int64)
        board, shared, cells = self.board, self.shared, len(self.board.near) - 1
        spare = len(board.boxes) - len(board.goals)

        def side(game: int, targets: Shorts, sources: Shorts, barred: Bytes) -> Side:
            made = plan.plan(board.near, game, targets, sources, settings.order, bool(settings.loose), self.budget)
            side = sides.side_of(board.near, shared.codes, barred, targets, made, game, spare, self._count)
            side.counters[NAME] = self.name
            return side

        barred = dead_squares(board.near, PUSH, board.goals)
        if spare:
            barred[:cells] = 0
        self.sides = [side(PUSH, board.goals, board.boxes, barred)]
        if self.two:
            self.sides.append(side(PULL, board.boxes, board.goals, dead_squares(board.near, PULL, board.boxes)))
        self.waiting = list(range(len(self.sides)))
        self._begun = False

    def begin_anew(self) -> None:
        """Forget all positions, keep the patterns, and take the next packing plan.

        The meetings still have the positions.
        """
        self.times += 1
        before = [side.counters[[WORK, TESTED]] for side in self.sides]
        self.sides = []  # releases the memory before new sides are made
        self._settings = self._settings._replace(order=(self._settings.order + 1) % ORDERS)
        self._prepare()
        for side, counters in zip(self.sides, before, strict=True):
            side.counters[[WORK, TESTED]] = counters

    @property
    def work(self) -> int:
        """The number of visited cells."""
        return sum(int(side.counters[WORK]) for side in self.sides)

    @property
    def turns(self) -> int:
        """The work divided by the share."""
        return self.work // self.share

    def go_on(self, work: int = TURN) -> int:
        """Run the side with less work for a turn; return PAUSED, MET, SOLVED, ENDED or NO_ROOM."""
        if not self._begun:
            self._begun = True
            return self._begin()
        at = min(self.waiting, key=lambda at: int(self.sides[at].counters[WORK]))
        side = self.sides[at]
        self.tables.make_room(at, work // search.CHILD + self.most)
        go_on: Any = search.search
        until = int(side.counters[WORK]) + work
        room, known = self.shared.room, self.shared.patterns[int(side.counters[GAME])]
        status = int(go_on(side, self._seen(at), self.settings, room, known, self.most, until, self.two))
        if status == CROWDED:
            self.sides[at] = self._grown(side)
            return PAUSED
        if status in (PAUSED, MET, SOLVED, NO_ROOM):
            return self._store_meeting(status, at)
        self.waiting.remove(at)
        return PAUSED if self.waiting else ENDED

    def _begin(self) -> int:
        board, begin = self.board, search.begin
        start: Any = begin
        self.sides = [self._grown(side) for side in self.sides]
        push, pull = self.sides[0], self.sides[-1]
        room = self.shared.room
        self.tables.make_room(PUSH, 1)
        self.tables.make_room(PULL, len(board.near))
        begun = start(push, self._seen(0), self.settings, room, board.boxes, board.player, self.two)
        status = int(begun)
        if status == MET:
            return self._store_meeting(status, 0)
        full = set(board.goals.tolist())
        for player in self.players or range(len(board.near) - 1):
            if self.two and status == PAUSED and player not in full:
                status = int(start(pull, self._seen(1), self.settings, room, board.goals, player, True))
        return self._store_meeting(status, 1)

    def _seen(self, at: int) -> tuple[Seen, Seen, Seen]:
        """The positions seen from its end, from the other end, and from there by the other kind of search."""
        others = self.shared.meetings.whole if self.is_leg else self.shared.meetings.legs
        return self.tables.seen[at], self.tables.seen[1 - at], others.seen[1 - at]

    def end(self) -> None:
        """End the search for good."""
        self.shared.meetings.end(self.name, self)

    def forget(self) -> None:
        """Drop all searches, which refer to each other."""
        self.shared.meetings.forget()

    def _store_meeting(self, status: int, at: int) -> int:
        """Store the numbers of the positions where the sides met; return the status."""
        counters = self.sides[at if self.two else 0].counters
        self.met = self.name << NUMBERS | int(counters[HERE]), int(counters[THERE])
        if at and status == MET:
            self.met = self.met[::-1]
        return status

    def _grown(self, side: Side) -> Side:
        """The side with a larger hash table."""
        rehash: Any = positions.rehash
        count = int(side.counters[COUNT])
        size = len(side.slots)
        while size < 4 * (count + self.most + len(self.board.near)):
            size *= 2
        slots = np.full(size, -1, np.int64)
        for first in range(0, count, REHASHED):
            self.budget.check()
            rehash(side.hashes, slots, first, min(count, first + REHASHED))
        return side._replace(slots=slots)

    def positions(self) -> list[Place]:
        """The positions from the start to the goal."""
        here, there = self.met
        if there >= 0:
            return self.shared.meetings.positions(here, there)
        return self.before + self.sides[0].way(here % (1 << NUMBERS)) + self.after


def moves_through(board: Board, places: list[tuple[frozenset[int], int]], budget: Budget) -> list[str]:
    """The moves through these positions."""
    lead: Any = walks.lead
    cells = len(board.near) - 1
    before, waiting = np.empty(cells * cells, np.int32), np.empty(cells * cells, np.int32)
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = 1
    player, moves = board.player, []
    for (boxes, _), (after, ends) in pairwise(places):
        budget.check()
        gone, come = boxes - after, after - boxes
        # If the boxes are the same, a box has moved and returned, with the player elsewhere. It can be any box.
        ways = [(min(gone), min(come))] if gone else [(box, box) for box in sorted(boxes)]
        for box, target in ways:
            on[:cells] = 0
            on[list(boxes - {box})] = 1
            steps = lead(board.near, on, player, box, target, ends, before, waiting)
            if len(steps):
                break
        for step in steps:
            moves.append(LETTERS[step] if step < 4 else LETTERS[step - 4].upper())
            player = int(board.near[player, step % 4])
    return moves


def warm_up() -> None:
    """Call all compiled functions once, so that they are compiled."""
    (level,) = parse("#######\n#.$ @ #\n#  $ .#\n#     #\n#######\n", "warm-up")
    assert isinstance(level, Level)
    find_plan(level, Budget())
    board = board_of(level)
    assert board is not None
    _, pushes = between_cells(board, Budget())
    paired(pushes, board.boxes.tolist(), board.goals.tolist())
    tables = Tables()
    tables.gather({1: Pair(board, shared_on(board, GIB), Settings(), 1, Budget())})
    tables.make_room(PUSH, AT_FIRST)
