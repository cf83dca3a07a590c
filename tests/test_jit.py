"""Compiled code is compiled again when a function changes that is compiled into it, in whatever file."""

import subprocess
import sys
from pathlib import Path

HELPER = """
from puzzlemc.mc.jit import cached

@cached()
def value():
    return {}
"""
CALLER = """
from helper import value
from puzzlemc.mc.jit import cached

@cached()
def twice():
    return 2 * value()

print(twice(), sum(twice.stats.cache_hits.values()))
"""


def run(folder: Path) -> list[int]:
    """Return the result of the caller, and how often its code was read from the cache."""
    command = [sys.executable, "-c", "import caller"]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    return [int(word) for word in told.stdout.split()]


def test_a_change_of_a_helper_reaches_its_callers(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "helper.py").write_text(HELPER.format(1))
    assert run(tmp_path) == [2, 0]
    assert run(tmp_path) == [2, 1]
    (tmp_path / "helper.py").write_text(HELPER.format(5))
    assert run(tmp_path) == [10, 0]
