"""What is found in a model as facts of a proof, in the author's bits."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from puzzlemc.mc.passes.translation import Translation
from puzzlemc.mc.proofs.facts import CodedBits, Facts, Literals
from puzzlemc.mc.tasks.task import Condition, Task


def without_goal_variable(made: Translation) -> tuple[Task, list[Condition]]:
    """The task without what stands for a goal of several conditions, and these conditions."""
    task = made.task
    if None not in made.groups:
        return task, [task.goal]
    by_origin = [*zip(task.operators, made.origins, strict=True)]
    goals = [operator.precondition for operator, origin in by_origin if origin is None]
    operators = tuple(operator for operator, origin in by_origin if origin is not None)
    smaller = replace(task, variables=task.variables[:-1], initial=task.initial[:-1], goal={}, operators=operators)
    return smaller, goals


def facts_of(made: Translation, kinds: Sequence[int], goals: Sequence[Condition]) -> Facts:
    """The variables of a task, with their kinds, and the bits that never change; and what excludes each other.

    `made` is a whole one. The variables come first, but for that of the goal.
    """
    model = made.model
    number = {b: n for n, b in enumerate(model.bits, 1)}
    place = [number[b] for b in made.bits]
    variables = [
        CodedBits(tuple(place[b] for b in group.bits), group.codes, kinds[variable])
        for variable, group in enumerate(made.groups)
        if group is not None
    ]
    fixed = {number[b]: int(value) for b, value in made.constants.items()}
    rows = None if made.exclusions is None else made.exclusions.reachable
    for p in range(0 if rows is None else len(rows)):
        if rows is not None and not rows[p] >> p & 1:
            fixed[place[p >> 1]] = 1 - (p & 1)
    variables += [CodedBits((b,), (value,), len(kinds) + value) for b, value in sorted(fixed.items())]
    return Facts(
        inputs=tuple(map(str, model.bits)),
        variables=tuple(variables),
        apart=_of_groups(made, place) if rows is None else _apart(rows, place, variables),
        goals=tuple(_literals(made, place, goal) for goal in goals),
    )


def _of_groups(made: Translation, place: Sequence[int]) -> tuple[Literals, ...]:
    """The pairs of bits of several variables that exclude each other by the mutex groups of the task."""
    found = set[Literals]()
    for facts in made.task.mutexes:
        held = []
        for variable, value in facts:
            group = made.groups[variable]
            code = 0 if group is None else group.codes[value]
            if group is not None and code.bit_count() == 1:
                held.append((variable, place[group.bits[code.bit_length() - 1]]))
        found.update(_ordered(b, c) for (v, b), (u, c) in combinations(held, 2) if v != u)
    return tuple(sorted(found))


def _apart(rows: Sequence[int], place: Sequence[int], variables: Sequence[CodedBits]) -> tuple[Literals, ...]:
    """The pairs of literals that exclude each other, without those that follow from the codes of one variable."""
    known = set[Literals]()
    for variable in variables:
        held = [{b if code >> k & 1 else -b for k, b in enumerate(variable.bits)} for code in variable.codes]
        for one, other in combinations([p for b in variable.bits for p in (-b, b)], 2):
            if not any({one, other} <= code for code in held):
                known.add(_ordered(one, other))
    found = []
    for p, row in enumerate(rows):
        if not row >> p & 1:
            continue  # it never holds
        for q in range(p + 1, len(rows)):
            if not row >> q & 1 and rows[q] >> q & 1 and q != p ^ 1:
                pair = _ordered(*(place[r >> 1] if r & 1 else -place[r >> 1] for r in (p, q)))
                if pair not in known:
                    found.append(pair)
    return tuple(found)


def _ordered(one: int, other: int) -> Literals:
    return (one, other) if (abs(one), one) < (abs(other), other) else (other, one)


def _literals(made: Translation, place: Sequence[int], goal: Condition) -> Literals:
    """A condition on variables as literals of bits."""
    found = []
    for variable, value in sorted(goal.items()):
        group = made.groups[variable]
        assert group is not None
        code = group.codes[value]
        found += [place[b] if code >> k & 1 else -place[b] for k, b in enumerate(group.bits)]
    return tuple(sorted(set(found), key=abs))
