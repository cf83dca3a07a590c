"""Results of stores: tables, conditions, comparisons, pages, JUnit, expectations; and clusters."""

import csv
import io
import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from collections_of_levels import write_rooms
from command import CORNERED, ONE_PUSH, as_json, hard, puzzlemc, started, write
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT
from tug import GAME

from puzzlemc.encodings.puzzles import OWN, load
from puzzlemc.mc.errors import FormulaError
from puzzlemc.reports.batch.rows import Row, fields, ordered, rows, stored_level
from puzzlemc.reports.batch.store import Store, StoreError
from puzzlemc.reports.batch.tables import csv_lines
from puzzlemc.reports.batch.where import condition
from puzzlemc.reports.crew.identity import identify
from puzzlemc.reports.page.collection import _short_names
from puzzlemc.reports.page.replays import Replays
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry

ROW: dict[str, Any] = {
    "id": "a.xsb#1",
    "level": 12,
    "title": "Hard, and 3 more",
    "pushes": 101,
    "seconds": 1.5,
    "cost": None,
    "optimal": True,
    "verdict": "solvable",
    "also": ["b.xsb#1", "c.xsb#9"],
}
HOSTILE = '<script>alert("x")</script>\x1b[31m'
TWO_PUSHES = "######\n#@$ .#\n######\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of solvable, unsolvable, unknown, broken and equal levels, and a title with harmful characters."""
    folder = tmp_path_factory.mktemp("levels")
    write(folder / "a.xsb", f"{ONE_PUSH}", CORNERED, f"{TWO_PUSHES}Title: {HOSTILE[:-5]}\n", TWO_PUSHES)
    write(folder / "b.xsb", hard(5), "\n#####\n#@?.#\n#####\n")
    write(folder / "c.fold", "Title: One fold\n1 0\n")
    path = folder / "store.sqlite"
    done = puzzlemc("batch", folder, "--store", path, "--timeout", "2", "--engine", "forward", "--jobs", "2")
    assert done.returncode == 2, done.stderr
    return path


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("pushes > 100", True),
        ("pushes>101", False),
        ("pushes >= 101 and seconds < 2", True),
        ("not pushes > 100", False),
        ("not (pushes > 100 and verdict = unsolvable)", True),
        ("pushes < 5 or seconds = 1.5", True),
        ("pushes < 5 or seconds = 1 or verdict = solvable", True),
        ("pushes < 5 OR Not seconds = 1.5", False),
        ("verdict = solvable and pushes < 5 or pushes > 5", True),
        ("title ~ hard", True),
        ("title ~ 'and 3'", True),
        ("title ~ 3", True),
        ('title = "Hard, and 3 more"', True),
        ("also ~ c.xsb", True),
        ("optimal = true", True),
        ("optimal = no", False),
        ("cost > 0", False),
        ("cost < 0", False),
        ("cost != 3", False),
        ("verdict = 'solvable'", True),
        ("verdict ~ solv", True),
        ("pushes ~ 0", True),
        ("optimal != NO", True),
        ("seconds > -1", True),
        ("id = a.xsb#1", True),
        ("optimal", True),
        ("not optimal", False),
        ("optimal and pushes == 101", True),
        ("(optimal) or pushes < 5", True),
        ("verdict == solvable", True),
        ("optimal == no", False),
        ("title ~ HARD", True),
        ("level > 9", True),
        ("level < 101", True),
    ],
)
def test_a_condition_selects_rows(text: str, holds: bool) -> None:
    assert condition(text, ROW)(ROW) is holds


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("pushes >", 9, "found the end, expected a comparison"),
        ("pushes > 1 and", 15, "found the end"),
        ("", 1, "found the end"),
        ("boxes > 3", 1, "found 'boxes', expected one of also, cost, id, level, optimal"),
        ("pushes > 1 xor seconds > 1", 12, "found 'xor second'"),
        ("1; DROP TABLE levels", 1, "found '1; DROP TA'"),
        ("pushes > abc", 10, "found 'abc', expected a number"),
        ("seconds > 1 and pushes != '5'", 27, "found '5', expected a number"),
        ("verdict = solvabel", 11, "found 'solvabel', expected one of solvable, unsolvable, unknown, error"),
        ("verdict != 3", 12, "found '3', expected one of solvable, "),
        ("optimal = maybe", 11, "found 'maybe', expected one of true, yes, false, no"),
        ("pushes", 1, "found 'pushes' alone, expected a comparison such as seconds > 1"),
        ("optimal or pushes", 12, "found 'pushes' alone"),
        ("optimal > no", 9, "found '>', expected one of =, !=, ~"),
        ("pushes > 1) OR (1=1", 11, "found ') OR (1=1'"),
        ("not " * 2000 + "pushes > 1", 1, "found a condition that nests too deep"),
        ("pushes > 1 or " * 1000, 1, "found 14000 characters, expected at most 10000"),
    ],
)
def test_invalid_conditions_are_errors(text: str, column: int, message: str) -> None:
    with pytest.raises(FormulaError) as raised:
        condition(text, ROW)
    assert (raised.value.column, message in raised.value.message) == (column, True), raised.value


def test_a_condition_may_have_many_parts() -> None:
    assert condition(" or ".join(["pushes < 1"] * 700 + ["pushes > 1"]), ROW)(ROW)


@given(st.text("pushes<>=!~ andortit\"'()0189.-", max_size=40))
def test_any_text_is_a_condition_or_an_error_with_a_place(text: str) -> None:
    try:
        holds = condition(text, ROW)
    except FormulaError as error:
        column = error.column
    else:
        column = 1
        assert holds(ROW) in (True, False)
    assert 1 <= column <= len(text) + 1


def test_the_table_has_every_row(store: Path) -> None:
    done = puzzlemc("results", store)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert re.search(r"a\.xsb#1 +One push +solvable +1 +1 +\d+ +0\.\d{3}$", lines[1])
    assert "timeout" in next(line for line in lines if "unknown " in line)
    assert "also " in next(line for line in lines if "a.xsb#3" in line)
    assert "\x1b" not in done.stdout
    assert lines[-1].startswith("6 levels: 3 solvable, 1 unsolvable, 1 unknown, 1 error; ")


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("--verdict", "unknown"), ["b.xsb#1"]),
        (("--verdict", "unknown", "--verdict", "error"), ["b.xsb#1", "b.xsb#2"]),
        (("--where", "pushes > 1"), ["a.xsb#3"]),
        (("--where", "pushes >= 1", "--verdict", "solvable"), ["a.xsb#1", "a.xsb#3"]),
        (("--where", "puzzle = folding"), ["c.fold#1"]),
        (("--where", "optimal", "--where", "level > 1"), ["a.xsb#3"]),
        (("--where", "level > 1", "--where", "optimal"), ["a.xsb#3"]),
    ],
)
def test_filters_select_rows(store: Path, options: tuple[str, ...], names: list[str]) -> None:
    code, found = as_json("results", store, *options)
    assert code == 0
    assert [row["id"].rpartition("/")[2] for row in found] == names


@pytest.fixture
def unproved(tmp_path: Path) -> Path:
    """A proved cost, one with a bound, one without, an unsolvable level, and a level solved under two metrics."""
    write(tmp_path / "u.xsb", ONE_PUSH, TWO_PUSHES, L_ROOM, CORNERED)
    path = tmp_path / "u.sqlite"
    assert puzzlemc("batch", tmp_path / "u.xsb", "--store", path, "--jobs", "1").returncode == 1
    done = puzzlemc("batch", tmp_path / "u.xsb#1", "--store", path, "--metric", "any")
    assert "1 level: 1 solvable, perhaps not the cheapest" in done.stdout
    with Store(path, writing=True) as store:
        store.run("UPDATE results SET optimal = 0, bound = 1 WHERE cost = 2")
        store.run("UPDATE results SET optimal = 0 WHERE cost = 3")
        store.commit()
    return path


def test_a_cost_that_is_not_proved_least_is_marked(unproved: Path, tmp_path: Path) -> None:
    """In every table and page; numbers in JSON and CSV stay numbers."""
    done = puzzlemc("results", unproved)
    head, *lines = [" ".join(line.rpartition("/")[2].split()) for line in done.stdout.splitlines()]
    assert head.startswith("level title metric verdict pushes moves ")
    assert [line.rsplit(maxsplit=2)[0] for line in lines[:-1]] == [
        "u.xsb#1 One push pushes solvable 1 1",
        "u.xsb#1 One push any solvable ≤ 1 1",
        "u.xsb#2 pushes solvable 1 ≤ 2 2",
        "u.xsb#3 pushes solvable ≤ 3 5",
        "u.xsb#4 Cornered pushes unsolvable - -",
    ]
    counts = "4 levels, 5 answers: 4 solvable, 3 of them perhaps not the cheapest, 1 unsolvable;"
    assert lines[-1].startswith(counts)
    _, found = as_json("results", unproved)
    numbers = [(row["cost"], row["bound"], row["optimal"], row["pushes"]) for row in found]
    assert numbers == [
        (1, None, True, 1),
        (None, None, False, 1),
        (2, 1, False, 2),
        (3, None, False, 3),
        (None, None, None, None),
    ]
    lines = list(csv.DictReader(io.StringIO(puzzlemc("results", unproved, "--csv").stdout)))
    assert [line["pushes"] for line in lines] == ["1", "≤ 1", "1 ≤ 2", "≤ 3", ""]
    assert [line["cost"] for line in lines] == ["1", "", "2", "3", ""]
    assert [line["moves"] for line in lines] == ["1", "1", "2", "5", ""]
    _, proved = as_json("results", unproved, "--where", "optimal")
    assert [row["cost"] for row in proved] == [1]
    page = tmp_path / "page.html"
    assert puzzlemc("results", unproved, "--report", page, "--quiet").returncode == 0
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'</span></td><td data-sort="\d*">([^<]*)</td>', text) == ["1", "≤ 1", "1 ≤ 2", "≤ 3", "–"]
    assert "3 of them have a solution that is not proved cheapest" in text
    # A batch that finds them in the store prints the same.
    done = puzzlemc("batch", tmp_path / "u.xsb", "--store", unproved, "--quiet")
    assert "4 levels: 3 solvable, 2 of them perhaps not the cheapest, 1 unsolvable" in done.stdout


def test_stores_of_unproved_costs_are_compared(unproved: Path, tmp_path: Path) -> None:
    write(tmp_path / "u.xsb", TWO_PUSHES)
    other = tmp_path / "other"
    assert puzzlemc("batch", tmp_path / "u.xsb", "--store", other).returncode == 0
    with Store(other, writing=True) as store:
        store.run("UPDATE results SET cost = 4, optimal = 0, bound = 2")
        store.commit()
    done = puzzlemc("results", other, "--against", unproved)
    assert f"{tmp_path}/u.xsb#1: solvable in 2 ≤ 4 pushes, before solvable in 1 ≤ 2 pushes" in done.stdout


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (("--sort", "pushes"), [1, 1, 2, 3, 4]),
        (("--sort", "-pushes"), [3, 2, 1, 1, 4]),
        (("--sort", "-pushes", "--limit", "2"), [3, 2]),
        (("--sort", "-level", "--where", "optimal"), [1]),
        (("--limit", "3"), [1, 1, 2]),
        (("--sort", "title", "--limit", "3"), [2, 3, 4]),
        (("--sort", "metric", "--limit", "1"), [1]),
        (("--sort", "-optimal", "--limit", "1"), [1]),
    ],
)
def test_rows_can_be_sorted(unproved: Path, options: tuple[str, ...], numbers: list[int]) -> None:
    """Rows without a cost come last in both directions."""
    code, found = as_json("results", unproved, *options)
    assert (code, [row["level"] for row in found]) == (0, numbers)


def test_numbers_in_texts_are_sorted_by_value() -> None:
    texts = ["a10", "A2", "a2b", "a", "10", "9", ""]
    found = [Row({"title": text, "choice": 1}, Result("")) for text in texts]
    for key, row in enumerate(found):
        row.key = key
    assert [texts[key] for key, _ in ordered(found, "title")] == ["", "9", "10", "a", "A2", "a2b", "a10"]
    assert ordered(found, "-title") == ordered(found, "title")[::-1]


def test_invalid_orders_are_errors(unproved: Path) -> None:
    done = puzzlemc("results", unproved, "--sort", "boxes")
    assert done.returncode == 2
    assert "'boxes' is unknown, expected one of id, title," in re.sub(r"[│\s]+", " ", done.stderr)
    done = puzzlemc("results", unproved, "--timeout", "3")
    assert done.returncode == 2
    assert "expected --single, whose reports it limits" in re.sub(r"[│\s]+", " ", done.stderr)


@pytest.mark.parametrize("suffix", [".sok", ".slc", ".xsb.gz"])
def test_solved_levels_are_written_with_their_solutions(unproved: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"
    done = puzzlemc("results", unproved, "--solutions", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}: 3 solved levels\n", "")
    code, found = as_json("check", path, "--solutions")
    assert (code, len(found)) == (0, 3)
    assert found[0]["title"] == "One push"
    assert [[given["status"] for given in row["given"]] for row in found] == [
        ["solves"] * 2,
        ["solves"],
        ["solves"],
    ]
    if suffix == ".slc":
        titles = [given["title"] for row in found for given in row["given"]]
        assert titles == ["1 push, 1 move", "≤ 1 push, 1 move", "1 ≤ 2 pushes, 2 moves", "≤ 3 pushes, 5 moves"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.txt", (), "found '.txt' as the format of levels of sokoban, expected one of .xsb, .sok, .slc"),
        ("a.sok", ("--verdict", "unsolvable"), "found no solved level, expected one to write"),
    ],
)
def test_solved_levels_that_cannot_be_written_are_errors(
    unproved: Path, tmp_path: Path, name: str, options: tuple[str, ...], message: str
) -> None:
    done = puzzlemc("results", unproved, "--solutions", tmp_path / name, *options)
    assert (done.returncode, done.stderr) == (2, f"error: {message}\n")
    assert not (tmp_path / name).exists()


def test_a_level_that_is_solved_at_its_start_is_written_without_a_solution(tmp_path: Path) -> None:
    write(tmp_path / "a.xsb", ONE_PUSH, "####\n#@*#\n####\n")
    puzzlemc("batch", tmp_path / "a.xsb", "--store", tmp_path / "a.sqlite")
    done = puzzlemc("results", tmp_path / "a.sqlite", "--solutions", tmp_path / "a.sok")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.sok").read_text().count("1 push, 1 move") == 1


def test_a_format_without_solutions_is_refused(store: Path, tmp_path: Path) -> None:
    where = ("--where", "puzzle = folding")
    done = puzzlemc("results", store, "--solutions", tmp_path / "a.fold", *where)
    assert (done.returncode, done.stderr) == (2, "error: this format cannot hold solutions\n")


def test_invalid_filters_are_errors(store: Path) -> None:
    done = puzzlemc("results", store, "--where", "boxes > 1")
    assert done.returncode == 2
    assert "column 1: found 'boxes', expected one of also, " in re.sub(r"[│\s]+", " ", done.stderr)
    assert puzzlemc("results", store, "--verdict", "maybe").returncode == 2
    done = puzzlemc("results", store, "--where", "pushes > abc")
    assert (done.returncode, done.stdout) == (2, "")
    assert "column 10: found 'abc', expected a number" in re.sub(r"[│\s]+", " ", done.stderr)


def test_reports_on_single_levels_need_a_page(store: Path) -> None:
    done = puzzlemc("results", store, "--single", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected --report, beside which they are written" in re.sub(r"[│\s]+", " ", done.stderr)


def test_a_reader_may_stop_early(store: Path) -> None:
    """It is no error if the remaining rows are not read before the store is closed."""
    with Store(store) as kept:
        found = kept.each("SELECT id FROM levels")
        next(found)
    found.close()


def test_json_csv_and_parquet_have_the_same_rows(store: Path, tmp_path: Path) -> None:
    """The fields are in the same order."""
    import pyarrow.parquet

    _, expected = as_json("results", store)
    lines = list(csv.DictReader(io.StringIO(puzzlemc("results", store, "--csv").stdout)))
    assert puzzlemc("results", store, "--parquet", tmp_path / "t.parquet").returncode == 0
    parquet = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    with Store(store) as kept:
        assert list(lines[0]) == parquet.schema.names == fields(kept)
    for row, line, record in zip(expected, lines, parquet.to_pylist(), strict=True):
        assert set(row) <= set(line)
        for name in line:
            value = row.get(name)
            is_list = isinstance(value, list)
            assert record[name] == (json.dumps(value) if is_list else value), name
            written = json.dumps(value) if isinstance(value, bool | list) else "" if value is None else str(value)
            assert line[name] == written, name


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1"])
def test_csv_contains_no_formulas(text: str) -> None:
    row = Row({"title": text, "seconds": -1.5, "cost": -2, "note": None}, Result("a"))
    (_, line) = csv_lines([row], ["title", "seconds", "cost", "note"])
    assert next(csv.reader(io.StringIO(line))) == [f"'{text}", "-1.5", "-2", ""]
    (_, line) = csv_lines([Row({"title": "a=1"}, Result("a"))], ["title"])
    assert line == "a=1\n"


def test_a_file_name_cannot_forge_a_row(tmp_path: Path) -> None:
    """The second name of a level contains a line feed and text like a verdict."""
    folder = tmp_path / "levels"
    folder.mkdir()
    write(folder / "a.xsb", ONE_PUSH)
    write(folder / "b\nforged.xsb#1  Forged  solvable  99.xsb", ONE_PUSH)
    store = tmp_path / "s"
    assert puzzlemc("batch", folder, "--store", store).returncode == 0
    lines = puzzlemc("results", store).stdout.splitlines()
    assert len(lines) == 3
    assert "b\\nforged" in lines[1]


def test_two_stores_can_be_compared(store: Path, tmp_path: Path) -> None:
    """Levels are identified by their content, so files may have other names."""
    write(tmp_path / "other.xsb", TWO_PUSHES, ONE_PUSH, CORNERED.replace("$  ", " $ "))
    other = tmp_path / "s"
    assert puzzlemc("batch", tmp_path, "--store", other, "--engine", "forward").returncode == 1
    done = puzzlemc("results", other, "--against", store)
    assert done.returncode == 0
    assert done.stdout.startswith("2 the same, 0 changed, 1 new, 4 only in the old store; ")
    with Store(other, writing=True) as changed:
        changed.run("UPDATE results SET verdict = 'unknown', cost = NULL WHERE cost = 2")
        changed.commit()
    done = puzzlemc("results", other, "--against", store)
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.endswith("other.xsb#1: unknown, before solvable in 2 pushes")
    assert second.startswith("1 the same, 1 changed, 1 new")
    code, (row,) = as_json("results", other, "--against", store)
    assert (code, row["now"]["verdict"], row["before"]["cost"]) == (1, "unknown", 2)


def test_levels_with_other_options_are_not_compared_in_silence(store: Path, tmp_path: Path) -> None:
    write(tmp_path / "other.xsb", TWO_PUSHES)
    other = tmp_path / "s"
    assert puzzlemc("batch", tmp_path / "other.xsb", "--store", other, "--engine", "explicit").returncode == 0
    done = puzzlemc("results", other, "--against", store)
    assert done.stdout.startswith("0 the same, 0 changed, 1 new, ")
    assert done.stderr.startswith("warning: 1 level of both stores not compared, because their options ")


def test_a_store_is_only_read(store: Path, tmp_path: Path) -> None:
    before = store.read_bytes()
    assert puzzlemc("results", store, "--report", tmp_path / "a.html").returncode == 0
    assert store.read_bytes() == before


# The page


def test_the_page_is_complete_and_harmless(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = puzzlemc("results", store, "--report", path)
    assert (done.returncode, done.stdout) == (0, f"{path}\n")
    assert puzzlemc("results", store, "--report", path, "--quiet").stdout == ""
    text = path.read_text(encoding="utf-8")
    assert "alert(" in text
    assert "<script>alert" not in text
    assert text.count("<script>") == 1
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "").replace(
        "http://www.w3.org/1999/xlink", ""
    )
    for part in ("The hardest", "Unknown", "Errors", "More than once", "Level by level"):
        assert part in text, part
    assert text.count('class="tag ') == 6
    assert "found &#39;?&#39;" in text
    assert "the same: " in text


def test_the_page_works_in_a_browser(store: Path, tmp_path: Path, page: Any) -> None:
    """It loads without errors, and a click sorts the table; a second click reverses the order."""
    path = tmp_path / "page.html"
    done = puzzlemc("results", store, "--report", path)
    assert (done.returncode, done.stdout) == (0, f"{path}\n")
    assert puzzlemc("results", store, "--report", path, "--quiet").stdout == ""
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    column = "[...document.querySelectorAll('#rows tbody tr')].map(row => row.cells[3].dataset.sort)"
    page.get_by_role("button", name="pushes").click()
    assert page.evaluate(column)[:2] == ["1", "2"]
    page.get_by_role("button", name="pushes").click()
    assert page.evaluate(column)[:2] == ["2", "1"]
    assert page.evaluate(column)[2:] == [""] * 4


def test_missing_reports_end_with_3(tmp_path: Path) -> None:
    """The time for each report can be set; a report that exceeds it is named."""
    path = write(tmp_path / "large.xsb", ONE_PUSH)
    large = tmp_path / "large"
    assert puzzlemc("batch", path, "--store", large).returncode == 0
    with Store(large, writing=True) as kept:  # as if the level were solved within its limits
        kept.run("UPDATE levels SET drawing = ?", hard(5))
        kept.commit()
    page = tmp_path / "page.html"
    done = puzzlemc("results", large, "--report", page, "--single", "1", "--timeout", "0.5")
    assert done.returncode == 3
    assert f"{path}#1: missing: " in done.stderr
    assert page.is_file()


def section(text: str, name: str) -> str:
    """The section of a page with this heading."""
    return text.partition(f'<h2 id="{name}"')[2].partition("</section>")[0]


def test_only_proved_levels_are_ranked_by_difficulty(unproved: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert puzzlemc("results", unproved, "--report", path, "--quiet").returncode == 0
    text = path.read_text(encoding="utf-8")
    assert sorted(re.findall(r"<small>(\S+#\d)</small>", section(text, "hardest"))) == ["u.xsb#1", "u.xsb#4"]
    assert section(text, "easiest") == ""  # the only remaining level is among the hardest
    assert "Least cost in pushes" not in text  # there is only one
    only = tmp_path / "only.html"
    where = ("--where", "not optimal and verdict = solvable")
    assert puzzlemc("results", unproved, "--report", only, *where, "--quiet").returncode == 0
    assert 'id="hardest"' not in only.read_text(encoding="utf-8")


def test_the_page_shows_solutions_and_short_names(unproved: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert puzzlemc("results", unproved, "--report", path, "--quiet").returncode == 0
    rows = section(path.read_text(encoding="utf-8"), "table")
    solutions = re.findall(r"<code>(\w+)</code>", rows)
    assert [len(each) for each in solutions] == [1, 1, 2, 5]
    assert solutions[:3] == ["R", "R", "RR"]
    assert len(set(re.findall(r'href="#replay=(\d)"', rows))) == 4
    assert rows.count(f'title="{tmp_path}/u.xsb#') == 5
    assert str(tmp_path) not in re.sub(r'title="[^"]*"', "", rows)
    assert rows.count("<small>u.xsb#1</small>") == 2
    assert re.findall(r'<td class="text" data-sort="(\w+)">\1</td>', rows) == ["pushes", "any", *["pushes"] * 3]


def test_file_names_are_as_short_as_possible() -> None:
    short = _short_names(["/a/x/one.xsb", "/a/y/one.xsb", "/b/two.xsb", "", "-", "one"])
    assert short == {
        "/a/x/one.xsb": "x/one.xsb",
        "/a/y/one.xsb": "y/one.xsb",
        "/b/two.xsb": "two.xsb",
        "": "",
        "-": "-",
        "one": "one",
    }
    assert _short_names(["a.xsb", "b/a.xsb"]) == {"a.xsb": "a.xsb", "b/a.xsb": "b/a.xsb"}


def test_the_page_replays_a_solution(unproved: Path, tmp_path: Path, page: Any) -> None:
    path = tmp_path / "page.html"
    assert puzzlemc("results", unproved, "--report", path, "--quiet").returncode == 0
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(path.as_uri())
    assert not page.locator("#player").is_visible()
    page.locator("#rows tbody tr").nth(2).get_by_role("link", name="replay").click()
    page.locator("#player").wait_for()  # the page reacts to its new address after the click
    assert page.locator("#player h2").inner_text() == "u.xsb#2 · 1 ≤ 2 pushes, 2 moves"

    def shown() -> list[str]:
        script = "[...document.querySelectorAll('#stage [visibility=visible]')].map(shape => shape.outerHTML)"
        found: list[str] = page.evaluate(script)
        return found

    before = shown()
    assert page.locator("#where").inner_text() == "Step 0 of 2"
    page.get_by_role("button", name="A step on").click()
    assert page.locator("#where").inner_text() == "Step 1 of 2, R"
    assert shown() != before
    page.keyboard.press("ArrowRight")
    assert page.locator("#where").inner_text() == "Step 2 of 2, R"
    for _ in range(2):
        page.get_by_role("button", name="A step back").click()
    assert shown() == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    assert not page.locator("#player").is_visible()
    page.wait_for_function("!location.hash.includes('replay')")
    # An address opens its replay.
    page.goto(f"{path.as_uri()}#replay=0")
    page.reload()
    assert page.locator("#player").is_visible()


def test_the_number_of_replays_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", TWO_PUSHES))])
    result = solve_entry(entry, Options())
    assert result.solution is not None
    monkeypatch.setattr("puzzlemc.reports.page.replays.MOST_MOVES", 5)
    replays = Replays()
    assert [replays.add(entry, result, "") for _ in range(3)] == [0, 1, None]
    assert Replays().add(entry, replace(result, solution=replace(result.solution, trace="LL")), "") is None


def test_reports_on_the_hardest_levels_are_linked(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert puzzlemc("results", store, "--report", path, "--single", "1", "--where", "pushes > 1").returncode == 0
    (single,) = (tmp_path / "page-levels").iterdir()
    assert f'<a href="page-levels/{single.name}">replay</a>' in path.read_text(encoding="utf-8")
    assert single.name.startswith("a.xsb-3.")
    assert f'href="page-levels/{single.name}"' in path.read_text(encoding="utf-8")
    assert "step by step" in single.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OWN)
def test_a_level_of_each_puzzle_is_read_again_from_the_store(tmp_path: Path, name: str) -> None:
    first = next(each for each in sorted((ROOT / "screens/levels" / name).iterdir()) if _is_small(each))
    path = tmp_path / "store.sqlite"
    assert puzzlemc("batch", f"{first}#1", "--store", path, "--timeout", "1").returncode in {0, 1, 3}
    with Store(path) as kept:
        (row,) = rows(kept)
        entry = stored_level(kept, row)
        assert entry is not None
        assert entry.error is None
        assert identify(entry).drawing == kept.drawing(row.key)[1]
        assert (entry.id, entry.level.title) == (row["id"], row["title"])


def _is_small(path: Path) -> bool:
    return not path.name.endswith((".tsv", "-domain.pddl"))


def test_levels_of_a_game_have_pictures_replays_and_reports(tmp_path: Path) -> None:
    path, page = tmp_path / "store.sqlite", tmp_path / "page.html"
    game = write(
        tmp_path / "tug.txt", GAME, "message Near\n\n#####\n#s+.#\n#####\n", "#######\n#sp.o.#\n#######\n"
    )
    assert puzzlemc("batch", game, "--store", path, "--timeout", "10").returncode == 0
    done = puzzlemc("results", path, "--report", page, "--single", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "page-levels").iterdir())) == 2
    text = page.read_text(encoding="utf-8")
    assert text.count("at its start") >= 2
    assert text.count("#replay=") >= 2


# Continuous integration


def test_junit_has_a_suite_for_each_file(tmp_path: Path) -> None:
    """Solvable levels pass, and every other verdict has its own element."""
    write(tmp_path / "a.xsb", ONE_PUSH.replace("One push", 'A "push" & <more>\u202e'), CORNERED)
    write(tmp_path / "b.xsb", hard(5), "\n#####\n#@?.#\n#####\n")
    out = tmp_path / "junit.xml"
    options = ("--store", tmp_path / "s", "--timeout", "2", "--engine", "forward", "--junit", out)
    assert puzzlemc("batch", tmp_path, tmp_path / "gone.xsb", *options).returncode == 2
    root = ElementTree.parse(out).getroot()
    suites = {suite.get("name", "").rpartition("/")[2]: suite for suite in root}
    assert list(suites) == ["a.xsb", "b.xsb", "names"]
    cases = {
        f"{name} {case.get('name')}": [(part.tag, part.get("type")) for part in case]
        for name, suite in suites.items()
        for case in suite
        if name != "names"
    }
    assert cases == {
        'a.xsb #1 A "push" & <more>\\u202e': [],
        "a.xsb #2 Cornered": [("failure", "unsolvable")],
        "b.xsb #1": [("failure", "unknown")],
        "b.xsb #2": [("error", "bad-input")],
    }
    for suite, counts in {"a.xsb": ("2", "1", "0", "0"), "b.xsb": ("2", "1", "1", "0")}.items():
        assert tuple(map(suites[suite].get, ("tests", "failures", "errors", "skipped"))) == counts
    assert "no such file" in (suites["names"][0][0].get("message") or "")


@pytest.mark.parametrize("asked", ["lucky", "surely"])
def test_junit_names_the_question_about_chance(tmp_path: Path, asked: str) -> None:
    """A lucky player wins both levels, a strategy one of them."""
    games, out = ROOT / "tests" / "chance_games", tmp_path / "junit.xml"
    levels = [f"{games / 'goose.txt'}#2", f"{games / 'pads.txt'}#2"]
    puzzlemc("batch", *levels, "--store", tmp_path / "s", "--chance", asked, "--junit", out)
    won, lost = ElementTree.parse(out).getroot().iter("testcase")
    named = [{"name": "chance", "value": asked}]
    assert [[each.attrib for each in case.iter("property")] for case in (won, lost)] == [named, named]
    failures = [each.get("message") for case in (won, lost) for each in case.iter("failure")]
    assert failures == (["no strategy wins whatever is drawn"] if asked == "surely" else [])


def test_junit_has_the_probability(tmp_path: Path) -> None:
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    level, out = f"{ROOT / 'tests' / 'chance_games' / 'pads.txt'}#2", tmp_path / "junit.xml"
    puzzlemc("batch", level, "--store", tmp_path / "s", "--chance", "probability", "--junit", out)
    named = {each.get("name"): each.get("value") for each in ElementTree.parse(out).getroot().iter("property")}
    assert named == {"chance": "probability", "probability": "1/2 (0.5)"}


@pytest.mark.parametrize("form", ["json", "store"])
def test_results_are_compared_with_expectations(tmp_path: Path, form: str) -> None:
    """The same results pass, whatever the verdicts; a level that was made easier fails."""
    path = write(tmp_path / "a.xsb", TWO_PUSHES, CORNERED, TWO_PUSHES)
    assert puzzlemc("batch", path, "--store", tmp_path / "old").returncode == 1
    expected = tmp_path / "old"
    if form == "json":
        expected = tmp_path / "expected.json"
        expected.write_text(puzzlemc("results", tmp_path / "old", "--json").stdout)
    options = ("--store", tmp_path / "new", "--expect", expected, "--junit", tmp_path / "j.xml")
    done = puzzlemc("batch", path, *options)
    assert (done.returncode, done.stderr) == (0, "3 as expected, 0 changed\n")
    assert ' failures="0" ' in (tmp_path / "j.xml").read_text()
    write(path, ONE_PUSH, CORNERED, TWO_PUSHES, L_ROOM)
    done = puzzlemc("batch", path, *options)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"{path}#1: changed: solvable in 1 push, expected solvable in 2 pushes",
        "2 as expected, 1 changed, 1 new",
    ]
    assert 'type="changed" message="solvable in 1 push, expected' in (tmp_path / "j.xml").read_text()


L_ROOM = "######\n#    #\n# $@ #\n#  ###\n#. #\n####\n"


def test_invalid_expectations_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    wrong = tmp_path / "e.json"
    wrong.write_text('{"id": "a", "verdict": "solvable", "cost": 1, "metric": "pushes"}\n{"id": "b"}\n')
    done = puzzlemc("batch", path, "--store", tmp_path / "s", "--expect", wrong)
    assert done.returncode == 2
    assert f'error: {wrong}:2:1: found \'{{"id": "b"}}\', expected a JSON object with id, verdict' in done.stderr
    assert not (tmp_path / "s").exists()
    done = puzzlemc("batch", path, "--store", tmp_path / "s", "--expect", tmp_path / "none")
    assert (done.returncode, "none: cannot be read: No such file" in done.stderr) == (2, True)


# A cluster


def dask_workers() -> Iterator[int]:
    """The Dask worker processes of the clusters of tests."""
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                line = (place / "cmdline").read_bytes()
                mine = b"puzzlemc-test" in (place / "environ").read_bytes()
            except OSError:
                continue
            if mine and b"multiprocessing.spawn" in line:
                yield int(place.name)


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_finds_the_same(tmp_path: Path) -> None:
    folder = write_rooms(tmp_path / "levels", 3, 40)
    options = ("--engine", "forward", "--timeout", "4", "--quiet")
    assert started("batch", folder, "--store", tmp_path / "here", *options).returncode == 1
    write(folder / "z.xsb", hard(4))  # keeps a worker busy until one is killed
    killed: list[int] = []

    def kill_one() -> None:
        """Kill a Dask worker after the first answers."""
        deadline = time.monotonic() + 100
        while not killed and time.monotonic() < deadline:
            time.sleep(0.2)
            if (tmp_path / "there").exists():
                results = 0
                with suppress(StoreError), Store(tmp_path / "there") as store:  # the store may not be complete yet
                    results = store.query("SELECT count(*) FROM results")[0][0]
                if results < 20:
                    continue
                for pid in dask_workers():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    break

    thread = threading.Thread(target=kill_one)
    thread.start()
    environment = os.environ | {"PUZZLEMC_TEST": "puzzlemc-test"}
    command = ("batch", folder, "--store", tmp_path / "there", "--cluster", "local", "--jobs", "2", *options)
    done = started(*command, env=environment, timeout=200)
    thread.join()
    assert done.returncode == 1, done.stderr
    assert killed
    tables = []
    for name in ("here", "there"):
        with Store(tmp_path / name) as store:
            names = ("id", "verdict", "cost", "checked", "reason")
            found = [{name: row[name] for name in names} for row in rows(store)]
            tables.append(sorted((row for row in found if "z.xsb" not in row["id"]), key=lambda row: row["id"]))
    assert len(tables[0]) == 120
    assert [pair for pair in zip(*tables, strict=True) if pair[0] != pair[1]] == []


def test_a_missing_cluster_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.cluster.CONNECT_SECONDS", 1)
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    done = puzzlemc("batch", path, "--store", tmp_path / "s", "--cluster", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert "error: tcp://127.0.0.1:9: found no Dask scheduler there: " in done.stderr


def test_a_reader_leaves_and_removes_no_files_beside_a_store(store: Path, tmp_path: Path) -> None:
    """It keeps files that another reader needs, or that a killed writer has left."""
    copied = tmp_path / "store"
    copied.write_bytes(store.read_bytes())
    assert puzzlemc("results", copied).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    assert copied.read_bytes() == store.read_bytes()
    with Store(copied) as first:
        with Store(copied) as second:
            assert rows(second)
        assert len(list(rows(first))) == len(list(rows(first)))
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_an_empty_file_is_no_store(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", "")
    done = puzzlemc("results", empty)
    message = f"error: {empty}: found an empty file, expected a store that `batch` has written\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert not empty.read_bytes()
    done = puzzlemc("batch", write(tmp_path / "a.xsb", ONE_PUSH), "--store", empty, "--quiet")
    message = message.replace("\n", ", or the name of a new file\n")
    assert (done.returncode, done.stderr) == (2, message)
    assert not empty.read_bytes()
