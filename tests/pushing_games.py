"""Levels of a game of pushing, with some rules of other kinds, and all positions of a small level."""

from collections.abc import Iterable

from hypothesis import strategies as st
from small_games import game, level, rule, win

from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.planes.encoding import planes
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.screens.puzzlescript.game import Game, Level, Rule, Win

MOST_STATES = 400

LAYERS = "hole target / player crate gem wall / mark"
PUSHES = [
    rule(
        line,
        *(
            " | ".join(side if ahead else side[::-1])
            for side in ((f"{way} player", thing), (f"{way} player", f"{way} {thing}"))
        ),
    )
    for way, line, ahead in (
        ("up", "down", False),
        ("down", "down", True),
        ("left", "right", False),
        ("right", "right", True),
    )
    for thing in ("crate", "gem")
]
OTHERS = [
    rule("right", "right crate | crate", "right crate | right crate"),
    rule("right", "crate | right player", "right crate | right player"),
    rule("right", "right player | crate | no solid", "| player | crate"),
    rule("right", "right player | crate", "crate | player"),
    rule("down", "crate | no solid", "| crate", late=True, commands="again"),
    rule("down", "crate | no solid", "down crate | no solid", commands="again"),
    rule("down", "crate hole", "", late=True),
    rule("down", "crate hole", "gem", late=True),
    rule("down", "crate target", "gem target", late=True),
    rule("right", "gem | crate", "crate | gem", late=True),
    rule("right", "right player | wall", "right player |"),
    rule("right", "player ; crate", "player ; right crate"),
    rule("right", "player ; crate ; crate mark", "player ; crate mark ; gem mark"),
    rule("right", "right player | ... | crate", "right player | ... | left crate"),
    rule("right", "crate", "no crate"),
    rule("right", "right player", "right player mark"),
    rule("down", "mark", "right crate"),
    rule("down", "up player", "right player"),
    rule("down", "down player", "crate"),
    rule("down", "left player", "left gem"),
    rule("right", "right solid | solid", "right solid | right solid"),
    rule("right", "crate | crate", "crate |", commands="cancel"),
    rule("right", "crate hole", "hole", late=True),
    rule("right", "mark no solid", "mark crate", late=True),
    rule("right", "right player | hole", "right player | hole", commands="win"),
]
SIDES = ("crate", "gem", "crate gem", "target", "hole", "player", "mark")


def small_game(rules: Iterable[Rule], wins: Iterable[Win]) -> Game:
    signs = {"o": "target", "*": "crate target", "w": "wall", "x": "crate mark", "y": "gem mark"}
    properties = {"solid": "player crate gem wall"}
    return game(LAYERS, *rules, signs=signs, properties=properties, wins=list(wins))


@st.composite
def pushing_levels(draw: st.DrawFn, signs: str = "....PCCGwo*HM") -> Level:
    """A level of a game of pushing, with some rules of other kinds. Each cell has one of the signs."""
    rules = draw(st.lists(st.sampled_from(PUSHES), min_size=1, max_size=6))
    rules += draw(st.lists(st.sampled_from(OTHERS), max_size=2))
    rules.sort(key=lambda each: each.late)
    wins = [
        win(
            draw(st.sampled_from(("all", "some", "no"))),
            draw(st.sampled_from(SIDES)),
            draw(st.sampled_from((*SIDES, None))),
        )
        for _ in range(draw(st.integers(1, 2)))
    ]
    made = small_game(rules, wins)
    width = draw(st.integers(2, 5))
    rows = draw(st.lists(st.text(signs, min_size=width, max_size=width), min_size=1, max_size=4))
    return level(made, " ".join(rows))


def explored(one: Level) -> tuple[list[Cells], list[set[int]], set[int]] | None:
    """All positions, the successors of each, and those with a step that wins; None if there are many."""
    encoded = planes(one)
    model = encoded.model
    assert isinstance(model, StepSystem)
    start = Layout(model).pack(initial_state(model))
    numbers, rows, after, winning = {start.tobytes(): 0}, [start], list[set[int]](), set[int]()
    cells = []
    while len(after) < len(rows):
        if len(rows) > MOST_STATES:
            return None
        position = encoded.decode(Layout(model).read(rows[len(after)]))
        assert isinstance(position, Position)
        cells.append(position.cells)
        here = set[int]()
        for row, _, _ in zip(*model.expand(rows[len(after)][None, :].copy()), strict=True):
            reached = encoded.decode(Layout(model).read(row))
            assert isinstance(reached, Position)
            if reached.won:
                winning.add(len(after))
                continue
            if row.tobytes() not in numbers:
                numbers[row.tobytes()] = len(rows)
                rows.append(row.copy())
            here.add(numbers[row.tobytes()])
        after.append(here)
    return cells, after, winning
