"""The benchmark of invariants: its judgement of random models, and of a few levels."""

import subprocess
import sys

from places import ROOT

SCRIPT = str(ROOT / "benchmarks" / "invariants.py")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


def test_nothing_is_wrong_in_random_models() -> None:
    done = run("random", "--models", "30")
    assert done.returncode == 0, done.stderr
    counts = {name: int(number) for number, name in (line.split(maxsplit=1) for line in done.stdout.splitlines())}
    assert counts["called unreachable"] > 5
    assert counts["changed proofs of false claims"] == 3 * counts["called unreachable"]
    assert not any(number for name, number in counts.items() if name.startswith("WRONG"))


def test_levels_are_counted() -> None:
    done = run("levels", "examples/lights.txt", "--puzzle", "examples/own_puzzle.py")
    assert done.returncode == 0, done.stderr
    assert "    1  settled\n" in done.stdout
    assert "    3  not settled\n" in done.stdout
