"""The comparison with the original engine, and the random games that it plays."""

import shutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import command
import pytest
from places import ROOT

from puzzlemc.screens.puzzlescript import Level, parse

ENGINE = ROOT.parent / "shared" / "puzzlescript" / "engine"


@pytest.fixture(scope="module")
def written_games() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("written_games")


def test_most_random_games_are_correct(written_games: Any) -> None:
    texts = [written_games.written(seed) for seed in range(40)]
    assert len(set(texts)) == 40
    assert sum(all(isinstance(level, Level) for level in parse(text, "game")) for text in texts) > 25
    assert written_games.written(7) == texts[7]


@pytest.mark.corpus
def test_turns_are_those_of_the_engine() -> None:
    if not ENGINE.is_dir() or shutil.which("node") is None:
        pytest.skip(f"the engine is not here: {ENGINE}, run by node")
    done = command.script(
        ROOT / "benchmarks" / "reference.py", ENGINE, "--seeds", "0", "3", "--most", "5", "--slow", "2"
    )
    assert done.returncode == 0, done.stdout
    assert "0 games differ" in done.stdout
    assert "3 games, " in done.stdout
