"""The circuit of the turns of a level: a graph over the bits of a position, and the literals of a turn's result.

A bit is an object in a cell, where this object can change. A level has one graph; each movement of the players has
its own gates in it, made on demand.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlemc.encodings.puzzlescript.circuit.application import Queue, apply_group
from puzzlemc.encodings.puzzlescript.circuit.board import Board, Lines
from puzzlemc.encodings.puzzlescript.circuit.graph import Graph, Prover
from puzzlemc.encodings.puzzlescript.circuit.movement import move
from puzzlemc.encodings.puzzlescript.patterns.analysis import changing, closure
from puzzlemc.encodings.puzzlescript.patterns.rules import Names, Plane, Rule, groups, patterns
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.proofs.circuit import FALSE, TRUE
from puzzlemc.screens.puzzlescript.game import Game, Level, Win

WON = "won"


@dataclass(frozen=True)
class Turn:
    """The literals of a turn's result.

    after       by bit of the position: its value after the round, if the turn wins or is not cancelled
    cancelled   the turn changes nothing
    restarted   the turn restarts the level
    won         the turn wins: also by a restart, or by a message of a cancelled round
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
        rules = patterns(game)
        movements = [plane for layer in range(len(game.layers)) for plane in self._names.movements(layer)]
        used, possible = closure(rules, range(len(rules)), frozenset(movements).union(*level.cells))
        found = [rules[number] for number in sorted(used)]
        _check(game, found)
        self._early, self._late = (
            [[found[number] for number in group] for group in groups(found, late)] for late in (False, True)
        )
        changes = changing(game, found, possible)
        fixed = [here - changes for here in level.cells]
        taken = [{self._names.layer[name] for name in here} for here in fixed]
        self.bits = [
            (name, cell)
            for name in game.objects
            if name in changes
            for cell in range(len(fixed))
            if self._names.layer[name] not in taken[cell]
        ]
        self.graph = Graph([*(f"{name}@{cell}" for name, cell in self.bits), WON])
        self._lines = Lines(level.width, level.height)
        self._start: list[dict[Plane, int]] = [dict[Plane, int](dict.fromkeys(here, TRUE)) for here in fixed]
        rivals: dict[tuple[int, int], list[int]] = {}
        for number, (name, cell) in enumerate(self.bits, start=1):
            self._start[cell][name] = 2 * number
            rivals.setdefault((cell, self._names.layer[name]), []).append(2 * number)
        self.exclusive = [[literal // 2 - 1 for literal in group] for group in rivals.values()]
        self.prover = Prover(self.graph, rivals.values())
        self._made: dict[tuple[str, bool], Turn] = {}

    def turn(self, movement: str, *, begins: bool = False) -> Turn:
        """The turn with this movement of the players, "" for none. It may be the one at the start of the level.

        Raises Unsuitable.
        """
        if (movement, begins) not in self._made:
            self._made[movement, begins] = self._turn(movement, begins)
        return self._made[movement, begins]

    def _turn(self, movement: str, begins: bool) -> Turn:
        graph, game, queue = self.graph, self.level.game, Queue()
        before = Board(graph, self._lines, self._start)
        board = before.copy()
        players = [self._has(here, game.players, game.players_all) for here in before.cells]
        passes = []
        if movement:
            self._set_in_motion(board, players, movement)
        for group in self._early:
            passes.append(apply_group(board, group, queue, self.prover))
        passes.append(move(board, game.layers, self.prover))
        for group in self._late:
            passes.append(apply_group(board, group, queue, self.prover))
        dropped = FALSE
        if game.require_player_movement and movement:
            dropped = self._require_movement(before, board, players, queue)
        cancelled, message = queue.queued["cancel"], queue.queued["message"]
        restarted = FALSE if begins else graph.both(queue.queued["restart"], cancelled ^ 1)
        # When a message is closed, the commands of the round are gone, and the win conditions are asked for.
        command = FALSE if begins else graph.both(queue.queued["win"], message ^ 1)
        asked = FALSE if begins else dropped ^ 1
        wins = graph.disj([command, graph.both(asked, self._all_hold(board))])
        wins_cancelled = FALSE if begins else graph.both(cancelled, message)
        if wins_cancelled != FALSE:
            wins_cancelled = graph.both(wins_cancelled, self._all_hold(before))
            self._undo(before, board, wins_cancelled)
        wins_again = restarted if restarted != FALSE and restart_wins(self.level) else FALSE
        return Turn(
            after=tuple(board.cells[cell].get(name, FALSE) for name, cell in self.bits),
            cancelled=cancelled,
            restarted=restarted,
            won=graph.disj([graph.conj([wins, cancelled ^ 1, restarted ^ 1]), wins_cancelled, wins_again]),
            checkpoint=queue.queued["checkpoint"],
            passes=tuple(passes),
        )

    def holds_at_start(self) -> bool:
        """Do the win conditions hold after the first round of the level, where a restart asks for the win?"""
        board = Board(self.graph, self._lines, self._start).copy()
        if self.level.game.run_rules_on_level_start and not self.level.begun:
            made = self.turn("", begins=True)
            for (name, cell), new in zip(self.bits, made.after, strict=True):
                here = board.cells[cell]
                here[name] = self.graph.choice(made.cancelled, here[name], new)
        held = {f"{name}@{cell}" for name, cell in self.bits if name in self.level.cells[cell]}
        return self.graph.holds(self._all_hold(board), held.__contains__)

    def _set_in_motion(self, board: Board, players: Sequence[int], movement: str) -> None:
        """Give the players of each cell the movement, in the layers of all of them that are there."""
        graph, players_all = board.graph, self.level.game.players_all
        for here, has_player in zip(board.cells, players, strict=True):
            for name in sorted(self.level.game.players):
                moves = has_player if players_all else here.get(name, FALSE)
                if moves != FALSE:
                    plane = self._names.layer[name], movement
                    here[plane] = graph.disj([here.get(plane, FALSE), moves])

    def _require_movement(self, before: Board, board: Board, players: Sequence[int], queue: Queue) -> int:
        """Where there are players and none has left its cell, drop the round: undo it, and empty the queue.

        Returns the literal: it is dropped.
        """
        graph = board.graph
        after = [self._has(here, self.level.game.players, False) for here in board.cells]
        left = [graph.both(one, other ^ 1) for one, other in zip(players, after, strict=True)]
        undone = graph.both(graph.disj(players), graph.disj(left) ^ 1)
        self._undo(before, board, undone)
        for name, literal in queue.queued.items():
            queue.queued[name] = graph.both(literal, undone ^ 1)
        return undone

    def _undo(self, before: Board, board: Board, when: int) -> None:
        """Undo the changes of objects where the literal holds."""
        for name, cell in self.bits:
            old, new = before.cells[cell].get(name, FALSE), board.cells[cell].get(name, FALSE)
            board.cells[cell][name] = self.graph.choice(when, old, new)

    def _all_hold(self, board: Board) -> int:
        """The literal: all win conditions hold. A game without any is won by the command `win` only."""
        wins = self.level.game.wins
        return self.graph.conj([self._holds(win, board) for win in wins]) if wins else FALSE

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


def _check(game: Game, rules: Iterable[Rule]) -> None:
    """Raise Unsuitable for what a circuit of a fixed size does not describe."""
    if game.loops or game.late_loops:
        raise Unsuitable("its rules have a loop (startloop), which has no circuit")
    for rule in rules:
        if "again" in rule.commands:
            raise Unsuitable(f"the rule in line {rule.line} has the command again, which has no circuit")
        if rule.draws:
            raise Unsuitable(f"the rule in line {rule.line} draws by chance, which has no circuit")
        if rule.rigid:
            raise Unsuitable(f"the rule in line {rule.line} is rigid, which has no circuit")


@lru_cache(maxsize=8)
def restart_wins(level: Level) -> bool:
    """Does a restart of the level win? Raises Unsuitable."""
    return turns_of(level.origin or level).holds_at_start()


@lru_cache(maxsize=8)
def turns_of(level: Level) -> Turns:
    """The turns of a level. Raises Unsuitable."""
    return Turns(level)
