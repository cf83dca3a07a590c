"""Factorio: bounds on the output and cuts, compared with all layouts of small grids.

If a bound were too low, or a clause forbade a better layout, the planner would call a wrong layout the best.
So each bound and each clause is compared with the greatest output that is found without it.
"""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from pysat.solvers import Solver

from examples import examples
from puzzlemc.encodings.factorio.domain.rules import check
from puzzlemc.encodings.factorio.flow.network import Network, Program
from puzzlemc.encodings.factorio.flow.simplex import Optimum
from puzzlemc.encodings.factorio.model import planar
from puzzlemc.encodings.factorio.model.acyclic import forbid_cycles
from puzzlemc.encodings.factorio.model.clauses import Cnf, Tag
from puzzlemc.encodings.factorio.model.constraint import plan
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.cuts import better
from puzzlemc.encodings.factorio.planner.generate import random_level
from puzzlemc.encodings.factorio.planner.optimise import Bounds, most_on_grid, steps
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.factorio import DIRECTIONS, Layout, Level, Recipe, parse


def level_of(text: str) -> Level:
    (level,) = parse(text, "test")
    assert isinstance(level, Level), level
    return level


def grid(rows: int, columns: int, ports: dict[tuple[int, int], str]) -> str:
    return "\n".join("".join(ports.get((r, c), ".") for c in range(columns)) for r in range(rows))


# Cycles.


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 3)])
def test_exactly_the_acyclic_sets_of_arcs_are_allowed(rows: int, columns: int) -> None:
    """All sets of arcs of at most two cells, and random sets, against a search for a cycle."""
    level = level_of("Factorio\nin A: ore\nout Z: ore\n" + grid(rows, columns, {(0, 0): "A", (1, 1): "Z"}))
    cells = list(level.cells())
    cnf = Cnf()
    arcs = {
        (cell, ahead): cnf.new((cell, ahead))
        for cell in cells
        for word in DIRECTIONS
        if (ahead := level.ahead(cell, word)) is not None
    }
    forbid_cycles(cnf, level, arcs, Tag("forward increment"))
    chance = random.Random(1)
    kinds = set()
    with Solver("glucose4", bootstrap_with=cnf.rows) as solver:
        for _ in range(2000):
            part = chance.choice([0.2, 0.3, 0.4, 0.5])
            chosen = {arc for arc in arcs if chance.random() < part}
            assumptions = [variable for arc, variable in arcs.items() if arc in chosen]
            left = set(cells)
            while free := {cell for cell in left if not any((other, cell) in chosen for other in left)}:
                left -= free
            kinds.add(bool(left))
            assert solver.solve(assumptions=assumptions) == (not left)
    assert kinds == {False, True}


@pytest.mark.parametrize("seed", range(12))
def test_clauses_with_and_without_numbers_allow_the_same_layouts(seed: int) -> None:
    """Each form of the clauses allows every layout that the other form allows."""
    chance = random.Random(seed)
    level = None
    while level is None:
        level = random_level(5, 5, 2, chance)
    forms = [plan(level), plan(level, numbered=False)]
    stands = [[*form.belt.values(), *form.inserter.values(), *form.assembler.values()] for form in forms]
    # Both forms number these variables alike, so that one takes a layout of the other as assumptions.
    assert stands[0] == stands[1]
    for this, that in (forms, forms[::-1]):
        with (
            Solver("glucose4", bootstrap_with=this.cnf.rows) as one,
            Solver("glucose4", bootstrap_with=that.cnf.rows) as other,
        ):
            assert one.solve() == other.solve()
            for _ in range(40):
                one.set_phases([chance.choice([-1, 1]) * variable for variable in stands[0]])
                if not one.solve():
                    break
                true = set(one.get_model())
                layout = [variable if variable in true else -variable for variable in stands[0]]
                assert other.solve(assumptions=layout)
                one.add_clause([-literal for literal in layout])


# Planarity: which paths must cross.

CROSSWISE = "Factorio\nin A: ore\nin B: coal\nout Y: {}\nout Z: {}\n{}"


def test_paths_between_opposite_corners_must_cross() -> None:
    for rows, columns in ((3, 3), (4, 5), (10, 10)):
        corners = {(0, 0): "A", (0, columns - 1): "B", (rows - 1, 0): "Y", (rows - 1, columns - 1): "Z"}
        crossed = level_of(CROSSWISE.format("coal", "ore", grid(rows, columns, corners)))
        assert planar.crossing(crossed) == ((0, 0), (0, columns - 1))
        assert LayoutSearch(crossed, Budget(Limits(5))).run().complete
        assert planar.crossing(level_of(CROSSWISE.format("ore", "coal", grid(rows, columns, corners)))) is None
    # A port that is not at the border leaves room for a detour.
    inside = {(0, 0): "A", (0, 3): "B", (2, 1): "Y", (3, 3): "Z"}
    assert planar.crossing(level_of(CROSSWISE.format("coal", "ore", grid(4, 5, inside)))) is None


def test_paths_through_assemblers_must_cross_as_well() -> None:
    recipes = "recipe gear: 60 ore = 30 gear\nrecipe cable: 60 copper = 120 cable\n"
    text = "Factorio\n" + recipes + "in A: ore\nin B: copper\nout Y: {}\nout Z: {}\n"
    corners = grid(10, 10, {(0, 0): "A", (0, 9): "B", (9, 0): "Y", (9, 9): "Z"})
    assert planar.crossing(level_of(text.format("cable", "gear") + corners)) is not None
    assert planar.crossing(level_of(text.format("gear", "cable") + corners)) is None


def test_exactly_the_crossing_levels_have_no_layout() -> None:
    """Compared with the clauses, which do not use planarity."""
    chance = random.Random(3)
    seen = 0
    for _ in range(3000):
        level = random_level(4, 4, 3, chance)
        if level is None or planar.crossing(level) is None:
            continue
        seen += 1
        with Solver("cadical195", bootstrap_with=plan(level, numbered=False).cnf.rows) as solver:
            assert not solver.solve()
        if seen == 12:
            break
    corners = [(0, 0), (0, 3), (3, 3), (3, 0)]
    for shift in range(4):
        places = dict(zip(corners[shift:] + corners[:shift], "AYBZ", strict=True))
        for kinds in (("ore", "coal"), ("coal", "ore")):
            level = level_of(CROSSWISE.format(*kinds, grid(4, 4, places)))
            with Solver("cadical195", bootstrap_with=plan(level, numbered=False).cnf.rows) as solver:
                assert solver.solve() == (planar.crossing(level) is None)


PACKS = """Factorio
recipe pack: 60 ore + 60 coal = 60 pack
in A: ore
in B: coal
out Z: pack
{}
"""


def test_planarity_allows_one_assembler_of_two_items() -> None:
    """Three nets, two assemblers and the outside form K3,3. With two inputs of an item, two are possible."""
    small = level_of(PACKS.format(grid(5, 7, {(0, 0): "A", (0, 6): "B", (4, 6): "Z"})))
    recipe = small.recipes[0]
    assert most_on_grid(small) == 2
    assert planar.limit(small, recipe) == 1 == Bounds(small).most["pack"]
    form = plan(small, numbered=False)
    centres = [form.assembler[cell, "pack"] for cell in small.centres()]
    with Solver("cadical195", bootstrap_with=form.cnf.rows) as solver:
        assert solver.solve()
        two = [
            one for one in centres for other in centres if one < other and solver.solve(assumptions=[one, other])
        ]
        assert not two
    # An item with two inputs may have two nets; with an input in the middle, a net does not touch the outside.
    twice = level_of(PACKS.format(grid(9, 9, {(0, 0): "A", (0, 8): "B", (8, 0): "B", (8, 8): "Z"})))
    assert planar.limit(twice, recipe) == 2
    middle = level_of(PACKS.format(grid(9, 9, {(0, 0): "A", (4, 4): "B", (8, 8): "Z"})))
    assert planar.limit(middle, recipe) == 2
    alone = level_of(
        "Factorio\nrecipe gear: 60 ore = 30 gear\nin A: ore\nout Z: gear\n"
        + grid(6, 6, {(0, 0): "A", (5, 5): "Z"})
    )
    assert planar.limit(alone, alone.recipes[0]) is None


def test_nets_of_one_source_are_one_net() -> None:
    """If both ingredients come from one input, the nets may share cells, and there is no bound."""
    text = (
        "Factorio\nrecipe gear: 60 iron = 30 gear\nrecipe belt: 30 iron + 30 gear = 60 belt\n"
        "in A: iron\nout Z: belt\n" + grid(10, 10, {(0, 0): "A", (9, 9): "Z"})
    )
    level = level_of(text)
    assert [planar.limit(level, recipe) for recipe in level.recipes] == [None, None]


def test_the_order_of_ports_bounds_assemblers() -> None:
    """Two assemblers fit if a second port of an item is on the other side of the first star, not if it is not."""
    for places, most in (
        ({(0, 0): "A", (0, 8): "B", (8, 8): "Z", (8, 0): "B"}, 2),
        ({(0, 0): "A", (0, 8): "B", (8, 8): "B", (8, 0): "Z"}, 1),
        ({(0, 0): "A", (0, 1): "B", (0, 2): "A", (0, 3): "Z", (0, 4): "B", (8, 8): "Z"}, 4),
        ({(0, 0): "A", (0, 1): "A", (0, 2): "A", (0, 3): "B", (0, 4): "B", (0, 5): "B", (8, 8): "Z"}, 1),
    ):
        level = level_of(PACKS.format(grid(9, 9, places)))
        assert planar.stars(level, level.recipes[0]) == most == Bounds(level).most["pack"]
        # Proofs do without the order.
        assert Bounds(level, proving=True).most["pack"] == planar.limit(level, level.recipes[0]) >= most
    inside = level_of(PACKS.format(grid(9, 9, {(0, 0): "A", (4, 4): "B", (8, 8): "Z"})))
    assert planar.stars(inside, inside.recipes[0]) is None


KINDS = (
    "recipe x: 60 a + 60 b = 60 x\n",
    "recipe x: 60 a + 60 b + 60 c = 60 x\n",
    "recipe k: 60 c = 60 k\nrecipe x: 60 a + 60 k = 60 x\n",
    "recipe x: 60 a + 60 b = 60 x\nrecipe y: 60 x = 60 y\n",
)
SIZES = [(3, 9), (5, 8), (6, 7), (7, 8), (8, 8)]
FEW_CONFLICTS = 2_000


def many_ports(chance: random.Random) -> Level:
    """A level with several ports of each item, at corners or anywhere on the border."""
    rows, columns = chance.choice(SIZES)[:: chance.choice([1, -1])]
    kind = chance.choice(KINDS)
    into = {1: "abc", 2: "ac"}.get(KINDS.index(kind), "ab")
    out = "y" if "y" in kind else "x"
    letters = into + out + "".join(chance.choices(into + out, k=chance.randint(1, 4)))
    edge = [(r, c) for r in range(rows) for c in range(columns) if r in (0, rows - 1) or c in (0, columns - 1)]
    corners = [(r, c) for r, c in edge if r in (0, rows - 1) and c in (0, columns - 1)]
    cells = chance.sample(corners, chance.randint(0, 3))
    cells += chance.sample([cell for cell in edge if cell not in cells], len(letters) - len(cells))
    chance.shuffle(cells)
    ports = "".join(f"{'out' if item == out else 'in'} {item.upper()}: {item}\n" for item in into + out)
    places = {cell: letter.upper() for cell, letter in zip(cells, letters, strict=True)}
    return level_of(f"Factorio\n{kind}{ports}{grid(rows, columns, places)}")


def test_no_layout_has_more_assemblers_than_stars() -> None:
    """Compared with the clauses, which do not use planarity. Often as many assemblers as stars are possible."""
    chance = random.Random(1)
    impossible = reached = 0
    levels = (many_ports(chance) for _ in range(10**6))
    for level in islice(filter(are_fewer_stars, levels), examples(15, 45)):
        most = planar.stars(level, level.recipe("x"))
        assert most is not None
        form = plan(level, numbered=False)
        centres = [form.assembler[cell, "x"] for cell in level.centres()]
        without = form.cnf.tally(Tag("recipes"), "x", [-centre for centre in centres], len(centres))
        with Solver("glucose4", bootstrap_with=form.cnf.rows) as solver:
            possible = []
            for many in (most, most + 1):
                solver.conf_budget(FEW_CONFLICTS)
                # That many have an assembler if fewer than the others and one are without.
                possible.append(solver.solve_limited(assumptions=[-without[len(centres) - many]]))
        assert not possible[1]
        impossible += possible[1] is False
        reached += possible[0] is True
    assert impossible > examples(10, 30)
    assert reached > examples(5, 15)


def are_fewer_stars(level: Level) -> bool:
    """Is the bound by stars less than the others, and not 0?"""
    most = planar.stars(level, level.recipe("x"))
    return most is not None and 0 < most < Bounds(level, proving=True).most["x"]


# Rates of inserters and assemblers.


def test_inserters_limit_the_rate_of_an_assembler() -> None:
    def recipe(gives: int, **takes: int) -> Recipe:
        return Recipe("r", tuple((item, Fraction(rate)) for item, rate in takes.items()), ("r", Fraction(gives)))

    assert steps(recipe(50, a=50)) == [1]
    assert steps(recipe(60, a=120)) == [Fraction(5, 12), Fraction(5, 6), 1]
    # 8 inserters for cables, 3 for iron and 3 for the product: 14 are too many; 10 give a rate of 5/6.
    assert max(steps(recipe(120, a=120, b=360))) == Fraction(5, 6)
    assert max(steps(recipe(1000, a=50))) == Fraction(11, 20)


def test_outputs_with_the_same_counters_have_the_same_floor() -> None:
    """One assembler makes at most 25, 50 or 60 a minute, for one, two or three inserters that bring plates."""
    level = level_of(
        "Factorio\nrecipe gear: 120 plate = 60 gear\nin A: plate\nout Z: gear\n"
        + grid(6, 6, {(0, 0): "A", (5, 5): "Z"})
    )
    capacity = Capacity(plan(level, numbered=False), Bounds(level))
    sums = sorted({one + other for one in (0, 25, 50, 60) for other in (0, 25, 50, 60)})
    for output in (1, 25, 26, 50, 51, 59, 60, 61, 75, 76, 90, 100, 104, 110, 111, 120):
        assert capacity.floor(Fraction(output)) == max(some for some in sums if some < output)


def best_of(level: Level, bounds: bool) -> Fraction | None:
    """The best output, found with bounds or without them."""
    run = LayoutSearch(level, Budget(Limits(60)))
    if not bounds:
        run._most = Fraction(10**6)
        run._capacity.needed = lambda output, more: iter(())  # type: ignore[method-assign]
        run._capacity.floor = lambda output: output  # type: ignore[method-assign]
    found = run.run()
    assert found.complete
    if found.layout is not None:
        assert (
            check(level, Layout(found.layout.belts, found.layout.inserters, found.layout.assemblers))
            == found.measure
        )
    return None if found.measure is None else found.measure.output


@pytest.mark.parametrize("seed", range(16))
def test_the_best_is_the_same_without_bounds(seed: int) -> None:
    """The other search has cuts alone, no bounds on the output and no counters."""
    chance = random.Random(100 + seed)
    level = None
    while level is None or not level.recipes or (level.width, level.height) == (3, 3):
        level = random_level(chance.choice([4, 5]), 5, 2, chance)
    level = replace(level, optimize="maximize-output")
    output = best_of(level, bounds=True)
    assert output == best_of(level, bounds=False)
    assert output is None or output <= Bounds(level).greatest_output()


# Cuts.

FEW = {
    "takes": (
        "Factorio\nrecipe wire: 120 ore = 120 wire\nin A: ore\nout Y: ore\nout Z: wire\n"
        + grid(5, 5, {(0, 0): "A", (0, 4): "Y", (4, 4): "Z"}),
        [100, 450],
    ),
    "twice": (
        "Factorio\nrecipe wire: 60 ore = 120 wire\nrecipe gear: 60 wire = 60 gear\nin A: ore\nout Z: gear\n"
        + grid(5, 7, {(0, 0): "A", (4, 6): "Z"}),
        [50, 60],
    ),
}
MOST_LAYOUTS = examples(200, 800)


@pytest.mark.parametrize("name", FEW)
def test_no_cut_forbids_a_better_layout(name: str) -> None:
    """Every cut against every layout of a small grid; bit i of a variable's number is its value in layout i."""
    text, outputs = FEW[name]
    level = level_of(text)
    form = plan(level, numbered=False)
    placed = [*form.belt.values(), *form.inserter.values(), *form.assembler.values()]
    layouts: list[tuple[Fraction | None, Program, Optimum, set[int]]] = []
    with Solver("glucose4", bootstrap_with=form.cnf.rows) as solver:
        chance = random.Random(1)
        while len(layouts) < MOST_LAYOUTS and solver.solve():
            solver.set_phases([chance.choice([-1, 1]) * variable for variable in placed])
            true = set(solver.get_model())
            program = Program(Network(level, form.layout(true.__contains__)))
            best = program.greatest()
            layouts.append((best.value, program, best, true))
            solver.add_clause([-v if v in true else v for v in placed])
    assert {value for value, *_ in layouts} >= {*map(Fraction, outputs)}
    clauses = [(value, better(form, program, best)) for value, program, best, _ in layouts]
    # Cuts may have variables of their own, which say that an inserter brings an item.
    names = {number: key for key, number in form.cnf.variables.items()}
    holders: dict[int, int] = {}
    for literal in {abs(literal) for _, clause in clauses for literal in clause}:
        key = names[literal]
        parts = [literal]
        if isinstance(key, tuple) and key[0] == "enters":
            parts = [form.inserter[key[1], key[2]], form.item[key[1], key[3]]]
        holders[literal] = sum(1 << i for i, (*_, true) in enumerate(layouts) if all(p in true for p in parts))
    everything = (1 << len(layouts)) - 1
    for value, clause in {(value, tuple(clause)) for value, clause in clauses}:
        allowed = 0
        for literal in clause:
            allowed |= holders[literal] if literal > 0 else everything & ~holders[-literal]
        wrong = [
            other
            for i, (other, *_) in enumerate(layouts)
            if other is not None and (value is None or other > value) and not allowed >> i & 1
        ]
        assert not wrong, (value, wrong)


def test_a_cut_names_the_changes_of_belts_and_assemblers_that_may_help() -> None:
    """The literals of the cut of one layout: further belts, other output of its assembler, other shares."""
    level = level_of(
        "Factorio\nrecipe wire: 120 ore = 240 wire\nin A: ore\nout Z: wire\n"
        + grid(5, 5, {(0, 0): "A", (4, 4): "Z"})
    )
    belts = (
        ("south", "", "", "", ""),
        ("",) * 5,
        ("", "", "", "", "south"),
        ("",) * 4 + ("south",),
        ("",) * 4 + ("east",),
    )
    inserters = (("",) * 5, ("south", "", "", "", ""), ("", "", "", "east", ""), ("",) * 5, ("",) * 5)
    layout = Layout(belts, inserters, (((3, 1), "wire"),))
    assert check(level, layout).output == 50
    form = plan(level, numbered=False)
    program = Program(Network(level, layout))
    (machine,) = program.network.machines
    centre = form.assembler[(3, 1), "wire"]
    ring = [((1, column), "north") for column in (0, 1, 2)] + [((row, 3), "east") for row in (3, 4)]
    assert set(cuts._leaving(form, machine)) == {form.inserter[key] for key in ring}
    cells = program.output_cells
    assert cells == {(2, 4), (3, 4), (4, 4)}
    more = {((1, 4), "south"), ((3, 3), "east"), ((4, 3), "east")}
    belts_only = {((2, 3), "east")}  # an inserter is there already
    inserters_only = {((2, 4), "south"), ((3, 4), "south"), ((3, 4), "north"), ((4, 4), "north")}
    assert set(cuts._feeds(form, program, cells)) == {
        *(form.belt[key] for key in more | belts_only),
        *(form.inserter[key] for key in more | inserters_only),
    }
    # The whole output of this assembler reaches these belts already; another could send less elsewhere.
    assert set(cuts._less(form, program, cells, machine)) == {-centre}
    assert set(cuts._less(form, program, frozenset(), machine)) == {-centre, -form.inserter[(2, 3), "east"]}
    clause = better(form, program, program.greatest())
    assert set(cuts._feeds(form, program, cells)) | {-centre} | set(cuts._leaving(form, machine)) <= set(clause)
