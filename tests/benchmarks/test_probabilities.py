"""Probabilities of random games against the original engine, if it and node are here; and the exact solution."""

import shutil
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

SHARED = ROOT.parent / "shared" / "puzzlescript"
HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def benchmark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("probabilities")


def test_strategies_are_improved_until_none_is_better(benchmark: Any) -> None:
    """From node 1, going on is better than the way that is found first, and the circle of node 2 wins nothing."""
    table = [
        [{1: HALF, 3: HALF}],
        [{"won": HALF, 3: HALF}, {2: Fraction(1)}],
        [{1: HALF, 2: HALF}, {"won": Fraction(3, 4), 3: Fraction(1, 4)}, {2: Fraction(1)}],
        [{3: Fraction(1)}],
    ]
    assert benchmark.best(table) == Fraction(3, 8)
    assert benchmark.best([[{0: HALF, "won": HALF}]]) == 1
    assert benchmark.best([[{0: Fraction(1)}]]) == 0


def compared(benchmark: Any, part: int) -> Counter[str]:
    if not (SHARED / "engine").is_dir() or shutil.which("node") is None:
        pytest.skip(f"the original engine, or node, is not here: {SHARED / 'engine'}")
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    lines = (SHARED / "random_chance.jsonl").read_text().splitlines()[::part]
    counts: Counter[str] = Counter()
    engine = benchmark.Engine(SHARED / "engine", 30, 500)
    assert list(benchmark.compare(engine, lines, counts)) == []
    engine.close()
    return counts


@pytest.mark.corpus
def test_some_random_games_have_the_probabilities_of_the_original_engine(benchmark: Any) -> None:
    counts = compared(benchmark, 35)
    assert counts["probability between"] > 0
    assert counts["steps with draws"] > 30


@pytest.mark.corpus
@pytest.mark.slow
def test_more_random_games_have_the_probabilities_of_the_original_engine(benchmark: Any) -> None:
    counts = compared(benchmark, 5)
    assert counts["games compared"] > 60
    assert counts["probability between"] > 5
