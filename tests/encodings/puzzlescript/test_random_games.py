"""Random games whose answers the original engine has found: each reading of the rules finds the same.

The engine skipped messages, as its own tests do. On a page, `win` beside a message does not win: games with a
warning that says so are left out. Games that the reader refuses have a `checkpoint` beside a `restart`, and rules
at the start, or win conditions that hold there.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.screens.puzzlescript import Level, parse

FILE = ROOT.parent / "shared" / "puzzlescript" / "random_games.jsonl"
MOST = 400_000  # positions; none of the games has more
PART = 61  # one game in this number is played by default
REFUSED = ("found a rule with a checkpoint", "found a level whose win conditions hold at its start")


@pytest.fixture(scope="module")
def cross_check() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("cross_check")


@cache
def recorded() -> list[dict[str, Any]]:
    if not FILE.is_file():
        pytest.skip(f"the recorded answers are not here: {FILE}")
    return [json.loads(line) for line in FILE.read_text().splitlines()]


def compare(cross_check: Any, reading: str, games: list[dict[str, Any]]) -> int:
    """Compare answers. Returns the number of games that have been played."""
    wrong, played = list[str](), 0
    for each in games:
        (level,) = parse(each["game"], each["name"])
        if not isinstance(level, Level):
            if each["answer"] != "refused" and not any(words in str(level) for words in REFUSED):
                wrong.append(f"{each['name']}: {level}")
            continue
        if each["answer"] == "refused" or any("does not win" in warning.text for warning in level.game.warnings):
            continue
        try:
            found = cross_check.explored(cross_check.TURNS[reading], level, MOST)
        except Unsuitable:
            continue
        played += 1
        if answer(found) != expected(each):
            wrong.append(f"{each['name']}: found {answer(found)}, expected {expected(each)}")
    assert not wrong, "\n".join(wrong)
    return played


def answer(found: Any) -> tuple[str, int | None]:
    return found.verdict, found.states if found.verdict == "unsolvable" else found.cost


def expected(each: Mapping[str, Any]) -> tuple[str, int | None]:
    return each["answer"], each["positions"] if each["answer"] == "unsolvable" else each["turns"]


@pytest.mark.corpus
@pytest.mark.parametrize(("first", "reading"), list(enumerate(["plain", "planes", "cells", "circuit"])))
def test_a_part_of_the_games(cross_check: Any, first: int, reading: str) -> None:
    assert compare(cross_check, reading, recorded()[first::PART]) > 5


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("reading", ["plain", "planes", "cells", "circuit"])
def test_all_games(cross_check: Any, reading: str) -> None:
    assert compare(cross_check, reading, recorded()) > 300
