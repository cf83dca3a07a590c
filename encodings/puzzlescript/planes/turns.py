"""A turn of a PuzzleScript level on planes of bits, as a step system.

A packed state has the planes of the objects that can change, one after the other, a bit for each cell, and the bit
*won*. A turn is a round in which the players move, and a round without a movement after each one that queues
`again`. When a win is asked for, is defined in `domain/turn.py`. Compiled: see `mc/words.py`.
"""

from collections.abc import Mapping
from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.planes.goal import Goal
from puzzlemc.encodings.puzzlescript.planes.tables import Board, Draws, Program, Rules
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.steps import Steps
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.goal import won
    from puzzlemc.encodings.puzzlescript.planes.movement import WAYS, ban, clear_movements, move
    from puzzlemc.encodings.puzzlescript.planes.rewriting import apply_phase
    from puzzlemc.encodings.puzzlescript.planes.tables import AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN
    from puzzlemc.mc.steps.steps import CHANGED, NOTHING, UNSETTLED, WON
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Word, Words, Words2, Words3, bit, left

    ROUNDS = 500  # the most of a turn
    TRIES = 50  # the most of a round with rigid groups
    TICK = 5  # the movement of a round in which the players do not move
    # Origins: see Turns.origins.
    FIRST = 0
    LAST = 1
    ANCHOR = 2
    # How a turn ends.
    SETTLED = 0
    VICTORY = 1
    RESTARTED = 2
    UNFINISHED = 3  # it does not settle within ROUNDS rounds
    STUCK = 4  # it never ends: a board has come back
    DRAWN = 5  # something is drawn: it may have several outcomes
    # How a round counts.
    BEGINS = 0  # the first one of the level
    ACTS = 1  # the first one of another turn
    GOES_ON = 2  # one that `again` adds


class Turns(Steps):
    """The turns of a level. An action moves the players up, left, down, right, or is `action` or a tick.

    board           where turns are computed
    rules, program  the rules, and those of each movement in their order
    draws           what they draw
    goal            the win conditions
    player_planes, player_layers  the planes of the players, and the numbers of their moving layers
    players_whole   whether players move only in cells that have all of them
    needs_movement  whether a round in which no player leaves its cell is dropped
    restart_wins    whether a restart wins
    has_rigid       whether there are rigid rules
    goes_back       whether a rule may go back to a board that another one keeps
    movements       by action, its movement
    origins         (3, kinds, words): the planes of the state that was entered, those before the last round, and
                    those before an earlier round of the turn
    origins_filled  the sets of planes among them that have a cell
    checkpoint      (kinds, words): the planes after the last round with `checkpoint`, if `has_checkpoint`
    players         the cells of the players before the last round
    idle            by movement, whether its rounds change nothing, and queue nothing
    """

    board: Board  # readonly
    rules: Rules
    program: Program
    draws: Draws
    goal: Goal  # readonly
    player_planes: Ints
    player_layers: Ints
    players_whole: Flag
    needs_movement: Flag
    restart_wins: Flag  # public
    has_rigid: Flag  # readonly
    goes_back: Flag
    origins: Words3
    origins_filled: Words2
    checkpoint: Words2
    has_checkpoint: Flag  # readonly
    players: Words
    idle: Bytes
    movements: Ints

    def __init__(self, board: Board, flags: Mapping[str, bool], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Turns on a board. `flags` has the fields from `players_whole` on."""
        super().__init__(board.kinds * board.cells // 64 + 1, len(arrays["movements"]))
        self.board = board
        self.rules, self.program, self.goal = Rules(arrays), Program(arrays), Goal(arrays)
        self.draws = Draws(arrays)
        self.player_planes, self.player_layers = view(arrays["player_planes"]), view(arrays["player_layers"])
        self.players_whole, self.needs_movement = flags["players_whole"], flags["needs_movement"]
        self.has_rigid, self.goes_back, self.restart_wins = flags["has_rigid"], flags["goes_back"], False
        shape, filled = (board.kinds, board.words), arrays["filled"]
        self.origins, self.checkpoint = (
            view(np.zeros((3, board.kinds, board.words), np.uint64)),
            view(np.zeros(shape, np.uint64)),
        )
        self.origins_filled = view(np.stack([filled, filled, filled]))
        self.has_checkpoint = False
        self.idle, self.movements = view(arrays["idle"]), view(arrays["movements"])
        self.players = view(np.zeros(board.words, np.uint64))

    def take(self, movement: int, begins: bool, states: StateTable) -> int:
        """Take one turn from row 0 of the table: if it `begins`, that at the start of the level.

        Returns how it ends.
        Row 1 becomes the state after it (after `restart`, that after the round with the command), and row 2 the
        checkpoint, if `has_checkpoint`.
        """
        unpack(self, states, 0)
        ending = _turn(self, movement, begins)
        pack(self, self.board.planes, states, 1, ending == VICTORY)
        pack(self, self.checkpoint, states, 2, False)
        return ending

    def holds_after_first_round(self, movement: int, states: StateTable) -> bool:
        """Do the win conditions hold after one round from row 0 of the table? The command `win` does not count."""
        unpack(self, states, 0)
        _round(self, movement, FIRST)
        if self.board.queue & CANCEL:
            copy(self, FIRST)
        return bool(won(self.goal, self.board))

    def holds(self, states: StateTable) -> bool:
        """Do the win conditions hold in row 0 of the table?"""
        unpack(self, states, 0)
        copy(self, FIRST)
        return bool(won(self.goal, self.board))

    def enter(self, table: StateTable, number: Index) -> Flag:
        """Take a state of the table as the source."""
        last: Index = self.board.kinds * self.board.cells
        if table.rows[number, last >> 6] >> (last & 63) & 1 != 0:
            return False
        unpack(self, table, number)
        return True

    def successor(self, action: Index, table: StateTable, place: Index) -> Index:
        """Write the successor to a row of the table."""
        movement: Index = self.movements[action]
        if self.idle[movement] != 0:
            copy(self, FIRST)
            if not won(self.goal, self.board):
                return NOTHING
        ending: Index = _turn(self, movement, False)
        is_left: Flag = self.goes_back and self.has_checkpoint and _is_left(self, ending)
        if ending in (UNFINISHED, DRAWN) or is_left:
            return UNSETTLED
        if (ending == SETTLED and not _differs(self, FIRST)) or ending in (RESTARTED, STUCK):
            return NOTHING
        pack(self, self.board.planes, table, place, ending == VICTORY)
        return WON if ending == VICTORY else CHANGED


def _turn(turns: Turns, movement: Index, begins: Flag) -> Index:
    """Take a turn from the base. The board has the planes after it. Returns how it ends."""
    turns.has_checkpoint = turns.board.drawn = False
    ending: Index = _play(turns, movement, FIRST, BEGINS if begins else ACTS)
    rounds: Index = 1
    while ending == UNFINISHED and rounds < ROUNDS and not turns.board.drawn:
        _save(turns, LAST)
        if rounds > 1 and not begins and not _differs(turns, ANCHOR):
            return STUCK
        if rounds & (rounds - 1) == 0:  # so a cycle is found within thrice its length, if it begins early
            _save(turns, ANCHOR)
        ending = _play(turns, TICK, LAST, GOES_ON)
        rounds += 1
    if turns.board.drawn:
        return DRAWN
    if begins and ending == RESTARTED:  # the level would start again and again
        return UNFINISHED
    return ending


def _play(turns: Turns, movement: Index, origin: Index, kind: Index) -> Index:
    """Play a round from an origin, and carry out its commands. Returns how the turn ends, or UNFINISHED."""
    p: Index
    w: Index
    if not _round(turns, movement, origin):
        return SETTLED
    queue: Index = turns.board.queue
    if queue & CANCEL:
        copy(turns, origin)
        if queue & MESSAGE and kind != BEGINS and won(turns.goal, turns.board):
            return VICTORY
        return SETTLED
    if queue & RESTART and kind != BEGINS:
        return VICTORY if turns.restart_wins else RESTARTED
    differs: Flag = _differs(turns, origin)
    is_asked: Flag = kind == ACTS
    if kind == GOES_ON:  # a round that would change nothing, and does not win, is not played
        is_asked = differs or queue & WIN != 0
    if is_asked and ((queue & WIN and not queue & MESSAGE) or won(turns.goal, turns.board)):
        return VICTORY
    if queue & CHECKPOINT:
        turns.has_checkpoint = True
        for p in range(turns.board.kinds):
            for w in range(turns.board.words):
                turns.checkpoint[p, w] = turns.board.planes[p, w]
    return UNFINISHED if queue & AGAIN and differs else SETTLED


def _save(turns: Turns, origin: Index) -> None:
    """Save the board as an origin."""
    p: Index
    w: Index
    for p in range(turns.board.kinds):
        for w in range(turns.board.words):
            turns.origins[origin, p, w] = turns.board.planes[p, w]
    for w in range(turns.origins_filled.shape[1]):
        turns.origins_filled[origin, w] = turns.board.filled[w]


def _round(turns: Turns, movement: Index, origin: Index) -> Flag:
    """Play a round from an origin. The board has the planes after it, and the queue of commands.

    Returns False if the round is dropped: it changes nothing, queues nothing, and no win is asked for.
    """
    i: Index
    layer: Index
    settled: Flag = False
    if turns.has_rigid:
        for i in range(turns.board.banned.shape[0]):
            turns.board.banned[i] = 0
    for _ in range(TRIES):
        copy(turns, origin)
        turns.board.queue = 0
        if turns.has_rigid:
            for layer in range(turns.board.rigid.shape[0]):
                for i in range(turns.board.cells):
                    turns.board.rigid[layer, i] = 0
        if movement != TICK:
            set_out(turns, movement)
        apply_phase(turns.rules, turns.program, turns.board, 2 * movement)
        move(turns.board)
        if not turns.has_rigid or not ban(turns.board):
            settled = True
            break
        clear_movements(turns.board)
    clear_movements(turns.board)
    if settled:
        apply_phase(turns.rules, turns.program, turns.board, 2 * movement + 1)
        clear_movements(turns.board)
    else:
        copy(turns, origin)
        turns.board.queue = 0
    if turns.needs_movement and movement != TICK and not has_moved(turns):
        copy(turns, origin)
        turns.board.queue = 0
        return False
    return True


def set_out(turns: Turns, movement: Index) -> None:
    """Give the players a movement."""
    players: Index = turns.player_planes.shape[0]
    i: Index
    w: Index
    for w in range(turns.board.words):
        together: Word = turns.board.whole[w] if turns.players_whole else 0
        for i in range(players):
            here: Word = turns.board.planes[turns.player_planes[i], w]
            together = together & here if turns.players_whole else together | here
        turns.players[w] = together
    for i in range(players):
        plane: Index = turns.board.kinds + WAYS * turns.player_layers[i] + movement
        any: Word = 0
        for w in range(turns.board.words):
            turns.board.planes[plane, w] |= turns.board.planes[turns.player_planes[i], w] & turns.players[w]
            any |= turns.board.planes[plane, w]
        if any != 0:
            turns.board.filled[plane >> 6] |= bit(plane & 63)


def has_moved(turns: Turns) -> Flag:
    """Has a player left its cell, or was there none? A cell counts as left if no player is there."""
    w: Index
    i: Index
    none: Flag = True
    for w in range(turns.board.words):
        if turns.players[w] == 0:
            continue
        none = False
        here: Word = 0
        for i in range(turns.player_planes.shape[0]):
            here |= turns.board.planes[turns.player_planes[i], w]
        if turns.players[w] & (ALL ^ here) != 0:
            return True
    return none


def copy(turns: Turns, origin: Index) -> None:
    """Copy the planes of an origin to the board, which has no movements."""
    p: Index
    w: Index
    for p in range(turns.board.kinds):
        for w in range(turns.board.words):
            turns.board.planes[p, w] = turns.origins[origin, p, w]
    for w in range(turns.board.filled.shape[0]):
        turns.board.filled[w] = turns.origins_filled[origin, w]


def _differs(turns: Turns, origin: Index) -> Flag:
    """Do the objects of the board differ from those of an origin?"""
    difference: Word = 0
    p: Index
    w: Index
    for p in range(turns.board.kinds):
        for w in range(turns.board.words):
            difference |= turns.board.planes[p, w] ^ turns.origins[origin, p, w]
        if difference != 0:
            return True
    return False


def _is_left(turns: Turns, ending: Index) -> Flag:
    """Does a turn with a checkpoint end elsewhere, so that a restart leads to a board where no turn ended?"""
    p: Index
    w: Index
    if ending != SETTLED:
        return ending == RESTARTED
    for p in range(turns.board.kinds):
        for w in range(turns.board.words):
            if turns.checkpoint[p, w] != turns.board.planes[p, w]:
                return True
    return False


def pack(turns: Turns, planes: Words2, table: StateTable, place: Index, is_won: Flag) -> None:
    """Write planes, and whether they are won, to a row of a table as a packed state."""
    p: Index
    w: Index
    for w in range(turns.words):
        table.rows[place, w] = 0
    for p in range(turns.board.kinds):
        for w in range(turns.board.words):
            here: Word = planes[p, w]
            if here != 0:
                first: Index = p * turns.board.cells + 64 * w
                shift: Index = first & 63
                table.rows[place, first >> 6] |= left(here, shift)
                if shift != 0 and here >> (64 - shift) != 0:
                    table.rows[place, (first >> 6) + 1] |= here >> (64 - shift)
    if is_won:
        last: Index = turns.board.kinds * turns.board.cells
        table.rows[place, last >> 6] |= bit(last & 63)


def unpack(turns: Turns, table: StateTable, number: Index) -> None:
    """Make a packed state of a table the origin FIRST."""
    p: Index
    w: Index
    for p in range(turns.board.kinds):
        any: Word = 0
        for w in range(turns.board.words):
            first: Index = p * turns.board.cells + 64 * w
            shift: Index = first & 63
            i: Index = first >> 6
            here: Word = table.rows[number, i] >> shift
            if shift != 0 and i + 1 < turns.words:
                here |= left(table.rows[number, i + 1], 64 - shift)
            here &= turns.board.whole[w]
            turns.origins[FIRST, p, w] = here
            any |= here
        if any != 0:
            turns.origins_filled[FIRST, p >> 6] |= bit(p & 63)
        else:
            turns.origins_filled[FIRST, p >> 6] &= ALL ^ bit(p & 63)
