"""How processes are started, and how one learns that the process which started it has ended.

On Linux a process is a copy of another one, which takes a millisecond. On macOS the system's own libraries do not
survive a copy, and Windows has none: there each process is a new interpreter, which imports what it needs.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, parent_process
from typing import Never

# A way to start processes that this system has and that is safe for a program with threads.
METHOD = "forkserver" if sys.platform != "darwin" and "forkserver" in get_all_start_methods() else "spawn"
COPIES = METHOD == "forkserver"  # can this process be copied?
REPLACES = hasattr(os, "fork")  # `os.execve` of Windows starts another process, for which nobody waits
LOOK_SECONDS = 1.0
ONCE_MORE = "PUZZLEMC_IS_STARTED_ONCE_MORE"  # set for a program whose starter waits for it
AGAIN = 75  # the exit code by which it asks its starter to run it again


def wait_for_end_of_parent(parent: int) -> bool:
    """Wait for the end of the process of this number, which has started this one, or a second longer. Return True.

    False if `multiprocessing` has not started this process, and it can be known by that alone.
    """
    if not COPIES:
        started_by = parent_process()
        if started_by is None:
            return False
        started_by.join()
        return True
    # Copies of one process hold the pipes of each other, by which `join` would find the end.
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            os.kill(parent, 0)  # on Windows this would be Ctrl-C
        except ProcessLookupError:
            return True


def run_instead(program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Never:
    """Run a program in place of this one. The first argument is its name."""
    if REPLACES:
        os.execve(program, [*arguments], environment)
    if ONCE_MORE in os.environ:
        sys.exit(AGAIN)
    while True:
        with subprocess.Popen([program, *arguments[1:]], env={**environment, ONCE_MORE: "1"}) as running:
            try:
                code = running.wait()
            finally:  # Ctrl-C ends both; a signal to this process alone ends the other one here
                running.kill()
        if code != AGAIN:
            sys.exit(code)


def collect_ended() -> None:
    """Wait for the ends of the processes that another program had started, in whose place this one runs."""
    if REPLACES:
        with suppress(ChildProcessError):  # there are none
            while True:
                os.waitpid(-1, 0)
