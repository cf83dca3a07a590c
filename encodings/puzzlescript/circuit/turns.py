"""The circuit of the turns of a level: a graph over the bits of a position, and the literals of a turn's result.

A bit is an object in a cell, where this object can change. A level has one graph; each movement of the players has
its own gates in it, made on demand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlemc.encodings.puzzlescript.circuit.analysis import scope
from puzzlemc.encodings.puzzlescript.circuit.application import Queue, apply_group
from puzzlemc.encodings.puzzlescript.circuit.board import Board, Lines
from puzzlemc.encodings.puzzlescript.circuit.graph import Graph, Prover
from puzzlemc.encodings.puzzlescript.circuit.movement import move
from puzzlemc.encodings.puzzlescript.circuit.patterns import Names, Plane, rules_of
from puzzlemc.mc.proofs.circuit import FALSE, TRUE
from puzzlemc.screens.puzzlescript.game import Level, Win

WON = "won"


@dataclass(frozen=True)
class Turn:
    """The literals of a turn's result.

    after       by bit of the position: its value after the round, if the turn is not cancelled
    cancelled   the turn changes nothing
    restarted   the turn restarts the level
    won         the turn wins, if it is neither cancelled nor restarted
    checkpoint  the round has queued a checkpoint
    passes      the number of passes of each group of rules, and of the movement, in order
    """

    after: tuple[int, ...]
    cancelled: int
    restarted: int
    won: int
    checkpoint: int
    passes: tuple[int, ...]


class Turns:
    """The turns of a level.

    bits       the objects and cells that a position consists of; all else is as in the level
    graph      its inputs are the bits, named `object@cell`, and `won`, which no turn reads
    exclusive  numbers of bits, in groups of which at most one holds: the objects of a layer in a cell
    prover     answers questions about all positions in which this is so
    """

    def __init__(self, level: Level) -> None:
        """Raises Unsuitable for a level that has no circuit."""
        self.level = level
        game = level.game
        self._names = Names(game)
        present = frozenset[str]().union(*level.cells)
        self._rules, changing = scope(game, rules_of(game), present)
        fixed = [here - changing for here in level.cells]
        taken = [{self._names.layer[name] for name in here} for here in fixed]
        self.bits = [
            (name, cell)
            for name in game.objects
            if name in changing
            for cell in range(len(fixed))
            if self._names.layer[name] not in taken[cell]
        ]
        self.graph = Graph([*(f"{name}@{cell}" for name, cell in self.bits), WON])
        self._lines = Lines(level.width, level.height)
        self._start: list[dict[Plane, int]] = [dict[Plane, int](dict.fromkeys(here, TRUE)) for here in fixed]
        groups: dict[tuple[int, int], list[int]] = {}
        for number, (name, cell) in enumerate(self.bits, start=1):
            self._start[cell][name] = 2 * number
            groups.setdefault((cell, self._names.layer[name]), []).append(2 * number)
        self.exclusive = [[literal // 2 - 1 for literal in group] for group in groups.values()]
        self.prover = Prover(self.graph, groups.values())
        self._made: dict[str, Turn] = {}

    def turn(self, movement: str) -> Turn:
        """The turn with this movement of the players, "" for none. Raises Unsuitable."""
        if movement not in self._made:
            self._made[movement] = self._turn(movement)
        return self._made[movement]

    def _turn(self, movement: str) -> Turn:
        graph, game, queue = self.graph, self.level.game, Queue()
        before = Board(graph, self._lines, self._start)
        board = before.copy()
        players = [self._has(here, game.players, game.players_all) for here in before.cells]
        passes = []
        if movement:
            self._set_in_motion(board, players, movement)
        for group in self._rules.early:
            passes.append(apply_group(board, group, queue, self.prover))
        passes.append(move(board, game.layers, self.prover))
        for group in self._rules.late:
            passes.append(apply_group(board, group, queue, self.prover))
        if game.require_player_movement and movement:
            self._require_movement(before, board, players, queue)
        wins = graph.conj([self._holds(win, board) for win in game.wins]) if game.wins else FALSE
        cancelled = queue.queued["cancel"]
        restarted = graph.both(queue.queued["restart"], cancelled ^ 1)
        won = graph.disj([queue.queued["win"], wins])
        return Turn(
            after=tuple(board.cells[cell].get(name, FALSE) for name, cell in self.bits),
            cancelled=cancelled,
            restarted=restarted,
            won=graph.conj([won, cancelled ^ 1, restarted ^ 1]),
            checkpoint=queue.queued["checkpoint"],
            passes=tuple(passes),
        )

    def _set_in_motion(self, board: Board, players: Sequence[int], movement: str) -> None:
        """Give the players of each cell the movement, in the layers of all of them that are there."""
        graph, players_all = board.graph, self.level.game.players_all
        for here, has_player in zip(board.cells, players, strict=True):
            for name in sorted(self.level.game.players):
                moves = has_player if players_all else here.get(name, FALSE)
                if moves != FALSE:
                    plane = self._names.layer[name], movement
                    here[plane] = graph.disj([here.get(plane, FALSE), moves])

    def _require_movement(self, before: Board, board: Board, players: Sequence[int], queue: Queue) -> None:
        """Where there are players and none has left its cell, undo the round and empty the queue."""
        graph = board.graph
        after = [self._has(here, self.level.game.players, False) for here in board.cells]
        left = [graph.both(one, other ^ 1) for one, other in zip(players, after, strict=True)]
        undone = graph.both(graph.disj(players), graph.disj(left) ^ 1)
        for name, cell in self.bits:
            old, new = before.cells[cell].get(name, FALSE), board.cells[cell].get(name, FALSE)
            board.cells[cell][name] = graph.choice(undone, old, new)
        for name, literal in queue.queued.items():
            queue.queued[name] = graph.both(literal, undone ^ 1)

    def _holds(self, win: Win, board: Board) -> int:
        """The literal: a win condition holds."""
        graph, parts = self.graph, []
        for here in board.cells:
            has = self._has(here, win.subject, win.subject_all)
            on = TRUE if win.on is None else self._has(here, win.on, win.on_all)
            parts.append(graph.both(has, on ^ 1) if win.quantifier == "all" else graph.both(has, on))
        found = graph.disj(parts)
        return found if win.quantifier == "some" else found ^ 1

    def _has(self, here: dict[Plane, int], objects: frozenset[str], all_of_them: bool) -> int:
        """The literal: a cell has any of the objects, or all of them."""
        literals = [here.get(name, FALSE) for name in sorted(objects)]
        return self.graph.conj(literals) if all_of_them else self.graph.disj(literals)


@lru_cache(maxsize=8)
def turns_of(level: Level) -> Turns:
    """The turns of a level. Raises Unsuitable."""
    return Turns(level)
