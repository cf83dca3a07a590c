"""Positions of planning tasks for programs: the facts that hold, which all stand on one cell."""

from puzzlemc.encodings.pddl.levels import AnyLevel, compact, held
from puzzlemc.encodings.pddl.task_level import TaskLevel
from puzzlemc.encodings.puzzle.display import Cells, Thing


def cells(level: AnyLevel) -> Cells:
    """The positions of a level. Raises ModelError without the translator, LimitReached."""
    model = compact(level).model
    kinds = {name: kind for kind, name in enumerate(sorted(model.atoms))}

    def things(position: object) -> list[Thing]:
        return [(kinds[name], 0, 0) for name in held(level, position) if name in kinds]

    actions = list(level.numbers) if isinstance(level, TaskLevel) else [action.name for action in model.actions]
    return Cells(tuple(kinds), 1, 1, (), things, actions)
