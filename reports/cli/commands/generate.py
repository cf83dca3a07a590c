"""`generate`: random levels, one with the number of its solutions, or many with their least cost."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.arguments import Command
from puzzlemc.reports.cli.common.helping import write_options
from puzzlemc.reports.cli.common.options import LIMITS, MADE, OUTPUT, Certificates, Memory, Quiet, Timeout
from puzzlemc.reports.cli.common.session import in_worker, interruptible, notify, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT, Draft, make_folder, output_error
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import progress

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle.generation import GenerationRequest, Generator
    from puzzlemc.reports.generate.making import Made, Tally
    from puzzlemc.reports.solve.solve import Options

MOST_JOBS = 256
PUSHES_A_BOX = 4  # at least, where no number is asked for
ONE = "4"  # the size of one level where none is asked for
ONE_COLOURS = 4
KINDS = {"--colours", "--items"}  # options of which a puzzle has one
OF_MANY = ("--boxes", "--min-pushes", "--unsolvable", "--certificate", "--jobs", "--json")
EXAMPLES = """
puzzlemc generate folding --size 3x4 --colours 2 --seed 1
puzzlemc generate tetravex --size 3 --unique
puzzlemc generate sokoban --size 7x6 --boxes 1 --count 2 -o new.xsb
"""


class Generate(Command):
    """The command. If a puzzle is named, the help lists the options of that puzzle."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the puzzle is known before the help is written."""
        self._puzzle = next((arg for arg in args if not arg.startswith("-")), None)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        from puzzlemc.encodings.puzzle.generation import SeriesGeneration, SingleGeneration
        from puzzlemc.encodings.puzzles import puzzles

        params: dict[str, Any] = {param.opts[0]: param for param in map(copy, self.get_params(ctx))}
        named = puzzles().get(self._puzzle) if self._puzzle is not None else None
        generation = None if named is None else named.generation
        if isinstance(generation, SeriesGeneration):
            generator = generation.load()
            size = params["--size"]
            size.metavar, size.show_default = "WIDTHxHEIGHT", "{}x{}".format(*generator.size)
            size.help = "Width and height of the board, with its walls."
            params["--boxes"].show_default = str(generator.objects)
            for option in KINDS:
                del params[option]
        elif isinstance(generation, SingleGeneration):
            size = params["--size"]
            size.metavar, size.show_default = "ROWSxCOLUMNS", f"{ONE}x{ONE}"
            size.help = "Rows and columns of the board; ROWS alone is a square."
            kinds = f"--{generation.objects}"
            params[kinds].show_default = str(ONE_COLOURS)
            for option in KINDS - {kinds}:
                del params[option]
            for option in OF_MANY:
                del params[option]
        write_options(list(params.values()), formatter)


def generate(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="PUZZLE",
            autocompletion=values.generated,
            help="A puzzle of which levels can be made; PUZZLE --help shows only its options.",
        ),
    ],
    size: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            rich_help_panel=MADE,
            help="ROWSxCOLUMNS or WIDTHxHEIGHT: `puzzlemc generate PUZZLE --help` says which.",
        ),
    ] = None,
    colours: Annotated[
        int | None, typer.Option(metavar="N", rich_help_panel=MADE, help="How many colours.")
    ] = None,
    items: Annotated[
        int | None,
        typer.Option(metavar="N", rich_help_panel=MADE, help="How many kinds of items come in, at most."),
    ] = None,
    boxes: Annotated[
        int | None, typer.Option(metavar="N", rich_help_panel=MADE, help="How many boxes, and goals for them.")
    ] = None,
    min_pushes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            rich_help_panel=MADE,
            show_default=f"{PUSHES_A_BOX} a box",
            help="Each solution takes at least N pushes. "
            "With --unsolvable, some position takes at least N pushes to reach.",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="N", rich_help_panel=MADE, help="The same seed gives the same levels."),
    ] = 0,
    count: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", rich_help_panel=MADE, show_default="1", help="How many levels."),
    ] = None,
    unique: Annotated[
        bool,
        typer.Option(
            "--unique",
            rich_help_panel=MADE,
            help="With one solution; of levels with pushes, one shortest row of them.",
        ),
    ] = False,
    unsolvable: Annotated[
        bool,
        typer.Option(
            "--unsolvable",
            rich_help_panel=MADE,
            help="Levels that look solvable, and are proved not to be.",
        ),
    ] = False,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="Where levels are written to; - is standard output.",
        ),
    ] = STANDARD_OUTPUT,
    certificate: Certificates = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_JOBS,
            metavar="N",
            show_default="as many as cores",
            rich_help_panel=LIMITS,
            help="Levels at a time.",
        ),
    ] = None,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            rich_help_panel=OUTPUT,
            help="One JSON object a level, with its measures; levels go to -o FILE alone.",
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Make random levels with a proved answer.

    Ends with 0, 2: bad usage or input, 3: a limit came first; levels found before it are written, 4: a bug.
    """
    from puzzlemc.encodings.puzzle.generation import GenerationRequest, SeriesGeneration, SingleGeneration
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.solve.solve import Options

    able = {name: each.generation for name, each in puzzles().items() if each.generation is not None}
    require("PUZZLE", puzzle, list(able))
    generation = able[puzzle]
    asked = (boxes, min_pushes, unsolvable or None, certificate, jobs, as_json or None)
    of_many: dict[str, object] = dict(zip(OF_MANY, asked, strict=True))
    kinds: dict[str, int | None] = {"--colours": colours, "--items": items}
    own = f"--{generation.objects}" if isinstance(generation, SingleGeneration) else ""
    others = {option: value for option, value in kinds.items() if option != own}
    refused = {**of_many, **others} if own else kinds
    for option, value in refused.items():
        if value is not None:
            known = ["--count", "--seed", "--size", "--unique", *([own] if own else of_many)]
            message = f"not an option for {puzzle}, expected some of {', '.join(sorted(known))}"
            raise typer.BadParameter(message, param_hint=option)
    if not isinstance(generation, SeriesGeneration):
        asked_kinds = kinds[own]
        many_colours = ONE_COLOURS if asked_kinds is None else asked_kinds
        seeds = range(seed, seed + (count or 1))
        _drawn(puzzle, size or ONE, many_colours, seeds, unique, output, timeout, memory, quiet=quiet)
        return
    generator = generation.load()
    width, height = _sides(size, generator)
    boxes = generator.objects if boxes is None else boxes
    least = PUSHES_A_BOX * boxes if min_pushes is None else min_pushes
    request = GenerationRequest(width, height, boxes, least, seed, unique, unsolvable, measured=as_json)
    try:
        generator.check(request)
    except ModelError as error:
        raise typer.BadParameter(plain_lines(str(error))) from None
    options = Options(timeout=timeout, memory=memory)
    _many(puzzle, request, count or 1, options, output, certificate, jobs, as_json=as_json, quiet=quiet)


def _sides(size: str | None, generator: "Generator") -> tuple[int, int]:
    """Width and height."""
    if size is None:
        return generator.size
    match = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", size)
    if match is None:
        raise typer.BadParameter(f"found {plain(repr(size))}, expected WIDTHxHEIGHT", param_hint="--size")
    return int(match[1]), int(match[2])


def _many(
    puzzle: str,
    request: "GenerationRequest",
    count: int,
    options: "Options",
    output: Path,
    certificates: Path | None,
    jobs: int | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.generate.making import Tally, make
    from puzzlemc.reports.solve.result import REFUTED, UNKNOWN
    from puzzlemc.reports.workers.worker import WorkerDied

    if certificates is not None:
        make_folder(certificates)
    tally, costs, began = Tally(), list[int](), time.monotonic()
    many = 0
    made = make(
        puzzle,
        request,
        count,
        options,
        tally,
        workers=jobs,
        certificates=certificates,
        notify=None if quiet else notify,
    )
    try:
        with (
            interruptible(lambda: f"interrupted after {many} of {count} levels"),
            _sheet(output, taken=as_json) as sheet,
            progress(count, shown=not quiet) as advance,
        ):
            for each in made:
                if sheet is not None:
                    sheet.write(("\n" if many else "") + each.text + "\n")
                if as_json:
                    print(json.dumps(each.as_json()), flush=True)
                if each.result.note:
                    print(plain(f"{each.result.title}: {each.result.note}"), file=sys.stderr)
                many += 1
                costs.append(_cost(each))
                advance()
    except (Refuted, WorkerDied) as error:
        print(plain(f"error: {error}"), file=sys.stderr)
        raise typer.Exit(REFUTED) from None
    if not quiet:
        print(_summary(sorted(costs), tally, time.monotonic() - began, request), file=sys.stderr)
    if tally.stopped:
        print(f"{many} of {count} levels were found: {tally.stopped}", file=sys.stderr)
        raise typer.Exit(UNKNOWN)


def _cost(made: "Made") -> int:
    """The cost of the solution; for an unsolvable level, the longest play."""
    cost = made.measures.get("farthest") if made.result.cost is None else made.result.cost
    assert isinstance(cost, int)
    return cost


def _summary(costs: list[int], tally: "Tally", seconds: float, request: "GenerationRequest") -> str:
    parts = [f"{len(costs)} level{'s' * (len(costs) != 1)}"]
    if len(costs) > 1:
        quarters = [costs[len(costs) * part // 4] for part in (1, 2, 3)]
        what = "pushes to the farthest position" if request.unsolvable else "pushes"
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
    """The output for levels; None if standard output is `taken` for something else."""
    if taken and path == STANDARD_OUTPUT:
        yield None
        return
    sheet = _Sheet(path)
    try:
        yield sheet
    finally:
        sheet.close()


def _drawn(
    puzzle: str,
    size: str,
    colours: int,
    seeds: range,
    unique: bool,
    output: Path,
    timeout: float,
    memory: float,
    *,
    quiet: bool,
) -> None:
    """A level for each seed, with the number of its solutions or the quality of the best one."""
    from puzzlemc.mc.errors import LimitReached, ModelError
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.generate.generate import generate as generated
    from puzzlemc.reports.solve.result import UNKNOWN

    match = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", size)
    if match is None:
        raise typer.BadParameter(f"found {plain(repr(size))}, expected ROWS or ROWSxCOLUMNS", param_hint="--size")
    rows, columns = int(match[1]), int(match[2] or match[1])
    limits = Limits(timeout or None, int(memory * GIB))
    many, uncounted = 0, 0
    with (
        interruptible(lambda: f"interrupted after {many} of {len(seeds)} levels"),
        in_worker(memory, "puzzlemc.reports.generate.generate") as worker,
        _sheet(output, taken=False) as sheet,
        progress(len(seeds), shown=not quiet) as advance,
    ):
        assert sheet is not None
        for seed in seeds:
            drawn: list[str] = []
            asked = (puzzle, rows, columns, colours, seed, unique, limits)
            try:
                level, number = worker.run(generated, *asked, seconds=timeout or None, receive=drawn.append)
            except ModelError as error:
                raise typer.BadParameter(plain_lines(str(error))) from None
            except LimitReached as limit:
                if not drawn:
                    what = "no level with one solution was found" if unique else "no level was drawn"
                    found = f" after {many} of {len(seeds)} levels" if len(seeds) > 1 else ""
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
        whose = "its solutions" if len(seeds) == 1 else f"the solutions of {uncounted} of {many} levels"
        print(f"{whose} were not counted: the limit of time or memory came first", file=sys.stderr)
        raise typer.Exit(UNKNOWN)
