"""The outcomes of turns on a level with chance, as the plain rules list them, by compiled code.

Compiled turns say what comes of a turn that draws nothing; for others, compiled sets of states list the outcomes.
The plain rules do so with rigid rules, and where a restart draws too much. Positions are unpacked by the cells
that change: most outcomes differ from the board before the turn in few cells.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np

from puzzlemc.encodings.puzzlescript.domain.chance import CHANCE
from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws, Weight
from puzzlemc.encodings.puzzlescript.domain.outcomes import starts
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import NO_TURN, OF, TURN, positions
from puzzlemc.encodings.puzzlescript.domain.turn import UNSETTLED_START, Round, Unsettled
from puzzlemc.encodings.puzzlescript.draws.outcomes import DROPPED, Outcomes
from puzzlemc.encodings.puzzlescript.draws.ways import probabilities
from puzzlemc.encodings.puzzlescript.patterns.rules import MOVEMENTS
from puzzlemc.encodings.puzzlescript.planes.compilation import COMMANDS
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.encodings.puzzlescript.planes.turns import RESTARTED, SETTLED, STUCK, TICK, VICTORY
from puzzlemc.mc.rules.chance import Turn
from puzzlemc.mc.rules.plain import Step
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view
from puzzlemc.screens.puzzlescript.game import Level

FEW_STATES = 1 << 10  # room in a set, until a turn needs more
MOST_STATES = 1 << 16  # of a set
MOST_BYTES = 1 << 24  # of a set; there are nine
MOST_WORK = 100_000_000  # words of states and of rules that are looked at in a turn: a third of a second


class DrawnTurns:
    """The turns of a level. An object takes one turn at a time."""

    def __init__(self, level: Level) -> None:
        self.level, self._board = level, board(level)
        self._turns = self._board.turns
        cells = len(level.cells)
        self._bits = {name: 1 << cells * number for number, name in enumerate(self._board.objects)}
        self._stride = sum(self._bits.values())
        self._size = cells * len(self._bits)  # the number of the bit *won*
        self._table = StateTable(3, self._turns.words, 1)
        self._rows = np.zeros((3, self._turns.words), np.uint64)
        self._table.rows = view(self._rows)
        self._codes: dict[frozenset[str], int] = {}  # by the objects of a cell, their bits in cell 0
        self._contents: dict[tuple[int, int], frozenset[str]] = {}  # by a cell and such bits, its objects
        self._names: dict[frozenset[str], list[str]] = {}  # the objects of a cell in order
        self._last: tuple[Cells, int] = ((), 0)  # the last cells that were packed
        commands = {command for rule in level.game.rules for command in rule.commands}
        self._may_draw_restarts = "restart" in commands and level.game.run_rules_on_level_start
        self._lists: Outcomes | None = None
        self._has_room = False  # for MOST_STATES
        if not self._turns.has_rigid:
            self._lists = self._outcomes(FEW_STATES) or self._outcomes(MOST_STATES)

    def _outcomes(self, most_states: int) -> Outcomes | None:
        """The compiled outcomes, with room for some states. None if a restart draws more than can be listed."""
        planes = len(self._bits) + len(MOVEMENTS) * len(self._board.compilation.layers)
        state = 8 * (self._turns.board.words * planes + 1)
        made = Outcomes(self._turns, max(64, min(most_states, MOST_BYTES // state)), MOST_WORK)
        made.restart_wins, made.restart_goes_on = self._turns.restart_wins, not self._turns.restart_wins
        if self._may_draw_restarts:
            origin = self.level.origin or self.level
            if origin is not self.level:
                other = drawn_turns(origin)._lists
                if other is None:
                    return None
                made.restart_wins, made.restart_goes_on = other.restart_wins, other.restart_goes_on
                return made
            self._enter(self._packed(origin.cells))
            if not made.take_round(TICK, self._table):
                return None
            ends = {bool(state >> self._size) for state in _states(made, made.results.used)}
            made.restart_wins, made.restart_goes_on = True in ends, False in ends
        return made

    @property
    def first(self) -> Sequence[Position]:
        """The positions in which the level may begin. Raises Unsettled, TooManyDraws."""
        found, _ = self._start
        if not found:
            raise Unsettled(words=UNSETTLED_START)
        return found

    @property
    def hangs(self) -> bool:
        """May the rules at the start of the level never end? Raises TooManyDraws."""
        return self._start[1]

    @cached_property
    def _start(self) -> tuple[tuple[Position, ...], bool]:
        """The positions in which the level may begin, and whether its rules may never end there."""
        level = self.level
        if level.begun or not level.game.run_rules_on_level_start:
            return (Position(level.cells, level.won),), False
        if self._lists is None:
            found = starts(level)
            return positions(found), found.stuck
        lists, boards = self._listed(self._lists, Position(level.cells, won=False), TICK, begins=True)
        return tuple(boards), lists.stuck

    def turn(self, position: Position, name: str) -> Turn:
        """The outcomes of an input. Raises TooManyDraws."""
        movement = MOVEMENTS.index(name) if name in MOVEMENTS else TICK
        if not self._may_draw_restarts:
            before = self._packed(position.cells)
            self._enter(before)
            ending = self._turns.take(movement, False, self._table)
            if ending in (SETTLED, VICTORY):
                state = int.from_bytes(self._rows[1].tobytes(), "little")
                (after,) = self._in_order(position, before, [state])
                return Turn((Step(name, after, NO_TURN if after is position else TURN),))
            if ending in (RESTARTED, STUCK):
                return Turn((), restarts=ending == RESTARTED, stuck=ending == STUCK)
        lists = self._lists
        if lists is None:
            return CHANCE.turn(self.level, position, name)
        lists, boards = self._listed(lists, position, movement, begins=False)
        is_sure = len(boards) == 1 and not lists.restarted and not lists.stuck
        steps = [
            Step(name if is_sure else f"{name}{OF}{number}", after, NO_TURN if after is position else TURN)
            for number, after in enumerate(boards, start=1)
        ]
        return Turn(steps, lists.restarted, lists.stuck)

    def rounds(self, cells: Cells, movement: str) -> dict[Round, Weight] | None:
        """The rounds from a board that may be drawn, with their probabilities; None if the plain rules must say.

        Raises TooManyDraws.
        """
        lists, number = self._lists, MOVEMENTS.index(movement) if movement else TICK
        if lists is None:
            return None
        before = self._packed(cells)
        self._enter(before)
        if not lists.list_rounds(number, self._table):
            lists = self._larger(lists)
            self._enter(before)
            if not lists.list_rounds(number, self._table):
                raise TooManyDraws(lists.line)
        ways = np.asarray(lists.ways)[: lists.way_count].tolist()
        found = None if lists.is_open else probabilities(ways, lists.mark_count)
        if found is None:
            return None
        count = lists.rounds.used
        marks = np.asarray(lists.rounds.marks)[:count].tolist()
        queues = np.asarray(lists.rounds.rows)[:count, -1].tolist()
        weights: dict[Round, Weight] = {}
        for mark, queue, state in zip(marks, queues, _states(lists, count), strict=True):
            if queue & DROPPED:
                played = Round(cells, frozenset(), dropped=True)
            else:
                names = frozenset(name for name, code in COMMANDS.items() if queue & code)
                played = Round(self._cells(cells, before, state), names)
            weights[played] = weights.get(played, 0) + found[mark]
        return weights

    def _listed(
        self, lists: Outcomes, position: Position, movement: int, *, begins: bool
    ) -> tuple[Outcomes, list[Position]]:
        """The outcomes of a turn, and the positions in the order of their numbers. Raises TooManyDraws."""
        before = self._packed(position.cells)
        self._enter(before)
        if not lists.take(movement, begins, self._table):
            lists = self._larger(lists)
            self._enter(before)
            if not lists.take(movement, begins, self._table):
                raise TooManyDraws(lists.line)
        return lists, self._in_order(position, before, _states(lists, lists.results.used))

    def _larger(self, lists: Outcomes) -> Outcomes:
        """Room for more states, after it was exceeded. Raises TooManyDraws if there is no more."""
        larger = None if self._has_room else self._outcomes(MOST_STATES)
        if larger is None:
            raise TooManyDraws(lists.line)
        self._lists, self._has_room = larger, True
        return larger

    def _cells(self, cells: Cells, before: int, state: int) -> Cells:
        """The cells of a state, from those of the state before."""
        if state == before:
            return cells
        changed = list(cells)
        for cell in self._different(before ^ state):
            changed[cell] = self._content(cell, state)
        return tuple(changed)

    def _in_order(self, position: Position, before: int, states: Sequence[int]) -> list[Position]:
        """The positions of packed states in the order of the plain rules; `before` is the state of the position.

        They are ordered by the names in each cell, won ones last.
        """
        names = [self._sorted(here) for here in position.cells] if len(states) > 1 else []
        found = list[tuple[bool, list[list[str]], Position]]()
        for state in states:
            if state == before:
                found.append((False, names, position))
                continue
            cells, key, won = list(position.cells), names.copy(), state >> self._size != 0
            for cell in self._different(before ^ state):
                cells[cell] = here = self._content(cell, state)
                if key:
                    key[cell] = self._sorted(here)
            found.append((won, key, Position(tuple(cells), won)))
        found.sort(key=_by_names)
        return [each for _, _, each in found]

    def _enter(self, state: int) -> None:
        """Make a packed state the one from which a turn is taken."""
        self._rows[0] = np.frombuffer(state.to_bytes(8 * self._turns.words, "little"), np.uint64)

    def _packed(self, cells: Cells) -> int:
        """The packed state of cells."""
        if cells is not self._last[0]:
            state, codes = 0, self._codes
            for cell, here in enumerate(cells):
                if here not in codes:
                    codes[here] = sum(self._bits.get(name, 0) for name in here)
                state |= codes[here] << cell
            self._last = cells, state
        return self._last[1]

    def _different(self, bits: int) -> Iterable[int]:
        """The cells with these bits of a packed state; the bit *won* is left out."""
        bits &= (1 << self._size) - 1
        count, found = len(self._board.constant), dict[int, None]()
        while bits:
            last = bits.bit_length() - 1
            found[last % count] = None
            bits ^= 1 << last
        return found

    def _content(self, cell: int, state: int) -> frozenset[str]:
        """The objects of a cell in a packed state."""
        code = state >> cell & self._stride
        here = self._contents.get((cell, code))
        if here is None:
            names = (name for name, bit in self._bits.items() if code & bit)
            self._contents[cell, code] = here = self._board.constant[cell].union(names)
        return here

    def _sorted(self, here: frozenset[str]) -> list[str]:
        """The objects of a cell in order: one list for equal sets."""
        if here not in self._names:
            self._names[here] = sorted(here)
        return self._names[here]


def _states(lists: Outcomes, count: int) -> list[int]:
    """The first packed states of the results."""
    rows = np.asarray(lists.results.rows)[:count]
    data, size = rows.tobytes(), 8 * rows.shape[1]
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def _by_names(each: tuple[bool, list[list[str]], Position]) -> tuple[bool, list[list[str]]]:
    return each[:2]


@lru_cache(maxsize=4)
def drawn_turns(level: Level) -> DrawnTurns:
    """The turns of a level."""
    return DrawnTurns(level)
