"""What the weights of a sum have to satisfy so that no operator changes it, and so that a goal would.

An operator is looked at by cases: the values of the variables that it reads or sets. In a case, a change of some
facts changes the sum by a constant and by a function of each variable that keeps its value. The sum stays the same
in every state just if each of these functions has one value, and if together with the constant they make 0; it is
enough that this holds for states that the exclusions of the task allow.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Case, Question
from puzzlemc.mc.invariants.sums import Key, key_of
from puzzlemc.mc.tasks.task import Condition, Fact, Operator

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


class Conditions:
    """The equations of a task, for sums of a degree from 1 to 2, over variables that are not derived."""

    def __init__(self, question: Question, columns: Columns, degree: int) -> None:
        task = question.task
        self._question, self._columns, self._degree = question, columns, degree
        derived = set(task.derived)
        self._variables = [v for v in range(len(task.variables)) if v not in derived]
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

    def cases(self, operator: Operator) -> list[Case]:
        """The cases in which the operator changes something. Raises Unsuitable if they are too many."""
        count, cases = self._question.cases(operator)
        self._count(CASE * count)
        return cases

    def _count(self, work: int) -> None:
        """Count work. Raises Unsuitable if there was too much."""
        self._work += work
        if self._work > MOST_WORK:
            raise Unsuitable("its operators have too many cases")

    def _of_case(self, case: Case) -> Iterator[Row]:
        base = self._columns.row(self._difference(case.old, case.new, {}))
        if self._degree == 2:
            rows = []
            kinds, beside = self._columns.kinds, self._question.beside
            excluded = beside.excluded(case.known)
            changed = list(case.old)
            change = tuple((kinds[v], case.old[v], case.new[v]) for v in case.old)
            # Variables of a kind, with the same values left, and among the changed ones in the same place: the
            # weights of their pairs change by the same.
            alike: dict[object, list[int]] = {}
            for u in self._variables:
                if u not in case.old:
                    key = kinds[u], bisect(changed, u), case.known.get(u), excluded.get(u, 0)
                    alike.setdefault(key, []).append(u)
            for form, some in alike.items():
                values = beside.left(case.known, excluded, some[0])
                if not values:
                    return  # no state has this case
                first = self._columns.row(self._beside_change(case, (some[0], values[0])))
                self._gather(base, first, len(some))
                if len(values) > 1 and (change, form) not in self._seen:
                    self._seen.add((change, form))
                    for value in values[1:]:
                        row = self._columns.row(self._beside_change(case, (some[0], value)))
                        self._gather(row, first, -1)
                        rows.append(row)
            yield from rows
        yield base

    def _gather(self, row: Row, other: Row, times: int) -> None:
        """Add a multiple of another row to a row."""
        for column, value in other.items():
            total = (row.get(column, 0) + times * value) % self._columns.prime
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
