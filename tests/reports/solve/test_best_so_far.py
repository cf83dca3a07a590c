"""When a search for an optimum ends early, the best solution so far is kept; and a first one is found in time."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jobs
import pytest
from command import CORNERED, as_json, puzzlemc, write
from detours import DETOUR, OPEN, detour, entry_of
from places import ROOT
from processes import are_gone, program, wait_until
from terminals import started_on_terminal

from puzzlemc import screens
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.engines.lexicographic import lexicographic
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.reports.crew.chunk import run_chunk
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.crew.jobs import Answer, Job
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import Worker

RULES = puzzle("sokoban")
ROOM = f"{RULES.screen.draw(OPEN)}\nTitle: Two pushes\n"
SECONDS = 3.0  # of limits that are to be reached: on a busy machine, the work before takes longer
LONG = 600.0
HERE = ROOT / "tests"


def solved(
    folder: Path, job: Callable[..., object], patch: pytest.MonkeyPatch, options: Options, text: str = ROOM
) -> Result:
    """The result of a level whose search runs this function."""
    entries = load([str(write(folder / "a.xsb", text))])
    patch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", job)
    (result,) = solve_all(entries, options, 1)
    return result


def check_kept(verdict: str, cost: int | None, trace: object, *, optimal: bool | None) -> None:
    """Assert that it is a solution of the room with two pushes, which is not proved optimal."""
    assert (verdict, cost, optimal) == ("solvable", 2, False)
    assert isinstance(trace, str)
    assert RULES.replay(OPEN, list(trace)).costs["pushes"] == 2


def check_result(result: Result, reason: str, bound: int) -> None:
    check_kept(result.verdict, result.cost, result.trace, optimal=result.optimal)
    assert (result.reason, result.bound, result.checked, result.exit_code) == (reason, bound, True, 0)


@pytest.mark.parametrize(
    ("job", "reason", "options"),
    [
        (jobs.find_and_hang, "timeout", Options("pushes", timeout=SECONDS)),
        (jobs.find_and_be_killed, "memory", Options("pushes", timeout=LONG)),
    ],
)
def test_a_solution_survives_its_worker(
    job: Callable[..., object], reason: str, options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_result(solved(tmp_path, job, monkeypatch, options), reason, 1)


def test_a_solution_survives_the_limit_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options("pushes", timeout=LONG, memory=0.5)
    check_result(solved(tmp_path, jobs.find_and_fill, monkeypatch, options), "memory", 0)


def test_a_crash_is_an_error_even_after_a_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = solved(tmp_path, jobs.find_and_crash, monkeypatch, Options("pushes", timeout=LONG))
    assert (result.verdict, result.exit_code) == ("error", 4)


@pytest.mark.parametrize("metric", ["moves", "pushes,moves"])
def test_a_second_search_looks_for_any_solution(
    metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = time.monotonic()
    result = solved(tmp_path, jobs.hang, monkeypatch, Options(metric, timeout=SECONDS))
    assert SECONDS <= time.monotonic() - began < SECONDS + 10
    assert (result.verdict, result.optimal, result.reason) == ("solvable", False, "timeout")
    assert result.cost == {"pushes": 2, "moves": 5}[metric.split(",")[0]]


def test_the_second_search_waits_longer_if_no_core_is_spare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.os.cpu_count", lambda: 1)
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.ON_SPARE_SECONDS", 0.0)
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 2.0)
    result = solved(tmp_path, jobs.hang, monkeypatch, Options("pushes", timeout=2.0))
    assert (result.verdict, result.reason) == ("unknown", "timeout")


def test_a_second_search_improves_on_a_solution_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.5)  # the first one has its solution by then
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.ON_SPARE_SECONDS", SECONDS)
    result = solved(tmp_path, jobs.find_a_detour_and_hang, monkeypatch, Options("pushes", timeout=2 * SECONDS))
    check_kept(result.verdict, result.cost, result.trace, optimal=result.optimal)


def test_both_searches_end_once_a_solution_meets_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.001)
    began = time.monotonic()
    result = solved(tmp_path, jobs.prove_and_hang, monkeypatch, Options("pushes", timeout=LONG))
    assert time.monotonic() - began < LONG / 2
    assert (result.verdict, result.cost, result.optimal, result.bound) == ("solvable", 2, True, None)
    assert (result.reason, result.note, result.checked) == (None, "", True)


def test_each_better_solution_of_the_second_search_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = detour("pushes", 0)
    assert isinstance(decision.verdict, Unknown)
    assert decision.verdict.best is not None
    first = decision._replace(verdict=decision.verdict.best)
    monkeypatch.setattr(reachability, "auto", lambda *_, **__: first)
    found: list[Result] = []
    solve_entry(entry_of(OPEN), Options("pushes", some=True), better=found.append)
    assert [found[0].cost, found[-1].cost] == [4, 2]
    assert all((each.verdict, each.optimal, each.checked) == ("solvable", False, True) for each in found)
    found.clear()
    solve_entry(entry_of(OPEN), Options("pushes,moves", some=True), better=found.append)
    assert [each.cost for each in found] == [4]


def test_the_second_search_may_prove_a_level_unsolvable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search then ends at once."""
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.01)
    began = time.monotonic()
    result = solved(tmp_path, jobs.hang, monkeypatch, Options("pushes", timeout=30.0), CORNERED)
    assert (result.verdict, result.exit_code) == ("unsolvable", 1)
    assert time.monotonic() - began < 30


def test_the_first_search_goes_on_where_it_says_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one is not asked why, and counts nothing."""
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.01)
    for options in (Options("pushes", timeout=2.0, why=True), Options("pushes", timeout=2.0, count=True)):
        began = time.monotonic()
        assert solved(tmp_path, jobs.hang, monkeypatch, options, CORNERED).verdict == "unsolvable"
        assert time.monotonic() - began > 1.5


def test_a_search_that_ends_without_an_answer_leaves_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = solved(tmp_path, jobs.run_out_of_memory, monkeypatch, Options("pushes", timeout=LONG))
    check_result(result, "memory", 1)


def test_the_time_of_a_level_is_that_of_both_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = "puzzlemc.reports.solve.attempt.solve_in_worker"
    monkeypatch.setattr(second, jobs.spin_and_run_out_of_time)
    began = time.monotonic()
    result = solved(tmp_path, jobs.spin_and_run_out_of_memory, monkeypatch, Options("pushes", timeout=LONG))
    assert (result.verdict, result.reason, result.bound) == ("unknown", "memory", 1)
    assert result.note == "the second search, for any solution, ended: timeout"
    assert 1.5 <= (result.effort.wall_seconds or 0) <= time.monotonic() - began
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.0001)
    result = solved(tmp_path, jobs.find_and_be_killed_late, monkeypatch, Options("pushes", timeout=LONG))
    assert (result.verdict, result.reason) == ("solvable", "memory")
    assert result.effort.seconds > 0.15  # the first worker alone takes half of that
    monkeypatch.setattr(second, jobs.spin_and_refuse)
    options = Options("pushes", timeout=3.0, why=True)  # the first worker goes on until then
    result = solved(tmp_path, jobs.hang, monkeypatch, options, CORNERED)
    assert result.verdict == "unsolvable"
    assert (result.effort.wall_seconds or 0) > 2.5 > result.effort.seconds > 0.15


def test_the_row_of_a_level_says_if_its_second_worker_ran_out_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.hang)
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.solve_in_worker", jobs.run_out_of_memory)
    monkeypatch.setattr("puzzlemc.reports.solve.attempt.BESIDE", 0.001)
    done = puzzlemc("check", write(tmp_path / "a.xsb", ROOM), "--timeout", SECONDS)
    assert done.stdout.splitlines()[1].endswith("  timeout")
    assert done.stderr.rstrip().endswith("#1: the second search, for any solution, ended: memory")


def test_the_row_of_a_solution_says_why_it_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.find_and_hang)
    done = puzzlemc("check", write(tmp_path / "a.xsb", ROOM), "--timeout", SECONDS, "--verbose")
    row = done.stdout.splitlines()[1]
    assert "1 ≤ 2" in row
    assert row.endswith("  timeout")
    assert "#1: solvable (not proved best: timeout) by " in done.stderr


def test_a_crash_of_the_second_search_is_an_error_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for job, reason in ((jobs.crash, "killed by signal 6"), (jobs.fail, "the worker crashed: KeyError")):
        monkeypatch.setattr("puzzlemc.reports.solve.attempt.solve_in_worker", job)
        result = solved(tmp_path, jobs.run_out_of_memory, monkeypatch, Options("pushes", timeout=LONG))
        assert (result.verdict, result.exit_code) == ("error", 4)
        assert reason in (result.reason or "")


def test_the_second_search_changes_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = solve_entry(entry_of(OPEN), Options("pushes"))
    result = solved(tmp_path, jobs.solve_late, monkeypatch, Options("pushes", timeout=2 * SECONDS))
    assert (result.verdict, result.optimal, result.bound, result.reason) == ("solvable", True, None, None)
    assert (result.cost, result.trace, result.search.engine) == (alone.cost, alone.trace, alone.search.engine)


def test_a_solution_refutes_an_unsolvable_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = solved(tmp_path, jobs.refuse_late, monkeypatch, Options("pushes", timeout=2 * SECONDS))
    assert (result.verdict, result.exit_code) == ("error", 4)
    assert (result.reason or "").endswith("refuted: a solution, and a proof that there is none")


@pytest.mark.parametrize("options", [Options("any", timeout=2.0), Options("pushes", "forward", timeout=2.0)])
def test_a_search_for_any_solution_has_no_second_search(
    options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = solved(tmp_path, jobs.hang, monkeypatch, options)
    assert (result.verdict, result.reason) == ("unknown", "timeout")


def test_the_time_of_a_worker_is_that_of_its_parent() -> None:
    """The time of loading, such as of compiled code, is part of it."""
    with Worker(GIB) as worker:
        assert 0.5 <= worker.run(jobs.passed, jobs.Slow(), seconds=LONG) < 60


def test_no_plan_is_improved_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "auto", lambda *_, **__: detour("pushes", 1, "timeout"))
    result = solve_entry(entry_of(OPEN), Options("pushes"))
    assert (result.cost, result.trace, result.bound, result.reason) == (4, DETOUR, 1, "timeout")


def test_a_search_under_two_metrics_keeps_the_best_of_both_searches() -> None:
    model = RULES.encodings["compact"](OPEN).model
    long = detour("pushes", 0).verdict
    assert isinstance(long, Unknown)
    assert long.best is not None
    short = solve_entry(entry_of(OPEN), Options("pushes,moves"))
    reported: list[Reachable] = []

    def decide(model: object, metric: str, budget: Budget) -> Reachable | Unknown:
        assert long.best is not None
        if metric == "pushes":
            return replace(long.best, optimal=True)
        cheaper = replace(long.best, trace=replace(long.best.trace, actions=long.best.trace.actions[:5]))
        budget.record_plan(7, lambda: cheaper)
        return Unknown("timeout", 0, best=cheaper)

    verdict = lexicographic(decide, model, "pushes,moves", Budget(found=reported.append))
    assert isinstance(verdict, Reachable)
    assert not verdict.optimal
    assert len(verdict.trace.actions) == 5
    assert [len(run.trace.actions) for run in reported] == [len(DETOUR), 5]
    assert short.costs == {"pushes": 2, "moves": 5}


def test_each_better_solution_of_a_search_is_reported() -> None:
    found: list[Result] = []
    budget = Budget(Limits(seconds=LONG))
    assert budget.found is None
    result = solve_entry(entry_of(OPEN), Options("pushes", engine="bidirectional"), better=found.append)
    assert result.optimal
    assert found
    assert all((each.verdict, each.optimal, each.checked) == ("solvable", False, True) for each in found)
    assert [each.cost for each in found] == sorted({each.cost or 0 for each in found}, reverse=True)


@pytest.fixture
def layouts() -> Entry:
    """A level whose output is maximised."""
    return load([str(Path(screens.__file__ or "").parent / "levels" / "factorio" / "first_belts.factorio")])[0]


def test_each_better_layout_is_reported(layouts: Entry) -> None:
    found: list[Result] = []
    result = solve_entry(layouts, Options(), better=found.append)
    assert result.optimal
    assert found
    assert all((each.verdict, each.optimal, each.checked) == ("solvable", False, True) for each in found)
    assert all(each.best and "not proved" in each.note for each in found)
    assert result.best is not None
    assert found[-1].best is not None
    assert found[-1].best["output"] == result.best["output"]


def test_the_best_layout_so_far_is_kept_and_not_called_optimal(
    layouts: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.find_and_hang)
    (result,) = solve_all([layouts], Options(timeout=SECONDS), 1)
    assert (result.verdict, result.optimal, result.reason, result.checked) == ("solvable", False, "timeout", True)
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.hang)
    (result,) = solve_all([layouts], Options(timeout=SECONDS), 1)
    assert (result.verdict, result.optimal, result.reason, result.checked) == ("solvable", False, "timeout", True)


# Batches


def in_chunk(
    folder: Path, job: Callable[..., object], patch: pytest.MonkeyPatch, options: Options
) -> list[Answer]:
    """The answers of a batch for a level whose search runs this function."""
    (entry,) = load([str(write(folder / "a.xsb", ROOM))])
    answers: list[Answer] = []
    patch.setattr("puzzlemc.reports.crew.chunk._work", job)
    with Worker(int(options.memory * GIB)) as worker:
        run_chunk(worker, [Job(7, entry, options)], options.timeout or None, answers.extend)
    return answers


def test_a_batch_keeps_a_solution_of_a_worker_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Options("pushes", timeout=SECONDS)
    bound, first, last = in_chunk(tmp_path, jobs.find_and_hang_at_work, monkeypatch, options)
    assert (first.number, last.number, first.result, last.better) == (7, 7, None, None)
    assert bound.better is not None
    assert (bound.better.verdict, bound.better.bound, bound.better.reason) == ("unknown", 1, "interrupted")
    assert first.better is not None
    check_result(first.better, "interrupted", 1)
    assert last.result is not None
    check_result(last.result, "timeout", 1)


def test_the_time_of_a_level_of_a_batch_is_without_that_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = load([str(write(tmp_path / "a.xsb", ROOM, ROOM))])
    answers: list[Answer] = []
    monkeypatch.setattr("puzzlemc.reports.crew.chunk._work", jobs.spin_and_hang_at_work)
    options = Options("pushes", "forward", timeout=SECONDS)
    with Worker(GIB) as worker:
        work = [Job(number, entry, options) for number, entry in enumerate(entries)]
        run_chunk(worker, work, SECONDS, answers.extend)
    first, last = answers
    assert first.result is not None
    assert last.result is not None
    assert (first.result.reason, last.result.reason) == ("memory", "timeout")
    assert last.result.effort.seconds < 0.5


def test_a_batch_looks_for_any_solution_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, last = in_chunk(tmp_path, jobs.hang_at_work, monkeypatch, Options("pushes", timeout=SECONDS))
    assert last.result is not None
    check_result(last.result, "timeout", 1)


def test_a_verdict_is_kept_while_its_certificate_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(worker: Worker, entry: Entry, options: Options, result: Result, path: Path) -> Result:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(2)
        return result

    monkeypatch.setattr("puzzlemc.reports.crew.in_order._certified", interrupted)
    entries = load([str(write(tmp_path / "a.xsb", CORNERED))])
    left: list[tuple[Entry, Result]] = []
    with pytest.raises(KeyboardInterrupt):
        list(solve_all(entries, Options(), 1, {entries[0].id: tmp_path / "a.cert"}, left=left))
    ((entry, result),) = left
    assert entry is entries[0]
    assert (result.verdict, result.note) == ("unsolvable", "no certificate: interrupted")


# The program with replaced searches


def replaced(place: str, job: str) -> tuple[str, ...]:
    """The program with another function in the place of one of its own."""
    module, _, name = place.rpartition(".")
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); import jobs, {module}; {module}.{name} = jobs.{job}; "
    return sys.executable, "-c", f"{code}from puzzlemc.reports.cli.start import main; main()"


CHECK = replaced("puzzlemc.reports.crew.in_order.solve_in_worker", "find_and_hang")
BATCH = replaced("puzzlemc.reports.crew.chunk._work", "find_and_hang_at_work")
PROVE = replaced("puzzlemc.reports.crew.in_order.solve_in_worker", "prove_and_hang")
BATCH_PROVE = replaced("puzzlemc.reports.crew.chunk._work", "hang_at_work")


@pytest.fixture
def importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers import the jobs as well, and add themselves to a folder before they hang."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setenv(jobs.HANGING, str(tmp_path / "hanging"))
    (tmp_path / "hanging").mkdir()


def hanging(folder: Path, number: int) -> list[int]:
    """Wait until this number of workers hang and their earlier messages are read; return their processes."""
    wait_until(lambda: len(list((folder / "hanging").iterdir())) >= number)
    time.sleep(1)
    return [int(each.name) for each in (folder / "hanging").iterdir()]


@pytest.mark.usefixtures("importing")
@pytest.mark.parametrize("command", ["check", "solve"])
def test_ctrl_c_shows_the_best_solution_so_far(command: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ROOM)
    shown = started_on_terminal(
        command, path, "--timeout", 0, interrupt_at=b"one of 2 pushes is found", program=CHECK
    )
    assert shown.code == 130
    rows = [line for line in shown.lines if "solvable" in line]
    assert len(rows) == 1
    assert "2" in rows[0].split()
    assert shown.lines[-1] == "interrupted after 0 of 1 levels; 1 more has a solution"


@pytest.mark.usefixtures("importing")
def test_ctrl_c_shows_the_bound(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ROOM)
    asked = "check", path, "--timeout", 0, "--engine", "forward"
    shown = started_on_terminal(*asked, interrupt_at=b"no solution below 2 pushes", program=PROVE)
    assert shown.code == 130
    (place,) = [number for number, line in enumerate(shown.lines) if "unknown" in line]
    assert shown.lines[place + 1].strip() == "interrupted; no solution below 2 pushes"
    assert shown.lines[-1] == "interrupted after 0 of 1 levels; 1 more has a bound"


@pytest.mark.usefixtures("importing")
def test_an_interrupted_batch_keeps_the_bound_and_tries_again(tmp_path: Path) -> None:
    path, store = write(tmp_path / "a.xsb", ROOM), tmp_path / "a.sqlite"
    asked = ["batch", str(path), "--store", str(store), "--json", "--timeout", "0", "--engine", "forward"]
    with program([*BATCH_PROVE, *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        hanging(tmp_path, 1)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == 130, errors
    (row,) = map(json.loads, output.splitlines())
    assert (row["verdict"], row["bound"], row["reason"]) == ("unknown", 1, "interrupted")
    assert "interrupted; no solution below 1 push" in puzzlemc("results", store).stdout
    (again,) = map(json.loads, puzzlemc(*asked).stdout.splitlines())
    assert (again["verdict"], again["cost"], again["optimal"], again["reason"]) == ("solvable", 2, True, None)


@pytest.mark.usefixtures("importing")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_show_the_best_solution_of_each_unfinished_level(number: int, code: int, tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ROOM, ROOM, ROOM)
    command = [*CHECK, "check", str(path), "--timeout", "0", "--jobs", "2", "--json"]
    with program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        found = hanging(tmp_path, 2)
        running.send_signal(number)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == code
    rows = [json.loads(line) for line in output.splitlines()]
    assert [row["id"] for row in rows] == [f"{path}#1", f"{path}#2"]
    for row in rows:
        check_kept(row["verdict"], row["cost"], row["trace"], optimal=row["optimal"])
        assert (row["bound"], row["reason"]) == (1, "interrupted")
    assert errors.splitlines()[-1] == "interrupted after 0 of 3 levels; 2 more have a solution"
    wait_until(lambda: are_gone(found))


@pytest.mark.usefixtures("importing")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_an_interrupted_batch_keeps_the_best_and_tries_again(number: int, code: int, tmp_path: Path) -> None:
    path, store = write(tmp_path / "a.xsb", ROOM), tmp_path / "a.sqlite"
    command = [*BATCH, "batch", str(path), "--store", str(store), "--json", "--timeout", "0"]
    with program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        hanging(tmp_path, 1)
        running.send_signal(number)
        output, errors = running.communicate(timeout=30)
    assert running.returncode == code, errors
    (row,) = map(json.loads, output.splitlines())
    check_kept(row["verdict"], row["cost"], row["trace"], optimal=row["optimal"])
    assert (row["bound"], row["reason"]) == (1, "interrupted")
    (kept,) = as_json("results", store)[1]
    assert (kept["verdict"], kept["reason"], kept["trace"]) == ("solvable", "interrupted", row["trace"])
    done = puzzlemc("batch", path, "--store", store, "--json")
    (again,) = map(json.loads, done.stdout.splitlines())
    assert not done.stderr, done.stderr
    assert (again["verdict"], again["cost"], again["optimal"], again["reason"]) == ("solvable", 2, True, None)


def test_a_batch_tries_unproved_levels_again_with_larger_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, store = write(tmp_path / "a.xsb", ROOM), tmp_path / "a.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("puzzlemc.reports.crew.chunk._work", jobs.find_and_hang_at_work)
        _, (row,) = as_json("batch", path, "--store", store, "--timeout", SECONDS)
        check_kept(row["verdict"], row["cost"], row["trace"], optimal=row["optimal"])
        assert (row["bound"], row["reason"]) == (1, "timeout")
    done = puzzlemc("batch", path, "--store", store)
    assert "solved in this run: 0;" in done.stdout
    done = puzzlemc("batch", path, "--store", store, "--timeout", SECONDS, "--retry", "unknown")
    assert "solved in this run: 0;" in done.stdout
    assert "tried before with limits as large" in done.stdout
    with monkeypatch.context() as patch:
        patch.setattr("puzzlemc.reports.crew.chunk._work", jobs.note_known_at_work)
        trace = row["trace"]
        _, (row,) = as_json("batch", path, "--store", store, "--timeout", SECONDS + 1, "--retry", "unknown")
        assert (row["verdict"], row["cost"], row["bound"]) == ("solvable", 2, 1)
        assert trace in (tmp_path / "known").read_text()  # the search begins with it
    _, (row,) = as_json("batch", path, "--store", store, "--retry", "unknown")
    assert (row["verdict"], row["cost"], row["optimal"]) == ("solvable", 2, True)


@pytest.mark.corpus
@pytest.mark.slow
def test_a_real_level_keeps_a_late_first_solution(corpus: Path) -> None:
    """A solution takes some seconds, and a search for the fewest pushes finds none within a minute."""
    (entry,) = load([f"{corpus / 'sokoban' / 'sasquatch3.xsb'}#17"])
    (result,) = solve_all([entry], Options("pushes", timeout=60), 1)
    assert (result.verdict, result.optimal, result.reason, result.checked) == ("solvable", False, "timeout", True)
    assert 0 < (result.bound or 0) < (result.cost or 0)
