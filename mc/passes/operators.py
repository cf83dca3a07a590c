"""From transitions over groups of bits to the operators of a finite-domain task.

A literal of a group with several codes left, as *this object is not here*, has no fact among the values of its
variable; its bit gets a variable of its own besides.
"""

from collections.abc import Sequence

from puzzlemc.mc.model.formula import Bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.exclusions import together
from puzzlemc.mc.passes.groups import Group, Grouping
from puzzlemc.mc.passes.normal_form import Term, Terms, TooLarge
from puzzlemc.mc.passes.transitions import Transition
from puzzlemc.mc.tasks.task import Condition, Effect, Fact, Operator, Task, TaskVariable

MOST_EFFECTS = 4096  # of an operator
NONE = "<none of those>"  # the value for which no bit stands, as planners call it


class Compiler:
    """Writes operators over groups. Runs show which bits need a variable of their own, until none is missing."""

    def __init__(self, model: Model, bits: tuple[Bit, ...], grouping: Grouping, found: list[Group]) -> None:
        """`bits` are those that change, `found` the groups of the variables."""
        self._model, self._bits, self._grouping, self._groups = model, bits, grouping, list(found)
        self._main = {b: number for number, group in enumerate(found) for b in group.bits}
        self._single = {group.bits[0]: number for number, group in enumerate(found) if len(group.bits) == 1}
        self._missing: set[int] = set()

    def compile(
        self, goals: Terms, initial: Term, apart: Sequence[tuple[int, ...]]
    ) -> tuple[Task, tuple[int, ...], tuple[Group, ...], list[Condition]]:
        """The task without a goal, the action of each operator, the group of each variable, and the conditions of
        which the goal needs one."""
        made = self._operators(goals)
        while new := sorted(self._missing - self._single.keys()):  # effects on new variables may read other bits
            for b in new:
                self._single[b] = len(self._groups)
                self._groups.append(Group((b,), (0, 1)))
            made = self._operators(goals)
        operators, origins, conditions = made
        codes = [sum((2 * b + 1 in initial) << k for k, b in enumerate(group.bits)) for group in self._groups]
        values = tuple(group.value[code] for group, code in zip(self._groups, codes, strict=True))
        variables = tuple(variable_of(group, self._bits) for group in self._groups)
        task = Task(variables, values, {}, tuple(operators), (), self._mutexes(apart))
        return task, tuple(origins), tuple(self._groups), conditions

    def _operators(self, goals: Terms) -> tuple[list[Operator], list[int], list[Condition]]:
        """The operators, the actions that they stand for, and the conditions of which the goal needs one."""
        operators: list[Operator] = []
        origins: list[int] = []
        for transition in self._grouping.transitions:
            operator = self._operator(transition)
            if operator is not None:
                operators.append(operator)
                origins.append(transition.action)
        conditions: list[Condition] = [
            condition for wanted in goals if (condition := self._condition(wanted)) is not None
        ]
        return operators, origins, conditions

    def _operator(self, transition: Transition) -> Operator | None:
        """The operator of a transition, None if it never fires or changes nothing."""
        precondition = self._condition(transition.guard)
        if precondition is None:
            return None
        numbers = {self._main.get(b) for b in transition.changed} | {
            self._single.get(b) for b in transition.changed
        }
        effects: list[Effect] = []
        for number in sorted(n for n in numbers if n is not None):
            effects += self._effects(transition, number, precondition)
        if len(effects) > MOST_EFFECTS:
            raise TooLarge
        name = self._model.actions[transition.action].name
        return Operator(name, precondition, tuple(effects)) if effects else None

    def _effects(self, transition: Transition, number: int, precondition: Condition) -> list[Effect]:
        """The effects of a transition on the variable of a group."""
        group = self._groups[number]
        old = self._grouping.before(group, transition)
        new = {code: self._grouping.after(group, transition, code) for code in old}
        results = {code for pairs in new.values() for code, _ in pairs}
        free = not any(term for pairs in new.values() for _, terms in pairs for term in terms)
        if len(results) == 1 and free:
            (code,) = results
            return [] if old == [code] else [Effect(number, group.value[code])]
        effects = []
        for code, pairs in new.items():
            for made, terms in pairs:
                if made == code or made not in group.value:  # an impossible code: bits of it exclude each other
                    continue
                for each in terms:
                    condition = self._condition(each | transition.guard)
                    if condition is None:
                        continue
                    condition = {**condition, number: group.value[code]}
                    left = {v: value for v, value in condition.items() if precondition.get(v) != value}
                    effects.append(Effect(number, group.value[made], left))
        return effects

    def _condition(self, wanted: Term) -> dict[int, int] | None:
        """The condition that is equivalent to the literals in each reachable state; None if it never holds."""
        if not together(wanted, self._grouping.rows):
            return None
        mask = self._grouping.beside(wanted)
        condition: dict[int, int] = {}
        for number in sorted({self._main[p >> 1] for p in wanted if p >> 1 in self._main}):
            group = self._groups[number]
            codes = group.consistent(mask)
            if not codes:
                return None
            if len(codes) == 1:
                condition[number] = group.value[codes[0]]
            elif len(codes) < len(group.codes):
                for p in sorted(wanted):
                    if p >> 1 in group.place:
                        if p >> 1 in self._single:
                            condition[self._single[p >> 1]] = p & 1
                        else:
                            self._missing.add(p >> 1)
        return condition

    def _mutexes(self, apart: Sequence[tuple[int, ...]]) -> tuple[tuple[Fact, ...], ...]:
        """The cliques of several variables as facts; and the values of a variable with the bits of it that have
        variables of their own."""
        found = []
        for bits in apart:
            facts = [self._fact(b) for b in bits if b in self._main]
            known = tuple(fact for fact in facts if fact is not None)
            if len({variable for variable, _ in known}) > 1:
                found.append(known)
        for b, number in self._single.items():
            main = self._main[b]
            if main != number:
                group = self._groups[main]
                on = [value for code, value in group.value.items() if code >> group.place[b] & 1]
                off = [value for code, value in group.value.items() if not code >> group.place[b] & 1]
                found.append(((number, 0), *((main, value) for value in on)))
                found.append(((number, 1), *((main, value) for value in off)))
        return tuple(found)

    def _fact(self, b: int) -> Fact | None:
        """The fact that says that a bit holds, None if there is no single one."""
        number = self._main[b]
        group = self._groups[number]
        values = [value for code, value in group.value.items() if code >> group.place[b] & 1]
        return (number, values[0]) if len(values) == 1 else None


def variable_of(group: Group, bits: Sequence[Bit]) -> TaskVariable:
    """The variable of a group, whose values are called like the bits that hold."""
    names = [str(bits[b]) for b in group.bits]
    if len(names) == 1:
        return TaskVariable(names[0], tuple(names[0] if code else f"not {names[0]}" for code in group.codes))
    values = (" ".join(n for k, n in enumerate(names) if code >> k & 1) for code in group.codes)
    return TaskVariable(f"{names[0]} or {names[-1]}", tuple(value or NONE for value in values))
