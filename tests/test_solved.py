"""Boards that are solved as they stand, by every engine; and what engines that cannot take a level say."""

import pytest

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.model import ANY
from puzzlemc.mc.sets.diagrams import DIAGRAMS
from puzzlemc.reports.run.solve import Options, solve_entry

TILES = "0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1"
SOLVED = {
    "sokoban": ["#####\n#@* #\n#####", "#####\n#@  #\n# * #\n#####"],
    "folding": ["1 2\n2 -1", "1"],
    "tetravex": [f"Tetravex 2\n{TILES}\nSwap\n4 1\n3 2", f"Tetravex 2\n{TILES}\nPut\n4 1\n3 2"],
}
# Not solved yet: some engines cannot take some of the encodings.
OPEN = {
    "sokoban": ["######\n#@$ .#\n######"],
    "folding": ["1 0"],
    "tetravex": [f"Tetravex 2\n{TILES}", f"Tetravex 2\n{TILES}\nSwap\n1 4\n3 2", "Tetravex 1\n0 0 0 0"],
}
# Of the puzzles whose levels can start solved.
ENCODINGS = [(name, encoding) for name in SOLVED for encoding in puzzle(name).encodings]
PAIRS = [
    (name, diagrams)
    for name in ("auto", *ENGINES)
    for diagrams in (DIAGRAMS if name == "auto" or "diagrams" in ENGINES[name].options else DIAGRAMS[:1])
]


def entries(name: str, texts: list[str]) -> list[Entry]:
    return [
        Entry("test#1", "", puzzle(name), level, None)
        for text in texts
        for level in puzzle(name).screen.parse(text, "test")
    ]


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
@pytest.mark.parametrize(("engine", "diagrams"), PAIRS)
def test_a_solved_board_needs_no_moves(name: str, encoding: str, engine: str, diagrams: str) -> None:
    for entry in entries(name, SOLVED[name]):
        for metric in (None, ANY):
            options = Options(metric, engine, diagrams, encoding, timeout=10, memory=1)
            result = solve_entry(entry, options)
            assert (result.verdict, result.reason) == ("solvable", None)
            assert result.cost == (0 if metric is None else None)
            assert result.optimal == (metric is None) or (engine != "auto" and not ENGINES[engine].optimal)
            assert len(result.trace or ()) == 0
            assert result.checked


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_an_engine_that_cannot_take_a_level_names_those_that_can(name: str, encoding: str) -> None:
    for entry in entries(name, OPEN[name]):
        verdicts, able = {}, {}
        for engine in ("auto", *ENGINES):
            result = solve_entry(entry, Options(None, engine, "auto", encoding, timeout=10, memory=1))
            verdicts[engine] = result.verdict
            if result.verdict == "error":
                start, _, end = (result.reason or "").partition("; expected one of ")
                assert start.startswith(f"test#1: {engine} cannot take this model: it")
                able[engine] = end.split(", ")
        assert able.keys() <= {"best-first", "explicit"}
        for named in able.values():
            assert len(named) >= 7
            assert all(verdicts[engine] == "solvable" for engine in named)
