"""Batches and their stores: each level once, no answer lost or computed twice, and the text of errors."""

import contextlib
import json
import os
import queue
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from collections_of_levels import write_rooms
from command import CORNERED, ONE_PUSH, PROGRAM, as_json, hard, puzzlemc, started, write
from places import ROOT
from processes import program

from puzzlemc.encodings.puzzle.symmetry import TURNS, between, least
from puzzlemc.encodings.puzzles import Entry, load, puzzle, puzzles
from puzzlemc.reports.batch import run as running
from puzzlemc.reports.batch.earlier import contradiction
from puzzlemc.reports.batch.orders import Listener, Named, Orders, Progress
from puzzlemc.reports.batch.rows import fields, rows
from puzzlemc.reports.batch.sql import APPLICATION, VERSION
from puzzlemc.reports.batch.store import Store, StoreError
from puzzlemc.reports.crew import chunk
from puzzlemc.reports.crew.identity import identify
from puzzlemc.reports.crew.jobs import Job, SymmetricResult
from puzzlemc.reports.crew.local import LocalCrew
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result, Solution
from puzzlemc.screens.base.part import Part

TABLE = ("id", "title", "puzzle", "verdict", "metric", "cost", "optimal", "moves", "pushes", "checked", "also")
L_ROOM = "######\n#    #\n# $@ #\n#  ###\n#. #\n####\n"
# The same level: drawn with more outer walls, shifted; and rotated by a quarter turn.
L_SHIFTED = "  ########\n  ##    ##\n  ## $@ ##\n  ##  ####\n  ##. #\n  #####\n  #####\n"
L_TURNED = "#####\n#.  ##\n##$ #\n ##@ #\n  #  #\n  ####\n"


def turned_text(text: str, number: int) -> str:
    """The drawing of a level in one of its eight forms."""
    lines = text.strip("\n").split("\n")
    width = max(map(len, lines))
    return (
        "\n".join("".join(row).rstrip() for row in TURNS[number].grid([line.ljust(width) for line in lines]))
        + "\n"
    )


def table(path: Path) -> list[dict[str, Any]]:
    """The rows of a store, without times and statistics of searches."""
    with Store(path) as store:
        return sorted(({name: row.get(name) for name in TABLE} for row in rows(store)), key=lambda row: row["id"])


def by_id(path: Path) -> dict[str, dict[str, Any]]:
    with Store(path) as store:
        return {row["id"].rpartition("/")[2]: row for row in rows(store)}


def batch(store: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return puzzlemc("batch", *arguments, "--store", store, "--jobs", "2")


# The identity of a level


@pytest.mark.parametrize("name", [name for name, each in puzzles().items() if each.symmetry is not None])
def test_turned_levels_have_one_shape_and_turned_solutions(name: str) -> None:
    """Each shipped level in each of its eight forms: the trace of one form, turned, solves the other."""
    rules = puzzle(name)
    assert rules.symmetry is not None
    folder = ROOT / "screens" / "levels" / name
    done = 0
    for entry in load(folder)[:12]:
        grid = rules.symmetry.grid(entry.level)
        shape, turn = least(grid)
        for number, each in enumerate(TURNS):
            assert least(each.grid(grid))[0] == shape
            back = between(least(each.grid(grid))[1], turn)
            forth = between(turn, least(each.grid(grid))[1])
            assert [back(forth(letter)) for letter in "lurdLURD"] == list("lurdLURD"), number
        done += 1
    assert done == 12


def test_directions_turn_like_boards() -> None:
    """A letter at the head of the arrow and one at its foot agree, when turned, with the turned direction."""
    arrows = {"r": ("ab",), "l": ("ba",), "d": ("a", "b"), "u": ("b", "a")}
    for each in TURNS:
        for letter, rows_of_arrow in arrows.items():
            turned = tuple("".join(row) for row in each.grid(rows_of_arrow))
            assert turned == arrows[each.direction(letter)]
            assert each.direction(letter.upper()) == each.direction(letter).upper()


def sokoban(text: str) -> Entry:
    return Entry("a#1", "", puzzle("sokoban"), part=Part("a", 1, text, "", ""))


def test_the_identity_of_a_level_depends_on_its_playable_part() -> None:
    plain, shifted, turned = (identify(sokoban(text)) for text in (L_ROOM, L_SHIFTED, L_TURNED))
    assert plain.content == shifted.content
    assert plain.content != turned.content
    assert plain.shape == shifted.shape
    other = identify(sokoban(L_ROOM.replace("#. #", "# .#")))
    assert other.shape != plain.shape
    for number in range(8):
        assert identify(sokoban(turned_text(L_ROOM, number))).shape == plain.shape


def test_equal_levels_are_solved_once(tmp_path: Path) -> None:
    """Three names, one of them of a turned level: two levels, and the output has both."""
    write(tmp_path / "a.xsb", L_ROOM, L_SHIFTED, turned_text(L_ROOM, 5))
    done = batch(tmp_path / "s", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 levels: 3 solvable\nsolved in this run: 2;" in done.stdout
    assert "the same as another: 1\nthe same as another, once rotated or mirrored: 1\n" in done.stdout
    found = by_id(tmp_path / "s")
    assert found.keys() == {"a.xsb#1", "a.xsb#3"}
    assert [name[-7:] for name in found["a.xsb#1"]["also"]] == ["a.xsb#2"]
    assert [name[-7:] for name in found["a.xsb#1"]["same_as"]] == ["a.xsb#3"]
    assert found["a.xsb#3"]["cost"] == found["a.xsb#1"]["cost"]
    assert not found["a.xsb#3"]["turned"]


def test_symmetric_levels_are_solved_once_on_request(tmp_path: Path) -> None:
    """All eight forms of a solvable and of an unsolvable level: two searches, and the other answers are turned."""
    texts = [turned_text(text, number) for text in (L_ROOM, CORNERED.partition("Title")[0]) for number in range(8)]
    write(tmp_path / "a.xsb", *texts)
    done = batch(tmp_path / "s", tmp_path, "--symmetry")
    assert done.returncode == 1, done.stderr
    found = by_id(tmp_path / "s")
    solvable = [row for row in found.values() if row["verdict"] == "solvable"]
    lost = [row for row in found.values() if row["verdict"] == "unsolvable"]
    assert (len(solvable), len({row["cost"] for row in solvable})) == (8, 1)
    assert all(row["checked"] for row in solvable)
    assert len({row["trace"] for row in solvable}) == 8
    assert len(lost) > 1
    assert sum(not row["turned"] for row in solvable) == sum(not row["turned"] for row in lost) == 1
    entries = {entry.id.rpartition("/")[2]: entry for entry in load(tmp_path / "a.xsb")}
    for row in solvable:
        entry = entries[row["id"].rpartition("/")[2]]
        assert entry.puzzle.replay(entry.level, list(row["trace"])).costs["pushes"] == row["cost"]
    # A later run finds the symmetric result in the store.
    write(tmp_path / "b.xsb", "\n" + L_ROOM.replace("######", "#######").replace("#    #", "#     #"))
    again = batch(tmp_path / "s", tmp_path, "--symmetry")
    assert "solved in this run: 1;" in again.stdout


def test_answers_depend_on_options(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    assert batch(tmp_path / "s", path).returncode == 0
    assert "solved in this run: 0" in batch(tmp_path / "s", path, "--metric", "pushes").stdout
    assert "solved in this run: 1" in batch(tmp_path / "s", path, "--metric", "moves").stdout
    with Store(tmp_path / "s") as store:
        assert [row["metric"] for row in rows(store)] == ["pushes", "moves"]


def test_a_batch_takes_levels_of_every_puzzle(tmp_path: Path) -> None:
    """One shipped level each: the store agrees with `check`, and its certificates are valid."""
    levels = ROOT / "screens" / "levels"
    names = {"sokoban/first_steps.xsb", "folding/torn.fold", "tetravex/games.tetravex"}
    names |= {"factorio/first_belts.factorio", "fabrik/boards.fabrik", "puzzlescript/thaw.txt", "pddl/lamps.pddl"}
    assert {name.partition("/")[0] for name in names} == set(puzzles())
    chosen = [f"{levels / name}#1" for name in sorted(names)]
    code, expected = as_json("check", *chosen)
    assert batch(tmp_path / "s", *chosen, "--certify").returncode == code
    with Store(tmp_path / "s") as store:
        found = {row["id"]: row for row in rows(store)}
        names_of_fields = fields(store)
    assert len(set(names_of_fields)) == len(names_of_fields)  # also where a metric has the name of a field
    same = ("title", "puzzle", "verdict", "metric", "cost", "optimal", "game")
    for row in expected:
        assert {name: found[row["id"]].get(name) for name in same} == {name: row.get(name) for name in same}
    proofs = tmp_path / "proofs"
    assert puzzlemc("results", tmp_path / "s", "--certificate", proofs).returncode == 0
    assert len([*proofs.iterdir()]) == len(chosen)
    assert puzzlemc("verify", *proofs.iterdir()).returncode == 0
    assert puzzlemc("results", tmp_path / "s", "--report", tmp_path / "a.html").returncode == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count('class="tag ') == len(chosen)


def test_errors_are_reported_and_the_rest_is_solved(tmp_path: Path) -> None:
    """A broken level, a missing file, and an option that one of the puzzles lacks."""
    write(tmp_path / "a.xsb", ONE_PUSH, "\n#####\n#@?.#\n#####\n")
    write(tmp_path / "b.fold", "1 0\n")
    done = batch(tmp_path / "s", tmp_path, tmp_path / "none.xsb", "--metric", "pushes")
    assert done.returncode == 2
    assert "none.xsb: found no such file" in done.stderr
    assert "unknown metric 'pushes' of folding" in done.stderr
    assert "3 levels: 1 solvable, 2 error\n" in done.stdout
    assert f"error: {tmp_path}/a.xsb:8:3: found '?'" in done.stderr
    assert f"errors in {tmp_path}/none.xsb, {tmp_path}/a.xsb#2\n" in done.stdout
    # A run that finds the rows in the store reports the same.
    again = batch(tmp_path / "s", tmp_path / "a.xsb")
    assert f"error: {tmp_path}/a.xsb:8:3: found '?'" in again.stderr
    assert f"errors in {tmp_path}/a.xsb#2\n" in again.stdout
    found = by_id(tmp_path / "s")
    assert "a.xsb:8:3: found '?'" in found["a.xsb#2"]["reason"]


def test_unreadable_files_are_reported_like_by_check(tmp_path: Path) -> None:
    """An empty file counts as an error and has a JSON row with the same fields as other rows."""
    write(tmp_path / "a.xsb", ONE_PUSH)
    write(tmp_path / "b.xsb", "")
    done = batch(tmp_path / "s", tmp_path)
    assert done.returncode == 2
    assert "2 levels: 1 solvable, 1 error\n" in done.stdout
    assert done.stderr.count("b.xsb: found an empty text") == 1
    _, expected = as_json("check", tmp_path / "b.xsb")
    code, found = as_json("batch", tmp_path, "--store", tmp_path / "s")
    assert (code, len(found)) == (2, 2)
    (row,) = (row for row in found if row["verdict"] == "error")
    assert row == expected[0] | {"states": None, "note": None, "code": 2, "level": 1}


def test_no_store_is_made_without_a_level(tmp_path: Path) -> None:
    store = tmp_path / "s"
    done = batch(store, tmp_path / "none.xsb")
    assert done.returncode == 2
    assert re.fullmatch(
        r"1 level: 1 error\nsolved in this run: 0; \d+\.\d s\nerrors in \S+/none\.xsb\n", done.stdout
    )
    assert [*tmp_path.iterdir()] == []
    assert batch(store, write(tmp_path / "a.xsb", ONE_PUSH)).returncode == 0
    before = in_store(store)
    assert batch(store, tmp_path / "none.xsb").returncode == 2
    assert in_store(store) == before


def test_json_rows_are_printed_after_they_are_stored(tmp_path: Path) -> None:
    write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    first = as_json("batch", tmp_path, "--store", tmp_path / "s")
    assert first[0] == 1
    assert sorted(row["verdict"] for row in first[1]) == ["solvable", "unsolvable"]
    assert as_json("batch", tmp_path, "--store", tmp_path / "s") == (
        1,
        sorted(first[1], key=lambda row: row["id"]),
    )


def test_a_reported_answer_is_in_the_store(tmp_path: Path) -> None:
    """When an answer is reported, another connection finds it in the store."""
    folder = write_rooms(tmp_path / "levels", 2, 40)
    seen = 0

    def committed(progress: Progress, named: Sequence[Named]) -> None:
        nonlocal seen
        seen += len(named)
        with contextlib.closing(sqlite3.connect(tmp_path / "s")) as reader:
            for each in named:
                assert reader.execute("SELECT 1 FROM results WHERE level = ?", (each.level,)).fetchone()
            assert reader.execute("SELECT count(*) FROM results").fetchone()[0] >= progress.done

    progress = run_here(tmp_path / "s", load(folder), Listener(committed))
    assert (seen, progress.done) == (80, 80)


def run_here(store: Path, entries: Any, listener: Listener | None = None, **more: Any) -> Progress:
    """Run a batch in this process."""
    answers: Any = queue.SimpleQueue()
    options = Options(engine="forward", memory=1.0)
    crew, reader = (LocalCrew(answers, workers, 1.0, 60.0, warm=False) for workers in (2, 1))
    try:
        with Store(store, writing=True) as kept:
            orders = Orders(options, **more)
            return running.run(entries, kept, orders, running.Crews(crew, reader, answers), [], listener)[0]
    finally:
        crew.close()
        reader.close()


# Further runs, and larger limits


def test_unknown_levels_are_tried_again_with_larger_limits(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, hard(5))
    first = batch(tmp_path / "s", path, "--timeout", "1", "--engine", "forward")
    assert first.returncode == 3
    assert by_id(tmp_path / "s")["a.xsb#2"]["reason"] == "timeout"
    options = (path, "--engine", "forward")
    assert "solved in this run: 0" in batch(tmp_path / "s", *options, "--timeout", "2").stdout
    same = batch(tmp_path / "s", *options, "--timeout", "1", "--retry", "unknown")
    assert "solved in this run: 0" in same.stdout
    assert "1 level still unknown: tried before with limits as large" in same.stdout
    with Store(tmp_path / "s", writing=True) as store:
        store.run("UPDATE results SET bound = 1000 WHERE verdict = 'unknown'")
        store.commit()
    more = batch(tmp_path / "s", *options, "--timeout", "2", "--retry", "unknown")
    assert "solved in this run: 1" in more.stdout
    row = by_id(tmp_path / "s")["a.xsb#2"]
    assert (row["timeout"], row["bound"]) == (2, 1000)  # the earlier proved bound is kept


def test_contradicting_answers_are_a_bug(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    assert batch(tmp_path / "s", path).returncode == 0
    with Store(tmp_path / "s", writing=True) as store:
        store.run("UPDATE results SET cost = 3")
        store.commit()
    done = batch(tmp_path / "s", path, "--certify")  # it solves the level again
    assert done.returncode == 4
    assert "a.xsb#1: refuted: found a cost of 1, but 3 before" in done.stderr


def test_an_unknown_symmetric_result_has_a_reason(tmp_path: Path) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", ONE_PUSH))])
    found = Result("b", "", "sokoban", "unknown", metric="pushes", bound=3, reason="timeout")
    twin = SymmetricResult(found, 0, 0, 2)
    result = chunk._transformed(Job(1, entry, Options(), twin), twin)
    assert (result.id, result.verdict, result.bound, result.reason) == (entry.id, "unknown", 3, "timeout")


def test_a_solution_below_an_earlier_bound_is_a_bug(tmp_path: Path) -> None:
    path, store = write(tmp_path / "a.xsb", ONE_PUSH), tmp_path / "s"
    assert batch(store, path, "--timeout", 5).returncode == 0
    with Store(store, writing=True) as known:
        known.run("UPDATE results SET verdict = 'unknown', cost = NULL, trace = NULL, bound = 3, optimal = NULL")
        known.commit()
    done = batch(store, path, "--retry", "unknown", "--timeout", 20)
    assert done.returncode == 4
    assert "a.xsb#1: refuted: a solution of 1 push, and a proof that none has fewer than 3" in done.stderr
    assert by_id(store)["a.xsb#1"]["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("old", "new", "against"),
    [
        (("solvable", 3, True), Result("a", verdict="solvable", solution=Solution("", 3, True, {})), False),
        (("solvable", 3, True), Result("a", verdict="solvable", solution=Solution("", 2, False, {})), True),
        (("solvable", 3, False), Result("a", verdict="solvable", solution=Solution("", 2, True, {})), False),
        (("solvable", 3, False), Result("a", verdict="solvable", solution=Solution("", 4, True, {})), True),
        (("solvable", 3, True), Result("a", verdict="solvable", solution=Solution("", 4, False, {})), False),
        (("unsolvable", None, False), Result("a", verdict="solvable", solution=Solution("", 4, False, {})), True),
        (("unknown", None, False), Result("a", verdict="solvable", solution=Solution("", 4, False, {})), False),
    ],
)
def test_contradictions_are_detected(old: tuple[str, int | None, bool], new: Result, against: bool) -> None:
    assert bool(contradiction(old, new)) is against


@pytest.mark.parametrize("where", ["folder", "store"])
def test_certificates_of_a_batch_are_valid(tmp_path: Path, where: str) -> None:
    """In a folder or in the store; missing ones are made on request."""
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, L_ROOM)
    out = tmp_path / "proofs"
    assert batch(tmp_path / "s", path).returncode == 1
    more = ("--certificate", out) if where == "folder" else ("--certify",)
    done = batch(tmp_path / "s", path, *more)
    assert (done.returncode, "solved in this run: 3" in done.stdout) == (1, True)
    assert "solved in this run: 0" in batch(tmp_path / "s", path, *more).stdout
    if where == "store":
        assert puzzlemc("results", tmp_path / "s", "--certificate", out).returncode == 0
    found = sorted(out.iterdir())
    assert len(found) == 3
    assert [file.name[:8] for file in found] == ["a.xsb-1.", "a.xsb-2.", "a.xsb-3."]
    assert puzzlemc("verify", *found, "--level", path).returncode == 0
    assert all(row["checked"] and row["certificate"] for row in by_id(tmp_path / "s").values())


def test_symmetric_levels_have_their_own_certificates(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", L_ROOM, turned_text(L_ROOM, 3))
    assert batch(tmp_path / "s", path, "--symmetry", "--certificate", tmp_path / "p").returncode == 0
    found = sorted((tmp_path / "p").iterdir())
    assert len(found) == 2
    assert puzzlemc("verify", *found, "--level", path).returncode == 0


# Kills at random moments


def children(parent: int) -> list[int]:
    """The processes that a program has started, and their descendants."""
    by_parent: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            by_parent.setdefault(int(fields[1]), []).append(int(place.name))
    found, waiting = [], [parent]
    while waiting:
        new = by_parent.get(waiting.pop(), [])
        found += new
        waiting += new
    return found


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def in_store(path: Path) -> dict[int, tuple[object, ...]]:
    """The answers by level in a store that may be incomplete."""
    if not path.exists():
        return {}
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reader:
        try:
            found = reader.execute("SELECT level, run, verdict, cost, trace, seconds FROM results").fetchall()
        except sqlite3.OperationalError:
            return {}  # killed before the tables existed
    return {level: tuple(rest) for level, *rest in found}


def kill_and_resume(tmp_path: Path, levels: int, kills: int, seed: int) -> None:
    """Kill parents and workers at random moments; at the end the table must be that of an undisturbed run."""
    choice = random.Random(seed)
    folder = write_rooms(tmp_path / "levels", 4, levels // 4)
    command = [*PROGRAM, "batch", str(folder), "--engine", "forward", "--jobs", "2", "--quiet", "--store"]
    undisturbed, store = tmp_path / "whole", tmp_path / "killed"
    assert subprocess.run([*command, str(undisturbed)], stdout=subprocess.DEVNULL, timeout=300).returncode == 1
    killed = runs = 0
    while killed < kills:
        before = in_store(store)
        with program([*command, store], stdout=subprocess.DEVNULL, start_new_session=True) as batch_run:
            runs += 1
            # Workers, and the process that forks them; a level whose worker is killed a third time is answered.
            for _ in range(choice.randint(0, 2)):
                time.sleep(choice.uniform(0, 0.6))
                if running_now := children(batch_run.pid)[1:]:
                    kill(choice.choice(running_now))
                    killed += 1
            time.sleep(choice.uniform(0, 1.2))
            if batch_run.poll() is None:
                killed += 1
            kill(batch_run.pid)
        after = in_store(store)
        assert {level: after[level] for level in before} == before, "an answer was lost, or found twice"
        if not store.exists():
            continue  # killed before the store existed
        with contextlib.closing(sqlite3.connect(store)) as reader:
            assert reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if len(after) == levels:  # all levels are solved before enough kills: start again
            for path in tmp_path.glob("killed*"):
                path.unlink()
    assert subprocess.run([*command, str(store)], stdout=subprocess.DEVNULL, timeout=300).returncode == 1
    assert table(store) == table(undisturbed)
    assert len(table(store)) == levels


def test_a_batch_killed_at_random_moments_ends_with_the_same_table(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 100, 3, seed=1)


@pytest.mark.slow
def test_a_batch_killed_many_times_ends_with_the_same_table(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, 300, 6, seed=2)


def test_ctrl_c_keeps_finished_levels(tmp_path: Path) -> None:
    folder = write_rooms(tmp_path / "levels", 1, 40)
    write(tmp_path / "levels" / "z.xsb", hard(5))
    command = [*PROGRAM, "batch", str(folder), "--store", str(tmp_path / "s"), "--engine", "forward"]
    with program(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 60
        while len(in_store(tmp_path / "s")) < 40 and time.monotonic() < deadline:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "interrupted after 40 of 41 levels; the store has them" in errors
    assert len(in_store(tmp_path / "s")) == 40


def test_a_level_without_enough_memory_or_time_affects_no_other(tmp_path: Path) -> None:
    """The encoding of the large room exceeds the memory; the other levels of its chunk are solved."""
    large = "\n".join(["#" * 300, "#@$." + " " * 295 + "#", *["#" + " " * 298 + "#"] * 200, "#" * 300])
    path = write(tmp_path / "a.xsb", ONE_PUSH, large + "\n", CORNERED)
    done = batch(tmp_path / "s", path, "--memory", "0.0625", "--engine", "forward", "--timeout", "30")
    found = by_id(tmp_path / "s")
    assert [found[f"a.xsb#{number}"]["verdict"] for number in (1, 2, 3)] == ["solvable", "unknown", "unsolvable"]
    assert found["a.xsb#2"]["reason"] in {"memory", "timeout"}
    assert done.returncode == 1


# Errors of a store


def test_a_store_takes_one_batch_at_a_time(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    with Store(tmp_path / "s", writing=True):
        done = batch(tmp_path / "s", path)
        assert (done.returncode, done.stdout) == (2, "")
        message = "another batch is writing to this store, expected one at a time"
        assert done.stderr == f"error: {tmp_path / 's'}: {message}\n"
        assert puzzlemc("results", tmp_path / "s").returncode == 0  # other processes may read it
    assert batch(tmp_path / "s", path).returncode == 0
    assert not (tmp_path / "s.lock").exists()


def sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("command", ["batch", "results"])
def test_a_newer_store_is_refused(tmp_path: Path, command: str) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    store = tmp_path / "s"
    assert batch(store, path).returncode == 0
    sql(store, f"PRAGMA user_version = {VERSION + 1}")
    before = store.read_bytes()
    done = batch(store, path) if command == "batch" else puzzlemc("results", store)
    assert done.returncode == 2
    message = f"found a store of version {VERSION + 1}, expected at most {VERSION}: a newer puzzlemc wrote it"
    assert done.stderr == f"error: {store}: {message}\n"
    assert store.read_bytes() == before


@pytest.mark.parametrize("command", ["batch", "results"])
def test_files_that_are_no_store_are_unchanged(tmp_path: Path, command: str) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    other = tmp_path / "other.sqlite"
    sql(other, "CREATE TABLE t (a)")
    text = tmp_path / "notes.txt"
    text.write_text("These are notes. " * 100)
    for store, message in [
        (other, "found a database of another program"),
        (text, "found a file that is no database"),
    ]:
        before = store.read_bytes()
        done = batch(store, path) if command == "batch" else puzzlemc("results", store)
        assert (done.returncode, done.stderr) == (2, f"error: {store}: {message}, expected a store\n")
        assert store.read_bytes() == before


@pytest.mark.parametrize("command", ["batch", "results"])
def test_an_empty_database_is_no_store(tmp_path: Path, command: str) -> None:
    path, store = write(tmp_path / "a.xsb", ONE_PUSH), tmp_path / "s"
    sql(store, "PRAGMA journal_mode = WAL")
    assert store.stat().st_size
    done = batch(store, path) if command == "batch" else puzzlemc("results", store)
    message = f"error: {store}: found an empty database, expected a store that `batch` has written\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert batch(tmp_path / "t", path).returncode == 0


def test_files_beside_a_store_are_unchanged(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    beside = write(tmp_path / "s.new", "another file")
    assert puzzlemc("batch", level, "--store", tmp_path / "s").returncode == 0
    assert beside.read_text() == "another file"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.xsb", "s", "s.new"]
    lock = write(tmp_path / "s.lock", "another file")
    done = puzzlemc("batch", level, "--store", tmp_path / "s")
    assert (done.returncode, lock.read_text()) == (2, "another file")
    assert f"{lock}: found a file that is no lock" in done.stderr


def test_a_new_store_appears_complete(tmp_path: Path) -> None:
    with Store(tmp_path / "s", writing=True) as store:
        assert store.new
        with Store(tmp_path / "s") as seen:
            assert seen.query("SELECT count(*) FROM levels") == [(0,)]
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    with Store(tmp_path / "s", writing=True) as store:
        assert not store.new


def test_a_worker_whose_parent_is_killed_ends_silently() -> None:
    """The parent was killed with unread data: reading and writing fail as on a closed connection."""
    program = (
        "import os, threading\n"
        "from multiprocessing import Array, Pipe\n"
        "from puzzlemc.reports.workers import worker\n"
        "mine, its = Pipe()\n"
        "threading.Thread(target=lambda: (mine.poll(None), mine.close())).start()\n"
        "worker._serve(its, os.getpid(), [0.0] * 3, (), ())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_store_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    empty = tmp_path / "empty"
    empty.touch()
    expected = "expected a store that `batch` has written, or the name of a new file"
    for store, message in [
        (tmp_path / "none" / "s", "No such file or directory"),
        (tmp_path, f"found a folder, {expected}"),
        (Path("/"), f"found a folder, {expected}"),
        (Path("."), f"found a folder, {expected}"),
        (Path(""), f"found a folder, {expected}"),
        (Path("/dev/null"), f"found no regular file, {expected}"),
        (empty, f"found an empty file, {expected}"),
        (Path("/proc/s.sqlite"), "No such file or directory"),
    ]:
        done = batch(store, path)
        assert (done.returncode, done.stderr) == (2, f"error: {store}: {message}\n")
    assert empty.read_bytes() == b""
    assert "found an empty file" in puzzlemc("results", empty).stderr
    assert "found a folder, expected a store" in puzzlemc("results", tmp_path).stderr
    done = puzzlemc("results", tmp_path / "missing")
    assert done.returncode == 2
    assert "missing: found no such file, expected a store that `batch` has written" in done.stderr


def test_a_full_disk_ends_the_batch_and_keeps_reported_answers(tmp_path: Path) -> None:
    """The size of the file is limited; with more space the same command continues."""
    folder = write_rooms(tmp_path / "levels", 4, 50)
    store = tmp_path / "s"
    options = ("--store", store, "--engine", "forward", "--json", "--quiet")
    assert started("batch", folder / "rooms0.xsb", *options).returncode == 1
    first = in_store(store)

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (180_000, 180_000))

    full = started("batch", folder, *options, preexec_fn=small_disk)
    assert full.returncode == 2
    assert full.stderr in {f"error: {store}: {why}\n" for why in ("database or disk is full", "disk I/O error")}
    reported = {json.loads(line)["id"] for line in full.stdout.splitlines()}
    kept = in_store(store)
    assert kept.items() >= first.items()
    assert len(kept) < 200
    with Store(store) as found:
        assert reported <= {row["id"] for row in rows(found)}
    after = started("batch", folder, *options)
    assert after.returncode == 1
    assert len(after.stdout.splitlines()) == 200
    assert {level: in_store(store)[level] for level in kept} == kept


def test_files_may_change_or_vanish_between_runs(tmp_path: Path) -> None:
    """New levels are solved, missing files are reported, and no answer is lost."""
    path, gone = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED), write(tmp_path / "b.xsb", L_ROOM)
    assert batch(tmp_path / "s", path, gone).returncode == 1
    write(path, ONE_PUSH, L_ROOM)
    gone.unlink()
    done = batch(tmp_path / "s", path, gone)
    assert done.returncode == 2
    assert "b.xsb: found no such file" in done.stderr
    assert "3 levels: 2 solvable, 1 error\nsolved in this run: 0;" in done.stdout
    with Store(tmp_path / "s") as store:
        found = {row.key: (row["id"][-7:], row["verdict"], row["gone"]) for row in rows(store)}
    assert sorted(found.values()) == [
        ("a.xsb#1", "solvable", False),
        ("a.xsb#2", "unsolvable", True),
        ("b.xsb#1", "solvable", False),
    ]


def test_a_file_may_vanish_during_a_run(tmp_path: Path) -> None:
    """The file exists when it is named, and is missing at its turn."""
    first, second = write(tmp_path / "a.xsb", ONE_PUSH), write(tmp_path / "b.xsb", CORNERED)
    problems: list[str] = []

    def entries() -> Iterator[Entry]:
        yield from load(first)
        second.unlink()
        yield from load(second)
        yield from load(first)

    progress = run_here(
        tmp_path / "s", entries(), Listener(unread=lambda found: problems.append(found.reason or ""))
    )
    assert (progress.verdicts, progress.exit_code) == ({"solvable": 1, "error": 1}, 2)
    assert len(problems) == 1
    assert problems[0].endswith("b.xsb: found no such file, expected a file, a folder or -")


def test_a_batch_takes_an_endless_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on levels in memory is one of check, not of a batch, which holds only the levels under way."""
    monkeypatch.setattr("puzzlemc.screens.base.source.MAX_LEVELS", 50)
    folder = write_rooms(tmp_path / "levels", 4, 30)
    assert "found more than" in puzzlemc("check", folder, "--quiet").stdout
    most = 0
    real = running._Batch._read

    def read(self: Any) -> None:
        nonlocal most
        real(self)
        most = max(most, len(self._wanted) + len(self._unread) + len(self._reading))

    monkeypatch.setattr(running._Batch, "_read", read)
    monkeypatch.setattr(LocalCrew, "most", 2)
    monkeypatch.setattr(running, "IDENTIFIED", 4)
    done = batch(tmp_path / "s", folder, "--engine", "forward")
    assert "120 levels: " in done.stdout
    assert most <= 2 * 2 * 2 * 2 + 2 * 4


def test_a_store_has_its_own_file_type(tmp_path: Path) -> None:
    with Store(tmp_path / "s", writing=True):
        pass
    connection = sqlite3.connect(tmp_path / "s")
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    with pytest.raises(StoreError, match="no such table: none"), Store(tmp_path / "s") as store:
        store.query("SELECT * FROM none")
