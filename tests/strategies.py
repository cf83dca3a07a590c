"""Random models and levels, small enough for the oracles.

Strategies that depend on bits or cells are made once for each of them: a new one for each example would take
Hypothesis longer than most tests of the example.
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from puzzlemc.encodings.folding.generate import random_level
from puzzlemc.encodings.tetravex.generate import random_level as made_square
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Bit, Clauses, Formula, Gates, Signal, bit, conjunction
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import narrowed
from puzzlemc.mc.model.variables import Variable, binary, boolean
from puzzlemc.screens import fabrik, folding, tetravex
from puzzlemc.screens.sokoban import Level, parse

T = TypeVar("T")


@cache
def cubes(bits: tuple[Bit, ...], *, least: int = 0, most: int = 3) -> st.SearchStrategy[dict[Bit, bool]]:
    return st.dictionaries(st.sampled_from(bits), st.booleans(), min_size=least, max_size=most)


@cache
def formulas(bits: tuple[Bit, ...]) -> st.SearchStrategy[Formula]:
    leaves = st.one_of(
        st.sampled_from(bits), st.sampled_from(bits).map(lambda b: ~b), cubes(bits).map(conjunction)
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: And(*parts)),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: Or(*parts)),
            inner.map(lambda part: ~part),
        ),
        max_leaves=5,
    )


@cache
def clauses(bits: tuple[Bit, ...]) -> st.SearchStrategy[Clauses]:
    numbers = st.sampled_from([v for number in range(1, len(bits) + 1) for v in (number, -number)])
    return st.lists(st.lists(numbers, max_size=3), max_size=3).map(lambda rows: Clauses(tuple(bits), rows))


@cache
def any_formulas(bits: tuple[Bit, ...]) -> st.SearchStrategy[Formula]:
    """Formulas of each kind: expressions, cubes, clauses, and signals."""
    return st.one_of(formulas(bits), cubes(bits), clauses(bits), signals(bits))


@cache
def signals(bits: tuple[Bit, ...]) -> st.SearchStrategy[Signal]:
    """Literals of random circuits. Some inputs are constants, and gates may depend on a node by several paths."""
    return st.builds(_signal, st.just(bits), st.integers(0, 1 << 32))


def _signal(bits: tuple[Bit, ...], seed: int) -> Signal:
    chance = random.Random(seed)
    inputs = (*bits, *chance.choice([(), (False,), (True,)]))
    gates = list[tuple[int, int]]()
    for _ in range(chance.randint(0, 8)):
        last = 2 * (len(inputs) + len(gates)) + 1
        gates.append((chance.randint(max(0, last - 7), last), chance.randint(0, last)))
    return Signal(Gates(inputs, gates), 2 * (len(inputs) + len(gates)) + chance.randint(0, 1))


@cache
def guards(bits: tuple[Bit, ...], *, plain: bool) -> st.SearchStrategy[Formula]:
    """Cubes, also as expressions, and other formulas unless `plain`."""
    some = st.one_of(cubes(bits), cubes(bits).map(conjunction))
    return some if plain else st.one_of(some, any_formulas(bits))


@cache
def updates(some: tuple[Bit, ...], bits: tuple[Bit, ...]) -> st.SearchStrategy[dict[Bit, Formula]]:
    """Updates of some of the first bits by formulas over the other bits."""
    return st.dictionaries(st.sampled_from(some), any_formulas(bits), max_size=2)


@cache
def orders(things: tuple[T, ...]) -> st.SearchStrategy[Sequence[T]]:
    """These values in any order."""
    return st.permutations(things)


@st.composite
def models(draw: st.DrawFn, *, plain: bool = False) -> Model:
    """A model of up to six bits: literal and other guards, constant and other updates, costs from 0 to 2.

    Some models have a location variable of three values, which every action sets to a constant or keeps. `plain`
    models have only guards by literals and constant updates.
    """
    booleans = tuple(boolean("b", number) for number in range(draw(st.integers(1, 4))))
    location = draw(st.sampled_from([None, binary("at", "xyz")]))
    variables = booleans if location is None else (location, *booleans)
    others = tuple(variable.bits[0] for variable in booleans)
    bits = others if location is None else (*location.bits, *others)
    actions = []
    for number in range(draw(st.integers(0, 7))):
        guard = draw(guards(bits, plain=plain))
        update = dict(draw(cubes(others)))
        if not plain and draw(st.booleans()):
            update |= draw(updates(others, bits))
        if location is not None:
            if draw(st.booleans()):
                guard = narrowed(guard, location.literals(draw(st.sampled_from("xyz"))))
            if draw(st.booleans()):
                update |= location.literals(draw(st.sampled_from("xyz")))
        actions.append(Action(f"a{number}", guard, update, {"cost": draw(st.integers(0, 2))}))
    init: Formula = draw(cubes(others, least=len(others), most=len(others)))
    init = draw(st.sampled_from([init, conjunction(init)]))
    if location is not None:
        init = narrowed(init, location.literals(draw(st.sampled_from("xyz"))))
    goal = draw(any_formulas(others))
    return Model(variables, init, tuple(actions), goal, hints=Hints(location=location))


@st.composite
def movers(draw: st.DrawFn) -> Model:
    """A model of two to four objects that actions move one at a time; in some, walks join three places.

    A hint states the number of bits that hold, which never changes; another may state that none of no bits hold.
    """
    things = tuple(boolean("b", number).bits[0] for number in range(draw(st.integers(2, 4))))
    location = draw(st.sampled_from([None, binary("at", "xyz")]))
    places = st.sampled_from("xyz")
    actions = []
    for number in range(draw(st.integers(1, 7))):
        one, other = draw(orders(things))[:2]
        guard, update = {one: True, other: False}, {one: False, other: True}
        if location is not None:
            guard |= location.literals(draw(places))
            if draw(st.booleans()):
                update |= location.literals(draw(places))
        actions.append(Action(f"m{number}", guard, update, {"cost": draw(st.integers(0, 2))}))
    for number in range(draw(st.integers(0, 5)) if location is not None else 0):
        assert location is not None
        guard = location.literals(draw(places)) | draw(cubes(things, most=1))
        cost = {"cost": draw(st.sampled_from([0, 0, 1]))}
        actions.append(Action(f"w{number}", guard, location.literals(draw(places)), cost))
    start = draw(cubes(things, least=len(things), most=len(things)))
    conserved = ((things, sum(start.values())), *draw(st.sampled_from([(), (((), 0),)])))
    variables = [Variable(str(b), (False, True), (b,), ((False,), (True,))) for b in things]
    init = start
    if location is not None:
        variables.append(location)
        init = start | location.literals(draw(places))
    hints = Hints(location=location, conserved=conserved)
    return Model(tuple(variables), init, tuple(actions), draw(formulas(things)), hints=hints)


@st.composite
def busy_models(draw: st.DrawFn) -> Model:
    """A model of three or four bits, one initial state, and weak guards: long runs, many branches, many loops."""
    variables = tuple(boolean("b", number) for number in range(draw(st.integers(3, 4))))
    bits = tuple(variable.bits[0] for variable in variables)
    actions = [
        Action(
            f"a{number}",
            conjunction(draw(cubes(bits, least=1))),
            draw(cubes(bits, least=1, most=2)),
            {"cost": draw(st.integers(0, 3))},
        )
        for number in range(draw(st.integers(4, 12)))
    ]
    goal = conjunction(draw(cubes(bits, least=2)))
    return Model(variables, And(*[~b for b in bits]), tuple(actions), goal)


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """A tiny Sokoban level: up to 4 × 5 cells inside, up to three boxes, solvable or not."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(3, 5))
    cells = tuple((row, column) for row in range(height) for column in range(width))
    order = draw(orders(cells))
    boxes = draw(st.integers(1, min(3, len(cells) - 2)))
    goals = draw(st.integers(1, boxes))
    walls = draw(st.integers(0, max(0, len(cells) - 2 * boxes - 1) // 2))
    board = dict.fromkeys(cells, " ")
    player, *rest = order
    board[player] = "@"
    for cell in rest[:walls]:
        board[cell] = "#"
    free = [cell for cell in rest if board[cell] == " "]
    for cell in free[:boxes]:
        board[cell] = "$"
    candidates = draw(orders((player, *free)))
    for cell in candidates[:goals]:
        board[cell] = {"@": "+", "$": "*", " ": "."}[board[cell]]
    rows = ["".join(board[row, column] for column in range(width)) for row in range(height)]
    text = "\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)])
    (level,) = parse(text, "random")
    assert isinstance(level, Level)
    if len(level.start.boxes) < boxes or len(level.goals) < goals or not level.goals <= set(level.floor):
        return draw(levels())  # `odd_levels` has unreachable boxes and goals
    return level


@st.composite
def odd_levels(draw: st.DrawFn) -> Level:
    """A tiny Sokoban board of any cells: any number of boxes and goals, reachable or not, and separate rooms."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    size = height * width
    cells = draw(st.lists(st.sampled_from("##  ..$$*"), min_size=size, max_size=size))
    cells[draw(st.integers(0, size - 1))] = draw(st.sampled_from("@+"))
    rows = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
    wall = "#" * (width + 2)
    (level,) = parse("\n".join([wall, *(f"#{row}#" for row in rows), wall]), "random")
    # Without a goal there is no question; four boxes suffice.
    assume(isinstance(level, Level) and len(level.start.boxes) <= 4)
    assert isinstance(level, Level)
    return level


@st.composite
def boards(draw: st.DrawFn) -> folding.Level:
    """A tiny Folding Blocks level: up to 4 × 4 cells and three colours, sometimes disconnected; often solvable."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    colours = draw(st.integers(1, min(3, height * width)))
    loose = draw(st.sampled_from([0.0, 0.0, 0.3, 1.0]))
    level = random_level(height, width, colours, draw(st.integers(0, 2**32)), loose=loose)
    rows = [list(row) for row in level.rows]
    for _ in range(draw(st.integers(0, 2))):
        row, column = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        rows[row][column] = draw(st.integers(-1, colours))
    if all(value == folding.NO_CELL for line in rows for value in line):
        rows[0][0] = folding.EMPTY
    return folding.Level("", "", tuple(map(tuple, rows)))


@st.composite
def squares(draw: st.DrawFn, *, rules: str | None = None, most: int = 2) -> tetravex.Level:
    """A tiny Tetravex level: up to `most` rows, up to three colours, solvable or not; a constraint or a game."""
    side, colours = draw(st.integers(1, most)), draw(st.integers(1, 3))
    made = made_square(side, colours, random.Random(draw(st.integers(0, 2**32))))
    tiles = [list(tile) for tile in made.tiles]
    for _ in range(draw(st.integers(0, 2))):
        tiles[draw(st.integers(0, len(tiles) - 1))][draw(st.integers(0, 3))] = draw(st.integers(0, colours))
    kind = draw(st.sampled_from(["", tetravex.PUT, tetravex.SWAP])) if rules is None else rules
    start: tetravex.Board = ()
    if kind:
        start = tuple(draw(orders(tuple(range(1, len(tiles) + 1)))))
    if kind == tetravex.PUT:
        start = tuple(tile if draw(st.booleans()) else tetravex.EMPTY for tile in start)
    return tetravex.Level("", "", side, tuple(tetravex.Tile(*tile) for tile in tiles), kind, start)


__all__ = [
    "bit",
    "boards",
    "busy_models",
    "cubes",
    "formulas",
    "levels",
    "models",
    "movers",
    "odd_levels",
    "squares",
]


@st.composite
def fabrik_levels(draw: st.DrawFn, *, most: int = 6, turn: bool = False) -> fabrik.Level:
    """A Fabrik position with any number of stones, on a board of at most this number of rows.

    With `turn`, a side is to move; otherwise workers may still have to be placed.
    """
    size = draw(st.integers(2, most))
    row = draw(st.integers(1, size))
    cells = [(line, column) for line in range(size) for column in range(size)]
    draw(st.randoms(use_true_random=False)).shuffle(cells)
    workers = 2 if turn else draw(st.integers(0, 2))
    stones = draw(st.integers(0, len(cells) - 2)) if workers == 2 else 0
    black = draw(st.integers(0, stones))
    player = draw(st.sampled_from([fabrik.BLACK, fabrik.WHITE] if turn or stones else [""]))
    start = fabrik.Position(
        frozenset(cells[2 : 2 + black]),
        frozenset(cells[2 + black : 2 + stones]),
        frozenset(cells[:workers]),
        player,
    )
    return fabrik.Level("", "", size, row, start)
