"""Floods by bits reach the same cells as plain ones, on boards of all shapes."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from puzzlemc.encodings.sokoban.board import bitboards, floods
from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.encodings.sokoban.board.numbered import Shorts, neighbours


def near_of(text: str) -> Shorts:
    """The neighbours of the cells of a drawing, in which "#" and missing characters are walls."""
    lines = text.split("\n")
    free = [(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign != "#"]
    return neighbours(free).astype(np.int16)


@st.composite
def boards(draw: st.DrawFn) -> tuple[str, list[int]]:
    """A drawing with at least one cell, and boxes on some cells."""
    sizes = [(5, 5), (14, 12), (30, 4), (62, 3), (64, 3), (70, 5), (130, 3), (2, 40)]
    width, height = draw(st.sampled_from(sizes))
    walls = draw(st.sampled_from(["   #", "      #", " #"]))
    lines = ["".join(draw(st.sampled_from(walls)) for _ in range(width)) for _ in range(height)]
    text = " " + "\n".join(lines)[1:]
    cells = sum(sign == " " for sign in text)
    return text, draw(st.lists(st.integers(0, cells - 1), unique=True, max_size=cells // 4))


# A spiral, in which a flood turns often; a row of more cells than a word has bits; a comb of many rooms.
SPIRAL = "         \n######## \n       # \n ##### # \n #   # # \n # ### # \n #     # \n ####### \n         "


@given(boards())
@example((SPIRAL, []))
@example((" " * 200 + "\n" + "# " * 100 + "\n" + " " * 200, [70, 140]))
@example(("\n".join("  # # #" * 9 for _ in range(30)), []))
def test_bits_reach_the_same_cells(made: tuple[str, list[int]]) -> None:
    text, boxes = made
    near = near_of(text)
    wall = len(near) - 1
    floor, marks, board = Floor(near), floods.Marks(wall), bitboards.Bitboard(near)
    region = bitboards.Region(board)
    for box in boxes:
        np.asarray(floor.on)[box] = 1
        bitboards.toggle(board, box)
    assert [cell for cell in range(wall) if not bitboards.is_free(board, cell)] == sorted(boxes)
    assert not bitboards.is_free(board, wall)
    seen = set[int]()
    for start in set(range(wall)) - set(boxes):
        if start in seen:
            continue
        floods.new_stamp(marks)
        size = floods.flood(floor, start, marks)
        cells = set(list(marks.cells)[:size])
        assert bitboards.fill(board, start, region) == region.size == size
        assert region.least == marks.least == min(cells)
        assert {cell for cell in range(wall + 1) if bitboards.is_in(board, region, cell)} == cells
        assert bitboards.fill(board, max(cells), region) == size  # from another cell
        seen |= cells
