"""Computation tree logic (Clarke and Emerson 1981): formulas, and whether they hold in a model.

A run is endless: a state without an enabled action, a *stuck* one, is its own successor. So `EX` and `AX` always
speak of some next state, and a run that gets stuck is one that stays there.

A formula means what its `expansion` means, one operator at a time, until only `EX`, `EU` and `EG` are left. What
these mean is computed by a *structure*: the reachable states as an explicit graph (`explicit_structure.py`) or
as decision diagrams (`symbolic_structure.py`). An expansion names parts more than once. So equal parts are made
one object first (hash-consing, Ershov 1958), and what each of them means is computed once.

Evidence is one run. There is one for a formula that says that a run exists, and against one that speaks of all
runs: a witness or a counterexample (Clarke, Grumberg, McMillan and Zhao 1995), with the fewest actions to the
state that matters. Where the run must not end, it is a lasso.
"""

import operator
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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
from puzzlemc.mc.temporal.symbolic_structure import symbolic_structure

S = TypeVar("S")  # a set of states
P = TypeVar("P", bound=Hashable)  # a state

Graphs: TypeAlias = list[StateGraph]  # of one model: its graph, once it was explored

SOLVED, STUCK, DEAD = "solved", "stuck", "dead"
NAMED = {STUCK: "no action is enabled", DEAD: "no solution can be reached any more"}  # atoms of all models
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
ENGINES = ("explicit", "symbolic")
PATHS = {"EX", "EF", "EG", "AX", "AF", "AG"}
UNTIL = {"EU", "AU"}
SIGNS = {"and": " & ", "or": " | ", "implies": " -> ", "iff": " <-> "}


@dataclass(frozen=True)
class Property:
    """A formula: operator and parts.

    The operators are `atom` (with its name, and its column in the text that it was read from), `count` (the same,
    with a name such as `n >= 2`), `true`, `false`, `not`, `and`, `or`, `implies`, `iff`, those of PATHS with one
    part, and `EU` and `AU` with two.
    """

    op: str
    parts: tuple["Property", ...] = ()
    name: str = ""
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        if self.op in ("atom", "count"):
            return self.name
        if self.op == "EU" and self.parts[0] == TRUE:
            return f"EF {self.parts[1]._inner()}"
        if self.op in UNTIL:
            return f"{self.op[0]}[{self.parts[0]} U {self.parts[1]}]"
        if self.op in PATHS:
            return f"{self.op} {self.parts[0]._inner()}"
        if self.op == "not":
            return f"!{self.parts[0]._inner()}"
        if self.op in SIGNS:
            return SIGNS[self.op].join(part._inner() for part in self.parts)
        return self.op

    def _inner(self) -> str:
        return f"({self})" if self.op in SIGNS else str(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Computed once: the parts of a formula may be shared so often that as a tree it has no end."""
        return hash((self.op, self.name, self.parts))

    def within(self) -> Iterator["Property"]:
        """The formula and all that is in it from left to right, each object once."""
        seen: set[int] = set()
        waiting = [self]
        while waiting:
            part = waiting.pop()
            if id(part) not in seen:
                seen.add(id(part))
                yield part
                waiting += reversed(part.parts)

    def atoms(self) -> Iterator["Property"]:
        """Its atoms, from left to right."""
        return (part for part in self.within() if part.op == "atom")

    def counts(self) -> Iterator["Property"]:
        """Its comparisons of numbers, from left to right."""
        return (part for part in self.within() if part.op == "count")

    @property
    def counted(self) -> str:
        """The number that a comparison is about."""
        return self.name.split()[0]

    def fitting(self, most: int) -> list[int]:
        """The numbers from 0 to the most of which a comparison is true."""
        _, sign, number = self.name.split()
        return [value for value in range(most + 1) if COMPARED[sign](value, int(number))]

    @property
    def is_temporal(self) -> bool:
        """Does it speak of runs?"""
        return any(part.op in PATHS | UNTIL or part == LOST for part in self.within())


TRUE = Property("true")
LOST = Property("atom", name=DEAD)


def negated(p: Property) -> Property:
    """That p does not hold."""
    return p.parts[0] if p.op == "not" else Property("not", (p,))


def expansion(p: Property) -> Property | None:
    """The same over `true`, `not`, `and`, `or`, `EX`, `EU`, `EG` and the parts of p; None where p is such itself.

    Raises ModelError for an unknown operator.
    """
    match p.op, p.parts:
        case "atom", () if p.name == DEAD:
            return negated(Property("EF", (Property("atom", name=SOLVED),)))
        case (("true" | "atom" | "count"), ()) | (("not" | "EX" | "EG"), (_,)) | (("and" | "or" | "EU"), (_, _)):
            return None
        case "false", ():
            return negated(TRUE)
        case "implies", (a, b):
            return Property("or", (negated(a), b))
        case "iff", (a, b):
            return Property("or", (Property("and", (a, b)), Property("and", (negated(a), negated(b)))))
        case "EF", (a,):
            return Property("EU", (TRUE, a))
        case "AX", (a,):
            return negated(Property("EX", (negated(a),)))
        case "AF", (a,):
            return negated(Property("EG", (negated(a),)))
        case "AG", (a,):
            return negated(Property("EU", (TRUE, negated(a))))
        case "AU", (a, b):
            late = Property("EU", (negated(b), Property("and", (negated(a), negated(b)))))
            return negated(Property("or", (late, Property("EG", (negated(b),)))))
    raise ModelError(f"unknown operator {p.op!r} with {len(p.parts)} parts")


def shared(p: Property) -> Property:
    """The same formula, in which equal parts are one object."""
    one: dict[tuple[str, str, tuple[int, ...]], Property] = {}
    known: dict[int, Property] = {}
    waiting = [p]
    while waiting:
        part = waiting[-1]
        if left := [inner for inner in part.parts if id(inner) not in known]:
            waiting += left
            continue
        waiting.pop()
        parts = tuple(known[id(inner)] for inner in part.parts)
        made = Property(part.op, parts, part.name, part.column)
        known[id(part)] = one.setdefault((part.op, part.name, tuple(map(id, parts))), made)
    return known[id(p)]


class Structure(Protocol[S, P]):
    """All reachable states of a model, with the steps between them; a stuck state is its own successor."""

    everything: S
    initial: S
    stuck: S

    def where(self, formula: Formula, /) -> S:
        """The states in which a formula over bits holds."""

    def counting(self, formulas: Sequence[Formula], numbers: Collection[int], /) -> S:
        """The states in which as many of the formulas hold as one of the numbers says."""

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
        """EU: the states from which a run through p leads to q. Raises LimitReached."""

    def always(self, p: S, /) -> S:
        """EG: the states from which an endless run stays in p. Raises LimitReached."""

    def successors(self, state: P, /) -> Iterator[tuple[Action, P]]:
        """The actions enabled in a state, and where they lead; none in a stuck one."""

    def way(self, start: P, within: S, to: S, /) -> list[P]:
        """A shortest run through `within` to a state of `to`, which must be there. Raises LimitReached."""

    def state(self, state: P, /) -> State:
        """The state as the set of its bits."""


@dataclass(frozen=True)
class Evidence:
    """A run that shows why a formula holds, or does not.

    loop   None for a run to its last state, whatever follows. Else the run is endless: it goes on from the state
           of that number, which the last state equals. Where that is the last state itself, it is stuck.
    claim  what holds in the last state or, of an endless run, in every state
    """

    trace: Trace
    loop: int | None
    claim: Property

    @property
    def stays(self) -> bool:
        """Does the run stay in its last state for ever, because that has no enabled action?"""
        return self.loop is not None and self.loop == len(self.trace.actions)


@dataclass(frozen=True)
class Answer:
    """Whether a formula holds in all initial states; None where a limit, the `reason`, came first.

    states     reachable ones
    satisfying of these, those in which the formula holds
    evidence   a witness if it holds, a counterexample if not; None where no single run shows it
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

    `engine` is `explicit`, `symbolic`, or `auto`: explicit as long as there is memory, then symbolic. `graphs`
    keeps the model's graph for the next formula. Raises ModelError for an unknown atom or engine, or for too many
    initial states to list.
    """
    if engine not in ("auto", *ENGINES):
        raise ModelError(f"unknown engine {engine!r}, expected one of auto, {', '.join(ENGINES)}")
    for atom in p.atoms():
        if atom.name not in (*NAMED, SOLVED) and atom.name not in model.atoms:
            raise ModelError(f"unknown atom {atom.name!r}")
    for count in p.counts():
        if count.counted not in model.counts:
            raise ModelError(f"unknown number {count.counted!r}")
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
    if engine == "explicit" or reason in TIME:
        return Answer(None, engine="explicit", reason=reason)

    def attempt(capacity: int) -> Answer:
        return _answer(symbolic_structure(model, diagrams, capacity, budget), model, p, "symbolic")

    try:
        return with_capacity(diagrams, budget, attempt)
    except LIMITS as limit:
        return Answer(None, engine="symbolic", reason=reason_of(limit))


def _formula(model: Model, name: str) -> Formula:
    """What an atom says. Each model has its goal by name."""
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
    """Formulas over one structure; what a part means is computed once."""

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
        """The run from a state that shows that a formula holds there, or does not.

        None where no single run shows it. Raises LimitReached.
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
        """Is there a run that shows that p holds in the state, or that it does not?"""
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
        """Extend the run so that it shows that p holds in its last state, or that it does not."""
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
                way = structure.way(last, self.satisfying(a), self.satisfying(b))
                for state in way[1:]:
                    steps = structure.successors(run.states[-1])
                    run.add(*next(step for step in steps if step[1] == state))
                self._extend(run, b, True)
            case "EG", (a,):
                self._close(run, self.satisfying(p))
                run.claim = a

    def _close(self, run: "_Run[P]", within: S) -> None:
        """Go on inside a set, in which each state has a successor, until a state comes again."""
        place = {run.states[-1]: len(run.actions)}

        def inside(state: P) -> list[tuple[Action, P]]:
            steps = self._structure.successors(state)
            return [step for step in steps if self._structure.contains(within, step[1])]

        def closeness(step: tuple[Action, P]) -> tuple[int, bool]:
            """Best is back to where the run has been, as late as can be; then one step from there."""
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
    """A run that grows, see `Evidence`."""

    states: list[P]
    actions: list[Action]
    loop: int | None
    claim: Property

    def add(self, action: Action, state: P) -> None:
        """Take one more step."""
        self.actions.append(action)
        self.states.append(state)
