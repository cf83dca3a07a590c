"""The steps of a planning task by its plain rules, against those of its model."""

from pathlib import Path
from typing import Any

from puzzlemc.encodings.pddl import rules
from puzzlemc.encodings.pddl.compact import compact
from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import initial_state

MOST = 60  # states


def level_of(path: Path) -> Any:
    (entry,) = load([str(path)])
    assert entry.error is None, entry.error
    return entry.level


def check_steps(level: Any) -> int:
    """The first states of the model have the steps and goals of the plain rules; returns how many they are."""
    encoded = compact(level)
    model = encoded.model
    model.validate()
    for step in rules.steps(level, rules.start(level)):
        assert rules.start(rules.at(level, step.position)) == step.position
        assert rules.constant(rules.at(level, step.position)) == rules.constant(level)
    state = initial_state(model)
    assert encoded.decode(state) == rules.start(level)
    waiting, seen = [state], {state}
    while waiting and len(seen) < MOST:
        state = waiting.pop(0)
        position = encoded.decode(state)
        assert holds(model.goal, state) == rules.solved(level, position)
        own = {(step.name, step.position, step.costs["cost"]) for step in rules.steps(level, position)}
        others = model.successors(state)
        assert own == {(action.name, encoded.decode(after), action.costs["cost"]) for action, after in others}
        for step in rules.steps(level, position):
            assert rules.step(level, position, step.name) == step
        for _, after in others:
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen)
