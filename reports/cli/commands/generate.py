"""`generate`: random levels, each with the number of its solutions, or a series of levels with their least cost.

The options that only some puzzles have are declared by the puzzles: `puzzlemc.encodings.puzzle.design.generation`.
"""

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperOption

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.arguments import Command
from puzzlemc.reports.cli.common.helping import write_options
from puzzlemc.reports.cli.common.options import (
    LIMITS,
    MADE,
    OUTPUT,
    Certificates,
    LevelLimits,
    Quiet,
    flag,
    option,
)
from puzzlemc.reports.cli.common.session import bad_usage, failed, in_worker, interruptible, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT, Draft, make_folder, output_error
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import progress

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle.design.generation import NumberOption
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.generate.random_levels import RandomLevel
    from puzzlemc.reports.generate.series import Generated, Series, Tally

MOST_JOBS = 256
ONE = "4"  # default size of a random level
OF_SERIES = ("--unsolvable", "--certificate", "--jobs", "--json")  # options of a series alone
_DECLARED = "puzzlemc.declared"  # where a context keeps the values of declared options
EXAMPLES = """
puzzlemc generate folding --size 3x4 --colours 2 --seed 1
puzzlemc generate tetravex --size 3 --unique
puzzlemc generate sokoban --size 6x7 --boxes 1 --count 2 -o new.xsb
"""


class Generate(Command):
    """The command, with the options that puzzles declare. If the arguments name a puzzle, its help is specific."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. The help needs the puzzle before they are parsed."""
        self._puzzle = next((arg for arg in args if not arg.startswith("-")), None)
        rest = super().parse_args(ctx, args)
        ctx.meta[_DECLARED] = {name: ctx.params.pop(param.name) for name, param in self._declared.items()}
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters of the function and, after the size, the declared options."""
        params: list[Any] = super().get_params(ctx)
        place = 1 + next(number for number, param in enumerate(params) if param.name == "size")
        return [*params[:place], *self._declared.values(), *params[place:]]

    @cached_property
    def _declared(self) -> dict[str, TyperOption]:
        """The options that puzzles declare, by name."""
        from puzzlemc.encodings.puzzles import puzzles

        number: Any = next(param for param in self.params if param.name == "number")
        declared: dict[str, NumberOption] = {}
        for each in puzzles().values():
            for own in each.generation.options if each.generation is not None else ():
                declared.setdefault(own.name, own)
        return {
            name: TyperOption(
                param_decls=[f"--{name}"],
                type_descriptor=number.type_descriptor,
                metavar="N",
                help=own.help,
                show_default=own.default_text or True,
                rich_help_panel=MADE,
            )
            for name, own in declared.items()
        }

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        from puzzlemc.encodings.puzzle.design.generation import SeriesGeneration
        from puzzlemc.encodings.puzzles import puzzles

        params: dict[str, Any] = {param.opts[0]: param for param in map(copy, self.get_params(ctx))}
        named = puzzles().get(self._puzzle) if self._puzzle is not None else None
        generation = None if named is None else named.generation
        if generation is not None:
            size, own = params["--size"], {each.name: each for each in generation.options}
            if isinstance(generation, SeriesGeneration):
                size.show_default = "{}x{}".format(*generation.load().size)
                size.help = "Rows and columns of the board, with its walls; ROWS alone is a square."
            else:
                size.show_default = f"{ONE}x{ONE}"
                for name in OF_SERIES:
                    del params[name]
            for name in self._declared:
                if name not in own:
                    del params[f"--{name}"]
                elif own[name].default is not None:
                    params[f"--{name}"].show_default = str(own[name].default)
        write_options(list(params.values()), formatter)


class _Wanted(NamedTuple):
    """The levels to make."""

    size: Annotated[
        str | None, option(MADE, "ROWSxCOLUMNS", "Rows and columns of the board; ROWS alone is a square.")
    ] = None
    seed: Annotated[int, option(MADE, "N", "The same seed gives the same levels.")] = 0
    number: Annotated[int | None, option(MADE, "N", "How many levels.", "--count", min=1, show_default="1")] = None
    unique: Annotated[
        bool, flag(MADE, "--unique", "Each level has exactly one solution, or exactly one shortest one.")
    ] = False
    want: Annotated[
        list[str] | None,
        option(
            MADE,
            "WISH",
            "What each level shall be: unique, harder, longer=N or shorter=N; can be given several times.",
            autocompletion=values.generated_wishes,
        ),
    ] = None
    unsolvable: Annotated[
        bool, flag(MADE, "--unsolvable", "Levels that look solvable, with a proof that they are not.")
    ] = False


class _Output(NamedTuple):
    """Where levels, certificates, progress and JSON are written."""

    path: Annotated[
        Path, option(OUTPUT, "FILE", "Where levels are written to; - is standard output.", "--output", "-o")
    ] = STANDARD_OUTPUT
    certificate: Certificates = None
    as_json: Annotated[
        bool, flag(OUTPUT, "--json", "One JSON object a level, with its measures; levels go to -o FILE alone.")
    ] = False
    quiet: Quiet = False


def generate(
    context: typer.Context,
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            autocompletion=values.generated,
            help="A puzzle of which levels can be made; PUZZLE --help shows only its options.",
        ),
    ],
    *,
    wanted: _Wanted,
    output: _Output,
    jobs: Annotated[
        int | None, option(LIMITS, "N", "Levels at a time.", min=1, max=MOST_JOBS, show_default="as many as cores")
    ] = None,
    limits: LevelLimits,
) -> None:
    """Make random levels with a proved answer.

    Ends with 0, 2: bad usage or input, 3: a limit came first; levels found before it are written, 4: a bug.
    """
    from puzzlemc.encodings.puzzle.design.generation import GenerationRequest, SeriesGeneration
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.generate.random_levels import RandomLevel
    from puzzlemc.reports.generate.series import Series
    from puzzlemc.reports.generate.wishes import is_unique, wished
    from puzzlemc.reports.solve.options import Options

    able = {name: each.generation for name, each in puzzles().items() if each.generation is not None}
    require("PUZZLE", puzzle, list(able))
    generation = able[puzzle]
    own: dict[str, int | None] = {each.name: each.default for each in generation.options}
    of_series = dict(
        zip(OF_SERIES, (wanted.unsolvable or None, output.certificate, jobs, output.as_json or None), strict=True)
    )
    refused = {} if isinstance(generation, SeriesGeneration) else of_series
    taken = [name for name in of_series if name not in refused]
    for name, value in context.meta[_DECLARED].items():
        if name not in own:
            refused[f"--{name}"] = value
        elif value is not None:
            own[name] = value
    for name, given in refused.items():
        if given is not None:
            known = ["--count", "--seed", "--size", "--unique", "--want", *(f"--{name}" for name in own), *taken]
            message = f"not an option for {puzzle}, expected some of {', '.join(sorted(known))}"
            raise typer.BadParameter(message, param_hint=name)
    objects = own[generation.objects.name]
    assert objects is not None
    size, seed, number, unique, want, unsolvable = wanted
    count = number or 1
    if not isinstance(generation, SeriesGeneration):
        rows, columns = _board(size or ONE)
        with bad_usage():
            unique = is_unique(want or ()) or unique
        seeds = range(seed, seed + count)
        levels = [RandomLevel(puzzle, rows, columns, objects, each, unique) for each in seeds]
        _random(levels, Limits.of(*limits), output)
        return
    generator = generation.load()
    rows, columns = generator.size if size is None else _board(size)
    least = own[generation.least.name]
    least = generation.least_per_object * objects if least is None else least
    changes = 0 if generation.changes is None else own[generation.changes.name] or 0
    request = GenerationRequest(
        columns, rows, objects, least, seed, unique, unsolvable, measured=output.as_json, changes=changes
    )
    with bad_usage():
        request = wished(request, want or (), fixed=own[generation.least.name] is not None)
        generator.check(request)
    options = Options(timeout=limits.timeout, memory=limits.memory)
    _series(Series(puzzle, request, options, output.certificate), count, jobs, output)


def _series(series: "Series", count: int, jobs: int | None, output: _Output) -> None:
    """Write the levels of a series, and a summary."""
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.generate.series import Tally, generate_series
    from puzzlemc.reports.solve.result import REFUTED, UNKNOWN
    from puzzlemc.reports.workers.worker import WorkerDied

    if series.certificates is not None:
        make_folder(series.certificates)
    tally, costs, began = Tally(), list[int](), time.monotonic()
    many = 0
    levels = generate_series(series, count, tally, workers=jobs)
    try:
        with (
            interruptible(lambda: f"interrupted after {many} of {count} levels"),
            _sheet(output.path, taken=output.as_json) as sheet,
            progress(count, shown=not output.quiet) as advance,
        ):
            for each in levels:
                if sheet is not None:
                    sheet.write(("\n" if many else "") + each.text + "\n")
                if output.as_json:
                    print(json.dumps(each.as_json()), flush=True)
                if each.result.note:
                    print(plain(f"{each.result.title}: {each.result.note}"), file=sys.stderr)
                many += 1
                costs.append(_cost(each))
                advance()
    except (Refuted, WorkerDied) as error:
        raise failed(error, REFUTED) from None
    if not output.quiet:
        metric = puzzles()[series.puzzle].metrics[0]
        what = f"{metric} to the farthest position" if series.request.unsolvable else metric
        print(_summary(sorted(costs), what, tally, time.monotonic() - began), file=sys.stderr)
    if tally.stopped:
        print(f"{many} of {count} levels were found: {tally.stopped}", file=sys.stderr)
        raise typer.Exit(UNKNOWN)


def _cost(level: "Generated") -> int:
    """The least cost of a solution; for an unsolvable level, the least cost of its farthest position."""
    cost = level.measures.get("farthest") if level.result.cost is None else level.result.cost
    assert isinstance(cost, int)
    return cost


def _summary(costs: list[int], what: str, tally: "Tally", seconds: float) -> str:
    parts = [f"{len(costs)} level{'s' * (len(costs) != 1)}"]
    if len(costs) > 1:
        quarters = [costs[len(costs) * part // 4] for part in (1, 2, 3)]
        parts.append(f"{what} {costs[0]} to {costs[-1]}, quartiles {', '.join(map(str, quarters))}")
    parts.append(
        f"{tally.draws} draws, {tally.copies} found again"
        + f", {tally.dropped} not solved within the limits" * (tally.dropped > 0)
    )
    rate = len(costs) / seconds if seconds else 0.0
    parts.append(f"{seconds:.1f} s, {rate:.1f} levels a second, {tally.seconds:.1f} s of processor time")
    return "; ".join(parts)


class _Sheet:
    """A file, or standard output, to which levels are written one by one.

    The file replaces the old one when its first level is written. It holds whole levels, even if a disk is full.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._draft = None if path == STANDARD_OUTPUT else Draft(path)

    def write(self, text: str) -> None:
        """Write the text of a level and flush it. Raises OutputError."""
        if self._draft is None:
            print(text, end="", flush=True)
            return
        try:
            self._draft.add(text.encode("utf-8", "backslashreplace"))
            self._draft.move()
        except OSError as error:
            raise output_error(self._path, error) from None

    def close(self) -> None:
        """Close the file."""
        if self._draft is not None:
            self._draft.close()


@contextmanager
def _sheet(path: Path, *, taken: bool) -> Iterator[_Sheet | None]:
    """The sheet for a path; None for standard output if that is `taken` for something else."""
    if taken and path == STANDARD_OUTPUT:
        yield None
        return
    sheet = _Sheet(path)
    try:
        yield sheet
    finally:
        sheet.close()


def _board(size: str) -> tuple[int, int]:
    """Rows and columns. Raises typer.BadParameter."""
    match = re.fullmatch(r"([0-9]{1,9})(?:x([0-9]{1,9}))?", size)
    if match is None:
        raise typer.BadParameter(f"found {plain(repr(size))}, expected ROWS or ROWSxCOLUMNS", param_hint="--size")
    return int(match[1]), int(match[2] or match[1])


def _random(levels: "Sequence[RandomLevel]", limits: "Limits", output: _Output) -> None:
    """Write random levels, each with the number of its solutions or the quality of the best one."""
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.mc.limits import GIB
    from puzzlemc.reports.generate.random_levels import generate as generated
    from puzzlemc.reports.solve.result import UNKNOWN

    many, uncounted = 0, 0
    with (
        interruptible(lambda: f"interrupted after {many} of {len(levels)} levels"),
        in_worker(limits.memory / GIB, "puzzlemc.reports.generate.random_levels") as worker,
        bad_usage(),
        _sheet(output.path, taken=False) as sheet,
        progress(len(levels), shown=not output.quiet) as advance,
    ):
        assert sheet is not None
        for each in levels:
            drawn: list[str] = []
            try:
                level, number = worker.run(generated, each, limits, seconds=limits.seconds, receive=drawn.append)
            except LimitReached as limit:
                if not drawn:
                    what = "no level with one solution was found" if each.unique else "no level was drawn"
                    found = f" after {many} of {len(levels)} levels" if len(levels) > 1 else ""
                    print(f"{what}{found}: {limit.reason}", file=sys.stderr)
                    raise typer.Exit(UNKNOWN) from None
                level, number = drawn[-1], None
            uncounted += number is None
            about = (
                number if isinstance(number, str) else f"solutions: {'not counted' if number is None else number}"
            )
            sheet.write(("\n" if many else "") + f"% {about}\n{level}\n")
            many += 1
            advance()
    if uncounted:
        whose = "its solutions" if len(levels) == 1 else f"the solutions of {uncounted} of {many} levels"
        print(f"{whose} were not counted: the limit of time or memory came first", file=sys.stderr)
        raise typer.Exit(UNKNOWN)
