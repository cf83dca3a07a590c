"""From a model to a finite-domain task, and from plans of the task back to traces of the model.

1. `transitions`: actions as guards and updates in disjunctive normal form, without what never happens.
2. `exclusions`: pairs of literals that exclude each other, and actions that are on no way to the goal.
3. `groups`: finite-domain variables.
4. `operators` over these variables.
5. Here: a goal with several terms becomes operators without cost that set an additional variable. What the goal
   does not depend on is left out.

A model that was made from a task carries it (`OwnTask`), and the task is taken as it is.

The answer is a trace in the author's bits: an operator knows its action. Nothing here depends on a clock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import restricted
from puzzlemc.mc.model.trace import Trace, initial_state, run_of
from puzzlemc.mc.passes.exclusions import Exclusions, Forward, Rows, forward, together
from puzzlemc.mc.passes.groups import Group, Grouping, groups
from puzzlemc.mc.passes.normal_form import Term, Terms, TooLarge, literals_of
from puzzlemc.mc.passes.operators import Compiler, variable_of
from puzzlemc.mc.passes.transitions import Transition, relaxed, terms_of, transitions_of
from puzzlemc.mc.tasks.causal_graph import relevant
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.task import Condition, Effect, Fact, Operator, Task, TaskVariable
from puzzlemc.mc.tasks.task import State as TaskState

OWN, GIVEN = "own task", "given task"
MOST_GOALS = 512  # terms


@dataclass(frozen=True)
class Translation:
    """A task made from a model.

    task        each operator costs 1, but for those of the goal, which cost 0; see `with_metric`
    origins     operator -> the number of its action, None for an operator of the goal
    groups      variable -> the bits that it stands for, None for the variable of the goal
    bits        the bits that change, by the numbers that groups, literals and exclusions use
    constants   the values of all other bits in every reachable state
    exclusions  None if they took too much work
    """

    model: Model
    task: Task
    origins: tuple[int | None, ...]
    groups: tuple[Group | None, ...]
    bits: tuple[Bit, ...]
    constants: Mapping[Bit, bool]
    exclusions: Exclusions | None

    def towards(self, goals: Sequence[Condition]) -> "Translation":
        """The translation whose goal is one of these conditions; of several, with a variable of its own for it."""
        goals = [{}] if {} in goals else goals
        task, number = self.task, len(self.task.variables)
        if len(goals) == 1:
            return replace(self, task=replace(task, goal=goals[0]))
        reach = (Effect(number, 1),)
        operators = tuple(Operator(f"goal {n}", condition, reach, 0) for n, condition in enumerate(goals, 1))
        task = replace(
            task,
            variables=(*task.variables, TaskVariable("goal", ("open", "reached"))),
            initial=(*task.initial, 0),
            goal={number: 1},
            operators=(*task.operators, *operators),
        )
        origins = self.origins + (None,) * len(operators)
        return replace(self, task=task, origins=origins, groups=(*self.groups, None))

    def with_metric(self, metric: str) -> Task:
        """The task with the costs of a metric. Raises ModelError if an action has none."""
        actions = self.model.actions
        return self.task.with_costs(0 if a is None else cost_of(actions[a], metric) for a in self.origins)

    def actions(self, plan: Sequence[int]) -> list[Action]:
        """The actions of a plan, which is given by the numbers of its operators."""
        numbers = (self.origins[operator] for operator in plan)
        return [self.model.actions[number] for number in numbers if number is not None]

    def trace(self, plan: Sequence[int]) -> Trace:
        """The run of the model by a plan."""
        return run_of(self.model, self.actions(plan))

    def values(self, state: State) -> TaskState:
        """The values of the variables in a state of the model. Raises ModelError if no state
        of the task has them."""
        found = []
        for group in self.groups:
            code = 0 if group is None else sum((self.bits[b] in state) << k for k, b in enumerate(group.bits))
            if group is not None and code not in group.value:
                names = ", ".join(str(self.bits[b]) for b in group.bits)
                raise ModelError(f"no state of the task has these values of {names}")
            found.append(0 if group is None else group.value[code])
        for facts in self._apart:
            if sum(found[variable] == value for variable, value in facts) > 1:
                raise ModelError("no state of the task has these values")
        return tuple(found)

    @cached_property
    def _apart(self) -> tuple[tuple[Fact, ...], ...]:
        """The mutex groups that the exclusions do not show."""
        return self.task.mutexes if self.exclusions is None else ()

    def is_possible(self, state: State) -> bool:
        """Does the state satisfy the invariant? It is inductive, and shows each exclusion."""
        if any((b in state) != value for b, value in self.constants.items()):
            return False
        return self.exclusions is None or together(literals_of(state, self.bits), self.exclusions.reachable)

    def is_dead(self, state: State) -> bool:
        """Is it known that no goal state can be reached from this possible state? Its successors are dead, too."""
        return self.exclusions is not None and not together(literals_of(state, self.bits), self.exclusions.living)

    def keeps_out(self, is_closed: Callable[[TaskState], bool], state: State) -> bool:
        """Is the state in the inductive invariant of a search of the task that found no plan?

        `is_closed` decides that for states of the task that respect its mutex groups.
        """
        if not self.is_possible(state):
            return False
        if self.is_dead(state):
            return True
        if self.exclusions is not None and not together(literals_of(state, self.bits), self.exclusions.pairs):
            return False
        try:
            values = self.values(state)
        except ModelError:
            return False
        return is_closed(values)


@dataclass(frozen=True)
class OwnTask:
    """The task that a model was made from: each of its operators is an action of the model, in the same order.

    bits   the bit of each value of each variable; None for a value in which no bit of the variable holds. A
           variable may be left out of the model
    goals  the conditions one of which each goal state satisfies
    """

    task: Task
    bits: Sequence[Sequence[Bit | None]]
    goals: Sequence[Condition]


def carry(model: Model, make: Callable[[], OwnTask]) -> None:
    """Let `translation` take the task that `make` returns. Copies of the model with a change do not carry it."""
    model.remembered[OWN] = make


def give(model: Model, make: Callable[[], OwnTask]) -> None:
    """Let `given_task` take the task that `make` returns, which may have derived variables, or two values each.

    Copies of the model with a change do not carry it.
    """
    model.remembered[GIVEN] = make


def given_task(model: Model) -> Task | None:
    """The task that the model was made from, to find a plan; None if there is none, or its goal is too large.

    Its first operators are the actions of the model. Others, without cost, may set a variable of the goal.
    """
    if GIVEN not in model.remembered:
        return None
    try:
        own: OwnTask = _once(model, given_task.__name__, model.remembered[GIVEN])
    except Unsuitable:
        return None
    task = replace(own.task, mutexes=tuple(map(tuple, inductive_groups(own.task))))
    origins = tuple(range(len(task.operators)))
    return Translation(model, task, origins, (), (), {}, None).towards(own.goals).task


def translation(model: Model, *, whole: bool = False) -> Translation:
    """The task of a model, which is made once.

    whole  keep states and actions that are on no way to the goal, and bits that the goal does not depend on, as
           proofs by sums do

    Raises Unsuitable, with the reason, for a model with several initial states or none, for one whose steps are a
    function, and for one with too large formulas.
    """
    found: Translation = _once(model, (translation.__name__, whole), lambda: _translated(model, whole=whole))
    return found


def _once(model: Model, name: object, make: Callable[[], Any]) -> Any:
    """What `make` returns or refuses, made once for a model. Raises Unsuitable."""
    if name not in model.remembered:
        try:
            model.remembered[name] = make()
        except Unsuitable as unsuitable:
            model.remembered[name] = unsuitable
    found = model.remembered[name]
    if isinstance(found, Unsuitable):
        raise found
    return found


@dataclass(frozen=True)
class _Changes:
    """What changes in a model, whatever its goal is; `goals` are the terms of the goal.

    forward  None if it took too much work
    """

    bits: tuple[Bit, ...]
    constants: Mapping[Bit, bool]
    transitions: Sequence[Transition]
    initial: Term
    goals: Terms
    forward: Forward | None


def _changes(model: Model) -> _Changes:
    start = literals_of(initial_state(model), model.bits)
    transitions, reached = relaxed(transitions_of(model), start)
    live = [i for i in range(len(model.bits)) if {2 * i, 2 * i + 1} <= reached]
    bits = tuple(model.bits[i] for i in live)
    constants = {b: 2 * i + 1 in start for i, b in enumerate(model.bits) if not {2 * i, 2 * i + 1} <= reached}
    new = {i: n for n, i in enumerate(live)}
    transitions = [_renumbered(t, new) for t in transitions]
    initial = _literals(start, new)
    number = {b: n for n, b in enumerate(bits)}
    goals = terms_of(restricted(model.goal, constants), number, MOST_GOALS, "the goal")
    return _Changes(bits, constants, transitions, initial, goals, forward(transitions, initial, len(bits)))


def _translated(model: Model, *, whole: bool) -> Translation:
    """The task of a model, made now."""
    if OWN in model.remembered:
        return _own(model) if whole else _without_irrelevant(translation(model, whole=True))
    changes: _Changes = _once(model, _changes.__name__, lambda: _changes(model))
    ahead = changes.forward
    facts = None if ahead is None else ahead.whole if whole else ahead.towards(changes.goals)
    if not whole and (
        facts is None
        or ahead is None
        or (facts.pairs == ahead.whole.pairs and len(facts.transitions) == len(ahead.whole.transitions))
    ):  # no state and no transition was left out
        return _without_irrelevant(replace(translation(model, whole=True), exclusions=facts))
    bits, initial = changes.bits, changes.initial
    rows = _all_pairs(len(bits)) if facts is None else facts.pairs
    changing = [b for b in range(len(bits)) if rows[2 * b] and rows[2 * b + 1]]
    number = {b: n for n, b in enumerate(bits)}
    author = [[number[b] for b in v.bits if b in number] for v in model.variables if len(v.bits) > 1]
    grouping = Grouping(changes.transitions if facts is None else facts.transitions, rows)
    found, apart = groups(grouping, initial, changing, author)
    try:
        task, origins, used, goals = Compiler(model, bits, grouping, found).compile(changes.goals, initial, apart)
    except TooLarge:
        raise Unsuitable("the conditions of its updates are too large") from None
    made = Translation(model, task, origins, used, bits, changes.constants, facts).towards(goals)
    return made if whole else _without_irrelevant(made)


def _all_pairs(bits: int) -> Rows:
    """The rows that exclude nothing but a literal and its negation."""
    return tuple(((1 << 2 * bits) - 1) ^ (1 << (p ^ 1)) for p in range(2 * bits))


def _literals(some: Term, new: Mapping[int, int]) -> Term:
    return frozenset(2 * new[p >> 1] + (p & 1) for p in some if p >> 1 in new)


def _renumbered(t: Transition, new: Mapping[int, int]) -> Transition:
    """The transition with other numbers for bits."""
    formulas = {
        new[b]: ([_literals(each, new) for each in no], [_literals(each, new) for each in yes])
        for b, (no, yes) in t.formulas.items()
    }
    return Transition(t.action, _literals(t.guard, new), {new[b]: v for b, v in t.constants.items()}, formulas)


def _own(model: Model) -> Translation:
    """The translation to the task that the model was made from, with the variables whose bits are in the model."""
    own: OwnTask = model.remembered[OWN]()
    number = {b: n for n, b in enumerate(model.bits)}
    groups: list[Group | None] = []
    for values in own.bits:
        bits = [b for b in values if b is not None]
        codes = tuple(0 if b is None else 1 << bits.index(b) for b in values)
        held = number.keys() >= set(bits)
        groups.append(Group(tuple(number[b] for b in bits), codes) if held else None)
    variables = [
        variable if group is None else variable_of(group, model.bits)
        for variable, group in zip(own.task.variables, groups, strict=True)
    ]
    named = [[(v, value) for v, value in facts if own.bits[v][value] is not None] for facts in own.task.mutexes]
    task = replace(own.task, variables=tuple(variables), mutexes=tuple(map(tuple, named)))
    task = task.with_costs([1] * len(task.operators))
    task = replace(task, mutexes=tuple(tuple(sorted(facts)) for facts in inductive_groups(task)))
    origins = tuple(range(len(task.operators)))
    made = Translation(model, task, origins, tuple(groups), model.bits, {}, None).towards(own.goals)
    return _only(made, [v for v in range(len(made.groups)) if v >= len(groups) or groups[v] is not None])


def _without_irrelevant(made: Translation) -> Translation:
    """The translation without variables that the goal does not depend on."""
    return _only(made, sorted(relevant(made.task)))


def _only(made: Translation, kept: Sequence[int]) -> Translation:
    """The translation with these variables alone, and the operators that set them, which read no others."""
    task = made.task
    mutexes = tuple(group for group in task.mutexes if len({v for v, _ in group}) > 1)
    if len(kept) == len(task.variables) and np.diff(task.arrays.effect_first).all():
        return replace(made, task=replace(task, axioms=(), mutexes=mutexes))  # no operator becomes an object
    new = {variable: n for n, variable in enumerate(kept)}

    def left(condition: Condition) -> Condition:
        return {new[variable]: value for variable, value in condition.items()}

    operators, actions = [], []
    for operator, origin in zip(task.operators, made.origins, strict=True):
        effects = tuple(
            Effect(new[e.variable], e.value, left(e.condition)) for e in operator.effects if e.variable in new
        )
        if effects:
            operators.append(replace(operator, precondition=left(operator.precondition), effects=effects))
            actions.append(origin)
    groups = (tuple((new[v], value) for v, value in group if v in new) for group in mutexes)
    smaller = Task(
        tuple(task.variables[v] for v in kept),
        tuple(task.initial[v] for v in kept),
        left(task.goal),
        tuple(operators),
        (),
        tuple(group for group in groups if len({v for v, _ in group}) > 1),
    )
    return replace(made, task=smaller, origins=tuple(actions), groups=tuple(made.groups[v] for v in kept))
