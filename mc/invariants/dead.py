"""Dead states: sums that are found once decide for many states of a model whether its goal can still be reached.

A potential shows that no goal is reachable from any state with a smaller value than the goal's. So a state is
compared with the potentials that are known; only if none of them excludes the goal, linear programming looks for
another one. A sum modulo a prime has one value in all reachable states: it excludes the goal at the start, or
never.
"""

from collections.abc import Sequence

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.potentials import potentials_against
from puzzlemc.mc.invariants.search import SEARCHES
from puzzlemc.mc.invariants.sums import Sum, kinds_of
from puzzlemc.mc.invariants.words import in_words
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.tasks.facts import without_goal_variable
from puzzlemc.mc.tasks.task import State as Values
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.tasks.translation import translation


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
        question = self._question.at(values)
        known = [self._excluding(number, values) for number in range(len(self._goals))]
        sums = [each for each in known if each is not None]
        if len(sums) < len(known):
            try:
                asked = potentials_against(question, budget)
            except Unsuitable:
                return ""
            if asked is None:
                return ""
            self.found += 1
            sums = list(asked)
            for some, each in zip(self._known, sums, strict=True):
                some.append(each)
        return self._words(question.task, sums)

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
        for each in self._known[number]:
            least = sum(
                min(each.weights.get((self._kinds[variable], value), 0) for value in left)
                for variable, left in self._question.left[number].items()
            )
            if each.value(values) < least:
                return each
        return None

    def _words(self, task: Task, sums: Sequence[Sum]) -> str:
        return "; ".join(in_words(task, each, goal) for each, goal in zip(sums, self._goals, strict=True))
