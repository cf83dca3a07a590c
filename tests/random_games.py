"""Random PuzzleScript games and levels as hypothesis strategies: small, and with every kind of rule."""

from functools import cache

from hypothesis import strategies as st
from small_games import game

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

LAYERS = ("player crate wall", "spot", "cat dog")
OBJECTS = ("player", "crate", "wall", "spot", "cat", "dog")
PROPERTIES = {"thing": "player crate wall", "pet": "cat dog", "solid": "crate wall"}
LAYER = {name: number for number, layer in enumerate(LAYERS) for name in layer.split()}
LAYER |= {"thing": 0, "solid": 0, "pet": 2}
COMMANDS = ("again", "cancel", "restart", "win", "checkpoint", "message", "win message", "cancel message")
DRAWN = ("random", "random", "turns")
MOVEMENTS = ("", *DIRECTIONS, "action", "stationary")

# Hypothesis checks each strategy object at its first use, which takes longer than to draw from it.
sampled_from = cache(st.sampled_from)
integers = cache(st.integers)
BOOLEANS = st.booleans()


@st.composite
def cells(draw: st.DrawFn, has_chance: bool) -> tuple[Cell, Cell]:
    """A cell of a left side, and what it becomes."""
    left, right = list[Term](), list[Term]()
    for names in (("player", "crate", "wall", "thing", "solid"), ("spot",), ("cat", "dog", "pet")):
        kind = draw(sampled_from(("none", "none", "has", "has", "no")))
        objects = tuple(name for name in names if name in OBJECTS)
        name = draw(sampled_from(names))
        if kind == "has":
            left.append(Term(draw(sampled_from(MOVEMENTS)), name))
        elif kind == "no":
            left.append(Term("no", draw(sampled_from(objects))))
        after = draw(sampled_from(("same", "same", "moves", "other", "gone", "no", *DRAWN[: 3 * has_chance])))
        if after == "same" and kind == "has":
            right.append(left[-1])
        elif after == "moves" and kind == "has":
            right.append(Term(draw(sampled_from(MOVEMENTS)), name))
        elif after == "other":
            right.append(Term(draw(sampled_from(MOVEMENTS)), draw(sampled_from(objects))))
        elif after == "no":
            right.append(Term("no", draw(sampled_from(objects))))
        elif after == "random":
            right += [Term(RANDOM, draw(sampled_from(objects))) for _ in range(draw(integers(1, 2)))]
        elif after == "turns":
            right.append(Term(RANDOM_DIRECTION, name if kind == "has" else draw(sampled_from(objects))))
    return tuple(left), tuple(right)


CELLS = {has_chance: cells(has_chance) for has_chance in (False, True)}


@cache
@st.composite
def rules(draw: st.DrawFn, group: int, late: bool, has_chance: bool) -> Rule:
    """A rule. With chance, one may draw, and the first one of a group may make it random."""
    left, right = list[Row](), list[Row]()
    gaps = False
    for _ in range(draw(sampled_from((1, 1, 1, 2, 3)))):
        before, after = list[Cell](), list[Cell]()
        for number in range(draw(sampled_from((1, 2, 2, 3)))):
            if number and draw(integers(0, 5)) == 0:
                before.append(None)
                after.append(None)
                gaps = True
            here = draw(CELLS[has_chance])
            before.append(here[0])
            after.append(here[1])
        left.append(tuple(before))
        right.append(tuple(after))
    command = draw(sampled_from((*COMMANDS, *[""] * 12)))
    only = bool(command) and draw(BOOLEANS)
    return Rule(
        0,
        group,
        draw(sampled_from(DIRECTIONS if gaps else ("down", "right"))),
        tuple(left),
        () if only else tuple(right),
        late,
        draw(integers(0, 30 if has_chance else 6)) == 0,
        tuple(command.split()),
        has_chance and draw(integers(0, 3)) == 0,
    )


@st.composite
def games(draw: st.DrawFn, has_chance: bool) -> Game:
    """A game."""
    made, groups = list[Rule](), [0, 0]
    for late in (False, True):
        for _ in range(draw(integers(0, 3))):
            for _ in range(draw(sampled_from((1, 1, 2, 3)))):
                made.append(draw(rules(1000 * late + groups[late] + 1, late, has_chance)))
            groups[late] += 1
    loops = []
    for count in groups:
        first = draw(integers(0, max(0, count - 1)))
        last = draw(integers(first, max(0, count - 1)))
        loops.append([(first, last)] if count and draw(integers(0, 3)) == 0 else [])
    names = sampled_from(("player", "crate", "spot", "pet", "solid", "dog spot", "crate spot"))
    wins = [
        Win(
            draw(sampled_from(("all", "some", "no"))),
            frozenset(PROPERTIES.get(subject := draw(names), subject).split()),
            " " in subject and draw(BOOLEANS),
            None if draw(BOOLEANS) else frozenset(PROPERTIES.get(on := draw(names), on).split()),
            draw(BOOLEANS),
            0,
        )
        for _ in range(draw(integers(0, 2)))
    ]
    return game(
        " / ".join(LAYERS),
        *made,
        signs={},
        players=draw(sampled_from(("player", "player", "cat dog", "player spot"))),
        players_all=draw(BOOLEANS),
        properties=PROPERTIES,
        loops=loops[0],
        late_loops=loops[1],
        wins=wins,
        run_rules_on_level_start=draw(BOOLEANS),
        require_player_movement=draw(integers(0, 4)) == 0,
        has_action=draw(BOOLEANS),
    )


@st.composite
def levels(draw: st.DrawFn, most: int = 6, has_chance: bool = False) -> Level:
    """A level of a random game."""
    made = draw(games(has_chance))
    width, height = draw(integers(1, most)), draw(integers(1, most))
    layer = [sampled_from((None, None, *names.split())) for names in LAYERS]
    objects = [
        frozenset(name for each in layer if (name := draw(each)) is not None) | {"ground"}
        for _ in range(draw(integers(1, 5)))
    ]
    numbers = draw(st.lists(integers(0, len(objects) - 1), min_size=width * height, max_size=width * height))
    return Level(made, 1, "", width, height, tuple(objects[number] for number in numbers))
