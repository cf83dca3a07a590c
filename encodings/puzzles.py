"""The registry of puzzles: nothing else lists them.

A puzzle is a `Puzzle` value. Those of `OWN` come with the program, and are imported when they are first asked for;
an installed package adds more by entry points of the group `puzzlemc.puzzles`. A Python file that defines one as
`PUZZLE` can replace the name of a puzzle.
"""

import copyreg
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.machinery import PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from puzzlemc.mc.errors import FormulaError, ModelError
from puzzlemc.mc.installed import adding
from puzzlemc.mc.nearest import nearest
from puzzlemc.screens.base import entry, reading, source
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.picture import COLOURS, Palette, is_literal

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from puzzlemc.encodings.puzzle import Puzzle

Entry: TypeAlias = entry.Entry["Puzzle"]

# The name of each puzzle of the program, and the suffixes of its files. `encodings/<name>/puzzle.py` defines it as
# PUZZLE, `screens/<name>/` reads its levels. Suffixes are here, so that a file's puzzle is the only one imported.
OWN = {
    "sokoban": (".xsb", ".sok", ".slc"),
    "folding": (".fold",),
    "tetravex": (".dzn", ".tetravex"),
    "fabrik": (".fabrik",),
    "factorio": (".factorio",),
    "puzzlescript": (".puzzlescript",),
    "pddl": (".pddl", ".sas"),
}
# One of these words is in each text that the reader of the puzzle recognizes. To import a reader takes longer.
# Tiles of Tetravex may stand below a size alone.
WORDS = {
    name: re.compile(words, re.IGNORECASE | re.MULTILINE)
    for name, words in (
        ("tetravex", r"tetravex|puzzle|^[ \t]*[0-9]+(?:\D{1,9}[0-9]+)?[ \t\r]*$"),
        ("fabrik", "fabrik|none|black|white|worker"),
        ("factorio", "factorio|recipes"),
        ("puzzlescript", "objects|collisionlayers|winconditions"),
        ("pddl", "define|begin_version"),
    )
}
GROUP = "puzzlemc.puzzles"
MOST_BYTES = 1 << 24  # of a Python file
OPERATORS = {"atoms": "atom", "counts": "count"}  # of formulas, for what a puzzle names
# Names that need no parser: no word of formulas is like them, see `_misread`.
_WORD = re.compile(r"(?!(?:and|or|not|true|false)\Z)[a-z][a-z0-9_]*")
_PREFIX = "puzzlemc_puzzle_"  # of the names of modules that puzzles in Python files are


class _Colours(dict[str, tuple[str, str]]):
    """A palette that also knows each literal colour, `#rrggbb`: it is the same on light and dark pages."""

    def __missing__(self, name: str) -> tuple[str, str]:
        if not is_literal(name):
            raise KeyError(name)
        return name, name


_colours = _Colours(COLOURS)  # and the palettes of the puzzles that were loaded


class Puzzles(Mapping[str, "Puzzle"]):
    """Puzzles by name: each of the program's own is imported when it is first asked for."""

    def __init__(self, others: "Mapping[str, Puzzle]", own: Mapping[str, tuple[str, ...]]) -> None:
        """Hold puzzles that are there already, after those of `own` by their suffixes."""
        self._own = own
        self._there = dict(others)
        self._names = (*own, *others)

    def __getitem__(self, name: str) -> "Puzzle":
        if name not in self._there and name in self._own:
            self._there[name] = _own(name)
        return self._there[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, each: "Puzzle") -> None:
        """Add a puzzle; nothing happens the second time. Raises ModelError if another one has its name."""
        if each.name in self._names and self._there.get(each.name) is not each:
            raise ModelError(
                f"{each.origin}: a puzzle called {each.name!r} is known already, expected another name"
            )
        if each.name not in self._names:
            self._there[each.name] = each
            self._names = (*self._names, each.name)

    def looks_like(self, name: str, text: str) -> float:
        """How much does the text look like the puzzle, from 0 to 1? Imports its screen only. Raises KeyError."""
        if name in self._own:
            if name in WORDS and WORDS[name].search(text) is None:
                return 0.0
            return float(import_module(f"puzzlemc.screens.{name}").looks_like(text))
        return self._there[name].screen.looks_like(text)

    def suffixes(self, name: str) -> tuple[str, ...]:
        """The suffixes of the files of a puzzle; nothing is imported. Raises KeyError."""
        return self._own[name] if name in self._own else self._there[name].screen.SUFFIXES


@cache
def puzzles() -> Puzzles:
    """All puzzles by name: the program's own, and those of installed packages."""
    others: dict[str, Puzzle] = {}
    for point in _entry_points():
        each = point.load()
        if not _is_puzzle(each) or each.name in OWN or each.name in others:
            raise ModelError(f"{point.value}: expected a Puzzle with a name of its own, found {each!r}")
        check_names(each, point.value)
        _add_others_colours(each, point.value)
        others[each.name] = each
    return Puzzles(others, OWN)


def _own(name: str) -> "Puzzle":
    """Import a puzzle of the program, and add its colours."""
    each = import_module(f"puzzlemc.encodings.{name}.puzzle").PUZZLE
    assert _is_puzzle(each)
    _add_colours(each, name)
    return each


def _entry_points() -> "Iterable[EntryPoint]":
    """The entry points of puzzles. The slow `importlib.metadata` is imported only if there may be any."""
    if not any(map(_may_have_puzzles, sys.path)) and not any(map(_finds_packages, sys.meta_path)):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _may_have_puzzles(place: str) -> bool:
    """Does a place of modules hold the metadata of a package with our group, or is it an archive?"""
    try:
        names = os.listdir(place or ".")
    except NotADirectoryError:
        return True
    except OSError:
        return False
    for name in names:
        if name.lower().endswith((".dist-info", "egg-info")):
            try:
                with open(os.path.join(place, name, "entry_points.txt"), "rb") as file:
                    if GROUP.encode() in file.read():
                        return True
            except OSError:  # it has no entry points
                continue
    return False


def _finds_packages(finder: object) -> bool:
    """Does an import hook other than Python's own find the metadata of packages?"""
    return finder is not PathFinder and hasattr(finder, "find_distributions")


def colours() -> Palette:
    """The colours of pictures: the common ones, those of all puzzles by name, and of puzzles in files so far."""
    for _ in puzzles().values():  # each adds its colours when it is imported
        pass
    return _colours


def _add_others_colours(each: "Puzzle", source: str) -> None:
    """Add the palette of a puzzle that is not the program's own. Raises ModelError as `_add_colours` does."""
    if each.display.palette:
        for name in OWN:
            _own(name)
        _add_colours(each, source)


def _add_colours(each: "Puzzle", source: str) -> None:
    """Add the palette of a puzzle. Raises ModelError if it gives a known colour another value."""
    for name, values in each.display.palette.items():
        if _colours.setdefault(name, values) != values:
            raise ModelError(f"{source}: palette: {name!r} is a colour of other puzzles, expected another name")


def puzzle(name: str) -> "Puzzle":
    """The puzzle of that name, or the one that a Python file defines. Raises ModelError."""
    if name in puzzles():
        return puzzles()[name]
    if name.endswith(".py"):
        return _from_file(str(Path(name).absolute()))
    beside = (f"{name}.py",) if os.path.isfile(f"{name}.py") else ()
    raise ModelError(
        f"found no puzzle called {name!r}, expected one of: {', '.join(puzzles())}; or a file, NAME.py"
        f"{nearest(name, (*puzzles(), *beside))}"
    )


def add(path: str) -> "Puzzle":
    """Make the puzzle of a Python file known by its name, in this process. Raises ModelError."""
    found = _from_file(str(Path(path).absolute()))
    puzzles().add(found)
    return found


def _is_puzzle(each: object) -> "TypeGuard[Puzzle]":
    """Is it a `Puzzle`? The class is imported with the first puzzle: a missing file needs none."""
    from puzzlemc.encodings.puzzle import Puzzle

    # A puzzle is pickled as the place where it is found: its functions need not be picklable.
    copyreg.pickle(Puzzle, _place)
    return isinstance(each, Puzzle)


def _place(each: "Puzzle") -> "tuple[Callable[[str], Puzzle], tuple[str]]":
    return puzzle, (each.origin or each.name,)


@cache
def _from_file(path: str) -> "Puzzle":
    """The puzzle that a Python file defines. Whatever the file raises ends here."""
    name = f"{_PREFIX}{sha256(path.encode()).hexdigest()[:16]}"
    loader = _Loader(name, path)
    spec = spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # what it defines must be found again by its name
    try:
        loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        place = f"{path}:{error.lineno}:{error.offset}" if error.filename == path else path
        raise ModelError(f"{place}: cannot be imported: {type(error).__name__}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit in the file must not end the program with the file's exit code
        del sys.modules[name]
        raised = _raised_at(error)
        place = path if raised is None else f"{raised[0]}:{raised[1]}"
        raise ModelError(f"{place}: cannot be imported: {_described(error)}") from error
    if not hasattr(module, "PUZZLE"):
        raise ModelError(f"{path}: found no PUZZLE, expected PUZZLE = Puzzle(...)")
    each = module.PUZZLE
    if not _is_puzzle(each):
        raise ModelError(f"{path}: expected PUZZLE to be a Puzzle, found {each!r}")
    if not hasattr(each.vocabulary, "atoms"):
        raise ModelError(f"{path}: PUZZLE.vocabulary: found {each.vocabulary!r}, expected a Vocabulary")
    from puzzlemc.encodings.puzzle.own import check_fields, checked  # only such a puzzle needs them

    try:
        check_fields(each)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    check_names(each, path)
    _add_others_colours(each, path)
    return checked(replace(each, origin=path, levels=_levels_inside(module, path)))


def _levels_inside(module: ModuleType, path: str) -> str:
    """The text of the levels that a Python file holds as LEVELS, at the lines of the file; empty without it."""
    found: object = getattr(module, "LEVELS", "")
    if not isinstance(found, str):
        raise ModelError(f"{path}: LEVELS: found {found!r}, expected a text of levels")
    return found and "\n" * _line_before(found, path) + found


def _line_before(text: str, path: str) -> int:
    """The number of lines above a text that a Python file assigns to LEVELS as it stands; 0 if it does not."""
    import ast

    source = reading.read_bytes(path, MOST_BYTES, "a puzzle in Python")
    lines = source.decode(errors="replace").splitlines()
    first, *others = text.split("\n")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == "LEVELS" for each in node.targets):
            at = node.value.lineno - 1
            for above in (at, at + 1):  # the text may begin in the line after the quotes
                here = lines[above : above + max(1, len(others))]
                if here and here[0].endswith(first) and here[1:] == others[:-1]:
                    return above
            return 0 if others else at
    return 0


def check_names(each: "Puzzle", source: str) -> None:
    """Check that formulas can hold the names of a puzzle's atoms and numbers. Raises ModelError.

    `source` is where the puzzle is defined.
    """
    from puzzlemc.mc.temporal.property import NAMED  # what a command needs that asks nothing loads no formulas

    known: dict[str, tuple[str, str]] = {}
    for kind, names in (("atoms", each.vocabulary.atoms), ("counts", each.vocabulary.counts)):
        for name in names:
            if not isinstance(name, str):
                raise ModelError(f"{source}: {kind}: found {name!r}, expected a text")
            example = _example(name)
            why = "" if _WORD.fullmatch(example) else _misread(example, kind)
            if why:
                expected = "letters, digits and _, with @(r,c) behind them for a place, and no word of CTL"
                raise ModelError(f"{source}: {kind}: found {name!r}{why}, expected {expected}")
            if example in NAMED:
                raise ModelError(f"{source}: {kind}: {name!r} is an atom of all models, expected another name")
            if example in known:
                before, other = known[example]
                same = f"{name!r} and {other!r} are the same name"
                clash = same if before == kind else f"{name!r} is an atom and a number"
                raise ModelError(f"{source}: {kind}: {clash}, expected each once")
            known[example] = kind, name


def _misread(example: str, kind: str) -> str:
    """Why a formula cannot hold the name; empty if it can."""
    from puzzlemc.mc.temporal.parser import parse  # takes a tenth of an easy level's time

    try:
        read = parse(example if kind == "atoms" else f"{example} >= 1")
    except FormulaError as error:
        return f" (in a formula, column {error.column} of {example!r} is an error)"
    held = read.counted if read.op == OPERATORS[kind] else None
    return "" if held == example else ", which means something else in a formula"


def _example(name: str) -> str:
    """A name with 1 for each letter that stands for a number: N, and r and c of a place."""
    return re.sub(r"\b[rc]\b(?=[,)])", "1", name.replace("N", "1"))


def fault_of(error: BaseException) -> LevelError | None:
    """The error as a fault of the Python file of a puzzle, with its line; None if no such file raised it.

    The file belongs to the user: an unexpected exception in it is bad input, not a bug of the program.
    """
    raised = _raised_at(error)
    if raised is None:
        return None
    message = f"found {_described(error)}, expected the puzzle to raise LevelError or nothing"
    return LevelError(message, source=raised[0], line=raised[1])


def _raised_at(error: BaseException) -> tuple[str, int] | None:
    """The file and the line of the innermost frame in the Python file of a puzzle, if there is one."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).startswith(_PREFIX):
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found


def _described(error: BaseException) -> str:
    """The type and the message of an error, in one line; of a missing pyeda, also the command that adds it."""
    message = " ".join(str(error).split())
    if isinstance(error, ModuleNotFoundError) and str(error.name).startswith("pyeda"):
        message += f"; it is optional, add it by: {adding('pyeda')}"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


class _Loader(SourceFileLoader):
    """Loads a Python file of limited size."""

    def get_data(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError."""
        try:
            return reading.read_bytes(path, MOST_BYTES, "a puzzle in Python")
        except LevelError as error:
            raise OSError(error.message) from None


def load(paths: reading.Path | Iterable[reading.Path], puzzle: str | None = None) -> list[Entry]:
    """Find every level that the paths name, see `puzzlemc.screens.base.source.walk`.

    Suffix and content determine the puzzle, unless `puzzle` does: a name, or a Python file that defines one.
    """
    return list(walk(paths, puzzle))


def walk(
    paths: reading.Path | Iterable[reading.Path],
    puzzle: str | None = None,
    bounds: source.Bounds | None = None,
) -> Iterator[Entry]:
    """Yield the entries of `load` one by one. A file is opened when its first level is needed.

    The Python file of the puzzle stands for the levels in it.

    `bounds` may be larger than those of `load`, since the entries are not kept in memory.
    """
    try:
        chosen = None if puzzle is None else _puzzle(puzzle)
    except ModelError as error:
        for path in source.listed(paths):
            yield Entry(path, "", None, error=LevelError(str(error), source=path))
        return
    known = puzzles() if chosen is None else Puzzles({chosen.name: chosen}, {})
    inside = (
        source.Inside(os.path.abspath(chosen.origin), chosen.levels)
        if chosen is not None and chosen.origin
        else None
    )
    yield from source.walk(paths, known, chosen, bounds, inside)


def choose_domain(path: str) -> None:
    """Take the domain of all planning problems that this process reads from a file. Raises LevelError."""
    from puzzlemc.screens.pddl import choose_domain

    choose_domain(path)


def files(paths: reading.Path | Iterable[reading.Path]) -> Iterator[str]:
    """Yield the files that the paths lead to."""
    yield from source.files(paths, puzzles())


def is_level_file(path: str) -> bool:
    """Does a file with the suffix of a puzzle hold levels?"""
    return source.is_level_file(path, puzzles())


_puzzle = puzzle
