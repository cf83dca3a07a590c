"""The comparison of the documents' pictures: times on them may differ, and nothing else."""

from pathlib import Path
from runpy import run_path

import pytest
from PIL import Image, ImageDraw

TOOLS = Path(__file__).parents[1] / "tools"


def test_a_picture_differs_by_more_than_some_digits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    differs = run_path(str(TOOLS / "pictures.py"))["differs"]
    plain = Image.new("RGB", (400, 300), "white")
    plain.save(tmp_path / "plain.png")
    for name, box in (("digits", (10, 10, 30, 20)), ("panel", (10, 10, 60, 60))):
        other = plain.copy()
        ImageDraw.Draw(other).rectangle(box, "navy")
        other.save(tmp_path / f"{name}.png")
    plain.resize((400, 299)).save(tmp_path / "small.png")
    found = {name: differs(tmp_path / f"{name}.png", tmp_path / "plain.png") for name in ("plain", "digits")}
    assert found == {"plain": False, "digits": False}
    assert differs(tmp_path / "panel.png", tmp_path / "plain.png")
    assert differs(tmp_path / "small.png", tmp_path / "plain.png")
    assert differs(tmp_path / "plain.png", tmp_path / "missing.png")


def test_a_drawing_differs_by_its_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    differs = run_path(str(TOOLS / "pictures.py"))["differs"]
    for name, text in (("one", '<svg><text x="1">mc</text></svg>'), ("moved", '<svg><text x="2">mc</text></svg>')):
        (tmp_path / f"{name}.svg").write_text(text)
    (tmp_path / "other.svg").write_text("<svg><text>mc/sat</text></svg>")
    assert not differs(tmp_path / "moved.svg", tmp_path / "one.svg")
    assert differs(tmp_path / "other.svg", tmp_path / "one.svg")
