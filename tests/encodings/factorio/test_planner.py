"""Factorio: the plain rules, the planner against them and against proofs, cuts, linear programs, time limits."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from pysat.solvers import Solver

from examples import examples
from puzzlemc.encodings.factorio.domain import rules
from puzzlemc.encodings.factorio.domain.rules import check, faults
from puzzlemc.encodings.factorio.flow.network import LEAST, Network, Program, completed
from puzzlemc.encodings.factorio.flow.simplex import maximize
from puzzlemc.encodings.factorio.model.constraint import Plan, plan
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.encodings import constraint
from puzzlemc.encodings.factorio.planner.optimise import Bounds, Planned
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.encodings.factorio.planner.surpass import surpass
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.sat.refinement import written_out
from puzzlemc.mc.symbolic.prover import prove_unreachable
from puzzlemc.screens.factorio import (
    CRITERIA,
    DIRECTIONS,
    Layout,
    Level,
    Port,
    Recipe,
    parse,
)
from puzzlemc.screens.factorio.json_form import read_layout, write_layout

CABLES = """
Factorio
recipe copper-cable: 120 copper-plate = 240 copper-cable
in A: copper-plate
out Z: copper-cable
A....
.....
.....
.....
....Z
"""

CIRCUITS = """
Factorio
recipe copper-cable: 120 copper-plate = 240 copper-cable
recipe electronic-circuit: 120 iron-plate + 360 copper-cable = 120 electronic-circuit
in A: copper-plate
in B: iron-plate
out Z: electronic-circuit
A.....
......
......
......
......
B....Z
"""


def level_of(text: str) -> Level:
    (level,) = parse(text, "test")
    assert isinstance(level, Level)
    return level


def solve(level: Level, seconds: float = 60) -> Planned:
    return LayoutSearch(level, Budget(Limits(seconds=seconds))).run()


def small(seed: int) -> Level:
    """A random level on 4 × 5 or 5 × 5 cells, with one recipe."""
    generator = random.Random(seed)
    width, height = generator.choice([(4, 5), (5, 4), (5, 5)])
    recipe = generator.choice(
        [
            Recipe("wire", (("plate", Fraction(120)),), ("wire", Fraction(240))),
            Recipe("gear", (("plate", Fraction(240)),), ("gear", Fraction(120))),
            Recipe("pack", (("plate", Fraction(12)),), ("pack", Fraction(12))),
            Recipe("mix", (("plate", Fraction(60)), ("coal", Fraction(30))), ("mix", Fraction(60))),
        ]
    )
    cells = [(r, c) for r in range(height) for c in range(width) if r in (0, height - 1) or c in (0, width - 1)]
    generator.shuffle(cells)
    inputs = tuple(Port(cells.pop(), item) for item, _ in recipe.takes)
    outputs = (Port(cells.pop(), recipe.gives[0]),)
    return Level("", "", width, height, (recipe,), inputs, outputs, generator.choice(CRITERIA))


# The plain rules.


def layout_of(text: str, *assemblers: tuple[tuple[int, int], str]) -> Layout:
    """A layout drawn as arrows: belts ↑→↓←, inserters ⇡⇢⇣⇠."""
    rows = text.split()
    grids = (dict(zip(arrows, DIRECTIONS, strict=True)) for arrows in ("↑→↓←", "⇡⇢⇣⇠"))
    belts, inserters = (tuple(tuple(words.get(sign, "") for sign in row) for row in rows) for words in grids)
    return Layout(belts, inserters, assemblers)


GOOD = """
↓....
⇣....
...⇢↓
....↓
....→
"""


def test_a_layout_made_by_hand_is_valid() -> None:
    level = level_of(CABLES)
    layout = layout_of(GOOD, ((3, 1), "copper-cable"))
    measured = check(level, layout)
    # One inserter brings 50 plates, which give 100 cables; the one that takes them moves 50.
    assert (measured.output, measured.loss, measured.route) == (50, 0, 6)
    done = completed(level, layout)
    assert faults(level, done) == []
    assert done.routes[2][3:] == (1, 2)
    assert done.items[2][3:] == ("copper-cable", "copper-cable")
    assert done.inflow[0][0] == done.outflow[1][0] == 25
    assert done.outflow[0][0] == 0


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda f: f.replace("⇣....", "⇣..→."), "conveyor input"),
        (lambda f: f.replace("....→", "....↑"), "conveyor output"),
        (lambda f: f.replace("....↓\n....→", "....⇣\n....→"), "redundant inserter"),
        (lambda f: f.replace("↓....", "→...."), "conveyor output"),
        (lambda f: f.replace("⇣....", "⇡...."), "inserter"),
        (lambda f: f.replace("...⇢↓", "..⇢⇢↓"), "set collision"),
        (lambda f: f.replace("....→", "....."), "conveyor output"),
        (lambda f: f.replace("↓....", "....."), "conveyor input"),
        (lambda f: f.replace("...⇢↓", "....↓"), "conveyor input"),
    ],
)
def test_faults_name_their_rule(change: object, rule: str) -> None:
    layout = layout_of(change(GOOD), ((3, 1), "copper-cable"))  # type: ignore[operator]
    found = faults(level_of(CABLES), layout)
    assert any(fault.rule.startswith(rule) for fault in found), found
    with pytest.raises(Refuted, match=r"row \d, column \d: "):
        check(level_of(CABLES), layout)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"assemblers": (((3, 1), "gear"),)}, "recipes"),
        ({"assemblers": ()}, "recipes"),
        ({"assemblers": (((3, 1), "copper-cable"), ((2, 1), "copper-cable"))}, "set collision"),
        ({"assemblers": (((4, 1), "copper-cable"),)}, "set collision"),
    ],
)
def test_assemblers_stand_only_on_allowed_cells(changes: dict[str, object], rule: str) -> None:
    layout = replace(layout_of(GOOD, ((3, 1), "copper-cable")), **changes)  # type: ignore[arg-type]
    assert any(fault.rule == rule for fault in faults(level_of(CABLES), layout))


@pytest.mark.parametrize(
    ("grid", "rule"),
    [
        ("areas", "link assembler collision"),
        ("routes", "forward increment"),
        ("items", "item carry"),
        ("inflow", "belt rate"),
        ("outflow", "belt rate"),
    ],
)
def test_areas_routes_items_and_rates_of_a_layout_are_checked(grid: str, rule: str) -> None:
    level = level_of(CABLES)
    layout = completed(level, layout_of(GOOD, ((3, 1), "copper-cable")))
    rows = [list(row) for row in getattr(layout, grid)]
    rows[0][4] = type(rows[0][4])("copper-cable" if isinstance(rows[0][4], str) else 7)
    wrong = replace(layout, **{grid: tuple(map(tuple, rows))})
    assert [fault.rule for fault in faults(level, wrong)] == [rule]


def test_a_cycle_has_no_route_numbers() -> None:
    level = level_of("Factorio\nin A: ore\nout Z: ore\nA..Z\n....\n....")
    layout = layout_of("→→→→ .→↓. .↑←.")
    assert "cycle" in str(faults(level, layout)[0])


def test_no_piece_points_at_an_input() -> None:
    """The route number of an input is 1, and no piece that points at it has a smaller number."""
    level = level_of("Factorio\nin A: ore\nin B: ore\nout Z: ore\nAB.Z")
    rates = ((Fraction(1),) * 4,)
    layout = replace(layout_of("→→→→"), routes=((1, 1, 2, 3),), items=(("ore",) * 4,), inflow=rates, outflow=rates)
    assert [str(fault) for fault in faults(level, layout)] == [
        "row 1, column 1: forward increment: the route number goes from 1 to 1 in row 1, column 2"
    ]


@pytest.mark.parametrize(("rate", "rules_violated"), [(50, []), (49, ["recipe ratio"]), (25, ["recipe ratio"])])
def test_an_assembler_makes_at_most_the_rate_of_its_recipe(rate: int, rules_violated: list[str]) -> None:
    level = level_of(CABLES)
    layout = completed(level, layout_of(GOOD, ((3, 1), "copper-cable")))  # it makes 50 cables of 25 plates
    recipe = Recipe("copper-cable", (("copper-plate", Fraction(rate, 2)),), ("copper-cable", Fraction(rate)))
    assert [fault.rule for fault in faults(replace(level, recipes=(recipe,)), layout)] == rules_violated


def test_the_loss_is_the_amount_that_an_inserter_leaves() -> None:
    level = level_of(CABLES)
    done = completed(level, layout_of(GOOD, ((3, 1), "copper-cable")))
    rows = [[list(row) for row in grid] for grid in (done.inflow, done.outflow)]
    rows[0][0][0], rows[1][0][0] = Fraction(425), Fraction(400)
    lossy = replace(done, inflow=tuple(map(tuple, rows[0])), outflow=tuple(map(tuple, rows[1])))
    assert check(level, lossy).loss == 400
    rows[0][0][0], rows[1][0][0] = Fraction(451), Fraction(426)
    over = replace(done, inflow=tuple(map(tuple, rows[0])), outflow=tuple(map(tuple, rows[1])))
    assert [fault.rule for fault in faults(level, over)] == ["belt rate"]


@pytest.mark.corpus
def test_the_published_layout_is_valid_and_the_best(corpus: Path) -> None:
    folder = corpus / "factorio"
    level = level_of((folder / "example_instance.json").read_text())
    layout = read_layout((folder / "example_solved.json").read_text(), "example_solved.json")
    assert faults(level, layout) == []
    published = check(level, layout)
    assert (published.output, published.loss, published.route) == (Fraction(100, 3), 0, 18)
    bare = Layout(layout.belts, layout.inserters, layout.assemblers)
    assert check(level, bare) == published
    found = solve(level)
    assert found.optimal
    assert found.measure is not None
    assert (found.measure.output, found.measure.loss) == (published.output, published.loss)


# The planner against the rules.


@pytest.mark.parametrize("seed", range(30))
def test_answers_are_valid(seed: int) -> None:
    level = small(seed)
    found = solve(level)
    assert found.complete
    assert found.optimal == (found.layout is not None)
    if found.layout is not None:
        assert faults(level, found.layout) == []
        assert check(level, found.layout) == found.measure
        assert found.measure.output == found.bound <= Bounds(level).greatest_output()


def test_chains_of_recipes_have_valid_layouts() -> None:
    found = solve(level_of(CIRCUITS))
    assert found.optimal
    assert found.layout is not None
    assert check(level_of(CIRCUITS), found.layout).output == found.bound > 0


def by_rules(level: Level) -> set[tuple[object, object]]:
    """All layouts without an assembler that the plain rules accept.

    The grid is filled cell by cell. A rule about a cell depends only on the cell and its neighbours, so once these
    are filled, a fault at the cell ends the branch.
    """
    cells = list(level.cells())
    beside = {cell: [cell, *filter(None, (level.ahead(cell, word) for word in DIRECTIONS))] for cell in cells}
    settled: dict[object, list[object]] = {cell: [] for cell in cells}
    for cell in cells:
        settled[max(beside[cell])].append(cell)
    filled: dict[object, tuple[str, str]] = {}
    kept = set()

    def layout(within: object) -> Layout:
        def grid(kind: int) -> tuple[tuple[str, ...], ...]:
            return tuple(
                tuple(filled[i, j][kind] if (i, j) in within else "" for j in range(level.width))
                for i in range(level.height)
            )

        return Layout(grid(0), grid(1), ())

    @cache
    def wrong(cell: object, _standing: object) -> bool:
        return any(fault.cell == cell for fault in rules._connections(rules._Grid(level, layout(beside[cell]))))

    def fill(number: int) -> None:
        if number == len(cells):
            found = layout(cells)
            if not faults(level, found):
                kept.add((found.belts, found.inserters))
            return
        cell = cells[number]
        for content in [("", ""), *((word, "") for word in DIRECTIONS), *(("", word) for word in DIRECTIONS)]:
            filled[cell] = content
            if not any(wrong(other, tuple(filled[near] for near in beside[other])) for other in settled[cell]):
                fill(number + 1)
        del filled[cell]

    fill(0)
    return kept


def by_clauses(level: Level) -> set[tuple[object, object]]:
    """All layouts without an assembler that the clauses and linear programs accept."""
    constraints = plan(level)
    placed = [*constraints.belt.values(), *constraints.inserter.values()]
    found = set()
    with Solver("cadical195", bootstrap_with=constraints.cnf.rows) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            layout = constraints.layout(true.__contains__)
            if Program(Network(level, layout)).greatest().value is not None:
                found.add((layout.belts, layout.inserters))
            solver.add_clause([-literal if literal in true else literal for literal in placed])
    return found


@pytest.mark.parametrize(
    ("grid", "number"),
    [
        ("A..\n..Z", 13),
        ("A..\n...\n..Z", 78),
        ("A...\n...Z", 33),
        ("A.Z\n...\nB.Y", 55),
        pytest.param("A...\n....\n...Z", 526, marks=pytest.mark.slow),
    ],
)
def test_rules_and_clauses_agree_on_all_small_layouts(grid: str, number: int) -> None:
    lines = ["in B: coal", "out Y: coal"] if "B" in grid else []
    level = level_of("\n".join(["Factorio", "in A: ore", "out Z: ore", *lines, grid]))
    found = by_rules(level)
    assert len(found) == number
    assert found == by_clauses(level)


def mutant(level: Level, layout: Layout, generator: random.Random) -> Layout:
    """A layout with one or two changes: a piece turned, added, removed or exchanged, or an assembler moved."""
    grids = [[list(row) for row in grid] for grid in (layout.belts, layout.inserters)]
    assemblers = list(layout.assemblers)
    for _ in range(generator.choice([1, 1, 2])):
        used = [(i, j) for i, j in level.cells() if grids[0][i][j] or grids[1][i][j]]
        row, column = generator.choice([*used, *used, *level.cells()])
        kind = generator.randrange(2)
        change = generator.randrange(5)
        if change < 3:
            for grid in grids:
                grid[row][column] = ""
            if change:
                grids[kind][row][column] = generator.choice(DIRECTIONS)
        elif change == 3:
            belt, inserter = grids[0][row][column], grids[1][row][column]
            grids[0][row][column], grids[1][row][column] = inserter, belt
        else:
            number = generator.randrange(len(assemblers))
            (down, right), name = assemblers[number]
            assemblers[number] = ((down + generator.randint(-1, 1), right + generator.randint(-1, 1)), name)
    belts, inserters = (tuple(map(tuple, grid)) for grid in grids)
    return Layout(belts, inserters, tuple(assemblers))


def allowed(constraints: Plan, solver: Solver, layout: Layout) -> bool:
    """Do the clauses have a solution with exactly this layout, and does its linear program have one?"""
    if any(key not in constraints.assembler for key in layout.assemblers):
        return False
    assumptions = []
    for variables, grid in ((constraints.belt, layout.belts), (constraints.inserter, layout.inserters)):
        for ((row, column), word), variable in variables.items():
            assumptions.append(variable if grid[row][column] == word else -variable)
    assumptions += [v if key in layout.assemblers else -v for key, v in constraints.assembler.items()]
    if not solver.solve(assumptions=assumptions):
        return False
    return Program(Network(constraints.level, layout)).greatest().value is not None


def test_the_rules_refuse_exactly_the_mutants_that_the_clauses_forbid() -> None:
    generator = random.Random(1)
    refused = valid = 0
    for text, many in ((CABLES, 700), (CIRCUITS, 300)):
        level = level_of(text)
        constraints = plan(level)
        solver = Solver("glucose4", bootstrap_with=constraints.cnf.rows)
        found = solve(level)
        assert found.layout is not None
        for _ in range(many):
            changed = mutant(level, found.layout, generator)
            if changed == Layout(found.layout.belts, found.layout.inserters, found.layout.assemblers):
                continue
            wrong = faults(level, changed)
            assert bool(wrong) != allowed(constraints, solver, changed), (changed, wrong)
            refused += bool(wrong)
            valid += not wrong
    assert refused > 800
    assert valid > 5


@pytest.mark.parametrize("seed", range(8))
def test_wrong_routes_items_and_rates_are_refused(seed: int) -> None:
    """One number or item is changed. Layouts that are still accepted have other route numbers, which increase."""
    generator = random.Random(seed)
    level = level_of(CABLES)
    found = solve(level)
    assert found.layout is not None
    for _ in range(25):
        grid = generator.choice(["routes", "items", "inflow", "outflow"])
        row, column = generator.choice(list(level.cells()))
        rows = [list(line) for line in getattr(found.layout, grid)]
        old = rows[row][column]
        if grid == "items":
            rows[row][column] = generator.choice([item for item in ("", *level.items) if item != old])
        else:
            rows[row][column] = type(old)(old + generator.choice([1, 2, 7]))
        changed = replace(found.layout, **{grid: tuple(map(tuple, rows))})
        wrong = faults(level, changed)
        if not wrong:
            assert grid == "routes"
            network = Network(level, found.layout)
            for cell, before in network.before.items():
                assert all(rows[i][j] < rows[cell[0]][cell[1]] for i, j in before)
            assert all(rows[port.cell[0]][port.cell[1]] == 1 for port in level.inputs)


# The parts of the planner.


@pytest.mark.parametrize("seed", range(12))
def test_cuts_and_counters_hold_for_all_better_layouts(seed: int) -> None:
    """A layout that violates a cut is not better than the layout of the cut."""
    level = small(seed)
    constraints = plan(level)
    capacity = Capacity(constraints, Bounds(level))
    layouts: list[tuple[Fraction | None, set[int], list[int]]] = []
    generator = random.Random(seed)
    tries = 0
    placed = [*constraints.belt.values(), *constraints.inserter.values(), *constraints.assembler.values()]
    with Solver("glucose4", bootstrap_with=constraints.cnf.rows) as solver:
        while tries < examples(60, 120):
            # Most layouts are similar to an earlier one, because similar layouts reveal wrong cuts.
            kept: list[int] = []
            tries += 1
            if layouts and tries % 6:
                before = generator.choice(layouts[-6:])[1]
                middle = generator.choice(list(level.cells()))
                near = {cell for cell in level.cells() if abs(cell[0] - middle[0]) + abs(cell[1] - middle[1]) < 3}
                for variables in (constraints.belt, constraints.inserter):
                    kept += [v if v in before else -v for (cell, _), v in variables.items() if cell not in near]
                kept += [v if v in before else -v for v in constraints.assembler.values()]
            variables = list(range(1, constraints.cnf.top + 1))
            solver.set_phases([generator.choice([-1, 1]) * variable for variable in variables])
            if not solver.solve(assumptions=kept):
                if not kept:
                    break
                continue
            true = {literal for literal in solver.get_model() if literal > 0}
            layout = constraints.layout(true.__contains__)
            program = Program(Network(level, layout))
            found = program.greatest()
            layouts.append((found.value, true, cuts.better(constraints, program, found)))
            solver.add_clause([-literal if literal in true else literal for literal in placed])
    for value, _, clause in layouts:
        for other, true, _ in layouts:
            if other is not None and (value is None or other > value):
                assert any((literal > 0) == (abs(literal) in true) for literal in clause)
    for value in {value for value, _, _ in layouts if value is not None}:
        for other, true, _ in layouts:
            for more in (False, True):
                if other is not None and (other > value if more else other >= value):
                    asked = list(capacity.needed(value, more))
                    assert () not in asked
                    stands = [v if v in true else -v for v in placed]
                    with Solver("glucose4", bootstrap_with=constraints.cnf.rows) as solver:
                        assert solver.solve(assumptions=[*stands, *(literal for (literal,) in asked)])
        # What counters say of some output, they say of every output above its floor.
        wanted = value * generator.choice([Fraction(1), Fraction(3, 4), Fraction(1, 3)])
        floor = capacity.floor(wanted)
        assert floor <= wanted
        asked = list(capacity.needed(wanted, more=False))
        for other, true, _ in layouts:
            if other is not None and floor < other < wanted:
                stands = [v if v in true else -v for v in placed]
                with Solver("glucose4", bootstrap_with=constraints.cnf.rows) as solver:
                    assert solver.solve(assumptions=[*stands, *(literal for (literal,) in asked)])


@pytest.mark.parametrize("seed", range(10))
def test_another_solver_finds_no_better_layout(seed: int) -> None:
    """The solver that checks proofs confirms that no layout is better, or that there is none."""
    level = small(seed)
    found = solve(level)
    assert found.complete
    if found.layout is None:
        made = constraint(level)
    else:
        made = surpass(level, [write_layout(found.layout)], Budget())
    model = written_out(made.model, Budget())
    assert check_proof(model, prove_unreachable(model, Budget()), Budget()) == "sat"


def test_a_time_limit_ends_the_search() -> None:
    level = level_of(CIRCUITS)
    found = solve(level, 0)
    assert (found.layout, found.complete, found.optimal, found.reason) == (None, False, False, "timeout")
    assert found.bound == Bounds(level).greatest_output() > solve(level).bound


NARROW = """Factorio
recipe wire: 120 ore = 60 wire
in A: ore
out Y: ore
out Z: wire
A...Y
.....
.....
.....
....Z
"""


def test_the_search_ends_at_an_output_just_below_the_bound() -> None:
    """The assembler has to take a little of the ore, so all aims between the best and the bound are the bound."""
    level = level_of(NARROW)
    found = LayoutSearch(level, Budget(Limits(60))).run()
    assert found.complete
    assert found.measure is not None
    assert found.measure.output == found.bound == 450 - LEAST / 2


def test_at_a_limit_the_bound_is_what_was_proved_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search stops once no layout with the aim exists; the bound was that of the start."""
    level = level_of(CIRCUITS)
    best = solve(level)
    run = LayoutSearch(level, Budget())
    start = run._most

    def reach(*args: object) -> bool | None:
        if run._most < start:
            raise LimitReached("timeout")
        return LayoutSearch._reach(run, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "_reach", reach)
    found = run.run()
    assert not found.complete
    assert best.bound <= found.bound < start


def test_better_layouts_are_reported_as_they_are_found() -> None:
    seen: list[Fraction] = []
    found = LayoutSearch(level_of(CABLES), Budget(), lambda _, measured: seen.append(measured.output)).run()
    assert seen == sorted(set(seen))
    assert seen[-1] == found.bound


def test_linear_programs_have_exact_optima() -> None:
    half = Fraction(1, 2)
    most = maximize(
        {"x": Fraction(3), "y": Fraction(2)},
        [({"x": Fraction(1), "y": Fraction(1)}, Fraction(4)), ({"x": Fraction(1)}, Fraction(3))],
    )
    assert (most.value, dict(most.point), most.rows) == (11, {"x": 3, "y": 1}, {0, 1})
    # x ≥ 1 and x ≤ 1/2 contradict each other.
    none = maximize({"x": Fraction(1)}, [({"x": Fraction(-1)}, Fraction(-1)), ({"x": Fraction(1)}, half)])
    assert (none.value, none.rows) == (None, {0, 1})
    # An equation as two rows: x + y = 1, and the most of y.
    equal = [({"x": Fraction(s), "y": Fraction(s)}, Fraction(s)) for s in (1, -1)]
    assert maximize({"y": Fraction(1)}, equal).value == 1
    with pytest.raises(ValueError, match="without end"):
        maximize({"x": Fraction(1)}, [({"x": Fraction(-1)}, Fraction(0))])
