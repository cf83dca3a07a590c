"""Levels and certificates as files for other tools."""

import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.sat.refinement import written_out
from puzzlemc.reports.certify.certificate import Certificate
from puzzlemc.reports.certify.verify import model_of
from puzzlemc.reports.formats import aiger, btor2, dimacs, pddl, pddl_task, sas, smv, state_graph
from puzzlemc.reports.formats.legend import commented, legend
from puzzlemc.reports.output.files import OutputError, write
from puzzlemc.reports.solve.options import formulas_elsewhere

MOST_STATES = 100_000  # of a state graph, by default


@dataclass(frozen=True)
class Job:
    """A level to write, with options: `bound` in steps for DIMACS; `states`, the most states of a state graph."""

    entry: Entry
    encoding: str
    metric: str
    path: Path
    bound: int | None = None
    states: int = MOST_STATES

    @cached_property
    def encoded(self) -> Encoded:
        """The level as a model."""
        encoded = self.entry.puzzle.encodings[self.encoding](self.entry.level)
        return replace(encoded, model=written_out(encoded.model, Budget()))

    @property
    def formulas(self) -> Model:
        """The model, whose formulas the format needs. Raises ModelError for a step system, which has none."""
        model = self.encoded.model
        if not model.has_formulas:
            rules = self.entry.puzzle
            other = formulas_elsewhere(rules, self.encoding)
            raise ModelError(f"the model of {rules.name} has no formulas: expected another format{other}")
        return model


def _two(job: Job, *suffixes: str) -> list[Path]:
    """The paths of a format with two files. Raises OutputError for a folder."""
    if not job.path.name:
        raise OutputError(str(job.path), errno.EISDIR)
    return [job.path.with_suffix(suffix) for suffix in suffixes]


def _pddl(job: Job) -> list[Path]:
    paths = _two(job, ".domain.pddl", ".problem.pddl")
    model, name = job.formulas, job.path.stem
    try:
        task = translation(model, whole=True).with_metric(job.metric)
    except Unsuitable:  # its own variables
        domain, problem = pddl.write(model, job.metric, name)
    else:
        domain, problem = pddl_task.write(task, name)
    write(paths[0], commented("; ", legend(model)) + domain)
    write(paths[1], problem)
    return paths


def _sas(job: Job) -> list[Path]:
    try:
        task = translation(job.formulas).with_metric(job.metric)
    except Unsuitable as error:
        raise ModelError(f"the level has no finite-domain task: {error}") from None
    write(job.path, sas.write(sas.for_planners(task)))
    return [job.path]


def _smv(job: Job) -> list[Path]:
    model = job.formulas
    write(job.path, commented("-- ", legend(model)) + smv.write(model))
    return [job.path]


def _aiger(job: Job) -> list[Path]:
    write(job.path, aiger.machine(job.formulas).aiger())
    return [job.path]


def _btor2(job: Job) -> list[Path]:
    write(job.path, btor2.write(job.formulas))
    return [job.path]


def _dimacs(job: Job) -> list[Path]:
    if job.bound is None:
        raise ModelError("DIMACS needs a number of steps: --bound K")
    model = job.formulas
    write(job.path, commented("c ", legend(model)) + dimacs.write(model, job.metric, job.bound))
    return [job.path]


def _network(job: Job) -> Any:
    """The state graph by the plain rules, for any encoding, with a marked solution of least cost."""
    rules, level = job.entry.puzzle, job.entry.level
    encoded = rules.encode_faithfully(level)
    made = state_graph.network(state_graph.explored(encoded, job.states), encoded, level, rules)
    state_graph.mark_path(made, state_graph.cheapest_path(made, job.metric), job.metric)
    return made


def _dot(job: Job) -> list[Path]:
    write(job.path, state_graph.dot(_network(job)))
    return [job.path]


def _graphml(job: Job) -> list[Path]:
    data = BytesIO()
    nx.write_graphml(_network(job), data)
    write(job.path, data.getvalue())
    return [job.path]


DIMACS = "dimacs"  # the format that needs a number of steps

# Formats by name: functions that write the level of a job to its path, and return the written paths.
FORMATS: dict[str, Callable[[Job], list[Path]]] = {
    "aiger": _aiger,
    "btor2": _btor2,
    DIMACS: _dimacs,
    "dot": _dot,
    "graphml": _graphml,
    "pddl": _pddl,
    "sas": _sas,
    "smv": _smv,
}


OF_STATES = ("dot", "graphml")  # formats of state graphs, which need no model
PAGE = "page"  # a level that plays by itself, which `puzzlemc.reports.share` writes
ORACLE = "oracle"  # what a game asks about its positions, which `puzzlemc.reports.oracle` writes
ALONE = (ORACLE, PAGE)  # formats for all puzzles, which need no model


def formats(rules: Puzzle) -> dict[str, Callable[[Job], list[Path]]]:
    """The formats of the puzzle by name, as functions that write a level."""
    return FORMATS | {name: partial(_own, contents) for name, contents in rules.text.exports.items()}


def in_two_files(rules: Puzzle, to: str) -> bool:
    """Does the format have two files for a level?"""
    return to == "pddl" or to in rules.text.exports


def _own(contents: Callable[[Any], Mapping[str, str]], job: Job) -> list[Path]:
    """Write a level in a format that only this puzzle has."""
    files = contents(job.entry.level)
    paths = _two(job, *files)
    for place, text in zip(paths, files.values(), strict=True):
        write(place, text)
    return paths


def write_level(entry: Entry, to: str, *how: Any) -> list[Path]:
    """Write a level in a format; `how` are the other fields of a Job. Raises ModelError or OutputError."""
    return formats(entry.puzzle)[to](Job(entry, *how))


def write_witness(
    certificate: Certificate, form: str, folder: Path, stem: str, own: Puzzle | None = None
) -> list[Path]:
    """Write a certificate as circuits, by `aiger` or `btor2`: the model, and a witness circuit or a run.

    `own` is the puzzle of the certificate, if it does not come with the program. Returns the paths. Raises
    LevelError if the certificate does not contain its level, ModelError if the model or the proof has no such
    form, and OutputError if writing fails.
    """
    if certificate.trace is None and not isinstance(certificate.proof, LayeredProof | None):
        raise ModelError("its proof is no circuit")
    encoded = model_of(certificate, stem, own)
    encoded = replace(encoded, model=written_out(encoded.model, Budget()))
    circuit, run = CIRCUITS[form]
    paths = [folder / f"{stem}.model.{circuit.suffix}"]
    write(paths[0], circuit.contents(aiger.machine(encoded.model)))
    if certificate.trace is not None:
        paths.append(folder / f"{stem}.{run.suffix}")
        write(paths[1], run.contents(encoded.model, *_run(encoded, certificate.trace)))
    elif isinstance(certificate.proof, LayeredProof):
        paths.append(folder / f"{stem}.witness.{circuit.suffix}")
        write(paths[1], circuit.contents(aiger.witness(encoded.model, certificate.proof)))
    return paths


class _Written(NamedTuple):
    """A kind of file: how its name ends, and what writes its contents."""

    suffix: str
    contents: Callable[..., str | bytes]


# Formats of circuits: a circuit, and a run of the model that ends in a bad state.
CIRCUITS = {
    "aiger": (_Written("aig", aiger.Machine.aiger), _Written("trace", aiger.trace)),
    "btor2": (_Written("btor2", btor2.text), _Written("wit", btor2.witness)),
}


def _run(encoded: Encoded, moves: Sequence[str]) -> tuple[State, list[Action]]:
    """The first state and the actions of a trace with these moves, found by depth-first search.

    Actions that are not moves may occur in between. Raises ModelError if the model has no such trace; an encoding
    may allow some orders of the moves only.
    """
    model = encoded.model
    if encoded.start is not None:
        return encoded.start(moves), []
    start = initial_state(model)
    waiting: list[tuple[State, int, tuple[Action, ...]]] = [(start, 0, ())]
    seen = {(start, 0)}
    while waiting:
        state, made, actions = waiting.pop()
        if made == len(moves) and holds(model.goal, state):
            return start, list(actions)
        for action, after in model.successors(state):
            new = encoded.moves(Trace((state, after), (action,)))
            count = made + len(new)
            if new == list(moves[made:count]) and (after, count) not in seen:
                seen.add((after, count))
                waiting.append((after, count, (*actions, action)))
    raise ModelError("no run of the model makes the moves of the trace in their order")
