"""Infeasible parts of a goal: conjuncts that cannot be met together.

*Theorem.* If some conjuncts cannot be met together, neither can more of them, and the level has no solution.
*Proof.* A state in which all conjuncts hold is one in which each set of them does. ∎
"""

from puzzlemc.encodings.pddl.compact import model_of
from puzzlemc.encodings.pddl.levels import AnyLevel
from puzzlemc.encodings.pddl.task_level import TaskLevel
from puzzlemc.encodings.pddl.written import condition
from puzzlemc.encodings.puzzle.explanation import Part, Parts
from puzzlemc.encodings.puzzle.goal_parts import drawn, pictured
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.pddl.conditions import Atom, fact


def _conjuncts(level: AnyLevel) -> dict[str, str]:
    """Name of each conjunct -> its text."""
    found: dict[str, str] = {}
    if isinstance(level, TaskLevel):
        for variable, value in level.task.goal.items():
            own = level.facts.variables[variable].bits[value]
            found[f"{variable}={value}" if own is None else str(own)] = level.task.variables[variable].values[
                value
            ]
        return found
    for number, each in enumerate(level.conjuncts, 1):
        name = fact(each.name, each.terms) if isinstance(each, Atom) else f"conjunct-{number}"
        found[name if name not in found else f"conjunct-{number}"] = condition(each)
    return found


def _model(level: AnyLevel, part: Part) -> Model:
    chosen = frozenset(number for number, name in enumerate(_conjuncts(level)) if name in part)
    if not isinstance(level, TaskLevel):
        return model_of(level, chosen)
    goals = [[dict([fact])] for number, fact in enumerate(level.task.goal.items()) if number in chosen]
    return level.facts.model(level.task.operators, list(level.numbers), goals)


def _words(level: AnyLevel, part: Part, budget: Budget) -> str:
    budget.check()
    texts = [text for name, text in _conjuncts(level).items() if name in part]
    if len(texts) == 1:
        return f"this conjunct of the goal can never be met: {texts[0]}"
    return f"these {len(texts)} conjuncts of the goal cannot be met together: {', '.join(texts)}"


PARTS = (
    Parts(
        "conjuncts",
        "conjunct",
        lambda level: tuple(_conjuncts(level)),
        _model,
        _words,
        lambda level, part: drawn(_conjuncts(level), part),
        lambda level, part: pictured(_conjuncts(level), part),
    ),
)
