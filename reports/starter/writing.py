"""Writes the files of `templates/` for a puzzle of another name."""

import keyword
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.output.files import make_folder, write

TEMPLATE = "my_puzzle"
MOST = 30  # letters of a name
NAMES = ("README.md", "my_puzzle.py", "pyproject.toml", "test_my_puzzle.py")


class Kind(NamedTuple):
    """A puzzle to begin with.

    words    what it shows, for people
    costs    of its levels, by title; None for one without a solution
    wrong    the text of a level that is none
    message  of its error
    """

    words: str
    costs: Mapping[str, int | None]
    wrong: str
    message: str


KINDS = {
    "grid": Kind(
        "a board with a legend", {"Round the pillar": 6, "Behind the wall": None}, "@.x", ":1:3: found 'x'"
    ),
    "numbers": Kind(
        "numbers that change", {"Up to 23": 8, "Only even numbers": None}, "a: one", ":1:4: a: found 'one'"
    ),
    "pieces": Kind("pieces that move", {"Two and two": 8, "No room": None}, ">.x", "found the start 'x'"),
    "rules": Kind("rules alone, in Python", {"Four": 4, "Six": 7}, "3 x", ":1:3: found 'x'"),
}


def write_puzzle(name: str, kind: str = "grid", folder: Path | None = None) -> list[Path]:
    """Write a working puzzle with tests, to be changed into another one; return its files.

    kind    one of KINDS
    folder  None: a folder with the name of the puzzle

    Raises ModelError for a name that cannot be used, and if one of the files exists; OutputError.
    """
    check_name(name)
    target = Path(name) if folder is None else folder
    template = files("puzzlemc.reports.starter") / "templates"
    sources = {each: f"{kind}.py" if each == f"{TEMPLATE}.py" else each for each in NAMES}
    texts = {
        target / each.replace(TEMPLATE, name): renamed((template / source).read_text(encoding="utf-8"), name)
        for each, source in sources.items()
    }
    tests = target / f"test_{name}.py"
    texts[tests] = filled(texts[tests], KINDS[kind])
    for path in texts:
        if path.exists() or path.is_symlink():
            raise ModelError(f"{path}: exists, expected a folder without it; --directory names another one")
    make_folder(target)
    for path, text in texts.items():
        write(path, text)
    return list(texts)


def renamed(text: str, name: str) -> str:
    """A text of the template with another name of the puzzle."""
    return text.replace(TEMPLATE.replace("_", "-"), name.replace("_", "-")).replace(TEMPLATE, name)


def filled(text: str, kind: Kind) -> str:
    """The tests of a kind."""
    costs = ", ".join(f'"{title}": {cost}' for title, cost in kind.costs.items())
    return text.replace('"TITLE": 0', costs).replace("WRONG", kind.wrong).replace("MESSAGE", kind.message)


def check_name(name: str) -> None:
    """Raise ModelError unless it can be the name of a puzzle, of a module of Python and of a package."""
    expected = f"a small letter, then up to {MOST - 1} small letters, digits and _"
    if not re.fullmatch(rf"[a-z][a-z0-9_]{{0,{MOST - 1}}}", name) or name.endswith("_"):
        possible = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:MOST].strip("_")
        raise ModelError(f"found {name!r}, expected {expected}{f': {possible}' if possible else ''}")
    if name in puzzles():
        raise ModelError(f"a puzzle called {name!r} is known already, expected another name")
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name == "puzzlemc":
        raise ModelError(f"{name!r} has a meaning in Python, expected another name, as {name}_puzzle")
