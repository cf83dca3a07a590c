"""An interrupt that comes in a finalizer, where Python drops it."""

import subprocess
import sys

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
    time.sleep(30)
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
