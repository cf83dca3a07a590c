"""`generate`: random levels with a proved answer."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path as File
from threading import Event

from puzzlemc.encodings.puzzle.design.generation import GenerationRequest, SeriesGeneration
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import GIB, Limits
from puzzlemc.reports.api.arguments import public
from puzzlemc.reports.api.asking import watch
from puzzlemc.reports.api.levels import Level, Path
from puzzlemc.reports.generate.random_levels import RandomLevel
from puzzlemc.reports.generate.random_levels import generate as draw
from puzzlemc.reports.generate.series import Series, Tally, generate_series
from puzzlemc.reports.generate.wishes import is_unique, wished
from puzzlemc.reports.output.files import make_folder
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.workers.worker import Worker

SIDE = 4  # of a random level without a size


@public(number="count", certificates="certificate")
def generate(
    puzzle: str,
    *,
    size: tuple[int, int] | None = None,
    count: int = 1,
    seed: int = 0,
    unique: bool = False,
    want: str | Sequence[str] = (),
    unsolvable: bool = False,
    timeout: float = 60.0,
    memory: float = 4.0,
    certificate: Path | None = None,
    progress: Callable[[Level], None] | None = None,
    cancel: Event | None = None,
    **options: int,
) -> list[Level]:
    """Make random levels. The same seed gives the same levels.

    size     rows and columns of the board
    unique   each level has exactly one solution, or one cheapest solution
    want     what each level shall be, as `puzzlemc generate -h` lists it: `unique`, `["harder", "longer=20"]`
    progress  gets each level when it is found
    cancel   an event; setting it, from any thread, ends the call with LimitReached, reason `cancelled`
    options  those of the puzzle alone: `boxes=2`, `min_pushes=20`, `colours=3`

    Raises ModelError for options that the puzzle does not have, LimitReached if a limit came before all levels.
    """
    generation = puzzle_of(puzzle).generation
    if generation is None:
        raise ModelError(f"levels of {puzzle} are not generated")
    own = {option.name: option.default for option in generation.options}
    names = {name.replace("-", "_"): name for name in own}  # a keyword has no hyphen
    for option, value in options.items():
        if option not in names:
            raise ModelError(f"unknown option {option!r} of {puzzle}, expected some of {', '.join(names)}")
        own[names[option]] = value
    wants, look = [want] if isinstance(want, str) else want, watch(cancel)
    objects = own[generation.objects.name]
    assert objects is not None
    if not isinstance(generation, SeriesGeneration):
        if unsolvable or certificate is not None:
            raise ModelError(f"levels of {puzzle} are made one by one, without unsolvable levels or certificates")
        unique = is_unique(wants) or unique
        seeds = range(seed, seed + count)
        rows, columns = size or (SIDE, SIDE)
        limits = Limits(timeout or None, int(memory * GIB))
        with Worker(limits.memory, ("puzzlemc.reports.generate.random_levels",)) as worker:
            requests = [RandomLevel(puzzle, rows, columns, objects, each, unique) for each in seeds]
            texts = (worker.run(draw, each, limits, seconds=limits.seconds, look=look)[0] for each in requests)
            return [_heard(Level(text, puzzle), progress, look) for text in texts]
    generator = generation.load()
    least = own[generation.least.name]
    least = generation.least_per_object * objects if least is None else least
    rows, columns = size or generator.size
    changes = 0 if generation.changes is None else own[generation.changes.name] or 0
    request = GenerationRequest(columns, rows, objects, least, seed, unique, unsolvable, changes=changes)
    request = wished(request, wants, fixed=own[generation.least.name] is not None)
    generator.check(request)
    folder = None if certificate is None else File(certificate)
    if folder is not None:
        make_folder(folder)
    series, tally = Series(puzzle, request, Options(timeout=timeout, memory=memory), folder), Tally()
    with closing(generate_series(series, count, tally, look=look)) as found:
        levels = [_heard(Level(each.text, puzzle), progress, look) for each in found]
    if tally.stopped:
        raise LimitReached(tally.reason, f"{len(levels)} of {count} levels were found: {tally.stopped}")
    return levels


def _heard(level: Level, progress: Callable[[Level], None] | None, look: Callable[[float], None]) -> Level:
    """The level, after `progress` got it. Raises LimitReached after cancelling."""
    if progress is not None:
        progress(level)
    look(0.0)
    return level
