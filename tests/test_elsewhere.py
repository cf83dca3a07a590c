"""A part of the tests, run where what only Linux has is hidden. `make test-elsewhere` runs all of them so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from puzzlemc.mc.system.processes import COPIES

PART = (
    "tests/mc/search/test_growing.py",
    "tests/reports/documents/test_saving.py",
    "tests/reports/workers/test_interrupt.py",
    "tests/screens/base/test_source.py",
)


@pytest.mark.skipif(not COPIES, reason="it is hidden already")
def test_a_part_of_the_tests_passes_where_linux_is_hidden() -> None:
    program = Path(sys.executable).with_name("pytest")
    folders = [str(ROOT / "tests" / "elsewhere"), *filter(None, [os.environ.get("PYTHONPATH")])]
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
    done = subprocess.run(
        [program, *options, *PART],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert "SKIPPED" in done.stdout  # what is copied elsewhere is not here: the fork server
