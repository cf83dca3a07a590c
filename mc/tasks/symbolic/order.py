"""The order of the variables of a task in diagrams: variables that depend on each other are near."""

from puzzlemc.mc.tasks.causal_graph import causal_graph
from puzzlemc.mc.tasks.symbolic.arrangement import arranged
from puzzlemc.mc.tasks.task import Task


def variable_order(task: Task) -> list[int]:
    """The variables of a task that are not derived, top first."""
    derived = set(task.derived)
    edges = [(variable, other) for variable, others in causal_graph(task).items() for other in others]
    return [variable for variable in arranged(len(task.variables), edges) if variable not in derived]
