"""A PuzzleScript level as a step system: `planes`, with the functions that translate its states back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle.encoded import Encoded, Place, placed
from puzzlemc.encodings.puzzlescript.domain.names import ON, SOLVED, WON, formula_names
from puzzlemc.encodings.puzzlescript.domain.position import METRICS, Cells, Position, moves
from puzzlemc.encodings.puzzlescript.domain.turn import (
    GOES_ON,
    UNSETTLED,
    UNSETTLED_START,
    Ending,
    Outcome,
    Unsettled,
    goes_back,
)
from puzzlemc.encodings.puzzlescript.patterns.arrays import as_words, ints
from puzzlemc.encodings.puzzlescript.patterns.rules import MOVEMENTS
from puzzlemc.encodings.puzzlescript.planes.bounds import Bound, bounds
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation, Relevant
from puzzlemc.encodings.puzzlescript.planes.escapes import CellDemand, Ways, frozen_bits
from puzzlemc.encodings.puzzlescript.planes.guide import BoardGuide
from puzzlemc.encodings.puzzlescript.planes.turns import DRAWN, RESTARTED, STUCK, TICK, UNFINISHED, VICTORY, Turns
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.formula import Bit, Formula, State
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.bounds import CountBound, CountBounds
from puzzlemc.mc.steps.system import Formulas, StepAction, StepSystem
from puzzlemc.mc.words import view
from puzzlemc.screens.puzzlescript.game import Level


class Board:
    """A level with its compiled turns, and the translation of positions.

    objects   the objects that can change, in the order of their planes
    constant  by cell, the objects that never change
    turns     the compiled turns
    """

    def __init__(
        self, level: Level, relevant: Relevant | None = None, moved: frozenset[str] = frozenset()
    ) -> None:
        """Compile the level, or only the part of it that matters for winning.

        Objects that are `moved` may have other places in the states.
        """
        self.level = level
        self.compilation = Compilation(level, relevant, moved)
        self.objects = self.compilation.contents.objects
        self.turns: Turns = self.compilation.turns()
        fixed = self.compilation.contents.constant.items()
        self.constant = tuple(
            frozenset(name for name, cells in fixed if cells >> cell & 1) for cell in range(len(level.cells))
        )
        if any("restart" in self.compilation.rules[number].commands for number in self.compilation.used):
            self.compilation.restart_wins = self.turns.restart_wins = self._restart_wins(relevant is None)

    def _restart_wins(self, is_whole: bool) -> bool:
        """Does a restart win? If it may draw something, True says that it may, and turns do not show it."""
        origin = self.level.origin or self.level
        draws = bool(self.compilation.drawing) or (not is_whole and bool(board(self.level).compilation.drawing))
        if draws and origin.game.run_rules_on_level_start:
            if is_whole or self.compilation.drawing:
                return True
            return (self if origin is self.level else relevant_board(origin)).holds_at_start()
        return (self if origin is self.level and is_whole else board(origin)).holds_at_start()

    def packed(self, cells: Cells) -> int:
        """The packed state of cells, as a number. Other objects are left out."""
        size = len(cells)
        return sum(plane << size * number for number, plane in enumerate(self.compilation.planes(cells)))

    def cells(self, state: int) -> Cells:
        """The cells of a packed state."""
        size = len(self.constant)
        found = [set(fixed) for fixed in self.constant]
        for number, name in enumerate(self.objects):
            plane = state >> size * number & (1 << size) - 1
            while plane:
                cell = (plane & -plane).bit_length() - 1
                found[cell].add(name)
                plane &= plane - 1
        return tuple(map(frozenset, found))

    def holds_at_start(self) -> bool:
        """Do the win conditions hold after the first round of the level, where a restart asks for the win?"""
        table = self._table(self.level.cells)
        if self.level.game.run_rules_on_level_start and not self.level.begun:
            return self.turns.holds_after_first_round(TICK, table)
        return self.turns.holds(table)

    def turn(self, cells: Cells, movement: str, *, begins: bool = False) -> Outcome:
        """The turn from these cells, as the plain rules return it. Raises Unsettled.

        The cells must be reachable by turns from those of the level.
        """
        table = self._table(cells)
        ending = self.turns.take(MOVEMENTS.index(movement) if movement else TICK, begins, table)
        if ending == DRAWN:
            raise Unsuitable("its turns have several outcomes")
        if ending == UNFINISHED:
            raise Unsettled()
        if ending == STUCK:
            return Outcome(Ending.STUCK, cells, None)
        _, after, checkpoint = (
            self.cells(sum(int(w) << 64 * i for i, w in enumerate(row))) for row in np.asarray(table.rows)
        )
        kind = {VICTORY: Ending.WON, RESTARTED: Ending.RESTARTED}.get(ending, Ending.SETTLED)
        return Outcome(kind, after, checkpoint if self.turns.has_checkpoint else None)

    def _table(self, cells: Cells) -> StateTable:
        """A table of three states, of which the first one has these cells."""
        table = StateTable(3, self.turns.words, 1)
        rows = np.zeros((3, self.turns.words), np.uint64)
        rows[0] = as_words(self.packed(cells), self.turns.words)
        table.rows = view(rows)
        return table


@lru_cache(maxsize=8)
def board(level: Level) -> Board:
    """The level with its compiled turns."""
    return Board(level)


@lru_cache(maxsize=8)
def relevant_board(level: Level) -> Board:
    """The part of the level that matters for winning, with its compiled turns."""
    whole = board(level)
    relevant = whole.compilation.relevant()
    return whole if relevant is None else Board(level, relevant)


def planes(level: Level) -> Encoded:
    """The level as a step system with a plane of bits for each object that can change, and the bit *won*.

    Raises Unsettled if the rules at the start of the level do not settle, Unsuitable if they may draw by chance.
    """
    return _encoded(level, board(level))


def relevant_planes(level: Level) -> Encoded:
    """`planes`, restricted to objects that can influence winning; without any object if nothing can win.

    It has the solutions of `planes` with the fewest turns, but for turns that change nothing that matters: these
    are no steps. `decode` gives positions without the objects that do not matter. Raises Unsettled as `planes`.
    """
    return _encoded(level, relevant_board(level))


def pruned(
    level: Level,
    encoded: Encoded,
    known: Callable[[Bound], bool],
    escapes: tuple[Ways, Sequence[CellDemand]],
    formulas: Formulas,
) -> Encoded:
    """The relevant planes with those bounds that are known elsewhere, too, frozen objects, and formulas."""
    here, size = relevant_board(level), len(level.cells)
    assert isinstance(encoded.model, StepSystem)
    found = []
    for bound in filter(known, bounds(here.compilation)):
        fixed = sum(
            bound.cells >> cell & 1 and not bound.objects.isdisjoint(here.constant[cell]) for cell in range(size)
        )
        bits = [
            number * size + cell
            for number, name in enumerate(here.objects)
            if name in bound.objects
            for cell in range(size)
            if bound.cells >> cell & 1
        ]
        found.append(CountBound(bits, bound.least - fixed, bound.most - fixed))
    frozen = frozen_bits(here.compilation, *escapes, here.turns.words)
    model = replace(encoded.model, bounds=CountBounds(found), frozen=frozen, formulas=formulas)
    return replace(encoded, model=model)


def _encoded(level: Level, here: Board) -> Encoded:
    if drawing := here.compilation.drawing:
        line = drawing[0]
        several = f"the rule in line {line} draws by chance, so a turn may have several outcomes"
        raise Unsuitable(f"{several}; check, solve and report take that, without --engine")
    start, is_won = level.cells, level.won
    if level.game.run_rules_on_level_start and not level.begun:
        try:
            # Where draws decide nothing that matters, this is only known of the part that does.
            whole = here if board(level).compilation.drawing else board(level)
            ending, start, _ = whole.turn(start, "", begins=True)
        except Unsettled:
            raise Unsettled(words=UNSETTLED_START) from None
        is_won = ending is Ending.WON
    variables = [boolean(f"{name}@{cell}") for name in here.objects for cell in range(len(level.cells))]
    won = boolean(WON)
    bits = [variable.bits[0] for variable in (*variables, won)]
    place = {
        held: (number % len(level.cells), here.objects[number // len(level.cells)])
        for number, held in enumerate(bits[:-1])
    }
    state = here.packed(start) | is_won << len(bits) - 1
    atoms: dict[str, Formula] = {}
    counts: dict[str, list[Formula]] = {}
    places: dict[str, dict[Place, str]] = {}
    named = formula_names(level.game)
    for name, cells in _places(here).items():
        number, shown = here.objects.index(name), named[name]
        at = {divmod(cell, level.width): bits[number * len(level.cells) + cell] for cell in cells}
        places[shown] = placed(shown, at)
        atoms |= {places[shown][place]: {held: True} for place, held in at.items()}
        counts[shown] = [{held: True} for held in at.values()]
    atoms[WON] = atoms[SOLVED] = {won.bits[0]: True}
    return Encoded(
        model=StepSystem(
            variables=(*variables, won),
            init={held: bool(state >> number & 1) for number, held in enumerate(bits)},
            actions=tuple(StepAction(name, dict.fromkeys(METRICS, 1)) for name in moves(level.game)),
            goal={won.bits[0]: True},
            atoms=atoms,
            counts=_pairs(here, bits) | counts,
            steps=here.turns,
            guide=_guide(here),
            unsettled=f"{UNSETTLED}, or {GOES_ON}" if goes_back(level.game) else UNSETTLED,
        ),
        decode=lambda held: _position(here, place, held),
        moves=lambda trace: _moves(trace),
        places=places,
    )


def _guide(here: Board) -> BoardGuide:
    """What a search for some solution goes by."""
    made = here.compilation
    size, words = len(made.level.cells), made.words
    players = [number for number, name in enumerate(here.objects) if name in made.level.game.players]
    sides = [side or frozenset() for win in made.wins for side in (win.subject, win.on)]
    free = [_free(made, objects) for objects in [*sides, made.level.game.players]]
    arrays: dict[str, npt.NDArray[Any]] = {
        "side_free": np.array([as_words(cells, words) for cells in free], np.uint64),
        "side_fixed": np.array([objects.isdisjoint(here.objects) for objects in sides], np.uint8),
        "player_planes": ints(players),
    }
    walk = (number * size + cell for number in players for cell in range(size))
    return BoardGuide(here.turns.words, walk, here.turns.goal, here.turns.board, arrays)


def _free(made: Compilation, objects: frozenset[str]) -> int:
    """The cells that nothing constant blocks for one of the objects; all cells if there are no objects."""
    blocked = made.whole if objects else 0
    for layer in {made.names.layer[name] for name in objects}:
        fixed = [cells for name, cells in made.contents.constant.items() if made.names.layer[name] == layer]
        blocked &= reduce(or_, fixed, 0)
    return made.whole & ~blocked


def constants(level: Level) -> dict[str, bool]:
    """The atoms that have one truth value: objects that never change, and cells where an object can never be."""
    here = board(level)
    changing = {name: set(cells) for name, cells in _places(here).items()}
    always: dict[str, bool] = {}
    for name, shown in formula_names(level.game).items():
        for cell, fixed in enumerate(here.constant):
            if cell not in changing.get(name, ()):
                always |= dict.fromkeys(placed(shown, [divmod(cell, level.width)]).values(), name in fixed)
    return always


def _places(here: Board) -> dict[str, list[int]]:
    """The cells where each object that changes can be."""
    names = here.compilation.names
    return {
        name: [
            cell for cell, fixed in enumerate(here.constant) if names.objects[names.layer[name]].isdisjoint(fixed)
        ]
        for name in here.objects
    }


def _pairs(here: Board, bits: list[Bit]) -> dict[str, list[Formula]]:
    """The counts `crate_on_target` of win conditions about two objects, one that changes first."""
    found: dict[str, list[Formula]] = {}
    size = len(here.constant)
    for win in here.compilation.wins:
        if win.on is None or len(win.subject) != 1 or len(win.on) != 1:
            continue
        names = [min(win.subject), min(win.on)]
        names.sort(key=lambda name: name not in here.objects)  # in `all Target on Crate`, crates change
        formulas: list[Formula] = []
        for cell, fixed in enumerate(here.constant):
            if all(name in here.objects or name in fixed for name in names):
                formulas.append(
                    {bits[here.objects.index(n) * size + cell]: True for n in names if n in here.objects}
                )
        found[ON.join(formula_names(here.level.game)[name] for name in names)] = formulas
    return found


def _position(here: Board, place: Mapping[Bit, tuple[int, str]], held: State) -> Position:
    """The position of a state. `place` is the cell and the object of each bit; the other bit is of a win."""
    changing: dict[int, list[str]] = {}
    for each in held & place.keys():
        cell, name = place[each]
        changing.setdefault(cell, []).append(name)
    cells = list(here.constant)
    for cell, objects in changing.items():
        cells[cell] = cells[cell].union(objects)
    return Position(tuple(cells), won=sum(map(len, changing.values())) < len(held))


def _moves(trace: Trace) -> list[str]:
    return [action.name for action in trace.actions]
