"""Reads and writes blueprint strings of Factorio 2.0 and 1.1, with factorio-draftsman.

A string is `0` and the base64 encoding of JSON that zlib compressed; it may be broken into lines. The position of
an entity is its centre, which before version 1.0 may be a whole number: where the whole stands has no meaning.
Version 2.0 has 16 directions, earlier versions have 8. The direction of an inserter is the side from which it
takes items, the opposite of the direction in which it moves them. A blueprint has no routes, items and rates.
Electric poles are left out, since a layout says nothing of power.

A string can come from an untrusted source. So its expansion is bounded, and its form is checked before the library
reads it. The library is the extra `planner`. It is imported on first use, because the import is slow.
"""

import base64
import binascii
import json
import warnings
import zlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from puzzlemc.mc.installed import adding
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio.level import DIRECTIONS, MAX_SIDE, OPPOSITE, Cell, Layout, Level, area, where

BELT, INSERTER, ASSEMBLER = "transport-belt", "inserter", "assembling-machine-1"
POLES = ("small-electric-pole", "medium-electric-pole", "big-electric-pole", "substation")
VERSIONS = {"2.0": (2, 0, 28, 1), "1.1": (1, 1, 110, 0)}

MAX_CHARACTERS = 1 << 20
MAX_BYTES = 1 << 20  # of the JSON
MAX_ENTITIES = MAX_SIDE**2
MAX_PLACE = 10**6  # of an entity, in cells


def write(layout: Layout, version: str = "2.0", label: str = "") -> str:
    """Return the blueprint string of a layout; it was read again and compared with the layout.

    Raises LevelError if the library is missing, or if the string is read as another layout.
    """
    draftsman = _library("the blueprint")
    number = VERSIONS[version]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about recipes that the library does not know, and about overlaps
        blueprint = draftsman.Blueprint()
        blueprint.version = number
        if label:
            blueprint.label = label
        for name, (row, column), direction, recipe in _entities(layout):
            code = _code(direction)
            more = {"recipe": recipe} if recipe else {"direction": code}
            blueprint.entities.append(name, tile_position=(column, row), **more)
        text: str = blueprint.to_string(version=number)
    again = read(text, "the blueprint")
    if _normal(again) != _normal(layout):
        raise LevelError(
            "found another layout when the string was read again, expected the same", source="the blueprint"
        )
    return text


def looks_like(text: str) -> bool:
    """Return whether a text can be a blueprint string: it starts with 0, and JSON does not."""
    return text.lstrip("\ufeff \t\r\n").startswith("0")


def read(text: str, source: str, level: Level | None = None) -> Layout:
    """Return the layout of a blueprint string, on the grid of `level`, or on the smallest grid that holds it.

    The position of a blueprint has no meaning in the game. On the grid of a level, it is moved to a place where
    belts are on all cells at which items come in and go out, if there is such a place. Raises LevelError.
    """
    found = _parsed(_decoded(text, source), source)
    cells = [cell for name, (row, column), _, _ in found for cell in _square(name, row, column)]
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    limits = (height, width) if level is None else (level.height, level.width)
    if height > min(limits[0], MAX_SIDE) or width > min(limits[1], MAX_SIDE):
        expected = f"at most {min(limits[1], MAX_SIDE)} × {min(limits[0], MAX_SIDE)}"
        raise LevelError(f"found a blueprint of {width} × {height} cells, expected {expected}", source=source)
    down, right = _shift(found, level, min(rows), min(columns), height, width)
    belts = [[""] * limits[1] for _ in range(limits[0])]
    inserters = [[""] * limits[1] for _ in range(limits[0])]
    assemblers = []
    for name, (row, column), direction, recipe in found:
        place = row + down, column + right
        if name == ASSEMBLER:
            assemblers.append(((place[0] + 1, place[1] + 1), recipe))
            continue
        grid = belts if name == BELT else inserters
        if belts[place[0]][place[1]] or inserters[place[0]][place[1]]:
            message = "found two things on one cell, expected one"
            raise LevelError(f"{message}: {where(place)}", source=source)
        grid[place[0]][place[1]] = direction if name == BELT else OPPOSITE[direction]
    return Layout(tuple(map(tuple, belts)), tuple(map(tuple, inserters)), tuple(sorted(assemblers)))


_Entity = tuple[str, Cell, str, str]  # name, upper left cell, direction as in the game, recipe


def _entities(layout: Layout) -> Iterator[_Entity]:
    for name, grid in ((BELT, layout.belts), (INSERTER, layout.inserters)):
        for row, words in enumerate(grid):
            for column, word in enumerate(words):
                if word:
                    yield name, (row, column), word if name == BELT else OPPOSITE[word], ""
    for (row, column), recipe in layout.assemblers:
        yield ASSEMBLER, (row - 1, column - 1), "north", recipe


def _square(name: str, row: int, column: int) -> list[Cell]:
    return area((row + 1, column + 1)) if name == ASSEMBLER else [(row, column)]


def _code(direction: str) -> int:
    return 4 * DIRECTIONS.index(direction)


def _normal(layout: Layout) -> tuple[object, ...]:
    """Return the entities of a layout, relative to their upper left corner, for comparison."""
    found = [(name, *cell, direction, recipe) for name, cell, direction, recipe in _entities(layout)]
    top, left = min(entity[1] for entity in found), min(entity[2] for entity in found)
    return tuple(sorted((name, row - top, column - left, *more) for name, row, column, *more in found))


def _decoded(text: str, source: str) -> dict[str, Any]:
    """Return the JSON of a blueprint string; its size is bounded. Raises LevelError."""
    text = "".join(text.removeprefix("\ufeff").split())
    if len(text) > MAX_CHARACTERS:
        raise LevelError(f"found {len(text)} characters, expected at most {MAX_CHARACTERS}", source=source)
    if not text.startswith("0"):
        raise LevelError(f"found {text[:20]!r}, expected a blueprint string, which starts with 0", source=source)
    try:
        packed = base64.b64decode(text[1:], validate=True)
    except (binascii.Error, ValueError) as error:
        raise LevelError(f"found no base64 after the 0 ({error})", source=source) from None
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, MAX_BYTES + 1)
    except zlib.error as error:
        raise LevelError(f"found no zlib data in the base64 ({error})", source=source) from None
    if len(data) > MAX_BYTES:
        raise LevelError(f"found more than {MAX_BYTES} bytes when unpacked, expected a blueprint", source=source)
    if not unpacker.eof:
        raise LevelError("found zlib data that ends too soon", source=source)
    try:
        root = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        message = "too many layers" if isinstance(error, RecursionError) else error
        raise LevelError(f"found no JSON in the zlib data ({message})", source=source) from None
    blueprint = root.get("blueprint") if isinstance(root, dict) else None
    if not isinstance(blueprint, dict):
        keys = ", ".join(map(str, root))[:60] if isinstance(root, dict) else type(root).__name__
        raise LevelError(f"found {keys!r}, expected the key blueprint: no book, no planner", source=source)
    return blueprint


def _parsed(blueprint: dict[str, Any], source: str) -> list[_Entity]:
    """Return the entities of a blueprint, as the library reads them. Raises LevelError."""

    def wrong(where: str, found: object, expected: str) -> LevelError:
        return LevelError(f"{where}: found {str(found)[:60]!r}, expected {expected}", source=source)

    entities = blueprint.get("entities")
    if not isinstance(entities, list) or not entities:
        raise wrong("entities", entities, "a list of belts, inserters and assemblers")
    if len(entities) > MAX_ENTITIES:
        raise wrong("entities", len(entities), f"at most {MAX_ENTITIES}")
    version = blueprint.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or not 0 < version < 1 << 64:
        raise wrong("version", version, "the number of a version of the game")
    sixteen = version >> 48 >= 2
    plain: list[dict[str, Any]] = []
    middles: dict[str, float] = {}  # the place of the middle of a cell on each axis: 0.5, or 0
    for index, entity in enumerate(entities):
        where = f"entities[{index}]"
        if not isinstance(entity, dict):
            raise wrong(where, entity, "an entity")
        name, position, recipe = entity.get("name"), entity.get("position"), entity.get("recipe")
        if name in POLES:
            continue
        if name not in (BELT, INSERTER, ASSEMBLER):
            raise wrong(f"{where}.name", name, f"{BELT}, {INSERTER} or {ASSEMBLER}")
        if not isinstance(position, dict) or set(position) != {"x", "y"}:
            raise wrong(f"{where}.position", position, "x and y")
        for axis, value in position.items():
            plain_number = isinstance(value, int | float) and not isinstance(value, bool)
            middle = value % 1 if plain_number and abs(value) < MAX_PLACE else None
            if middle not in (0, 0.5):
                raise wrong(f"{where}.position.{axis}", value, "the middle of a cell")
            if middles.setdefault(axis, middle) != middle:
                raise wrong(f"{where}.position.{axis}", value, "the middle of a cell, as before")
        position = {axis: value + 0.5 - middles[axis] for axis, value in position.items()}
        # The library's 4.0 fails on recipes of 1.x: it gets all as 2.0, with directions twice as large.
        direction = entity.get("direction", 0)
        if not isinstance(direction, int) or isinstance(direction, bool):
            raise wrong(f"{where}.direction", direction, "a number")
        direction *= 1 if sixteen else 2
        if direction not in (0, 4, 8, 12):
            raise wrong(f"{where}.direction", entity["direction"], "north, east, south or west")
        if name == ASSEMBLER and (not isinstance(recipe, str) or not recipe or len(recipe) > 100):
            raise wrong(f"{where}.recipe", recipe, "the name of a recipe")
        kept = {"entity_number": index + 1, "name": name, "position": position, "direction": direction}
        plain.append(kept | ({"recipe": recipe} if name == ASSEMBLER else {}))
    if not plain:
        raise wrong("entities", "only electric poles", "belts, inserters and assemblers")
    draftsman = _library(source)
    major, minor, patch, build = VERSIONS["2.0"]
    number = major << 48 | minor << 32 | patch << 16 | build
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = draftsman.Blueprint.from_dict(
                {"blueprint": {"item": "blueprint", "version": number, "entities": plain}}
            )
            return [
                (
                    entity.name,
                    (int(entity.tile_position.y), int(entity.tile_position.x)),
                    DIRECTIONS[int(entity.direction) // 4],
                    entity.recipe if entity.name == ASSEMBLER else "",
                )
                for entity in made.entities
            ]
    except Exception as error:  # the library raises exceptions of many classes
        message = str(error).split("\n", 1)[0][:100]
        raise LevelError(f"the library does not read it: {message}", source=source) from None


def _shift(found: list[_Entity], level: Level | None, top: int, left: int, height: int, width: int) -> Cell:
    """Return the shift of a blueprint down and right. It puts belts on all ports of the level if possible."""
    if level is None:
        return -top, -left
    belts = {cell for name, cell, _, _ in found if name == BELT}
    ports = [port.cell for port in (*level.inputs, *level.outputs)]
    shifts = [
        (row - top, column - left)
        for row in range(level.height - height + 1)
        for column in range(level.width - width + 1)
    ]
    shifts.sort(key=lambda shift: shift != (0, 0))  # try its own place first
    for down, right in shifts:
        if all((row - down, column - right) in belts for row, column in ports):
            return down, right
    return shifts[0]


def _library(source: str) -> ModuleType:
    """Return the used module of factorio-draftsman. Raises LevelError if it is not installed."""
    try:
        from draftsman import blueprintable
    except ImportError:
        message = f"blueprint strings need factorio-draftsman: {adding('planner')}"
        raise LevelError(message, source=source) from None
    found: ModuleType = blueprintable
    return found
