"""The script that compares the implementations of PuzzleScript turns on random levels."""

import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from examples import examples


@pytest.fixture(scope="module")
def script() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("cross_check")


def test_implementations_agree(script: Any) -> None:
    counts, kinds = Counter[str](), set[str]()
    for levels in script.drawn_games(random.Random(5), examples(25, 40), 1):
        kinds.update(script.kinds(levels[0]))
        for level in levels:
            assert script.compare(level, 20, counts) == ""
    assert counts["solvable"] > examples(5, 10)
    assert counts["unsolvable"] > examples(5, 10)
    assert counts["proofs checked"] > examples(12, 25)
    assert {"again", "cancel", "restart", "win", "late", "rigid", "ellipsis", "loops", "properties"} <= kinds
    assert {"run_rules_on_level_start", "require_player_movement", "action", "several rows"} <= kinds


def test_a_wrong_implementation_is_found_out(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = script.TURNS["plain"]

    def wrong(level: Any, cells: Any, movement: str, begins: bool, choose: Any) -> Any:
        return plain(level, cells, {"up": "down"}.get(movement, movement), begins, choose)

    monkeypatch.setattr(script, "TURNS", {"plain": plain, "wrong": wrong})
    levels = next(script.drawn_games(random.Random(5), 1, 20))
    assert any("wrong:" in script.compare(level, 20, Counter()) for level in levels)
