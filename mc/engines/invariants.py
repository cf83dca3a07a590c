"""Invariants: no action changes a sum of weights of facts, and each goal state has another sum than the first
state; or pairs of facts exclude each other such that each goal is excluded, or that the start is in a trap.

That decides at once what no search does, since nothing is enumerated. A model without such an invariant stays
undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.mc.invariants.basis import basis
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.evidence import proof_by_pairs, proof_of
from puzzlemc.mc.invariants.fact_pairs import FactPairs
from puzzlemc.mc.invariants.quadratic import quadratic
from puzzlemc.mc.invariants.refutation import Refutation
from puzzlemc.mc.invariants.sums import Sum, kinds_of
from puzzlemc.mc.invariants.words import in_words
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.facts import without_goal_variable
from puzzlemc.mc.passes.translation import Translation, translation
from puzzlemc.mc.tasks.task import Condition, Task
from puzzlemc.mc.tasks.task import State as Values
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict

NO_PAIRS = "no state on a way from the start to the goal is left without pairs of facts that exclude each other"


def invariants(model: Model, metric: str, budget: Budget, *, effort: int | None = None) -> Verdict:
    """Unreachable, if sums or pairs of facts show that; else unknown.

    effort  1: look for sums of facts, and for pairs of facts that exclude each other, as far as that takes little
            work; 2: for potentials, and for sums of pairs of facts; None: for all of them

    Raises Unsuitable for a model without a finite-domain task.
    """
    try:
        made = translation(model, whole=True)
        refutation = refutation_of(made)
        turns = refutation.turns(budget, effort)
        for _ in islice(turns, 1 if effort == 1 else None):
            budget.check()
        if refutation.is_shown:
            return shown_by(made, refutation)
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound)
    return Unknown("bound", budget.bound, note="no sum of facts distinguishes the goal from the initial state")


def refutation_of(made: Translation) -> Refutation:
    """What may show that the goal of a model cannot be reached. `made` is a whole translation."""
    task, goals = without_goal_variable(made)
    values = [None if group is None else group.codes for group in made.groups]
    return Refutation(task, goals, values, has_pairs=made.exclusions is not None)


def shown_by(made: Translation, refutation: Refutation) -> Unreachable:
    """The verdict on a model, with its evidence, out of a refutation that has shown it."""
    task, goals = without_goal_variable(made)
    if refutation.pairs is not None:
        invariant = PairInvariant(made, refutation.pairs)
        return Unreachable(invariant, proof=proof_by_pairs(made, refutation.pairs), note=NO_PAIRS)
    assert refutation.sums is not None
    sums = refutation.sums
    note = "; ".join(in_words(task, each, goal) for each, goal in zip(sums, goals, strict=True))
    return Unreachable(Invariant(made, sums), proof=proof_of(made, refutation.kinds, goals, sums), note=note)


@dataclass(frozen=True)
class Unchanging:
    """A basis of the sums of facts that no action of a model changes; `goals` are the conditions of its goal.

    pairs  sums of pairs of facts modulo 2 that do not follow from these
    """

    task: Task
    goals: Sequence[Condition]
    sums: Sequence[Sum]
    pairs: Sequence[Sum]


def unchanging(model: Model, budget: Budget) -> Unchanging:
    """What never changes in a model, whether or not it can be solved.

    Raises Unsuitable for a model without a finite-domain task, and for a too large one; LimitReached.
    """
    made = translation(model, whole=True)
    task, goals = without_goal_variable(made)
    groups = [() if group is None else group.bits for group in made.groups]
    larger = {b for bits in groups if len(bits) > 1 for b in bits}
    copies = [variable for variable, bits in enumerate(groups) if len(bits) == 1 and bits[0] in larger]
    none = {
        variable: group.codes.index(0)
        for variable, group in enumerate(made.groups)
        if group is not None and 0 in group.codes
    }
    sums = basis(task, budget, copies=copies, none=none)
    kinds = kinds_of(task, [None if group is None else group.codes for group in made.groups])
    return Unchanging(task, goals, sums, quadratic(Question(task, kinds, goals), sums, budget))


@dataclass(frozen=True)
class Invariant:
    """The states that the exclusions of a task allow, and that have the sums of the initial state, or no larger
    potentials."""

    made: Translation
    sums: Sequence[Sum]

    def __call__(self, state: State) -> bool:
        """Does the invariant hold in a state?"""
        if not self.made.is_possible(state):
            return False
        try:
            values = self.made.values(state)
        except ModelError:
            return False
        return all(self._is_kept(each, values) for each in self.sums)

    def _is_kept(self, each: Sum, values: Values) -> bool:
        """Has the sum its first value, or the potential no larger one? Sums know no variable of the goal."""
        now, first = (each.value(state[: len(each.kinds)]) for state in (values, self.made.task.initial))
        return now == first if each.prime else now <= first

    @property
    def read(self) -> frozenset[str]:
        """The facts of variables that count for a sum, by their names."""
        task = self.made.task
        return frozenset(
            name
            for each in self.sums
            for variable, kind in enumerate(each.kinds)
            if kind in {part for key in each.weights for part in key[::2]}
            for name in task.variables[variable].values
        )

    @property
    def counted(self) -> tuple[str, ...]:
        """The facts at the start that count for a sum, by their names."""
        task = self.made.task
        found = {
            (variable, task.initial[variable]): task.variables[variable].values[task.initial[variable]]
            for each in self.sums
            for variable, kind in enumerate(each.kinds)
            if any((kind, task.initial[variable]) in (key[:2], key[2:]) for key in each.weights)
        }
        return tuple(found[fact] for fact in sorted(found))


@dataclass(frozen=True)
class PairInvariant:
    """The states of a task that pairs of facts keep from the goal."""

    made: Translation
    pairs: FactPairs

    def __call__(self, state: State) -> bool:
        """Does the invariant hold in a state?"""
        if not self.made.is_possible(state):
            return False
        try:
            return self.pairs.holds(self.made.values(state)[: self.pairs.variables])
        except ModelError:
            return False
