"""The encoding `compact` of Sokoban: the cell of the player is the location, and each box square has one bit.

It is exact: its reachable states are the reachable positions of the plain rules, dead positions included.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.sokoban.board.floor import PULL
from puzzlemc.encodings.sokoban.board.floor import PUSH as PUSHES
from puzzlemc.encodings.sokoban.board.lone_box import steps_by_cell
from puzzlemc.encodings.sokoban.board.numbered import LETTERS, neighbours
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, action_name, moves
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, MOVE, PUSH, ahead, hopeless, spare
from puzzlemc.encodings.sokoban.domain.symmetry import floor_symmetries
from puzzlemc.encodings.sokoban.model.steps import Steps
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, ChosenActions, names
from puzzlemc.mc.model.formula import FALSE, Bit, Formula, bit
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.lazy import LazyMapping, LazySequence
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import Cubes, PlainActions
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import Variable, binary
from puzzlemc.screens.sokoban import Cell, Level, State

PATTERN = 3  # the most boxes in a dead pattern


def compact(level: Level) -> Encoded:
    """The model with the player's cell as location and one bit for each box square."""
    near = neighbours(level.floor)
    player = binary("player", level.floor)
    # A box square is one to which a lone box can be pushed, with the player anywhere.
    boxes = {cell: _box(cell) for cell in steps_by_cell(near, level.floor, level.start.boxes, PULL)}
    box: dict[Cell, Bit] = {cell: variable.bits[0] for cell, variable in boxes.items()}
    actions, steps = _actions(level, near, player, box)

    start = level.start
    far = LazyMapping(lambda: goal_distances(level, near))
    targets = [box[cell] for cell in sorted(level.goals) if cell in box]
    initial = player.literals(start.player) | {b: cell in start.boxes for cell, b in box.items()}
    coverable = len(level.goals) <= len(start.boxes) and level.goals <= box.keys()
    goal = dict.fromkeys((box[cell] for cell in level.goals), True) if coverable else FALSE

    def moves_of(trace: Trace) -> list[str]:
        numbers = trace.actions.numbers(actions) if isinstance(trace.actions, ChosenActions) else None
        return moves(trace) if numbers is None else [_letter(steps[number]) for number in numbers]

    def plan(letters: Sequence[str]) -> list[Action]:
        return _actions_of(level, actions, letters)

    def plans(metric: str, budget: Budget, work: int | None) -> Iterator[Sequence[Action]]:
        # Imported here, because it takes long to load.
        from puzzlemc.encodings.sokoban.improve.cheap_plan import cheap_plans

        for letters in cheap_plans(level, metric, budget, work):
            yield plan(letters)

    def better(known: Sequence[Action], metric: str, budget: Budget, work: int) -> Iterator[Sequence[Action]]:
        from puzzlemc.encodings.sokoban.improve.cheap_plan import cheaper_plans

        for letters in cheaper_plans(level, [name[0] for name in names(known)], metric, budget, work):
            yield plan(letters)

    hints = Hints(
        location=player,
        conserved=((tuple(box.values()), len(start.boxes)),),
        objects={b: cell for cell, b in box.items()},
        order=LazySequence(lambda: (*player.bits, *_by_distance(far, box))),
        potential=LazyMapping(lambda: {(box[cell], True): pushes for cell, pushes in _distances(far, box)}),
        relaxations=() if hopeless(level) else relaxations(targets, len(start.boxes), spare(level)),
        symmetries=LazySequence(lambda: floor_symmetries(level.floor)),
        plan_finder=plans,
        plan_improver=better,
    )

    def atoms() -> dict[str, Formula]:
        found: dict[str, Formula] = {"solved": goal}
        found |= {name: player.literals(cell) for cell, name in places["player"].items()}
        return found | {name: box.get(cell, FALSE) for cell, name in places["box"].items()}

    places = LazyMapping(lambda: {what: placed(what, level.floor) for what in ("player", "box")})
    counts = {ON_GOAL: targets}
    model = Model((player, *boxes.values()), initial, actions, goal, LazyMapping(atoms), hints, counts)

    def decode(state: Bits) -> State:
        where = player.read(state)
        assert isinstance(where, tuple)
        return State(where, frozenset(cell for cell, b in box.items() if b in state))

    return Encoded(
        model, decode, moves_of, places, plan, lost=LazyMapping(lambda: {"box": _dead_squares(level, far)})
    )


@lru_cache(maxsize=1 << 12)  # small levels have most of their cells in common
def _box(cell: Cell) -> Variable:
    """Whether a box is on the cell."""
    return Variable(f"box{cell}", (False, True), (bit("box", *cell),), ((False,), (True,)))


def _actions(
    level: Level, near: npt.NDArray[np.int64], player: Variable, box: dict[Cell, Bit]
) -> tuple[PlainActions, list[list[int]]]:
    """All walks and pushes: by the cell of the player, the direction, and a walk before a push; and these numbers.

    The bits are those of the player, then those of the boxes.
    """
    width = len(player.bits)
    bit_of = np.full(len(near), -1, np.int64)
    bit_of[np.flatnonzero([cell in box for cell in level.floor])] = np.arange(width, width + len(box))
    found = Steps(near, bit_of, np.array(player.codes, np.bool_).reshape(-1, width))
    guards, updates = (Cubes(bits, values) for bits, values in zip(found.bits, found.values, strict=True))
    steps = found.steps.tolist()

    def name(number: int) -> str:
        return action_name(_letter(steps[number]), level.floor[steps[number][0]])

    bits = (*player.bits, *box.values())
    return PlainActions(bits, guards, updates, (MOVE, PUSH), found.steps[:, 2], name), steps


def _letter(step: Sequence[int]) -> str:
    """The letter of an action: of its direction, and of whether it is a push."""
    _, direction, push = step
    return LETTERS[direction + 4 * push]


def _actions_of(level: Level, actions: Sequence[Action], letters: Sequence[str]) -> list[Action]:
    """The actions of a sequence of moves from the start."""
    numbers = {name: number for number, name in enumerate(names(actions))}
    player, found = level.start.player, []
    for letter in letters:
        found.append(actions[numbers[action_name(letter, player)]])
        player = ahead(player, DIRECTIONS[letter.lower()])
    return found


def goal_distances(level: Level, near: npt.NDArray[np.int64]) -> dict[Cell, int]:
    """By cell, the least number of pushes of a lone box to a goal, with the player anywhere.

    Cells from which no goal can be reached are left out.
    """
    return steps_by_cell(near, level.floor, level.goals, PUSHES)


def _distances(far: Mapping[Cell, int], cells: Iterable[Cell]) -> list[tuple[Cell, int]]:
    """The cells with their distances to a goal; one more than the largest distance if none can be reached."""
    farthest = max(far.values(), default=0) + 1
    return [(cell, far.get(cell, farthest)) for cell in cells]


def _by_distance(far: Mapping[Cell, int], box: dict[Cell, Bit]) -> list[Bit]:
    """The bits of the boxes, those nearest to a goal first."""
    return [box[cell] for cell, _ in sorted(_distances(far, box), key=lambda pair: pair[::-1])]


def _dead_squares(level: Level, far: Mapping[Cell, int]) -> frozenset[Cell]:
    """The cells from which no lone box reaches a goal; none if there are more boxes than goals."""
    return frozenset() if spare(level) else level.cells - far.keys()


def relaxations(targets: Sequence[Bit], boxes: int, over: int) -> tuple[Relaxation, ...]:
    """The relaxations to one, two and three of the boxes, of which all but `over` must end on targets."""
    kept = range(over + 1, min(PATTERN, boxes) + 1)
    return tuple(Relaxation(keep, tuple(targets), keep - over) for keep in kept)
