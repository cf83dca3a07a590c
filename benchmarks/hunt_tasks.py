"""Cases of the hunt with unusual planning tasks, for each search for plans and for its parts.

A case is one task (`odd_tasks.py`), with the truth about it. Every search answers, in half of the cases within
very little memory, or cancelled at a random moment: its plans are replayed, and without a plan the task has none.
The parts are compared in each state: packing, dead ends, preferred operators. In half of the cases, turns are
shorter than they are for large tasks.
"""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from threading import Event

import numpy as np
from odd_tasks import OddTask, State, Truth, judged, odd_task
from outcome import DISAGREEMENT, TRACEBACK, Failure, Outcome, crash

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.invariants.fact_pairs import FactPairs
from puzzlemc.mc.invariants.refutation import Refutation
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.passes.exclusions import together
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.optimal import STAGES, cheapest_plan
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.portfolio import Portfolio
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing import lazy_search, width_search
from puzzlemc.mc.planning.satisficing.improvement import Improvement
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.landmark_graph import goals_alone, landmark_graph
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.sas import read
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Searched, Task

MOST = 3000  # states of a task that are explored
COMPARED = 60  # states of a task in which parts are compared
CAPACITY = 16  # states for which a search has room at first
# Lengths of turns, as module and name, with low values.
TURNS: list[tuple[str, str, list[object]]] = [
    ("planning.satisficing.some", "FIRST_ROUND", [1, 1000]),
    ("planning.satisficing.finders", "FIRST_TURN", [1, 1000]),
    ("planning.satisficing.improvement", "LEAST_SHORTENING", [1, 1000]),
    ("planning.portfolio", "PLANS_AFTER", [0, 1]),
    ("planning.portfolio", "PLANS_WORK", [1, 1000]),
    ("planning.optimal", "LAST_EXPANSIONS", [1, 10]),
    ("planning.optimal", "GAIN", [0.0]),
    ("planning.optimal", "STAGES", [[*(replace(stage, expansions=2) for stage in STAGES[:-1]), STAGES[-1]]]),
]


class Countdown(Event):
    """Is set after a number of looks: cancels a search at that moment."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    def is_set(self) -> bool:
        """Count the look."""
        self._looks -= 1
        return self._looks < 0


def by_lazy_search(task: Task, budget: Budget, choice: random.Random) -> Searched:
    """Lazy greedy search in random turns."""
    plan, packed, landmarks = parts(task, budget, choice)
    search = lazy_search.LazySearch(packed, plan, landmarks, initial_state(task), CAPACITY)
    return searched(search, lazy_search.advance, budget, choice)


def by_width_search(task: Task, budget: Budget, choice: random.Random) -> Searched:
    """Best-first width search in random turns."""
    plan, packed, landmarks = parts(task, budget, choice)
    memory = budget.limits.memory
    order = choice.choice((width_search.BROAD, width_search.GUIDED, width_search.DEEP))
    search = width_search.WidthSearch(packed, plan, landmarks, initial_state(task), CAPACITY, memory, order)
    return searched(search, width_search.advance, budget, choice)


def parts(task: Task, budget: Budget, choice: random.Random) -> tuple[RelaxedPlan, PackedTask, LandmarkCount]:
    """What greedy searches need; the landmarks are the goals in half of the cases."""
    relaxed = relaxation(task)
    plan, initial = RelaxedPlan(relaxed, [1] * len(task.operators)), initial_state(task)
    graph = goals_alone(task)
    if plan.estimate(initial) != DEAD and choice.random() < 0.5:
        graph = landmark_graph(task, relaxed, plan, initial, budget) or graph
    return plan, PackedTask(task, Operators(task)), LandmarkCount(task, graph)


def searched(search: object, advance: Callable[..., int], budget: Budget, choice: random.Random) -> Searched:
    """The answer of a search that counts its work."""
    while (status := advance(search, budget.limits.memory, choice.randint(1, 3000))) == PAUSED:
        budget.check()
    assert status in (ENDED, FOUND)
    return Searched(tuple(search.path(search.goal)) if status == FOUND else None, 0, 0)


def by_improvement(task: Task, budget: Budget, choice: random.Random) -> Searched:
    """Ever cheaper plans; the cheapest one so far if a limit ends the search."""
    search = Improvement(task, budget)
    try:
        for _ in search.turns(choice.randint(1, 3000), choice.choice((1, 2))):
            pass
    except LIMITS as limit:
        return Searched(search.plan, 0, 0, reason_of(limit))
    assert search.is_least
    return Searched(search.plan, 0, 0)


def by_diagrams(task: Task, budget: Budget, _: random.Random) -> Searched:
    """Decision diagrams from both ends."""
    search = SymbolicSearch(task, budget)
    for _ in search.turns():
        pass
    return Searched(search.plan(), 0, budget.bound)


def by_portfolio(task: Task, budget: Budget, _: random.Random) -> Searched:
    """Both searches for cheapest plans in turns, beside one for plans that become cheaper."""
    search = Portfolio(task, budget, Improvement)
    try:
        for _ in search.turns():
            pass
    except LIMITS as limit:
        return Searched(search.plan(), 0, budget.bound, reason_of(limit))
    return Searched(search.plan(), 0, budget.bound)


# Each search, and whether its plans are cheapest.
SEARCHES: dict[str, tuple[Callable[[Task, Budget, random.Random], Searched], bool]] = {
    "some plan": (lambda task, budget, _: some_plan(task, budget), False),
    "lazy search": (by_lazy_search, False),
    "width search": (by_width_search, False),
    "improvement": (by_improvement, True),
    "cheapest plan": (lambda task, budget, _: cheapest_plan(task, budget), True),
    "diagrams": (by_diagrams, True),
    "portfolio": (by_portfolio, True),
}


def tasks(choice: random.Random) -> Outcome:
    """Search one unusual task in all ways, and compare the parts of searches."""
    odd, outcome = odd_task(choice), Outcome()
    truth = judged(odd, MOST)
    if truth is None:
        outcome.answers["too large to judge"] += 1
        return outcome
    outcome.answers["unsolvable" if truth.least is None else "solvable"] += 1
    text = odd.written()

    def wrong(kind: str, what: str, detail: str) -> None:
        outcome.failures.append(Failure(kind, what, detail, text.encode(), ".sas"))

    try:
        with shorter_turns(choice):
            task = read(text)
            for name, (search, is_cheapest) in SEARCHES.items():
                limited = choice.random() < 0.5
                found = answer(search, task, choice, limited=limited)
                reason = mistake(odd, truth, found, cheapest=is_cheapest, limited=limited)
                if found.limit is not None:
                    outcome.answers[f"{found.limit} in {name}"] += 1
                if reason:
                    wrong(DISAGREEMENT, f"{name}: {reason}", repr(found))
            parts_of = (wrong_parts, wrong_shortening, wrong_refutation, wrong_reduction)
            for reason in [reason for wrong_of in parts_of for reason in wrong_of(odd, truth, task, choice)]:
                wrong(DISAGREEMENT, reason, "")
    except Exception as error:
        wrong(TRACEBACK, f"tasks {crash(error)}", repr(error))
    return outcome


@contextlib.contextmanager
def shorter_turns(choice: random.Random) -> Iterator[None]:
    """Turns are short in half of the cases."""
    kept: list[tuple[object, str, object]] = []
    if choice.random() < 0.5:
        for place, name, values in TURNS:
            module = import_module(f"puzzlemc.mc.{place}")
            kept.append((module, name, getattr(module, name)))
            setattr(module, name, choice.choice(values))
    try:
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)


def answer(
    search: Callable[[Task, Budget, random.Random], Searched], task: Task, choice: random.Random, *, limited: bool
) -> Searched:
    """What a search finds, with a random limit if `limited`."""
    budget = Budget(Limits(memory=1 << 30, nodes=1 << 16))
    if limited and choice.random() < 0.5:
        budget = Budget(Limits(memory=1 << choice.randint(9, 22), nodes=1 << choice.randint(4, 16)))
    elif limited:
        budget = Budget(budget.limits, _cancelled=Countdown(choice.choice((0, 1, 2, 5, 20, 100))))
    try:
        return search(task, budget, choice)
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))


def mistake(odd: OddTask, truth: Truth, found: Searched, *, cheapest: bool, limited: bool) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if truth.least is not None and found.bound > truth.least:
        return "a bound is above the least cost"
    if found.plan is None and found.limit is None:
        return "" if truth.least is None else "a solvable task is unsolvable"
    if found.plan is None:
        return "" if limited else f"no answer without a limit: {found.limit}"
    cost = cost_of(odd, found.plan)
    if cost is None:
        return "a plan is wrong"
    return "a plan is not cheapest" if cheapest and found.limit is None and cost != truth.least else ""


def cost_of(odd: OddTask, plan: Sequence[int]) -> int | None:
    """The cost of a plan, None if it does not lead to the goal."""
    state: State | None = odd.completed(odd.initial)
    for number in plan:
        state = odd.after(state, number) if state is not None else None
    if state is None or not odd.is_goal(state):
        return None
    return sum(odd.operators[number].cost for number in plan)


def wrong_parts(odd: OddTask, truth: Truth, task: Task, choice: random.Random) -> Iterator[str]:
    """What is wrong about single states."""
    packed, plan = PackedTask(task, Operators(task)), RelaxedPlan(relaxation(task), [1] * len(task.operators))
    fresh = RelaxedPlan(relaxation(task), [1] * len(task.operators))
    for state in choice.sample(list(truth.states), min(COMPARED, len(truth.states))):
        if packed.unpack(packed.pack(state)) != state:
            yield "a state is not packed"
        estimate = plan.estimate(state)
        if estimate == DEAD and state in truth.costs:
            yield "a state with a plan is dead"
        if (estimate == 0) != odd.is_goal(state) and not odd.axioms:
            yield "an estimate of 0 is not that of the goal"
        if choice.random() < 0.2 and fresh.estimate(state) != estimate:
            yield "an estimate depends on those before"
        if estimate == DEAD:
            continue
        for number in np.flatnonzero(np.asarray(plan.preferred) == plan.stamp).tolist():
            if number not in [step for step, _ in truth.states[state]]:
                yield "a preferred operator does not apply"


def wrong_shortening(odd: OddTask, truth: Truth, task: Task, choice: random.Random) -> Iterator[str]:
    """What is wrong about a shortened plan: that of a random walk to the goal."""
    walk: list[int] = []
    state = truth.initial
    while len(walk) < 60 and state in truth.costs and not odd.is_goal(state):
        number, state = choice.choice([step for step in truth.states[state] if step[1] in truth.costs])
        walk.append(number)
    if not odd.is_goal(state):
        return
    packed, work = PackedTask(task, Operators(task)), choice.choice((0, 100, 10_000, 1_000_000))
    plan = shortened(packed, initial_state(task), walk, Budget(), work)
    cost = cost_of(odd, plan)
    if cost is None:
        yield "a shortened plan is wrong"
    elif cost > sum(odd.operators[number].cost for number in walk):
        yield "a shortened plan costs more"


def wrong_refutation(_: OddTask, truth: Truth, task: Task, choice: random.Random) -> Iterator[str]:
    """What is wrong about invariants that show that the task has no plan: by sums and pairs, or by pairs alone."""
    task = replace(task, mutexes=tuple(map(tuple, inductive_groups(task))))  # those of the file may be wrong
    refutation, pairs = Refutation(task, [task.goal], task.domains), FactPairs(task, [task.goal])
    is_shown = any(refutation.turns(Budget(), choice.choice((1, 2, None))))
    for _ in pairs.turns(Budget()):
        pass
    if truth.least is not None:
        if is_shown or refutation.is_shown:
            yield "a solvable task is refuted"
        if pairs.is_shown:
            yield "pairs of facts refute a solvable task"
    elif pairs.is_shown and not all(map(pairs.holds, truth.states)):
        yield "a reachable state is not in the invariant of pairs"


def wrong_reduction(_: OddTask, truth: Truth, task: Task, __: random.Random) -> Iterator[str]:
    """Is an operator left out that leads from a reachable state to one with a plan?"""
    smaller = reduction(task, Budget())
    needed = {number for steps in truth.states.values() for number, after in steps if after in truth.costs}
    if smaller is not None and not needed <= {*smaller.numbers}:
        yield "an operator of a plan is left out"
    if smaller is not None and smaller.together is not None:
        first = starts(task.domains).tolist()
        for state in truth.costs:
            facts = [first[v] + value for v, value in enumerate(state) if v not in task.derived]
            if not together(facts, smaller.together):
                yield f"facts of {state}, from which a plan leads, do not hold together"
