"""What the weights of a sum have to satisfy so that no operator changes it, and so that a goal would.

An operator is looked at by cases: the values of the variables that it reads or sets. In a case, a change of some
facts changes the sum by a constant and by a function of each variable that keeps its value. The sum stays the same
in every state just if each of these functions has one value, and if together with the constant they make 0; it is
enough that this holds for states that the exclusions of the task allow.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.sums import Beside, Key, key_of
from puzzlemc.mc.tasks.task import Condition, Fact, Operator, Task

MOST_CASES = 4096  # of an operator
MOST_WORK = 100_000  # pairs of a case and a variable beside it; a case counts as CASE of them
CASE = 4

Row: TypeAlias = dict[int, int]  # column -> coefficient, not 0; modulo a prime from 1
Terms: TypeAlias = Iterable[tuple[int, tuple[Fact, ...]]]  # signs, and facts that hold together


@dataclass
class Columns:
    """The unknown weights: a column for each key that an equation has named.

    prime  coefficients are numbers modulo this one; whole numbers if it is 0
    """

    kinds: Sequence[int]
    prime: int
    number: dict[Key, int] = field(default_factory=dict)

    def row(self, terms: Terms) -> Row:
        """The row with these terms, without coefficients that are 0."""
        found: Row = {}
        for sign, facts in terms:
            column = self.number.setdefault(key_of(self.kinds, *facts), len(self.number))
            found[column] = found.get(column, 0) + sign
        if not self.prime:
            return {column: value for column, value in found.items() if value}
        return {column: value % self.prime for column, value in found.items() if value % self.prime}


@dataclass(frozen=True)
class Case:
    """An operator in states with the facts `known`: it changes the value of each variable in `old` to that in
    `new`."""

    known: Condition
    old: Condition
    new: Condition


class Conditions:
    """The equations of a task, for sums of a degree from 1 to 2, over variables that are not derived."""

    def __init__(self, task: Task, columns: Columns, degree: int) -> None:
        self._task, self._columns, self._degree = task, columns, degree
        self._beside = Beside(task)
        self._variables = [v for v in range(len(task.variables)) if v not in set(task.derived)]
        self._seen = set[object]()
        self._work = 0

    def of_operator(self, operator: Operator) -> Iterator[Row]:
        """The equations that say that the operator never changes the sum; some that were given before are left
        out.

        Raises Unsuitable if the operator has too many cases, or if there are too many equations.
        """
        for case in self.cases(operator):
            self._count(len(self._variables) if self._degree == 2 else 0)
            yield from self._new(self._of_case(case))

    def of_goal(self, left: Mapping[int, list[int]]) -> tuple[list[Row], Mapping[int, int]]:
        """The equations that say that the sum has one value in all states with these values, and one such
        state."""
        chosen = {v: left[v][0] for v in self._variables}
        rows = []
        open_ = [v for v in self._variables if len(left[v]) > 1]
        for v in open_:
            for value in left[v][1:]:
                rows.append(self._columns.row(self._difference({v: chosen[v]}, {v: value}, chosen)))
        if self._degree == 2:
            for number, v in enumerate(open_):
                for u in open_[:number]:
                    for x in left[v][1:]:
                        for y in left[u][1:]:
                            rows.append(self._columns.row(_mixed((v, chosen[v], x), (u, chosen[u], y))))
        return [row for row in rows if row], chosen

    def between(self, old: Condition, new: Condition) -> Row:
        """The sum of one state less that of another, for states that are given by all their values."""
        return self._columns.row(self._difference({v: old[v] for v in self._variables}, new, {}))

    def cases(self, operator: Operator) -> Iterator[Case]:
        """The cases in which the operator changes something. Raises Unsuitable if they are too many."""
        read = {variable for effect in operator.effects for variable in effect.condition}
        free = sorted((read | {effect.variable for effect in operator.effects}) - operator.precondition.keys())
        count = 1
        for variable in free:
            count *= self._task.domains[variable]
        if count > MOST_CASES:
            raise Unsuitable(f"operator {operator.name} has more than {MOST_CASES} cases")
        known = [dict(operator.precondition)]
        for variable in free:
            known = [
                {**facts, variable: value} for facts in known for value in self._beside.values(facts, variable)
            ]
        self._count(CASE * len(known))
        for facts in known:
            new: dict[int, int] = {}
            for effect in operator.effects:
                if all(facts[variable] == value for variable, value in effect.condition.items()):
                    new[effect.variable] = effect.value  # the last one counts
            changed = {variable for variable, value in new.items() if facts[variable] != value}
            if changed:
                old = {variable: facts[variable] for variable in sorted(changed)}
                yield Case(facts, old, {variable: new[variable] for variable in old})

    def _count(self, work: int) -> None:
        """Count work. Raises Unsuitable if there was too much."""
        self._work += work
        if self._work > MOST_WORK:
            raise Unsuitable("its operators have too many cases")

    def _of_case(self, case: Case) -> Iterator[Row]:
        base = self._columns.row(self._difference(case.old, case.new, {}))
        excluded = self._beside.excluded(case.known)
        if self._degree == 2:
            rows = []
            kinds = self._columns.kinds
            change = tuple((kinds[v], case.old[v], case.new[v]) for v in case.old)
            for u in self._variables:
                if u in case.old:
                    continue
                if u in case.known:
                    values = [case.known[u]]
                else:
                    values = [q for q in range(self._task.domains[u]) if (u, q) not in excluded]
                if not values:
                    return  # no state has this case
                self._gather(base, self._beside_change(case, (u, values[0])))
                before = tuple(v < u for v in case.old)
                key = (change, kinds[u], before, tuple(values))
                if len(values) > 1 and key not in self._seen:
                    self._seen.add(key)
                    first = [(-sign, facts) for sign, facts in self._beside_change(case, (u, values[0]))]
                    for value in values[1:]:
                        rows.append(self._columns.row([*first, *self._beside_change(case, (u, value))]))
            yield from rows
        yield base

    def _gather(self, row: Row, terms: Terms) -> None:
        """Add terms to a row."""
        for column, value in self._columns.row(terms).items():
            total = (row.get(column, 0) + value) % self._columns.prime
            if total:
                row[column] = total
            else:
                row.pop(column, None)

    def _beside_change(self, case: Case, fact: Fact) -> list[tuple[int, tuple[Fact, ...]]]:
        """How the change of a case changes the weights of pairs with a fact that stays."""
        terms: list[tuple[int, tuple[Fact, ...]]] = []
        for v, value in case.old.items():
            terms.append((-1, ((v, value), fact)))
            terms.append((1, ((v, case.new[v]), fact)))
        return terms

    def _difference(self, old: Condition, new: Condition, beside: Condition) -> Terms:
        """How a change of some facts changes the sum, where the other variables have the values `beside`."""
        for sign, facts in ((-1, old), (1, new)):
            for v in old:
                yield sign, ((v, facts[v]),)
        if self._degree == 2:
            changed = sorted(old)
            for sign, facts in ((-1, old), (1, new)):
                for number, v in enumerate(changed):
                    for u in changed[:number]:
                        yield sign, ((u, facts[u]), (v, facts[v]))
                    for u, value in beside.items():
                        if u not in old:
                            yield sign, ((v, facts[v]), (u, value))

    def _new(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows that were not given before."""
        for row in rows:
            key = frozenset(row.items())
            if row and key not in self._seen:
                self._seen.add(key)
                yield row


def _mixed(one: tuple[int, int, int], other: tuple[int, int, int]) -> Terms:
    """What is left of the pairs of two variables if the sum does not depend on either alone."""
    (v, x0, x), (u, y0, y) = one, other
    return [
        (1, ((v, x), (u, y))),
        (-1, ((v, x0), (u, y))),
        (-1, ((v, x), (u, y0))),
        (1, ((v, x0), (u, y0))),
    ]
