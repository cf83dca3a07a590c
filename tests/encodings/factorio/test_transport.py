"""The flow of items along Factorio layouts: the models against the plain rules of moves, and planted faults."""

import random
import time
from dataclasses import replace

import pytest

from puzzlemc.encodings.factorio.domain.rules import faults
from puzzlemc.encodings.factorio.flow import carrying, transport
from puzzlemc.encodings.factorio.flow.carrying import GONE, IN, ON, WAITS, Held, Place
from puzzlemc.encodings.factorio.flow.steady import steady
from puzzlemc.encodings.factorio.flow.transport import assemblers, atom, factory, flow, journey, links
from puzzlemc.encodings.factorio.planner import layouts
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.graph.state_graph import StateGraph
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.temporal.check import query
from puzzlemc.mc.temporal.property import Property
from puzzlemc.screens.factorio import DIRECTIONS, OPPOSITE, Cell, Layout, Level, parse, where

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
    """A random layout, which is usually invalid."""
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


def test_places_agree_with_the_plain_rules() -> None:
    chance, of = random.Random(1), level(PORTS)
    seen: set[str] = set()
    for _ in range(1500):
        made = drawn(chance, of)
        yard = carrying.yard(of, made)
        for place, after in links(of, made).items():
            assert sorted(after) == sorted(carrying.ways(yard, place))
            seen |= {place.kind, *(f"{place.kind} {next.kind}" for next in after)}
    assert {"waits on", "on on", "on in", "made on", "on gone"} <= seen


def test_the_factory_agrees_with_the_plain_rules() -> None:
    """The successors agree in the first states of random layouts."""
    chance, of = random.Random(2), level(PORTS)
    works = 0
    for _ in range(150):
        made = drawn(chance, of)
        yard, model = carrying.yard(of, made), factory(links(of, made), assemblers(of, made))
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


def test_a_valid_layout_has_no_faults() -> None:
    of, made = level(WIRES), layout(WIRED, {"a": "cable"})
    done = flow(of, replace(made), Budget())
    assert done.arrive
    assert done.goes_on
    assert done.faults == ()


def failing(of: Level, made: Layout) -> set[str]:
    """The violated properties of the whole factory, one query each: without steady places or random runs."""
    machines = assemblers(of, made)
    whole = factory(links(of, made), machines)
    places = [machine.made for machine in machines]
    places += [Place(ON, port.cell, port.item) for port in of.outputs]
    formulas = {"nothing moves": "AG !stuck"} | {str(place): f"AG EF {atom(place)}" for place in places}
    found = set()
    graphs: list[StateGraph] = []
    for name, formula in formulas.items():
        named = formula.rpartition(" ")[2].lstrip("!")
        if named != "stuck" and named not in whole.model.atoms:
            found.add(name)  # no item ever arrives there
        else:
            part = Property("atom", name=named)
            inner = Property("not", (part,)) if named == "stuck" else Property("EF", (part,))
            if not query(whole.model, Property("AG", (inner,)), Budget(), graphs=graphs).holds:
                found.add(name)
    return found


def found_by_flow(of: Level, made: Layout) -> set[str]:
    """The violated properties according to `flow`."""
    done = flow(of, made, Budget())
    words = {"in the end nothing moves": "nothing moves"}
    for machine in assemblers(of, made):
        words[f"{machine.recipe} in {where(machine.centre)} cannot work"] = str(machine.made)
    for port in of.outputs:
        words[f"{port.item} cannot come to {where(port.cell)}"] = str(Place(ON, port.cell, port.item))
    said = {fault.words.removesuffix(" any more").removesuffix(" at all") for fault in done.faults}
    assert done.reason is None
    assert done.goes_on == (not said & words.keys())
    return {words[each] for each in said & words.keys()}


SINGLE = """Factorio
recipe gear: 60 iron = 30 gear
in A: iron
in B: iron
out Y: gear
out Z: iron
A..B.
.....
.....
Y...Z
"""
MIXED = """Factorio
recipe gear: 60 iron + 30 coal = 30 gear
in A: iron
in B: coal
out Y: coal
out Z: gear
AB...
.....
.....
Y...Z
"""
BELTS = """Factorio
in A: iron
in B: gear
out Y: iron
out Z: gear
AB..
..A.
ZBY.
"""


def filled_up(chance: random.Random, of: Level) -> Layout:
    """A layout with something on every cell; an assembler has inserters on two sides."""
    belts = [["" for _ in range(of.width)] for _ in range(of.height)]
    inserters = [["" for _ in range(of.width)] for _ in range(of.height)]
    centres = []
    if of.recipes:
        centres.append((chance.choice(list(of.centres())), chance.choice(of.recipes).name))
    covered = {cell for centre, _ in centres for cell in carrying.area(centre)}
    for cell in of.cells():
        beside = [word for word in DIRECTIONS if of.ahead(cell, word) in covered]
        if cell in covered:
            continue
        if beside and chance.random() < 0.7:
            word = beside[0] if chance.random() < 0.6 else OPPOSITE[beside[0]]
            inserters[cell[0]][cell[1]] = word
        else:
            belts[cell[0]][cell[1]] = chance.choice(DIRECTIONS)
    return Layout(tuple(map(tuple, belts)), tuple(map(tuple, inserters)), tuple(centres))


@pytest.mark.parametrize("runs", [True, False], ids=["with random runs", "without"])
@pytest.mark.parametrize("text", [SINGLE, MIXED, PORTS, BELTS], ids=["single", "mixed", "two recipes", "belts"])
def test_the_flow_agrees_with_the_whole_factory(text: str, runs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some layouts are steady only in part. The plain rules replay every run."""
    chance, of = random.Random(3), level(text)
    if not runs:
        monkeypatch.setattr(transport, "random_runs", lambda _: iter(()))
    seen: set[tuple[str, ...]] = set()
    for number in range(60):
        made = (filled_up if number % 3 else drawn)(chance, of)
        expected = failing(of, made)
        assert found_by_flow(of, made) == expected, made
        seen.add(tuple(sorted(expected)))
    assert len(seen) > 3


def test_places_before_a_mixed_belt_are_steady() -> None:
    """All places of a valid layout are steady. With two items on one belt, the places before it stay steady."""
    of, made = level(WIRES), layout(WIRED, {"a": "cable"})
    places, machines = links(of, made), assemblers(of, made)
    still = steady(places, machines)
    assert set(still.supply) == {place for place in places if place.kind not in (WAITS, GONE)}
    assert set(still.drainage) == set(still.supply)
    of = level(BELTS)
    made = layout(">>>v\nv<v<\n<<<<\n", {})
    places = links(of, made)
    mixed = {place.cell for place in places if place.kind == ON and Place(ON, place.cell, "iron") in places}
    mixed &= {place.cell for place in places if Place(ON, place.cell, "gear") in places}
    still = steady(places, [])
    assert mixed
    assert still.supply
    assert not any(place.cell in mixed for place in still.supply)


def test_a_second_source_of_an_item_jams_a_mixed_belt() -> None:
    """Iron comes from the right, and from the left with coal: iron in the inserter blocks the coal for ever."""
    of = level(
        "Factorio\nrecipe gear: 60 iron + 60 coal = 60 gear\nin A: iron\nin B: coal\nout Z: gear\n"
        "A........\nB......A.\n.........\n.........\n....Z....\n"
    )
    made = layout("v........\n>>E.a.W<.\n.........\n....S....\n....>....\n", {"a": "gear"})
    places = links(of, made)
    still = steady(places, assemblers(of, made))
    assert Place(ON, (1, 6), "iron") in still
    assert Place(IN, (1, 4), "iron") not in still
    assert found_by_flow(of, made) == failing(of, made)
    assert "gear in row 2, column 5 cannot work any more" in [
        fault.words for fault in flow(of, made, Budget()).faults
    ]


SNAKE = "AB......\nY......Y\n" + "........\n" * 5 + "Z......Y\n"


def test_a_long_belt_with_two_items_is_refuted_at_once() -> None:
    """The factory has too many states for any engine."""
    of = level(f"Factorio\nin A: iron\nin B: coal\nout Y: coal\nout Z: iron\n{SNAKE}")
    rows = [">>>>>>>v", "v<<<<<<<"] * 3 + [">>>>>>>v", "<<<<<<<<"]
    started = time.monotonic()
    done = flow(of, layout("\n".join(rows), {}), Budget(Limits(30)))
    assert done.reason is None
    assert done.goes_on is False
    assert len(done.faults) == 6
    assert time.monotonic() - started < 10


def test_layouts_of_the_planner_are_proved_quickly() -> None:
    """Layouts without faults, on the largest grids of the published layouts."""
    of = level(
        "Factorio\nrecipe cable: 60 copper = 120 cable\nrecipe circuit: 60 iron + 180 cable = 60 circuit\n"
        "in A: copper\nin B: iron\nout Z: circuit\nA.......\nB.......\n" + "........\n" * 5 + ".......Z\n"
    )
    found = layouts.plan(of, Budget(Limits(5))).layout
    assert found is not None
    started = time.monotonic()
    done = flow(of, found, Budget(Limits(30)))
    assert (done.arrive, done.goes_on, done.faults, done.reason) == (True, True, (), None)
    assert time.monotonic() - started < 5


FAULTS = {
    # the belt ends early
    ("v.......", ">.E.a.Ev", ".......v"): (
        "copper from row 1, column 1 is lost: it comes to row 2, column 1 and goes no further: "
        "copper comes in at (1,1), copper (1,1)-(2,1)"
    ),
    # a cycle
    (">v......", "^<..a.Ev", ".......v"): (
        "copper from row 1, column 1 is lost: it comes to row 1, column 1 and goes round for ever: copper comes "
        "in at (1,1), copper (1,1)-(1,2), copper (1,2)-(2,2), copper (2,2)-(2,1), copper (2,1)-(1,1)"
    ),
    # the product has no way out
    ("v.......", ">>E.a..v", ".......v"): (
        "cable from row 2, column 5 is lost: it comes to row 2, column 5 and goes no further"
    ),
}


@pytest.mark.parametrize("rows", FAULTS)
def test_planted_faults_are_refuted_with_the_path_of_the_item(rows: tuple[str, ...]) -> None:
    of, made = level(WIRES), layout("\n".join(rows), {"a": "cable"})
    done = flow(of, made, Budget())
    assert not done.arrive
    assert done.goes_on is False
    assert FAULTS[rows] in [str(fault) for fault in done.faults]
    assert any("cable cannot come to row 3, column 8 at all" in fault.words for fault in done.faults)


def test_a_jam_is_shown_with_its_moves() -> None:
    """Two items come on one belt; in a bad order, they block each other."""
    of = level(
        "Factorio\nrecipe gear: 30 iron + 30 coal = 30 gear\nin A: iron\nin B: coal\nout Z: gear\n"
        "A.......\n........\nB.....Z.\n"
    )
    made = layout("v.......\n>>E.a.Ev\n^.....<<\n", {"a": "gear"})
    assert faults(of, made)
    done = flow(of, made, Budget())
    assert done.arrive
    assert done.goes_on is False
    jam = next(fault for fault in done.faults if fault.words.startswith("in the end nothing moves"))
    held = frozenset[Place]()
    yard = carrying.yard(of, made)
    for name in jam.run:
        (held,) = (after for move, after in carrying.moves(yard, held) if move.name == name)
    assert not list(carrying.moves(yard, held))


def test_an_invalid_run_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    of, made = level(WIRES), layout("\n".join(next(iter(FAULTS))), {"a": "cable"})
    monkeypatch.setattr(carrying, "ways", lambda *_: iter(()))
    with pytest.raises(Refuted, match="is not a legal move"):
        flow(of, made, Budget())


def test_journeys_end_where_items_are_used() -> None:
    of, made = level(WIRES), layout(WIRED, {"a": "cable"})
    places = links(of, made)
    ends = {place for place, after in places.items() if not after}
    assert {place.kind for place in ends} == {IN, GONE}
    start = carrying.starts(carrying.yard(of, made))[0]
    assert journey(places, start).model.atoms.keys() == {"arrived"}
    assert transport.SHOWN % 2 == 0
