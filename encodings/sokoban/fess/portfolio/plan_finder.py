"""The plan finder: portfolios of feature space searches side by side, and the moves of the plan they find.

Turns are counted in visited cells, never in seconds: with the same memory limit, a level has the same plan on
every machine. The searches share the deadlock patterns that they learn.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH
from puzzlemc.encodings.sokoban.board.lone_box import NEVER, LoneBox, distances
from puzzlemc.encodings.sokoban.board.numbered import LETTERS, Bytes, Ints, NumberedLevel, Shorts, Words, numbered
from puzzlemc.encodings.sokoban.fess.deadlocks.groups import Groups
from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import KNOWN, KNOWN_OF_LEG, Relaxation
from puzzlemc.encodings.sokoban.fess.domain import positions
from puzzlemc.encodings.sokoban.fess.domain.games import Game, set_boxes
from puzzlemc.encodings.sokoban.fess.domain.symmetries import images_of
from puzzlemc.encodings.sokoban.fess.domain.walks import Walks, lead
from puzzlemc.encodings.sokoban.fess.features import plan
from puzzlemc.encodings.sokoban.fess.portfolio.relays import Relays
from puzzlemc.encodings.sokoban.fess.portfolio.rounds import first_answer
from puzzlemc.encodings.sokoban.fess.search import feature_space, sides
from puzzlemc.encodings.sokoban.fess.search.entering import CROWDED, ENDED, MET, NO_ROOM, PAUSED, SOLVED, Known
from puzzlemc.encodings.sokoban.fess.search.images import Images
from puzzlemc.encodings.sokoban.fess.search.meetings import NUMBERS, Meetings
from puzzlemc.encodings.sokoban.fess.search.past import Place
from puzzlemc.encodings.sokoban.fess.search.settings import ORDERS, Settings
from puzzlemc.encodings.sokoban.fess.search.sides import Room, Side
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level

MOST_CELLS = 1 << 11  # their numbers, times four, are kept in 16 bits
MOST_PLACES = 1 << 18  # boxes times cells; a plan stores several numbers for each
TURN = 1_000_000  # cells that a side visits in its turn, at most: a few hundredths of a second
SHORT = 1 << 15  # in its first turns, which grow with its work: sides of an easy level meet after a few
DELAY = 1 << 26  # work by which each setting is ahead of the next one
BEHIND = 1 << 24  # work by which the settings are ahead of relays
ALONE = 1 << 26  # work of a portfolio before another one starts beside it
BYTES_FOR_KNOWN = 128  # memory of a search for each cached result about dead boxes
TIMES = 64  # starts of a search that runs out of room for positions; each start takes the next packing order
REHASHED = 1 << 18  # positions at a time

ALL = (  # each finds other plans of the same level
    Settings(loose=1, eager=1, walled=2, share=2),
    Settings(),
    Settings(order=2, hurry=2, eager=1),
    Settings(loose=1, eager=1),
)
EXACT = Settings(loose=1, eager=1, walled=2, exact=1)
BEST = (ALL[0], EXACT)
OTHER = (Settings(loose=1, eager=1, order=1, share=2), EXACT._replace(order=1))
THIRD = (EXACT._replace(share=2), EXACT._replace(walled=1))
FOURTH = (OTHER[0]._replace(kinds=1), EXACT._replace(kinds=1))
PORTFOLIOS = (BEST, OTHER, THIRD, FOURTH)  # each solves levels for which the others take long
SYMMETRIC = (EXACT._replace(walled=1, symmetric=1),)  # in place of THIRD, if the board has symmetries


def is_suitable(level: Level) -> bool:
    """Can the plan finder search for a plan: is the level small enough, and does each goal get a box?"""
    cells, boxes = len(level.floor), len(level.start.boxes)
    is_small = cells < MOST_CELLS and cells * boxes <= MOST_PLACES
    return is_small and level.goals <= level.cells and len(level.goals) <= boxes


def find_plan(
    level: Level,
    budget: Budget,
    work: int | None = None,
    portfolios: tuple[tuple[Settings, ...], ...] | None = None,
    report: Callable[[Any], None] | None = None,
    relayed: bool = True,
    barriers: bool = True,
) -> list[str] | None:
    """The moves of a plan, or None if none was found within `work`. Raises LimitReached.

    The searches of a portfolio take turns, and portfolios run side by side; by default, those for the board.
    `report` is called with each pair of sides as the search ends; `relayed` turns relays on. Without
    `barriers`, no pushes are left out.
    """
    if not is_suitable(level):
        return None
    board = numbered(level)
    if set(board.goals.tolist()) <= set(board.boxes.tolist()):
        return []
    if portfolios is None:
        portfolios = portfolios_of(board)
    if not barriers:
        portfolios = tuple(tuple(each._replace(barriers=0) for each in settings) for settings in portfolios)
    memory = budget.limits.memory // len(portfolios)
    running = [Portfolio(board, settings, memory, budget, relayed) for settings in portfolios]
    try:
        found = first_answer(running, ALONE, work)
        return None if found is None else moves_through(board, found.positions(), budget)
    finally:
        for portfolio in running:
            portfolio.end()
            if report is not None:
                for pair in portfolio.pairs.values():
                    report(pair)


def portfolios_of(board: NumberedLevel) -> tuple[tuple[Settings, ...], ...]:
    """The portfolios for a board."""
    return (BEST, OTHER, SYMMETRIC, FOURTH) if len(images_of(board)) else PORTFOLIOS


class Portfolio:
    """Searches with several settings, and relays between their ends, in turns by counted work.

    pairs       the searches that have started, by the number of their settings
    stopped     once this is set, `run` returns soon
    has_answer  whether there is a plan: `positions`
    has_ended   whether no search is left
    """

    def __init__(
        self, board: NumberedLevel, settings: Sequence[Settings], memory: int, budget: Budget, relayed: bool
    ) -> None:
        """`relayed` turns relays on; their legs have the first settings."""
        self.pairs: dict[int, Pair] = {}
        self.stopped, self.has_answer, self.has_ended = Event(), False, False
        self._board, self._budget, self._relayed = board, budget, relayed
        self._settings = settings
        self._waiting = list(range(len(settings)))
        self._memory = memory // (len(settings) + 2)
        self._relays = Relays(self._leg)
        self._behind = BEHIND
        self._solved: Pair | Relays | None = None

    @cached_property
    def shared(self) -> "Shared":
        """What its searches share; made at the first use, because many levels need one portfolio only."""
        return shared_on(self._board, self._memory, bool(self._settings[0].symmetric))

    @property
    def work(self) -> int:
        """The number of visited cells."""
        return self._relays.work + sum(pair.work for pair in self.pairs.values())

    def run(self, until: int) -> None:
        """Search until the work reaches `until`, or there is an answer, or no search is left.

        Raises LimitReached.
        """
        while self.work < until and not (self.has_answer or self.has_ended or self.stopped.is_set()):
            self._budget.check()
            self._go_on()

    def end(self) -> None:
        """End the search: objects that refer to each other would keep their memory for a while."""
        if self.pairs:
            self.shared.meetings.forget()
        del self._relays
        self._solved = None

    def positions(self) -> list[Place]:
        """The positions from the start to the goal, once there is an answer."""
        assert self._solved is not None
        return self._solved.positions()

    def _go_on(self) -> None:
        """Run the search or the relays whose turn it is."""
        pairs = self.pairs
        turn = min(self._waiting, key=lambda at: (pairs[at].turns if at in pairs else 0) + at * DELAY)
        turns = pairs[turn].turns if turn in pairs and pairs[turn].two else 0
        if self._relayed and self._relays.work + self._behind <= turns:
            self._relay()
            return
        if turn not in pairs:
            pairs[turn] = Pair(self._board, self.shared, self._settings[turn], self._memory, self._budget)
        status = pairs[turn].go_on()
        if status in (MET, SOLVED):
            self._solved, self.has_answer = pairs[turn], True
        elif status == NO_ROOM and pairs[turn].times < (TIMES if pairs[turn].two else ORDERS):
            pairs[turn].begin_anew()
            self.shared.meetings.whole.gather({pair.name: pair for pair in pairs.values() if pair.two})
        elif status == NO_ROOM:
            self._waiting.remove(turn)
            self.has_ended = not self._waiting
        elif status == ENDED:  # then there is no plan
            self.has_ended = True

    def _relay(self) -> None:
        """Run the relays for a turn."""
        if not self._relays.has_legs():
            for pair in self.pairs.values():
                self._relays.add(pair)
        if self._relays.go_on() == MET:
            self._solved, self.has_answer = self._relays, True
        elif not self._relays.has_legs():
            self._behind += BEHIND

    def _leg(
        self, part: NumberedLevel, players: list[int] | None, before: list[Place], after: list[Place]
    ) -> "Pair":
        """The search of a leg. Patterns remain valid for the same targets."""
        push, pull = self.shared.patterns
        if part.goals is not self._board.goals:
            push = Relaxation(game_on(part, PUSH, self.shared.codes), KNOWN_OF_LEG)
        if part.boxes is not self._board.boxes:
            pull = Relaxation(game_on(part, PULL, self.shared.codes), KNOWN_OF_LEG)
        own = self.shared._replace(patterns=(push, pull))
        segment = Segment(players, before, after, True)
        return Pair(part, own, self._settings[0], self._memory // 2, self._budget, segment)


def random_words(cells: int) -> Words:
    """For each cell a word for a box there, and one for the player: splitmix64 (Steele, Lea and Flood 2014)."""
    state = np.arange(1, 2 * (cells + 1) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(state ^ (state >> np.uint64(31)), np.uint64).reshape(2, cells + 1)


def dead_squares(near: Shorts, kind: int, targets: Ints) -> Bytes:
    """Dead squares, from which a lone box reaches no target, as an array by cell; the wall is one of them."""
    return (distances(LoneBox(near, kind), targets) >= NEVER).astype(np.uint8)


def game_on(board: NumberedLevel, kind: int, codes: Words) -> Game:
    """The push game or the pull game on a board. With more boxes than goals, no square is dead for pushes."""
    targets = board.goals if kind == PUSH else board.boxes
    is_target = np.zeros(len(board.near), np.uint8)
    is_target[targets] = 1
    dead = dead_squares(board.near, kind, targets)
    if len(board.boxes) > len(board.goals) and kind == PUSH:
        dead[:-1] = 0
    return Game(board.near, codes, dead, is_target, kind)


def patterns_of(board: NumberedLevel, codes: Words, known: int) -> tuple[Relaxation, Relaxation]:
    """Empty patterns for pushes and for pulls."""
    push, pull = (Relaxation(game_on(board, kind, codes), known) for kind in (PUSH, PULL))
    return push, pull


class Shared(NamedTuple):
    """The state that all searches on a level share: random words, work arrays, patterns, meetings."""

    codes: Words
    room: Room
    patterns: tuple[Relaxation, Relaxation]
    meetings: Meetings


def shared_on(board: NumberedLevel, memory: int, symmetric: bool = False) -> Shared:
    """The shared state at the start, for searches with `memory` bytes each.

    symmetric  whether symmetric positions count as one
    """
    known = min(KNOWN, 1 << (memory // BYTES_FOR_KNOWN).bit_length())
    codes = random_words(len(board.near) - 1)
    images = images_of(board) if symmetric else np.zeros((0, len(board.near)), np.int16)
    room = Room(board.near, len(board.boxes), Groups(sides.nearest_cells(board.near)), Images(images, codes))
    return Shared(codes, room, patterns_of(board, codes, known), Meetings(memory // 2, board, images))


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
        board: NumberedLevel,
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
        self.settings, self.times = settings, 1
        self.share = settings.share
        cells, boxes = len(board.near) - 1, len(board.boxes)
        self.two = boxes == len(board.goals) and bool(settings.ends)
        self.most = 4 * boxes * cells  # children of a position: a box, a square, a side of it
        self._count = max(memory // sides.bytes_per_position(cells) // (1 + self.two), self.most + cells + 1)
        self._prepare()

    def _prepare(self) -> None:
        """Make empty sides."""
        self.sides = [self._side(PUSH)]
        if self.two:
            self.sides.append(self._side(PULL))
        self.waiting = list(range(len(self.sides)))
        self._begun = False

    def _side(self, kind: int) -> Side:
        """An empty side."""
        board, settings = self.board, self.settings
        ends = board.goals, board.boxes
        targets, sources = ends if kind == PUSH else ends[::-1]
        made = plan.plan(board.near, kind, targets, sources, settings.order, bool(settings.loose), self.budget)
        spare = len(board.boxes) - len(board.goals)
        return Side(self.shared.patterns[kind].game, made, settings, spare, self._count, self.name)

    def begin_anew(self) -> None:
        """Forget all positions, keep the patterns, and take the next packing plan.

        The meetings still have the positions.
        """
        self.times += 1
        before = [side.counters for side in self.sides]
        self.sides = []  # releases the memory before new sides are made
        self.settings = self.settings._replace(order=(self.settings.order + 1) % ORDERS)
        self._prepare()
        for side, counters in zip(self.sides, before, strict=True):
            side.counters.work, side.counters.tested = counters.work, counters.tested

    @property
    def work(self) -> int:
        """The number of visited cells."""
        return sum(side.counters.work for side in self.sides)

    @property
    def turns(self) -> int:
        """The work divided by the share."""
        return self.work // self.share

    def go_on(self, work: int = TURN) -> int:
        """Run the side with less work for a turn of at most `work`.

        Returns PAUSED, MET, SOLVED, ENDED or NO_ROOM.
        """
        if not self._begun:
            self._begun = True
            return self._begin()
        at = min(self.waiting, key=lambda at: self.sides[at].counters.work)
        side = self.sides[at]
        work = min(work, max(SHORT, side.counters.work // 4))
        self.tables.make_room(at, work // feature_space.CHILD + self.most)
        room, patterns, until = self.shared.room, self.shared.patterns[at], side.counters.work + work
        status = feature_space.search(side, room, patterns, self._known(at), self.most, until)
        if status == CROWDED:
            self._grow(side)
            return PAUSED
        if status in (PAUSED, MET, SOLVED, NO_ROOM):
            return self._store_meeting(status, at)
        self.waiting.remove(at)
        # One side alone has all positions of any plan. Of a leg, the other side may still meet other searches.
        return PAUSED if self.waiting and self.is_leg else ENDED

    def _begin(self) -> int:
        board, room = self.board, self.shared.room
        for side in self.sides:
            self._grow(side)
        self.tables.make_room(PUSH, 1)
        self.tables.make_room(PULL, len(board.near))
        set_boxes(room.boxes, board.boxes.tolist())
        status = feature_space.begin(self.sides[PUSH], room, self._known(PUSH), board.player)
        if status == MET:
            return self._store_meeting(status, PUSH)
        full = set(board.goals.tolist())
        set_boxes(room.boxes, board.goals.tolist())
        for player in self.players or range(len(board.near) - 1):
            if self.two and status == PAUSED and player not in full:
                status = feature_space.begin(self.sides[PULL], room, self._known(PULL), player)
        return self._store_meeting(status, PULL)

    def _known(self, at: int) -> Known:
        """The positions seen from its end, from the other end, and from there by the other kind of search."""
        others = self.shared.meetings.whole if self.is_leg else self.shared.meetings.legs
        return Known(self.tables.seen[at], self.tables.seen[1 - at], others.seen[1 - at])

    def end(self) -> None:
        """End the search for good."""
        self.shared.meetings.end(self.name, self)

    def _store_meeting(self, status: int, at: int) -> int:
        """Store the numbers of the positions where the sides met; return the status."""
        side = self.sides[at if self.two else 0]
        self.met = self.name << NUMBERS | side.here, side.there
        if at and status == MET:
            self.met = self.met[::-1]
        return status

    def _grow(self, side: Side) -> None:
        """Give the side a hash table with room for more positions."""
        found = side.positions
        size = found.slots.shape[0]
        while size < 4 * (found.count + self.most + len(self.board.near)):
            size *= 2
        found.slots = view(np.full(size, -1, np.int64))
        for first in range(0, found.count, REHASHED):
            self.budget.check()
            positions.rehash(found, first, min(found.count, first + REHASHED))

    def positions(self) -> list[Place]:
        """The positions from the start to the goal."""
        here, there = self.met
        if there >= 0:
            return self.shared.meetings.positions(here, there)
        return self.before + self.sides[0].way(here % (1 << NUMBERS)) + self.after


def moves_through(
    board: NumberedLevel, places: list[tuple[frozenset[int], int]], budget: Budget
) -> list[str] | None:
    """The moves through these positions; None if no box leads from one to the next: two had the same hash."""
    walks, player, moves = Walks(board.near), board.player, []
    on = np.asarray(walks.floor.on)
    for (boxes, _), (after, ends) in pairwise(places):
        budget.check()
        gone, come = boxes - after, after - boxes
        # If the boxes are the same, a box has moved and returned, with the player elsewhere. It can be any box.
        ways = [(min(gone), min(come))] if gone else [(box, box) for box in sorted(boxes)]
        for box, target in ways:
            on[:-1] = 0
            on[list(boxes - {box})] = 1
            steps = lead(walks, player, box, target, ends)
            if steps:
                break
        if gone and not (steps and len(gone) == 1):
            return None
        for step in steps:
            moves.append(LETTERS[step])
            player = int(board.near[player, step % 4])
    return moves
