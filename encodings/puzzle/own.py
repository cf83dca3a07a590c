"""A puzzle of a Python file checks what its functions return: a mistake is an error that names the file.

The models of a mistaken encoding would give wrong verdicts, and steps of a wrong kind would end a search somewhere
else. Puzzles that are installed have tests for that.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.model.formula import literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.base.errors import LevelError


def check_fields(puzzle: Puzzle) -> None:
    """Raise ModelError if a required value of a puzzle is of a wrong kind."""
    kinds: list[tuple[str, object, type | tuple[type, ...], str]] = [
        ("name", puzzle.name, str, "a text"),
        ("metrics", puzzle.metrics, (tuple, list), "a tuple of names, as ('moves',)"),
        ("encodings", puzzle.encodings, Mapping, "a mapping, as {'compact': function}"),
    ]
    if puzzle.game is None:
        kinds.append(("rules", puzzle.rules, Transition, "Transition(start, steps, solved)"))
    for field, found, kind, expected in kinds:
        if not isinstance(found, kind):
            raise ModelError(f"PUZZLE.{field}: found {found!r}, expected {expected}")
    screen = puzzle.screen
    if isinstance(screen, type):
        name = screen.__name__
        raise ModelError(f"PUZZLE.screen: found the class {name}, expected an object, as {name}()")
    suffixes: object = getattr(screen, "SUFFIXES", ())
    if isinstance(suffixes, str):
        raise ModelError(f"SUFFIXES: found {suffixes!r}, expected a tuple, as ({suffixes!r},)")
    if puzzle.game is None and puzzle.alone is None and puzzle.vocabulary.encoding not in puzzle.encodings:
        found = ", ".join(map(str, puzzle.encodings))
        raise ModelError(f"PUZZLE.encodings: found {found}, expected {puzzle.vocabulary.encoding}")


def checked(puzzle: Puzzle) -> Puzzle:
    """The puzzle, whose models and steps are checked when they are made; the functions raise LevelError then.

    Two legal moves of one name raise Refuted. Rules alone check their moves themselves.
    """
    if puzzle.game is not None or puzzle.alone is not None:
        return puzzle
    encodings = {name: _model_checked(puzzle, name) for name in puzzle.encodings}
    rules = replace(puzzle.rules, start=_start_checked(puzzle), steps=_steps_checked(puzzle))
    return replace(puzzle, encodings=encodings, rules=rules)


def _model_checked(puzzle: Puzzle, name: str) -> Callable[[Any], Encoded]:
    encode = puzzle.encodings[name]

    def encoded(level: object) -> Encoded:
        found = encode(level)
        try:
            if not isinstance(found, Encoded):
                raise ModelError(f"found {found!r}, expected Encoded(model, decode, moves)")
            if not isinstance(found.model, Model):
                raise ModelError(f"found the model {found.model!r}, expected Model(...)")
            if found.model.has_formulas:
                found.model.validate()
                _check_costs(found.model, puzzle.metrics)
                if puzzle.constraint is None or puzzle.constraint(level) is None:
                    _check_start(found.model)
                    if name == puzzle.vocabulary.encoding:
                        _check_decoded(found, puzzle.rules.start(level))
        except ModelError as error:
            raise LevelError(f"encoding {name}: {error}", source=puzzle.origin) from None
        return found

    return encoded


def _check_costs(model: Model, metrics: Iterable[str]) -> None:
    """Raise ModelError if an action has no cost for a metric."""
    for action in model.actions:
        for metric in metrics:
            if metric not in action.costs:
                raise ModelError(f"action {action.name} has no cost for metric {metric!r}")


def _check_start(model: Model) -> None:
    """Raise ModelError if the start does not have a value for each bit."""
    cube = literals(model.init)
    if cube is None:
        raise ModelError("init is no conjunction, expected a value for each bit")
    if missing := [str(bit) for bit in model.bits if bit not in cube]:
        found = f"init has no value for {len(missing)} bits"
        raise ModelError(f"{found}, expected one for each; the first is {missing[0]}")


def _check_decoded(encoded: Encoded, start: object) -> None:
    """Raise ModelError if the start of a model is not that of the plain rules."""
    decoded = encoded.decode(initial_state(encoded.model))
    if decoded != start:
        raise ModelError(f"decode: found {decoded!r} for the start, expected {start!r} as in the plain rules")


def _start_checked(puzzle: Puzzle) -> Callable[[Any], Hashable]:
    first = puzzle.rules.start

    def start(level: object) -> Hashable:
        found = first(level)
        _check_hashable(puzzle, "level", level)
        _check_hashable(puzzle, "position", found)
        return found

    return start


def _steps_checked(puzzle: Puzzle) -> Callable[[Any, Any], Iterator[Step]]:
    legal, metrics = puzzle.rules.steps, puzzle.metrics

    def steps(level: object, position: object) -> Iterator[Step]:
        found: object = legal(level, position)
        if not isinstance(found, Iterable):
            raise _wrong(puzzle, f"found {found!r}, expected steps, as in Transition(start, steps, solved)")
        names = set[str]()
        for step in found:
            if not isinstance(step, Step):
                raise _wrong(puzzle, f"found {step!r}, expected Step(name, position, costs)")
            for metric in metrics:
                costs: object = step.costs
                cost: object = costs.get(metric) if isinstance(costs, Mapping) else None
                if not isinstance(cost, Integral) or int(cost) < 0:
                    expected = f"a number for {metric!r} that is not negative"
                    raise _wrong(puzzle, f"{step.name}: found costs {costs!r}, expected {expected}")
            _check_hashable(puzzle, "position", step.position)
            if step.name in names:
                raise Refuted(f"two legal moves have the name {step.name} in {position!r} of {puzzle.origin}")
            names.add(step.name)
            yield step

    return steps


def _check_hashable(puzzle: Puzzle, what: str, found: object) -> None:
    """Raise LevelError for a level or a position that is not hashable."""
    try:
        hash(found)
    except TypeError as error:
        raise _wrong(puzzle, f"found a {what} of {error}, expected tuples and frozensets") from None


def _wrong(puzzle: Puzzle, message: str) -> LevelError:
    return LevelError(f"the plain rules: {message}", source=puzzle.origin)
