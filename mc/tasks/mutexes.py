"""Groups of facts of which at most one holds in each reachable state, by induction over the operators.

A task may come with groups from elsewhere. A group is used only if it holds in the initial state and each operator
keeps it, whatever else is known. So a wrong group is ignored.
"""

from puzzlemc.mc.tasks.task import Condition, Fact, Operator, Task


def inductive_groups(task: Task) -> list[frozenset[Fact]]:
    """The groups of the task that are inductive."""
    groups = [frozenset(group) for group in task.mutexes if len({variable for variable, _ in group}) > 1]
    derived = set(task.derived)
    initial = set(enumerate(task.initial))
    kept = [
        sum(fact in initial for fact in group) <= 1 and not any(variable in derived for variable, _ in group)
        for group in groups
    ]
    groups_of: dict[Fact, list[int]] = {}
    for number, group in enumerate(groups):
        for fact in group:
            groups_of.setdefault(fact, []).append(number)
    for operator in task.operators:
        added = {
            number for effect in operator.effects for number in groups_of.get((effect.variable, effect.value), [])
        }
        for number in added:
            kept[number] = kept[number] and _keeps(operator, groups[number])
    return [group for number, group in enumerate(groups) if kept[number]]


def _keeps(operator: Operator, group: frozenset[Fact]) -> bool:
    """Does at most one fact hold after the operator if at most one holds before? False if that is not evident."""
    before = _held(operator.precondition, group)
    if len(before) > 1:
        return True  # it is not applicable
    if any(effect.condition and (effect.variable, effect.value) in group for effect in operator.effects):
        return False
    after = {effect.variable: effect.value for effect in operator.effects if not effect.condition}
    added = _held(after, group)
    if before:
        left = {fact for fact in before if fact[0] not in after}
    else:  # some fact may hold that the operator does not mention
        left = {fact for fact in group if fact[0] not in after and fact[0] not in operator.precondition}
    return len(added) + bool(left - added) <= 1


def _held(condition: Condition, group: frozenset[Fact]) -> set[Fact]:
    """The facts of a group that the condition contains."""
    return {fact for fact in condition.items() if fact in group}
