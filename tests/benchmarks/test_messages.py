"""The script that compares the messages of the reader with those of a reference, and the sources of others."""

import json
from pathlib import Path

import command
import pytest
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "messages.py"
GAME = "title One room\n{prelude}\nOBJECTS\nBackground .\nblack\n\nPlayer p\nwhite\n\nLEGEND\n\nSOUNDS\n\n" + (
    "COLLISIONLAYERS\nBackground\nPlayer\n\nRULES\n\nWINCONDITIONS\nNo Player\n\nLEVELS\n\np.\n"
)


def source(prelude: str, errors: int) -> str:
    messages = ["line 2 : a message"] * errors
    return json.dumps(
        {"name": "a game", "game": GAME.format(prelude=prelude), "messages": messages, "errors": errors}
    )


def test_the_script_counts_who_finds_errors(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    lines = [source("", 0), source("strange", 1), source("", 1), source("stranger", 0)]
    file.write_text("\n".join(lines))
    done = command.script(SCRIPT, file)
    assert done.returncode == 0
    for words in ("no errors for both", "errors for both", "errors for the reader only"):
        assert f"1 {words}" in done.stdout
    assert "a game: errors for the reference only\n  reference: line 2 : a message\n" in done.stdout
    assert "a game: errors for the reader only\n  reader: game:2:1: found 'stranger'" in done.stdout


@pytest.mark.corpus
def test_no_source_of_others_raises_an_exception() -> None:
    file = ROOT.parent / "shared" / "puzzlescript" / "messages.jsonl"
    if not file.is_file():
        pytest.skip(f"the sources are not here: {file}")
    done = command.script(SCRIPT, file)
    assert done.returncode == 0, done.stdout
    assert "raised an exception" not in done.stdout
