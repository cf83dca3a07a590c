"""Limits: time and memory of workers, and how they end."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import systems
from command import CORNERED, ONE_PUSH, PROGRAM, as_json, hard, puzzlemc, write
from jobs import MIB, certify_and_crash, complain, crash, fail, fill, spin
from processes import are_gone, program, wait_until, workers_of

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.errors import FormulaError, LimitReached
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.system.processes import COPIES
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.workers import worker as worker_module
from puzzlemc.reports.workers.worker import GRACE_SECONDS, LIBRARY_BYTES, Worker, WorkerDied

OVERRUN = 1.0  # seconds at most past a limit, without the start
BUSY = 4.0  # more seconds, on a busy machine


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker(64 * MIB) as made:
        made.run(abs, -1)  # to start it
        yield made


def test_a_worker_is_killed_at_its_time_limit(worker: Worker) -> None:
    started = time.monotonic()
    with pytest.raises(LimitReached, match="timeout"):
        worker.run(time.sleep, 30, seconds=0.5)
    assert 0.5 <= time.monotonic() - started < 0.5 + OVERRUN + BUSY
    assert worker.run(abs, -2) == 2  # in another process


def test_a_worker_is_killed_at_its_memory_limit(worker: Worker) -> None:
    taken: list[int] = []
    with pytest.raises(LimitReached, match="memory"):
        worker.run(fill, 4096, receive=taken.append)
    assert taken[-1] * MIB < LIBRARY_BYTES + 8 * 64 * MIB
    assert worker.run(fill, 32) == 4


def test_a_worker_returns_exceptions_and_messages(worker: Worker) -> None:
    with pytest.raises(FormulaError, match="column 3: odd") as raised:
        worker.run(complain)
    assert raised.value.column == 3
    with pytest.raises(WorkerDied, match=r"the worker crashed: KeyError: 'no such thing' \(jobs.py:\d+\)"):
        worker.run(fail)
    with pytest.raises(WorkerDied, match="ended with exit code 7"):
        worker.run(os._exit, 7)
    assert worker.run(abs, -2) == 2


def test_a_worker_measures_the_time_of_a_function(worker: Worker) -> None:
    with pytest.raises(LimitReached):
        worker.run(spin, 30, seconds=0.5)
    assert 0.02 < worker.seconds < 2  # of processor time, on a busy machine


def test_an_interrupted_function_gives_no_answer_to_the_next(worker: Worker) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.run(fill, 16, receive=interrupted)
    assert worker.run(abs, -3) == 3


def wait_for_workers(parent: int) -> list[int]:
    """The workers of a program, after they have worked for a moment."""
    wait_until(lambda: workers_of(parent))
    time.sleep(1 if COPIES else 5)  # a new process loads what it needs before it works
    return workers_of(parent)


def test_a_worker_killed_from_outside_is_an_error(tmp_path: Path) -> None:
    number = signal.SIGKILL
    path = write(tmp_path / "a.xsb", hard(6))
    command = [*PROGRAM, "check", str(path), "--json", "--timeout", "50"]
    with program(command, stdout=subprocess.PIPE, text=True) as running:
        started = time.monotonic()
        for pid in wait_for_workers(running.pid):
            os.kill(pid, number)
        output, _ = running.communicate(timeout=30)
        assert time.monotonic() - started < 30
    result = json.loads(output)
    assert running.returncode == 4
    assert result["verdict"] == "error"
    assert result["reason"].endswith(f"the worker was killed by signal {int(number)} ({number.name})")
    assert 0 < result["seconds"] < 30


def test_a_terminated_program_leaves_no_worker(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", hard(6))
    with program([*PROGRAM, "check", path, "--timeout", "0"]) as running:
        found = wait_for_workers(running.pid)
        assert found
        running.terminate()
        assert running.wait(20) == 128 + signal.SIGTERM
    wait_until(lambda: are_gone(found))


def test_a_room_that_exceeds_the_memory_is_unknown() -> None:
    """The encoding alone exceeds the memory, while no engine checks a limit."""
    text = "\n".join(["#" * 300, "#@$." + " " * 295 + "#", *["#" + " " * 298 + "#"] * 200, "#" * 300])
    started = time.monotonic()
    done = puzzlemc("check", "-", "--puzzle", "sokoban", "--memory", "0.0625", "--json", text=text)
    assert time.monotonic() - started < 40
    (result,) = (json.loads(line) for line in done.stdout.splitlines())
    assert (done.returncode, result["verdict"]) == (3, "unknown")


def room(side: int) -> str:
    """A large empty room with one box."""
    inner = side - 2
    rows = ["#" * side, "#@$." + " " * (inner - 3) + "#", *["#" + " " * inner + "#"] * (inner - 1), "#" * side]
    return "\n".join(rows)


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "{level}", "AG EF solved"),
        ("export", "{level}", "--to", "smv", "-o", "{out}"),
        ("report", "{level}", "-o", "{out}.html"),
        ("verify", "{certificate}"),
        ("generate", "tetravex", "--size", "30", "--unique"),
        ("compare", "{level}", "--method", "ic3"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_respects_the_time_limit(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    level = write(tmp_path / "a.xsb", room(400))
    certificate = {
        "format": "puzzlemc-certificate",
        "version": 1,
        "id": "a",
        "title": "",
        "puzzle": "sokoban",
        "level": room(400).split("\n"),
        "encoding": "compact",
        "metric": "pushes",
        "verdict": "unsolvable",
        "cost": None,
        "optimal": False,
        "trace": None,
        "proof": {"counts": [], "inputs": [], "gates": [], "layers": [0]},
    }
    file = tmp_path / "c.json"
    file.write_text(json.dumps(certificate))
    filled = [part.format(level=level, out=tmp_path / "out", certificate=file) for part in arguments]
    started = time.monotonic()
    # What a certificate of this size says is read in about a second.
    done = puzzlemc(*filled, "--timeout", "0.2" if arguments[0] == "verify" else "1")
    stages = 5 if arguments[0] == "report" else 1  # each stage has its own time limit, the last one twice
    assert time.monotonic() - started < stages * (1 + OVERRUN + BUSY)
    assert done.returncode == {"verify": 2, "compare": 0}.get(arguments[0], 3), done.stderr
    assert "timeout" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_crash_while_a_level_is_solved_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = load([str(write(tmp_path / "a.xsb", ONE_PUSH, CORNERED))])
    monkeypatch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", crash)
    results = list(solve_all(entries, Options(), 1))
    assert [(result.verdict, result.exit_code) for result in results] == [("error", 4)] * 2
    assert all("the worker was killed by signal 6 (SIGABRT)" in (result.reason or "") for result in results)


def test_an_unchecked_certificate_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older file stays, until the worker has written over it."""
    entries = load([str(write(tmp_path / "a.xsb", CORNERED))])
    paths = {entries[0].id: tmp_path / "a.cert"}
    paths[entries[0].id].write_text("older")
    for job, is_left in [(crash, True), (certify_and_crash, False)]:
        monkeypatch.setattr("puzzlemc.reports.crew.in_order._certify", job)
        (result,) = solve_all(entries, Options(), 1, paths)
        assert (result.verdict, result.exit_code) == ("unsolvable", 4)
        assert result.uncertified.startswith("no certificate: the worker was killed by signal 6")
        assert paths[entries[0].id].exists() == is_left


def test_bmc_stays_within_its_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", hard(4))
    code, (result,) = as_json("check", path, "--engine", "bmc", "--memory", "0.0625", "--timeout", "20")
    assert (code, result["verdict"]) == (3, "unknown")
    assert result["reason"] in {"memory", "timeout"}


def test_the_grace_is_within_the_overrun() -> None:
    assert GRACE_SECONDS < OVERRUN


def test_state_of_one_part_is_never_read_as_that_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent reads the marks of a worker at any moment, also between two writes."""
    parent = Worker(GIB)
    bounds: list[tuple[int, int]] = []

    class Marks(list[float]):
        def __setitem__(self, place: Any, value: Any) -> None:
            super().__setitem__(place, value)
            bounds.append((parent.part, parent.bound(parent.part)))

    marks = Marks([6.0, 0.0, 0.0, 96.0])
    parent._mark = marks
    monkeypatch.setattr(worker_module, "_mark", marks)
    worker_module.mark(7)
    assert {bound for part, bound in bounds if part == 7} == {0}
    worker_module.mark_bound(50)
    assert (parent.bound(7), parent.bound(6)) == (50, 0)


def test_a_worker_that_is_stopped_while_it_starts_says_so() -> None:
    """Stop it at many moments: before, while and after its process starts, and in the function."""
    ends: list[object] = []
    stopped = 0

    def run(worker: Worker) -> None:
        try:
            ends.append(worker.run(abs, -1))
        except BaseException as error:
            ends.append(error)

    for number in range(20):
        parent = Worker(GIB)
        thread = threading.Thread(target=run, args=(parent,))
        thread.start()
        time.sleep(number / 1000)
        parent.stop()
        thread.join()
        end = ends.pop()
        assert end == 1 or (isinstance(end, WorkerDied) and str(end) == "the worker was stopped")
        stopped += end != 1
        assert parent.resident == 0
    assert stopped


@systems.address_space
@pytest.mark.parametrize("mebibytes", [64, 96, 128, 200, 255])
@pytest.mark.parametrize("arguments", [("check", "a.xsb"), ("report", "a.xsb", "-o", "r.html")])
def test_too_little_address_space_is_said(tmp_path: Path, mebibytes: int, arguments: tuple[str, ...]) -> None:
    write(tmp_path / "a.xsb", ONE_PUSH)
    command = ["sh", "-c", f'ulimit -v {mebibytes << 10} && exec "$@"', "sh", *PROGRAM, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    message = f"error: the limit of address space (ulimit -v): found {mebibytes} MiB, expected at least 256 MiB\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
