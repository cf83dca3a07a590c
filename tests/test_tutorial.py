"""The notebooks of the tutorial print what is stored in them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from places import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "tutorial").glob("*.ipynb"))
SPEC = importlib.util.spec_from_file_location("run_notebooks", ROOT / "tools" / "run_notebooks.py")
assert SPEC is not None
assert SPEC.loader is not None
run_notebooks = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run_notebooks)


def test_there_are_seven() -> None:
    assert [path.name[0] for path in NOTEBOOKS] == list("1234567")


def sorted_operands(text: str) -> str:
    """A text with the operands of each conjunction and disjunction sorted: pyeda has them in any order."""
    return re.sub(r"(And|Or)\((.*)\)", lambda found: f"{found[1]}({sorted(found[2].split(', '))})", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_is_stored(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    stored = [
        "".join("".join(each["text"]) for each in cell["outputs"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    assert list(map(sorted_operands, run_notebooks.outputs(notebook))) == list(map(sorted_operands, stored))
    assert sum(map(bool, stored)) >= 4
