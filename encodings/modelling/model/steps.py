"""The actions of a system as actions of a model: by cases, or with formulas.

By cases, an action becomes a plain action for each assignment of what its guard and its new values read: the guard
is a cube, the updates are constants. All engines search plain actions, so that is done where it makes few. Else
the action stays one, whose updates are formulas: lights that a press changes one by one, numbers that are added.

A step that the plain rules call an error is no step of the model. The states before such steps are kept: `faults`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from puzzlemc.encodings.modelling.language.expressions import Constant, Expression, Junction, Variable, test_of
from puzzlemc.encodings.modelling.language.system import Action
from puzzlemc.encodings.modelling.model.cases import FAULT, column
from puzzlemc.encodings.modelling.model.formulas import FEW_CASES, Formulas, Known, Row
from puzzlemc.mc.model import action
from puzzlemc.mc.model.formula import Bit, Formula
from puzzlemc.mc.proofs.circuit import FALSE

FREE_CASES = 4  # plain actions that an action may become in any case
MOST_CASES = 4096
MOST_ACTIONS = 50_000  # plain actions of a system; those after them have formulas if they have several cases


@dataclass(frozen=True)
class _Table:
    """A truth value by cases: the variables that have several values, and the rows in which it is true.

    is_safe  it is a truth value in every row, and never raises an exception
    """

    reads: tuple[int, ...]
    rows: Sequence[Row]
    is_safe: bool


@dataclass(frozen=True)
class _Guard:
    """What the guard of an action says.

    known   the values that some variables have where it holds; one value, if they are compared with a constant
    others  the conjuncts that `known` does not say
    tables  these by cases; None for those that have too many
    """

    known: Known
    others: Sequence[Expression]
    tables: Sequence[_Table | None]


class Steps:
    """Makes the actions of a model.

    faults  literals of the graph: the plain rules call a step an error there
    """

    def __init__(self, formulas: Formulas, metrics: Sequence[str]) -> None:
        self._formulas, self._coding, self._circuit = formulas, formulas.coding, formulas.circuit
        self._metrics = metrics
        self._tables: dict[Hashable, _Table | None] = {}
        self._made = 0
        self.faults: list[int] = []

    def of(self, each: Action) -> list[action.Action]:
        """The actions of the model for an action of the system. Raises ModelError for a too large expression."""
        guard = self._guard(each)
        if guard is None:
            return []
        costs = {metric: each.cost(metric) for metric in self._metrics}
        found = self._plain(each, guard, costs)
        found = self._with_formulas(each, guard, costs) if found is None else found
        self._made += len(found)
        return found

    # Guards.

    def _guard(self, each: Action) -> _Guard | None:
        """What the guard of an action says, None if it never holds. Notes where it fails."""
        known, others = dict[int, Sequence[Hashable]](), list[Expression]()
        guard = each.guard
        for part in guard.parts if isinstance(guard, Junction) and guard.is_conjunction else (guard,):
            tested = test_of(part)
            if tested is None:
                others.append(part)
                continue
            variable, value = tested
            held = [own for own in self._coding.variables[variable].values if own == value]
            if not held or known.setdefault(variable, tuple(held)) != tuple(held):
                return None
        if isinstance(guard, Constant):
            others = []
        tables = [self._table(part, known) for part in others]
        if not all(table is not None and table.is_safe for table in tables):
            self.faults.append(self._fails(others, known))
        return self._narrowed(_Guard(known, others, tables))

    def _table(self, part: Expression, known: Known) -> _Table | None:
        key = self._formulas.key(part, known)
        if key not in self._tables:
            self._tables[key] = self._tabulated(part, known)
        return self._tables[key]

    def _tabulated(self, part: Expression, known: Known) -> _Table | None:
        if self._formulas.cases(part.reads, known, FEW_CASES) is None:
            return None
        reads, rows, values = self._formulas.by_cases(part, known)
        is_safe = all(value is True or value is False for value in values)
        return _Table(
            reads, [row for row, value in zip(rows, values, strict=True) if value is not FAULT and value], is_safe
        )

    def _fails(self, others: Sequence[Expression], known: Known) -> int:
        """The literal: a conjunct that is looked at is no truth value, or raises an exception."""
        earlier, fails = [self._formulas.values_of(v, values, {}) for v, values in known.items()], list[int]()
        for number, part in enumerate(others, 1):
            last = number == len(others)

            def is_wrong(value: Any, last: bool = last) -> bool:
                return type(value) is not bool and (last or not value)

            true, wrong = self._formulas.split(self._formulas.values(part, known), is_wrong)
            fails.append(self._circuit.conj([*earlier, wrong]))
            earlier.append(true)
        return self._circuit.disj(fails)

    def _narrowed(self, guard: _Guard) -> _Guard | None:
        """The guard without conjuncts about one variable whose values are a cube; None if it never holds."""
        known, others, tables = dict(guard.known), list[Expression](), list[_Table | None]()
        for part, table in zip(guard.others, guard.tables, strict=True):
            if table is not None and not table.rows:
                return None
            if table is not None and len(table.reads) == 1:
                (variable,) = table.reads
                held = {value for (value,) in table.rows}
                both = tuple(value for value in self._formulas.domain(variable, known) if value in held)
                if not both:
                    return None
                if (
                    self._coding.among(variable, [self._coding.number[variable][value] for value in both])
                    is not None
                ):
                    known[variable] = both
                    continue
            if table is None or table.reads:
                others.append(part)
                tables.append(table)
        return _Guard(known, others, tables)

    def _cube(self, known: Known) -> dict[Bit, bool]:
        """The cube: some variables have one of these values."""
        cube: dict[Bit, bool] = {}
        for variable, values in known.items():
            among = self._coding.among(variable, [self._coding.number[variable][value] for value in values])
            assert among is not None
            cube |= among
        return cube

    # Plain actions.

    def _plain(self, each: Action, guard: _Guard, costs: Mapping[str, int]) -> list[action.Action] | None:
        """The plain actions for an action by cases; None if formulas are smaller."""
        news = [(variable, new) for variable, new in each.updates if not isinstance(new, Constant)]
        most = self._most(guard, news)
        if most is None:
            return None
        reads, rows = self._joined(guard, most)
        if rows is None:
            return None
        more = sorted(
            {n for _, new in news for n in new.reads if len(self._formulas.domain(n, guard.known)) > 1} - {*reads}
        )
        number = self._formulas.cases(more, guard.known, most)
        if number is None or len(rows) * number > most:
            return None
        combinations = list(product(*(self._formulas.domain(n, guard.known) for n in more)))
        reads, rows = (*reads, *more), [(*row, *others) for row in rows for others in combinations]
        return self._actions(each, guard, reads, rows, costs)

    def _most(self, guard: _Guard, news: Sequence[tuple[Variable, Expression]]) -> int | None:
        """The greatest number of plain actions: about the size of the formulas in their place.

        None if an expression has too many cases.
        """
        size = 0
        for table in guard.tables:
            if table is None:
                return None
            size += len(table.rows)
        for _, new in news:
            number = self._formulas.cases(new.reads, guard.known, MOST_CASES)
            if number is None:
                return None
            size += number
        return 1 if self._made >= MOST_ACTIONS else min(max(size, FREE_CASES), MOST_CASES)

    def _joined(self, guard: _Guard, most: int) -> tuple[tuple[int, ...], list[Row] | None]:
        """The variables of the conjuncts, and the rows in which all are true; None for more than `most`."""
        reads: tuple[int, ...] = ()
        rows: list[Row] = [()]
        waiting = [table for table in guard.tables if table is not None]
        while waiting:
            table = min(waiting, key=lambda each: (len({*each.reads} - {*reads}), len(each.rows)))
            waiting.remove(table)
            shared = [n for n in table.reads if n in reads]
            fresh = [n for n in table.reads if n not in reads]
            by_shared: dict[Row, list[Row]] = {}
            allowed = {n: {*self._formulas.domain(n, guard.known)} for n in fresh}
            at = {n: place for place, n in enumerate(table.reads)}
            for row in table.rows:
                if all(row[at[n]] in allowed[n] for n in fresh):
                    key = tuple(row[at[n]] for n in shared)
                    by_shared.setdefault(key, []).append(tuple(row[at[n]] for n in fresh))
            places = [reads.index(n) for n in shared]
            rows = [
                (*row, *new) for row in rows for new in by_shared.get(tuple(row[place] for place in places), ())
            ]
            reads = (*reads, *fresh)
            if len(rows) > most:
                return reads, None
        return reads, rows

    def _actions(
        self,
        each: Action,
        guard: _Guard,
        reads: tuple[int, ...],
        rows: Sequence[Row],
        costs: Mapping[str, int],
    ) -> list[action.Action]:
        """A plain action for each row of values of the variables `reads`. Notes where the plain rules fail."""
        read = {n for _, new in each.updates for n in new.reads} | guard.known.keys()
        single = {n: values[0] for n in read if len(values := self._formulas.domain(n, guard.known)) == 1}
        columns: dict[int, Sequence[Hashable]] = {n: [value] * len(rows) for n, value in single.items()}
        columns |= zip(reads, zip(*rows, strict=True), strict=True) if rows else dict.fromkeys(reads, ())
        news = [(variable.number, column(new, columns, len(rows))) for variable, new in each.updates]
        cube, found = self._cube(guard.known), []
        number = self._coding.number
        for at, row in enumerate(rows):
            before = {n: number[n][value] for n, value in single.items()}
            before |= {n: number[n][value] for n, value in zip(reads, row, strict=True)}
            own = cube.copy()
            for n, value in zip(reads, row, strict=True):
                for b in self._coding.variables[n].bits if n in guard.known else ():
                    own.pop(b, None)
                own |= self._coding.test(n, number[n][value])
            after = self._after(each, news, at)
            if after is None:
                self.faults.append(self._circuit.cube(own))
            elif after is not _DISABLED:
                update: dict[Bit, bool | Formula] = {}
                for n, new in after.items():
                    update |= self._coding.change(n, before.get(n), new)
                found.append(action.Action(each.name, own, update, costs))
        return found

    def _after(self, each: Action, news: Sequence[tuple[int, Sequence[Any]]], at: int) -> dict[int, int] | None:
        """The numbers of the new values in a row; None for an error."""
        after: dict[int, int] = {}
        for variable, values in news:
            if values[at] is FAULT:
                return None
            found = self._coding.find(variable, values[at])
            if found is None:
                return _DISABLED if each.disables else None
            after[variable] = found
        return after

    # Actions with formulas.

    def _with_formulas(self, each: Action, guard: _Guard, costs: Mapping[str, int]) -> list[action.Action]:
        """One action whose guard and updates are formulas; none if it is never enabled."""
        formulas, circuit = self._formulas, self._circuit
        cube = self._cube(guard.known)
        more = [
            formulas.split(formulas.values(part, guard.known), lambda value: not value)[0] for part in guard.others
        ]
        enabled = circuit.conj([circuit.cube(cube), *more])
        single = {n: values[0] for n, values in guard.known.items() if len(values) == 1}
        update: dict[Bit, bool | Formula] = {}
        fails, fits = list[int](), list[int]()
        for variable, new in each.updates:
            number = variable.number
            old = self._coding.number[number][single[number]] if number in single else None
            if isinstance(new, Constant):
                found = self._coding.find(number, new.value)
                assert found is not None
                update |= self._coding.change(number, old, found)
                continue
            places: dict[int, list[int]] = {}
            raises, outside = list[int](), list[int]()
            for value in formulas.values(new, guard.known).values():
                found = None if value.value is FAULT else self._coding.find(number, value.value)
                if value.value is FAULT:
                    raises.append(value.literal)
                elif found is None:
                    outside.append(value.literal)
                else:
                    places.setdefault(found, []).append(value.literal)
            here = circuit.conj([enabled, *fits])
            wrong = [*raises] if each.disables else [*raises, *outside]
            fails.append(circuit.both(here, circuit.disj(wrong)))
            fits.append(circuit.disj([*raises, *outside]) ^ 1)
            update |= self._update(number, {place: circuit.disj(each) for place, each in places.items()})
        self.faults += fails
        left = [literal for literal in (*more, *fits) if literal != 1]
        condition: Formula = formulas.formula(circuit.conj([circuit.cube(cube), *left])) if left else cube
        if circuit.conj([enabled, *fits]) == FALSE:
            return []
        return [action.Action(each.name, condition, update, costs)]

    def _update(self, variable: int, places: Mapping[int, int]) -> dict[Bit, bool | Formula]:
        """The new values of the bits of a variable, by the literals that say where it gets which value."""
        each, update = self._coding.variables[variable], dict[Bit, bool | Formula]()
        for at, b in enumerate(each.bits):
            true = [literal for place, literal in places.items() if each.codes[place][at]]
            false = [literal for place, literal in places.items() if not each.codes[place][at]]
            literal = self._circuit.disj(true) if len(true) <= len(false) else self._circuit.disj(false) ^ 1
            if literal == self._circuit.input(b):
                continue
            update[b] = bool(literal) if literal <= 1 else self._formulas.formula(literal)
        return update


_DISABLED: Any = object()
