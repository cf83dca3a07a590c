"""Symmetric positions count as one: a position has the least of the hashes of its images.

The hash of a position is that of its boxes and the sum of random words for all cells that the player reaches. Sums
over subtrees of a depth-first search tree give the hashes of all images after a move without another flood.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks
    from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.mc.words import ALL, Flag, Index, Word, Words, Words2

    IMAGES = 8  # a constant, so that compilers add the words of all images at once


class Images:
    """The images of a board, and the hashes of the position at hand.

    The first image is the position itself, and so are those for which there is no symmetry.

    some    whether there are symmetries
    boxes   (cells + 1, images): the word for a box on the image of the cell
    player  (cells + 1, images): the word for the image of a cell that the player reaches
    plain   by image: the hash of the boxes
    sums    (cells + 1, images): the sum of the words of the cells below a cell of the tree, and of its own
    cuts    (cells + 1, images): the sum over those that a box on the cell cuts off
    """

    some: Flag  # readonly
    boxes: Words2  # readonly
    player: Words2  # readonly
    plain: Words  # readonly
    sums: Words2  # readonly
    cuts: Words2  # readonly

    def __init__(self, images: npt.NDArray[np.int16], codes: npt.NDArray[np.uint64]) -> None:
        """`images` is that of `images_of`; `codes` are those of a game."""
        size = codes.shape[1]
        cells = np.tile(np.arange(size, dtype=np.int16), (IMAGES, 1))
        cells[1 : 1 + len(images)] = images
        self.some = len(images) > 0
        self.boxes, self.player = (view(np.ascontiguousarray(code[cells.T])) for code in codes)
        self.plain = view(np.zeros(IMAGES, np.uint64))
        self.sums, self.cuts = (view(np.zeros((size, IMAGES), np.uint64)) for _ in range(2))


def hash_boxes(images: Images, boxes: Boxes) -> None:  # public
    """Find the hashes of the boxes: `images.plain`."""
    image: Index
    at: Index
    for image in range(IMAGES):
        images.plain[image] = 0
    for at in range(boxes.count):
        for image in range(IMAGES):
            images.plain[image] ^= images.boxes[boxes.cells[at], image]


def hash_flood(images: Images, marks: Marks, size: Index) -> Word:  # public
    """The hash of the position whose boxes are hashed, and whose player reaches the cells of the last flood."""
    image: Index
    at: Index
    least: Word = ALL
    for image in range(IMAGES):
        hashed: Word = 0
        with cython.overflowcheck(False):  # sums wrap around
            for at in range(size):
                hashed = (hashed + images.player[marks.cells[at], image]) & ALL
        least = min(least, hashed ^ images.plain[image])
    return least


def sum_up(images: Images, tree: Tree) -> None:  # public
    """Sum up the words of the cells of a tree."""
    image: Index
    at: Index
    cell: Index
    above: Index
    for at in range(tree.count):
        cell = tree.order[at]
        for image in range(IMAGES):
            images.sums[cell, image] = images.player[cell, image]
            images.cuts[cell, image] = 0
    with cython.overflowcheck(False):
        for at in range(tree.count - 1, 0, -1):
            cell = tree.order[at]
            above = tree.up[cell]
            for image in range(IMAGES):
                images.sums[above, image] = (images.sums[above, image] + images.sums[cell, image]) & ALL
            if tree.low[cell] >= tree.found[above]:
                for image in range(IMAGES):
                    images.cuts[above, image] = (images.cuts[above, image] + images.sums[cell, image]) & ALL


def hash_move(images: Images, tree: Tree, box: Index, target: Index, first: Index) -> Word:  # public
    """The hash of the position after a move of a box, which is the root of the tree, in the boxes that are hashed.

    first  the first cell of the component of the player, as in `part_at`
    """
    image: Index
    least: Word = ALL
    for image in range(IMAGES):
        hashed: Word = images.sums[first, image]
        if first == tree.root:
            with cython.overflowcheck(False):
                hashed = (hashed - images.cuts[target, image] - images.player[target, image]) & ALL
        hashed ^= images.plain[image] ^ images.boxes[box, image] ^ images.boxes[target, image]
        least = min(least, hashed)
    return least
