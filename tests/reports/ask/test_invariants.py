"""`query LEVEL invariants`: what never changes, in words and for programs."""

import json
from pathlib import Path

from command import puzzlemc

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.limits import Limits
from puzzlemc.reports.ask.invariants import never_changing

EXAMPLES = Path(__file__).parents[3] / "tests/compatibility/0.1"
LIGHTS = ("--puzzle", EXAMPLES / "own_puzzle.py")


def test_words(tmp_path: Path) -> None:
    level = tmp_path / "five.lights"
    level.write_text("10000\n")
    done = puzzlemc("query", level, "invariants", *LIGHTS)
    assert done.returncode == 0
    head, count, found = done.stdout.splitlines()
    assert head == f"{level}#1: what never changes"
    assert count.startswith("1 sum of facts (")
    assert found == (
        "always an odd number of these: lamp[0], lamp[1], lamp[3], lamp[4]; in the goal 0, so there is no solution"
    )


def test_json(tmp_path: Path) -> None:
    level = tmp_path / "five.lights"
    level.write_text("11000\n")
    done = puzzlemc("query", level, "invariants", "--json", *LIGHTS)
    data = json.loads(done.stdout)
    (found,) = data["invariants"]
    assert (data["formula"], data["holds"], data["reason"]) == ("invariants", None, None)
    assert (found["modulo"], found["value"], found["goal"]) == (2, 0, 0)
    assert found["weights"] == [{"fact": f"lamp[{n}]", "weight": 1} for n in (0, 1, 3, 4)]


def test_a_table_of_levels() -> None:
    done = puzzlemc("query", EXAMPLES / "lights.txt", "invariants", *LIGHTS)
    assert done.returncode == 0
    assert "1 sum" in done.stdout.splitlines()[1]
    assert done.stdout.splitlines()[-1] == "4 levels, 4 answers: 4 listed"


def test_a_level_without_facts_and_without_circuit_says_why() -> None:
    (level,) = load([str(Path(__file__).parents[3] / "screens/levels/puzzlescript/shaft.txt") + "#1"])
    found = never_changing(level, Limits())
    assert (found.sums, found.exit_code) == (None, 3)
    assert found.as_text().endswith("has the command again, which has no circuit")


def test_a_sum_of_pairs_has_kinds_in_place_of_weights() -> None:
    level = next(iter(load([str(EXAMPLES / "boards.sliding") + "#1"], str(EXAMPLES / "sliding.py"))))
    found = never_changing(level, Limits())
    assert found.sums is not None
    assert [each.modulo for each in found.sums] == [None] * 5 + [2]
    parity = found.sums[-1].as_json()
    assert (parity["modulo"], parity["weights"]) == (2, [])
    assert parity["value"] == parity["goal"]
    assert isinstance(parity["pairs"], list)
    assert parity["pairs"][0]["kind"] == "at[1,…] to at[5,…], two of them"
    assert sum(kind["start"] for kind in parity["pairs"]) % 2 == parity["value"]
    words = f"a sum over {sum(kind['counting'] for kind in parity['pairs'])} kinds of pairs of facts is always"
    assert found.sums[-1].words.startswith(words)
