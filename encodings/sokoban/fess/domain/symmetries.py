"""Symmetries of a board: rotations and reflections that keep its goals and its boxes.

A position leads to the goals exactly if its images do, and all of them are dead or none is. A path to a position
goes on from there by the image of the path from another one. So the player at the start does not matter.
"""

from collections.abc import Hashable

import numpy as np

from puzzlemc.encodings.sokoban.board.floods import reachable_cells
from puzzlemc.encodings.sokoban.board.numbered import Ints, NumberedLevel, Shorts
from puzzlemc.encodings.sokoban.domain.symmetry import floor_symmetries


def images_of(board: NumberedLevel) -> Shorts:
    """The image of each cell under each symmetry but the one that moves nothing: (symmetries, cells + 1)."""
    number: dict[Hashable, int] = {cell: place for place, cell in enumerate(board.cells)}
    found = [
        np.array([number[symmetry[cell]] for cell in board.cells] + [len(number)], np.int16)
        for symmetry in floor_symmetries(board.cells)
    ]
    kept = [image for image in found if _keeps(image, board.goals) and _keeps(image, board.boxes)]
    return np.array(kept, np.int16).reshape(len(kept), len(board.near))


def _keeps(image: Shorts, cells: Ints) -> bool:
    """Does it map these sorted cells to themselves?"""
    return bool((np.sort(image[cells]) == cells).all())


def least_cells(board: NumberedLevel, boxes: list[int], players: list[int]) -> list[int]:
    """For each player, the least cell that it reaches among these boxes."""
    return [reachable_cells(board.near, boxes, player)[0] for player in players]
