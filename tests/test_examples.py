"""The examples: each is short, imports the public names alone, and gives the known answers to its levels."""

import ast
import json
import warnings
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from command import puzzlemc, script
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

EXAMPLES = ROOT / "examples"
NO = None  # no solution
# The least costs. Those of known puzzles: 2^5 - 1 moves of five discs, 31 slides at most for eight tiles, 11 trips
# of three couples, 16 jumps of four knights in corners; lights and coins by counting modulo 2.
KNOWN = {
    "coins": [4, NO, 7],
    "glide": [4, NO],
    "hanoi": [31, 17, NO],
    "houses": [0, NO],
    "jugs": [6, NO, 6],
    "knights": [16, NO],
    "lights_out": [5, 2, NO],
    "noughts": [NO, 3, NO],
    "pegs": [5, NO],
    "river": [11, NO, 11],
    "rolling_cube": [10, NO],
    "rush_hour": [9, NO],
    "sliding": [5, 31, NO],
    "wolf_and_sheep": [NO, 3],
}


def entries(name: str) -> list[Entry]:
    """The levels inside an example."""
    found = puzzle(str(EXAMPLES / f"{name}.py"))
    text = run_path(found.origin)["LEVELS"]
    return [
        Entry(f"{name}#{number}", "", found, level, None)
        for number, level in enumerate(found.screen.parse(text, f"{name}.py"), start=1)
    ]


def test_all_examples_of_puzzles_have_known_answers() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} - {"own_model"} == KNOWN.keys()


@pytest.mark.parametrize("name", KNOWN)
def test_an_example_is_short_and_imports_public_names(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert text.startswith('"""')
    imports = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Import | ast.ImportFrom)]
    modules = {each.module if isinstance(each, ast.ImportFrom) else each.names[0].name for each in imports}
    assert modules <= {"puzzlemc.modelling", "itertools"}
    assert "puzzlemc.modelling" in modules


@pytest.mark.parametrize("name", KNOWN)
def test_an_example_has_its_known_answers(name: str) -> None:
    found = [solve_entry(each, Options()) for each in entries(name)]
    assert [each.cost if each.verdict == "solvable" else each.verdict for each in found] == [
        "unsolvable" if cost is None else cost for cost in KNOWN[name]
    ]
    assert all(each.optimal or each.verdict == "unsolvable" for each in found)


@pytest.mark.parametrize("name", ["coins", "glide", "houses", "noughts", "jugs"])
def test_the_answers_of_an_example_have_certificates(name: str, tmp_path: Path) -> None:
    for each in entries(name):
        result = solve_entry(each, Options(prove=True))
        done = certify(each, Options(), result, tmp_path / f"{name}.cert")
        assert (done.verdict, done.checked, done.note) == (result.verdict, True, result.note)


def test_games_have_their_known_winners() -> None:
    found: list[Any] = [solve_entry(each, Options()).game for each in entries("noughts")]
    assert [(each["winner"], "draw" in each) for each in found] == [(None, True), ("crosses", False), (None, True)]
    found = [solve_entry(each, Options()).game for each in entries("wolf_and_sheep")]
    assert [(each["winner"], each["turns"]) for each in found] == [("sheep", 4), ("wolf", 3)]


def test_the_only_solution_of_the_logic_grid() -> None:
    solved, contradicting = entries("houses")
    result = solve_entry(solved, Options(count=True, every=True))
    assert result.trace == ["Ann=3", "Bob=2", "Cyd=1", "cat=1", "dog=3", "fish=2", "tea=2", "milk=3", "juice=1"]
    assert result.count is not None
    assert result.count.number == 1
    why = solve_entry(contradicting, Options(why=True)).why
    assert why is not None
    assert {"Ann-in-dog", "dog-left-cat", "Ann-in-3"} <= set(why.objects)


def test_the_model_of_a_user_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = script(Path("examples/own_model.py"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("7 trips: take goat, take nothing, take ")
    assert "checked by" in done.stdout


def test_bots_of_a_game_play_a_tournament(tmp_path: Path) -> None:
    level = tmp_path / "a.noughts"
    level.write_text("...\n...\n...\n")
    game = EXAMPLES / "noughts.py"
    done = puzzlemc("tournament", game, "--bots", "strong,greedy", "--games", "4", "--level", level, "--json")
    games = json.loads(done.stdout)["games"]
    assert len(games) == 4
    assert all(each["winner"] is None or each[each["winner"]] == "strong" for each in games)
    begun = puzzlemc("tournament", game, "--bots", "strong,greedy", "--games", "1")  # the first level inside
    assert (begun.returncode, begun.stdout.splitlines()[-1].partition(",")[0]) == (0, "1 games")
    alone = tmp_path / "alone.py"
    alone.write_text(game.read_text().partition("LEVELS =")[0])
    done = puzzlemc("tournament", alone, "--bots", "strong,greedy")
    assert (done.returncode, "expected a level, since noughts has no initial one" in done.stderr) == (2, True)
    done = puzzlemc("tournament", EXAMPLES / "jugs.py", "--bots", "strong,greedy")
    assert (done.returncode, "found jugs, expected a game of two sides" in done.stderr) == (2, True)


def test_the_notebook_on_planning_has_the_output_of_its_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("unified_planning")
    pytest.importorskip("fast_downward", reason="needs fast-downward-translate")
    notebook = json.loads((EXAMPLES / "planning.ipynb").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of unified-planning
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
                assert capsys.readouterr().out == "".join("".join(each["text"]) for each in cell["outputs"])


def test_the_report_of_a_constraint_counts_assignments(tmp_path: Path) -> None:
    page = tmp_path / "houses.md"
    houses = EXAMPLES / "houses.py"
    assert puzzlemc("report", f"{houses}#1", "--puzzle", houses, "-o", page).returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "## Assignments of values to the variables in their order\n" in text
    assert "| assignments | 20 |\n| solutions | 1 |\n| assignments that can be completed | 10 (50.0 %) |\n" in text
    assert "boards" not in text
