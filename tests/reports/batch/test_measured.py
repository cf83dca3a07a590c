"""Measures of levels in a store, and what is made of them."""

import csv
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from command import CORNERED, ONE_PUSH, as_json, puzzlemc, write

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.batch import run
from puzzlemc.reports.batch.difficulty import difficulties
from puzzlemc.reports.batch.measuring import measure_names
from puzzlemc.reports.batch.rows import Row, rows
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.batch.tables import kind
from puzzlemc.reports.measures.names import NAMES, REAL
from puzzlemc.reports.solve.result import Result

TWO_BOXES = "########\n#@     #\n# $  . #\n# $  . #\n#      #\n########\nTitle: Two boxes\n"
TURNED = "#####\n#.$@#\n#####\nTitle: Turned\n"
BROKEN = "\n#####\n#@?.#\n#####\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of measured levels: solvable, unsolvable, equal, symmetric, and broken."""
    folder = tmp_path_factory.mktemp("measured")
    write(folder / "a.xsb", ONE_PUSH, CORNERED, TWO_BOXES, BROKEN)
    write(folder / "b.xsb", TURNED, f"{ONE_PUSH}\n")
    path = folder / "store.sqlite"
    done = puzzlemc("batch", folder / "a.xsb", folder / "b.xsb", "--store", path, "--measures", "--timeout", "10")
    assert done.returncode == 2, done.stderr
    return path


def by_title(store: Path, *options: str) -> dict[str, dict[str, Any]]:
    """The rows by the titles of levels."""
    return {row["title"]: row for row in as_json("results", store, *options)[1]}


def test_rows_have_measures(store: Path) -> None:
    found = by_title(store)
    assert {name: found["Two boxes"][name] for name in ("boxes_pushed", "box_changes", "solution_orders")} == {
        "boxes_pushed": 2,
        "box_changes": 1,
        "solution_orders": 20,
    }
    assert found["Cornered"]["box_changes"] is None
    assert found["Cornered"]["lost_share"] == 1
    assert found["One push"]["boxes_pushed"] == found["Turned"]["boxes_pushed"] == 1


def test_rows_are_selected_and_sorted_by_measures(store: Path) -> None:
    assert list(by_title(store, "--where", "box_changes > 0")) == ["Two boxes"]
    titles = list(by_title(store, "--sort", "-solution_orders"))
    assert titles[0] == "Two boxes"
    assert titles.index("Cornered") > titles.index("One push")  # rows without a number come last


def test_tables_have_measures(store: Path, tmp_path: Path) -> None:
    import pyarrow.parquet

    rows = list(csv.DictReader(puzzlemc("results", store, "--csv").stdout.splitlines()))
    assert [row["box_changes"] for row in rows if row["title"] == "Two boxes"] == ["1"]
    assert [row["box_changes"] for row in rows if row["title"] == "Cornered"] == [""]
    puzzlemc("results", store, "--parquet", tmp_path / "t.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert str(table.schema.field("box_changes").type) == "int64"
    assert str(table.schema.field("lost_share").type) == "double"
    shown = puzzlemc("results", store, "--measures").stdout
    head, *lines = shown.splitlines()
    assert "box_changes" in head
    assert "box_changes" not in puzzlemc("results", store).stdout
    (line,) = (line for line in lines if "Two boxes" in line)
    assert line.split()[6:10] == ["2", "1", "1", "20"]


def test_a_level_is_measured_once(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    keep = run.keep_measures
    monkeypatch.setattr(
        run, "keep_measures", lambda store, level, *more: [kept.append(level), keep(store, level, *more)]
    )
    folder = store.parent
    again = "batch", folder / "a.xsb", "--store", store, "--measures", "--timeout"
    puzzlemc(*again, "10")
    assert not kept
    puzzlemc(*again, "20")
    assert len(kept) == 4


def test_a_store_without_measures_has_no_columns_of_them(tmp_path: Path) -> None:
    levels = write(tmp_path / "a.xsb", ONE_PUSH, TWO_BOXES)
    store = tmp_path / "store.sqlite"
    _, rows = as_json("batch", levels, "--store", store)
    assert "box_changes" not in rows[0]
    done = puzzlemc("results", store, "--measures")
    assert done.returncode == 2
    assert "found no measures" in done.stderr
    assert "box_changes" not in puzzlemc("results", store, "--csv").stdout
    # Levels that are solved already are measured then.
    _, rows = as_json("batch", levels, "--store", store, "--measures")
    assert sorted(row["box_changes"] for row in rows) == [0, 1]
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM measures").fetchone() == (2,)


def test_levels_are_written_in_a_curve_of_difficulty(store: Path, tmp_path: Path) -> None:
    done = puzzlemc("results", store, "--order", "difficulty", "-o", tmp_path / "curve.xsb")
    assert done.returncode == 0, done.stderr
    assert [entry.title for entry in load([tmp_path / "curve.xsb"])] == ["One push", "Turned", "Two boxes"]
    folder = store.parent
    assert done.stderr.splitlines() == [
        f"{folder / 'b.xsb'}#2 is {folder / 'a.xsb'}#1 once more",
        f"{folder / 'b.xsb'}#1 is {folder / 'a.xsb'}#1 rotated or mirrored",
    ]
    order = "results", store, "--order", "difficulty"
    puzzlemc(*order, "--curve", "hard-to-easy", "-o", tmp_path / "down.xsb")
    assert load([tmp_path / "down.xsb"])[0].title == "Two boxes"
    _, rows = as_json(*order)
    assert [row["difficulty"] for row in rows] == sorted(row["difficulty"] for row in rows)
    assert "difficulty" in puzzlemc(*order).stdout.splitlines()[0]
    for wrong in (
        ("--order", "length"),
        ("--curve", "hard-to-easy"),
        ("-o", "a.xsb"),
        ("--sort", "id", *order[2:]),
    ):
        assert puzzlemc("results", store, *wrong).returncode == 2


def test_difficulty_is_the_mean_of_ranks() -> None:
    def row(key: int, **fields: float | None) -> Any:
        found = Row({"choice": 1, "puzzle": "sokoban", "verdict": "solvable", **fields}, Result("a"))
        found.key = key
        return found

    rows = [row(1, cost=1, box_changes=5), row(2, cost=2, box_changes=5), row(3, cost=9, box_changes=7)]
    rows += [row(4, cost=2, box_changes=None), row(5, cost=1, box_changes=0, verdict="unknown")]
    # Equal numbers share the middle of their ranks: 0 and 50 become 25.
    assert difficulties(rows) == {(1, 1): (12.5, 2, 2), (2, 1): (37.5, 2, 2), (3, 1): (100.0, 2, 2)}
    assert difficulties(rows[:1]) == {(1, 1): (50.0, 2, 2)}
    # Another puzzle has fewer features; a level that lacks one of its own puzzle has fewer ranks than that has.
    rows += [row(6, puzzle="folding", cost=4, lost_share=0.5), row(7, cost=3, lost_share=0.2)]
    found = difficulties(rows)
    assert [found[key, 1][1:] for key in (1, 6, 7)] == [(2, 3), (2, 2), (2, 3)]


def test_a_difficulty_from_few_ranks_is_marked(store: Path, tmp_path: Path) -> None:
    """In the table, in JSON, on the page, and in the file of levels: a level whose positions are too many."""
    partial = tmp_path / "partial.sqlite"
    partial.write_bytes(store.read_bytes())
    with sqlite3.connect(partial) as connection:
        for level, found in connection.execute("SELECT level, measured FROM measures").fetchall():
            if json.loads(found).get("box_changes"):
                few = json.dumps({"box_changes": 1})
                connection.execute("UPDATE measures SET measured = ? WHERE level = ?", (few, level))
    order = "results", partial, "--order", "difficulty"
    (row,) = (row for row in as_json(*order)[1] if row["title"] == "Two boxes")
    assert (row["ranks"], row["all_ranks"]) == (2, 8)
    lines = puzzlemc(*order).stdout.splitlines()
    assert [f"{row['difficulty']} (2 of 8)" in line for line in lines[1:4]] == [False, False, True]
    assert puzzlemc(*order).stdout.count("of 8") == 1
    assert {line["all_ranks"] for line in csv.DictReader(puzzlemc(*order, "--csv").stdout.splitlines())} == {"8"}
    puzzlemc(*order, "-o", tmp_path / "curve.xsb", "--report", tmp_path / "page.html")
    comments = [entry.part.comment for entry in load([tmp_path / "curve.xsb"]) if entry.part is not None]
    assert comments == ["", "", "Difficulty: from 2 of 8 ranks"]
    # Among the hardest levels, and in the table.
    assert (tmp_path / "page.html").read_text().count(f"{row['difficulty']:.1f} (2 of 8)") == 2


def test_hardest_levels_are_those_of_the_greatest_difficulty(store: Path, tmp_path: Path) -> None:
    """With and without --order; the searched states, by which others are harder, count for nothing."""
    other = tmp_path / "other.sqlite"
    other.write_bytes(store.read_bytes())
    with Store(store) as kept:
        (hard,) = (row.key for row in rows(kept) if row["title"] == "Two boxes")
    with sqlite3.connect(other) as connection:
        connection.execute("UPDATE results SET states = 1 WHERE level = ?", (hard,))
    path = tmp_path / "page.html"
    for more in ((), ("--order", "difficulty", "--single", "1")):
        assert puzzlemc("results", other, "--report", path, *more).returncode == 0
        text = path.read_text()
        assert "The hardest: greatest difficulty" in text
        shown = re.findall(r">([^<]+)</(?:span|a|bdi)></b><small>(difficulty .*?) · ", text)
        assert shown[0] == ("Two boxes", "difficulty 87.5")
        assert sorted(title for title, _ in shown) == ["One push", "Turned", "Two boxes"]
    (single,) = (tmp_path / "page-levels").iterdir()
    assert "Two boxes" in single.read_text()


def test_the_page_has_measures(store: Path, tmp_path: Path, page: Any) -> None:
    puzzlemc("results", store, "--order", "difficulty", "--report", tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    heads = page.locator("#rows thead th").all_text_contents()
    part = by_title(store)["Two boxes"]["lost_share"]
    assert f"{100 * part:.1f} %" in page.locator("#rows tbody tr", has_text="Two boxes").text_content()
    assert {"changes of box", "lost positions", "difficulty"} <= set(heads)
    assert page.locator("figcaption", has_text="Difficulty").count() == 1
    assert page.locator("#filter output").text_content() == "3 of 3"
    page.select_option("#field", "changes of box")
    page.fill("#least", "1")
    assert page.locator("#rows tbody tr:visible").count() == 1
    assert "Two boxes" in page.locator("#rows tbody tr:visible").text_content()
    page.fill("#least", "")
    page.fill("#named", "ONE")
    assert page.locator("#filter output").text_content() == "1 of 3"
    page.fill("#named", "")
    page.click("#rows th button:text-is('lost positions')")
    numbers = page.eval_on_selector_all(
        "#rows tbody tr", f"rows => rows.map(row => +row.cells[{heads.index('lost positions')}].dataset.sort)"
    )
    assert numbers == sorted(numbers)


def test_names_of_measures_are_known_to_tables(store: Path) -> None:
    with Store(store) as kept:
        names = measure_names(kept)
    assert set(names) <= set(NAMES)
    assert names == [name for name in NAMES if name in names]
    assert {name for name in NAMES if kind(name) == "real"} == set(REAL)
