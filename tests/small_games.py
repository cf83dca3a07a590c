"""Small PuzzleScript games of concrete rules, and their boards as text.

    pushing = game("player crate wall", rule("right", "right player | crate", "right player | right crate"))
    after(pushing, "PC.", "right") == ".PC"

A side of a rule is text: rows are separated by `;`, cells by `|`. A cell is objects, each after its movement if it
has one. Each object has a sign: its first letter in capitals, unless `signs` has another one. A dot is a cell with
the background alone. Cells with several objects need a sign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.turn import Outcome, Round, play_round, turn
from puzzlemc.screens.puzzlescript.game import (
    DIRECTIONS,
    RANDOM,
    RANDOM_DIRECTION,
    Cell,
    Game,
    Level,
    Row,
    Rule,
    Term,
    Win,
)

GROUND = "ground"
MOVEMENTS = {*DIRECTIONS, "action", "stationary", "no", RANDOM, RANDOM_DIRECTION}


def rule(
    direction: str,
    left: str,
    right: str | None = None,
    *,
    group: int = 0,
    late: bool = False,
    rigid: bool = False,
    commands: str = "",
    random: bool = False,
) -> Rule:
    """A rule. Rules of one `group` other than 0 are repeated together; otherwise each rule is a group."""
    sides = side(left), () if right is None else side(right)
    return Rule(0, group, direction, *sides, late, rigid, tuple(commands.split()), random)


def side(text: str) -> tuple[Row, ...]:
    return tuple(tuple(cell(each) for each in row.split("|")) for row in text.split(";"))


def cell(text: str) -> Cell:
    if text.strip() == "...":
        return None
    terms, movement = [], ""
    for word in text.split():
        if word in MOVEMENTS:
            movement = word
        else:
            terms.append(Term(movement, word))
            movement = ""
    return tuple(terms)


def win(quantifier: str, subject: str, on: str | None = None, *, whole: bool = False) -> Win:
    """A win condition on objects. With `whole`, both sides are aggregates."""
    other = None if on is None else frozenset(on.split())
    return Win(quantifier, frozenset(subject.split()), whole, other, whole, 0)


def game(
    layers: str,
    *rules: Rule,
    signs: Mapping[str, str] | None = None,
    players: str = "player",
    players_all: bool = False,
    properties: Mapping[str, str] | None = None,
    loops: Sequence[tuple[int, int]] = (),
    late_loops: Sequence[tuple[int, int]] = (),
    wins: Sequence[Win] = (),
    run_rules_on_level_start: bool = False,
    require_player_movement: bool = False,
    has_action: bool = True,
    has_clock: bool = False,
) -> Game:
    """A game. `layers` has the objects of each layer but that of the background; a slash separates layers."""
    parts = ((GROUND,), *(tuple(part.split()) for part in layers.split("/")))
    objects = tuple(name for part in parts for name in part)
    drawn = {".": "", **{name[0].upper(): name for name in objects[1:]}, **(signs or {})}
    numbered = [replace(each, line=line, group=each.group or line) for line, each in enumerate(rules, start=100)]
    return Game(
        title="",
        author="",
        objects=objects,
        layers=parts,
        properties={name: frozenset(members.split()) for name, members in (properties or {}).items()},
        aggregates={},
        synonyms={},
        signs={sign: frozenset(names.split()) | {GROUND} for sign, names in drawn.items()},
        players=frozenset(players.split()),
        players_all=players_all,
        background=GROUND,
        rules=tuple(sorted(numbered, key=lambda each: each.late)),
        loops=tuple(loops),
        late_loops=tuple(late_loops),
        wins=tuple(wins),
        run_rules_on_level_start=run_rules_on_level_start,
        require_player_movement=require_player_movement,
        has_action=has_action,
        has_clock=has_clock,
    )


def level(made: Game, board: str) -> Level:
    """A level; blanks separate the rows of the board."""
    rows = board.split()
    return Level(made, 1, "", len(rows[0]), len(rows), tuple(made.signs[sign] for row in rows for sign in row))


def shown(one: Level, cells: Cells) -> str:
    """A board as `level` reads it."""
    signs = {objects: sign for sign, objects in one.game.signs.items()}
    text = "".join(signs[objects] for objects in cells)
    return " ".join(text[start : start + one.width] for start in range(0, len(text), one.width))


def round_of(made: Game, board: str, movement: str = "") -> Round:
    """The round from a board."""
    one = level(made, board)
    return play_round(one, one.cells, movement)


def after(made: Game, board: str, movement: str = "") -> str:
    """The board after a round."""
    return shown(level(made, board), round_of(made, board, movement).cells)


def turn_from(made: Game, board: str, movement: str = "", *, begins: bool = False) -> Outcome:
    """The turn from a board."""
    one = level(made, board)
    return turn(one, one.cells, movement, begins=begins)


def after_turn(made: Game, board: str, movement: str = "") -> str:
    """The board after a turn."""
    return shown(level(made, board), turn_from(made, board, movement).cells)
