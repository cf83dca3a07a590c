"""The encoding `compact` of Sokoban: the cell of the player is the location, and each box square has one bit.

It is exact: its reachable states are the reachable positions of the plain rules, dead positions included.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, action_name, moves
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, MOVE, PUSH, ahead, hopeless
from puzzlemc.encodings.sokoban.domain.symmetry import floor_symmetries
from puzzlemc.encodings.sokoban.model.steps import Steps
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, names
from puzzlemc.mc.model.formula import FALSE, Bit, Formula, bit
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.lazy import LazyMapping, LazySequence
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import Cubes, PlainActions
from puzzlemc.mc.model.variables import Variable, binary
from puzzlemc.screens.sokoban import Cell, Level, State

PATTERN = 3  # the most boxes in a dead pattern


def compact(level: Level) -> Encoded:
    """The model with the player's cell as location and one bit for each box square."""
    floor = Floor(level)
    player = binary("player", level.floor)
    squares = [level.floor[number] for number in floor.box_squares]
    box: dict[Cell, Bit] = {cell: bit("box", *cell) for cell in squares}
    boxes = [Variable(f"box{cell}", (False, True), (b,), ((False,), (True,))) for cell, b in box.items()]
    actions = _actions(floor, player, tuple(box.values()))

    start = level.start
    initial = player.literals(start.player) | {b: cell in start.boxes for cell, b in box.items()}
    coverable = len(level.goals) <= len(start.boxes) and level.goals <= box.keys()
    goal = dict.fromkeys((box[cell] for cell in level.goals), True) if coverable else FALSE

    def plan(letters: Sequence[str]) -> list[Action]:
        return _actions_of(level, actions, letters)

    def plans(metric: str, budget: Budget, work: int | None) -> Iterator[Sequence[Action]]:
        # Imported here, because it loads compiled code.
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
        order=LazySequence(lambda: (*player.bits, *_by_distance(floor, box))),
        potential=LazyMapping(lambda: {(box[cell], True): far for cell, far in _goal_distances(floor, box)}),
        relaxations=_relaxations(level, box),
        symmetries=LazySequence(lambda: floor_symmetries(level.floor)),
        plan_finder=plans,
        plan_improver=better,
    )

    def atoms() -> dict[str, Formula]:
        found: dict[str, Formula] = {"solved": goal}
        found |= {name: player.literals(cell) for cell, name in places["player"].items()}
        return found | {name: box.get(cell, FALSE) for cell, name in places["box"].items()}

    places = LazyMapping(lambda: {what: placed(what, level.floor) for what in ("player", "box")})
    counts = {ON_GOAL: [box[cell] for cell in sorted(level.goals) if cell in box]}
    model = Model((player, *boxes), initial, actions, goal, LazyMapping(atoms), hints, counts)

    def decode(state: Bits) -> State:
        where = player.read(state)
        assert isinstance(where, tuple)
        return State(where, frozenset(cell for cell, b in box.items() if b in state))

    return Encoded(model, decode, moves, places, plan, lost=LazyMapping(lambda: {"box": _dead_squares(floor)}))


class Floor:
    """The cells of the floor by their numbers in reading order; -1 stands for what is no floor.

    near         for each cell and direction the neighbour
    box_squares  the cells to which a lone box can be pushed, with the player anywhere, in order
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.number = number = {cell: place for place, cell in enumerate(level.floor)}
        ways = DIRECTIONS.values()
        self.near = [
            [number.get((row + down, column + right), -1) for down, right in ways] for row, column in level.floor
        ]
        self.box_squares = self._box_squares()

    def _box_squares(self) -> list[int]:
        near, found = self.near, {self.number[cell] for cell in self.level.start.boxes}
        waiting = list(found)
        while waiting:
            around = near[waiting.pop()]
            for direction, target in enumerate(around):
                if target >= 0 and around[direction ^ 2] >= 0 and target not in found:
                    found.add(target)
                    waiting.append(target)
        return sorted(found)

    def goal_distances(self) -> dict[int, int]:
        """By cell, the least number of pushes of a lone box to a goal, with the player anywhere.

        Cells from which no goal can be reached are left out.
        """
        near = self.near
        distance = {self.number[cell]: 0 for cell in self.level.goals if cell in self.number}
        waiting = deque(distance)
        while waiting:
            cell = waiting.popleft()
            for direction, before in enumerate(near[cell]):
                if before >= 0 and near[before][direction] >= 0 and before not in distance:
                    distance[before] = distance[cell] + 1
                    waiting.append(before)
        return distance


def _actions(floor: Floor, player: Variable, boxes: Sequence[Bit]) -> PlainActions:
    """All walks and pushes: by the cell of the player, the direction, and a walk before a push.

    The bits are those of the player, then those of the boxes.
    """
    near = np.array(floor.near, np.int64).reshape(-1, len(DIRECTIONS))
    width = len(player.bits)
    bit_of = np.full(len(near), -1, np.int64)
    bit_of[floor.box_squares] = np.arange(width, width + len(boxes))
    found = Steps(near, bit_of, np.array(player.codes, np.bool_).reshape(-1, width))
    guards, updates = (Cubes(bits, values) for bits, values in zip(found.bits, found.values, strict=True))
    letters = [letter for step in DIRECTIONS for letter in (step, step.upper())]
    steps = found.steps.tolist()

    def name(number: int) -> str:
        cell, direction, push = steps[number]
        return action_name(letters[2 * direction + push], floor.level.floor[cell])

    return PlainActions((*player.bits, *boxes), guards, updates, (MOVE, PUSH), found.steps[:, 2], name)


def _actions_of(level: Level, actions: Sequence[Action], letters: Sequence[str]) -> list[Action]:
    """The actions of a sequence of moves from the start."""
    numbers = {name: number for number, name in enumerate(names(actions))}
    player, found = level.start.player, []
    for letter in letters:
        found.append(actions[numbers[action_name(letter, player)]])
        player = ahead(player, DIRECTIONS[letter.lower()])
    return found


def _goal_distances(floor: Floor, cells: Iterable[Cell]) -> list[tuple[Cell, int]]:
    """The cells with their distances to a goal; one more than the largest distance if none can be reached."""
    distance = floor.goal_distances()
    farthest = max(distance.values(), default=0) + 1
    return [(cell, distance.get(floor.number[cell], farthest)) for cell in cells]


def _by_distance(floor: Floor, box: dict[Cell, Bit]) -> list[Bit]:
    """The bits of the boxes, those nearest to a goal first."""
    return [box[cell] for cell, _ in sorted(_goal_distances(floor, box), key=lambda pair: pair[::-1])]


def _dead_squares(floor: Floor) -> frozenset[Cell]:
    """The cells from which no lone box reaches a goal; none if there are more boxes than goals."""
    level = floor.level
    if len(level.start.boxes) != len(level.goals):
        return frozenset()
    alive = floor.goal_distances()
    return frozenset(cell for cell, number in floor.number.items() if number not in alive)


def _relaxations(level: Level, box: dict[Cell, Bit]) -> tuple[Relaxation, ...]:
    """The relaxations to one, two and three boxes: of these, all but the spare boxes must end on goals.

    There are none if counting shows that the level has no solution, because then the goal of the model is false.
    """
    if hopeless(level):
        return ()
    spare = len(level.start.boxes) - len(level.goals)
    goals = tuple(box[cell] for cell in sorted(level.goals) if cell in box)
    most = min(PATTERN, len(level.start.boxes))
    return tuple(Relaxation(keep, goals, keep - spare) for keep in range(spare + 1, most + 1))
