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
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = list(run_notebooks.outputs(notebook))
    printed = [
        "".join("".join(each["text"]) for each in cell["outputs"] if each["output_type"] == "stream")
        for cell in code
    ]
    assert [sorted_operands(each.text) for each in shown] == list(map(sorted_operands, printed))
    pictures = [
        "".join("".join(each["data"]["text/html"]) for each in cell["outputs"] if "data" in each) for cell in code
    ]
    assert [each.picture for each in shown] == pictures
    assert sum(map(bool, printed)) >= 4


def test_the_first_notebook_shows_its_puzzle() -> None:
    notebook = json.loads(NOTEBOOKS[0].read_text(encoding="utf-8"))
    shown = [
        each["data"]["text/plain"]
        for cell in notebook["cells"]
        for each in cell.get("outputs", ())
        if "data" in each
    ]
    assert shown == [["<level glide.py#1 'Two flags' of glide>"], ["<result glide.py#1: solvable, 5 pushes>"]]
