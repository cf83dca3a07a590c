"""Functions and values that are imported when they are first asked for: every target exists."""

import ast
import re
from importlib import import_module

import pytest
from places import ROOT

TARGETS = sorted(
    {
        str(node.value)
        for path in (ROOT / "encodings").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and re.fullmatch(r"puzzlemc(\.\w+)+:\w+", str(node.value))
    }
)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_exists(target: str) -> None:
    module, _, name = target.partition(":")
    assert callable(getattr(import_module(module), name)) != name.isupper()


def test_there_are_targets() -> None:
    assert "puzzlemc.encodings.fabrik.decide:decide" in TARGETS
