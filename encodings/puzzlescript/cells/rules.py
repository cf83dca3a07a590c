"""The rules of a game as arrays of masks.

A mask of objects has a bit for each object, in as many words as that takes. A mask of movements has five bits for
each layer, one for each movement, and the bits of 12 layers in a word. Compiled: see `mc/words.py`.
"""

from collections.abc import Mapping
from typing import Any

import cython
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Bytes2, Ints, Words2

    # The commands of rules, as bits of a queue.
    CANCEL = 1
    RESTART = 2
    WIN = 4
    AGAIN = 8
    CHECKPOINT = 16
    MESSAGE = 32


class Rules:
    """The rules of a game. An array that says where lists begin has one entry more than there are lists.

    phases          where the groups of early rules and those of late rules begin
    groups          where the rules of a group begin
    group_rigid     the number of a group that has a rigid rule, counted from 1 in its phase; 0 for other groups
    group_back      the first group of the loop that ends after this group, -1 if none ends there
    rows            where the rows of a rule begin
    commands        the commands of a rule
    replaces        whether a rule has a right side
    draws           whether an application of a rule is a draw
    rigid           whether a rule is rigid
    rule_objects, rule_movements   without these on the board, the rule has no match
    parts           where the parts of a row begin, which its ellipses separate
    direction       the number of the direction of a row
    row_objects, row_movements     without these in a line of the board, the row has no match there
    cells           where the cells of a part begin
    about, has      the objects that the condition on a cell is about, and those of them that the cell has
    some            where the sets of objects of a cell begin: it has one object of each set
    some_objects    these sets
    asked, moving   the movements that the condition is about, and those of them that the cell has
    removes, adds   the objects that the rule removes from a cell, and then adds
    stops, starts   the movements that the rule removes from a cell, and then adds
    marks           (cells, layers): whether the rule replaces the movement of a layer
    """

    phases: Ints
    groups: Ints
    group_rigid: Ints
    group_back: Ints
    rows: Ints
    commands: Ints
    replaces: Bytes
    draws: Bytes
    rigid: Bytes
    rule_objects: Words2
    rule_movements: Words2
    parts: Ints
    direction: Ints
    row_objects: Words2
    row_movements: Words2
    cells: Ints
    about: Words2
    has: Words2
    some: Ints
    some_objects: Words2
    asked: Words2
    moving: Words2
    removes: Words2
    adds: Words2
    stops: Words2
    starts: Words2
    marks: Bytes2

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.phases, self.groups = view(arrays["phases"]), view(arrays["groups"])
        self.group_rigid, self.group_back = view(arrays["group_rigid"]), view(arrays["group_back"])
        self.rows, self.commands = view(arrays["rows"]), view(arrays["commands"])
        self.draws = view(arrays["draws"])
        self.replaces, self.rigid = view(arrays["replaces"]), view(arrays["rigid"])
        self.rule_objects, self.rule_movements = view(arrays["rule_objects"]), view(arrays["rule_movements"])
        self.parts, self.direction = view(arrays["parts"]), view(arrays["direction"])
        self.row_objects, self.row_movements = view(arrays["row_objects"]), view(arrays["row_movements"])
        self.cells, self.about, self.has = view(arrays["cells"]), view(arrays["about"]), view(arrays["has"])
        self.some, self.some_objects = view(arrays["some"]), view(arrays["some_objects"])
        self.asked, self.moving = view(arrays["asked"]), view(arrays["moving"])
        self.removes, self.adds = view(arrays["removes"]), view(arrays["adds"])
        self.stops, self.starts = view(arrays["stops"]), view(arrays["starts"])
        self.marks = view(arrays["marks"])
