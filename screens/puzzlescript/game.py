"""A PuzzleScript game with concrete rules, and a level of it: immutable values.

All names are in lower case. A level and a position are sets of objects, one for each cell, by rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

DIRECTIONS = ("up", "down", "left", "right")
TRANSPARENT = "transparent"
RANDOM, RANDOM_DIRECTION = "random", "randomdir"


class Term(NamedTuple):
    """An object, or objects of one layer, in a cell of a rule, with a movement.

    movement  "" (not stated), one of DIRECTIONS, "action", "stationary", or "no"; on the right also
              RANDOM_DIRECTION: one of four is drawn; or RANDOM: one of all such objects of a cell is drawn
    name      an object; or a property of one layer, which stands for any of its objects. After "no" and RANDOM, an
              object
    """

    movement: str
    name: str


Cell: TypeAlias = tuple[Term, ...] | None  # None is an ellipsis
Row: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A concrete rule: it has one direction, and no relative or ambiguous movement, synonym or aggregate.

    No cell of `left` asks for two objects of one layer, or for an object that it excludes.

    line       its line in the file, from 1
    group      the line of the first rule of its group; the rules of a group are repeated together
    direction  the way from a cell of a row to the next cell: "down" or "right"; a rule with an ellipsis keeps "up"
               and "left"
    left       the rows that have to match
    right      what they become, of the same shape as `left`; () if the rule has commands only
    commands   of "cancel", "restart", "win", "again", "checkpoint", "message", in the order of the rule
    random     of a group whose first rule is random, one match of one rule is drawn, and applied once
    """

    line: int
    group: int
    direction: str
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    late: bool
    rigid: bool
    commands: tuple[str, ...]
    random: bool = False

    @property
    def draws(self) -> bool:
        """Does an application of the rule to a match draw an object or a direction?"""
        terms = (term for row in self.right for cell in row for term in cell or ())
        return any(term.movement in (RANDOM, RANDOM_DIRECTION) for term in terms)


def crowded(rule: Rule, layers: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield each two objects of one layer that a rule may put into a cell: the second one is drawn.

    `layers` has the layer of each object. A property beside a drawn object is none: it keeps what is there, or the
    drawn object.
    """
    for row in rule.right:
        for cell in row:
            sure = [
                term.name for term in cell or () if term.movement not in ("no", RANDOM) and term.name in layers
            ]
            drawn = [term.name for term in cell or () if term.movement == RANDOM]
            for name, other in product(sure, drawn):
                if name != other and layers[name] == layers[other]:
                    yield name, other


@dataclass(frozen=True, slots=True)
class Win:
    """A win condition: `all subject on on`, `some subject`, `no subject on on`.

    quantifier   "all", "some" or "no"
    subject      objects; a cell has the subject if any of them is in it, or all of them if `subject_all`
    on           likewise, None if the condition has no `on`: each cell has it
    line         its line in the file
    """

    quantifier: str
    subject: frozenset[str]
    subject_all: bool
    on: frozenset[str] | None
    on_all: bool
    line: int


@dataclass(frozen=True, slots=True)
class Sprite:
    """The picture of an object.

    colours  "#rrggbb" or "transparent"
    pixels   5 rows of 5 numbers of colours, None for a transparent pixel; None if the cell has the first colour
    """

    colours: tuple[str, ...]
    pixels: tuple[tuple[int | None, ...], ...] | None


class Warning(NamedTuple):
    """Something odd in the text of a game that does not keep it from being read. Line and column count from 1."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its objects, its concrete rules and its win conditions. It is equal to itself only.

    objects       by layers
    layers        a partition of `objects`
    properties    name -> its objects: any of them. The names of the legend, and the properties that terms name
    aggregates    name -> its objects: all of them
    synonyms      name -> an object
    signs         character of a level -> its objects
    players       objects that a move sets in motion; if `players_all`, only where all of them are in a cell
    rules         in the order of application: groups of early rules, then groups of late rules
    loops         (first, last) of the groups of early rules, numbered from 0 in the order of `rules`: if something
                  has changed after `last`, the game goes on with `first`
    late_loops    the same for the groups of late rules, numbered from 0, too
    has_action    whether the move "action" exists
    has_clock     whether ticks of a clock play rounds without a movement, between moves
    has_undo, has_restart
                  whether a player may undo moves, and begin a level anew
    text          the text of the game up to the header of its levels
    """

    title: str
    author: str
    objects: tuple[str, ...]
    layers: tuple[tuple[str, ...], ...]
    properties: Mapping[str, frozenset[str]]
    aggregates: Mapping[str, frozenset[str]]
    synonyms: Mapping[str, str]
    signs: Mapping[str, frozenset[str]]
    players: frozenset[str]
    players_all: bool
    background: str
    rules: tuple[Rule, ...]
    loops: tuple[tuple[int, int], ...] = ()
    late_loops: tuple[tuple[int, int], ...] = ()
    wins: tuple[Win, ...] = ()
    run_rules_on_level_start: bool = False
    require_player_movement: bool = False
    has_action: bool = True
    has_clock: bool = False
    has_undo: bool = True
    has_restart: bool = True
    sprites: Mapping[str, Sprite] = field(default_factory=dict)
    background_colour: str = "#000000"
    warnings: tuple[Warning, ...] = ()
    text: str = ""

    @cached_property
    def has_chance(self) -> bool:
        """May the rules draw anything?"""
        return any(rule.random or rule.draws for rule in self.rules)

    @cached_property
    def crowded(self) -> frozenset[int]:
        """The layers of which a cell may have several objects, by rules that draw one beside another."""
        layers = {name: number for number, layer in enumerate(self.layers) for name in layer}
        return frozenset(layers[name] for rule in self.rules for name, _ in crowded(rule, layers))


@dataclass(frozen=True)
class Level:
    """A level of a game.

    number    of the playable levels of the game, from 1
    title     the message before the level
    cells     by rows: the objects of the cell at (row, column) are `cells[row * width + column]`, one of them a
              background
    warnings  about its rows; those about the game are in `game`
    begun     the rules at the start of the level, if the game has such, were applied to `cells` already
    won       the last turn has won: `cells` are an end
    origin    the level of which `cells` are a later position, and to which a restart goes back; None if this is it
    """

    game: Game
    number: int
    title: str
    width: int
    height: int
    cells: tuple[frozenset[str], ...]
    warnings: tuple[Warning, ...] = ()
    begun: bool = False
    won: bool = False
    origin: "Level | None" = None


def warnings(level: Level) -> tuple[Warning, ...]:
    """Return the warnings about a level and its game, in the order of the text."""
    return tuple(sorted({*level.game.warnings, *level.warnings}))
