"""Levels of many puzzles with few positions."""

from pathlib import Path

import pytest

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.positions.explored import Explored, explored

ROOT = Path(__file__).parents[2]
FILES = (
    "screens/levels/sokoban/first_steps.xsb",
    "screens/levels/sokoban/unsolvable.xsb",
    "screens/levels/puzzlescript/shaft.txt",
    "screens/levels/puzzlescript/thaw.txt",
    "screens/levels/folding/first_folds.fold",
    "screens/levels/tetravex/games.tetravex",
    "screens/levels/pddl/ferry.pddl",
    "screens/levels/pddl/locks.pddl",
    "examples/river.py",
    "examples/jugs.py",
    "examples/pegs.py",
    "examples/rolling_cube.py",
)
MOST = 900  # positions of a level in a test


@pytest.fixture(scope="session")
def small() -> list[Explored]:
    """Levels of many puzzles, under each of their metrics."""
    found, refused = [], 0
    for file in FILES:
        path = ROOT / file
        for entry in load(str(path), str(path) if path.suffix == ".py" else None)[:5]:
            for metric in entry.puzzle.metrics:
                try:
                    found.append(explored(entry, metric, Budget(Limits(None, GIB)), MOST))
                except (LimitReached, ModelError):
                    refused += 1
    assert refused
    return found
