"""A question that was asked is answered, or its absence is said: for each option and each pair of options."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import jobs
import pytest
from command import CORNERED, write
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.certify.file_names import CERTIFICATE, file_stems
from puzzlemc.reports.crew.chunk import run_chunk
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.crew.jobs import Answer, Job, SymmetricResult
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import Worker

SHIPPED = ROOT / "screens" / "levels"
SOLVABLE = (
    "sokoban/first_steps.xsb#1",
    "folding/first_folds.fold#2",
    "tetravex/many_ways.tetravex#1",
    "tetravex/games.tetravex#1",
    "fabrik/forced.fabrik#1",
    "factorio/first_belts.factorio#1",
    "puzzlescript/shaft.txt#1",
    "pddl/lamps.pddl",
)
UNSOLVABLE = (
    "sokoban/unsolvable.xsb#1",
    "folding/torn.fold#1",
    "tetravex/impossible.tetravex#1",
    "fabrik/forced.fabrik#4",
    "factorio/impossible.factorio#1",
    "pddl/lamps-pair.pddl",
)
ASKING: dict[str, dict[str, object]] = {
    "count": {"count": True},
    "all": {"every": True},
    "plans": {"plans": 3},
    "why": {"why": True},
    "draw": {"draw": True},
    "solutions": {"given": True},
    "certificate": {},
}
PAIRS = [*combinations(ASKING, 1), *combinations(ASKING, 2)]
IN_TIME = [
    pytest.param(
        names,
        timeout,
        id=f"{'-'.join(names)}-{timeout}",
        marks=[pytest.mark.slow] if len(names) > 1 and (timeout or "certificate" not in names) else [],
    )
    for names in PAIRS
    for timeout in (0.0, 0.05)
]
CORNER = "sokoban/unsolvable.xsb#1"


def levels(*names: str) -> list[Entry]:
    return load([str(SHIPPED / name) for name in names])


def asked(names: tuple[str, ...], **more: object) -> Options:
    options = Options(**{key: value for name in names for key, value in ASKING[name].items()})
    return replace(options, **more)  # type: ignore[arg-type]


def certificates(entries: Sequence[Entry], folder: Path) -> dict[str, Path]:
    """Return the paths of certificates in a folder, by the id of the level."""
    stems = file_stems([entry.id for entry in entries])
    return {id: folder / (stem + CERTIFICATE) for id, stem in stems.items()}


def takes(entry: Entry, options: Options) -> bool:
    """Return whether the options apply to the puzzle of a level."""
    try:
        choices(entry.puzzle, options)
    except ModelError:
        return False
    return True


def missing(options: Options, result: Result, certificate: Path | None) -> list[str]:
    """Return what was asked and is neither answered nor said to be absent."""
    found, note = [], result.note
    if result.verdict == "error":
        found.append(f"error: {result.reason}")
    if (options.count or options.every) and "solutions were not counted: " not in note:
        if result.count is None:
            found.append("count")
        elif options.every and result.count.traces is None:
            found.append("all")
    lists_plans = result.plans is not None or "its best plans are not " in note or "it has no plans" in note
    if options.plans > 1 and result.verdict == "solvable" and not lists_plans:
        found.append("plans")
    explained = result.why is not None or result.reason or "why" in note
    if options.why and result.verdict == "unsolvable" and not explained:
        found.append("why")
    if options.draw and result.verdict == "solvable" and result.drawing is None:
        found.append("drawing")
    if options.given and result.given is None and "solutions in its file were not checked" not in note:
        found.append("solutions")
    if certificate is not None and "certificate: " not in note and "certificate was not checked" not in note:
        written = any(certificate.with_suffix(suffix).exists() for suffix in (CERTIFICATE, ".strategies"))
        if not (written and result.checked):
            found.append("certificate")
    return found


@pytest.mark.parametrize(("names", "timeout"), IN_TIME)
def test_each_pair_of_questions_is_answered(names: tuple[str, ...], timeout: float, tmp_path: Path) -> None:
    """Without a limit each answer is there; with one that is reached at any moment, an absence is said."""
    options = asked(names, timeout=timeout)
    entries = [entry for entry in levels(*SOLVABLE, *UNSOLVABLE) if takes(entry, options)]
    assert entries
    paths = certificates(entries, tmp_path) if "certificate" in names else None
    for entry, result in zip(entries, solve_all(entries, options, 2, paths), strict=True):
        assert missing(options, result, paths and paths[entry.id]) == [], (entry.id, result)
        if not timeout:
            assert result.verdict in ("solvable", "unsolvable")
            assert "not counted" not in result.note


@pytest.mark.parametrize(
    "names", [*combinations(ASKING, 1), ("count", "certificate"), ("plans", "why")], ids="-".join
)
def test_what_only_the_first_worker_was_asked_is_not_lost(
    names: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first worker runs out of memory; the second one gives the verdict, but neither counts nor explains."""
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.give_up)
    options = asked(names)
    entries = [entry for entry in levels("tetravex/many_ways.tetravex#1", CORNER) if takes(entry, options)]
    paths = certificates(entries, tmp_path) if "certificate" in names else None
    for entry, result in zip(entries, solve_all(entries, options, 1, paths), strict=True):
        assert missing(options, result, paths and paths[entry.id]) == [], result
        assert result.verdict == ("solvable" if "tetravex" in entry.id else "unsolvable")
        if options.count or options.every:
            assert "its solutions were not counted: memory" in result.note
        if options.why and result.verdict == "unsolvable" and result.why is None:
            assert "why was not found: memory" in result.note


def test_the_count_of_the_first_worker_is_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second worker finds a solution that costs nothing, which none can better; the first one counts."""
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.solve_late)
    (result,) = solve_all(levels("tetravex/many_ways.tetravex#1"), Options(count=True, timeout=16.0), 1)
    assert result.verdict == "solvable"
    assert result.count is not None, result.note
    assert result.note == ""


def test_a_batch_says_that_no_reason_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.chunk._work", jobs.give_up_at_work)
    options = Options(why=True)
    (entry,) = levels(CORNER)
    answers: list[Answer] = []
    with Worker(int(options.memory * GIB)) as worker:
        run_chunk(worker, [Job(7, entry, options)], None, answers.extend)
    result = answers[-1].result
    assert result is not None
    assert (result.verdict, result.note) == ("unsolvable", "why was not found: memory")


def test_a_batch_explains_images_of_a_level_anew(tmp_path: Path) -> None:
    """The part of a mirrored level that has no solution has other places."""
    image = CORNERED.replace("#$  #", "#  $#").replace("#.@ #", "# @.#")
    first, mirrored = load(
        [str(write(tmp_path / f"{name}.xsb", text)) for name, text in (("a", CORNERED), ("b", image))]
    )
    options = Options(why=True)
    expected, found = (solve_entry(entry, options).light for entry in (mirrored, first))
    assert expected.why is not None
    assert found.why is not None
    assert expected.why.objects != found.why.objects
    answers: list[Answer] = []
    with Worker(int(options.memory * GIB)) as worker:
        run_chunk(worker, [Job(7, mirrored, options, SymmetricResult(found, 0, 0, 1))], None, answers.extend)
    result = answers[-1].result
    assert result is not None
    assert result.why is not None
    assert (result.verdict, result.why.objects) == ("unsolvable", expected.why.objects)


def test_remarks_are_joined_each_once() -> None:
    result = Result("a#1").noted("one").noted("two").noted("one")
    assert result.note == "one; two"
