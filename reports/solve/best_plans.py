"""The best plans of a level, beside its solution. Each move of a plan is one step of the model.

They come from a search of their own (`mc/engines/best_plans.py`), and the plain rules replay each. The least cost
is known from the search before: the first plan must have it.
"""

from collections.abc import Iterator
from itertools import islice

from puzzlemc.mc.engines.best_plans import best_runs
from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable, words_of
from puzzlemc.reports.solve.options import LEAST
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import BestPlans, ListedPlan


def list_plans(question: Question, least: int) -> tuple[BestPlans | None, str]:
    """The plans that the options ask for, of a level whose least cost is known; and a remark if some are missing.

    Raises Refuted if a plan is wrong, or the first one does not have the least cost.
    """
    wanted = question.options.plans
    found: list[ListedPlan] = []
    is_all, note = True, ""
    try:
        for plan in islice(_plans(question), wanted or None):
            if not found and plan.cost != least:
                raise Refuted(f"the cheapest plan costs {plan.cost}, and the search for it said {least}")
            found.append(plan)
        is_all = wanted == LEAST or len(found) < wanted
    except LIMITS as limit:
        if not found:
            return None, f"its best plans are not known: {words_of(limit)}"
        is_all, note = False, f"its best plans are known up to number {len(found)}: {words_of(limit)}"
    except Unsuitable as unsuitable:
        return None, f"its best plans are not listed: {unsuitable}"
    if not found:
        raise Refuted("a solution, and a search that finds no plan")
    return BestPlans(tuple(found), is_all), note


def _plans(question: Question) -> Iterator[ListedPlan]:
    """Yield the plans of a level, replayed. Raises LimitReached, Unsuitable, Refuted."""
    options, rules, encoded, metric = question.options, question.rules, question.encoded, question.metric
    is_least = options.plans == LEAST
    for run in best_runs(encoded.model, metric, question.budget, loops=options.loops, is_least=is_least):
        moves = encoded.moves(run)
        if len(moves) != len(run.actions):
            raise Unsuitable("its moves are not those of its model")
        cost = rules.replay(question.level, moves).costs[metric]
        if cost != run.cost(metric):
            raise Refuted(f"the plan costs {cost} {metric}, not {run.cost(metric)}")
        yield ListedPlan(rules.text.write_moves(moves), cost)
