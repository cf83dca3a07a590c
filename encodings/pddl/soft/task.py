"""The closing phase in a finite-domain task: one more variable, whose values are the phases.

An operator needs one condition, but goals and preferences are formulas. They come as conjunctions of disjunctions
of conditions; a step is one operator for each term of the disjunctive normal form, and the negation of a formula
has such a form as well. If the terms are few, no two of them hold in one state: one operator is applicable. Where
they are too many, a derived variable says whether the formula holds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from puzzlemc.encodings.pddl.soft.phases import first, phases, step_names
from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Operator, Task, TaskVariable
from puzzlemc.screens.pddl.level import Level

MOST_TERMS = 256

Formula = Sequence[Sequence[Condition]]  # a conjunction of disjunctions


class _Closing:
    """Builds the task with the closing phase."""

    def __init__(self, level: Level, task: Task) -> None:
        self._level, self._task = level, task
        self._variables = list(task.variables)
        self._initial = list(task.initial)
        self._axioms = list(task.axioms)
        self.phase = len(self._variables)
        known = phases(level)
        self._variables.append(TaskVariable("phase", tuple(f"Atom {phase}()" for phase in known)))
        self._initial.append(known.index(first(level)))
        self.operators: list[Operator] = []

    def step(self, name: str, number: int, conditions: Sequence[Condition], cost: int = 0) -> None:
        """Add the operators of a step from a phase to the next one, one for each condition."""
        self.operators += (
            Operator(name, {**condition, self.phase: number}, (Effect(self.phase, number + 1),), cost)
            for condition in self._apart(conditions)
        )

    def require(self, formula: Formula) -> Sequence[Condition]:
        """The conditions one of which holds where the formula does."""
        true = _terms(formula)
        return [{self._derived(formula, "required"): 1}] if true is None else true

    def prefer(self, formula: Formula, name: str) -> tuple[Sequence[Condition], Sequence[Condition]]:
        """The conditions one of which holds where the formula does, and those one of which holds elsewhere."""
        true, false = _terms(formula), self._negated(formula)
        if true is None or false is None:
            held = self._derived(formula, name)
            return [{held: 1}], [{held: 0}]
        return true, false

    def _negated(self, formula: Formula) -> Sequence[Condition] | None:
        """The terms of the negation, where some disjunction has no condition that holds; None if too many."""
        found: list[Condition] = []
        for conditions in formula:
            others: Formula = [
                [
                    {variable: other}
                    for variable, value in condition.items()
                    for other in range(len(self._variables[variable].values))
                    if other != value
                ]
                for condition in conditions
            ]
            terms = _terms(others)
            if terms is None:
                return None
            found += terms
        return found if len(found) <= MOST_TERMS else None

    def _apart(self, conditions: Sequence[Condition]) -> Sequence[Condition]:
        """Equivalent conditions no two of which hold in one state; the given ones if those are too many."""
        found: list[Condition] = []
        for condition in conditions:
            pieces = [condition]
            for other in found:
                pieces = [part for piece in pieces for part in self._without(piece, other)]
                if len(found) + len(pieces) > MOST_TERMS:
                    return conditions
            found += pieces
        return found

    def _without(self, piece: Condition, other: Condition) -> Iterator[Condition]:
        """Yield disjoint conditions one of which holds where `piece` does and `other` does not."""
        if not _agree(piece, other):
            yield piece
            return
        for variable, value in other.items():
            if variable not in piece:
                for different in range(len(self._variables[variable].values)):
                    if different != value:
                        yield {**piece, variable: different}
                piece = {**piece, variable: value}

    def _derived(self, formula: Formula, name: str) -> int:
        """Add a derived variable with value 1 where the formula holds, and 0 elsewhere; return its number."""
        layer = 1 + max((each.layer for each in self._variables if each.layer is not None), default=-1)

        def added(own: str) -> int:
            values = (f"NegatedAtom {own}()", f"Atom {own}()")
            self._variables.append(TaskVariable(own, values, layer))
            self._initial.append(0)
            return len(self._variables) - 1

        parts = []
        for number, conditions in enumerate(formula):
            part = added(f"{name}@{number}")
            self._axioms += (Axiom(condition, part, 1) for condition in conditions)
            parts.append(part)
        whole = added(f"{name}@")
        self._axioms.append(Axiom(dict.fromkeys(parts, 1), whole, 1))
        return whole

    def task(self, actions: Sequence[Operator]) -> Task:
        """The task with these actions while it is open, and with the steps that close it."""
        opened = [replace(each, precondition={**each.precondition, self.phase: 0}) for each in actions]
        return replace(
            self._task,
            variables=tuple(self._variables),
            initial=tuple(self._initial),
            goal={self.phase: len(phases(self._level)) - 1},
            operators=(*opened, *self.operators),
            axioms=tuple(self._axioms),
        )


def closed(
    level: Level, task: Task, actions: Sequence[Operator], required: Formula, preferred: Sequence[Formula]
) -> Task:
    """The task with a closing phase.

    actions    the operators that are actions of the level
    required   what must hold where it is closed
    preferred  the preferences of the level
    """
    made = _Closing(level, task)
    names = step_names(level)
    made.step(names.end, 0, made.require(required))
    for number, (preference, formula) in enumerate(zip(level.preferences, preferred, strict=True), 1):
        true, false = made.prefer(formula, f"preferred-{number}")
        own = " ".join(preference.terms)
        made.step(f"{names.collect} {own}", number, true)
        made.step(f"{names.forgo} {own}", number, false, preference.penalty)
    return made.task(actions)


def _terms(formula: Formula) -> Sequence[Condition] | None:
    """The terms of a conjunction of disjunctions, none of which contradicts itself; None if they are too many."""
    found: list[Condition] = [{}]
    for conditions in formula:
        both = ({**one, **other} for one in found for other in conditions if _agree(one, other))
        found = list({frozenset(each.items()): each for each in both}.values())
        if len(found) > MOST_TERMS:
            return None
    return found


def _agree(one: Condition, other: Condition) -> bool:
    return all(one.get(variable, value) == value for variable, value in other.items())
