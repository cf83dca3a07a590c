"""`convert` and `export`: levels in other formats of levels, and as models for other tools."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    ASKED,
    LIMITS,
    OUTPUT,
    Encoding,
    Level,
    LevelLimits,
    Memory,
    Metric,
    PuzzleName,
    Quiet,
    Rules,
    flag,
    option,
)
from puzzlemc.reports.cli.common.session import (
    bad_usage,
    in_worker,
    interruptible,
    placed,
    refuse_inputs,
    require,
    same_file,
)
from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.output.plain import plain, plain_lines

if TYPE_CHECKING:
    from puzzlemc.reports.workers.single import OneLevel

CONVERTED = """
puzzlemc convert levels.xsb levels.slc
puzzlemc convert levels.xsb#1-2 levels.sok.zip
puzzlemc convert levels.xsb --to sok -o -
"""
EXPORTED = """
puzzlemc export level.xsb --to smv -o level.smv
puzzlemc export level.xsb --to dimacs --bound 12 -o -
puzzlemc export level.fold --to graphml -o states.graphml
puzzlemc export level.xsb --to page -o level.html
puzzlemc export level.xsb --to oracle -o level.oracle
"""


def convert(
    levels: Annotated[
        str,
        typer.Argument(
            metavar="FROM",
            autocompletion=values.levels,
            help="A file, a folder, levels of a file such as FILE#3-7, or -.",
        ),
    ],
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="TO",
            show_default=False,
            help="The file; - is standard output. Its suffix tells the format; .gz or .zip behind it packs it.",
        ),
    ] = None,
    output: Annotated[Path | None, option(OUTPUT, "FILE", "The same as TO.", "--output", "-o")] = None,
    in_place: Annotated[
        bool, flag(OUTPUT, "--in-place", "Replace the file FROM, unless something would be lost.")
    ] = False,
    puzzle: PuzzleName = None,
    form: Annotated[
        str | None,
        option(
            OUTPUT,
            "SUFFIX",
            "The suffix of the format, such as sok.",
            "--to",
            autocompletion=values.suffixes,
            show_default="that of the file",
        ),
    ] = None,
    memory: Memory = 4.0,
    quiet: Quiet = False,
) -> None:
    """Write levels in another format, with titles, authors, comments and solutions.

    Standard error lists what the format cannot hold. Ends with 0, or 2: bad usage or input; levels without
    errors are still written.
    """
    from puzzlemc.encodings.puzzles import files
    from puzzlemc.reports.ask.convert import Converted, Target, converted
    from puzzlemc.reports.solve.result import BAD_INPUT
    from puzzlemc.reports.workers.single import standard_input
    from puzzlemc.screens.base.signatures import GZIP_SUFFIX

    if target is not None and output is not None:
        raise typer.BadParameter(f"found TO and {plain(str(output))}, expected one of them", param_hint="--output")
    target = target or output or (Path(levels) if in_place else None)
    if target is None:
        raise typer.BadParameter("expected a file to write to: TO, or -o FILE", param_hint="TO")
    chosen = Target.of(str(target), form)
    itself = in_place and same_file(target, levels)
    if itself and chosen.packed not in ("", GZIP_SUFFIX):
        raise typer.BadParameter(f"{plain(str(target))}: found an archive, expected a file of levels to replace")
    if not itself:
        if same_file(target, levels):
            message = f"{target}: is also read; expected another file to write to, or --in-place to replace it"
            raise typer.BadParameter(plain(message))
        refuse_inputs([target], files(levels))
    data = standard_input([levels])
    with interruptible(), in_worker(memory, "puzzlemc.reports.ask.convert") as worker, bad_usage():
        done: Converted = worker.run(converted, levels, puzzle, data, chosen)
    for message in done.wrong:
        print(plain_lines(f"error: {message}"), file=sys.stderr)
    if done.data is None:
        raise typer.Exit(BAD_INPUT)
    if itself and (done.wrong or done.lost):
        lost = [*["what is no sound level"][: len(done.wrong)], *done.lost]
        print(plain(f"error: {target}: not replaced, for this would be lost: {', '.join(lost)}"), file=sys.stderr)
        raise typer.Exit(BAD_INPUT)
    write(target, done.data)
    if done.lost and not quiet:
        print(plain(f"{target}: lost: {', '.join(done.lost)}"), file=sys.stderr)
    if target != STANDARD_OUTPUT and not quiet:
        print(plain(f"{target}: {done.levels} level{'s' * (done.levels != 1)}"))
    raise typer.Exit(done.exit_code)


class _Extent(NamedTuple):
    """How much of a model is written."""

    bound: Annotated[
        int | None,
        option(
            ASKED, "STEPS", "For dimacs: satisfiable exactly if there is a solution of at most STEPS steps.", min=0
        ),
    ] = None
    states: Annotated[
        int | None,
        option(
            LIMITS,
            "N",
            "For dot and graphml: the most states. For oracle: the most positions.",
            min=1,
            show_default="100000, for oracle 1000000",
        ),
    ] = None


def export(
    level: Level,
    to: Annotated[
        str,
        option(
            OUTPUT,
            "FORMAT",
            "page, one HTML file that plays by itself; oracle, what a game asks about its positions; "
            "aiger, btor2, dimacs, dot, graphml, pddl, sas or smv; "
            "minizinc, or blueprint and json, for some puzzles.",
            autocompletion=values.export_formats,
        ),
    ],
    output: Annotated[
        Path,
        option(
            OUTPUT,
            "FILE",
            "- is standard output. PDDL and MiniZinc become two files of that name; "
            "blueprints become NAME.2.0.txt and NAME.1.1.txt.",
            "--output",
            "-o",
        ),
    ],
    *,
    rules: Rules,
    metric: Metric = None,
    encoding: Encoding = "compact",
    extent: _Extent,
    limits: LevelLimits,
) -> None:
    """Write the model of a level, or its state graph, for other tools; a page that plays; or an oracle for a game.

    Ends with 0: written, 2: bad usage or input, 3: a limit came first, 4: a bug.
    """
    from puzzlemc.encodings.puzzles import files
    from puzzlemc.reports.formats.export import (
        ALONE,
        DIMACS,
        MOST_STATES,
        OF_STATES,
        ORACLE,
        PAGE,
        formats,
        in_two_files,
        write_level,
    )
    from puzzlemc.reports.workers.single import OneLevel

    with (
        interruptible(),
        in_worker(limits.memory, "puzzlemc.reports.formats.export", f"{level}: not written") as worker,
        bad_usage(),
    ):
        one = OneLevel(worker, level, rules.puzzle, limits.timeout or None)
        puzzle = one.puzzle
        require("--to", to, tuple(sorted([*formats(puzzle), *ALONE])))
        if to != PAGE:
            puzzle.need_steps()
        if to not in (*OF_STATES, *ALONE):
            puzzle.need_model(to)
        if output == STANDARD_OUTPUT and in_two_files(puzzle, to):
            raise typer.BadParameter("found '-', expected a name for two files", param_hint="--output")
        if puzzle.encodings:
            require("--encoding", encoding, tuple(puzzle.encodings))
        metric = metric or puzzle.metrics[0]
        require("--metric", metric, (*puzzle.metrics, "any"))
        _need_use("--bound", extent.bound, to, [DIMACS])
        _need_use("--states", extent.states, to, [*OF_STATES, ORACLE])
        refuse_inputs([output], files(level))
        with placed(output) as place:
            if to == PAGE:
                from puzzlemc.reports.share.page import write_page

                written = one.run(write_page, metric, place, limits.timeout or None, limits.memory)
            elif to == ORACLE:
                written = _oracle(one, level, metric, place, extent.states, limits)
            else:
                most = MOST_STATES if extent.states is None else extent.states
                written = one.run(write_level, to, encoding, metric, place, extent.bound, most)
    for path in written if output != STANDARD_OUTPUT else ():
        print(plain(str(path)))


def _need_use(name: str, value: int | None, to: str, forms: list[str]) -> None:
    """Raise typer.BadParameter for a number that does not belong to the format."""
    if value is not None and to not in forms:
        expected = f"expected it with --to {' or '.join(forms)}"
        raise typer.BadParameter(f"found {value} with --to {plain(to)}, {expected}", param_hint=name)


def _oracle(
    one: "OneLevel", level: str, metric: str, place: Path, states: int | None, limits: "LevelLimits"
) -> tuple[Path, ...]:
    """Write an oracle; return the paths. Raises typer.Exit if a limit comes before all that can be written."""
    from puzzlemc.reports.oracle.export import Written, write_oracle
    from puzzlemc.reports.solve.result import UNKNOWN

    done: Written = one.run(write_oracle, metric, place, states, limits.timeout or None, limits.memory)
    if not done.paths:
        print(plain(f"{level}: not written: {done.limit}"), file=sys.stderr)
        raise typer.Exit(UNKNOWN)
    if done.limit:
        print(plain(f"{level}: only what proves positions lost: {done.limit}"), file=sys.stderr)
    return done.paths
