"""Factorio as a puzzle: verdicts with certificates, checks of layouts, reasons, random levels, pictures."""

import json
import random
import subprocess
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from command import ONE_PUSH, PROGRAM, puzzlemc
from PIL import Image
from places import ROOT
from processes import program
from pysat.solvers import Solver
from rich.text import Text
from typer.testing import CliRunner

from puzzlemc.encodings.factorio.domain import building, rules
from puzzlemc.encodings.factorio.flow import network as flow
from puzzlemc.encodings.factorio.model.constraint import plan
from puzzlemc.encodings.factorio.planner import generate, layouts, reasons
from puzzlemc.encodings.factorio.planner.encodings import can_work, constraint, has_layout
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.encodings.factorio.planner.surpass import surpass
from puzzlemc.encodings.puzzles import colours, load, puzzle
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.sat.solutions import satisfy
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.reports.ask.layout import judge, judge_flow
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.cli.app import app
from puzzlemc.reports.cli.common.table import Table
from puzzlemc.reports.formats.drawing import gif, inked, svg_shapes
from puzzlemc.reports.formats.traces import Traces
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.picture import Label
from puzzlemc.screens.factorio import DIRECTIONS, Layout, Level, area, draw, json_form, parse, picture
from puzzlemc.screens.factorio import blueprint as blueprints

LEVELS = ROOT / "screens" / "levels" / "factorio"
GEAR = """Title: gears
Factorio
recipe gear: 60 iron = 30 gear
in A: iron
out Z: gear
A....
.....
.....
.....
....Z
"""


def level(text: str = GEAR) -> Level:
    (found,) = parse(text, "level")
    assert isinstance(found, Level), found
    return found


def best(of: Level) -> Layout:
    found = layouts.plan(of, Budget()).layout
    assert found is not None
    return found


# Verdicts and certificates


def test_the_model_has_the_layouts_of_the_plain_rules() -> None:
    encoded = constraint(level())
    encoded.model.validate()
    verdict = satisfy(encoded.model, "moves", Budget())
    assert isinstance(verdict, Reachable)
    (text,) = encoded.moves(verdict.trace)
    rules.check(level(), json_form.read_layout(text, "trace"))
    puzzle("factorio").replay(level(), encoded.moves(verdict.trace))


@pytest.mark.parametrize("number", range(1, 6))
def test_verify_accepts_certificates_of_impossible_levels(number: int, tmp_path: Path) -> None:
    (entry,) = load([f"{LEVELS / 'impossible.factorio'}#{number}"])
    options = Options(timeout=120, why=True)
    result = solve_entry(entry, options)
    assert (result.verdict, result.exit_code) == ("unsolvable", 1)
    assert result.reason
    path = tmp_path / "certificate.json"
    assert certify(entry, options, result, path).checked
    done = verify(path, [entry])
    assert (done.status, done.by) == ("valid", "sat")
    # The same proof about a level that has a layout is refuted.
    certificate = json.loads(path.read_text())
    path.write_text(json.dumps(certificate | {"level": GEAR.strip().split("\n")}))
    assert verify(path).status == "refuted"


def test_a_solvable_level_has_a_certificate(tmp_path: Path) -> None:
    (entry,) = load([f"{LEVELS / 'first_belts.factorio'}#2"])
    result = solve_entry(entry, Options())
    assert result.best is not None
    assert result.best["output"] == "60"
    assert result.optimal
    path = tmp_path / "certificate.json"
    assert certify(entry, Options(), result, path).checked
    certificate = json.loads(path.read_text())
    layout = json.loads(certificate["trace"][0])
    layout["CONVEYOR"][0][0] = "north"
    path.write_text(json.dumps(certificate | {"trace": [json.dumps(layout)]}))
    assert verify(path).status == "refuted"


COMPARED = [
    ("first_belts.factorio#1", "maximize-output"),  # the output reaches the bound
    ("first_belts.factorio#4", "maximize-output"),
    ("first_belts.factorio#4", "minimize-loss"),
    ("first_belts.factorio#3", "minimize-route"),
]


@pytest.mark.parametrize(("name", "optimize"), COMPARED)
def test_only_the_best_layout_is_proved_optimal(name: str, optimize: str, tmp_path: Path) -> None:
    (entry,) = load([str(LEVELS / name)])
    of = replace(entry.level, optimize=optimize)
    seen: list[Layout] = []
    planned = LayoutSearch(of, Budget(), lambda layout, _: seen.append(layout)).run()
    assert planned.optimal
    assert seen[-1] == planned.layout
    answers = []
    for layout in seen:
        model = surpass(of, [json_form.write_layout(layout)], Budget(Limits(60))).model
        model.validate()
        answers.append(isinstance(satisfy(model, "moves", Budget()), Unreachable))
    assert answers == [False] * (len(seen) - 1) + [True]
    # In a certificate, the claim holds for the best layout, and is refuted for another one.
    file = tmp_path / "level.factorio"
    file.write_text(draw(of))
    (entry,) = load([str(file)])
    options = Options(timeout=60)
    result = solve_entry(entry, options)
    path = tmp_path / "certificate.json"
    assert certify(entry, options, result, path).checked
    done = verify(path, [entry])
    assert done.certificate is not None
    assert (done.status, done.by, done.certificate.optimal) == ("valid", "sat", True)
    assert "proof that none is better checked by sat" in done.as_text()
    certificate = json.loads(path.read_text())
    for layout in seen[:-1]:
        path.write_text(json.dumps(certificate | {"trace": [json_form.write_layout(layout)]}))
        assert verify(path).status == "refuted"


def test_after_a_timeout_a_certificate_shows_only_a_valid_layout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (entry,) = load([str(LEVELS / "first_belts.factorio#2")])
    result = solve_entry(entry, Options())
    left: list[float | None] = []

    def late(_: object, __: object, budget: Budget) -> None:
        left.append(budget.left)
        raise LimitReached("timeout")

    path = tmp_path / "certificate.json"
    monkeypatch.setattr("puzzlemc.encodings.factorio.planner.surpass.surpass", late)
    certified = certify(entry, Options(timeout=60), result, path)
    assert certified.checked
    assert certified.note.split("; ")[-1] == "the certificate does not show that the trace is optimal: timeout"
    # There is time left for it.
    assert left[0] is not None
    assert left[0] < 50
    assert "optimal" not in verify(path, [entry]).as_text()


def test_recipes_that_cannot_all_work_need_no_search() -> None:
    losing = level(
        "Factorio\nrecipe a: 60 x + 10 z = 30 y\nrecipe b: 60 y = 30 x\nin A: z\nout Z: y\n"
        + "\n".join(["A......."] + ["........"] * 6 + [".......Z"])
    )
    gaining = replace(
        losing,
        recipes=(replace(losing.recipes[0], gives=("y", losing.recipes[0].rate("x") * 3)), losing.recipes[1]),
    )
    assert not can_work(losing)
    assert can_work(gaining)
    assert not has_layout(plan(losing), Budget())
    assert isinstance(satisfy(constraint(losing).model, "moves", Budget()), Unreachable)
    assert layouts.best(losing, Budget()).complete
    assert str(reasons.why(losing, Budget())) == (
        "a and b cannot all be made: more of some item is needed than comes in and is made"
    )


def test_a_time_limit_is_reported() -> None:
    of = generate.random_level(12, 12, 3, random.Random(5))
    assert of is not None
    found = layouts.best(of, Budget(Limits(0.0)))
    assert not found.complete
    assert found.reason == "timeout"
    with pytest.raises(LimitReached):
        reasons.why(of, Budget(Limits(0.0)))


# Reasons

REASONS = {
    1: ["no room for assemblers of", "coil", "copper-cable", "row 2 columns 2-4"],
    2: ["no room for an assembler of iron-gear-wheel", "goes out at (3,3)", "row 4 columns 2-4"],
    3: [
        "the ways of iron-plate at (1,1) and of copper-plate at (1,5) begin and end crosswise on the border",
        "iron-plate goes out at (5,5), which can only be reached through (4,5) or (5,4)",
        "copper-plate comes in at (1,5)",
    ],
    4: [
        "copper-plate goes out at (1,1), which can only be reached through (1,2) or (2,1)",
        "iron-plate comes in at",
    ],
    5: ["butter and milk cannot all be made"],
}


def impossible(number: int) -> Level:
    """A level that has no layout."""
    (entry,) = load([f"{LEVELS / 'impossible.factorio'}#{number}"])
    assert isinstance(entry.level, Level)
    return entry.level


@cache
def reason_of(of: Level) -> reasons.Reason:
    """Why the level has no layout."""
    reason = reasons.why(of, Budget())
    assert reason is not None
    return reason


@pytest.mark.parametrize("number", REASONS)
def test_reasons_are_sentences(number: int) -> None:
    reason = reason_of(impossible(number))
    assert reason.minimal
    for words in REASONS[number]:
        assert words in str(reason)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_reason_is_a_minimal_core(number: int) -> None:
    """Another solver than the one that found the core checks it."""
    of = impossible(number)
    reason, group, cnf = reason_of(of), reasons._grouping(of), plan(of).cnf

    def satisfiable(groups: set[reasons.Group], cells: set[tuple[int, int]]) -> bool:
        kept = [
            row
            for row, tag in zip(cnf.rows, cnf.tags, strict=True)
            if group(tag) in groups and (tag.cell is None or tag.cell in cells)
        ]
        with Solver("minisat22", bootstrap_with=kept) as solver:
            return bool(solver.solve())

    groups, cells = set(reason.groups), set(reason.cells)
    everywhere = set(of.cells())
    assert not satisfiable(groups, cells)
    assert all(satisfiable(groups - {one}, everywhere) for one in groups)
    assert all(satisfiable(groups, cells - {one}) for one in cells)


def test_large_levels_whose_paths_cross_need_no_search(tmp_path: Path) -> None:
    rows = ["A........B", *["." * 10] * 8, "Y........Z"]
    file = tmp_path / "crossing.factorio"
    file.write_text("Factorio\nin A: iron\nin B: coal\nout Y: coal\nout Z: iron\n" + "\n".join(rows))
    (entry,) = load([str(file)])
    result = solve_entry(entry, Options(timeout=20, why=True))
    assert result.verdict == "unsolvable"
    assert "crosswise on the border, and belts cannot cross" in (result.reason or "")
    path = tmp_path / "certificate.json"
    assert certify(entry, Options(timeout=20), result, path).checked
    assert verify(path, [entry]).status == "valid"


def test_levels_with_a_layout_have_no_reason() -> None:
    assert reasons.why(level(), Budget()) is None


# Layouts


def test_a_layout_is_judged_in_both_forms(tmp_path: Path) -> None:
    file = tmp_path / "gears.factorio"
    file.write_text(GEAR)
    (entry,) = load([str(file)])
    found = best(level())
    place = tmp_path / "layout"
    for text in (json_form.write_layout(found), *(blueprints.write(found, v) for v in blueprints.VERSIONS)):
        place.write_text(text)
        done = judge_flow(entry, judge(entry, str(place)), Limits())
        assert done.exit_code == 0, done.as_text()
        assert done.as_json()["output"] == "30"
        assert done.as_json()["status"] == done.as_json()["rules"] == "valid"
        assert done.flow_as_text() == "flow: every item arrives, nothing blocks"


def test_a_layout_with_tiny_rates_and_ratios_is_judged() -> None:
    """Files may have such rates. The layouts of the planner respect its minimal rate."""
    of = level(
        "Factorio\nrecipe gear: 2 iron = 1 gear\nin A: iron\nout Z: gear\nA.....\n......\n......\n......\nZ.....\n"
    )
    empty = (("",) * 6,) * 5

    def grid(cells: dict[tuple[int, int], str]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(cells.get((row, column), empty[row][column]) for column in range(6)) for row in range(5)
        )

    belts = grid({(0, 0): "east", **{(4, column): "west" for column in range(3)}})
    inserters = grid({(0, 1): "east", (3, 2): "south"})
    part = Fraction(1, 5000)  # of the assembler's time
    rates = {(0, 0): 2 * part, (0, 1): 2 * part} | dict.fromkeys([(3, 2), (4, 0), (4, 1), (4, 2)], part)
    inflow = tuple(tuple(rates.get((row, column), Fraction(0)) for column in range(6)) for row in range(5))
    outflow = ((Fraction(0), *inflow[0][1:]), *inflow[1:])
    made = Layout(belts, inserters, (((1, 3), "gear"),))
    made = replace(
        flow.completed(of, replace(made, inflow=inflow, outflow=outflow)), inflow=inflow, outflow=outflow
    )
    assert [fault.rule for fault in rules.faults(of, made)] == ["inserter rate"]
    text = json.dumps(json.loads(json_form.write_layout(made)) | {"INPUT RATIO": [["5/6", "1"]]})
    done = layouts.judged(of, text, "published")
    assert done.faults == ()
    assert done.measures["output"] == "1/5000"
    assert "an inserter moves less than 1/1000 a minute" in done.words
    none = json.dumps(json.loads(text) | {"INPUT RATIO": [["much"]]})
    with pytest.raises(LevelError, match=r"INPUT RATIO\[0\]\[0\]: found much, expected a rate"):
        layouts.judged(of, none, "published")
    stopped = replace(made, inflow=((Fraction(0),) * 6,) * 5, outflow=((Fraction(0),) * 6,) * 5)
    assert layouts.judged(of, json_form.write_layout(stopped), "published").faults


def test_mutants_are_refuted_or_still_valid() -> None:
    """Layouts with one changed cell get the verdict of the plain rules, with faults in words."""
    of = level()
    found = replace(best(of), routes=(), items=(), inflow=(), outflow=())
    refuted = 0
    for row, column in of.cells():
        for word in ("", *DIRECTIONS):
            belts = [list(line) for line in found.belts]
            belts[row][column] = word
            mutant = replace(found, belts=tuple(map(tuple, belts)))
            judged = layouts.judged(of, json_form.write_layout(mutant), "mutant")
            valid = not rules.faults(of, mutant)
            assert valid == (not judged.faults), judged.faults
            refuted += not valid
    assert refuted >= 80


def test_check_layout_on_the_command_line(tmp_path: Path) -> None:
    file, place = tmp_path / "gears.factorio", tmp_path / "layout.json"
    file.write_text(GEAR)
    found = best(level())

    def check(text: str, *more: str) -> tuple[int, str]:
        place.write_text(text)
        done = CliRunner().invoke(app, ["check", str(file), "--layout", str(place), *more])
        return done.exit_code, done.output

    code, text = check(json_form.write_layout(found))
    assert code == 0
    assert "valid: output 30 a minute" in text
    code, text = check(json_form.write_layout(replace(found, assemblers=())), "--json")
    assert code == 4
    verdict = json.loads(text)
    assert verdict["status"] == "refuted"
    assert verdict["faults"][0] == "recipes: no assembler makes gear"
    assert any(fault.startswith("flow: iron from row 1, column 1 is lost") for fault in verdict["faults"])
    code, text = check("hello")
    assert code == 2
    expected = "layout.json:1:1: found 'hello', expected a layout as a JSON object, or a blueprint string, which"
    assert expected in " ".join(text.split())
    code, text = check("0no blueprint")
    assert code == 2
    assert "layout.json: found no base64 after the 0" in " ".join(text.split())
    place.unlink()
    done = CliRunner().invoke(app, ["check", str(file), "--layout", str(place)])
    assert done.exit_code == 2


def test_the_rules_refute_a_layout_whose_flow_has_no_faults(tmp_path: Path) -> None:
    file, place = tmp_path / "gears.factorio", tmp_path / "layout.json"
    file.write_text(GEAR)
    found = best(level())
    for first, words in [
        (found.belts[0], "flow: every item arrives, nothing blocks"),
        ((*found.belts[0][:4], "east"), "flow: every item arrives, nothing blocks; the rules decide: refuted"),
    ]:
        place.write_text(json_form.write_layout(replace(found, belts=(first, *found.belts[1:]))))
        done = CliRunner().invoke(app, ["check", str(file), "--layout", str(place)])
        assert done.exit_code == (4 if words.endswith("refuted") else 0)
        assert done.output.splitlines()[-1] == words


SLOW = """
import time

from puzzlemc.encodings.factorio.puzzle import PUZZLE as factorio
from puzzlemc.mc.errors import LimitReached
from dataclasses import replace


def forever(level, text, source, budget):
    {wait}


PUZZLE = replace(factorio, name="slow", optimisation=replace(factorio.optimisation, simulate=forever))
"""


@pytest.mark.parametrize(
    ("wait", "form"), [("time.sleep(60)", "text"), ("while True: budget.check()", "json")], ids=["text", "json"]
)
def test_a_limit_on_the_flow_keeps_the_verdict_of_the_rules(tmp_path: Path, wait: str, form: str) -> None:
    """The flow check reaches its time limit, or the parent process ends it."""
    slow, file, place = tmp_path / "slow.py", tmp_path / "gears.factorio", tmp_path / "layout.json"
    slow.write_text(SLOW.format(wait=wait))
    file.write_text(GEAR)
    found = best(level())
    ask = ("check", file, "--puzzle", slow, "--layout", place, "--timeout", "4")
    for layout, status, code in ((found, "valid", 3), (replace(found, assemblers=()), "refuted", 4)):
        place.write_text(json_form.write_layout(layout))
        done = puzzlemc(*ask, *["--json"] * (form == "json"))
        assert done.returncode == code, done.stderr
        if form == "text":
            assert f"layout.json: {status}" in done.stdout.split("\n")[0]
            decides = "; the rules decide: refuted" if status == "refuted" else ""
            assert done.stdout.endswith(f"flow: not checked: timeout{decides}\n")
            continue
        verdict = json.loads(done.stdout)
        assert (verdict["rules"], verdict["reason"]) == (status, "timeout")
        assert verdict["status"] == ("unknown" if status == "valid" else "refuted")


def test_the_rules_are_checked_before_the_flow(tmp_path: Path) -> None:
    slow, file, place = tmp_path / "slow.py", tmp_path / "gears.factorio", tmp_path / "layout.json"
    slow.write_text(SLOW.format(wait="time.sleep(60)"))
    file.write_text(GEAR)
    place.write_text(json_form.write_layout(best(level())))
    ask = ["check", str(file), "--puzzle", str(slow), "--layout", str(place), "--timeout", "30"]
    with program([*PROGRAM, *ask], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert "valid: output 30 a minute" in running.stdout.readline()
        assert running.poll() is None
        running.terminate()


def test_puzzles_without_layouts_are_refused(tmp_path: Path) -> None:
    (entry, *_) = load([str(LEVELS.parent / "tetravex" / "one_way.tetravex")])
    with pytest.raises(ModelError, match="no layouts of tetravex are read"):
        judge(entry, str(tmp_path))


def test_a_file_that_is_no_layout_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gears.factorio"
    file.write_text(GEAR)
    (entry,) = load([str(file)])
    for data, words in ((b"\xff", "no UTF-8"), (b" " * (1 << 22) + b" ", "more than"), (b"{}", "expected")):
        (tmp_path / "layout").write_bytes(data)
        with pytest.raises(LevelError, match=words):
            judge(entry, str(tmp_path / "layout"))


def test_exports_hold_the_best_layout() -> None:
    of = level()
    for name, files in ((name, write(of)) for name, write in puzzle("factorio").text.exports.items()):
        for text in files.values():
            measure = rules.check(of, layouts.read(text, name, of))
            assert measure.output == 30


# By hand


def test_a_layout_can_be_built_by_hand() -> None:
    of = level()
    found = best(of)
    moves = [f"{name} ({row + 1},{column + 1})" for (row, column), name in found.assemblers]
    for kind, grid in (("belt", found.belts), ("inserter", found.inserters)):
        moves += [
            f"{kind} ({row + 1},{column + 1}) {grid[row][column]}"
            for row, column in of.cells()
            if grid[row][column]
        ]
    played = puzzle("factorio").play(of, moves)
    assert building.solved(of, played.positions[-1])
    assert not building.solved(of, played.positions[-2])
    with pytest.raises(Refuted, match="not a legal move"):
        puzzle("factorio").play(of, [*moves, moves[0]])


def test_a_blueprint_string_in_the_place_of_a_layout_is_named() -> None:
    with pytest.raises(Refuted, match="found a blueprint string, expected a layout as JSON"):
        puzzle("factorio").replay(level(), ["0eNqrVkrKKU0tKMrMK1GyqlZKS8xTsgIA"])


# Random levels


def test_random_levels_have_a_layout_and_sensible_recipes() -> None:
    made = set()
    for seed in range(12):
        drawn: list[Level] = []
        of, words = generate.generate(5, 5, 4, seed, Budget(Limits(60)), drawn=drawn.append)
        assert drawn == [of]
        assert words is not None
        assert words.startswith("best: output ")
        assert words == generate.generate(5, 5, 4, seed, Budget())[1]
        (again,) = parse(draw(of), "again")
        assert again == of
        layout = best(of)
        assert f"best: output {rules.check(of, layout).output}," in words
        for recipe in of.recipes:
            made.add(recipe.name)
            assert recipe.name == recipe.gives[0]
            assert tuple(item for item, _ in recipe.takes) == generate.MADE[recipe.name]
    assert len(made) > 2


def test_products_are_made_of_available_items() -> None:
    chance = random.Random(1)
    chains = 0
    for _ in range(300):
        of = generate.random_level(9, 9, 6, chance)
        if of is None:
            continue
        at_hand = {port.item for port in of.inputs}
        for recipe in of.recipes:
            assert {item for item, _ in recipe.takes} <= at_hand
            chains += any(item in generate.MADE for item, _ in recipe.takes)
            at_hand.add(recipe.gives[0])
        assert {port.item for port in of.outputs} <= at_hand
    assert chains > 50


def test_a_level_without_a_layout_in_time_is_not_generated() -> None:
    with pytest.raises(LimitReached):
        generate.generate(12, 12, 4, 5, Budget(Limits(0.0)))


def test_generate_asks_for_items() -> None:
    done = puzzlemc("generate", "factorio", "--size", "5", "--items", "2", "--seed", "1", "-o", "-")
    assert done.returncode == 0
    assert "Title: 5×5, 2 items, seed 1" in done.stdout
    assert "% best: output" in done.stdout
    done = puzzlemc("generate", "factorio", "--colours", "2")
    assert done.returncode == 2
    assert "expected some of --count, --items" in " ".join(done.stderr.split())
    shown = puzzlemc("generate", "factorio", "--help").stdout.partition("\nExamples:\n")[0]
    assert "--items" in shown
    assert "--colours" not in shown


def test_random_levels_of_invalid_sizes_are_refused() -> None:
    for rows, columns, items in ((1, 5, 2), (5, 99, 2), (5, 5, 0), (5, 5, 7)):
        with pytest.raises(ModelError, match="expected 2 to 32 rows"):
            generate.generate(rows, columns, items, 0, Budget())
    with pytest.raises(ModelError, match="not counted"):
        generate.generate(5, 5, 2, 0, Budget(), unique=True)


def test_a_contradicted_answer_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "check", lambda *_: None)
    with pytest.raises(Refuted, match="the planner says"):
        generate.generate(5, 5, 2, 1, Budget())


# Pictures


def test_pictures_show_items_rates_and_directions() -> None:
    of = level()
    found = best(of)
    made = picture(of, found)
    assert {shape.colour for shape in (*made.board, *made.pieces)} <= colours().keys()
    drawn = svg_shapes([*made.board, *made.pieces])
    assert ">gear<" in drawn
    assert ">iron<" in drawn
    assert drawn.count(">30<") == 3
    bare = replace(found, items=(), inflow=(), outflow=())
    assert ">30<" not in svg_shapes(picture(of, bare).pieces)
    turned = replace(found, belts=tuple(tuple("west" if w == "east" else w for w in row) for row in found.belts))
    assert picture(of, turned).pieces != made.pieces


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("first_belts", ()),
        # No proof comes in time for this one.
        ("larger", ("Circuits",)),
        pytest.param("larger", (), marks=pytest.mark.slow),
    ],
)
def test_the_levels_have_their_known_outputs(name: str, left_out: tuple[str, ...]) -> None:
    """The best output, if it is proved in time, is the one in the file of answers."""
    rows = [line.split("\t") for line in (LEVELS / f"{name}.answers.tsv").read_text().splitlines()[1:]]
    proved = 0
    for entry, row in zip(load([str(LEVELS / f"{name}.factorio")]), rows, strict=True):
        if row[1] in left_out:
            continue
        planned = layouts.plan(entry.level, Budget(Limits(30)))
        if planned.measure is not None and planned.proved:
            proved += 1
            assert str(planned.measure.output) == row[4]
    assert proved >= 2


def test_the_error_on_a_level_without_a_layout_suggests_a_command() -> None:
    done = CliRunner().invoke(app, ["query", f"{LEVELS / 'first_belts.factorio'}#2", "EF solved"])
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert "is a layout to be found, and has no moves to ask about" in said
    assert "check LEVEL --layout FILE" in said
    assert "initial states" not in said


def test_a_terminal_shows_items_by_colours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only items are coloured, as in the picture. Without a terminal, there are only letters and arrows."""
    of = level()
    found = best(of)
    tints = puzzle("factorio").display.tints
    assert tints is not None
    drawn, inks = draw(of, found), tints(of, found)
    centre = found.assemblers[0][0]
    for row, line in enumerate(drawn.split("\n")):
        for column, sign in enumerate(line):
            item = found.items[row][column] or ("gear" if (row, column) in area(centre) else "")
            assert inks[row][column] == {"": "", "iron": "0", "gear": "1"}[item]
            assert bool(item) == (sign != ".")
    text = inked(drawn, inks)
    assert text.plain == drawn
    styles = {text.plain[span.start]: str(span.style) for span in text.spans}
    assert styles["a"] == f"{colours()['ink'][0]} on {colours()['1'][0]}"
    assert "." not in styles
    # `check --draw` and `solve --format frames` do the same.
    (entry,) = load([f"{LEVELS / 'first_belts.factorio'}#2"])
    result = solve_entry(entry, Options(draw=True))
    assert result.drawing is not None
    assert result.drawing.tints is not None
    shown: list[object] = []
    monkeypatch.setattr("puzzlemc.reports.cli.common.table.show", lambda *parts, **_: shown.extend(parts))
    Table([entry], None, traces=False).add(result)
    assert any(isinstance(part, Text) and part.plain == result.drawing.text for part in shown)
    writer = Traces([entry], {}, "frames", None, Limits())
    writer.add(entry, result)
    assert capsys.readouterr().out == f"the solution\n{result.drawing.text}\n"
    shown.clear()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("puzzlemc.reports.formats.traces.show", lambda *parts: shown.extend(parts))
    writer.add(entry, result)
    writer.__exit__()
    assert any(
        isinstance(part, Text) and part.plain == f"{result.drawing.text}\n" and part.spans for part in shown
    )


def small_amounts(amount: float) -> Level:
    """A level whose recipe takes this amount of an item, with room for one assembler between its ports."""
    written = {
        "recipes": {"r": {"IN": [["a", amount]], "OUT": [["b", 1]]}},
        "size": [7, 3],
        "inOutPos": {"IN": {"(1,0)": {"ITEM": "a"}}, "OUT": {"(1,6)": {"ITEM": "b"}}},
        "optimize": "maximize-output",
    }
    return json_form.read_level(json.dumps(written), "test")


@pytest.mark.parametrize(("amount", "works"), [(0.5, True), (0.001, True), (0.0005, False)])
def test_an_inserter_moves_at_least_a_thousandth(amount: float, works: bool) -> None:
    """The rules and the planner agree: a layout with a lower rate is invalid."""
    layout = best(small_amounts(0.5))
    share = Fraction(str(amount)) / Fraction("0.5")
    less = replace(
        layout,
        inflow=tuple(
            tuple(rate * share if item == "a" else rate for rate, item in zip(*rows, strict=True))
            for rows in zip(layout.inflow, layout.items, strict=True)
        ),
        outflow=tuple(
            tuple(rate * share if item == "a" else rate for rate, item in zip(*rows, strict=True))
            for rows in zip(layout.outflow, layout.items, strict=True)
        ),
    )
    broken = {fault.rule for fault in rules.faults(small_amounts(amount), less)}
    assert broken == (set() if works else {"inserter rate"})
    optimisation = puzzle("factorio").optimisation
    assert optimisation is not None
    answer = optimisation.search(small_amounts(amount), Budget(), lambda _: None)
    assert answer.complete
    assert (answer.moves is not None) == works


@pytest.mark.parametrize("size", [[4, 1], [1, 4]])
@pytest.mark.parametrize("optimize", ["maximize-output", "minimize-loss", "minimize-route"])
def test_levels_may_have_one_row_or_column(size: list[int], optimize: str) -> None:
    last = f"({size[1] - 1},{size[0] - 1})"
    ports = {"IN": {"(0,0)": {"ITEM": "a"}}, "OUT": {last: {"ITEM": "a"}}}
    written = {"recipes": {}, "size": size, "inOutPos": ports, "optimize": optimize}
    optimisation = puzzle("factorio").optimisation
    assert optimisation is not None
    answer = optimisation.search(json_form.read_level(json.dumps(written), "test"), Budget(), lambda _: None)
    assert answer.complete
    assert answer.moves is not None


def test_the_json_trace_of_solve_is_a_layout(tmp_path: Path) -> None:
    level = LEVELS / "first_belts.factorio#2"
    written = tmp_path / "layout.json"
    assert puzzlemc("solve", level, "--format", "json", "-o", written).returncode == 0
    done = puzzlemc("check", level, "--layout", written)
    assert done.returncode == 0
    assert f"{written}: valid: " in done.stdout
    row = puzzlemc("solve", level, "--json").stdout
    written.write_text(row)
    assert puzzlemc("check", level, "--layout", written).returncode == 0
    written.write_text(json.dumps({"trace": ["{}"]}))
    assert "found no CONVEYOR" in puzzlemc("check", level, "--layout", written).stderr


def test_a_table_has_the_layout_as_a_drawing_with_its_output_and_loss() -> None:
    place = LEVELS / "first_belts.factorio"
    done = puzzlemc("solve", f"{place}#2")
    assert "CONVEYOR" not in done.stdout
    assert "output 60 a minute, loss 0, 11 belts and inserters; proved: no layout is better" in done.stdout
    assert "output" not in done.stderr
    (entry,) = load([f"{place}#2"])
    assert draw(entry.level, best(entry.level)) in done.stdout
    done = puzzlemc("check", f"{place}#2")
    assert "output 60 a minute, loss 0" in done.stdout
    assert "→" not in done.stdout
    printed = json.loads(puzzlemc("solve", f"{place}#2", "--json").stdout)
    assert "CONVEYOR" in printed["trace"][0]


def test_other_levels_in_the_table_keep_their_traces(tmp_path: Path) -> None:
    (tmp_path / "gear.factorio").write_text(GEAR)
    (tmp_path / "push.xsb").write_text(ONE_PUSH)
    done = puzzlemc("solve", tmp_path)
    assert "\n  R\n" in done.stdout
    assert "#####" not in done.stdout
    assert "aaa" in done.stdout


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_rates_are_large_and_fit_into_their_cells(direction: str) -> None:
    """Also for inserters that move items up or down, and for rates such as 133.3."""
    of = level()
    found = best(of)
    grids = {"inserters": ((direction,) * 5,) * 5, "belts": (("",) * 5,) * 5, "assemblers": ()}
    rate = Fraction(400, 3)
    made = replace(found, **grids, inflow=((rate,) * 5,) * 5)
    labels = [shape for shape in picture(of, made).pieces if isinstance(shape, Label)]
    assert [label.text for label in labels] == ["133.3"] * 25
    for number, label in enumerate(labels):
        row, column = divmod(number, 5)
        wide = 0.6 * label.size * len(label.text)
        assert column <= label.x - wide / 2 <= label.x + wide / 2 <= column + 1
        assert row <= label.y - label.size / 2 <= label.y + label.size / 2 <= row + 1
        assert label.size >= 0.28


def test_names_in_the_key_are_aligned() -> None:
    """For letters of any width, in SVG and in the pixels of a GIF."""
    names = "mmmmmmmm", "iiiiiiii", "m"
    recipes = "".join(f"recipe {name}: 60 iron = 60 {name}\n" for name in names)
    of = level(f"Factorio\n{recipes}in A: iron\nout Z: {names[0]}\nA....\n.....\n.....\n.....\n....Z\n")
    empty = (("",) * 5,) * 5
    made = picture(of, Layout(empty, empty, ()))
    drawn = [line for line in svg_shapes(made.board).split("<") if line.partition(">")[2] in names]
    assert len(drawn) == 3
    assert all('x="0.85"' in line and 'text-anchor="start"' in line for line in drawn)
    film = Image.open(BytesIO(gif([made]))).convert("L")
    scale = film.width / made.width
    starts = []
    for shape in made.board:
        if isinstance(shape, Label) and shape.text in names:
            area = (0.7, shape.y - 0.2, made.width, shape.y + 0.2)
            bright = film.crop(tuple(int(scale * side) for side in area)).point(lambda value: 255 * (value > 150))
            starts.append(bright.getbbox()[0])
    assert max(starts) - min(starts) <= 2, starts
