"""The command line: a thin layer over `puzzlemc.reports.run.pool` and its results.

Results go to standard output, everything else to standard error. What takes time to import is imported in
the commands that need it, so that `--help` stays quick.
"""

import json
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.arguments import Command
from puzzlemc.reports.output.files import STANDARD_OUTPUT, OutputError, make_folder, short_name, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import give_up_output, open_streams, progress
from puzzlemc.reports.run.interrupt import catch_interrupts, interrupt_taken

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from puzzlemc.reports.formats.traces import Traces
    from puzzlemc.reports.run.result import Result
    from puzzlemc.reports.run.solve import Options
    from puzzlemc.reports.run.worker import Worker
    from puzzlemc.screens.source import Entry

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C

app = typer.Typer(
    help="A symbolic model checker for puzzles: shortest solutions, or proofs that there is none.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Levels = Annotated[list[str], typer.Argument(help="Files, folders, FILE#N for the N-th level of a file, or -.")]
PuzzleName = Annotated[
    str | None, typer.Option("--puzzle", help="The puzzle, where suffix and content do not tell.")
]
Metric = Annotated[
    str | None,
    typer.Option(help="What a shortest trace has fewest of, as `puzzlemc puzzles` lists; any = the first found."),
]
Engine = Annotated[
    str,
    typer.Option(help="auto, forward, backward, bidirectional, best-first, explicit, bmc, k-induction or ic3."),
]
Diagrams = Annotated[str, typer.Option(help="auto, cudd or zdd: the decision-diagram package.")]
Encoding = Annotated[str, typer.Option(help="compact or tiles, as `puzzlemc puzzles` lists.")]
Timeout = Annotated[float, typer.Option(min=0, help="Seconds of wall clock for each level; 0 = no limit.")]
Memory = Annotated[float, typer.Option(min=0.0625, max=65536, help="GiB for each level.")]
Certificates = Annotated[
    Path | None,
    typer.Option("--certificate", metavar="DIR", help="Write a certificate of each verdict, and check it."),
]
Count = Annotated[bool, typer.Option("--count", help="How many solutions are there? Not of every puzzle.")]
Every = Annotated[bool, typer.Option("--all", help="All solutions. Not of every puzzle.")]
Draw = Annotated[bool, typer.Option("--draw", help="Draw the position after the last move.")]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON object a level on standard output, nothing else there.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="What the engines did, on standard error.")]


CODES = "Ends with 0: all are solvable, 1: some is not, 2: bad usage or input, 3: some unknown, 4: a bug."


@app.command(help=f"Is each level solvable? {CODES}", cls=Command)
def check(
    levels: Levels,
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    certificate: Certificates = None,
    count: Count = False,
    every: Every = False,
    draw: Draw = False,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Solve levels and show the verdicts."""
    from puzzlemc.reports.run.solve import Options

    options = Options(metric, engine, diagrams, encoding, timeout, memory, count, every, draw)
    _run(levels, puzzle, options, certificate, as_json=as_json, quiet=quiet, verbose=verbose, traces=False)


@app.command(help=f"Like check, with a shortest trace of each solvable level. {CODES}", cls=Command)
def solve(
    levels: Levels,
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    certificate: Certificates = None,
    count: Count = False,
    every: Every = False,
    draw: Draw = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="How traces are written: lurd, moves (one a line), frames (drawings), json, svg or gif. "
            "Then standard output has the traces alone, and verdicts without one go to standard error.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write traces to that file, or, of several levels, each to a file in that folder. "
            "- is standard output.",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Solve levels and show the traces."""
    from puzzlemc.reports.run.solve import Options

    if form is None and output is not None:
        raise typer.BadParameter("an output needs a --format", param_hint="--output")
    if form is not None and output in (None, STANDARD_OUTPUT) and as_json:
        raise typer.BadParameter(
            "traces and --json cannot share standard output, expected -o", param_hint="--format"
        )
    options = Options(metric, engine, diagrams, encoding, timeout, memory, count, every, draw)
    show = {"as_json": as_json, "quiet": quiet, "verbose": verbose}
    _run(levels, puzzle, options, certificate, **show, traces=True, form=form, output=output)


@app.command("verify")
def verify_certificates(
    certificates: Annotated[
        list[Path], typer.Argument(metavar="CERT...", help="Certificates, as --certificate writes.")
    ],
    level: Annotated[
        list[str] | None, typer.Option(help="The levels that they must be about, as for check; may be repeated.")
    ] = None,
    drat: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Check by SAT alone, and write question (.cnf) and refutation (.drat) there."
        ),
    ] = None,
    aiger: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write the models and witnesses of valid ones there, in AIGER's formats."
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds of wall clock for each; 0 = no limit.")] = 0.0,
    memory: Memory = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check certificates, trusting no engine. Ends with 0: all are valid, 2: some unreadable, 4: some refuted."""
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.formats.checked import checked, known
    from puzzlemc.reports.run.single import standard_input
    from puzzlemc.reports.run.verify import Verification
    from puzzlemc.reports.run.worker import WorkerDied
    from puzzlemc.screens.errors import LevelError

    for folder in (drat, aiger):
        if folder is not None:
            make_folder(folder)
    levels = (level or [], standard_input(level or []))
    limits = Limits(timeout or None, int(memory * GIB))
    done: list[Verification] = []
    with (
        _output(lambda: f"interrupted after {len(done)} of {len(certificates)} certificates"),
        _worker(memory, "puzzlemc.reports.formats.checked", quiet=quiet) as worker,
    ):
        if level:
            try:
                worker.run(known, *levels, seconds=timeout or None)
            except LevelError as error:
                raise typer.BadParameter(plain(str(error)), param_hint="--level") from None
        with progress(len(certificates), "certificates", shown=not quiet) as advance:
            for path, stem in zip(certificates, _stems(certificates), strict=True):
                refutation = drat / stem if drat is not None else None
                try:
                    asked = (path, levels, refutation, aiger, stem, limits)
                    done.append(worker.run(checked, *asked, seconds=timeout or None))
                except LimitReached as limit:
                    reason = f"{path}: not checked: {limit.reason}"
                    done.append(Verification(str(path), "unchecked", reason=reason, seconds=worker.seconds))
                except WorkerDied as death:
                    reason = f"{path}: {death}"
                    done.append(Verification(str(path), "crashed", reason=reason, seconds=worker.seconds))
                print(json.dumps(done[-1].as_json()) if as_json else done[-1].as_text(), flush=True)
                if done[-1].note:
                    print(plain(f"{path}: {done[-1].note}"), file=sys.stderr)
                advance()
        if not as_json:
            print(
                f"{sum(one.status == 'valid' for one in done)} of {len(done)} valid; "
                f"{sum(one.seconds for one in done):.2f} s of processor time"
            )
    codes = {one.exit_code for one in done}
    raise typer.Exit(next(code for code in (4, 2, 0) if code in codes))


def _stems(paths: "Sequence[Path]") -> list[str]:
    """A name for the output of each file: its own without suffix, with a number where that is taken."""
    stems: list[str] = []
    for path in paths:
        stem = short_name(path.stem)
        names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        stems.append(next(name for name in names if name not in stems))
    return stems


@app.command("compare", cls=Command)
def compare_ways(
    levels: Levels,
    puzzle: PuzzleName = None,
    method: Annotated[
        list[str] | None, typer.Option(help="Only this search or engine; may be repeated. Default: all of them.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds of wall clock for each way on each level.")
    ] = 10.0,
    memory: Memory = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Textbook searches by the plain rules beside the engines: time and visited states. Ends with 0, 2 or 4."""
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.cli.table import compared
    from puzzlemc.reports.run.compare import Row, attempt_in, compare, ways
    from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, SOLVABLE
    from puzzlemc.screens.source import load

    entries = load(levels, puzzle)
    known = [name for entry in entries if entry.puzzle for name in ways(entry.puzzle)]
    for name in method or []:
        _require("--method", name, tuple(dict.fromkeys(known)))
    rows: list[Row] = []
    code = SOLVABLE
    if known and not as_json:
        print(Row.heading(len(plain(next(entry.id for entry in entries if entry.puzzle)))))
    with (
        _output(lambda: f"interrupted after {len(rows)} rows"),
        _worker(memory, "puzzlemc.reports.run.compare", quiet=quiet) as worker,
    ):
        attempt = attempt_in(worker, timeout, memory)
        with progress(len(entries), shown=not quiet) as advance:
            for entry in entries:
                if entry.error is not None:
                    print(f"error: {plain(str(entry.error))}", file=sys.stderr)
                    code = max(code, BAD_INPUT)
                    continue
                try:
                    for row in compare(entry, method or ways(entry.puzzle), attempt):
                        rows.append(row)
                        code = REFUTED if row.verdict == "error" else code
                        print(json.dumps(row.as_json()) if as_json else row.as_text(), flush=True)
                except Refuted as error:
                    print(f"error: {plain(str(error))}", file=sys.stderr)
                    code = REFUTED
                advance()
        if not as_json:
            compared(rows)
    raise typer.Exit(code)


@app.command(cls=Command)
def export(
    level: Annotated[str, typer.Argument(help="One level: a file with one, or FILE#N.")],
    to: Annotated[str, typer.Option(help="aiger, dimacs, dot, graphml, minizinc, pddl or smv.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="- is standard output. PDDL and MiniZinc become two files of that name.",
        ),
    ],
    puzzle: PuzzleName = None,
    metric: Metric = None,
    encoding: Encoding = "compact",
    bound: Annotated[
        int | None,
        typer.Option(
            min=0, help="For dimacs: satisfiable exactly if there is a solution of at most so many steps."
        ),
    ] = None,
    states: Annotated[int, typer.Option(min=1, help="For dot and graphml: the most states.")] = 100_000,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Write the model of a level for other tools, or its state graph (dot, graphml). Ends with 0, 2, 3 or 4."""
    from puzzlemc.encodings.puzzles import puzzle as puzzle_of
    from puzzlemc.mc.errors import LimitReached, ModelError
    from puzzlemc.reports.formats.export import formats, in_two_files, write_level
    from puzzlemc.reports.run.result import UNKNOWN
    from puzzlemc.reports.run.single import OneLevel

    with _output(lambda: "interrupted"), _worker(memory, "puzzlemc.reports.formats.export") as worker:
        try:
            one = OneLevel(worker, level, puzzle, timeout or None)
            rules = puzzle_of(one.puzzle)
            _require("--to", to, tuple(sorted(formats(rules))))
            if output == STANDARD_OUTPUT and in_two_files(rules, to):
                raise typer.BadParameter("found '-', expected a name for two files", param_hint="--output")
            _require("--encoding", encoding, tuple(rules.encodings))
            metric = metric or rules.metrics[0]
            _require("--metric", metric, (*rules.metrics, "any"))
            with _placed(output) as place:
                written = one.run(write_level, to, encoding, metric, place, bound, states)
        except LimitReached as limit:
            print(plain(f"{level}: not written: {limit.reason}"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
    for path in written if output != STANDARD_OUTPUT else ():
        print(plain(str(path)))


@app.command(cls=Command)
def report(
    level: Annotated[str, typer.Argument(help="One level: a file with one, or FILE#N.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="What to write: .html, .json or .md; - is Markdown on standard output.",
        ),
    ],
    puzzle: PuzzleName = None,
    metric: Metric = None,
    engine: Engine = "auto",
    diagrams: Diagrams = "auto",
    encoding: Encoding = "compact",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Write what all states of a level tell: the verdict and its proof, where players get stuck, and more.

    Search, proof and analysis each have the limits of time and memory. Ends with 0, or with 3 where something is
    missing in the report; the report tells what. 2: bad usage or input, 4: a bug.
    """
    from puzzlemc.encodings.puzzles import puzzle as puzzle_of
    from puzzlemc.mc.engines.registry import ENGINES
    from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
    from puzzlemc.mc.sets.diagrams import DIAGRAMS
    from puzzlemc.reports.page.report import solved
    from puzzlemc.reports.page.written import FORMATS
    from puzzlemc.reports.page.written import write as write_report
    from puzzlemc.reports.run.result import BAD_INPUT, REFUTED, SOLVABLE, UNKNOWN
    from puzzlemc.reports.run.single import OneLevel, itself
    from puzzlemc.reports.run.solve import Options

    suffix = ".md" if output == STANDARD_OUTPUT else output.suffix
    _require("--output", suffix, tuple(FORMATS))
    _require("--engine", engine, ("auto", *ENGINES))
    _require("--diagrams", diagrams, ("auto", *DIAGRAMS))
    options = Options(metric, engine, diagrams, encoding, timeout, memory)
    with _output(lambda: "interrupted"), _worker(memory, "puzzlemc.reports.page.written") as worker:
        try:
            one = OneLevel(worker, level, puzzle, timeout or None)
            rules = puzzle_of(one.puzzle)
            _require("--encoding", encoding, tuple(rules.encodings))
            _require("--metric", metric or rules.metrics[0], (*rules.metrics, "any"))
            result = solved(one.run(itself), options, _notify)
            with _placed(output, suffix) as place:
                try:
                    missing = one.run_anew(write_report, options, result, place)
                except LimitReached as limit:
                    missing = one.run_anew(write_report, options, result, place, limit.reason)
        except LimitReached as limit:
            print(plain(f"{level}: no report: {limit.reason} came first"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
        except Refuted as refuted:
            print(f"error: {plain(str(refuted))}", file=sys.stderr)
            raise typer.Exit(REFUTED) from None
        except ModelError as error:
            print(f"error: {plain(str(error))}", file=sys.stderr)
            raise typer.Exit(BAD_INPUT) from None
        if output != STANDARD_OUTPUT:
            print(plain(str(output)))
        for what in missing:
            print(plain(f"{result.id}: missing: {what}"), file=sys.stderr)
    raise typer.Exit(UNKNOWN if missing else SOLVABLE)


@app.command()
def generate(
    puzzle: Annotated[str, typer.Argument(help="folding or tetravex.")],
    size: Annotated[str, typer.Option(help="Rows of a square board, or ROWSxCOLUMNS.")] = "4",
    colours: Annotated[int, typer.Option(help="How many colours.")] = 4,
    seed: Annotated[int, typer.Option(help="The same seed gives the same level.")] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="With one solution.")] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="- is standard output.")
    ] = STANDARD_OUTPUT,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Make a level at random, and find out how many solutions it has. Ends with 3 where a limit stops that."""
    from puzzlemc.encodings.puzzles import PUZZLES
    from puzzlemc.mc.errors import LimitReached, ModelError
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.run.generate import generate as generated
    from puzzlemc.reports.run.result import UNKNOWN

    _require("PUZZLE", puzzle, PUZZLES)
    told = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", size)
    if told is None:
        raise typer.BadParameter(f"found {size!r}, expected ROWS or ROWSxCOLUMNS", param_hint="--size")
    rows, columns = int(told[1]), int(told[2] or told[1])
    drawn: list[str] = []
    with _output(lambda: "interrupted"), _worker(memory, "puzzlemc.reports.run.generate") as worker:
        asked = (puzzle, rows, columns, colours, seed, unique, Limits(timeout or None, int(memory * GIB)))
        try:
            level, number = worker.run(generated, *asked, seconds=timeout or None, told=drawn.append)
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except LimitReached as limit:
            if not drawn:
                what = "no level with one solution was found" if unique else "no level was drawn"
                print(f"{what}: {limit.reason}", file=sys.stderr)
                raise typer.Exit(UNKNOWN) from None
            level, number = drawn[-1], None
    solutions = "not counted" if number is None else number
    text = f"% solutions: {solutions}\n{level}\n"
    write(output, text)
    if number is None:
        print("its solutions were not counted: the limit of time or memory came first", file=sys.stderr)
        raise typer.Exit(UNKNOWN)


@app.command("query", cls=Command)
def query_level(
    level: Annotated[str, typer.Argument(help="One level: a file with one, or FILE#N.")],
    formula: Annotated[
        str, typer.Argument(help="CTL, as 'AG EF solved': see `puzzlemc puzzles NAME` for the atoms.")
    ],
    puzzle: PuzzleName = None,
    engine: Annotated[
        str,
        typer.Option(help="auto, explicit (state by state) or symbolic (decision diagrams)."),
    ] = "auto",
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Does a CTL formula hold? Ends with 0: yes, 1: no, 2: bad usage or input, 3: unknown, 4: a bug."""
    from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.mc.temporal.check import ENGINES
    from puzzlemc.reports.run.query import answered, unanswered
    from puzzlemc.reports.run.result import REFUTED
    from puzzlemc.reports.run.single import OneLevel

    _require("--engine", engine, ("auto", *ENGINES))
    limits = Limits(timeout or None, int(memory * GIB))
    with _output(lambda: "interrupted"), _worker(memory, "puzzlemc.reports.run.query") as worker:
        try:
            one = OneLevel(worker, level, puzzle, limits.seconds)
            data, text, code = one.run(answered, formula, limits, engine)
        except LimitReached as limit:
            told = unanswered(level, puzzle or "", formula, limit.reason, worker.seconds)
            data, text, code = told.as_json(), told.as_text(), told.exit_code
        except FormulaError as error:
            before, after = (plain(part) for part in (formula[: error.column - 1], formula[error.column - 1 :]))
            mark = f"{before}{after}\n  {' ' * len(before)}^"
            raise typer.BadParameter(f"{plain(str(error))}\n  {mark}", param_hint="FORMULA") from None
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except Refuted as error:
            print(plain(str(error)), file=sys.stderr)
            raise typer.Exit(REFUTED) from None
        print(json.dumps(data) if as_json else text, flush=True)
    raise typer.Exit(code)


@contextmanager
def _worker(memory: float, preload: str, *, quiet: bool = False) -> Iterator["Worker"]:
    """A worker for a command; bad levels, and its death, end the program as they should."""
    from puzzlemc.mc.limits import GIB
    from puzzlemc.reports.run.result import REFUTED
    from puzzlemc.reports.run.worker import Worker, WorkerDied
    from puzzlemc.screens.errors import LevelError

    with Worker(int(memory * GIB), (preload,), None if quiet else _notify) as worker:
        try:
            yield worker
        except LevelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except WorkerDied as death:
            print(plain(f"error: {death}"), file=sys.stderr)
            raise typer.Exit(REFUTED) from None


@contextmanager
def _placed(output: Path, suffix: str = "") -> Iterator[Path]:
    """The path that a worker is to write to. What is for standard output, which it has not, is copied there."""
    if output != STANDARD_OUTPUT:
        yield output
        return
    with TemporaryDirectory() as folder:
        place = Path(folder, f"output{suffix}")
        yield place
        write(STANDARD_OUTPUT, place.read_bytes())


def _notify(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@app.command()
def puzzles(
    name: Annotated[str | None, typer.Argument(help="One puzzle, with the atoms that formulas speak of.")] = None,
) -> None:
    """The puzzles, their suffixes, metrics and encodings, and where the levels that come with them are."""
    from importlib import import_module
    from importlib.resources import files

    from puzzlemc.encodings.puzzles import PUZZLES, puzzle
    from puzzlemc.mc.temporal.check import STUCK
    from puzzlemc.screens.source import PUZZLES as SCREENS

    if name is not None:
        _require("NAME", name, PUZZLES)
    for each in PUZZLES if name is None else [name]:
        rules = puzzle(each)
        print(each)
        print(f"  suffixes   {' '.join(import_module(SCREENS[each]).SUFFIXES)}")
        print(f"  metrics    {' '.join(rules.metrics)} any")
        print(f"  encodings  {' '.join(rules.encodings)}")
        print(f"  levels     {files('puzzlemc.screens') / 'levels' / each}")
        if name is not None:
            print(f"  atoms of the encoding {rules.faithful}")
            for atom, meaning in {**rules.atoms, STUCK: "no action is enabled"}.items():
                print(f"    {atom:<14} {meaning}")


def main() -> None:
    """Run the command line; ends the process with the exit code."""
    open_streams()
    catch_interrupts()
    try:
        try:
            app()
        finally:
            interrupt_taken()
            sys.stdout.flush()
    except OutputError as error:
        give_up_output()
        print(plain(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        interrupt_taken()
        sys.exit(INTERRUPTED)
    except Exception:
        # Python's own exit code for this is 1, which says that a level is unsolvable.
        from puzzlemc.reports.run.result import REFUTED

        traceback.print_exc()
        sys.exit(REFUTED)


def _run(
    levels: "Sequence[str]",
    puzzle: str | None,
    options: "Options",
    certificates: Path | None,
    *,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    traces: bool,
    form: str | None = None,
    output: Path | None = None,
) -> None:
    from puzzlemc.mc.engines.registry import ENGINES
    from puzzlemc.mc.sets.diagrams import DIAGRAMS
    from puzzlemc.reports.cli.table import Table
    from puzzlemc.reports.run.pool import solve_all
    from puzzlemc.reports.run.result import exit_code
    from puzzlemc.screens.source import load

    _require("--engine", options.engine, ("auto", *ENGINES))
    _require("--diagrams", options.diagrams, ("auto", *DIAGRAMS))
    if certificates is not None:
        make_folder(certificates)
    entries = load(levels, puzzle)
    results: list[Result] = []
    wrong = _wrong_choices(entries, options)
    writer = None if form is None else _traces(entries, form, output)
    alone = writer is not None and writer.to_standard_output
    shown = Table(entries, options.metric, traces=traces and writer is None, left_out=wrong)
    table = None if as_json or alone else shown
    solved = solve_all(entries, options, certificates=certificates, notify=None if quiet else _notify)
    with _output(lambda: f"interrupted after {len(results)} of {len(entries)} levels"):
        with progress(len(entries), shown=not quiet) as advance:
            for entry, result in zip(entries, solved, strict=True):
                results.append(result)
                if writer is not None and not (result.verdict == "error" and entry.puzzle in wrong):
                    writer.add(entry, result)
                if table is not None:
                    table.add(result)
                elif as_json:
                    print(json.dumps(result.as_json()), flush=True)
                if result.note:
                    print(plain(f"{result.id}: {result.note}"), file=sys.stderr)
                if verbose:
                    print(plain(f"{result.id}: {result.statistics or result.reason}"), file=sys.stderr)
                advance()
        if table is not None:
            table.close(results)
    raise typer.Exit(exit_code(results))


def _traces(entries: "Sequence[Entry]", form: str, output: Path | None) -> "Traces":
    """What writes the traces."""
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.formats.traces import FORMATS, Traces

    _require("--format", form, tuple(FORMATS))
    try:
        return Traces(entries, form, output)
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="--format") from None


def _wrong_choices(entries: "Sequence[Entry]", options: "Options") -> "Collection[str]":
    """Tell once, not once a level, what is wrong with metric and encoding; the puzzles that do not have them.

    Raises typer.BadParameter where no puzzle of the levels has them.
    """
    from puzzlemc.encodings.puzzles import puzzle
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.run.solve import choices

    names = dict.fromkeys(entry.puzzle for entry in entries if entry.puzzle)
    wrong: dict[str, str] = {}
    for name in names:
        try:
            choices(puzzle(name), options)
        except ModelError as error:
            wrong[name] = str(error)
    if wrong and len(wrong) == len(names):
        raise typer.BadParameter("; ".join(wrong.values()))
    for message in wrong.values():
        print(f"error: {message}", file=sys.stderr)
    return wrong


@contextmanager
def _output(interrupted: Callable[[], str]) -> Iterator[None]:
    """Around the writing of results: Ctrl-C ends the program with a word about what is done."""
    try:
        yield
    except KeyboardInterrupt:
        interrupt_taken()
        print(interrupted(), file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _require(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        message = f"{plain(repr(value))} is unknown, expected one of {', '.join(known)}"
        raise typer.BadParameter(message, param_hint=option)
