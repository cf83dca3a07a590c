"""Unsolvable parts of a Sokoban level: some of its boxes, or some of its goals, that suffice for a proof.

Let a level have the boxes B and the goals G, with s = |B| - |G| >= 0 spare boxes. (With fewer boxes than goals,
counting shows that there is no solution, and there are no parts.) The level is solved when each goal holds a box.

**Boxes.** Keep a subset K of the boxes B and remove the others. The question is whether a position is reachable in
which at least |K| - s boxes are on goals.

*Theorem.* If no such position is reachable, the level has no solution.

*Proof.* Take a solution of the level and remove the boxes that are not in K from each of its positions. A step of
the player remains a step. A push of a box of K remains a push, because cells that were free remain free. A push of
another box becomes a step to the former cell of that box, which holds no box of K, because two boxes are never on
one cell. So the result is a path in the level with K only. In the last position of the solution |G| boxes are on
goals, so at most s boxes are not, and at least |K| - s boxes of K are on goals. ∎

*Monotonicity.* If the answer for K is no, so is the answer for each larger set L: if at least |L| - s boxes of L
were on goals, at most s boxes of L, and so of K, would not be. For |K| <= s the answer is always yes.

**Goals.** Keep a subset H of the goals G. The question is whether some |H| boxes, with all others removed, can
cover all goals of H. The model has an initial state for each choice of |H| boxes.

*Theorem.* If they cannot, the level has no solution. *Proof.* At the end of a solution, |H| boxes are on the goals
of H. Remove all others, as above. ∎ *Monotonicity.* If no |H| boxes can cover H, then no boxes can cover a larger
set of goals: remove those that are on its other goals.

If s = 0, the question about all goals is the question about the level. With spare boxes it is not: |G| boxes alone
can have a solution although the level, in which the spare boxes are in their way, has none.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb

from puzzlemc.encodings.puzzle.explanation import Drawn, Part, Parts, name_of, place_of, places
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, spare, steps
from puzzlemc.encodings.sokoban.domain.rules import at as starting
from puzzlemc.encodings.sokoban.model.compact import compact, relaxations
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import FALSE, Bit, Clauses, Formula, conjunction
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.base.picture import Picture, Shape, frame, tile
from puzzlemc.screens.sokoban import Cell, Level, State, draw, picture

MOST_CHOICES = 2_000  # the most subsets (of goals to cover, or of boxes off goals) that a formula lists
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _boxes(level: Level) -> tuple[str, ...]:
    return tuple(map(name_of, sorted(level.start.boxes))) if spare(level) >= 0 else ()


def _goals(level: Level) -> tuple[str, ...]:
    return tuple(map(name_of, sorted(level.goals))) if spare(level) >= 0 else ()


def _cells(part: Part) -> list[Cell]:
    return sorted(map(place_of, part))


# The questions as models


def with_boxes(level: Level, part: Part) -> Model:
    """The model of some of the boxes; its goal is that all but the spare ones are on goals.

    Raises LimitReached.
    """
    boxes, over = frozenset(_cells(part)), spare(level)
    model = compact(starting(level, State(level.start.player, boxes))).model
    goals, others = _by_goal(model, level)
    if len(boxes) == len(level.start.boxes):
        goal: Formula = dict.fromkeys(goals, True) if len(goals) == len(level.goals) else FALSE
    else:
        goal = _enough_on_goals(goals, others, len(boxes), over)
    return _with_goal(model, goal, _relaxations(goals, len(boxes), over))


def with_goals(level: Level, part: Part) -> Model:
    """The model of some of the goals, which any choice of as many boxes has to cover. Raises LimitReached."""
    wanted, boxes = frozenset(_cells(part)), sorted(level.start.boxes)
    if comb(len(boxes), len(wanted)) > MOST_CHOICES:
        raise LimitReached("memory")
    model = compact(level).model
    box = {cell: b for b, cell in model.hints.objects.items()}
    player = model.hints.location
    assert player is not None
    none = player.literals(level.start.player) | dict.fromkeys(box.values(), False)
    starts = [none | {box[cell]: True for cell in kept} for kept in combinations(boxes, len(wanted))]
    init: Formula = starts[0] if len(starts) == 1 else Or(*map(conjunction, starts))
    covered = wanted <= box.keys()
    goal: Formula = dict.fromkeys((box[cell] for cell in sorted(wanted)), True) if covered else FALSE
    hints = replace(model.hints, conserved=((tuple(box.values()), len(wanted)),))
    relaxations = _relaxations([box[cell] for cell in sorted(wanted)], len(wanted), 0) if covered else ()
    return _with_goal(replace(model, init=init, hints=hints), goal, relaxations)


def _with_goal(model: Model, goal: Formula, relaxations: tuple[Relaxation, ...]) -> Model:
    hints: Hints = replace(model.hints, relaxations=relaxations)
    return replace(model, goal=goal, atoms={**model.atoms, "solved": goal}, hints=hints)


def _by_goal(model: Model, level: Level) -> tuple[list[Bit], list[Bit]]:
    """The bits of box squares on goals, and the bits of other box squares."""
    objects = model.hints.objects
    goals = [b for b, cell in objects.items() if cell in level.goals]
    return goals, [b for b, cell in objects.items() if cell not in level.goals]


def _enough_on_goals(goals: list[Bit], others: list[Bit], boxes: int, over: int) -> Formula:
    """The formula that at most `over` of the boxes are off the goals. Raises LimitReached."""
    need = boxes - over
    if need <= 0:
        return {}
    if over == 0:
        return dict.fromkeys(others, False)
    if need > len(goals):
        return FALSE
    if comb(len(goals), need) <= MOST_CHOICES:
        found: Formula = Or(*[And(*chosen) for chosen in combinations(goals, need)])
        return found
    if comb(len(others), over + 1) > MOST_CHOICES:
        raise LimitReached("memory")
    return Clauses(tuple(others), [[-n for n in off] for off in combinations(range(1, len(others) + 1), over + 1)])


def _relaxations(goals: list[Bit], boxes: int, over: int) -> tuple[Relaxation, ...]:
    """The relaxations, with enough goals, to boxes of which all but `over` must be on goals."""
    return tuple(each for each in relaxations(goals, boxes, over) if each.held <= len(goals))


# In words


def _reachable(level: Level, boxes: frozenset[Cell], budget: Budget) -> Iterator[State]:
    """Yield the positions reachable with only these boxes, by the plain rules. Raises LimitReached."""
    alone = starting(level, State(level.start.player, boxes))
    seen = {alone.start}
    queue = [alone.start]
    for number, position in enumerate(queue):
        if not number % 256:
            budget.check()
        yield position
        for step in steps(alone, position):
            after = step.position
            assert isinstance(after, State)
            if after not in seen:
                seen.add(after)
                queue.append(after)


def _reachable_squares(level: Level, box: Cell, budget: Budget) -> frozenset[Cell]:
    """The squares to which a box can be pushed if all others are removed. Raises LimitReached."""
    return frozenset(cell for state in _reachable(level, frozenset([box]), budget) for cell in state.boxes)


def _is_cornered(level: Level, box: Cell) -> bool:
    """Is there a wall beside the box on both axes?"""
    walls = [ahead(box, direction) not in level.cells for direction in DIRECTIONS.values()]
    left, up, right, down = walls
    return (left or right) and (up or down)


def _is_stuck(level: Level, boxes: frozenset[Cell], budget: Budget) -> bool:
    """Can none of these boxes ever be moved, even if all others are removed? Raises LimitReached."""
    return all(state.boxes == boxes for state in _reachable(level, boxes, budget))


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def words_of_boxes(level: Level, part: Part, budget: Budget) -> str:
    """A sentence that says why enough of these boxes cannot reach goals. Raises LimitReached."""
    cells, over = _cells(part), spare(level)
    if len(cells) == 1:
        return _words_of_box(level, cells[0], _reachable_squares(level, cells[0], budget))
    boxes = f"{'these' if len(cells) > 1 else 'this'} {_number(len(cells))} boxes, {places(cells)}"
    need = len(cells) - over
    goals_of = {box: _reachable_squares(level, box, budget) & level.goals for box in cells}
    goals = frozenset().union(*goals_of.values())
    if over:
        needed = f"{boxes}: {_number(over)} may stay off the goals, {_number(need)} must reach a goal"
        unable = [box for box in cells if not goals_of[box]]
        if len(unable) > over:
            return f"{needed}, and {'none can' if len(unable) == len(cells) else 'too many cannot'}"
        return f"{needed}, but they block each other"
    if _is_stuck(level, frozenset(cells), budget):
        on = any(cell in level.goals for cell in cells)
        where = "not all of them stand on goals" if on else "no goal is there"
        return f"{boxes}: {'neither' if len(cells) == 2 else 'none'} can ever be moved, and {where}"
    if not goals:
        return f"{boxes}: none can reach a goal"
    if len(goals) < len(cells):
        only = "one goal" if len(goals) == 1 else f"{_number(len(goals))} goals"
        return f"{boxes}: they can reach only {only}, {places(sorted(goals))}"
    both = "both" if len(cells) == 2 else f"all {_number(len(cells))}"
    alone = "each" if all(goals_of.values()) else "some"
    return f"{boxes}: {alone} can reach a goal alone, but {both} together cannot, because they block each other"


def _words_of_box(level: Level, box: Cell, squares: frozenset[Cell]) -> str:
    """A sentence that says why one box, which can reach these squares, cannot reach a goal."""
    subject = f"this box, {places([box])},"
    if squares == {box}:
        if _is_cornered(level, box):
            return f"{subject} can never leave its corner, and no goal is there"
        return (
            f"{subject} can never be moved, because the player cannot get beside it to push, and no goal is there"
        )
    if len({row for row, _ in squares}) == 1:
        return f"{subject} can never leave its row, and can reach no goal there"
    if len({column for _, column in squares}) == 1:
        return f"{subject} can never leave its column, and can reach no goal there"
    return f"{subject} can reach {len(squares)} squares, and none of them is a goal"


def words_of_goals(level: Level, part: Part, budget: Budget) -> str:
    """A sentence that says why these goals cannot be covered. Raises LimitReached."""
    goals = _cells(part)
    if len(goals) == 1:
        if goals[0] not in level.cells:
            return f"this goal, {places(goals)}, is out of reach"
        return f"this goal, {places(goals)}: no box can ever reach it"
    subject = f"these {_number(len(goals))} goals, {places(goals)}"
    able = [
        box for box in sorted(level.start.boxes) if not _reachable_squares(level, box, budget).isdisjoint(goals)
    ]
    if not able:
        return f"{subject}: no box can reach any of them"
    if len(able) < len(goals):
        only = "one box" if len(able) == 1 else f"{_number(len(able))} boxes"
        return f"{subject}: only {only}, {places(able)}, can reach any of them"
    return f"{subject}: no {_number(len(goals))} boxes can cover them together"


# Drawings


def _draw_boxes(level: Level, part: Part) -> Drawn:
    cells = frozenset(_cells(part))
    text = draw(starting(level, State(level.start.player, cells)))
    return Drawn(text, draw(level), cells)


def _draw_goals(level: Level, part: Part) -> Drawn:
    """The board with only these goals, and all boxes."""
    cells = frozenset(_cells(part))
    rows = [
        "".join(
            sign
            if sign not in ".*+" or (row, column) in cells or (row, column) not in level.goals
            else {".": " ", "*": "$", "+": "@"}[sign]
            for column, sign in enumerate(line)
        )
        for row, line in enumerate(draw(level).split("\n"))
    ]
    return Drawn("\n".join(rows), draw(level), cells)


def _picture_boxes(level: Level, part: Part) -> Picture:
    """The board with these boxes, each in a frame, and the cells of the other boxes in outline."""
    cells = frozenset(_cells(part))
    shown = picture(level, State(level.start.player, cells))
    faint: list[Shape] = [tile(*box, "line", 0.12, 0.07) for box in sorted(level.start.boxes - cells)]
    marks = [side for cell in sorted(cells) for side in frame(*cell)]
    return replace(shown, pieces=(*faint, *shown.pieces, *marks))


def _picture_goals(level: Level, part: Part) -> Picture:
    """The start position, with a frame around each of these goals."""
    shown = picture(level, level.start)
    marks = [side for cell in _cells(part) for side in frame(*cell)]
    return replace(shown, pieces=(*shown.pieces, *marks))


BOXES = Parts("boxes", "box", _boxes, with_boxes, words_of_boxes, _draw_boxes, _picture_boxes)
GOALS = Parts(
    "goals",
    "goal",
    _goals,
    with_goals,
    words_of_goals,
    _draw_goals,
    _picture_goals,
    whole=lambda level: spare(level) == 0,
)
PARTS = (BOXES, GOALS)
