"""Random models and levels, small enough for the oracles."""

from hypothesis import strategies as st
from pyeda.boolalg.expr import And, Or

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.formula import Bit, Formula, bit, conjunction
from puzzlemc.mc.model import Action, Hints, Model, binary, boolean
from puzzlemc.screens import folding
from puzzlemc.screens.sokoban import Level, parse


def cubes(bits: list[Bit], *, least: int = 0, most: int = 3) -> st.SearchStrategy[dict[Bit, bool]]:
    return st.dictionaries(st.sampled_from(bits), st.booleans(), min_size=least, max_size=most)


def formulas(bits: list[Bit]) -> st.SearchStrategy[Formula]:
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


@st.composite
def models(draw: st.DrawFn, *, plain: bool = False) -> Model:
    """A model of up to six bits: literal and other guards, constant and other updates, costs from 0 to 2.

    Some have a location variable of three values, which every action sets to a constant or leaves. `plain` ones
    have literal guards and constant updates only.
    """
    booleans = tuple(boolean("b", number) for number in range(draw(st.integers(1, 4))))
    location = draw(st.sampled_from([None, binary("at", "xyz")]))
    variables = booleans if location is None else (location, *booleans)
    others = [variable.bits[0] for variable in booleans]
    bits = others if location is None else [*location.bits, *others]
    actions = []
    for number in range(draw(st.integers(0, 7))):
        guard = draw(
            cubes(bits).map(conjunction) if plain else st.one_of(cubes(bits).map(conjunction), formulas(bits))
        )
        update = dict(draw(cubes(others)))
        if not plain and draw(st.booleans()):
            update |= draw(st.dictionaries(st.sampled_from(others), formulas(bits), max_size=2))
        if location is not None:
            if draw(st.booleans()):
                guard = And(guard, location.equals(draw(st.sampled_from("xyz"))))
            if draw(st.booleans()):
                update |= location.literals(draw(st.sampled_from("xyz")))
        actions.append(Action(f"a{number}", guard, update, {"cost": draw(st.integers(0, 2))}))
    init = conjunction(draw(cubes(others, least=len(others), most=len(others))))
    if location is not None:
        init = And(init, location.equals(draw(st.sampled_from("xyz"))))
    goal = draw(formulas(others))
    return Model(variables, init, tuple(actions), goal, hints=Hints(location=location))


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """A tiny Sokoban level: up to 4 × 5 cells inside, up to three boxes, solvable or not."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(3, 5))
    cells = [(row, column) for row in range(height) for column in range(width)]
    order = draw(st.permutations(cells))
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
    candidates = draw(st.permutations([player, *free]))
    for cell in candidates[:goals]:
        board[cell] = {"@": "+", "$": "*", " ": "."}[board[cell]]
    rows = ["".join(board[row, column] for column in range(width)) for row in range(height)]
    text = "\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)])
    (level,) = parse(text, "random")
    if not isinstance(level, Level):
        # A box or a goal out of reach: one room without inner walls instead.
        return draw(levels())
    return level


__all__ = ["bit", "cubes", "formulas", "levels", "models"]


@st.composite
def boards(draw: st.DrawFn) -> folding.Level:
    """A tiny Folding Blocks level: up to 4 × 4 cells, up to three colours, often solvable.

    Made by folding random blocks at random; what stays empty becomes no cell or, seldom, an empty cell.
    """
    height, width = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    choice = draw(st.randoms(use_true_random=False))
    cells = [(row, column) for row in range(height) for column in range(width)]
    rows = [[0] * width for _ in range(height)]
    for colour in range(1, draw(st.integers(0, 3)) + 1):
        for row, column in choice.sample(cells, min(len(cells), choice.choice([1, 1, 2]))):
            rows[row][column] = colour
    own = [list(row) for row in rows]
    folded = tuple(map(tuple, rows))
    level = folding.Level("", "", folded)
    rules = puzzle("folding")
    for _ in range(choice.randint(0, 8)):
        steps = list(rules.steps(level, folded))
        if not steps:
            break
        folded = choice.choice(steps).position
    loose = choice.choice([0.0, 0.3, 1.0])
    for row, column in cells:
        if folded[row][column] == 0 and choice.random() >= loose:
            own[row][column] = -1
    if all(value == -1 for line in own for value in line):
        own[0][0] = 0
    return folding.Level("", "", tuple(map(tuple, own)))
