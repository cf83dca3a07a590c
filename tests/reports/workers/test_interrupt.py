"""An interrupt that comes in a finalizer, where Python drops it."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
from systems import copies

from puzzlemc.reports.workers import worker

CODE = """
import os, signal, time
from puzzlemc.reports.workers.interrupt import catch_interrupts, interrupt_taken

class Finalized:
    def __init__(self, end):
        self.end = end

    def __del__(self):
        self.end()

def fail():
    raise ValueError("broken")

catch_interrupts()
Finalized(lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    for _ in range(300):
        time.sleep(0.1)
except KeyboardInterrupt:
    interrupt_taken()
    print("taken", flush=True)
"""


def run(more: str = "") -> subprocess.CompletedProcess[str]:
    """A program that is interrupted in a finalizer, and what it does then."""
    return subprocess.run([sys.executable, "-c", CODE + more], capture_output=True, text=True, check=True)


def test_it_is_raised_again_and_not_printed() -> None:
    done = run()
    assert (done.stdout, done.stderr) == ("taken\n", "")


def test_other_errors_are_printed() -> None:
    assert "ValueError: broken" in run("Finalized(fail)").stderr


def in_this_thread(call: Callable[[], None]) -> None:
    call()


def in_another_thread(call: Callable[[], None]) -> None:
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


@copies
@pytest.mark.parametrize("run_in", [in_this_thread, in_another_thread])
def test_ctrl_c_does_not_end_a_fork_server_that_starts(
    run_in: Callable[[Callable[[], None]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process starts with the blocked signals of its thread, and would print a traceback else."""
    blocked = []

    def masked() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

    monkeypatch.setattr(worker.forkserver, "ensure_running", lambda: blocked.append(masked()))

    def start() -> None:
        worker._start_server()
        blocked.append(masked())

    run_in(start)
    assert blocked == [True, False]
