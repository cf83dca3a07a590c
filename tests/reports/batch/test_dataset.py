"""Data sets: the answers of a run as shards of Parquet, with digests that can be checked."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow.parquet
import pytest
from collections_of_levels import write_rooms
from command import CORNERED, ONE_PUSH, PROGRAM, as_json, puzzlemc, write
from processes import program

from puzzlemc.reports.batch.dataset import Asked, write_dataset
from puzzlemc.reports.batch.store import Store

BROKEN = "\n#####\n#@?.#\n#####\n"


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "_manifest.json").read_text(encoding="utf-8"))
    return found


def table(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(folder).to_pylist()
    return found


def of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Levels with all verdicts and equal ones, of two puzzles, their store, and the data set of a run."""
    place = tmp_path_factory.mktemp("dataset")
    write(place / "a.xsb", "######\n#@ $.#\n######\n", CORNERED, BROKEN, *[ONE_PUSH] * 9)
    write(place / "b.xsb", ONE_PUSH)
    write(place / "c.fold", "Title: One fold\n1 0\n")
    files = [place / name for name in ("b.xsb", "c.fold", "a.xsb")]
    done = puzzlemc("batch", *files, "--store", place / "s", "--dataset", place / "d", "--jobs", "1")
    assert done.returncode == 2, done.stderr
    assert f"{place / 'd'}: 14 rows\n" in done.stderr
    return place


def test_a_row_stands_for_each_name_with_the_fields_of_its_answer(folder: Path) -> None:
    """Rows are in the order of files and numbers: the eleventh level comes after the ninth."""
    rows = {row["id"]: row for row in as_json("results", folder / "s")[1]}
    by_name = {name: row for id, row in rows.items() for name in (id, *row["also"])}
    found = table(folder / "d")
    names = [f"{row['file']}#{row['level']}" for row in found]
    assert names == [
        *(f"{folder / 'a.xsb'}#{number}" for number in range(1, 13)),
        f"{folder / 'b.xsb'}#1",
        f"{folder / 'c.fold'}#1",
    ]
    for name, row in zip(names, found, strict=True):
        for field in row.keys() - {"file", "level", "digest"}:
            expected = by_name[name].get(field)
            assert row[field] == (json.dumps(expected) if isinstance(expected, list) else expected), (name, field)
    assert len({row["digest"] for row in found}) == 5
    assert [row["verdict"] for row in found[:4]] == ["solvable", "unsolvable", "error", "solvable"]
    assert [(row["trace"], row["pushes"], row["moves"], row["optimal"]) for row in found[:2]] == [
        ("rR", 1, 2, True),
        (None, None, None, None),
    ]


def test_two_lines_read_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    by_pandas = pandas.read_parquet("d")
    by_polars = polars.read_parquet("d/*.parquet")
    expected = [row["pushes"] for row in table(folder / "d")]
    assert by_polars["pushes"].to_list() == expected
    assert by_pandas["pushes"].dropna().tolist() == [each for each in expected if each is not None]


def test_its_digests_are_those_of_files_and_rows(folder: Path) -> None:
    known = manifest(folder / "d")
    names = ("a.xsb", "b.xsb", "c.fold")
    assert known["inputs"] == {str(folder / name): of_file(folder / name) for name in names}
    assert known["shards"] == {
        "part-00000.parquet": {"rows": 14, "sha256": of_file(folder / "d" / "part-00000.parquet")}
    }
    lines = (
        json.dumps([value for name, value in row.items() if name != "seconds"]) for row in table(folder / "d")
    )
    assert known["answers"] == hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert (known["rows"], known["verdicts"]) == (14, {"solvable": 12, "unsolvable": 1, "error": 1})
    assert known["options"]["sokoban"]["metric"] == "pushes"
    assert known["limits"] == {"timeout": 60.0, "memory": 4.0}


def test_shards_together_are_the_table(folder: Path, tmp_path: Path) -> None:
    """Fewer shards replace more of them."""
    known = manifest(folder / "d")
    with Store(folder / "s") as store:
        asked = Asked(1, {"sokoban": 1, "folding": 2}, known["inputs"], known["limits"])
        if store.options(1)["metric"] != "pushes":
            asked = asked._replace(choices={"sokoban": 2, "folding": 1})
        for size, shards in ((4, 4), (8, 2)):
            assert write_dataset(store, asked, tmp_path, size) == 14
            assert len(list(tmp_path.glob("*.parquet"))) == len(manifest(tmp_path)["shards"]) == shards
            assert table(tmp_path) == table(folder / "d")
            assert manifest(tmp_path)["answers"] == known["answers"]


def test_answers_are_those_for_the_options_of_the_run(tmp_path: Path) -> None:
    levels, store, made = write(tmp_path / "a.xsb", ONE_PUSH), tmp_path / "s", tmp_path / "d"
    for metric in ("pushes", "moves", "pushes"):
        assert puzzlemc("batch", levels, "--store", store, "--metric", metric, "--dataset", made).returncode == 0
        assert [row["metric"] for row in table(made)] == [metric]


def test_a_run_that_is_killed_ends_with_the_same_answers(tmp_path: Path) -> None:
    levels = write_rooms(tmp_path / "levels", 2, 40)
    command = ["batch", levels, "--jobs", "1", "--engine", "forward"]
    killed = [*command, "--store", tmp_path / "killed", "--dataset", tmp_path / "a"]
    with program([*PROGRAM, *killed, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        running.kill()
    assert not list((tmp_path / "a").iterdir())
    assert puzzlemc(*killed).returncode == 1
    done = puzzlemc(*command, "--store", tmp_path / "whole", "--dataset", tmp_path / "b")
    assert done.returncode == 1
    assert manifest(tmp_path / "a")["answers"] == manifest(tmp_path / "b")["answers"]
    assert manifest(tmp_path / "a")["rows"] == 80


def test_a_data_set_that_is_not_complete_has_no_manifest(folder: Path, tmp_path: Path) -> None:
    """A folder stands where a shard should."""
    write(tmp_path / "a.xsb", ONE_PUSH)
    command = ("batch", tmp_path / "a.xsb", "--store", tmp_path / "s", "--dataset", tmp_path / "d")
    assert puzzlemc(*command).returncode == 0
    (tmp_path / "d" / "part-00000.parquet").unlink()
    (tmp_path / "d" / "part-00000.parquet").mkdir()
    done = puzzlemc(*command)
    assert done.returncode == 2
    assert f"{tmp_path / 'd' / 'part-00000.parquet'}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "d" / "_manifest.json").exists()


def test_a_missing_library_is_an_error_before_levels_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    levels = write(tmp_path / "a.xsb", ONE_PUSH)
    done = puzzlemc("batch", levels, "--store", tmp_path / "s", "--dataset", tmp_path / "d")
    assert done.returncode == 2
    assert "Parquet needs pyarrow" in done.stderr
    assert not (tmp_path / "s").exists()
