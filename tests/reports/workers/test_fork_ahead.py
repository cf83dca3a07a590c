"""Workers that a command forks from its own process: they are like those of the fork server."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import ONE_PUSH, PROGRAM, hard, write
from processes import are_gone, program, wait_until, workers_of
from systems import copies

SETUP = """
import os, signal, sys, threading, time
from puzzlemc.mc.errors import LimitReached
from puzzlemc.reports.workers.interrupt import catch_interrupts
from puzzlemc.reports.workers.worker import Worker, WorkerDied, fork_ahead

def sockets():
    links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return sum(os.path.exists(each) and os.readlink(each).startswith("socket:") for each in links)

def signals():
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    names = signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGHUP
    return [signal.getsignal(number).name for number in names], len(blocked)

def is_forked(worker):
    return worker.run(os.getppid) == os.getpid()

def interrupted():
    os.kill(os.getpid(), signal.SIGINT)
    return "goes on"

def modules():
    return [name for name in ("colorsys", "wave") if name in sys.modules]
"""


def run(code: str) -> list[str]:
    """The lines that a program writes which has imported nothing but the workers."""
    command = [sys.executable, "-c", SETUP + code]
    quiet = {**os.environ, "PYTHONFAULTHANDLER": ""}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=quiet)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@copies
def test_the_first_processes_are_forked_and_the_next_ones_come_from_the_server() -> None:
    found = run(
        "catch_interrupts()\n"
        "fork_ahead(2, ['colorsys'])\n"
        "fork_ahead(2, ['wave'])\n"
        "with Worker(1 << 26) as a, Worker(1 << 26) as b:\n"
        "    print(is_forked(a), is_forked(b), a.run(sockets), b.run(sockets), a.run(modules), b.run(modules))\n"
        "    print(a.run(signals), a.run(interrupted))\n"
        "    try: a.run(time.sleep, 30, seconds=0.1)\n"
        "    except LimitReached as error: print(error.reason, is_forked(a))\n"
        "    try: b.run(os.abort)\n"
        "    except WorkerDied as error: print(error)\n"
    )
    assert found == [
        "True True 1 1 ['colorsys'] ['colorsys']",
        "(['SIG_IGN', 'SIG_DFL', 'SIG_DFL', 'SIG_DFL'], 0) goes on",
        "timeout False",
        "the worker was killed by signal 6 (SIGABRT)",
    ]


@copies
def test_a_memory_limit_holds_in_a_forked_process() -> None:
    found = run(
        "fork_ahead(1, [])\n"
        "with Worker(1 << 26) as worker:\n"
        "    print(is_forked(worker))\n"
        "    for size in 1 << 30, 1 << 33:\n"  # the parent sees the first; the system refuses the second
        "        try: worker.run(bytearray, size)\n"
        "        except LimitReached as error: print(error.reason)\n"
    )
    assert found == ["True", "memory", "memory"]


@copies
@pytest.mark.parametrize(
    "before", ["import numpy", "threading.Thread(target=time.sleep, args=(20,), daemon=True).start()"]
)
def test_a_process_with_threads_or_stateful_libraries_is_not_forked(before: str) -> None:
    code = "fork_ahead(1, [])\nwith Worker(1 << 26) as worker:\n    print(is_forked(worker))\n"
    assert run(f"{before}\n{code}") == ["False"]


@copies
def test_processes_that_are_not_needed_end_with_the_program() -> None:
    (processes,) = run(
        "from multiprocessing import active_children\n"
        "fork_ahead(2, [])\n"
        "print(*(each.pid for each in active_children()))\n"
    )
    assert are_gone([int(pid) for pid in processes.split()])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_check_ends_its_workers(tmp_path: Path, number: signal.Signals) -> None:
    levels = [write(tmp_path / f"{name}.xsb", hard(6)) for name in "ab"]
    command = [*PROGRAM, "check", *levels, "--timeout", "60", "--jobs", "2"]
    with program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        wait_until(lambda: len(workers_of(running.pid)) == 2)
        workers = workers_of(running.pid)
        running.send_signal(number)
        running.communicate(timeout=30)
        assert running.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    wait_until(lambda: are_gone(workers), 10)


@copies
def test_check_forks_its_workers(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH)
    code = (
        "from multiprocessing import forkserver\n"
        "forkserver.ensure_running = None\n"
        f"sys.argv = ['puzzlemc', 'check', {str(path)!r}]\n"
        "from puzzlemc.reports.cli.start import main\n"
        "main()\n"
    )
    assert "1 level: 1 solvable" in run(code)[-1]
