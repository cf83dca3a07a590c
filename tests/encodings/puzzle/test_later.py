"""Functions and values that are imported when they are first asked for: every target exists."""

import ast
import re
from importlib import import_module

from places import ROOT


def targets() -> set[str]:
    """All targets in the sources. Every process reads this module: it looks for them when the test runs."""
    return {
        str(node.value)
        for path in (ROOT / "encodings").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and re.fullmatch(r"puzzlemc(\.\w+)+:\w+", str(node.value))
    }


def test_every_target_exists() -> None:
    found = sorted(targets())
    assert "puzzlemc.encodings.fabrik.decide:decide" in found
    for target in found:
        module, _, name = target.partition(":")
        assert callable(getattr(import_module(module), name)) != name.isupper(), target
