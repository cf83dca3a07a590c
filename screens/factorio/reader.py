"""Reads Factorio levels: a plain form for small grids, and JSON, which `json_form` reads.

The plain form has the recipes with their rates in items a minute, a letter for the cells where an item comes in or
goes out, and the grid. A file can hold many levels.

    Title: Cables
    Factorio
    recipe copper-cable: 120 copper-plate = 240 copper-cable
    in A: copper-plate
    out Z: copper-cable
    optimize: minimize-loss
    A....
    .....
    .....
    .....
    ....Z

`+` separates the items that a recipe takes. A letter can be on several cells. The default of `optimize` is
maximize-output. `Title:` and `Author:` are above the level that they belong to. A line that starts with `%` or `#`
is a comment.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from puzzlemc.screens.base.comments import with_comments
from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all, limited
from puzzlemc.screens.factorio import json_form
from puzzlemc.screens.factorio.json_form import disagreement, is_name, rate_of
from puzzlemc.screens.factorio.level import CRITERIA, FREE, MAX_SIDE, MAXIMIZE_OUTPUT, Level, Port, Recipe

SUFFIXES = (".factorio",)

_HEADING = re.compile(r"^[ \t]*factorio[ \t]*$", re.MULTILINE | re.IGNORECASE)
_KEY = re.compile(r"\s*(?P<key>title|author)\s*:\s*(?P<value>.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:[%#]|$)")
_LINE = re.compile(
    r"\s*(?P<kind>recipe|in|out|optimize)(?:[ \t]+(?P<name>[^\s:]+))?[ \t]*:[ \t]*(?P<value>.*)", re.IGNORECASE
)
_GRID = re.compile(r"\s*(?P<cells>[.A-Za-z]+)\s*")
_AMOUNT = re.compile(r"\s*(?P<rate>[0-9./]+)\s+(?P<item>\S+)\s*")


def looks_like(text: str) -> float:
    """Return the fraction of the lines that belong to levels, not counting names and comments.

    It is 1 for JSON with the keys of a level, and 0 if there is neither such JSON nor the heading of the plain
    form.
    """
    text = normalized(text)
    if not _HEADING.search(text):
        return float(text.lstrip().startswith("{") and all(f'"{key}"' in text for key in ("recipes", "inOutPos")))
    lines = [line for line in text.split("\n") if not _COMMENT.match(line) and not _KEY.fullmatch(line)]
    return sum(any(form.fullmatch(line) for form in (_HEADING, _LINE, _GRID)) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level in the order of the file. A text in neither form is one invalid level."""
    yield from with_comments(_cut(normalized(text), source), text, _COMMENT)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError."""
    if part.text.lstrip().startswith(("{", "[")):
        return json_form.read_level(part.text, part.source)
    return _level(part)


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a text: one item for each level in file order; an error takes the place of a bad level.

    Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)


def _cut(text: str, source: str) -> Iterator[Part | LevelError]:
    if not _HEADING.search(text):
        yield Part(source, 1, text, *json_form.names(text))
        return
    yield from limited(_plain(text, source), source)


def _plain(text: str, source: str) -> Iterator[Part]:
    """Yield the levels of a text in the plain form, without checking them."""
    about: dict[str, str] = {}
    lines: list[str] = []
    first = 0  # the first line of the current level, from 1
    for number, line in enumerate(text.split("\n"), 1):
        key = _KEY.fullmatch(line)
        if first and (key or _HEADING.match(line)):
            yield Part(source, first, "\n".join(lines), about.get("title", ""), about.get("author", ""))
            about, first, lines = {}, 0, []
        if key:
            about[key["key"].lower()] = key["value"]
        elif first or not _COMMENT.match(line):
            first = first or number
            lines.append(line)
    if first:
        yield Part(source, first, "\n".join(lines), about.get("title", ""), about.get("author", ""))


def _level(part: Part) -> Level:
    """Build the level of a heading and the lines below it. Raises LevelError."""
    source = part.source
    lines = [
        (number, line) for number, line in enumerate(part.text.split("\n"), part.line) if not _COMMENT.match(line)
    ]
    if not lines:
        raise LevelError("found no level, expected Factorio or JSON", source=source)

    def wrong(number: int, message: str, column: int | None = None) -> LevelError:
        return LevelError(message, source=source, line=number, column=column)

    first, heading = lines[0]
    if not _HEADING.match(heading):
        raise wrong(first, f"found {heading.strip()[:40]!r}, expected Factorio and the level below it")
    recipes: dict[str, Recipe] = {}
    ports: dict[str, tuple[str, str, int]] = {}  # by letter: kind, item, line
    optimize = MAXIMIZE_OUTPUT
    grid: list[tuple[int, str, int]] = []
    for number, line in lines[1:]:
        if row := _GRID.fullmatch(line):
            grid.append((number, row["cells"], row.start("cells")))
            continue
        found = _LINE.fullmatch(line)
        if found is None or (found["name"] is None) != (found["kind"].lower() == "optimize"):
            raise wrong(
                number, f"found {line.strip()[:40]!r}, expected recipe …:, in …:, out …:, optimize: or a row"
            )
        kind, name, value = found["kind"].lower(), found["name"], found["value"].strip()
        column = 1 + found.start("value")
        if kind == "recipe":
            if name in recipes or not is_name(name) or len(recipes) == json_form.MAX_RECIPES:
                limit = f"a new name, and at most {json_form.MAX_RECIPES} recipes"
                raise wrong(number, f"found the recipe {name[:40]!r}, expected {limit}", column)
            try:
                recipes[name] = _recipe(name, value)
            except ValueError as error:
                raise wrong(number, str(error), column) from None
        elif kind == "optimize":
            optimize = value.lower()
            if optimize not in CRITERIA:
                raise wrong(number, f"found {value[:40]!r}, expected {' or '.join(CRITERIA)}", column)
        else:
            if len(name) != 1 or not name.isascii() or not name.isalpha() or name in ports:
                raise wrong(number, f"found {name[:40]!r}, expected a letter that is not used yet")
            if not is_name(value):
                raise wrong(number, f"found {value[:40]!r}, expected the name of an item", column)
            ports[name] = (kind, value, number)
    if not grid or len(grid) > MAX_SIDE:
        raise wrong(first, f"found {len(grid)} rows of a grid, expected 1 to {MAX_SIDE}")
    width = len(grid[0][1])
    sides: dict[str, list[Port]] = {"in": [], "out": []}
    used: set[str] = set()
    for row_number, (number, cells, start) in enumerate(grid):
        if len(cells) != width or width > MAX_SIDE:
            expected = f"{width} as in the first row" if width <= MAX_SIDE else f"at most {MAX_SIDE}"
            raise wrong(number, f"found {len(cells)} cells, expected {expected}", 1 + start)
        for column, letter in enumerate(cells):
            if letter != FREE:
                if letter not in ports:
                    raise wrong(
                        number, f"found {letter!r}, expected '.' or a letter of in or out", 1 + start + column
                    )
                used.add(letter)
                sides[ports[letter][0]].append(Port((row_number, column), ports[letter][1]))
    for letter, (_, _, number) in ports.items():
        if letter not in used:
            raise wrong(number, f"found {letter!r} nowhere in the grid, expected it at least once")
    made = tuple(recipes.values())
    level = Level(
        part.title, part.author, width, len(grid), made, tuple(sides["in"]), tuple(sides["out"]), optimize
    )
    fault = disagreement(level)
    if fault:
        where, seen, expected = fault
        kind = "in" if where.startswith("inOutPos.IN") else "out"
        number = next((at for side, item, at in ports.values() if (side, item) == (kind, seen)), first)
        raise wrong(number, f"{kind}: found {seen}, expected {expected}")
    return level


def _recipe(name: str, text: str) -> Recipe:
    """Read a recipe such as `120 iron-plate + 360 copper-cable = 120 electronic-circuit`. Raises ValueError."""
    takes, sign, gives = text.partition("=")
    if not sign:
        raise ValueError(f"found {text[:40]!r}, expected the items that it takes, = and the item that it gives")

    def amounts(side: str) -> dict[str, Fraction]:
        made = {}
        for part in side.split("+"):
            found = _AMOUNT.fullmatch(part)
            rate = rate_of(found["rate"]) if found else None
            if found is None or not rate or not is_name(found["item"]) or found["item"] in made:
                raise ValueError(f"found {part.strip()[:40]!r}, expected a rate above 0 and a new item")
            made[found["item"]] = rate
        return made

    taken, given = amounts(takes), amounts(gives)
    if len(given) != 1 or set(given) & set(taken):
        raise ValueError(f"found {gives.strip()[:40]!r}, expected one item that it does not take")
    return Recipe(name, tuple(taken.items()), next(iter(given.items())))
