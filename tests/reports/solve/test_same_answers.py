"""The same question has the same answer, independent of the machine's speed and of Python's hashes of texts.

An answer is the verdict, the trace, and the certificate, byte for byte.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

LEVELS = ROOT / "screens" / "levels"
ASKED = [  # level, metric, encoding: both sides of a search for these proofs take turns
    ("sokoban/first_steps.xsb#7", "moves", "tiles"),
    ("sokoban/warehouse.xsb#4", "pushes", "compact"),
    ("sokoban/first_steps.xsb#10", "pushes", "compact"),
    ("sokoban/first_steps.xsb#12", "moves", "compact"),
    ("sokoban/unsolvable.xsb#3", "pushes", "compact"),
    ("folding/first_folds.fold#6", "moves", "tiles"),
]
LARGE = [
    ("sokoban/first_steps.xsb#8", "moves", "tiles"),
    ("sokoban/warehouse.xsb#9", "moves", "compact"),
    ("sokoban/warehouse.xsb#9", "pushes", "compact"),
]

QUESTIONS = [  # level, metric, engine: several solutions cost the same, or a search has several choices
    *((f"sokoban/warehouse.xsb#{number}", metric, "auto") for number in (4, 9) for metric in ("pushes", "any")),
    *(
        ("sokoban/first_steps.xsb#9", "moves", each)
        for each in ENGINES
        if each not in ("bmc", "ic3", "k-induction")
    ),
    ("sokoban/first_steps.xsb#7", "moves", "bmc"),
    ("folding/torn.fold#1", "any", "ic3"),
    ("sokoban/first_steps.xsb#9", "pushes,moves", "auto"),
    ("folding/workshop.fold#3", "moves", "auto"),
    ("folding/first_folds.fold#6", "moves", "bidirectional"),
    ("tetravex/many_ways.tetravex#1", "moves", "auto"),
    ("tetravex/games.tetravex#1", "moves", "auto"),
]


class Uneven:
    """A clock that advances by a random time at each look: each operation takes a microsecond to a second."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 10 ** self._chance.uniform(-6, 0)
        return self._now


def certificate(level: str, metric: str, encoding: str, folder: Path) -> bytes:
    (entry,) = load([str(LEVELS / level)])
    options = Options(metric, "bidirectional", encoding=encoding, prove=True, timeout=0)
    path = folder / "certificate"
    result = certify(entry, options, solve_entry(entry, options), path)
    assert result.checked, result
    return path.read_bytes()


def answer(level: str, metric: str, engine: str) -> tuple[object, ...]:
    (entry,) = load([str(LEVELS / level)])
    result = solve_entry(entry, Options(metric, engine, timeout=0))
    assert result.verdict in ("solvable", "unsolvable"), result
    return result.verdict, result.cost, result.optimal, result.search.engine, result.trace


@pytest.mark.parametrize(("level", "metric", "engine"), QUESTIONS)
def test_an_answer_does_not_depend_on_the_clock(
    level: str, metric: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answer(level, metric, engine)
    for seed in range(examples(1, 2)):
        with monkeypatch.context() as patch:
            clock = Uneven(seed)
            for name in ("perf_counter", "monotonic", "process_time", "time"):
                patch.setattr(time, name, clock)
            assert answer(level, metric, engine) == expected


@pytest.mark.parametrize(
    ("level", "metric", "encoding"), [*ASKED, *(pytest.param(*each, marks=pytest.mark.slow) for each in LARGE)]
)
def test_a_certificate_does_not_depend_on_the_clock(
    level: str, metric: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = certificate(level, metric, encoding, tmp_path)
    for seed in range(examples(1, 3)):
        with monkeypatch.context() as patch:
            clock = Uneven(seed)
            for name in ("perf_counter", "monotonic", "process_time", "time"):
                patch.setattr(time, name, clock)
            assert certificate(level, metric, encoding, tmp_path) == expected


def test_answers_do_not_depend_on_hashes(tmp_path: Path) -> None:
    code = "import sys, test_same_answers as here; from pathlib import Path\n"
    code += f"for asked in here.ASKED[{examples(3, 0)}:] + here.LARGE[:{examples(0, 9)}]:\n"
    code += "    sys.stdout.buffer.write(here.certificate(*asked, Path(sys.argv[1])))\n"
    code += "for asked in here.QUESTIONS: sys.stdout.buffer.write(repr(here.answer(*asked)).encode())"
    found = set()
    for seed in ("0", "1"):
        env = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(Path(__file__).parent)]),
        }
        done = subprocess.run([sys.executable, "-c", code, tmp_path], env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()[-2000:]
        found.add(done.stdout)
    assert len(found) == 1
