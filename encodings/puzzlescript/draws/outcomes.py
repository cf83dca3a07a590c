"""The outcomes of a turn with chance, compiled: what may come of a board and a movement, whatever is drawn.

A round has a set of results. If `again` is queued and the round has changed the board, a dry round is drawn first,
and if it would do something, the round is played, with draws of its own. So each board after such a round is a
node of a graph, with one set of rounds from it. If some of them does nothing, the turn may settle there; if some
does something, all of them may follow. Rounds that lead in a circle end with probability 1 if a way leads out; a
turn is *stuck* if it may come to a node from which none does. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.encodings.puzzlescript.draws.drawing import Drawing
from puzzlemc.encodings.puzzlescript.draws.state_set import StateSet
from puzzlemc.encodings.puzzlescript.planes.turns import Turns
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.draws.drawing import PLACE, QUEUE, load, save
    from puzzlemc.encodings.puzzlescript.draws.groups import apply_phase
    from puzzlemc.encodings.puzzlescript.draws.state_set import NO_ROOM, add, clear
    from puzzlemc.encodings.puzzlescript.planes.goal import won
    from puzzlemc.encodings.puzzlescript.planes.movement import clear_movements, move
    from puzzlemc.encodings.puzzlescript.planes.tables import AGAIN, CANCEL, MESSAGE, RESTART, WIN
    from puzzlemc.encodings.puzzlescript.planes.turns import FIRST, TICK, copy, has_moved, pack, set_out, unpack
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints

    DROPPED = 64  # in the last word of a round: it is dropped
    ROOT = 64  # in the last word of a node: the turn begins there


class Outcomes(Drawing):
    """The outcomes of the last turn from a packed state.

    turns      the turns of the level
    results    the packed states at which the turn may end, won ones included
    restarted  may a rule restart the level, without a win?
    stuck      may the turn never end?
    restart_wins, restart_goes_on  may a restart win the level, and may it not?
    rounds     the results of a round
    nodes      the boards from which rounds follow, or may follow; the first one is the start of the turn
    goes_on    by node, whether some dry round does something, so that all rounds from it may follow
    settles    by node, whether some dry round does nothing
    ends       by node that goes on, whether a way leads to an end of the turn
    sources, targets  the steps between nodes, `steps` in all
    """

    turns: Turns
    results: StateSet  # readonly
    restarted: Flag  # readonly
    stuck: Flag  # readonly
    restart_wins: Flag  # public
    restart_goes_on: Flag  # public
    rounds: StateSet  # readonly
    nodes: StateSet
    goes_on: Bytes
    settles: Bytes
    ends: Bytes
    sources: Ints
    targets: Ints
    steps: Index

    def __init__(self, turns: Turns, capacity: int, most_work: int) -> None:
        """Room for `capacity` states in each set; `most_work` limits the work for a turn."""
        super().__init__(turns, capacity, most_work)
        self.turns = turns
        words = self.todo.rows.shape[1]
        self.results = StateSet(capacity, turns.words)
        self.rounds, self.nodes = StateSet(capacity, words), StateSet(capacity, words)
        self.goes_on, self.settles, self.ends = (view(np.zeros(capacity, np.uint8)) for _ in range(3))
        self.sources, self.targets = (view(np.zeros(16 * capacity, np.int32)) for _ in range(2))
        self.restarted = self.stuck = self.restart_wins = False
        self.restart_goes_on = True
        self.steps = 0

    def take(self, movement: int, begins: bool, states: StateTable) -> bool:
        """Find the outcomes of a turn from row 0 of the table: if it `begins`, the one at the start of the level.

        Returns False if they are too many.
        """
        unpack(self.turns, states, 0)
        _explore(self, movement, begins)
        return not self.is_full

    @property
    def line(self) -> int:
        """The line of the last rule that has drawn, 0 if none has."""
        return self.draws.lines[self.rule] if self.rule >= 0 else 0

    def list_rounds(self, movement: int, states: StateTable) -> bool:
        """Find the rounds from row 0 of the table, and record the ways to them from the state marked 0.

        Row k of `results` is the board after round k, without a win. Returns False if they are too many.
        """
        unpack(self.turns, states, 0)
        self.records = True
        _list_rounds(self, movement)
        self.records = False
        return not self.is_full

    def take_round(self, movement: int, states: StateTable) -> bool:
        """Find the boards after one round from row 0 of the table, as results that are won if they are.

        After `cancel`, that is the board before the round. Returns False if they are too many.
        """
        unpack(self.turns, states, 0)
        _explore_round(self, movement)
        return not self.is_full


def _explore(outcomes: Outcomes, movement: Index, begins: Flag) -> None:
    """Follow all rounds from the origin."""
    i: Index = 0
    k: Index
    _begin(outcomes)
    while i < outcomes.nodes.used and not outcomes.is_full:
        _play(outcomes, i, movement if i == 0 else TICK)
        if i > 0:
            for k in range(outcomes.rounds.used):
                if _does_something(outcomes, k, i):
                    outcomes.goes_on[i] = 1
                else:
                    outcomes.settles[i] = 1
            if outcomes.settles[i] != 0:
                load(outcomes, outcomes.nodes, i)
                _add_result(outcomes, False)
        if outcomes.goes_on[i] != 0:
            for k in range(outcomes.rounds.used):
                _judge(outcomes, k, i, begins and i == 0)
        i += 1
    clear_movements(outcomes.board)
    outcomes.stuck = not outcomes.is_full and _may_be_stuck(outcomes)


def _explore_round(outcomes: Outcomes, movement: Index) -> None:
    k: Index
    _begin(outcomes)
    _play(outcomes, 0, movement)
    for k in range(outcomes.rounds.used):
        if load(outcomes, outcomes.rounds, k) & CANCEL:
            load(outcomes, outcomes.nodes, 0)
        _add_result(outcomes, won(outcomes.turns.goal, outcomes.board))
    clear_movements(outcomes.board)


def _list_rounds(outcomes: Outcomes, movement: Index) -> None:
    k: Index
    _begin(outcomes)
    _play(outcomes, 0, movement)
    for k in range(outcomes.rounds.used):
        load(outcomes, outcomes.rounds, k)
        pack(outcomes.turns, outcomes.board.planes, outcomes.results, k, False)
    clear_movements(outcomes.board)


def _begin(outcomes: Outcomes) -> None:
    """Make the origin the first node, without any result."""
    clear_movements(outcomes.board)
    copy(outcomes.turns, FIRST)
    clear(outcomes.results)
    clear(outcomes.nodes)
    outcomes.work = outcomes.steps = outcomes.board.queue = outcomes.board.tried = 0
    outcomes.rule = outcomes.mark = -1
    outcomes.way_count = outcomes.mark_count = 0
    outcomes.among = outcomes.draws_here = 1
    outcomes.is_open = False
    outcomes.is_full = outcomes.restarted = outcomes.stuck = False
    _add_node(outcomes, ROOT)
    outcomes.goes_on[0] = 1


def _play(outcomes: Outcomes, i: Index, movement: Index) -> None:
    """Find the results of the rounds from a node, as `rounds`."""
    k: Index
    load(outcomes, outcomes.nodes, i)
    if movement != TICK:
        set_out(outcomes.turns, movement)
    clear(outcomes.todo)
    save(outcomes, outcomes.todo, outcomes.program.phases[2 * movement] << PLACE)
    apply_phase(outcomes, 2 * movement)
    clear(outcomes.todo)
    for k in range(outcomes.done.used):
        load(outcomes, outcomes.done, k)
        move(outcomes.board)
        clear_movements(outcomes.board)
        save(outcomes, outcomes.todo, outcomes.program.phases[2 * movement + 1] << PLACE)
    apply_phase(outcomes, 2 * movement + 1)
    clear(outcomes.rounds)
    for k in range(outcomes.done.used):
        load(outcomes, outcomes.done, k)
        clear_movements(outcomes.board)
        if outcomes.turns.needs_movement and movement != TICK and not has_moved(outcomes.turns):
            mark: Index = outcomes.mark
            load(outcomes, outcomes.nodes, i)
            outcomes.mark = mark
            save(outcomes, outcomes.rounds, DROPPED)
        else:
            save(outcomes, outcomes.rounds, 0)


def _judge(outcomes: Outcomes, k: Index, i: Index, is_start: Flag) -> None:
    """Carry out the commands of a round from a node: its end of the turn, or the node that follows."""
    meta: Index = load(outcomes, outcomes.rounds, k)
    queue: Index = meta & QUEUE
    if meta & DROPPED or queue & CANCEL:
        load(outcomes, outcomes.nodes, i)
        is_asked: Flag = meta & DROPPED == 0 and queue & MESSAGE != 0 and not is_start
        _end(outcomes, i, is_asked and won(outcomes.turns.goal, outcomes.board))
        return
    if queue & RESTART and not is_start:
        outcomes.ends[i] = 1
        if outcomes.restart_wins:
            _add_result(outcomes, True)
        if outcomes.restart_goes_on:
            outcomes.restarted = True
        return
    is_won: Flag = queue & WIN != 0 and queue & MESSAGE == 0
    if not is_start and (is_won or won(outcomes.turns.goal, outcomes.board)):
        _end(outcomes, i, True)
        return
    if not queue & AGAIN or not _differs(outcomes, k, i):
        _end(outcomes, i, False)
        return
    outcomes.board.queue = 0
    if outcomes.steps == outcomes.sources.shape[0]:
        outcomes.is_full = True
        return
    outcomes.sources[outcomes.steps] = i
    outcomes.targets[outcomes.steps] = _add_node(outcomes, 0)
    outcomes.steps += 1


def _end(outcomes: Outcomes, i: Index, is_won: Flag) -> None:
    """End the turn in a round from a node, with the board."""
    outcomes.ends[i] = 1
    _add_result(outcomes, is_won)


def _add_result(outcomes: Outcomes, is_won: Flag) -> None:
    pack(outcomes.turns, outcomes.board.planes, outcomes.results, outcomes.results.used, is_won)
    if add(outcomes.results) == NO_ROOM:
        outcomes.is_full = True


def _add_node(outcomes: Outcomes, meta: Index) -> Index:
    """Add the board, whose queue is empty, as a node. Returns its number."""
    before: Index = outcomes.nodes.used
    number: Index = save(outcomes, outcomes.nodes, meta)
    if number == before:
        outcomes.goes_on[number] = outcomes.settles[number] = outcomes.ends[number] = 0
    return number


def _differs(outcomes: Outcomes, k: Index, i: Index) -> Flag:
    """Do the objects of a round and of a node differ?"""
    w: Index
    differ: Flag = False
    for w in range(outcomes.board.kinds * outcomes.board.words):
        if outcomes.rounds.rows[k, w] != outcomes.nodes.rows[i, w]:
            differ = True
            break
    return differ


def _does_something(outcomes: Outcomes, k: Index, i: Index) -> Flag:
    """Would a round from a node that `again` has asked for do anything?"""
    meta: Index = outcomes.rounds.rows[k, outcomes.rounds.rows.shape[1] - 1]
    if meta & CANCEL:
        return meta & QUEUE != CANCEL
    return meta & (WIN | RESTART) != 0 or _differs(outcomes, k, i)


def _may_be_stuck(outcomes: Outcomes) -> Flag:
    """Does no way lead from some node that goes on to an end of the turn?"""
    s: Index
    i: Index
    again: Flag = True
    while again:
        again = False
        for s in range(outcomes.steps):
            i = outcomes.targets[s]
            is_end: Flag = outcomes.settles[i] != 0 or (outcomes.goes_on[i] != 0 and outcomes.ends[i] != 0)
            if is_end and outcomes.ends[outcomes.sources[s]] == 0:
                outcomes.ends[outcomes.sources[s]] = 1
                again = True
    is_stuck: Flag = False
    for i in range(1, outcomes.nodes.used):
        if outcomes.goes_on[i] != 0 and outcomes.ends[i] == 0:
            is_stuck = True
    return is_stuck
