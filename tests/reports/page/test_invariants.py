"""The section of a report on a sum that no action changes: its words, its tinted cells and its table of pairs."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command import puzzlemc

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.invariants.pairs import changes, pair_kinds, total
from puzzlemc.mc.invariants.sums import Sum, kinds_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable
from puzzlemc.reports.page.fact_places import places_of
from puzzlemc.reports.page.reasons import Reason, reasons, sums_in_markdown

EXAMPLES = Path(__file__).parents[3] / "tests/compatibility/0.1"
SWAPPED = "Swapped\n1 2 3\n4 5 6\n8 7 0\n"


@pytest.fixture
def entry(tmp_path: Path) -> Any:
    def made(text: str, puzzle: str) -> Entry:
        path = tmp_path / "level.txt"
        path.write_text(text)
        (one,) = load([str(path)], str(EXAMPLES / puzzle))
        return one

    before = set(sys.modules)
    yield made
    for name in set(sys.modules) - before:
        del sys.modules[name]


def found(entry: Entry, engine: str, verdict: str = "unsolvable") -> list[Reason]:
    result: Any = SimpleNamespace(verdict=verdict, why=None, search=SimpleNamespace(engine=engine))
    return reasons(entry, entry.puzzle.encode_faithfully(entry.level), result, Budget())


def test_tinted_cells(entry: Any) -> None:
    (reason,) = found(entry("10000\n", "own_puzzle.py"), "auto")
    assert reason.words.startswith(
        "In every reachable state an odd number of these hold, in the goal an even number"
    )
    ((caption, svg),) = reason.figures
    assert caption == "lamp: 1 at the start in tinted cells"
    assert [f'x="{cell}.02"' in svg for cell in range(5)] == [True, True, False, True, True]


def test_pairs(entry: Any) -> None:
    (reason,) = found(entry(SWAPPED, "sliding.py"), "invariants")
    assert (reason.figures, reason.prime) == ([], 2)
    *rows, whole = reason.pairs
    assert whole.words == "all"
    assert whole.goal is not None
    assert (whole.start - whole.goal) % 2 == 1
    assert whole.start == sum(row.start for row in rows)
    assert [row.terms for row in rows] == sorted((row.terms for row in rows), reverse=True)
    assert {moved.name for moved in reason.moved} == {"6", "7"}
    assert all((moved.ends - moved.begins) % 2 == 0 for moved in reason.moved)
    table = "\n".join(sums_in_markdown([reason]))
    assert f"| all | {whole.terms} | {whole.start} | {whole.goal} |" in table


def test_other_levels_have_none(entry: Any) -> None:
    assert found(entry(SWAPPED, "sliding.py"), "explicit") == []  # it is asked for sums of facts alone
    assert found(entry("10000\n", "own_puzzle.py"), "auto", "solvable") == []
    assert found(entry("010\n", "own_puzzle.py"), "auto") == []


def test_models_of_many_formulas_are_not_asked(entry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only if the sum decided the level: then it is known."""
    lamps = entry("10000\n", "own_puzzle.py")
    formulas = sum(len(action.formulas) for action in lamps.puzzle.encode_faithfully(lamps.level).model.actions)
    for most, expected in [(formulas, 1), (formulas - 1, 0)]:
        monkeypatch.setattr("puzzlemc.reports.page.reasons.MOST_FORMULAS", most)
        assert len(found(lamps, "explicit")) == expected
    assert len(found(lamps, "invariants")) == 1


def test_no_sums_where_exclusions_alone_refute_the_goal(entry: Any) -> None:
    template = EXAMPLES / "template" / "my_puzzle.py"
    assert found(entry("######\n#@.#o#\n######\n", str(template)), "auto") == []


def test_cells_of_facts(entry: Any) -> None:
    level = entry(SWAPPED, "sliding.py")
    encoded = level.puzzle.encode_faithfully(level.level)
    made = translation(encoded.model, whole=True)
    kinds = kinds_of(made.task, [group and group.codes for group in made.groups])
    places = places_of(made, kinds, encoded, lambda board: level.puzzle.screen.picture(level.level, board))
    assert len(places) == 18  # nine of the gap, nine of all tiles
    for variable, kind in enumerate(kinds):
        for value, name in enumerate(made.task.variables[variable].values):
            cell = int(name.rstrip("]").partition(",")[2])
            assert places[kind, value] == divmod(cell, 3)


def test_atoms_say_where_facts_are() -> None:
    (level,) = load([str(EXAMPLES.parents[2] / "screens/levels/sokoban/first_steps.xsb") + "#6"])
    encoded = level.puzzle.encode_faithfully(level.level)
    made = translation(encoded.model, whole=True)
    kinds = range(len(made.groups))
    places = places_of(made, kinds, encoded, lambda position: level.puzzle.screen.picture(level.level, position))
    boxes = {
        value: places.get((variable, number))
        for variable, held in enumerate(made.task.variables)
        for number, value in enumerate(held.values)
        if value.startswith("box[")
    }
    assert boxes
    assert all(place is not None and f"box[{place[0]},{place[1]}]" == name for name, place in boxes.items())


def test_the_report(tmp_path: Path) -> None:
    level = tmp_path / "five.lights"
    level.write_text("10000\n")
    done = puzzlemc("report", level, "--puzzle", EXAMPLES / "own_puzzle.py", "-o", tmp_path / "five.html")
    assert done.returncode in (0, 1), done.stderr
    text = (tmp_path / "five.html").read_text()
    assert "Why there is no solution" in text
    assert "in the goal an even number" in text
    assert "lamp: 1 at the start in tinted cells" in text


def test_what_a_step_does_to_pairs() -> None:
    variables = tuple(TaskVariable(name, (f"{name} low", f"{name} high")) for name in "ab")
    swap = Operator("swap", {0: 0, 1: 1}, (Effect(0, 1, {}), Effect(1, 0, {})), 1)
    task = Task(variables, (0, 1), {0: 1, 1: 0}, (swap,), (), ())
    both = Sum(2, (0, 1), {(0, 0, 1, 1): 1, (0, 1, 1, 0): 1, (0, 0): 1})
    assert changes(both, (0, 1), (1, 0)) == (2, 1)
    two, one = pair_kinds(task, both)
    assert (two.words, two.terms, total(both, (0, 1), two)) == ("a with b", 2, 1)
    assert (one.words, one.terms, total(both, (1, 0), one)) == ("a", 1, 0)
