"""Boards that rules with chance may make of one another: sets of states, in which equal ones are merged.

A state is the planes of the board, the queue of commands, and where it goes on. For probabilities, the ways
between states are recorded: each state of each set has a mark of its own, and a way has the mark of the state
before it, of the one after it, and the number of draws of which it is one. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.encodings.puzzlescript.draws.state_set import StateSet
from puzzlemc.encodings.puzzlescript.planes.tables import Board, Draws, Program, Rules
from puzzlemc.encodings.puzzlescript.planes.turns import Turns
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.draws.state_set import NO_ROOM, add
    from puzzlemc.encodings.puzzlescript.planes.movement import WAYS
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Ints2, Word, bit

    # The last word of a state: the queue, whether a group has changed anything since the phase began or since it
    # last went back, whether the pass has changed anything, and where the state goes on.
    QUEUE = 63
    CHANGED = 64
    MADE = 128
    EACH = 16  # the work to look at a state or a rule, beside its words
    PLACE = 16  # bits below the number of a group, a rule or a match


class Drawing:
    """Sets of states of one level.

    rules, program, draws, board  those of its turns
    todo      the states of a phase; each goes on at a group
    back      those that go back to the start of a loop
    done      those after the phase
    live      the states before a pass through a group
    passing   the states within a pass; each goes on at a rule
    matching  the states while a rule is applied; each goes on at a match
    matches   (matches, slots): the first cells of the parts of each match
    count     the number of these matches
    choice    the choice for each drawn cell of the rule
    group, last  the group, and the end of its phase
    next_rule    the place of the rule in the program after the one that is applied
    edges     the states of `live` that passes lead to, one state after the other, `edge_count` in all
    first_edge, last_edge  by state of `live`, where its edges begin and end; -1 if it was not passed yet
    front     (2, states): the states of `live` before this pass and before the next one
    stamp     by state of `live`, the last pass that led to it
    records   are ways recorded?
    ways      (ways, 3): the marks of the states before and after it, and the number of draws, `way_count` in all
    mark_count  the number of marks given
    mark      that of the state that is on the board
    among     the number of matches of which one is drawn; 1 if a rule is applied to all of them
    draws_here  the number of draws, one of which leads to the next state
    is_open   are some ways not recorded, since states go round?
    rule      the last rule that has drawn
    work      the number of words of the states that were put on the board, and EACH for each state
    most_work, is_full  a limit of this and of the rules that were tried; whether it, or the room, is exceeded
    """

    rules: Rules
    program: Program
    draws: Draws
    board: Board
    todo: StateSet
    back: StateSet
    done: StateSet
    live: StateSet
    passing: StateSet
    matching: StateSet
    matches: Ints2
    count: Index
    choice: Ints
    group: Index
    last: Index
    next_rule: Index
    edges: Ints
    edge_count: Index
    first_edge: Ints
    last_edge: Ints
    front: Ints2
    stamp: Ints
    records: Flag  # public
    ways: Ints2  # readonly
    way_count: Index  # readonly
    mark_count: Index  # readonly
    mark: Index
    among: Index
    draws_here: Index
    is_open: Flag  # readonly
    rule: Index  # readonly
    work: Index
    most_work: Index
    is_full: Flag  # readonly

    def __init__(self, turns: Turns, capacity: int, most_work: int) -> None:
        """Sets of at most `capacity` states."""
        self.rules, self.program, self.draws, self.board = turns.rules, turns.program, turns.draws, turns.board
        words = turns.board.words * (turns.board.kinds + WAYS * turns.board.blocked.shape[0]) + 1
        self.todo, self.back, self.done = (StateSet(capacity, words) for _ in range(3))
        self.live, self.passing, self.matching = (StateSet(capacity, words) for _ in range(3))
        slots = turns.board.at.shape[0]
        self.matches = view(np.zeros((capacity, slots), np.int32))
        self.count = self.group = self.last = self.next_rule = 0
        self.choice = view(np.zeros(turns.draws.shift.shape[0] + 1, np.int32))
        self.edges, self.edge_count = view(np.zeros(16 * capacity, np.int32)), 0
        self.first_edge, self.last_edge = (view(np.zeros(capacity, np.int32)) for _ in range(2))
        self.front = view(np.zeros((2, capacity), np.int32))
        self.stamp = view(np.zeros(capacity, np.int32))
        self.records = self.is_open = False
        self.ways, self.way_count = view(np.zeros((16 * capacity, 3), np.int32)), 0
        self.mark_count, self.mark, self.among, self.draws_here = 0, -1, 1, 1
        self.rule, self.work, self.most_work, self.is_full = -1, 0, most_work, False


def load(drawing: Drawing, states: StateSet, number: Index) -> Index:
    """Put a state on the board. Returns its last word."""
    p: Index
    w: Index
    at: Index = 0
    drawing.work += drawing.todo.rows.shape[1] + EACH
    if drawing.work + (EACH + drawing.board.words) * drawing.board.tried > drawing.most_work:
        drawing.is_full = True
    for p in range(drawing.board.kinds + WAYS * drawing.board.blocked.shape[0]):
        any: Word = 0
        for w in range(drawing.board.words):
            here: Word = states.rows[number, at]
            drawing.board.planes[p, w] = here
            any |= here
            at += 1
        if any != 0:
            drawing.board.filled[p >> 6] |= bit(p & 63)
        else:
            drawing.board.filled[p >> 6] &= ALL ^ bit(p & 63)
    meta: Index = states.rows[number, at]
    drawing.board.queue = meta & QUEUE
    drawing.mark = states.marks[number]
    return meta


def save(drawing: Drawing, states: StateSet, meta: Index) -> Index:
    """Add the board and its queue to a set; `meta` is the rest of the last word. Returns the state's number."""
    p: Index
    w: Index
    at: Index = 0
    for p in range(drawing.board.kinds + WAYS * drawing.board.blocked.shape[0]):
        for w in range(drawing.board.words):
            states.rows[states.used, at] = drawing.board.planes[p, w]
            at += 1
    states.rows[states.used, at] = meta | drawing.board.queue
    return added(drawing, states)


def added(drawing: Drawing, states: StateSet) -> Index:
    """Add the row behind those in use. Returns its number; if there is no room, notes that, and returns 0."""
    before: Index = states.used
    number: Index = add(states)
    if number == NO_ROOM:
        drawing.is_full = True
        return 0
    if drawing.records:
        if number == before:
            states.marks[number] = drawing.mark_count
            drawing.mark_count += 1
        if drawing.mark >= 0:
            _record(drawing, states.marks[number])
    return number


def _record(drawing: Drawing, target: Index) -> None:
    """Record the way from the state on the board."""
    if drawing.way_count == drawing.ways.shape[0]:
        drawing.is_full = True
        return
    drawing.ways[drawing.way_count, 0] = drawing.mark
    drawing.ways[drawing.way_count, 1] = target
    drawing.ways[drawing.way_count, 2] = drawing.draws_here
    drawing.way_count += 1
