"""The portfolio `auto`: engines run one after the other in stages, and the first decision is the answer.

Explicit search in compiled code suits models with few states, decision diagrams suit models with many. If any plan
will do, a short run of the plan finder follows a short greedy search; then greedy best-first search and A*
alternate, each time with an eightfold state limit. The modules of A* take a tenth of a second to load, as long as
some easy models. So if there are only a few models, a search with diagrams of limited size comes first. A model
that brings no hints for these searches is searched by what is found in the model itself, once few states do not
suffice; first it is asked for an invariant that the goal would change. Actions with formulas are tried on few
states in numpy, since diagrams of their relations are large. Stages end by numbers of states, nodes and
work, never by time or the number of cores, and nothing depends on earlier calls: the same question has the same
answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from puzzlemc.mc.engines.lexicographic import in_two_searches, lexicographic
from puzzlemc.mc.engines.registry import ENGINES, INVARIANTS, PLAN_FINDER, PLANNER, TOGGLES, Option
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY, LazyActions, step_costs
from puzzlemc.mc.model.formula import literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.layered import proof_by_counting
from puzzlemc.mc.proofs.proof import Form, Proof
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict, cheapest, resolved

SUCCESSORS = 1 << 24  # of the few states that are searched before what is found in a model without hints
MOST_FIRST = 1 << 12  # actions of a model without hints that has a search with diagrams of limited size first
SMALL = 1 << 14  # nodes of diagrams; they take at most about a sixth of a second


@dataclass(frozen=True)
class Stage:
    """One engine with its options. If it ends with *unknown* for another reason than time, the next stage runs.

    nodes   the largest number of nodes of its diagrams
    share   the engine gets one share-th of the memory
    """

    engine: str
    options: Mapping[str, Option] = field(default_factory=dict)
    nodes: int | None = None
    share: int = 2


# Plan-finder budgets in units of work, by the state limit of the stage before; None is no limit.
_PLANS = {1 << 13: 1 << 22, 1 << 14: 1 << 26, 1 << 17: None}
# Each state of a model with more than CROWD objects takes long, and a few states decide next to none.
CROWD = 32
_PLANS_OF_CROWDS: dict[int, int | None] = {1 << 13: None}


def _turns(plans: Mapping[int, int | None]) -> Iterator[Stage]:
    """Searches with growing state limits, and the plan finder between them."""
    for most in (1 << 13, *(1 << exponent for exponent in range(14, 27, 3)), None):
        yield Stage("best-first", {"most_states": most})
        if most != 1 << 13:
            yield Stage("explicit", {"most_states": most, "compiled_only": True})
        if most is not None and most in plans:
            yield Stage(PLAN_FINDER.name, {"work": plans[most]}, share=1)


_TURNS, _TURNS_OF_CROWDS = tuple(_turns(_PLANS)), tuple(_turns(_PLANS_OF_CROWDS))
_COMPILED = Stage("explicit", {"compiled_only": True})
_SHORT = Stage("explicit", {"most_states": 1 << 14, "compiled_only": True})
BY_FORMULAS = Stage("explicit", {"most_states": 1 << 14})  # for actions with formulas
_PLANNER = Stage(PLANNER.name, share=1)
_SUMS, _PAIRS = (Stage(INVARIANTS.name, {"effort": effort}) for effort in (1, 2))
_TOGGLES = Stage(TOGGLES.name)
_FIRST = Stage("bidirectional", nodes=SMALL)
_LAST = Stage("bidirectional")

CONSTRAINT = (Stage("bmc", share=1),)  # for models without actions
STEPS = (Stage("explicit", share=1),)  # for step systems
# For few models and for many; by metric, `any` or another one.
FEW = {ANY: (_FIRST, *_TURNS, _LAST), "": (_FIRST, _COMPILED, _LAST)}
MANY = {ANY: (*_TURNS, _LAST), "": (_COMPILED, _LAST)}
# For models with a plan finder and many objects, if any plan will do.
CROWDS = (*_TURNS_OF_CROWDS, _LAST)
# For models without hints, after a search of few states.
PLAIN = {
    ANY: (_SUMS, _TOGGLES, _PLANNER, *_TURNS, _LAST),  # the planner asks for the other invariants in turns
    "": (_SUMS, _TOGGLES, _PAIRS, _PLANNER, _COMPILED, _LAST),
}

_INTERNAL = {each.name: each for each in (INVARIANTS, PLAN_FINDER, PLANNER, TOGGLES)}


class Decision(NamedTuple):
    """A verdict with the name of its engine, and the name of its diagram package if it uses one."""

    verdict: Verdict
    engine: str
    diagrams: str | None


def auto(
    model: Model,
    metric: str,
    budget: Budget,
    diagrams: str = "zdd",
    *,
    many: bool = False,
    proving: Form | None = None,
) -> Decision:
    """Decide reachability by the stages for the model; `many` says that it is one of many models.

    No stage runs if conserved counts exclude the goal, of which `proof_by_counting` is a proof. With `proving`,
    compiled search comes first, since its verdicts have proofs. If no stage decides, the verdict keeps the proof
    of the best bound. Raises ModelError for an unknown metric, Refuted if engines contradict each other.
    """
    if in_two_searches(model, metric):
        return _in_order(model, metric, budget, diagrams, many=many, proving=proving)
    chosen = stages(model, metric, many=many or proving is not None)
    if model.hints.conserved and (counted := proof_by_counting(model)) is not None:
        step_costs(model.actions, metric)  # raises ModelError for an unknown metric
        return Decision(Unreachable(counted.counted_in), chosen[0].engine, None)
    proof: Proof | None = None
    best: Reachable | None = None
    for stage in chosen:
        engine = _INTERNAL.get(stage.engine) or ENGINES[stage.engine]
        options = dict(stage.options)
        if "diagrams" in engine.options:
            options["diagrams"] = diagrams
        if proving and "proving" in engine.options:
            options["proving"] = proving
        limits = replace(
            budget.limits, seconds=budget.left, memory=budget.limits.memory // stage.share, nodes=stage.nodes
        )
        part = budget.part(limits)
        try:
            verdict = engine(model, metric, part, **options)
        except Unsuitable:
            continue
        answer = Decision(verdict, stage.engine, diagrams if "diagrams" in engine.options else None)
        if isinstance(verdict, Reachable) and metric != ANY and verdict.cost < budget.bound:
            raise Refuted(
                f"{stage.engine} has a trace of cost {verdict.cost}, and another engine a bound of {budget.bound}"
            )
        budget.record_bound(part.bound)
        if isinstance(verdict, Unknown):
            best = cheapest(best, verdict.best)
            kept = proof if verdict.proof is None else verdict.proof
            answer = answer._replace(verdict=replace(verdict, proof=kept, best=best))
        if not isinstance(verdict, Unknown) or verdict.reason in TIME:
            break
        if proving:  # take the proof out now: the lazy proof would keep the memory of the search
            proof = resolved(verdict.proof)
    return answer


def _in_order(
    model: Model, metric: str, budget: Budget, diagrams: str, *, many: bool, proving: Form | None
) -> Decision:
    """The decision under two metrics in order, with the engine of the last search."""
    answers: list[Decision] = []

    def decide(model: Model, metric: str, budget: Budget) -> Verdict:
        answers.append(auto(model, metric, budget, diagrams, many=many, proving=proving))
        return answers[-1].verdict

    verdict = lexicographic(decide, model, metric, budget, proving=proving == "positions")
    return answers[-1]._replace(verdict=verdict)


def stages(model: Model, metric: str, *, many: bool) -> tuple[Stage, ...]:
    """The stages for a model; the last one can take every model."""

    if not model.has_formulas:
        return STEPS
    if not model.actions:
        return CONSTRAINT
    kind = ANY if metric == ANY else ""
    if not model.hints.guide_search:
        first = () if many or len(model.actions) > MOST_FIRST else (_FIRST,)
        if not (isinstance(model.actions, LazyActions) or all(action.is_plain for action in model.actions)):
            return (*first, _few_states(BY_FORMULAS, model), *PLAIN[kind])
        plain = (*first, _few_states(_SHORT, model), *PLAIN[kind])
        if _forgets(model):
            return tuple(stage for stage in plain if stage.engine != "explicit")
        return plain
    if kind == ANY and model.hints.plan_finder is not None and _objects(model) > CROWD:
        return CROWDS if many else (_FIRST, *CROWDS)
    return (MANY if many else FEW)[kind]


def _few_states(stage: Stage, model: Model) -> Stage:
    """The stage with fewer states, if there are many actions: each state takes a step for each of them."""
    most = int(stage.options["most_states"] or 0)
    return replace(stage, options={**stage.options, "most_states": min(most, SUCCESSORS // len(model.actions))})


def _objects(model: Model) -> int:
    """The number of objects, as the conserved counts say."""
    return max((number for _, number in model.hints.conserved), default=0)


def _forgets(model: Model) -> bool:
    """Is the goal one state, and has an action more than one state before it?

    `explicit` would search from the goal, too, and refuse the model, once its modules are loaded.
    """
    goal = literals(model.goal)
    if goal is None or len(goal) < len(model.bits):
        return False
    return any(
        action.cube is not None and not action.update.keys() <= action.cube.keys() for action in model.actions
    )
