"""The rules of a game as arrays of masks, and the compiled turns of its levels.

Objects have the numbers of their order in the game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.cells.board import LAYERS_OF_A_WORD, WAYS, Board
from puzzlemc.encodings.puzzlescript.cells.goal import ALL_ARE_ON, NONE_IS_ON, SOME_IS_ON, Goal
from puzzlemc.encodings.puzzlescript.cells.rules import AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN, Rules
from puzzlemc.encodings.puzzlescript.cells.turns import Turns
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Cells
from puzzlemc.screens.puzzlescript.game import RANDOM, RANDOM_DIRECTION, Cell, Game, Level, Rule, Term

Arrays = dict[str, npt.NDArray[Any]]
Masks: TypeAlias = npt.NDArray[np.uint64]  # shape (cells, words)

COMMANDS = {
    "cancel": CANCEL,
    "restart": RESTART,
    "win": WIN,
    "again": AGAIN,
    "checkpoint": CHECKPOINT,
    "message": MESSAGE,
}
QUANTIFIERS = {"all": ALL_ARE_ON, "some": SOME_IS_ON, "no": NONE_IS_ON}
WORD = (1 << 64) - 1


class Names:
    """The meaning of the names of a game as masks, which are numbers of any size.

    objects  object -> its number
    layer    object -> its layer
    layers   the mask of each layer
    """

    def __init__(self, game: Game) -> None:
        self.properties = game.properties
        self.objects = {name: number for number, name in enumerate(game.objects)}
        self.layer = {name: number for number, names in enumerate(game.layers) for name in names}
        self.layers = [self.mask(names) for names in game.layers]

    def mask(self, names: Iterable[str]) -> int:
        """The mask of objects."""
        return sum(1 << self.objects[name] for name in names)

    def members(self, name: str) -> frozenset[str]:
        """The objects of a property; an object is its only member."""
        return frozenset((name,)) if name in self.objects else self.properties[name]

    def layer_of(self, name: str) -> int:
        """The layer of an object, or of all objects of a property."""
        return self.layer[min(self.members(name))]


def movement(layer: int, name: str) -> int:
    """The mask of a movement of a layer."""
    return 1 << _place(layer) + MOVES.index(name)


def movements(layer: int) -> int:
    """The mask of all movements of a layer."""
    return (1 << WAYS) - 1 << _place(layer)


def _place(layer: int) -> int:
    word, number = divmod(layer, LAYERS_OF_A_WORD)
    return 64 * word + WAYS * number


@dataclass
class Change:
    """A cell of a rule: what it asks for, and what becomes of it. All are masks, see `rules.py`.

    lacks, still  the objects and the movements that the cell does not have
    marks         the layers whose movement the rule replaces
    """

    has: int = 0
    lacks: int = 0
    some: list[int] = field(default_factory=list)
    moving: int = 0
    still: int = 0
    removes: int = 0
    adds: int = 0
    stops: int = 0
    starts: int = 0
    marks: set[int] = field(default_factory=set)


def change(left: Sequence[Term], right: Sequence[Term] | None, names: Names) -> Change:
    """A cell of a left side, with that of the right side unless the rule has none.

    The objects and movements of the left side go, those of the right side come. An object that comes displaces
    all others of its layer. A layer that only the left side names becomes empty and loses its movement.
    """
    made = Change()
    if right is not None:  # what is drawn is left out: the rule is not applied
        right = [term for term in right if term.movement not in (RANDOM, RANDOM_DIRECTION)]
    for movement_name, name in left:
        layer = names.layer_of(name)
        if movement_name == "no":
            made.lacks |= names.mask(names.members(name))
        elif name in names.objects:
            made.has |= names.mask((name,))
        else:
            made.some.append(names.mask(names.members(name)))
        if movement_name == "stationary":
            made.still |= movements(layer)
        elif movement_name not in ("", "no"):
            made.moving |= movement(layer, movement_name)
    if made.has & made.lacks or made.moving & made.still:
        made.some.append(0)  # an object of no objects: no cell has that
    if right is None:
        return made
    becomes: dict[int, int] = {}  # by layer, the movement that replaces any other
    named = {names.layer_of(name) for movement_name, name in right if movement_name != "no"}
    for movement_name, name in left:
        if movement_name != "no" and names.layer_of(name) not in named:
            made.removes |= names.layers[names.layer_of(name)]
            becomes[names.layer_of(name)] = 0
    for movement_name, name in right:
        layer = names.layer_of(name)
        if movement_name == "no":
            made.removes |= names.mask(names.members(name))
            continue
        if movement_name == "stationary":
            becomes[layer] = 0
        elif movement_name:
            becomes[layer] = movement(layer, movement_name)
        if name in names.objects:
            made.removes |= names.layers[layer]
            made.adds |= names.mask((name,))
    made.stops = made.moving
    for layer, after in becomes.items():
        made.stops |= movements(layer)
        made.starts |= after
    made.marks = set(becomes)
    return made


class Row(NamedTuple):
    """A row of a rule: its direction, and its parts between ellipses."""

    direction: str
    parts: list[list[Change]]


def _row(left: Sequence[Cell], right: Sequence[Cell] | None, direction: str, names: Names) -> Row:
    parts: list[list[Change]] = [[]]
    for number, cell in enumerate(left):
        if cell is None:
            parts.append([])
        else:
            after = None if right is None else right[number] or ()
            parts[-1].append(change(cell, after, names))
    return Row(direction, parts)


def _rows(rule: Rule, names: Names) -> list[Row]:
    rights = rule.right or (None,) * len(rule.left)
    return [_row(left, right, rule.direction, names) for left, right in zip(rule.left, rights, strict=True)]


class Compilation:
    """A game as arrays, for levels of any size.

    names    the numbers of objects
    words    of a mask of objects
    rigid    the greatest number of a rigid group
    most     the most rows of a rule, and the most parts of a row
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = Names(game)
        self.words = max(1, -(-len(game.objects) // 64))
        self.motion_words = max(1, -(-len(game.layers) // LAYERS_OF_A_WORD))
        self.rows = [_rows(rule, self.names) for rule in game.rules]
        self.rigid = 0
        self.most = (max(map(len, self.rows), default=1), max((len(row.parts) for row in self._flat()), default=1))
        self.rules = Rules({**self._program(), **self._lists(), **self._masks()})
        self.goal = Goal(self._wins())

    def turns(self, width: int, height: int) -> Turns:
        """The turns of a level of that size."""
        game, names = self.game, self.names
        board = Board((width, height), self._objects(names.layers), self.rigid, self.most)
        players = sorted(game.players, key=names.objects.__getitem__)
        masks = self._objects([names.mask((name,)) for name in players])
        layers = np.array([names.layer[name] for name in players], np.int32)
        flags = (game.players_all, game.require_player_movement)
        return Turns(board, self.rules, self.goal, (masks, layers), *flags)

    def _flat(self) -> Iterator[Row]:
        return (row for rows in self.rows for row in rows)

    def _changes(self) -> Iterator[Change]:
        return (cell for row in self._flat() for part in row.parts for cell in part)

    def _objects(self, masks: Iterable[int]) -> npt.NDArray[np.uint64]:
        return as_words(masks, self.words)

    def _movements(self, masks: Iterable[int]) -> npt.NDArray[np.uint64]:
        return as_words(masks, self.motion_words)

    def _program(self) -> Arrays:
        """The groups of both phases, with the rules of each."""
        phases, groups, rigid, back = [0], [0], list[int](), list[int]()
        for is_late, loops in ((False, self.game.loops), (True, self.game.late_loops)):
            rules = [rule for rule in self.game.rules if rule.late == is_late]
            first, count = len(rigid), 0
            for _, members in groupby(rules, key=lambda rule: rule.group):
                group = list(members)
                groups.append(groups[-1] + len(group))
                is_rigid = any(rule.rigid for rule in group)
                count += is_rigid
                rigid.append(count if is_rigid else 0)
                back.append(-1)
            for begin, end in loops:
                back[first + end] = first + begin
            self.rigid = max(self.rigid, count)
            phases.append(len(rigid))
        return {
            "phases": _ints(phases),
            "groups": _ints(groups),
            "group_rigid": _ints(rigid),
            "group_back": _ints(back),
            "commands": _ints(sum(COMMANDS.get(each, 0) for each in set(r.commands)) for r in self.game.rules),
            "draws": np.array(self.draws, np.uint8),
            "replaces": np.array([bool(rule.right) for rule in self.game.rules], np.uint8),
            "rigid": np.array([rule.rigid for rule in self.game.rules], np.uint8),
        }

    @cached_property
    def draws(self) -> list[bool]:
        """Whether each rule draws: an object, a direction, or, as a rule of a random group, one of the matches."""
        groups = (list(members) for _, members in groupby(self.game.rules, key=lambda r: (r.late, r.group)))
        return [members[0].random or rule.draws for members in groups for rule in members]

    def _lists(self) -> Arrays:
        """Where the lists of rules, rows, parts and cells begin."""
        parts = [part for row in self._flat() for part in row.parts]
        return {
            "rows": _starts(len(rows) for rows in self.rows),
            "parts": _starts(len(row.parts) for row in self._flat()),
            "direction": _ints(MOVES.index(row.direction) for row in self._flat()),
            "cells": _starts(map(len, parts)),
            "some": _starts(len(cell.some) for cell in self._changes()),
            "some_objects": self._objects(mask for cell in self._changes() for mask in cell.some),
        }

    def _masks(self) -> Arrays:
        """The masks of cells, rows and rules."""
        cells = list(self._changes())
        rows = [[cell for part in row.parts for cell in part] for row in self._flat()]
        rules = [[cell for row in rows for part in row.parts for cell in part] for rows in self.rows]
        marks = np.zeros((len(cells), len(self.game.layers)), np.uint8)
        for number, cell in enumerate(cells):
            marks[number, list(cell.marks)] = 1
        return {
            "rule_objects": self._objects(_all(cell.has for cell in some) for some in rules),
            "rule_movements": self._movements(_all(cell.moving for cell in some) for some in rules),
            "row_objects": self._objects(_all(cell.has for cell in some) for some in rows),
            "row_movements": self._movements(_all(cell.moving for cell in some) for some in rows),
            "has": self._objects(cell.has for cell in cells),
            "about": self._objects(cell.has | cell.lacks for cell in cells),
            "moving": self._movements(cell.moving for cell in cells),
            "asked": self._movements(cell.moving | cell.still for cell in cells),
            "removes": self._objects(cell.removes for cell in cells),
            "adds": self._objects(cell.adds for cell in cells),
            "stops": self._movements(cell.stops for cell in cells),
            "starts": self._movements(cell.starts for cell in cells),
            "marks": marks,
        }

    def _wins(self) -> Arrays:
        """The win conditions. Without `on` the mask is empty, which every cell satisfies."""
        wins, mask = self.game.wins, self.names.mask
        return {
            "kind": np.array([QUANTIFIERS[win.quantifier] for win in wins], np.uint8),
            "subject": self._objects(mask(win.subject) for win in wins),
            "subject_all": np.array([win.subject_all for win in wins], np.uint8),
            "on": self._objects(0 if win.on is None else mask(win.on) for win in wins),
            "on_all": np.array([win.on is None or win.on_all for win in wins], np.uint8),
        }


def as_words(masks: Iterable[int], words: int) -> npt.NDArray[np.uint64]:
    """Masks as words, the lowest first, of shape (masks, words)."""
    rows = [[mask >> 64 * word & WORD for word in range(words)] for mask in masks]
    return np.array(rows, np.uint64).reshape(len(rows), words)


def _ints(numbers: Iterable[int]) -> npt.NDArray[np.int32]:
    return np.array(list(numbers), np.int32)


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int32]:
    starts = [0]
    for length in lengths:
        starts.append(starts[-1] + length)
    return _ints(starts)


def _all(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


@lru_cache(maxsize=16)
def compilation(game: Game) -> Compilation:
    """A game as arrays."""
    return Compilation(game)


@lru_cache(maxsize=16)
def _turns(game: Game, width: int, height: int) -> Turns:
    return compilation(game).turns(width, height)


def masks_of(game: Game, cells: Cells) -> Masks:
    """Cells as masks of objects."""
    made = compilation(game)
    kinds = {here: number for number, here in enumerate(dict.fromkeys(cells))}
    return as_words(map(made.names.mask, kinds), made.words)[[kinds[here] for here in cells]]


@lru_cache(maxsize=16)
def restart_wins(level: Level) -> bool:
    """Does a restart of the level win? Then the win conditions hold after its first round, or as it is written."""
    if all("restart" not in rule.commands for rule in level.game.rules):
        return False
    origin = level.origin or level
    turns, has_round = _turns(origin.game, origin.width, origin.height), origin.game.run_rules_on_level_start
    return turns.holds_at_start(masks_of(origin.game, origin.cells), has_round and not origin.begun)


def turns_of(level: Level) -> Turns:
    """The compiled turns of a level."""
    turns = _turns(level.game, level.width, level.height)
    turns.restart_wins = restart_wins(level)
    commands = {command for rule in level.game.rules for command in rule.commands}
    turns.goes_back = "checkpoint" in commands and "restart" in commands
    return turns
