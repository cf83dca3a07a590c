"""The plan finder of an encoding: a search that knows the puzzle and finds plans without a claim of optimality.

A *plan* is a sequence of actions that leads from the initial state to a goal. Every plan is replayed on the model;
a wrong plan, or none, changes no answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import PlainActions
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict, cheapest

WORK = 1 << 25  # units of work of the first call beside another search: about a tenth of its time
GROWTH = 4  # each further call comes at GROWTH times the states, and gets GROWTH times the work
MEMORY_SHARE = 8  # beside another search, the plan finder gets one MEMORY_SHARE-th of the memory


def find_plan(
    model: Model, metric: str, budget: Budget, *, work: int | None = None, known: Reachable | None = None
) -> Verdict:
    """The cheapest plan that the model's plan finder yields, not claimed to be optimal; else *unknown*.

    The plan finder stops after `work` units of work, which it counts itself; the reason of *unknown* is then
    `bound`. The search may begin with a plan that is `known`, if there is a limit on the work; the verdict is no
    worse. Raises Unsuitable if the model has no plan finder.
    """
    search, improve = model.hints.plan_finder, model.hints.plan_improver
    if search is None:
        raise Unsuitable("it has no plan finder")

    best = known
    try:
        if known is None or improve is None or work is None:
            found_plans = search(metric, budget, work)
        else:
            found_plans = improve(known.trace.actions, metric, budget, work)
        for actions in found_plans:
            found = _replayed(model, actions, metric)
            best = cheapest(best, found)
            if found is not None and found is best:
                budget.record_plan(found.cost, partial(_itself, found))
    except LIMITS as limit:
        return best or Unknown(reason_of(limit), budget.bound)
    return best or Unknown("bound", budget.bound)


def _replayed(model: Model, actions: Sequence[Action], metric: str) -> Reachable | None:
    """The plan with its states; None if an action is not the model's own, or the plan does not reach a goal."""
    # The plan finder may know a model from which others have removed actions.
    own = set(map(id, model.actions.made() if isinstance(model.actions, PlainActions) else model.actions))
    if not all(id(action) in own for action in actions):
        return None
    trace = run_of(model, actions)
    states = trace.states
    if not all(action.enabled(state) for state, action in zip(states, actions, strict=False)):
        return None
    if not holds(model.goal, states[-1]):
        return None
    return Reachable(trace, trace.cost(metric), False, Statistics())


def _itself(plan: Reachable) -> Reachable:
    return plan


class PlanFinder:
    """Calls the model's plan finder from within another search, again and again as that search grows.

    best  the cheapest plan so far, None before there is one; at first the model's known plan
    """

    def __init__(self, model: Model, metric: str, budget: Budget) -> None:
        self._model = model
        self._metric = metric
        self._budget = budget
        # Under `any`, the plan finder is a stage by itself. Of two metrics in order, the first search called it.
        self._is_off = metric == ANY or COMMA in metric or model.hints.plan_finder is None
        self._factor = 1
        known = None if self._is_off else model.hints.known_plan
        self.best: Reachable | None = None if known is None else _replayed(model, known(), metric)

    def add(self, actions: Sequence[Action]) -> None:
        """Take a plan that was found in another way."""
        plan = _replayed(self._model, [*actions], self._metric)  # lazy ones are made first
        self.best = cheapest(self.best, plan)
        if plan is not None and plan is self.best:
            self._budget.record_plan(plan.cost, partial(_itself, plan))

    def search_if_due(self, size: int, first: int, met: Callable[[], Reachable] | None = None) -> None:
        """Call the plan finder if a call is due for a search of `size` states; the first call is due at `first`.

        `met` gives the plan that the search itself has found. It is improved, too: at once if it is the first
        plan. Raises LimitReached.
        """
        is_first = met is not None and self.best is None
        if self._is_off or size < (first if is_first else self._factor * first):
            return
        if met is not None:
            self.best = cheapest(self.best, met())
        work = WORK * self._factor
        self._factor *= GROWTH
        limits, budget = self._budget.limits, self._budget
        part = budget.part(replace(limits, seconds=budget.left, memory=limits.memory // MEMORY_SHARE))
        verdict = find_plan(self._model, self._metric, part, work=work, known=self.best)
        if isinstance(verdict, Reachable) and (self.best is None or verdict.cost < self.best.cost):
            self.best = verdict
            budget.record_plan(verdict.cost, partial(_itself, verdict))
        budget.check()
