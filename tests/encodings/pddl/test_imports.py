"""A command that leaves levels to a worker forks it from itself: it must not load what makes a fork unsafe."""

import subprocess
import sys


def test_the_puzzle_is_imported_without_libraries_that_have_threads() -> None:
    program = (
        "import sys, puzzlemc.encodings.pddl.puzzle\n"
        "from puzzlemc.reports.workers.worker import STATEFUL\n"
        "print(sorted(STATEFUL & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
