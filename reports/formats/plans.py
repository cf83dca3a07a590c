"""Plans that planners have found for an exported level, as moves of the level."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.text import Move
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state, run_of
from puzzlemc.mc.passes.translation import Translation, translation
from puzzlemc.mc.tasks.task import Task
from puzzlemc.reports.formats.pddl import action_name, word
from puzzlemc.reports.formats.sas import for_planners
from puzzlemc.screens.base.errors import LevelError

_LINE = re.compile(r"^[ \t]*+(?:\(([^\n]+?)[ \t]*\))?[ \t]*+(?:;[^\n]*)?$")

# The actions of each name: a disjunction in a precondition makes several. None: an operator of the goal, which
# changes nothing in the level.
Names = Mapping[str, Sequence[Action | None]]


class _Line(NamedTuple):
    name: str
    number: int  # from 1


def moves_of_plan(entry: Entry, text: str, source: str) -> list[Move] | None:
    """The moves of a plan in the usual form, one `(name)` in each line, for the level as `.pddl` or `.sas`.

    None if the text is no plan for it. Raises LevelError for an action that is not possible when its turn comes.
    """
    found = [_LINE.fullmatch(line) for line in text.splitlines()]
    lines = [_Line(match[1], number) for number, match in enumerate(found, 1) if match is not None and match[1]]
    if not lines or None in found:
        return None
    for encode in entry.puzzle.encodings.values():
        encoded = encode(entry.level)
        if not encoded.model.has_formulas:
            continue
        for names in _namings(encoded.model):
            if all(line.name in names for line in lines):
                return _moves(encoded, names, lines, source)
    return None


def _namings(model: Model) -> Iterator[Names]:
    """The names of the actions in each format. PDDL has those of the task, if there is one."""
    try:
        whole, least = translation(model, whole=True), translation(model)
    except Unsuitable:
        yield _either((action_name(number, action), action) for number, action in enumerate(model.actions))
        return
    yield _either((word(f"a{at}", name), action) for at, (name, action) in enumerate(_named(whole, whole.task)))
    yield _by_name(_named(least, for_planners(least.task)))


def _named(made: Translation, task: Task) -> Iterator[tuple[str, Action | None]]:
    """The names of the operators, with their actions."""
    for operator, origin in zip(task.operators, made.origins, strict=True):
        yield operator.name, None if origin is None else made.model.actions[origin]


def _by_name(named: Iterable[tuple[str, Action | None]]) -> Names:
    found: dict[str, list[Action | None]] = {}
    for name, action in named:
        found.setdefault(name, []).append(action)
    return found


def _either(named: Iterable[tuple[str, Action | None]]) -> Names:
    """The names in lower and in upper case: PDDL does not tell them apart, and planners write both."""
    names = _by_name(named)
    return {**names, **{name.upper(): actions for name, actions in names.items()}}


def _moves(encoded: Encoded, names: Names, lines: list[_Line], source: str) -> list[Move]:
    """The moves of these actions, each with the line of the last action up to it."""
    state = initial_state(encoded.model)
    done: list[Action] = []
    numbers: list[int] = []
    for line in lines:
        if None in names[line.name]:
            continue
        action = next((each for each in names[line.name] if each is not None and each.enabled(state)), None)
        if action is None:
            raise LevelError(f"action {line.name} is not possible here", source=source, line=line.number)
        state = action.fire(state)
        done.append(action)
        numbers.append(line.number)
    moves = encoded.moves(run_of(encoded.model, done))
    if len(moves) != len(numbers):
        numbers = [lines[-1].number] * len(moves)
    return [Move(name, number, 1) for name, number in zip(moves, numbers, strict=True)]
