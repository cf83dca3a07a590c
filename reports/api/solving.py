"""`solve` and `solve_all`: levels in processes of their own, under limits."""

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path as File
from threading import Event
from typing import Unpack

from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.api.arguments import SearchOptions, SolveOptions, options_of, public, require
from puzzlemc.reports.api.levels import Level, LevelLike, Path, entry_of, load, one
from puzzlemc.reports.api.results import Result, Results
from puzzlemc.reports.certify.file_names import CERTIFICATE, file_stems
from puzzlemc.reports.crew.in_order import solve_all as solve_in_order
from puzzlemc.reports.output.files import make_folder
from puzzlemc.reports.solve.known import Known
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import REFUTED
from puzzlemc.reports.workers.worker import WorkerDied


@public(certificates="certificate")
def solve(
    level: LevelLike,
    *,
    improve: str | None = None,
    certificate: Path | None = None,
    progress: Callable[[str], None] | None = None,
    cancel: Event | None = None,
    **given: Unpack[SolveOptions],
) -> Result:
    """Find a solution of least cost, or prove that there is none.

    level         a level, or a path that names one: `levels.xsb#2`
    puzzle        for a path: None takes the puzzle from the file
    metric        what a solution costs; None: the first metric of the puzzle
    engine        the search, and `encoding` the model, as `puzzlemc solve -h` lists
    timeout       seconds; 0: no limit
    memory        GiB
    chance        of a level with chance, the question that is asked: as `puzzlemc solve -h` lists
    count         count the solutions
    why           explain why a level is unsolvable
    plans         the number of plans, the cheapest first, of models and planning tasks; 0: all of the least cost
    loops         of several plans: they may visit a position again
    improve       the text of a solution to begin with, as `puzzlemc solve` writes it: the result is no worse
    certificate   a folder, made if needed, for a certificate of the verdict
    progress      gets a line of text after each better bound or solution, from another thread
    cancel        an event; setting it, from any thread, ends the search with the verdict `unknown`

    Raises LevelError for a bad level, ModelError for a bad option or solution, Refuted if a check failed,
    WorkerDied if the process of the search crashed or was killed.
    """
    known = None if improve is None else Known(improve, "improve")
    options = options_of(given, known)
    chosen = one(level, given.get("puzzle"))
    _require(chosen, options)
    (result,) = _solved([chosen], options, 1, certificate, progress, None, cancel)
    if result.verdict == "error":
        if result._found.exit_code == REFUTED:
            raise (WorkerDied if result._found.died else Refuted)(result.reason or "")
        raise entry_of(chosen).error or ModelError(result.reason or "")
    return result


@public(workers="jobs", certificates="certificate")
def solve_all(
    levels: Iterable[LevelLike] | Path,
    *,
    jobs: int | None = None,
    certificate: Path | None = None,
    progress: Callable[[Result], None] | None = None,
    cancel: Event | None = None,
    **given: Unpack[SearchOptions],
) -> Results:
    """Solve levels, several at a time. A bad level has the verdict `error`, and the others are solved.

    levels    levels, or paths of files and folders
    jobs      levels at a time; None: the number of cores
    progress  gets each result, in the order of the levels
    cancel    an event; setting it makes all levels that are not solved yet `unknown`

    The other parameters are those of `solve`, for each level. Raises LevelError for a missing file, ModelError for
    a bad option.
    """
    options = options_of(given)
    places = [levels] if isinstance(levels, str | os.PathLike) else list(levels)
    for each in places:
        require("levels", each, LevelLike)
    puzzle = given.get("puzzle")
    found = [one for each in places for one in ([each] if isinstance(each, Level) else load(each, puzzle))]
    for chosen in {level.puzzle.name: level for level in found}.values():
        _require(chosen, options)
    return _solved(found, options, jobs, certificate, None, progress, cancel)


def _require(level: Level, options: Options) -> None:
    """Raise ModelError for an option that the program or the puzzle does not have."""
    known = ("auto", *ENGINES)
    if options.engine not in known:
        expected = f"expected one of {', '.join(known)}{nearest(options.engine, known)}"
        raise ModelError(f"unknown engine {options.engine!r}, {expected}")
    choices(level.puzzle, options)


def _solved(
    levels: list[Level],
    options: Options,
    jobs: int | None,
    certificate: Path | None,
    heard: Callable[[str], None] | None,
    progress: Callable[[Result], None] | None,
    cancel: Event | None,
) -> Results:
    entries = [entry_of(level) for level in levels]
    paths: dict[str, File] | None = None
    if certificate is not None:
        folder = File(certificate)
        make_folder(folder)
        paths = {id: folder / (stem + CERTIFICATE) for id, stem in file_stems([one.id for one in entries]).items()}
    results = Results()
    searches = solve_in_order(entries, options, jobs, paths, heard or (lambda _: None), cancelled=cancel)
    with closing(searches) as found:
        for level, each in zip(levels, found, strict=True):
            results.append(Result(level, each))
            if progress is not None:
                progress(results[-1])
    return results
