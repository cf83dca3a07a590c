"""The tables and plots of the benchmarks page are those of the figures that were measured."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import ROOT


@pytest.fixture(scope="module")
def published() -> ModuleType:
    path = ROOT / "benchmarks" / "published.py"
    spec = importlib.util.spec_from_file_location("published", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_figures(published: ModuleType) -> None:
    figures = json.loads(published.FIGURES.read_text(encoding="utf-8"))
    assert len(figures["sets"]) >= 3
    page = published.PAGE.read_text(encoding="utf-8")
    assert f"{published.BEGIN}\n\n{published.section(figures)}\n\n{published.END}" in page
    assert published.written(figures) == published.FIGURES.read_text(encoding="utf-8")


def test_a_table_compares_over_the_levels_that_both_solve(published: ModuleType) -> None:
    def row(ours: float, theirs: float | None) -> dict[str, Any]:
        verdict = "unknown" if theirs is None else "solvable"
        return {
            "id": "a",
            "answers": {
                "puzzlemc": {"verdict": "solvable", "cpu": ours},
                "symk": {"verdict": verdict, "cpu": theirs or 9.0},
            },
        }

    rows = [row(1.0, 0.5), row(2.0, 4.0), row(5.0, None)]
    assert published.table(rows).splitlines()[2:] == [
        "| puzzlemc | 3 of 3 | 8.00 | 8.00 | 1.00 |",
        "| SymK | 2 of 3 | 4.50 | 3.00 | 1.50 |",
    ]


def test_a_plot_names_each_program(published: ModuleType, tmp_path: Path) -> None:
    rows = json.loads(published.FIGURES.read_text(encoding="utf-8"))["sets"]["unsolvable"]["levels"]
    published.draw("unsolvable", rows, tmp_path / "plot.svg")
    text = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    for peer in published.peers(rows):
        assert published.STYLES[peer][0] in text
