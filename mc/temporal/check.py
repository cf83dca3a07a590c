"""CTL model checking (Clarke and Emerson 1981): whether a formula holds in a model, with evidence.

A path is infinite: a state without an enabled action, a *stuck* state, is its own successor. So every state has a
successor for `EX` and `AX`, and a path that gets stuck stays in its last state.

A formula is rewritten, one operator at a time, until only `EX`, `EU` and `EG` are left (`property.py`). A
*structure* computes the meaning of these: the reachable states as an explicit graph (`explicit_structure.py`) or
as decision diagrams (`symbolic_structure.py`).

Evidence is one path: a witness for a formula that claims that a path exists, or a counterexample to a formula
about all paths (Clarke, Grumberg, McMillan and Zhao 1995). It has the fewest actions to the state that matters. An
infinite path is given as a lasso.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.mc.graph.state_graph import StateGraph, explore
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.symbolic.capacity import with_capacity
from puzzlemc.mc.temporal.explicit_structure import ExplicitStructure
from puzzlemc.mc.temporal.property import NAMED, SOLVED, STUCK, Property, expansion, negated, shared
from puzzlemc.mc.temporal.symbolic_structure import symbolic_structure

S = TypeVar("S")  # a set of states
P = TypeVar("P", bound=Hashable)  # a state

Graphs: TypeAlias = list[StateGraph]  # the graph of a model, or empty before the first use

ENGINES = ("explicit", "symbolic")


class Structure(Protocol[S, P]):
    """The reachable states of a model, with the steps between them; a stuck state is its own successor."""

    everything: S
    initial: S
    stuck: S

    def where(self, formula: Formula, /) -> S:
        """The states in which a formula over bits holds."""

    def counting(self, formulas: Sequence[Formula], numbers: Collection[int], /) -> S:
        """The states in which the number of true formulas is one of `numbers`."""

    def union(self, f: S, g: S, /) -> S:
        """States in f or g."""

    def intersection(self, f: S, g: S, /) -> S:
        """States in f and g."""

    def difference(self, f: S, g: S, /) -> S:
        """States in f but not in g."""

    def is_empty(self, f: S, /) -> bool:
        """Is the set empty?"""

    def contains(self, f: S, state: P, /) -> bool:
        """Is the state in the set?"""

    def count(self, f: S, /) -> int:
        """The exact number of states."""

    def pick(self, f: S, /) -> P:
        """Some state of a set that is not empty."""

    def before(self, f: S, /) -> S:
        """EX: the states with a successor in f."""

    def until(self, p: S, q: S, /) -> S:
        """EU: the states from which a path through p leads to q. Raises LimitReached."""

    def always(self, p: S, /) -> S:
        """EG: the states from which an infinite path stays in p. Raises LimitReached."""

    def successors(self, state: P, /) -> Iterator[tuple[Action, P]]:
        """The enabled actions of a state with their successors; none in a stuck state."""

    def shortest_path(self, start: P, within: S, to: S, /) -> list[P]:
        """A shortest path through `within` to a state of `to`. Raises LookupError without a path, LimitReached."""

    def state(self, state: P, /) -> State:
        """The state as the set of its bits."""


@dataclass(frozen=True)
class Evidence:
    """A path that shows why a formula holds, or does not hold.

    loop   None for a finite path. Otherwise the path is infinite: it continues from the state of this number,
           which equals the last state. If this is the number of the last state, the path is stuck there
    claim  a formula that holds in the last state or, on an infinite path, in every state
    """

    trace: Trace
    loop: int | None
    claim: Property

    @property
    def stays(self) -> bool:
        """Does the path stay in its last state for ever, because no action is enabled there?"""
        return self.loop is not None and self.loop == len(self.trace.actions)


@dataclass(frozen=True)
class Answer:
    """Whether a formula holds in all initial states; None if a limit, the `reason`, came first.

    states      the number of reachable states
    satisfying  the number of these in which the formula holds
    evidence    a witness if it holds, a counterexample if not; None if no single path shows it
    """

    holds: bool | None
    states: int | None = None
    satisfying: int | None = None
    evidence: Evidence | None = None
    engine: str | None = None
    reason: str | None = None


def query(
    model: Model,
    p: Property,
    budget: Budget,
    engine: str = "auto",
    diagrams: str = "zdd",
    graphs: Graphs | None = None,
) -> Answer:
    """Does the formula hold in the model's initial states?

    `engine` is `explicit`, `symbolic`, or `auto`: explicit first, and symbolic if that runs out of memory.
    `graphs` stores the graph of the model for the next formula. Raises ModelError for an unknown atom or engine,
    or for too many initial states to list.
    """
    if engine not in ("auto", *ENGINES):
        raise ModelError(f"unknown engine {engine!r}, expected one of auto, {', '.join(ENGINES)}")
    for atom in p.atoms():
        if atom.name not in (*NAMED, SOLVED) and atom.name not in model.atoms:
            raise ModelError(f"unknown atom {atom.name!r}")
    for count in p.counts():
        if count.counted not in model.counts:
            raise ModelError(f"unknown number {count.counted!r}")
    if engine == "symbolic" and not model.has_formulas:
        raise ModelError("the engine symbolic needs formulas, and the steps of this model have none: use explicit")
    reason = "memory"
    if engine != "symbolic":
        try:
            graph = graphs[0] if graphs else explore(model, budget)
            if graph.reason is None:
                if graphs == []:
                    graphs.append(graph)
                return _answer(ExplicitStructure(graph, budget), model, p, "explicit")
            reason = graph.reason
            del graph
        except LIMITS as limit:
            reason = reason_of(limit)
    if engine == "explicit" or reason in TIME or not model.has_formulas:
        return Answer(None, engine="explicit", reason=reason)

    def attempt(capacity: int) -> Answer:
        return _answer(symbolic_structure(model, diagrams, capacity, budget), model, p, "symbolic")

    try:
        return with_capacity(diagrams, budget, attempt)
    except LIMITS as limit:
        return Answer(None, engine="symbolic", reason=reason_of(limit))


def _formula(model: Model, name: str) -> Formula:
    """The formula of an atom. Every model has the atom `solved`, its goal."""
    return model.goal if name == SOLVED and name not in model.atoms else model.atoms[name]


def _answer(structure: Structure[Any, Any], model: Model, p: Property, engine: str) -> Answer:
    checker = Checker(structure, model)
    p = shared(p)
    satisfying = checker.satisfying(p)
    failing = structure.difference(structure.initial, satisfying)
    holds = structure.is_empty(failing)
    among = structure.initial if holds else failing
    evidence = None
    if not structure.is_empty(among):  # a model without initial states satisfies everything
        evidence = checker.evidence(p, structure.pick(among), holds)
    return Answer(holds, structure.count(structure.everything), structure.count(satisfying), evidence, engine)


class Checker(Generic[S, P]):
    """Evaluates formulas over one structure; the meaning of each part is computed once."""

    def __init__(self, structure: Structure[S, P], model: Model) -> None:
        self._structure = structure
        self._model = model
        self._known: dict[Property, S] = {}
        self._runs: dict[tuple[Property, P, bool], bool] = {}

    def satisfying(self, p: Property) -> S:
        """The states in which a formula holds. Raises LimitReached."""
        if p not in self._known:
            simpler = expansion(p)
            self._known[p] = self._compute(p) if simpler is None else self.satisfying(simpler)
        return self._known[p]

    def _compute(self, p: Property) -> S:
        structure = self._structure
        parts = [self.satisfying(part) for part in p.parts]
        match p.op:
            case "true":
                return structure.everything
            case "atom":
                return structure.stuck if p.name == STUCK else structure.where(_formula(self._model, p.name))
            case "count":
                formulas = self._model.counts[p.counted]
                return structure.counting(formulas, p.fitting(len(formulas)))
            case "not":
                return structure.difference(structure.everything, parts[0])
            case "and":
                return structure.intersection(*parts)
            case "or":
                return structure.union(*parts)
            case "EX":
                return structure.before(parts[0])
            case "EU":
                return structure.until(*parts)
            case "EG":
                return structure.always(parts[0])
        raise ModelError(f"not a basic operator: {p.op!r}")

    def evidence(self, p: Property, start: P, holds: bool) -> Evidence | None:
        """A path from a state that shows that a formula holds there, or does not hold.

        None if no single path shows it. Raises LimitReached.
        """
        if not self._has_run(p, start, holds) and p.is_temporal:
            return None
        run = _Run([start], [], None, p if holds else negated(p))
        self._extend(run, p, holds)
        states = tuple(self._structure.state(state) for state in run.states)
        return Evidence(Trace(states, tuple(run.actions)), run.loop, run.claim)

    def _holds(self, p: Property, state: P) -> bool:
        return self._structure.contains(self.satisfying(p), state)

    def _has_run(self, p: Property, state: P, holds: bool) -> bool:
        """Is there a single path that shows that p holds in the state, or that it does not?"""
        asked = p, state, holds
        if asked not in self._runs:
            self._runs[asked] = self._finds_run(*asked)
        return self._runs[asked]

    def _finds_run(self, p: Property, state: P, holds: bool) -> bool:
        if (simpler := expansion(p)) is not None:
            return self._has_run(simpler, state, holds)
        if p.op == "not":
            return self._has_run(p.parts[0], state, not holds)
        if p.op in ("and", "or"):
            return any(self._holds(part, state) == holds and self._has_run(part, state, holds) for part in p.parts)
        return holds and p.op in ("EX", "EU", "EG")

    def _extend(self, run: "_Run[P]", p: Property, holds: bool) -> None:
        """Extend the path so that it shows that p holds in its last state, or that it does not."""
        structure, last = self._structure, run.states[-1]
        run.claim = p if holds else negated(p)
        if not self._has_run(p, last, holds):
            return
        if (simpler := expansion(p)) is not None:
            self._extend(run, simpler, holds)
            return
        match p.op, p.parts:
            case "not", (a,):
                self._extend(run, a, not holds)
            case (("and" | "or"), parts):
                telling = (a for a in parts if self._holds(a, last) == holds and self._has_run(a, last, holds))
                self._extend(run, next(telling), holds)
            case "EX", (a,):
                if structure.contains(structure.stuck, last):
                    run.loop = len(run.actions)
                else:
                    steps = structure.successors(last)
                    run.add(*next(step for step in steps if self._holds(a, step[1])))
                self._extend(run, a, True)
            case "EU", (a, b):
                shortest_path = structure.shortest_path(last, self.satisfying(a), self.satisfying(b))
                for state in shortest_path[1:]:
                    steps = structure.successors(run.states[-1])
                    run.add(*next(step for step in steps if step[1] == state))
                self._extend(run, b, True)
            case "EG", (a,):
                self._close(run, self.satisfying(p))
                run.claim = a

    def _close(self, run: "_Run[P]", within: S) -> None:
        """Extend the path inside a set, in which each state has a successor, until a state repeats."""
        place = {run.states[-1]: len(run.actions)}

        def inside(state: P) -> list[tuple[Action, P]]:
            steps = self._structure.successors(state)
            return [step for step in steps if self._structure.contains(within, step[1])]

        def closeness(step: tuple[Action, P]) -> tuple[int, bool]:
            """Best is a step to a state on the path, as late as possible; then a step next to such a state."""
            at = place.get(step[1], -1)
            return at, at < 0 and any(after in place for _, after in inside(step[1]))

        while steps := inside(run.states[-1]):
            action, state = max(steps, key=closeness)
            run.add(action, state)
            if state in place:
                run.loop = place[state]
                return
            place[state] = len(run.actions)
        run.loop = len(run.actions)  # stuck


@dataclass
class _Run(Generic[P]):
    """A path under construction, see `Evidence`."""

    states: list[P]
    actions: list[Action]
    loop: int | None
    claim: Property

    def add(self, action: Action, state: P) -> None:
        """Append a step."""

        self.actions.append(action)
        self.states.append(state)
