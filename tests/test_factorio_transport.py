"""The flow of items along Factorio layouts: the models against the plain rules of moving, and planted faults."""

import random
from dataclasses import replace

import pytest

from puzzlemc.encodings.factorio import carrying, transport
from puzzlemc.encodings.factorio.carrying import GONE, IN, Held, Place
from puzzlemc.encodings.factorio.rules import faults
from puzzlemc.encodings.factorio.transport import factory, flow, journey, links
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.factorio import parse
from puzzlemc.screens.factorio_level import DIRECTIONS, Cell, Layout, Level

WORDS = {"^": "north", ">": "east", "v": "south", "<": "west"}
HANDS = {"N": "north", "E": "east", "S": "south", "W": "west"}

WIRES = """Factorio
recipe cable: 60 copper = 120 cable
in A: copper
out Z: cable
A.......
........
.......Z
"""
# An inserter of each direction is a capital letter; an assembler's centre is a, and its other cells are dots.
WIRED = """
v.......
>>E.a.Ev
.......v
"""


def level(text: str) -> Level:
    (found,) = parse(text, "level")
    assert isinstance(found, Level), found
    return found


def layout(text: str, recipes: dict[str, str]) -> Layout:
    rows = text.split()

    def words(of: dict[str, str]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(of.get(letter, "") for letter in row) for row in rows)

    centres = [((i, j), recipes[c]) for i, row in enumerate(rows) for j, c in enumerate(row) if c in recipes]
    return Layout(words(WORDS), words(HANDS), tuple(centres))


PORTS = """Factorio
recipe gear: 60 iron = 30 gear
recipe cog: 30 gear = 30 cog
in A: iron
in B: gear
out Y: gear
out Z: cog
A...B.
......
......
Y....Z
"""


def drawn(chance: random.Random, of: Level) -> Layout:
    """A layout of random things, most of which make no sense."""
    belts = [["" for _ in range(of.width)] for _ in range(of.height)]
    inserters = [["" for _ in range(of.width)] for _ in range(of.height)]
    centres: list[tuple[Cell, str]] = []
    for row, column in of.cells():
        grid = chance.choices([belts, inserters, None], [4, 4, 1])[0]
        if grid is not None:
            grid[row][column] = chance.choice(DIRECTIONS)
    for centre in chance.sample(list(of.centres()), 2):
        centres.append((centre, chance.choice(["gear", "cog"])))
        if abs(centres[0][0][1] - centre[1]) < 3 and len(centres) == 2:
            centres.pop()
    for cell in [cell for centre, _ in centres for cell in carrying.area(centre)]:
        if chance.random() < 0.9:
            belts[cell[0]][cell[1]] = inserters[cell[0]][cell[1]] = ""
    return Layout(tuple(map(tuple, belts)), tuple(map(tuple, inserters)), tuple(centres))


def test_places_are_those_of_the_plain_rules() -> None:
    chance, of = random.Random(1), level(PORTS)
    seen: set[str] = set()
    for _ in range(1500):
        made = drawn(chance, of)
        yard = carrying.yard(of, made)
        for place, after in links(of, made).items():
            assert sorted(after) == sorted(carrying.ways(yard, place))
            seen |= {place.kind, *(f"{place.kind} {next.kind}" for next in after)}
    assert {"waits on", "on on", "on in", "made on", "on gone"} <= seen


def test_the_factory_is_that_of_the_plain_rules() -> None:
    """Step by step, in the first states of random layouts."""
    chance, of = random.Random(2), level(PORTS)
    works = 0
    for _ in range(150):
        made = drawn(chance, of)
        yard, model = carrying.yard(of, made), factory(of, made)
        empty: Held = frozenset()
        waiting, known = [(frozenset(), empty)], {empty}
        while waiting and len(known) < 60:
            state, held = waiting.pop(0)
            assert model.decode(state) == held
            taken = {}
            for action in model.model.actions:
                if action.enabled(state):
                    after = action.fire(state)
                    taken[action.name] = model.decode(after)
                    if taken[action.name] not in known:
                        known.add(taken[action.name])
                        waiting.append((after, taken[action.name]))
            plain = [(move.name, after) for move, after in carrying.moves(yard, held)]
            assert sorted(taken.items(), key=str) == sorted(plain, key=str)
            works += any("works" in name for name in taken)
    assert works > 10


def test_a_layout_in_which_all_is_well() -> None:
    of, made = level(WIRES), layout(WIRED, {"a": "cable"})
    done = flow(of, replace(made), Watch())
    assert done.arrive
    assert done.goes_on
    assert done.faults == ()
    assert done.states == 2**9  # seven pieces, and the assembler has copper, and has made cable


FAULTS = {
    # the belt ends early
    ("v.......", ">.E.a.Ev", ".......v"): (
        "copper from row 0, column 0 is lost: it comes to row 1, column 0 and goes no further: "
        "copper comes in at (0,0), copper (0,0)-(1,0)"
    ),
    # round and round
    (">v......", "^<..a.Ev", ".......v"): (
        "copper from row 0, column 0 is lost: it comes to row 0, column 0 and goes round for ever: copper comes "
        "in at (0,0), copper (0,0)-(0,1), copper (0,1)-(1,1), copper (1,1)-(1,0), copper (1,0)-(0,0)"
    ),
    # what is made has no way out
    ("v.......", ">>E.a..v", ".......v"): (
        "cable from row 1, column 4 is lost: it comes to row 1, column 4 and goes no further"
    ),
}


@pytest.mark.parametrize("rows", FAULTS)
def test_planted_faults_are_refuted_with_the_way_of_the_item(rows: tuple[str, ...]) -> None:
    of, made = level(WIRES), layout("\n".join(rows), {"a": "cable"})
    done = flow(of, made, Watch())
    assert not done.arrive
    assert done.goes_on is False
    assert FAULTS[rows] in [str(fault) for fault in done.faults]
    assert any("cable cannot come to row 2, column 7 at all" in fault.words for fault in done.faults)


def test_a_jam_is_shown_with_its_moves() -> None:
    """Two items come on one belt: in a bad order, nothing goes on."""
    of = level(
        "Factorio\nrecipe gear: 30 iron + 30 coal = 30 gear\nin A: iron\nin B: coal\nout Z: gear\n"
        "A.......\n........\nB.....Z.\n"
    )
    made = layout("v.......\n>>E.a.Ev\n^.....<<\n", {"a": "gear"})
    assert faults(of, made)
    done = flow(of, made, Watch())
    assert done.arrive
    assert done.goes_on is False
    jam = next(fault for fault in done.faults if fault.words.startswith("in the end nothing moves"))
    held = frozenset[Place]()
    yard = carrying.yard(of, made)
    for name in jam.run:
        (held,) = (after for move, after in carrying.moves(yard, held) if move.name == name)
    assert not list(carrying.moves(yard, held))


def test_a_run_that_is_none_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    of, made = level(WIRES), layout("\n".join(next(iter(FAULTS))), {"a": "cable"})
    monkeypatch.setattr(carrying, "ways", lambda *_: iter(()))
    with pytest.raises(Refuted, match="is not a legal move"):
        flow(of, made, Watch())


def test_journeys_end_where_items_are_of_use() -> None:
    of, made = level(WIRES), layout(WIRED, {"a": "cable"})
    places = links(of, made)
    ends = {place for place, after in places.items() if not after}
    assert {place.kind for place in ends} == {IN, GONE}
    start = carrying.starts(carrying.yard(of, made))[0]
    assert journey(places, start).model.atoms.keys() == {"arrived"}
    assert transport.SHOWN % 2 == 0
