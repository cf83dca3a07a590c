"""The registry of puzzles: nothing else lists them.

A puzzle is a `Puzzle` value. Those here come with the program; an installed package adds more by entry points of
the group `puzzlemc.puzzles`; and a Python file that defines one as `PUZZLE` can be named in the place of a puzzle.
"""

import copyreg
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TypeAlias

from puzzlemc.encodings.fabrik.puzzle import PUZZLE as FABRIK
from puzzlemc.encodings.factorio.puzzle import PUZZLE as FACTORIO
from puzzlemc.encodings.folding.puzzle import PUZZLE as FOLDING
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.sokoban.puzzle import PUZZLE as SOKOBAN
from puzzlemc.encodings.tetravex.puzzle import PUZZLE as TETRAVEX
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens import source
from puzzlemc.screens.errors import LevelError

Entry: TypeAlias = source.Entry[Puzzle]

OWN = (SOKOBAN, FOLDING, TETRAVEX, FABRIK, FACTORIO)
GROUP = "puzzlemc.puzzles"


@cache
def puzzles() -> Mapping[str, Puzzle]:
    """All puzzles by name: the program's own, and those of installed packages."""
    known = {each.name: each for each in OWN}
    for point in entry_points(group=GROUP):
        each = point.load()
        if not isinstance(each, Puzzle) or each.name in known:
            raise ModelError(f"{point.value}: expected a Puzzle with a name of its own, found {each!r}")
        known[each.name] = each
    return known


def puzzle(name: str) -> Puzzle:
    """The puzzle of that name, or the one that a Python file defines. Raises ModelError."""
    if name in puzzles():
        return puzzles()[name]
    if name.endswith(".py"):
        return _from_file(str(Path(name).absolute()))
    raise ModelError(
        f"found no puzzle called {name!r}, expected one of: {', '.join(puzzles())}; or a file, NAME.py"
    )


# A puzzle is pickled as the place where it is found: its functions need not be picklable.
copyreg.pickle(Puzzle, lambda each: (puzzle, (each.origin or each.name,)))


@cache
def _from_file(path: str) -> Puzzle:
    """The puzzle that a Python file defines. Whatever the file raises ends here."""
    name = f"puzzlemc_puzzle_{sha256(path.encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # what it defines must be found again by its name
    try:
        spec.loader.exec_module(module)
        each = module.PUZZLE
    except Exception as error:
        raise ModelError(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(each, Puzzle):
        raise ModelError(f"{path}: expected PUZZLE to be a Puzzle, found {each!r}")
    return replace(each, origin=path)


def load(paths: source.Path | Iterable[source.Path], puzzle: str | None = None) -> list[Entry]:
    """Find every level that the paths name, see `puzzlemc.screens.source.load`.

    The puzzle is told by suffix and content, or by `puzzle`: a name, or a Python file that defines one.
    """
    return list(walk(paths, puzzle))


def walk(
    paths: source.Path | Iterable[source.Path],
    puzzle: str | None = None,
    bounds: source.Bounds | None = None,
) -> Iterator[Entry]:
    """Yield the entries of `load` one by one: no file is opened before one of its levels is asked for.

    `bounds` are for what is not held, and so may be more.
    """
    try:
        chosen = None if puzzle is None else _puzzle(puzzle)
    except ModelError as error:
        for path in source.listed(paths):
            yield Entry(path, "", None, error=LevelError(str(error), source=path))
        return
    known = puzzles() if chosen is None else {chosen.name: chosen}
    yield from source.walk(paths, known, chosen, bounds)


_puzzle = puzzle
