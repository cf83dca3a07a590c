"""Blueprint strings of Factorio: written layouts can be read again; invalid strings are refused."""

import base64
import json
import zlib
from typing import Any

import pytest

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio import Layout, Level, parse
from puzzlemc.screens.factorio import blueprint as blueprints

PLAIN = """Factorio
recipe gear: 60 iron = 30 gear
in A: iron
out Z: gear
A....
.....
.....
.....
....Z
"""
BELTS = """
v....
.....
.....
.....
...>>
"""
INSERTERS = """
.....
v....
.....
.....
.....
"""
WORDS = {"^": "north", ">": "east", "v": "south", "<": "west", ".": ""}


def grid(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(WORDS[letter] for letter in line) for line in text.split())


def level() -> Level:
    (found,) = parse(PLAIN, "plain")
    assert isinstance(found, Level)
    return found


LAYOUT = Layout(grid(BELTS), grid(INSERTERS), (((3, 1), "gear"),))


def packed(value: object) -> str:
    return "0" + base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()


def unpacked(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text[1:])))
    return found


@pytest.mark.parametrize("version", blueprints.VERSIONS)
def test_a_written_layout_can_be_read_back(version: str) -> None:
    text = blueprints.write(LAYOUT, version, "gears")
    assert blueprints.read(text, "text", level()) == LAYOUT


def test_entities_follow_the_format_of_the_game() -> None:
    """Positions are centres, an inserter points to its source, directions depend on the version."""
    for version, (east, north) in {"2.0": (4, 0), "1.1": (2, 0)}.items():
        said = unpacked(blueprints.write(LAYOUT, version))["blueprint"]
        major, minor = map(int, version.split("."))
        assert (said["version"] >> 48, said["version"] >> 32 & 0xFFFF) == (major, minor)
        entities = {(e["position"]["x"], e["position"]["y"]): e for e in said["entities"]}
        assert entities[3.5, 4.5] | {"entity_number": 0} == {
            "entity_number": 0,
            "name": "transport-belt",
            "position": {"x": 3.5, "y": 4.5},
            "direction": east,
        }
        inserter = entities[0.5, 1.5]  # moves items to the south
        assert (inserter["name"], inserter.get("direction", 0)) == ("inserter", north)
        assembler = entities[1.5, 3.5]
        assert (assembler["name"], assembler["recipe"]) == ("assembling-machine-1", "gear")


def test_a_blueprint_is_moved_to_the_ports() -> None:
    said = unpacked(blueprints.write(LAYOUT))
    for entity in said["blueprint"]["entities"]:
        entity["position"]["x"] -= 7
        entity["position"]["y"] += 100
    assert blueprints.read(packed(said), "text", level()) == LAYOUT
    alone = blueprints.read(packed(said), "text")
    assert (alone.height, alone.width, alone.belts) == (5, 5, LAYOUT.belts)


def test_positions_may_be_whole_numbers() -> None:
    """As in version 0.17 of the game."""
    said = unpacked(blueprints.write(LAYOUT))
    for entity in said["blueprint"]["entities"]:
        entity["position"] = {axis: int(value) for axis, value in entity["position"].items()}
    assert blueprints.read(packed(said), "text", level()) == LAYOUT


@pytest.mark.parametrize("pole", blueprints.POLES)
def test_poles_are_left_out(pole: str) -> None:
    said = unpacked(blueprints.write(LAYOUT))
    said["blueprint"]["entities"].insert(0, {"name": pole, "position": {"x": 9, "y": 0.5}})
    assert blueprints.read(packed(said), "text", level()) == LAYOUT


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n  "])
def test_a_string_may_have_line_ends(end: str) -> None:
    text = blueprints.write(LAYOUT)
    wrapped = end.join(text[start : start + 76] for start in range(0, len(text), 76))
    assert blueprints.read(wrapped + "\n", "text", level()) == LAYOUT


def entity(**changed: object) -> dict[str, object]:
    return {"name": "transport-belt", "position": {"x": 0.5, "y": 0.5}, "direction": 4} | changed


def encoded(*entities: object, version: object = 2 << 48) -> str:
    return packed({"blueprint": {"item": "blueprint", "version": version, "entities": list(entities)}})


BOMB = "0" + base64.b64encode(zlib.compress(b"0" * (1 << 27), 9)).decode()

BROKEN = {
    "eNp": "expected a blueprint string, which starts with 0",
    "0!!!": "found no base64 after the 0",
    "0ab": "found no base64 after the 0",
    "0é": "found no base64 after the 0",
    "0aGVsbG8=": "found no zlib data in the base64",
    BOMB: "found more than 1048576 bytes when unpacked",
    "0" + "A" * (1 << 20): "found 1048577 characters",
    "0" + base64.b64encode(zlib.compress(b"{}" * 50)[:-5]).decode(): "found zlib data that ends too soon",
    "0" + base64.b64encode(zlib.compress(b"[" * 100_000)).decode(): "too many layers",
    "0" + base64.b64encode(zlib.compress(b"\xff{}")).decode(): "found no JSON in the zlib data",
    packed([1]): "expected the key blueprint",
    packed({"blueprint_book": {}}): "found 'blueprint_book', expected the key blueprint",
    encoded(): "entities: found '[]', expected a list",
    encoded(entity(name="substation")): "entities: found 'only electric poles', expected belts",
    encoded(*[entity()] * 2000): "entities: found '2000', expected at most 1024",
    encoded(7): "entities[0]: found '7', expected an entity",
    encoded(entity(), version=None): "version: found 'None'",
    encoded(entity(name="inserter-9")): "entities[0].name: found 'inserter-9', expected transport-belt",
    encoded(
        entity(position={"x": 0.25, "y": 0.5})
    ): "entities[0].position.x: found '0.25', expected the middle of a cell",
    encoded(
        entity(), entity(position={"x": 1.5, "y": 1})
    ): "entities[1].position.y: found '1', expected the middle of a cell, as before",
    encoded(entity(position={"x": 1e300, "y": 0.5})): "entities[0].position.x",
    encoded(entity(position={"x": float("nan"), "y": 0.5})): "entities[0].position.x: found 'nan'",
    encoded(entity(position=[0.5, 0.5])): "entities[0].position: found",
    encoded(entity(direction=2)): "entities[0].direction: found '2', expected north, east, south or west",
    encoded(entity(direction=4), version=1 << 48 | 1 << 32)[:-9]: "found no base64",
    encoded(
        entity(name="assembling-machine-1", position={"x": 1.5, "y": 1.5})
    ): "entities[0].recipe: found 'None'",
    encoded(entity(), entity()): "found two things on one cell, expected one: row 1, column 1",
    encoded(
        entity(), entity(position={"x": 9.5, "y": 0.5})
    ): "found a blueprint of 10 × 1 cells, expected at most 5 × 5",
}


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_string_gives_one_line(number: int) -> None:
    text, words = list(BROKEN.items())[number]
    with pytest.raises(LevelError) as caught:
        blueprints.read(text, "file.txt", level())
    line = str(caught.value)
    assert line.startswith("file.txt: ")
    assert words in line
    assert "\n" not in line
    assert len(line) < 250


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", lambda *_: pytest.fail("the bomb was read"))
    with pytest.raises(LevelError, match="when unpacked"):
        blueprints.read(BOMB, "file.txt")


def test_a_missing_library_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    text = blueprints.write(LAYOUT)
    monkeypatch.setitem(__import__("sys").modules, "draftsman", None)
    with pytest.raises(LevelError, match=r"pip install -e '.*\[planner\]'"):
        blueprints.read(text, "file.txt")
