"""The arrays that compiled turns work on: the rules of a level, their order, and a board of planes.

Planes have numbers: first those of the objects that can change, by layers, then five for each layer that can move,
then constant ones. A plane has a bit for each cell, by rows. Compiled: see `mc/words.py`.
"""

from collections.abc import Mapping
from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Words, Words2

    # The commands of rules, as bits of a queue.
    CANCEL = 1
    RESTART = 2
    WIN = 4
    AGAIN = 8
    CHECKPOINT = 16
    MESSAGE = 32

    # Whether a group draws anything.
    SURE = 0
    DRAWS = 1  # one of its rules draws at each application
    ONE_MATCH = 2  # one match of one of its rules is drawn, and applied once


class Rules:
    """Rules, their rows, the parts of rows between ellipses, and the terms and changes of the cells of parts.

    An array that says where lists begin has one entry more than there are lists.

    needs         (rules, words of a set of planes): without a cell in each of these planes the rule has no match
    needed_by     (planes, words of a set of rules): the rules that need a cell in a plane
    touched_by    likewise: the rules that read or change it
    rows          where the rows of a rule begin
    commands      its commands
    replaces      whether it has a right side that changes anything
    draws         whether an application of it is a draw
    at_once       whether all its matches may be changed at once
    feeds         whether its own changes may give it new matches
    rigid         the number of its group if it is rigid, otherwise 0
    parts         where the parts of a row begin
    way           the direction of a row: the number of up, down, left, right
    starts        (parts, words): the cells where a part fits the board and all that is constant
    length        the number of cells of a part
    terms         where the terms of a part begin
    term_shift    the cell of a term, counted from the first cell of the part
    term_holds    whether one of the planes has to have the cell, otherwise none may have it
    term_planes   where the planes of a term begin in `planes`
    changes       where the changes of a part begin
    change_shift, change_plane, change_sets   the cell, the plane, and whether the plane gets the cell
    marks         where the cells of a part begin whose movements are replaced
    mark_shift    the cell
    mark_layers   where its layers begin in `layers`
    """

    needs: Words2
    needed_by: Words2
    touched_by: Words2
    rows: Ints
    commands: Ints
    replaces: Bytes
    draws: Bytes
    at_once: Bytes
    feeds: Bytes
    rigid: Bytes
    parts: Ints
    way: Ints
    starts: Words2
    length: Ints
    terms: Ints
    term_shift: Ints
    term_holds: Bytes
    term_planes: Ints
    planes: Ints
    changes: Ints
    change_shift: Ints
    change_plane: Ints
    change_sets: Bytes
    marks: Ints
    mark_shift: Ints
    mark_layers: Ints
    layers: Ints

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.needs = view(arrays["needs"])
        self.needed_by, self.touched_by = view(arrays["needed_by"]), view(arrays["touched_by"])
        self.rows, self.commands = view(arrays["rows"]), view(arrays["commands"])
        self.draws = view(arrays["draws"])
        self.replaces, self.at_once = view(arrays["replaces"]), view(arrays["at_once"])
        self.feeds, self.rigid = view(arrays["feeds"]), view(arrays["rigid"])
        self.parts, self.way = view(arrays["parts"]), view(arrays["way"])
        self.starts, self.length = view(arrays["starts"]), view(arrays["length"])
        self.terms, self.term_shift = view(arrays["terms"]), view(arrays["term_shift"])
        self.term_holds, self.term_planes = view(arrays["term_holds"]), view(arrays["term_planes"])
        self.planes, self.changes = view(arrays["planes"]), view(arrays["changes"])
        self.change_shift, self.change_plane = view(arrays["change_shift"]), view(arrays["change_plane"])
        self.change_sets, self.marks = view(arrays["change_sets"]), view(arrays["marks"])
        self.mark_shift, self.mark_layers = view(arrays["mark_shift"]), view(arrays["mark_layers"])
        self.layers = view(arrays["layers"])


class Program:
    """The rules of each phase. Phases 2m and 2m + 1 are the early and the late rules after movement m.

    phases  where the groups of a phase begin
    groups  where the rules of a group begin in `rules`
    members (groups, words of a set of rules): the rules of a group
    rigid   the number of a group with a rigid rule, 0 for other groups
    back    the group that a loop goes back to after this one, -1 for none
    """

    phases: Ints
    groups: Ints
    members: Words2
    rules: Ints
    rigid: Ints
    back: Ints

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.phases, self.groups, self.rules = (
            view(arrays["phases"]),
            view(arrays["groups"]),
            view(arrays["order"]),
        )
        self.members = view(arrays["members"])
        self.rigid, self.back = view(arrays["group_rigid"]), view(arrays["back"])


class Draws:
    """What is drawn by the rules and groups of a level.

    chance          by group of the program: SURE, DRAWS or ONE_MATCH
    variant         by rule: whether it only says what else the rule before it may draw
    lines           by rule: its line in the source
    cells           where the cells of a part begin for which changes are drawn
    shift           the cell, counted from the first cell of the part
    choices         where the choices for such a cell begin
    changes         where the changes of a choice begin
    plane, sets     the plane, and whether it gets the cell
    """

    chance: Bytes
    variant: Bytes
    lines: Ints
    cells: Ints
    shift: Ints
    choices: Ints
    changes: Ints
    plane: Ints
    sets: Bytes

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.chance, self.variant = view(arrays["chance"]), view(arrays["variant"])
        self.lines = view(arrays["lines"])
        self.cells, self.shift = view(arrays["drawn"]), view(arrays["drawn_shift"])
        self.choices, self.changes = view(arrays["choices"]), view(arrays["choice_changes"])
        self.plane, self.sets = view(arrays["drawn_plane"]), view(arrays["drawn_sets"])


class Board:
    """A board of planes, and the scratch space of turns.

    kinds         the number of objects that can change: the first planes
    planes        (planes, words)
    filled        the set of planes that have a cell
    altered       the set of planes that the last rule has changed
    queue         the commands that rules have queued
    tried         the number of rules that were tried; it is set and read by others
    drawn         whether a rule that draws has had a match: the board is not what may come of it
    found         (slots, words): for each part of a rule the first cells of its matches
    scan          the same in the order of columns
    at            for each part the first cell of the match that is looked at
    spare         scratch words
    by_column     the cells, column by column
    column_order  the place of each cell in that order
    inner         (4, words): the cells that have a next cell in a direction
    room          (4, cells): their numbers of cells ahead
    step          (4,): the next cell, as a difference
    whole         all cells
    pending       the set of the rules of a group that may have something new to do
    first_object  where the objects of a moving layer begin in `layer_planes`
    blocked       (moving layers, words): the cells that a constant object of the layer blocks
    rigid         (moving layers, cells): the numbers of the groups whose rigid rules have marked a movement
    banned        by number, the rigid groups that are left out
    """

    width: Index  # readonly
    height: Index  # readonly
    cells: Index  # readonly
    words: Index  # readonly
    kinds: Index  # readonly
    planes: Words2
    filled: Words
    altered: Words
    queue: Index
    tried: Index
    drawn: Flag
    found: Words2
    scan: Words2
    at: Ints
    spare: Words2
    by_column: Ints
    column_order: Ints
    inner: Words2
    room: Ints2
    step: Ints
    whole: Words
    pending: Words
    first_object: Ints
    layer_planes: Ints
    blocked: Words2
    rigid: Ints2
    banned: Bytes

    def __init__(self, width: int, height: int, sizes: Mapping[str, int], arrays: Mapping[str, npt.NDArray[Any]]):
        """An empty board. `sizes` has the numbers of kinds, slots, rules and rigid groups."""
        cells, words, slots = width * height, arrays["constant"].shape[1], sizes["slots"]
        self.width, self.height, self.cells, self.words = width, height, cells, words
        self.kinds, self.queue, self.tried = sizes["kinds"], 0, 0
        self.drawn = False
        self.planes = view(arrays["constant"])
        self.filled, self.altered = view(arrays["filled"].copy()), view(np.zeros_like(arrays["filled"]))
        self.found, self.scan = (view(np.zeros((slots, words), np.uint64)) for _ in range(2))
        self.at = view(np.zeros(slots, np.int32))
        self.spare = view(np.zeros((8, words), np.uint64))
        numbers = np.arange(cells, dtype=np.int32).reshape(height, width)
        order = np.ascontiguousarray(numbers.T).reshape(-1)
        self.by_column = view(order)
        self.column_order = view(np.argsort(order).astype(np.int32))
        rows, columns = np.divmod(np.arange(cells, dtype=np.int32), width)
        room = np.stack([rows, height - 1 - rows, columns, width - 1 - columns]).astype(np.int32)
        self.room = view(room)
        self.inner, self.whole = (
            view(packed(room > 0, words)),
            view(packed(np.ones((1, cells), np.bool_), words)[0]),
        )
        self.step = view(np.array([-width, width, -1, 1], np.int32))
        self.pending = view(np.zeros(arrays["members"].shape[1], np.uint64))
        self.first_object, self.layer_planes = view(arrays["first_object"]), view(arrays["layer_planes"])
        self.blocked = view(arrays["blocked"])
        self.rigid = view(np.zeros((len(arrays["blocked"]), cells), np.int32))
        self.banned = view(np.zeros(1 << int(sizes["rigid"]).bit_length(), np.uint8))


def packed(truths: npt.NDArray[np.bool_], words: int) -> npt.NDArray[np.uint64]:
    """Rows of truth values, packed into `words` words each."""
    octets = np.zeros((len(truths), 8 * words), np.uint8)
    some = np.packbits(truths, axis=1, bitorder="little")
    octets[:, : some.shape[1]] = some
    return octets.view(np.uint64)
