"""What of a Sokoban level already cannot be done: a few of its boxes, or a few of its goals.

Let a level have the boxes B and the goals G, with s = |B| - |G| boxes to spare, s >= 0. (With fewer boxes than
goals, counting shows that it cannot be solved, and nothing is asked here.) It is solved when each goal holds a
box.

**Boxes.** Take the boxes K of B, and leave the others out: there is floor where they stand. The question is
whether at least |K| - s boxes can come to stand on goals.

*Theorem.* If they cannot, the level has no solution.

*Proof.* Take a solution of the level and leave out, in each of its positions, the boxes that are not in K. A step
of the player stays a step. A push of a box of K stays a push: what was free stays free. A push of another box
becomes a step to where it stood, which is floor and holds no box of K, since two boxes are never on one square. So
the result is a run without the others. At its end in the level, |G| boxes stand on the goals, so no more than s
do not, and of those of K at least |K| - s do. ∎

The same proof with K of a larger set L in place of B shows that what cannot be done by K cannot be done by L: of L
at least |L| - s boxes end on goals, so that of L at most s do not, nor of K. Where |K| <= s nothing is asked of K.

**Goals.** Take the goals H of G. The question is whether some |H| of the boxes, with all others left out, can come
to stand on all of H. The model starts with any |H| of the boxes.

*Theorem.* If no |H| boxes can, the level has no solution. *Proof.* In a solution the goals of H hold |H| boxes at
the end; leave out all others, as above. ∎ If no |H| boxes can cover H, then no more boxes can cover more goals:
leave out those that stand on the others.

With s = 0 the question about all goals is that about the level. With boxes to spare it is not: each choice of |G|
boxes, alone, may come home, or they may be in the way of each other only in such numbers.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb

from pyeda.boolalg.expr import And, Or

from puzzlemc.encodings.puzzle.parts import Drawn, Part, Parts, name_of, place_of, places
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, steps
from puzzlemc.encodings.sokoban.domain.rules import at as starting
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import FALSE, Bit, Clauses, Formula, conjunction
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.base.picture import Picture, Shape, frame, tile
from puzzlemc.screens.sokoban import Cell, Level, State, draw, picture

MOST_CHOICES = 2_000  # of goals that some boxes may come to, or of boxes that may stay off goals
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spare(level: Level) -> int:
    """So many boxes need not come to a goal; negative where there are too few."""
    return len(level.start.boxes) - len(level.goals)


def _boxes(level: Level) -> tuple[str, ...]:
    return tuple(map(name_of, sorted(level.start.boxes))) if spare(level) >= 0 else ()


def _goals(level: Level) -> tuple[str, ...]:
    return tuple(map(name_of, sorted(level.goals))) if spare(level) >= 0 else ()


def _cells(part: Part) -> list[Cell]:
    return sorted(map(place_of, part))


# The questions as models


def with_boxes(level: Level, part: Part) -> Model:
    """The model of some of the boxes: enough of them have to come to goals. Raises LimitReached."""
    boxes, over = frozenset(_cells(part)), spare(level)
    model = compact(starting(level, State(level.start.player, boxes))).model
    goals, others = _by_goal(model, level)
    if len(boxes) == len(level.start.boxes):
        goal: Formula = dict.fromkeys(goals, True) if len(goals) == len(level.goals) else FALSE
    else:
        goal = _enough(goals, others, len(boxes), over)
    return _asking(model, goal, _kept(goals, len(boxes), over))


def with_goals(level: Level, part: Part) -> Model:
    """The model of some of the goals: as many boxes, any of them, have to cover them. Raises LimitReached."""
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
    relaxations = _kept([box[cell] for cell in sorted(wanted)], len(wanted), 0) if covered else ()
    return _asking(replace(model, init=init, hints=hints), goal, relaxations)


def _asking(model: Model, goal: Formula, relaxations: tuple[Relaxation, ...]) -> Model:
    hints: Hints = replace(model.hints, relaxations=relaxations)
    return replace(model, goal=goal, atoms={**model.atoms, "solved": goal}, hints=hints)


def _by_goal(model: Model, level: Level) -> tuple[list[Bit], list[Bit]]:
    """The bits of boxes on goals, and of boxes elsewhere."""
    objects = model.hints.objects
    goals = [b for b, cell in objects.items() if cell in level.goals]
    return goals, [b for b, cell in objects.items() if cell not in level.goals]


def _enough(goals: list[Bit], others: list[Bit], boxes: int, over: int) -> Formula:
    """That of so many boxes no more than `over` are off the goals."""
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


def _kept(goals: list[Bit], boxes: int, over: int) -> tuple[Relaxation, ...]:
    """What holds of one, two or three of the boxes: enough of them come to goals."""
    targets = tuple(goals)
    kept = range(over + 1, min(3, boxes) + 1)
    return tuple(Relaxation(keep, targets, keep - over) for keep in kept if keep - over <= len(targets))


# In words


def _reachable(level: Level, boxes: frozenset[Cell], budget: Budget) -> Iterator[State]:
    """The positions to which some boxes can come, alone, by the plain rules."""
    alone = starting(level, State(level.start.player, boxes))
    seen = {alone.start}
    waiting = [alone.start]
    for number, position in enumerate(waiting):
        if not number % 256:
            budget.check()
        yield position
        for step in steps(alone, position):
            after = step.position
            assert isinstance(after, State)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def _ways(level: Level, box: Cell, budget: Budget) -> frozenset[Cell]:
    """The squares to which a box can come were it alone."""
    return frozenset(cell for state in _reachable(level, frozenset([box]), budget) for cell in state.boxes)


def _is_cornered(level: Level, box: Cell) -> bool:
    """Has the box a wall on one side of either axis?"""
    walls = [ahead(box, direction) not in level.cells for direction in DIRECTIONS.values()]
    left, up, right, down = walls
    return (left or right) and (up or down)


def _is_stuck(level: Level, boxes: frozenset[Cell]) -> bool:
    """Can none of these boxes ever be moved, were they alone?"""
    alone = starting(level, State(level.start.player, boxes))
    seen = {alone.start}
    waiting = [alone.start]
    for position in waiting:
        for step in steps(alone, position):
            after = step.position
            assert isinstance(after, State)
            if after.boxes != boxes:
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def words_of_boxes(level: Level, part: Part, budget: Budget) -> str:
    """Why these boxes cannot come to goals, in a sentence. Raises LimitReached."""
    cells, over = _cells(part), spare(level)
    if len(cells) == 1:
        return _alone(level, cells[0], _ways(level, cells[0], budget))
    boxes = f"{'these' if len(cells) > 1 else 'this'} {_number(len(cells))} boxes, {places(cells)}"
    need = len(cells) - over
    home = {box: _ways(level, box, budget) & level.goals for box in cells}
    goals = frozenset().union(*home.values())
    told = f"{boxes}: "
    if over:
        told += f"{_number(over)} may stay away from the goals, {_number(need)} must come to one"
        homeless = [box for box in cells if not home[box]]
        if len(homeless) > over:
            return told + f", and {'none' if len(homeless) == len(cells) else 'too many'} can"
        return told + ", and that cannot be: they are in each other's way for ever"
    if _is_stuck(level, frozenset(cells)):
        on = any(cell in level.goals for cell in cells)
        where = "not all of them stand on goals" if on else "no goal is there"
        return f"{told}as they stand, {'neither' if len(cells) == 2 else 'none'} can ever be moved, and {where}"
    if len(goals) < len(cells):
        only = "one goal, that" if len(goals) == 1 else f"{_number(len(goals))} goals, those"
        return told + (
            f"all that they can come to is {only} {places(sorted(goals))}" if goals else "none comes to a goal"
        )
    both = "both" if len(cells) == 2 else f"all {_number(len(cells))}"
    alone = "each can come to a goal alone" if all(home.values()) else "some can come to a goal alone"
    return f"{told}they are in each other's way for ever: {alone}, {both} together cannot"


def _alone(level: Level, box: Cell, ways: frozenset[Cell]) -> str:
    """Why one box cannot come to a goal."""
    told = f"this box, {places([box])}, "
    if ways == {box}:
        if _is_cornered(level, box):
            return f"{told}can never leave its corner, and no goal is there"
        return f"{told}can never be moved, since the player cannot come to push it, and no goal is there"
    rows, columns = {cell[0] for cell in ways}, {cell[1] for cell in ways}
    if len(rows) == 1:
        return f"{told}can never leave its row, and comes to no goal there"
    if len(columns) == 1:
        return f"{told}can never leave its column, and comes to no goal there"
    return f"{told}can come to {len(ways)} squares, and no goal is among them"


def words_of_goals(level: Level, part: Part, budget: Budget) -> str:
    """Why these goals cannot be covered, in a sentence. Raises LimitReached."""
    goals = _cells(part)
    if len(goals) == 1:
        if goals[0] not in level.cells:
            return f"this goal, {places(goals)}, is out of reach"
        return f"this goal, {places(goals)}: no box can ever come to it"
    told = f"these {_number(len(goals))} goals, {places(goals)}: "
    able = [box for box in sorted(level.start.boxes) if not _ways(level, box, budget).isdisjoint(goals)]
    if len(able) < len(goals):
        only = "only one box comes" if len(able) == 1 else f"only {_number(len(able))} boxes come"
        which = places(able)
        return f"{told}{only} to any of them, {'that' if len(able) == 1 else 'those'} {which}"
    return f"{told}there are no {_number(len(goals))} boxes that can come to stand on them together"


# Drawn


def _draw_boxes(level: Level, part: Part) -> Drawn:
    cells = frozenset(_cells(part))
    text = draw(starting(level, State(level.start.player, cells)))
    return Drawn(text, draw(level), cells)


def _draw_goals(level: Level, part: Part) -> Drawn:
    """Only these goals, and all boxes."""
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
    """The board with these boxes, a frame around each, and where the others stand."""
    cells = frozenset(_cells(part))
    shown = picture(level, State(level.start.player, cells))
    faint: list[Shape] = [tile(*box, "line", 0.12, 0.07) for box in sorted(level.start.boxes - cells)]
    marks = [side for cell in sorted(cells) for side in frame(*cell)]
    return replace(shown, pieces=(*faint, *shown.pieces, *marks))


def _picture_goals(level: Level, part: Part) -> Picture:
    """The board in its start, with a frame around each of these goals."""
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
