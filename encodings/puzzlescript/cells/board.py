"""A board within a round: masks of the objects and of the movements of each cell.

Cells are numbered by rows. For each row, each column and the whole board there is a mask of all objects in it, and
one of all movements. Objects that have gone may still be in these masks: they only say what cannot be there.
Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Word, Words, Words2

    WAYS = 5  # the movements of a layer
    LAYERS_OF_A_WORD = 12  # of a mask of movements
    # The numbers of movements, in the order of the moves.
    UP = 0
    LEFT = 1
    DOWN = 2
    RIGHT = 3
    ACTION = 4


class Board:
    """A board of a level. `words` and `motion_words` are those of a mask of objects and of movements.

    steps          by direction, the difference of the numbers of a cell and of the next one
    layer_objects  (layers, words): the objects of each layer
    objects        (cells, words)
    movements      (cells, motion_words)
    row_objects, row_movements        of each row
    column_objects, column_movements  of each column
    all_objects, all_movements        of the board
    has_rigid      whether there are rigid rules
    rigid          (layers, cells): the number of the group whose rigid rule has set the movement, 0 for none
    banned         by number of a rigid group, whether it is left out
    queue          the commands that are queued
    found          the matches of the rows of a rule, one after the other: the first cells of the parts of the row
    used           the length of `found` that is used
    drawn          whether a rule that draws has had a match: the board is not what may come of it
    crowded        whether a match was lost because `found` is full
    row_found      where the matches of each row begin in `found`
    chosen         the match of each row in a combination
    begins         the first cells of the parts of a match that is being found
    """

    width: Index  # readonly
    height: Index  # readonly
    cells: Index  # readonly
    words: Index  # readonly
    motion_words: Index  # readonly
    layers: Index  # readonly
    steps: Ints
    layer_objects: Words2
    objects: Words2
    movements: Words2
    row_objects: Words2
    row_movements: Words2
    column_objects: Words2
    column_movements: Words2
    all_objects: Words
    all_movements: Words
    has_rigid: Flag
    rigid: Ints2
    banned: Bytes
    queue: Index
    found: Ints
    used: Index
    drawn: Flag
    crowded: Flag
    row_found: Ints
    chosen: Ints
    begins: Ints

    def __init__(
        self, size: tuple[int, int], layer_objects: npt.NDArray[np.uint64], rigid: int, most: tuple[int, int]
    ) -> None:
        """An empty board.

        size   the width and the height
        rigid  the greatest number of a rigid group, 0 if there is none
        most   the most rows of a rule, and the most parts of a row
        """
        self.width, self.height = size
        self.cells = self.width * self.height
        self.layers, self.words = layer_objects.shape
        self.motion_words = (self.layers + LAYERS_OF_A_WORD - 1) // LAYERS_OF_A_WORD
        self.steps = view(np.array([-self.width, -1, self.width, 1], np.int32))
        self.layer_objects = view(layer_objects)
        lines = (self.cells, self.height, self.width)
        self.objects, self.row_objects, self.column_objects = (
            view(np.zeros((count, self.words), np.uint64)) for count in lines
        )
        self.movements, self.row_movements, self.column_movements = (
            view(np.zeros((count, self.motion_words), np.uint64)) for count in lines
        )
        self.all_objects = view(np.zeros(self.words, np.uint64))
        self.all_movements = view(np.zeros(self.motion_words, np.uint64))
        self.has_rigid = rigid > 0
        self.rigid = view(np.zeros((self.layers, self.cells), np.int32))
        self.banned = view(np.zeros(1 << rigid.bit_length(), np.uint8))  # notes are bitwise or of numbers
        self.queue, self.used, self.crowded, self.drawn = 0, 0, False, False
        rows, parts = most
        self.row_found, self.chosen = (view(np.zeros(rows + 1, np.int32)) for _ in range(2))
        self.begins = view(np.zeros(parts, np.int32))
        self.found = view(np.zeros(64, np.int32))

    def enlarge(self) -> None:  # interpreted
        """Double the room for matches, after a turn that was `crowded`."""
        self.found = view(np.zeros(2 * self.found.shape[0], np.int32))


def load(board: Board, objects: Words2) -> None:
    """Put these objects on the board, without movements, notes of rigid rules and commands."""
    row: Index
    column: Index
    layer: Index
    cell: Index
    w: Index
    for w in range(board.words):
        board.all_objects[w] = 0
        for column in range(board.width):
            board.column_objects[column, w] = 0
    for row in range(board.height):
        for w in range(board.words):
            line: Word = 0
            for column in range(board.width):
                cell = row * board.width + column
                here: Word = objects[cell, w]
                board.objects[cell, w] = here
                board.column_objects[column, w] |= here
                line |= here
            board.row_objects[row, w] = line
            board.all_objects[w] |= line
    clear_movements(board)
    board.queue = 0
    if board.has_rigid:
        for layer in range(board.layers):
            for cell in range(board.cells):
                board.rigid[layer, cell] = 0


def clear_movements(board: Board) -> None:
    """Remove all movements."""
    i: Index
    w: Index
    for w in range(board.motion_words):
        board.all_movements[w] = 0
        for i in range(board.cells):
            board.movements[i, w] = 0
        for i in range(board.height):
            board.row_movements[i, w] = 0
        for i in range(board.width):
            board.column_movements[i, w] = 0


def set_objects(board: Board, cell: Index, word: Index, objects: Word) -> None:
    """Replace a word of the objects of a cell."""
    board.objects[cell, word] = objects
    board.row_objects[cell // board.width, word] |= objects
    board.column_objects[cell % board.width, word] |= objects
    board.all_objects[word] |= objects


def set_movements(board: Board, cell: Index, word: Index, movements: Word) -> None:
    """Replace a word of the movements of a cell."""
    board.movements[cell, word] = movements
    board.row_movements[cell // board.width, word] |= movements
    board.column_movements[cell % board.width, word] |= movements
    board.all_movements[word] |= movements


def differs(board: Board, objects: Words2) -> Flag:
    """Does a cell of the board have other objects than these?"""
    cell: Index
    w: Index
    for cell in range(board.cells):
        for w in range(board.words):
            if board.objects[cell, w] != objects[cell, w]:
                return True
    return False
