"""Levels and certificates as files for other tools."""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzles import Encoded
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import State, holds
from puzzlemc.mc.model import Action
from puzzlemc.mc.verdict import Trace, initial_state
from puzzlemc.reports import aiger, minizinc, pddl, smv
from puzzlemc.reports.certificate import Certificate
from puzzlemc.reports.verify import reopen


def _pddl(encoded: Encoded, metric: str, path: Path) -> list[Path]:
    domain, problem = pddl.write(encoded.model, metric, path.stem)
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    paths = [path.with_suffix(".domain.pddl"), path.with_suffix(".problem.pddl")]
    for place, text in zip(paths, (domain, problem), strict=True):
        place.write_text(text)
    return paths


def _smv(encoded: Encoded, metric: str, path: Path) -> list[Path]:
    path.write_text(smv.write(encoded.model))
    return [path]


def _aiger(encoded: Encoded, metric: str, path: Path) -> list[Path]:
    path.write_bytes(aiger.machine(encoded.model).aiger())
    return [path]


# By name: what writes a model to a path, and returns the paths that it has written.
FORMATS: dict[str, Callable[[Encoded, str, Path], list[Path]]] = {"aiger": _aiger, "pddl": _pddl, "smv": _smv}


def write_minizinc(puzzle: str, level: Any, path: Path) -> list[Path]:
    """Write a level as MiniZinc's model and data; returns the paths. Raises ModelError where that does not go."""
    if puzzle != "tetravex":
        raise ModelError(f"MiniZinc is for constraints, as tetravex has them, not for {puzzle}")
    paths = [path.with_suffix(".mzn"), path.with_suffix(".dzn")]
    for place, text in zip(paths, minizinc.write(level), strict=True):
        place.write_text(text)
    return paths


def write_witness(told: Certificate, folder: Path, stem: str) -> list[Path]:
    """Write what a certificate says in AIGER's formats: the model, and a witness circuit or a trace to the goal.

    Returns the paths. Raises LevelError where the certificate does not say what it is about, ModelError where the
    model has no AIGER, OSError where writing fails.
    """
    encoded = reopen(told, stem)[2]
    paths = _aiger(encoded, told.metric, folder / f"{stem}.model.aig")
    if told.trace is not None:
        place = folder / f"{stem}.trace"
        place.write_text(aiger.trace(encoded.model, _run(encoded, told.trace)))
        return [*paths, place]
    if told.proof is None:
        return paths
    place = folder / f"{stem}.witness.aig"
    place.write_bytes(aiger.witness(encoded.model, told.proof).aiger())
    return [*paths, place]


def _run(encoded: Encoded, moves: Sequence[str]) -> list[Action]:
    """The actions of a run that makes these moves, with actions that are no move in between, depth first.

    Raises ModelError where the model has no such run: an encoding may know some orders of the moves only.
    """
    model = encoded.model
    start = initial_state(model)
    waiting: list[tuple[State, int, tuple[Action, ...]]] = [(start, 0, ())]
    seen = {(start, 0)}
    while waiting:
        state, made, actions = waiting.pop()
        if made == len(moves) and holds(model.goal, state):
            return list(actions)
        for action in model.actions:
            if action.enabled(state):
                after = action.fire(state)
                told = encoded.moves(Trace((state, after), (action,)))
                if told == list(moves[made : made + len(told)]) and (after, made + len(told)) not in seen:
                    seen.add((after, made + len(told)))
                    waiting.append((after, made + len(told), (*actions, action)))
    raise ModelError("no run of the model makes the moves of the trace in their order")
