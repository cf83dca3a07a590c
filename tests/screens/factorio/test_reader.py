"""Factorio levels and layouts as text: round trips, the places of errors, pictures."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio import CRITERIA, Layout, Level, Port, area, draw, looks_like, parse, picture
from puzzlemc.screens.factorio.json_form import read_layout, read_level, write_layout, write_level

PLAIN = """\
Title: Cables
Author: somebody
Factorio
recipe copper-cable: 120 copper-plate = 240 copper-cable
recipe circuit: 37.5 iron-plate + 100/3 copper-cable = 7 circuit
% a comment
in A: copper-plate
in b: iron-plate
out Z: circuit
optimize: minimize-loss
A...A
.....
.....
b...Z
"""


def one(text: str) -> Level:
    (level,) = parse(text, "levels.factorio")
    assert isinstance(level, Level), level
    return level


def error(text: str) -> str:
    (found,) = parse(text, "f")
    assert isinstance(found, LevelError), found
    assert len(str(found).splitlines()) == 1
    assert len(str(found)) < 300
    return str(found)


def test_the_plain_form_is_read() -> None:
    level = one(PLAIN)
    assert (level.title, level.author, level.width, level.height) == ("Cables", "somebody", 5, 4)
    assert level.inputs == (
        Port((0, 0), "copper-plate"),
        Port((0, 4), "copper-plate"),
        Port((3, 0), "iron-plate"),
    )
    assert level.outputs == (Port((3, 4), "circuit"),)
    assert level.recipe("circuit").takes == (("iron-plate", Fraction(75, 2)), ("copper-cable", Fraction(100, 3)))
    assert level.criteria == ("maximize-output", "minimize-loss")
    assert level.items == ("copper-plate", "copper-cable", "iron-plate", "circuit")
    assert looks_like(PLAIN) == 1
    assert 0 < looks_like(PLAIN + "some text\n" * 10) < 1
    assert looks_like("Tetravex 2") == looks_like('{"a": 1}') == 0


@pytest.mark.parametrize("optimize", CRITERIA)
def test_written_levels_can_be_read_back(optimize: str) -> None:
    level = replace(one(PLAIN), optimize=optimize)
    assert one(draw(level)) == level
    text = write_level(level)
    assert looks_like(text)
    assert read_level(text, "f") == level
    assert one(text) == level
    assert json.loads(text)["size"] == [5, 4]


def test_a_file_may_have_many_levels() -> None:
    found = parse(PLAIN + "\n" + PLAIN.replace("b...Z", "b....") + PLAIN, "f")
    assert [isinstance(level, Level) for level in found] == [True, False, True]
    assert str(found[1]).startswith("f:24: found 'Z' nowhere in the grid")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("120 copper-plate", "-120 copper-plate", "f:4:22: found '-120 copper-plate', expected a rate above 0"),
        ("120 copper-plate", "0 copper-plate", "f:4:22: found '0 copper-plate', expected a rate above 0"),
        ("= 240 copper-cable", "=", "f:4:22: found '', expected a rate"),
        ("= 240 copper-cable", "", "expected the items that it takes, = and the item that it gives"),
        ("= 240 copper-cable", "= 1 copper-plate", "expected one item that it does not take"),
        ("in b: iron-plate", "in b: gold", "f:8: in: found gold, expected an item that a recipe takes"),
        ("out Z: circuit", "out Z: gold", "f:9: out: found gold, expected an item that a recipe gives"),
        ("in b:", "in A:", "f:8: found 'A', expected a letter that is not used yet"),
        ("minimize-loss", "speed", "f:10:11: found 'speed', expected maximize-output or"),
        ("A...A", "A...Q", "f:11:5: found 'Q', expected '.' or a letter"),
        ("b...Z", "b..Z", "f:14:1: found 4 cells, expected 5"),
        ("Factorio\n", "Factorio\nhello you\n", "f:4: found 'hello you', expected recipe"),
        ("A...A", "A...A" + "." * 10_000, "f:11:1: found 10005 cells, expected at most 32"),
    ],
)
def test_errors_in_the_plain_form_are_reported(old: str, new: str, message: str) -> None:
    assert message in error(PLAIN.replace(old, new))


def test_the_number_of_rows_is_limited() -> None:
    text = PLAIN.replace("b...Z", "b...Z\n" + ".....\n" * 9_996)
    assert error(text) == "f:3: found 10000 rows of a grid, expected 1 to 32"


LEVEL = {
    "recipes": {"gear": {"IN": [["iron", 240.0]], "OUT": [["gear", 120]]}},
    "size": [5, 4],
    "inOutPos": {"IN": {"(0,1)": {"ITEM": "iron"}}, "OUT": {"(3,4)": {"ITEM": "gear"}}},
    "optimize": "maximize-output",
}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("size", [0, 5], "size[0]: found 0, expected a number from 1 to 32"),
        ("size", [5, 10_000], "size[1]: found 10000, expected a number from 1 to 32"),
        ("size", [5, 10**40], "size[1]: found 10000000"),
        ("size", [5], "size: found 1 values, expected a list of 2"),
        ("size", ["5", "5"], "size[0]: found 5, expected a number"),
        ("optimize", "fun", "optimize: found fun, expected maximize-output or minimize-loss or minimize-route"),
        ("recipes.gear.OUT", [], "recipes.gear.OUT: found 0 values, expected a list of 1"),
        ("recipes.gear.IN", [], "recipes.gear.IN: found 0 values, expected a list of 1 to 16"),
        ("recipes.gear.IN", [["iron", -1]], "recipes.gear.IN[0][1]: found -1, expected a rate above 0"),
        ("recipes.gear.IN", [["iron", 1e300]], "recipes.gear.IN[0][1]: found 1e+300, expected a rate above 0"),
        (
            "recipes.gear.IN",
            [["iron", 1], ["iron", 2]],
            "recipes.gear.IN[1][0]: found iron, expected each item once",
        ),
        (
            "recipes.gear.IN",
            [["gear", 1]],
            "recipes.gear.OUT[0]: found gear, expected an item that it does not take",
        ),
        ("recipes.gear", {"IN": []}, "recipes.gear: found no OUT, expected IN and OUT"),
        ("inOutPos.IN", {}, "inOutPos.IN: found nothing, expected at least one cell"),
        (
            "inOutPos.IN",
            {"(4,0)": {"ITEM": "iron"}},
            "inOutPos.IN.(4,0): found a cell outside, expected a row below 4",
        ),
        ("inOutPos.IN", {"(0,5)": {"ITEM": "iron"}}, "inOutPos.IN.(0,5): found a cell outside"),
        ("inOutPos.IN", {"here": {"ITEM": "iron"}}, 'inOutPos.IN: found here, expected a cell as "(row,column)"'),
        (
            "inOutPos.IN",
            {"(3,4)": {"ITEM": "iron"}},
            "inOutPos.OUT.(3,4): found the cell again, expected each cell once",
        ),
        (
            "inOutPos.IN",
            {"(0,0)": {"ITEM": "gold"}},
            "inOutPos.IN.(0,0).ITEM: found gold, expected an item that a",
        ),
        (
            "inOutPos.OUT",
            {"(0,0)": {"ITEM": "gold"}},
            "inOutPos.OUT.(0,0).ITEM: found gold, expected an item that a",
        ),
        (
            "inOutPos.OUT",
            {"(0,0)": {"ITEM": 3}},
            "inOutPos.OUT.(0,0).ITEM: found 3, expected a name without blanks",
        ),
        ("colour", "red", "the level: found the key 'colour', expected recipes or size"),
    ],
)
def test_errors_in_json_are_reported(path: str, value: object, message: str) -> None:
    data = json.loads(json.dumps(LEVEL))
    *keys, last = path.split(".")
    inner = data
    for key in keys:
        inner = inner[key]
    inner[last] = value
    assert f"f: {message}" in error(json.dumps(data))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "f:1:2: found no JSON"),
        ("[1]", 'f: the level: found ["1"], expected an object'),
        ("[" * 100_000, "f: found JSON that is nested too deep"),
        ('{"size": 1, "size": 2}', "f: found the key 'size' again, expected each key once"),
        (" " * (1 << 21), "f: found no level, expected Factorio or JSON"),
        ("{" + " " * (1 << 21), "f: found 2097153 characters, expected at most 1048576"),
        ("colourless", "f:1: found 'colourless', expected Factorio and the level below it"),
        ('{"recipes": NaN}', "f: the level: found no size, expected recipes and size and inOutPos"),
    ],
)
def test_other_json_is_no_level(text: str, message: str) -> None:
    assert message in error(text)


def layout() -> Layout:
    names = ("", "north", "east", "south", "west")
    belts = tuple(tuple(names[(i + j) % 5] for j in range(5)) for i in range(4))
    zero = ((Fraction(0),) * 5,) * 4
    third = ((Fraction(100, 3),) * 5,) * 4
    return Layout(
        belts, ((("",) * 5),) * 4, (((1, 2), "gear"),), routes=((1,) * 5,) * 4, inflow=zero, outflow=third
    )


def test_written_layouts_can_be_read_back() -> None:
    assert read_layout(write_layout(layout()), "f") == layout()
    bare = Layout(layout().belts, layout().inserters, ())
    assert read_layout(write_layout(bare), "f") == bare


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("CONVEYOR", [], "CONVEYOR: found 0 values, expected a list of 1 to 32"),
        ("CONVEYOR", [["north"], []], "CONVEYOR[1]: found 0 values, expected a list of 1"),
        ("CONVEYOR", [["up"] * 5] * 4, "CONVEYOR[0][0]: found up, expected empty or north"),
        ("INSERTER", [["empty"] * 5], "INSERTER: found 1 values, expected a list of 4"),
        ("ASSEMBLER", [["none"] * 5] * 4, "ASSEMBLER: found 4 values, expected a list of 2"),
        ("ROUTE", [["-1"] * 5] * 4, "ROUTE[0][0]: found -1, expected a route number"),
        ("INPUT_FLOW_RATE", [["1/0"] * 5] * 4, "INPUT_FLOW_RATE[0][0]: found 1/0, expected a rate"),
    ],
)
def test_errors_in_a_layout_are_reported(key: str, value: object, message: str) -> None:
    data = json.loads(write_layout(layout()))
    data[key] = value
    with pytest.raises(LevelError) as caught:
        read_layout(json.dumps(data), "f")
    assert str(caught.value).startswith(f"f: {message}")


def test_a_layout_is_drawn() -> None:
    level = one(write_level(replace(one(PLAIN))))
    shown = draw(level, replace(layout(), assemblers=(((1, 2), "circuit"),), belts=((("",) * 5),) * 4))
    assert shown == ".bbb.\n.bbb.\n.bbb.\n....."
    found = picture(level, layout())
    assert found.width == 5
    assert found.height > 4  # the key of its items is below
    assert len(area((1, 1))) == 9


@pytest.mark.corpus
def test_the_published_files_are_read(corpus: Path) -> None:
    folder = corpus / "factorio"
    level = one((folder / "example_instance.json").read_text(encoding="utf-8"))
    assert level.inputs == (Port((0, 0), "iron-plate"), Port((0, 5), "copper-plate"))
    text = (folder / "example_solved.json").read_text(encoding="utf-8")
    found = read_layout(text, "f")
    assert found.assemblers == (((3, 4), "copper-cable"), ((4, 1), "electronic-circuit"))
    assert json.loads(write_layout(found, json.loads(text)["solving_time"])) == json.loads(text)
