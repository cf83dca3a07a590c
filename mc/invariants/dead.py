"""Dead states: sums that are found once decide for many states of a model whether its goal can still be reached.

A potential shows that no goal is reachable from any state with a smaller value than the goal's. So a state is
compared with the potentials that are known; only if none of them excludes the goal, linear programming looks for
another one. A sum modulo a prime has one value in all reachable states: it excludes the goal at the start, or
never.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.potentials import potentials_against
from puzzlemc.mc.invariants.search import SEARCHES
from puzzlemc.mc.invariants.sums import Sum, kinds_of
from puzzlemc.mc.invariants.words import in_words
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.facts import without_goal_variable
from puzzlemc.mc.passes.translation import Translation, translation
from puzzlemc.mc.tasks.task import State as Values
from puzzlemc.mc.tasks.task import Task


class DeadStates:
    """Decides for reachable states of a model whether sums show that no goal can be reached from them.

    found  how often linear programming found potentials
    """

    def __init__(self, model: Model) -> None:
        """Translate the model. Raises Unsuitable for one without a finite-domain task."""
        made = translation(model, whole=True)
        self.found = 0
        self._made = made
        self._task, self._goals = without_goal_variable(made)
        self._kinds = kinds_of(self._task, [None if group is None else group.codes for group in made.groups])
        self._question = Question(self._task, self._kinds, self._goals)
        self._known: list[list[Sum]] = [[] for _ in self._goals]  # potentials against each goal
        self._whole: str | None = None  # why all states are dead; empty if no sum shows that

    def reason(self, state: State, budget: Budget) -> str:
        """Why no goal can be reached from a reachable state, in words; empty if no sum shows that.

        Raises LimitReached.
        """
        if whole := self._from_the_start(budget):
            return whole
        values = self._made.values(state)[: len(self._task.variables)]
        known = [self._excluding(number, values) for number in range(len(self._goals))]
        sums: Sequence[Sum] | None = [each for each in known if each is not None]
        if sums is not None and len(sums) < len(known):
            sums = self._found_at(values, budget)
        return "" if sums is None else self._words(self._question.at(values).task, sums)

    @property
    def translation(self) -> Translation:
        """The task, whose variables have the values that other functions take."""
        return self._made

    def learn(self, states: Iterable[Values], budget: Budget) -> None:
        """Look for potentials from these reachable states, as values of the variables. Raises LimitReached."""
        for state in states:
            values = tuple(state[: len(self._task.variables)])
            known = [self._excluding(number, values) for number in range(len(self._goals))]
            if None in known:
                self._found_at(values, budget)

    def known(self, states: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Which of these reachable states, as rows of values of the variables, do known potentials exclude?"""
        dead = np.full(len(states), bool(self._goals))
        for number in range(len(self._goals)):
            dead &= self._excluded(number, states)
        return dead

    def _found_at(self, values: Values, budget: Budget) -> Sequence[Sum] | None:
        """New potentials against all goals from a state, which are known from now on; None if there are none."""
        try:
            asked = potentials_against(self._question.at(values), budget)
        except Unsuitable:
            return None
        if asked is None:
            return None
        self.found += 1
        for some, each in zip(self._known, asked, strict=True):
            some.append(each)
        return asked

    def _from_the_start(self, budget: Budget) -> str:
        """Why the goal cannot be reached from any reachable state."""
        if self._whole is None:
            self._whole = ""
            for _, find in SEARCHES:
                try:
                    sums = find(self._question, budget)
                except Unsuitable:
                    break  # the others look at the same cases
                if sums is not None:
                    self._whole = self._words(self._task, sums)
                    break
        return self._whole

    def _excluding(self, number: int, values: Values) -> Sum | None:
        """A known potential that is larger in all states of a goal than in this one."""
        return next((e for e in self._known[number] if e.value(values) < self._least(number, e)), None)

    def _excluded(self, number: int, states: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Which states have a smaller value than all states of a goal, by a known potential?"""
        found = np.zeros(len(states), np.bool_)
        for each in self._known[number]:
            total = np.zeros(len(states), np.int64)
            for variable, domain in enumerate(self._task.domains):
                weights = [each.weights.get((self._kinds[variable], value), 0) for value in range(domain)]
                if any(weights):
                    total += np.array(weights, np.int64)[states[:, variable]]
            found |= total < self._least(number, each)
        return found

    def _least(self, number: int, potential: Sum) -> int:
        """The least value of a potential in the states of a goal."""
        return sum(
            min(potential.weights.get((self._kinds[variable], value), 0) for value in left)
            for variable, left in self._question.left[number].items()
        )

    def _words(self, task: Task, sums: Sequence[Sum]) -> str:
        return "; ".join(in_words(task, each, goal) for each, goal in zip(sums, self._goals, strict=True))
