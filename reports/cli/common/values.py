"""The values of an option or argument that has few: shells offer them at the Tab key.

Each function is the `autocompletion` of a parameter. It runs at each press of the key, so it imports little, reads
at most `MOST_BYTES` of a file, and executes no file that the line names.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from puzzlemc.screens.base.selection import LITERAL, SIGN, is_places
from puzzlemc.screens.base.source import Bounds, is_standard_input

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle
    from puzzlemc.encodings.puzzles import Entry

Values = Iterable[str | tuple[str, str]]  # each alone, or with what it is

MOST_BYTES = 1 << 20  # of a file, and of what it unpacks to
MOST_LEVELS = 10_000
PERSON = "person"  # a player that is no bot

# The names of registries whose modules take a second to import. A test compares them.
TRACE_FORMATS = ("lurd", "moves", "plan", "frames", "json", "svg", "gif")
EXPORT_FORMATS = ("aiger", "btor2", "dimacs", "dot", "graphml", "oracle", "page", "pddl", "sas", "smv")
FINDING_FORMATS = ("github", "sarif", "junit", "tap")
QUERY_ENGINES = ("auto", "explicit", "symbolic")
CHANCES = ("lucky", "surely", "almost", "probability")


def one_of(*values: str) -> Callable[[], list[str]]:
    """These values, independent of the rest of the line."""
    return lambda: list(values)


def puzzles() -> Values:
    """The names of all puzzles."""
    from puzzlemc.encodings.puzzles import puzzles

    return list(puzzles())


def generated() -> Values:
    """The puzzles with generated levels."""
    return [each.name for each in _all() if each.generation is not None]


def games() -> Values:
    """The puzzles that are games of two sides."""
    return [each.name for each in _all() if each.game is not None]


def metrics(context: typer.Context) -> Values:
    """The metrics of the puzzle, pairs of them in order, and `any`."""
    names = [(*each.metrics, *each.orders, *(("any",) if each.game is None else ())) for each in _meant(context)]
    return dict.fromkeys(name for several in names for name in several)


def engines() -> Values:
    """The engines."""
    from puzzlemc.mc.engines.registry import ENGINES

    return ["auto", *ENGINES]


def diagrams() -> Values:
    """The packages of decision diagrams."""
    from puzzlemc.mc.symbolic.packages import PACKAGES

    return ["auto", *PACKAGES]


def starters() -> Values:
    """The kinds of puzzles to start from, with what they show."""
    from puzzlemc.reports.starter.writing import KINDS

    return [(name, kind.words) for name, kind in KINDS.items()]


def wishes() -> Values:
    """The wishes of `suggest`, each with what stands behind it."""
    from puzzlemc.reports.suggest.request import WISHES

    return [(f"{name}=" if after and not after.startswith("[") else name, after) for name, after in WISHES.items()]


def generated_wishes() -> Values:
    """The wishes of `generate`, each with what stands behind it."""
    from puzzlemc.reports.generate.wishes import SPELLED

    return [(before + sign, after) for before, sign, after in (each.partition("=") for each in SPELLED.values())]


def encodings(context: typer.Context) -> Values:
    """The encodings of the puzzle."""
    return dict.fromkeys(name for each in _meant(context) for name in each.encodings)


def methods(context: typer.Context) -> Values:
    """The textbook searches and engines that `compare` has for the puzzle."""
    from puzzlemc.reports.ask.compare import ways

    return dict.fromkeys(name for each in _meant(context) if each.game is None for name in ways(each))


def export_formats(context: typer.Context) -> Values:
    """The formats that a level of the puzzle can be exported to."""
    return dict.fromkeys([*EXPORT_FORMATS, *(name for each in _meant(context) for name in each.text.exports)])


def suffixes(context: typer.Context) -> Values:
    """The suffixes of the formats in which levels of the puzzle are written, without the dot."""
    return dict.fromkeys(suffix.lstrip(".") for each in _meant(context) for suffix in each.level_formats)


def bots(context: typer.Context) -> Values:
    """Two bots of the game, with a comma between them."""
    return map(",".join, product(_bots(context), repeat=2))


def players(context: typer.Context) -> Values:
    """Two players of the game, with a comma between them: bots or persons."""
    return map(",".join, product([PERSON, *_bots(context)], repeat=2))


def levels(incomplete: str) -> Values:
    """After `FILE#`, the numbers of its levels with their titles; after a letter, the titles."""
    path, sign, which = incomplete.rpartition(SIGN)
    if not sign or not _is_read(path):
        return
    found = [(entry.id.rpartition(SIGN)[2], entry.title) for entry in _entries(path)]
    numbers = [(f"{path}{SIGN}{number}", title) for number, title in found if number.startswith(which)]
    yield from numbers
    if numbers:
        return
    titles = [title for _, title in found]
    for number, title in found:
        name = LITERAL + title if is_places(title) or title.startswith(LITERAL) else title
        if title and title.isprintable() and titles.count(title) == 1 and name.startswith(which):
            yield f"{path}{SIGN}{name}", f"level {number}"


def _bots(context: typer.Context) -> list[str]:
    name = context.params.get("game")
    games = [each for each in _meant(context) if each.game is not None and name in (None, each.name)]
    return list(dict.fromkeys(bot for each in games if each.game is not None for bot in each.game.bots))


def _all() -> "list[Puzzle]":
    from puzzlemc.encodings.puzzles import puzzles

    return list(puzzles().values())


def _meant(context: typer.Context) -> "list[Puzzle]":
    """The puzzle that the line names, or that of its first level; all puzzles if it names neither."""
    known = _all()
    if name := context.params.get("puzzle"):
        return [each for each in known if each.name == name] or known
    named = context.params.get("levels") or context.params.get("level") or ()
    first = next(iter([named] if isinstance(named, str) else named), "")
    path = first if os.path.exists(first) else first.rpartition(SIGN)[0]
    if not _is_read(path):
        return known
    name = next((entry.puzzle_name for entry in _entries(path)), None)
    return [each for each in known if each.name == name] or known


def _is_read(path: str) -> bool:
    """Is it a regular file, or inside an archive that is one? Other files may never end, and folders are large."""
    if not path or is_standard_input(path):
        return False
    there = next((each for each in (Path(path), *Path(path).parents) if os.path.lexists(each)), Path())
    return there.is_file()


def _entries(path: str) -> "Iterator[Entry]":
    """The levels of a file; none if it is too large, or holds several files."""
    from puzzlemc.encodings.puzzles import walk

    found = list(islice(walk([path], None, Bounds(MOST_LEVELS, MOST_BYTES, 0)), MOST_LEVELS))
    files = {entry.id.rpartition(SIGN)[0] for entry in found}
    return iter(found if len(files) == 1 and "" not in files else ())
