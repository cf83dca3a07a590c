"""`benchmarks/repairs.py`: its table, and that it sees repairs that are missing."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command import write
from places import ROOT

LEVEL = """\
######
#@ $.#
# $ .#
#  ###
######
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("repairs")


def test_repairs_are_the_edits_that_an_engine_finds(
    script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["repairs.py", str(write(tmp_path / "a.xsb", LEVEL)), "--levels", "1"])
    assert script.main() == 0
    _, *rows, one, two, by_engine = capsys.readouterr().out.splitlines()
    assert [row.endswith("  yes") for row in rows] == [True, True]
    assert one.startswith("1 edit: 1 levels, median ")
    assert two.startswith("2 edits: 1 levels, median ")
    assert by_engine.startswith("single edits by an engine: 2 levels, median ")

    monkeypatch.setattr(script, "singles", lambda *_: (1, {"another level"}))
    assert script.main() == 1
    assert capsys.readouterr().out.count("  NO") == 2


def test_pairs_are_compared_as_well(
    script: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(write(tmp_path / "a.fold", "1 0 0 0\n"))
    monkeypatch.setattr(sys, "argv", ["repairs.py", folder, "--levels", "1", "--edits", "cells", "--pairs", "500"])
    assert script.main() == 0
    assert "  yes, and pairs\n" in capsys.readouterr().out
    monkeypatch.setattr(script, "pairs", lambda *_: {"another level"})
    assert script.main() == 1
