"""Which puzzle a text is of is found without importing the readers of all puzzles."""

from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest
from places import ROOT

from puzzlemc.encodings import puzzles as registry
from puzzlemc.encodings.puzzles import OWN, WORDS, puzzles
from puzzlemc.screens.base.source import text_of

FILES = sorted(path for name in OWN for path in (ROOT / "screens" / "levels" / name).rglob("*.*"))
TEXTS = {
    "tetravex": [
        "TETRAVEX 1\n1 1 1 1\n",
        "N = 1;\npuzzle = [|1,1,1,1|];\n",
        "puzzle=array2d(1..1, 1..4, [1,1,1,1]);\n",
        "1\n1 2 3 4\n",
        "% a comment\n  1 1 \n1, 2, 3, 4\n",
    ],
    "fabrik": ["Fabrik 5\n", "[[NONE, black]]\n".lower(), "[[white]]", "[[worker]]"],
    "factorio": ["Factorio\nIn a: 1\n", '{"recipes": [], "inOutPos": []}'],
    "puzzlescript": ["OBJECTS\n", "Objects (of a game)\nlegend\n"],
    "pddl": ["begin_version\n3\n", "(DEFINE (PROBLEM p) (:domain d))", "; a\n( define ( problem p) (:domain d))"],
}


@pytest.mark.parametrize("name", OWN)
def test_a_puzzle_is_recognized_as_its_reader_does(name: str) -> None:
    reader = import_module(f"puzzlemc.screens.{name}")
    texts = [text_of(str(path)) for path in FILES] + [text for those in TEXTS.values() for text in those]
    assert any(reader.looks_like(text) for text in texts)
    assert [puzzles().looks_like(name, text) for text in texts] == [reader.looks_like(text) for text in texts]


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in TEXTS.items() for text in texts])
def test_each_form_is_recognized(name: str, text: str) -> None:
    assert puzzles().looks_like(name, text) > 0


def test_no_reader_is_imported_without_a_word_of_its_texts() -> None:
    with patch.object(registry, "import_module", side_effect=AssertionError):
        assert [puzzles().looks_like(name, "0 -1 2\n0 0 1\n") for name in WORDS] == [0.0] * len(WORDS)


def test_texts_are_of_every_puzzle_with_words() -> None:
    assert set(TEXTS) == set(WORDS) < set(OWN)
    assert {Path(path).parent.name for path in FILES} >= set(OWN)
