"""The registry of engines by name. The module of an engine is imported when the engine first runs.

An engine is a function of a model, a metric and a budget, with options of its own. It returns a verdict with its
evidence: *unknown*, if it reaches a limit. It raises Unsuitable if it cannot take the model. No engine sees lazy
constraints: the goal is written out before.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

from puzzlemc.mc.engines.lexicographic import in_two_searches, lexicographic
from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Clauses, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.packages import installed_packages
from puzzlemc.mc.verdict import Verdict, within_limits

Option: TypeAlias = str | int | bool | None
Kind: TypeAlias = Literal["any", "one start", "plain"]


@dataclass(frozen=True)
class Engine:
    """The description of an engine. Calling it calls the function, and accepts two metrics in order, too.

    function  the function, as `module:name`
    optimal   whether every trace is cheapest, under every metric but `any`. If false, single verdicts may still be
              optimal: bmc finds a cheapest trace if all actions cost the same
    takes     `any` model; models with `one start`, a single initial state; or `plain` models with one initial
              state, literal guards and constant updates. A `plain` engine may refuse some plain models, and take
              some others
    steps     whether it takes step systems, whose successors are a function and no formulas
    options   the names of its options
    """

    name: str
    function: str
    optimal: bool
    takes: Kind = "any"
    steps: bool = False
    options: frozenset[str] = frozenset()

    def __call__(self, model: Model, metric: str, budget: Budget, **options: Option) -> Verdict:
        """Decide whether the goal of the model is reachable.

        Raises ModelError for an unknown metric or option; Unsuitable, which lists the engines that can take the
        model, where this one cannot.
        """
        if unknown := options.keys() - self.options:
            raise ModelError(f"{self.name} has no option {', '.join(sorted(unknown))}")
        if in_two_searches(model, metric):
            proving = options.get("proving") == "positions"
            return lexicographic(Variant(self, options), model, metric, budget, proving=proving)
        decide: Callable[..., Verdict] = _imported(self.function)

        def attempt() -> Verdict:
            return decide(_written_out(model, budget), metric, budget, **options)

        try:
            if not (model.has_formulas or self.steps):
                raise Unsuitable("its successors are a function of a state, not formulas")
            return within_limits(budget, attempt) if _is_lazy(model) else decide(model, metric, budget, **options)
        except Unsuitable as error:
            able = ", ".join(["auto", *(each for each in able_to_take(model) if each != self.name)])
            raise Unsuitable(f"{self.name} cannot take this model: {error}; expected one of {able}") from None


def _imported(place: str) -> Callable[..., Any]:
    """The function at `module:name`."""
    module, name = place.split(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def load_explicit() -> None:
    """Import the modules of explicit search, before a level's time runs."""
    import_module(ENGINES["explicit"].function.split(":")[0])


def _is_lazy(model: Model) -> bool:
    return isinstance(model.goal, Clauses) and model.goal.violated is not None


def _written_out(model: Model, budget: Budget) -> Model:
    # Imported on demand: most models need no SAT solver here.
    from puzzlemc.mc.sat.refinement import written_out

    return written_out(model, budget)


_SETS = frozenset(["diagrams"])

ENGINES: dict[str, Engine] = {
    each.name: each
    for each in (
        Engine("forward", "puzzlemc.mc.engines.symbolic:forward", optimal=True, options=_SETS),
        Engine("backward", "puzzlemc.mc.engines.symbolic:backward", optimal=True, options=_SETS),
        Engine("bidirectional", "puzzlemc.mc.engines.symbolic:bidirectional", optimal=True, options=_SETS),
        Engine(
            "best-first",
            "puzzlemc.mc.engines.best_first:best_first",
            optimal=False,
            takes="plain",
            options=frozenset(["most_states"]),
        ),
        Engine(
            "explicit",
            "puzzlemc.mc.engines.explicit:explicit",
            optimal=True,
            takes="one start",
            steps=True,
            options=frozenset(["most_states", "compiled_only", "proving"]),
        ),
        Engine(
            "bmc",
            "puzzlemc.mc.engines.bmc:bmc",
            optimal=False,
            options=frozenset(["solver", "most_steps"]),
        ),
        Engine("k-induction", "puzzlemc.mc.engines.k_induction:k_induction", optimal=False),
        Engine("ic3", "puzzlemc.mc.engines.ic3:ic3", optimal=False),
    )
}

# Only the portfolio uses it, where a model brings no hints: it decides few models, but those at once.
TOGGLES = Engine("toggles", "puzzlemc.mc.engines.toggles:toggles", optimal=True)
INVARIANTS = Engine(
    "invariants",
    "puzzlemc.mc.engines.invariants:invariants",
    optimal=False,
    takes="plain",
    options=frozenset(["effort"]),
)

# Only the portfolio uses it, where a model brings no hints.
PLANNER = Engine(
    "planner",
    "puzzlemc.mc.engines.planning:planner",
    optimal=True,
    takes="plain",
    options=frozenset(["proving"]),
)

# Only the portfolio uses it: how good its plans are depends on the puzzle.
PLAN_FINDER = Engine(
    "guess",
    "puzzlemc.mc.engines.plan_finder:find_plan",
    optimal=False,
    takes="one start",
    options=frozenset(["work"]),
)


def engine(name: str) -> Engine:
    """The engine of that name. Raises ModelError for an unknown name."""
    try:
        return ENGINES[name]
    except KeyError:
        raise ModelError(f"unknown engine {name!r}, expected one of {', '.join(ENGINES)}") from None


def able_to_take(model: Model) -> list[str]:
    """The names of the engines that can certainly take a model."""
    if not model.has_formulas:
        return [each.name for each in ENGINES.values() if each.steps]
    one_start = len(literals(model.init) or ()) == len(model.bits)
    return [
        each.name for each in ENGINES.values() if each.takes == "any" or (one_start and each.takes == "one start")
    ]


@dataclass(frozen=True)
class Variant:
    """An engine with values for its options; it is called without options."""

    engine: Engine
    options: Mapping[str, Option]

    def __call__(self, model: Model, metric: str, budget: Budget) -> Verdict:
        """Decide whether the goal of the model is reachable. Raises what the engine raises."""
        return self.engine(model, metric, budget, **self.options)

    def __str__(self) -> str:
        return "-".join([self.engine.name, *map(str, self.options.values())])


def variants(*names: str, optimal: bool = False) -> list[Variant]:
    """Every engine, or those with these names, with every diagram package; with `optimal`, only optimal ones."""

    chosen = [engine(name) for name in names or ENGINES]
    return [
        Variant(each, {"diagrams": package} if package else {})
        for each in chosen
        if each.optimal or not optimal
        for package in (installed_packages() if "diagrams" in each.options else ("",))
    ]
