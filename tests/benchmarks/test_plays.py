"""Recorded plays of PuzzleScript games: the script that plays them, and the recordings of others."""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import command
import pytest
from places import ROOT

from puzzlemc.encodings.puzzlescript.draws.drawn_turns import DrawnTurns
from puzzlemc.mc.rules.chance import Turn

GAME = """\
title Two rooms
{flags}

OBJECTS
background .
black

wall #
gray

player p
white

crate *
brown

target o
blue

LEGEND
@ = crate and target

SOUNDS

COLLISIONLAYERS
background
target
player, wall, crate

RULES
[ > player | crate ] -> [ > player | > crate ]
{rules}

WINCONDITIONS
all crate on target

LEVELS

p*o.

message Well done

.p*.o
"""
FIRST = "background player:0,background crate:1,background target:2,background:3,\n"


def recorded(
    inputs: list[int | str], expected: str, level: int = 0, rules: str = "", flags: str = ""
) -> dict[str, Any]:
    game = GAME.format(rules=rules, flags=flags)
    return {"name": "a play", "game": game, "level": level, "inputs": inputs, "expected": expected}


@pytest.fixture(scope="module")
def plays() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("plays")


@pytest.fixture(params=["plain", "planes", "cells", "circuit"])
def turn(plays: Any, request: pytest.FixtureRequest) -> Any:
    return plays.TURNS[request.param]


def test_inputs_move_undo_and_restart(plays: Any, turn: Any) -> None:
    pushed = "background:0,background player:1,background crate target:2,0,\n"
    assert plays.last_board(recorded([], FIRST), turn) == FIRST
    assert plays.last_board(recorded([3], pushed), turn) == pushed
    for back in ("undo", "restart"):
        assert plays.last_board(recorded([0, 3, back], FIRST), turn) == FIRST
        flags = f"no{back}"
        assert plays.last_board(recorded([3, back], pushed, flags=flags), turn) == pushed


def test_messages_count_as_levels(plays: Any, turn: Any) -> None:
    last = "background:0,background player:1,background crate:2,0,background target:3,\n"
    assert plays.last_board(recorded([], last, level=2), turn) == last
    moved = "background:0,0,background player:1,background crate:2,background target:3,\n"
    assert plays.last_board(recorded([3], moved, level=2), turn) == moved


def test_draws_are_those_of_the_cipher(plays: Any) -> None:
    """The known bytes for a key: seven make a draw."""
    for key, first, second in (("Key", 0xEB9F7781B734, 0x72A719), ("Secret", 0x04D46B053CA8, 0x59)):
        draws = plays.Draws(key)
        assert draws.choose(2**48) == first
        assert draws.choose(256 ** ((second.bit_length() + 7) // 8)) == second
        assert draws.count == 2


COIN = "[ action player | crate ] -> [ player | random crate random wall random target ]"
DRAWN = {
    "Secret": "background:0,background player:1,background target:2,0,2,\n",
    "Wiki": "background:0,background player:1,background wall:2,0,background target:3,\n",
    "Key": "background:0,background player:1,background crate:2,0,background target:3,\n",
}


@pytest.mark.parametrize("name", ["plain", "planes"])
def test_a_play_draws_from_its_seed(plays: Any, name: str) -> None:
    """The seeds draw the first, the second and the third of three objects, which are in the order of layers."""

    def result(seed: str | None, board: str) -> str:
        ((found, _),) = plays.results([recorded([4], board, 2, COIN) | {"seed": seed}], plays.TURNS[name])
        return str(found)

    for seed in DRAWN:
        found = [result(seed, board) for board in DRAWN.values()]
        assert found == ["passed" if other == seed else "failed" for other in DRAWN]
    assert sorted(result(None, board) for board in DRAWN.values()) == ["passed", "refused", "refused"]


def test_compiled_turns_have_to_list_what_is_drawn(plays: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    play = recorded([4], DRAWN["Key"], 2, COIN) | {"seed": "Key"}
    monkeypatch.setattr(DrawnTurns, "turn", lambda *_: Turn(()))
    ((result, words),) = plays.results([play], plays.planes)
    assert result == "failed"
    assert words == f"a turn that is not listed, to\n{DRAWN['Key']}"


def test_the_script_counts_results(tmp_path: Path) -> None:
    file = tmp_path / "plays.jsonl"
    plays = [recorded([], FIRST), recorded([3], FIRST), recorded([], FIRST, flags="strange 1")]
    file.write_text("".join(json.dumps(each) + "\n" for each in plays))
    done = command.script(ROOT / "benchmarks" / "plays.py", file, "--turns", "plain")
    assert done.returncode == 1
    assert "plain: 1 passed, 1 failed, 1 refused" in done.stdout
    assert "plain: refused: a play: game:2:1: found 'strange 1'" in done.stdout
    file.write_text(json.dumps(plays[0]))
    assert command.script(ROOT / "benchmarks" / "plays.py", file).returncode == 0


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("first", "name"), [(0, "plain"), (1, "planes"), (2, "cells")])
def test_the_recorded_plays_pass(plays: Any, first: int, name: str) -> None:
    """A third of them each; `benchmarks/plays.py` plays them all in every way."""
    file = ROOT.parent / "shared" / "puzzlescript" / "plays.jsonl"
    if not file.is_file():
        pytest.skip(f"the recorded plays are not here: {file}")
    third = [json.loads(line) for line in file.read_text().splitlines()[first::3]]
    results = [result for result, _ in plays.results(third, plays.TURNS[name])]
    assert results.count("failed") == 0
    assert results.count("refused") <= {"plain": 0, "planes": 10, "cells": 20}[name]
    assert results.count("passed") == 105 - results.count("refused")
