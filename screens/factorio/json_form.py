"""Reads and writes Factorio levels and layouts as JSON, in the format of PauJimeno/FactorioPlanner.

A level: `recipes` by name with `IN` and `OUT` as lists of item and rate, `size` as columns and rows, `inOutPos`
with the `ITEM` of each cell "(row,column)" under `IN` and `OUT`, and `optimize`. A layout is grids by row:
`CONVEYOR`, `INSERTER`, `ASSEMBLER` (centres, without the outermost rows and columns), `ASSEMBLER_COLLISION`,
`ROUTE`, `ITEM_FLOW`, `INPUT_FLOW_RATE`, `OUTPUT_FLOW_RATE`; the last five are optional. `INPUT RATIO`, a table of
that planner's first version, is checked and dropped, since it follows from the rates.
"""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NoReturn

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio.level import (
    CRITERIA,
    DIRECTIONS,
    MAX_SIDE,
    MAXIMIZE_OUTPUT,
    Cell,
    Layout,
    Level,
    Numbers,
    Port,
    Rates,
    Recipe,
    Words,
)

MAX_RATE = 10**6
MAX_RECIPES = 64
MAX_TEXT = 1 << 20  # characters of a level or a layout
EMPTY, NONE = "empty", "none"
RATIO = "INPUT RATIO"
RATE = "a rate such as 50 or 100/3"

_CELL = re.compile(r"\(\s*([0-9]{1,5})\s*,\s*([0-9]{1,5})\s*\)")
_RATE = re.compile(r"([0-9]{1,20})(?:\.([0-9]{1,12}))?(?:/([0-9]{1,20}))?")
_ROUTE = re.compile(r"[0-9]{1,4}")


def names(text: str) -> tuple[str, str]:
    """Return title and author of a level, each empty if it is missing; both if the text is too long or no JSON."""
    try:
        root = json.loads(text) if len(text) <= MAX_TEXT else None
    except (ValueError, RecursionError):
        return "", ""
    found = [root.get(key) if isinstance(root, dict) else None for key in ("title", "author")]
    title, author = (value if isinstance(value, str) else "" for value in found)
    return title, author


def read_level(text: str, source: str) -> Level:
    """Read a level. Raises LevelError, which names the key of the wrong value."""
    data = _Reader(source)
    root = data.object(
        data.load(text), "the level", ("recipes", "size", "inOutPos"), ("optimize", "title", "author")
    )
    width, height = _size(data, root["size"])
    recipes = _recipes(data, root["recipes"])
    places = data.object(root["inOutPos"], "inOutPos", ("IN", "OUT"))
    inputs = _ports(data, places["IN"], "inOutPos.IN", width, height)
    outputs = _ports(data, places["OUT"], "inOutPos.OUT", width, height)
    optimize = root.get("optimize", MAXIMIZE_OUTPUT)
    if optimize not in CRITERIA:
        data.wrong("optimize", optimize, " or ".join(CRITERIA))
    title, author = (data.text(root.get(key, ""), key) for key in ("title", "author"))
    level = Level(title, author, width, height, recipes, inputs, outputs, optimize)
    fault = disagreement(level)
    if fault:
        where, found, expected = fault
        data.wrong(where, found, expected)
    return level


def disagreement(level: Level) -> tuple[str, object, str] | None:
    """Return a contradiction within a level: the key, the value, what is expected. None if there is none."""
    taken = {item for recipe in level.recipes for item, _ in recipe.takes}
    given = {recipe.gives[0] for recipe in level.recipes}
    brought = {port.item for port in level.inputs}
    wanted = {port.item for port in level.outputs}
    seen: set[Cell] = set()
    for kind, ports in (("IN", level.inputs), ("OUT", level.outputs)):
        if not ports:
            return f"inOutPos.{kind}", "nothing", "at least one cell"
        for port in ports:
            where = f"inOutPos.{kind}.{name(port.cell)}"
            if port.cell in seen:
                return where, "the cell again", "each cell once"
            seen.add(port.cell)
            if kind == "IN" and port.item not in taken | wanted:
                return f"{where}.ITEM", port.item, "an item that a recipe takes or that goes out"
            if kind == "OUT" and port.item not in given | brought:
                return f"{where}.ITEM", port.item, "an item that a recipe gives or that comes in"
    return None


def name(cell: Cell) -> str:
    """Return a cell as it is written in the JSON."""
    return f"({cell[0]},{cell[1]})"


def write_level(level: Level) -> str:
    """Write a level, with a newline at the end."""

    def ports(of: Sequence[Port]) -> dict[str, Any]:
        return {name(port.cell): {"ITEM": port.item} for port in of}

    data: dict[str, Any] = {
        "recipes": {
            recipe.name: {
                "IN": [[item, _number(rate)] for item, rate in recipe.takes],
                "OUT": [[recipe.gives[0], _number(recipe.gives[1])]],
            }
            for recipe in level.recipes
        },
        "size": [level.width, level.height],
        "inOutPos": {"IN": ports(level.inputs), "OUT": ports(level.outputs)},
        "optimize": level.optimize,
    }
    data |= {key: value for key, value in (("title", level.title), ("author", level.author)) if value}
    return json.dumps(data) + "\n"


def read_layout(text: str, source: str) -> Layout:
    """Read a layout of any size up to MAX_SIDE. Raises LevelError, which names the key of the wrong value."""
    data = _Reader(source)
    optional = ("ASSEMBLER_COLLISION", "ROUTE", "ITEM_FLOW", "INPUT_FLOW_RATE", "OUTPUT_FLOW_RATE")
    root = data.object(
        data.load(text),
        "the layout",
        ("CONVEYOR", "INSERTER", "ASSEMBLER"),
        (*optional, RATIO, "status", "solving_time"),
    )
    if RATIO in root:
        _rates(data, root[RATIO], RATIO, None, _RATE, RATE)
    belts = _words(data, root["CONVEYOR"], "CONVEYOR", EMPTY, None)
    size = (len(belts), len(belts[0]))
    inserters = _words(data, root["INSERTER"], "INSERTER", EMPTY, size)
    for key, grid in (("CONVEYOR", belts), ("INSERTER", inserters)):
        for row, line in enumerate(grid):
            for column, word in enumerate(line):
                if word and word not in DIRECTIONS:
                    data.wrong(f"{key}[{row}][{column}]", word, f"{EMPTY} or {', '.join(DIRECTIONS)}")
    inner = (size[0] - 2, size[1] - 2)
    centres: Words = ()
    if min(inner) > 0 or root["ASSEMBLER"]:
        centres = _words(data, root["ASSEMBLER"], "ASSEMBLER", NONE, inner)
    assemblers = tuple(
        ((row + 1, column + 1), word)
        for row, line in enumerate(centres)
        for column, word in enumerate(line)
        if word
    )
    given: dict[str, Any] = {key: root[key] for key in optional if key in root}
    if ("INPUT_FLOW_RATE" in given) != ("OUTPUT_FLOW_RATE" in given):
        data.fail("found one of INPUT_FLOW_RATE and OUTPUT_FLOW_RATE, expected both or neither")

    def words(key: str) -> Words:
        return _words(data, given[key], key, NONE, size) if key in given else ()

    def numbers(key: str, pattern: re.Pattern[str], what: str) -> Rates:
        return _rates(data, given[key], key, size, pattern, what) if key in given else ()

    routes: Numbers = tuple(
        tuple(map(int, row)) for row in numbers("ROUTE", _ROUTE, "a route number from 0 to 9999")
    )
    return Layout(
        belts,
        inserters,
        assemblers,
        words("ASSEMBLER_COLLISION"),
        routes,
        words("ITEM_FLOW"),
        numbers("INPUT_FLOW_RATE", _RATE, RATE),
        numbers("OUTPUT_FLOW_RATE", _RATE, RATE),
    )


def write_layout(layout: Layout, seconds: float = 0.0) -> str:
    """Write a layout, with a newline at the end; unknown grids are left out."""
    recipes = dict(layout.assemblers)
    data: dict[str, Any] = {
        "CONVEYOR": [[word or EMPTY for word in row] for row in layout.belts],
        "INSERTER": [[word or EMPTY for word in row] for row in layout.inserters],
        "ASSEMBLER": [
            [recipes.get((row, column), NONE) for column in range(1, layout.width - 1)]
            for row in range(1, layout.height - 1)
        ],
    }
    for key, grid in (("ASSEMBLER_COLLISION", layout.areas), ("ITEM_FLOW", layout.items)):
        if grid:
            data[key] = [[word or NONE for word in row] for row in grid]
    for key, values in (
        ("ROUTE", layout.routes),
        ("INPUT_FLOW_RATE", layout.inflow),
        ("OUTPUT_FLOW_RATE", layout.outflow),
    ):
        if values:
            data[key] = [[str(value) for value in row] for row in values]
    return json.dumps(data | {"status": "SAT", "solving_time": seconds}) + "\n"


class _Reader:
    """Reads values of a JSON text; errors name the keys of wrong values."""

    def __init__(self, source: str) -> None:
        self._source = source

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> NoReturn:
        """Raise LevelError."""
        raise LevelError(message, source=self._source, line=line, column=column)

    def wrong(self, where: str, found: object, expected: str) -> NoReturn:
        """Raise LevelError about the value of a key."""
        shown = found if isinstance(found, str) else json.dumps(found, default=str)
        shown = re.sub(r"\s+", " ", shown)
        self.fail(f"{where}: found {shown[:40] + ('…' if len(shown) > 40 else '')}, expected {expected}")

    def load(self, text: str) -> Any:
        """Return the value of a text. Numbers stay text, so that no large number is computed."""

        def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
            made = dict(found)
            if len(made) < len(found):
                keys = [key for key, _ in found]
                again = next(key for index, key in enumerate(keys) if key in keys[:index])
                self.fail(f"found the key {again[:40]!r} again, expected each key once")
            return made

        if len(text) > MAX_TEXT:
            self.fail(f"found {len(text)} characters, expected at most {MAX_TEXT}")
        try:
            return json.loads(
                text.removeprefix("\ufeff"), parse_int=_Number, parse_float=_Number, object_pairs_hook=pairs
            )
        except json.JSONDecodeError as error:
            self.fail(f"found no JSON: {error.msg}", error.lineno, error.colno)
        except RecursionError:
            self.fail("found JSON that is nested too deep, expected a level or a layout")

    def object(
        self, value: Any, where: str, keys: Sequence[str] | None, optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return an object that has these keys and no others, or any keys if `keys` is None."""
        if not isinstance(value, dict):
            self.wrong(where, value, "an object")
        if keys is not None:
            for key in keys:
                if key not in value:
                    self.wrong(where, "no " + key, " and ".join(keys))
            for key in value:
                if key not in keys and key not in optional:
                    self.wrong(where, f"the key {key!r}", " or ".join((*keys, *optional)))
        return value

    def text(self, value: Any, where: str) -> str:
        """Return a text of one line."""
        if not isinstance(value, str) or isinstance(value, _Number) or len(value.splitlines()) > 1:
            self.wrong(where, value, "a text of one line")
        return value

    def word(self, value: Any, where: str) -> str:
        """Return the name of an item or a recipe."""
        if not isinstance(value, str) or isinstance(value, _Number) or not is_name(value):
            self.wrong(where, value, "a name without blanks")
        return value

    def list(self, value: Any, where: str, least: int, most: int) -> list[Any]:
        """Return a list with at least `least` and at most `most` values."""
        if not isinstance(value, list) or not least <= len(value) <= most:
            found = f"{len(value)} values" if isinstance(value, list) else value
            count = f"{least}" if least == most else f"{least} to {most}"
            self.wrong(where, found, f"a list of {count}")
        return value


class _Number(str):
    """A number as it is written in the text."""

    __slots__ = ()


def is_name(text: str) -> bool:
    """Return whether a text can be the name of an item or a recipe."""
    return bool(re.fullmatch(r"[^\s:=+,()]{1,80}", text)) and text not in (EMPTY, NONE)


def rate_of(text: str) -> Fraction | None:
    """Return the rate that a text denotes, None if it is no rate from 0 to MAX_RATE."""
    found = _RATE.fullmatch(text)
    if found is None or (found[3] and (found[2] or not int(found[3]))):
        return None
    value = Fraction(text)
    return value if value <= MAX_RATE else None


def _number(rate: Fraction) -> int | float | str:
    if rate.denominator == 1:
        return int(rate)
    return float(rate) if Fraction(str(float(rate))) == rate else str(rate)


def _size(data: _Reader, value: Any) -> tuple[int, int]:
    numbers = data.list(value, "size", 2, 2)
    for index, number in enumerate(numbers):
        right = isinstance(number, _Number) and re.fullmatch(r"[0-9]{1,4}", number)
        if not right or not 1 <= int(number) <= MAX_SIDE:
            data.wrong(f"size[{index}]", number, f"a number from 1 to {MAX_SIDE}")
    return int(numbers[0]), int(numbers[1])


def _recipes(data: _Reader, value: Any) -> tuple[Recipe, ...]:
    recipes = data.object(value, "recipes", None)
    if len(recipes) > MAX_RECIPES:
        data.wrong("recipes", f"{len(recipes)} recipes", f"at most {MAX_RECIPES}")
    made = []
    for key, recipe in recipes.items():
        where = f"recipes.{data.word(key, 'recipes')}"
        parts = data.object(recipe, where, ("IN", "OUT"))
        takes = _amounts(data, parts["IN"], f"{where}.IN", 16)
        gives = _amounts(data, parts["OUT"], f"{where}.OUT", 1)
        if gives[0][0] in dict(takes):
            data.wrong(f"{where}.OUT[0]", gives[0][0], "an item that it does not take")
        made.append(Recipe(key, takes, gives[0]))
    return tuple(made)


def _amounts(data: _Reader, value: Any, where: str, most: int) -> tuple[tuple[str, Fraction], ...]:
    amounts: dict[str, Fraction] = {}
    for index, pair in enumerate(data.list(value, where, 1, most)):
        item, number = data.list(pair, f"{where}[{index}]", 2, 2)
        rate = rate_of(number) if isinstance(number, str) else None
        if not rate:
            data.wrong(f"{where}[{index}][1]", number, f"a rate above 0, at most {MAX_RATE}")
        if data.word(item, f"{where}[{index}][0]") in amounts:
            data.wrong(f"{where}[{index}][0]", item, "each item once")
        amounts[item] = rate
    return tuple(amounts.items())


def _ports(data: _Reader, value: Any, where: str, width: int, height: int) -> tuple[Port, ...]:
    ports = []
    for key, port in data.object(value, where, None).items():
        found = _CELL.fullmatch(key)
        if found is None:
            data.wrong(where, key, 'a cell as "(row,column)"')
        cell = int(found[1]), int(found[2])
        if cell[0] >= height or cell[1] >= width:
            data.wrong(f"{where}.{key}", "a cell outside", f"a row below {height} and a column below {width}")
        parts = data.object(port, f"{where}.{key}", ("ITEM",))
        ports.append(Port(cell, data.word(parts["ITEM"], f"{where}.{key}.ITEM")))
    return tuple(ports)


def _rows(data: _Reader, value: Any, where: str, size: tuple[int, int] | None) -> list[list[Any]]:
    rows = data.list(value, where, *(2 * size[:1] if size else (1, MAX_SIDE)))
    width: int | None = size[1] if size else None
    for index, row in enumerate(rows):
        many = (1, MAX_SIDE) if width is None else (width, width)
        width = len(data.list(row, f"{where}[{index}]", *many))
    return rows


def _words(data: _Reader, value: Any, where: str, nothing: str, size: tuple[int, int] | None) -> Words:
    return tuple(
        tuple(
            "" if word == nothing else data.word(word, f"{where}[{row}][{column}]")
            for column, word in enumerate(words)
        )
        for row, words in enumerate(_rows(data, value, where, size))
    )


def _rates(
    data: _Reader,
    value: Any,
    where: str,
    size: tuple[int, int] | None,
    pattern: re.Pattern[str],
    what: str,
) -> Rates:
    grid = []
    for row, values in enumerate(_rows(data, value, where, size)):
        rates = []
        for column, text in enumerate(values):
            rate = rate_of(text) if isinstance(text, str) and pattern.fullmatch(text) else None
            if rate is None:
                data.wrong(f"{where}[{row}][{column}]", text, what)
            rates.append(rate)
        grid.append(tuple(rates))
    return tuple(grid)
