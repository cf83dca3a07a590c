"""A turn: a round in which the players move, and a round without a movement after each one that asks for it.

A round is the early rules, movement, and the late rules. A win is asked for after each round that is played, but
for the first one of the level. If the round has a message, its other commands are gone by then. Compiled: see
`mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.cells.board import Board
from puzzlemc.encodings.puzzlescript.cells.goal import Goal
from puzzlemc.encodings.puzzlescript.cells.rules import Rules
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.application import EARLY, LATE, apply_phase
    from puzzlemc.encodings.puzzlescript.cells.board import (
        LAYERS_OF_A_WORD,
        WAYS,
        clear_movements,
        differs,
        load,
        set_movements,
    )
    from puzzlemc.encodings.puzzlescript.cells.goal import holds
    from puzzlemc.encodings.puzzlescript.cells.movement import ban, move
    from puzzlemc.encodings.puzzlescript.cells.rules import AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Word, Words, Words2, bit

    ROUNDS = 500  # the most of a turn
    TRIES = 50  # the most of a round with rigid groups
    TICK = 5  # the movement of a round in which the players do not move
    # How a turn ends.
    SETTLED = 0
    VICTORY = 1
    RESTARTED = 2
    UNFINISHED = 3  # it does not settle within ROUNDS rounds
    STUCK = 4  # it never ends: the objects before a later round are those before an earlier one
    DRAWN = 5  # something is drawn: it may have several outcomes
    CROWDED = 6  # there was no room for all matches of a rule: the board has to be enlarged


class Turns:
    """The turns of a level.

    players         (players, words): the masks of the objects that move
    player_layers   (players,): their layers
    all_players     (words,): the mask of all of them
    players_all     whether they move only in cells that have all of them
    needs_movement  whether a round in which no player leaves its cell is dropped: it does nothing, and cannot win
    restart_wins    whether a restart wins
    goes_back       whether a rule may go back to a board that another one keeps
    base            (cells, words): the objects before the turn
    before          those before the round, if it is not the first one
    earlier         those before an earlier round that is not the first one
    checkpoint      those after the last round with `checkpoint`, if `has_checkpoint`
    set_out         (cells,): whether players of this cell were set in motion
    """

    board: Board  # readonly
    rules: Rules
    goal: Goal
    players: Words2
    player_layers: Ints
    all_players: Words
    players_all: Flag
    needs_movement: Flag
    restart_wins: Flag  # public
    goes_back: Flag  # public
    base: Words2
    before: Words2
    earlier: Words2
    checkpoint: Words2
    has_checkpoint: Flag  # readonly
    set_out: Bytes

    def __init__(
        self,
        board: Board,
        rules: Rules,
        goal: Goal,
        players: tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]],
        players_all: bool,
        needs_movement: bool,
    ) -> None:
        """Turns on a board. `players` are masks of objects, and the layers of these."""
        self.board, self.rules, self.goal = board, rules, goal
        self.players, self.player_layers = view(players[0]), view(players[1])
        self.all_players = view(np.bitwise_or.reduce(players[0], axis=0))
        self.players_all, self.needs_movement = players_all, needs_movement
        shape = (board.cells, board.words)
        self.base, self.before, self.earlier, self.checkpoint = (
            view(np.zeros(shape, np.uint64)) for _ in range(4)
        )
        self.set_out = view(np.zeros(board.cells, np.uint8))
        self.has_checkpoint = self.restart_wins = self.goes_back = False

    def turn(
        self, objects: npt.NDArray[np.uint64], movement: int, begins: bool
    ) -> tuple[int, npt.NDArray[np.uint64], npt.NDArray[np.uint64] | None]:
        """Take a turn from these objects of shape (cells, words). If it `begins`, it is that at the start.

        Returns how it ends, the objects after it, and those of its last checkpoint.
        """
        np.asarray(self.base)[:] = objects
        ending = take(self, movement, begins)
        while ending == CROWDED:
            self.board.enlarge()
            ending = take(self, movement, begins)
        after = np.asarray(self.board.objects).copy()
        return ending, after, np.asarray(self.checkpoint).copy() if self.has_checkpoint else None

    def holds_at_start(self, objects: npt.NDArray[np.uint64], has_round: bool) -> bool:
        """Do the win conditions hold on these objects, or after a round from them? Its commands do not count."""
        np.asarray(self.base)[:] = objects
        load(self.board, self.base)
        if has_round:
            self.board.crowded = False
            _round(self, self.board, TICK, self.base)
            while self.board.crowded:
                self.board.enlarge()
                self.board.crowded = False
                _round(self, self.board, TICK, self.base)
            if self.board.queue & CANCEL:
                load(self.board, self.base)
        return bool(holds(self.goal, self.board))


def take(turns: Turns, movement: Index, begins: Flag) -> Index:
    """Take a turn from the base. The board has the objects after it. Returns how it ends."""
    turns.has_checkpoint = False
    turns.board.crowded = turns.board.drawn = False
    ending: Index = _play(turns, movement, begins, True, turns.base)
    rounds: Index = 1
    next_save: Index = 1
    while ending == UNFINISHED and rounds < ROUNDS and not turns.board.crowded and not turns.board.drawn:
        _save(turns.board, turns.before)
        if not begins and next_save > 1 and not differs(turns.board, turns.earlier):
            return STUCK
        if rounds == next_save:
            _save(turns.board, turns.earlier)
            next_save *= 2
        ending = _play(turns, TICK, begins, False, turns.before)
        rounds += 1
    if turns.board.crowded:
        return CROWDED
    if turns.board.drawn:
        return DRAWN
    # If the turn at the start of the level restarts, its rounds lead to this restart again and again.
    return UNFINISHED if begins and ending == RESTARTED else ending


def _play(turns: Turns, movement: Index, begins: Flag, is_first: Flag, origin: Words2) -> Index:
    """Play a round from these objects, and carry out its commands. Returns how the turn ends, or UNFINISHED."""
    if not _round(turns, turns.board, movement, origin):
        return SETTLED
    queue: Index = turns.board.queue
    is_start: Flag = begins and is_first
    if queue & CANCEL:
        load(turns.board, origin)
        if queue & MESSAGE and not is_start and holds(turns.goal, turns.board):
            return VICTORY
        return SETTLED
    if queue & RESTART and not is_start:
        return VICTORY if turns.restart_wins else RESTARTED
    is_changed: Flag = differs(turns.board, origin)
    # A later round that would change nothing, and does not win, is not played at all.
    is_asked: Flag = not is_start and (is_first or is_changed or queue & WIN != 0)
    if is_asked and ((queue & WIN and not queue & MESSAGE) or holds(turns.goal, turns.board)):
        return VICTORY
    if queue & CHECKPOINT:
        turns.has_checkpoint = True
        _save(turns.board, turns.checkpoint)
    return UNFINISHED if queue & AGAIN and is_changed else SETTLED


def _round(turns: Turns, board: Board, movement: Index, origin: Words2) -> Flag:
    """Play a round from these objects. The board has those after it, and the queue of commands.

    If a movement that a rigid rule has set is left, the round begins anew without the group of this rule. Returns
    False if the round is dropped, since no player leaves its cell.
    """
    settled: Flag = False
    number: Index
    for number in range(board.banned.shape[0]):
        board.banned[number] = 0
    for _ in range(TRIES):
        load(board, origin)
        if movement != TICK:
            _set_out(turns, board, movement)
        apply_phase(turns.rules, board, EARLY)
        move(board)
        if not board.has_rigid or not ban(board):
            settled = True
            break
    if settled:
        clear_movements(board)
        apply_phase(turns.rules, board, LATE)
    else:
        load(board, origin)
    if turns.needs_movement and movement != TICK and _stands_still(turns, board):
        load(board, origin)
        return False
    return True


def _set_out(turns: Turns, board: Board, movement: Index) -> None:
    """Give the players a movement."""
    row: Index
    cell: Index
    player: Index
    w: Index
    for row in range(board.height):
        any: Word = 0
        for w in range(board.words):
            any |= board.row_objects[row, w] & turns.all_players[w]
        for cell in range(row * board.width, (row + 1) * board.width):
            turns.set_out[cell] = any != 0 and _is_player(turns, board, cell, turns.players_all)
            if turns.set_out[cell] != 0:
                for player in range(turns.player_layers.shape[0]):
                    _set_in_motion(turns, board, cell, player, movement)


def _set_in_motion(turns: Turns, board: Board, cell: Index, player: Index, movement: Index) -> None:
    """Give a player a movement if it is in a cell."""
    layer: Index = turns.player_layers[player]
    at: Index = layer // LAYERS_OF_A_WORD
    here: Word = 0
    w: Index
    for w in range(board.words):
        here |= board.objects[cell, w] & turns.players[player, w]
    if here != 0:
        added: Word = bit(WAYS * (layer % LAYERS_OF_A_WORD) + movement)
        set_movements(board, cell, at, board.movements[cell, at] | added)


def _is_player(turns: Turns, board: Board, cell: Index, all_of_them: Flag) -> Flag:
    """Does a cell have a player, or all of them?"""
    w: Index
    for w in range(board.words):
        here: Word = board.objects[cell, w] & turns.all_players[w]
        if all_of_them and here != turns.all_players[w]:
            return False
        if not all_of_them and here != 0:
            return True
    return all_of_them


def _stands_still(turns: Turns, board: Board) -> Flag:
    """Were players set in motion, and does each of their cells still have a player?"""
    stands: Flag = False
    cell: Index
    for cell in range(board.cells):
        if turns.set_out[cell] != 0:
            if not _is_player(turns, board, cell, False):
                return False
            stands = True
    return stands


def _save(board: Board, objects: Words2) -> None:
    """Copy the objects of the board."""
    cell: Index
    w: Index
    for cell in range(board.cells):
        for w in range(board.words):
            objects[cell, w] = board.objects[cell, w]
