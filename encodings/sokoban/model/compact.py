"""The encoding `compact` of Sokoban: the cell of the player is the location, and each box square has one bit.

It is exact: its reachable states are the reachable positions of the plain rules, dead positions included.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, action_name, moves
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, MOVE, PUSH, ahead, hopeless
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE, Bit, Formula, bit
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable, binary
from puzzlemc.screens.sokoban import Cell, Level, State

PATTERN = 3  # the most boxes in a dead pattern


def box_squares(level: Level) -> tuple[Cell, ...]:
    """The squares to which a lone box can be pushed, with the player anywhere."""
    floor = level.cells
    found = set(level.start.boxes)
    waiting = list(found)
    while waiting:
        cell = waiting.pop()
        for direction in DIRECTIONS.values():
            behind = (cell[0] - direction[0], cell[1] - direction[1])
            target = ahead(cell, direction)
            if behind in floor and target in floor and target not in found:
                found.add(target)
                waiting.append(target)
    return tuple(sorted(found))


def compact(level: Level) -> Encoded:
    """The model with the player's cell as location and one bit for each box square."""
    player = binary("player", level.floor)
    at: dict[Cell, dict[Bit, bool]] = {cell: player.literals(cell) for cell in level.floor}
    box: dict[Cell, Bit] = {cell: bit("box", *cell) for cell in box_squares(level)}
    boxes = [Variable(f"box{cell}", (False, True), (b,), ((False,), (True,))) for cell, b in box.items()]

    actions = []
    for cell, stand in at.items():
        for name, direction in DIRECTIONS.items():
            target = ahead(cell, direction)
            if target not in at:
                continue
            arrive, taken = at[target], box.get(target)
            if taken is None:
                actions.append(Action(action_name(name, cell), stand, arrive, MOVE))
                continue
            actions.append(Action(action_name(name, cell), {**stand, taken: False}, arrive, MOVE))
            if (left := box.get(ahead(target, direction))) is not None:
                guard = {**stand, taken: True, left: False}
                update = {**arrive, taken: False, left: True}
                actions.append(Action(action_name(name.upper(), cell), guard, update, PUSH))

    initial = at[level.start.player] | {b: cell in level.start.boxes for cell, b in box.items()}
    coverable = len(level.goals) <= len(level.start.boxes) and level.goals <= box.keys()
    goal = dict.fromkeys((box[cell] for cell in level.goals), True) if coverable else FALSE
    far = goal_distances(level)

    def plans(metric: str, budget: Budget, work: int | None) -> Iterator[Sequence[Action]]:
        # Imported here, because it loads compiled code.
        from puzzlemc.encodings.sokoban.improve.cheap_plan import cheap_plans

        for letters in cheap_plans(level, metric, budget, work):
            yield _actions(level, actions, letters)

    hints = Hints(
        location=player,
        conserved=((tuple(box.values()), len(level.start.boxes)),),
        objects={b: cell for cell, b in box.items()},
        order=(*player.bits, *(box[cell] for cell in sorted(box, key=lambda cell: (far[cell], cell)))),
        potential={(box[cell], True): far[cell] for cell in box},
        relaxations=_relaxations(level, box),
        plan_finder=plans,
    )
    atoms: dict[str, Formula] = {"solved": goal}
    places = {what: placed(what, level.floor) for what in ("player", "box")}
    atoms |= {name: at[cell] for cell, name in places["player"].items()}
    atoms |= {name: box.get(cell, FALSE) for cell, name in places["box"].items()}
    counts = {ON_GOAL: [box[cell] for cell in sorted(level.goals) if cell in box]}
    model = Model((player, *boxes), initial, tuple(actions), goal, atoms, hints, counts)

    def decode(state: Bits) -> State:
        where = player.read(state)
        assert isinstance(where, tuple)
        return State(where, frozenset(cell for cell, b in box.items() if b in state))

    return Encoded(model, decode, moves, places, lost={"box": _dead_squares(level)})


def _actions(level: Level, actions: Sequence[Action], letters: Sequence[str]) -> list[Action]:
    """The actions of a sequence of moves from the start."""
    named = {action.name: action for action in actions}
    player, found = level.start.player, []
    for letter in letters:
        found.append(named[action_name(letter, player)])
        player = ahead(player, DIRECTIONS[letter.lower()])
    return found


def goal_distances(level: Level) -> dict[Cell, int]:
    """By square, the least number of pushes of a lone box to a goal, with the player anywhere.

    For squares from which no goal can be reached, it is one more than the largest distance.
    """
    distance = _distances(level)
    farthest = max(distance.values(), default=0) + 1
    return {cell: distance.get(cell, farthest) for cell in level.floor}


def _dead_squares(level: Level) -> frozenset[Cell]:
    """The squares from which no lone box reaches a goal; none if there are more boxes than goals."""
    if len(level.start.boxes) != len(level.goals):
        return frozenset()
    return frozenset(level.floor) - _distances(level).keys()


def _distances(level: Level) -> dict[Cell, int]:
    """The distances of `goal_distances`, without the squares from which no goal can be reached."""
    floor = level.cells
    distance = dict.fromkeys(level.goals, 0)
    waiting = deque(distance)
    while waiting:
        cell = waiting.popleft()
        for direction in DIRECTIONS.values():
            before = (cell[0] - direction[0], cell[1] - direction[1])
            behind = (before[0] - direction[0], before[1] - direction[1])
            if before in floor and behind in floor and before not in distance:
                distance[before] = distance[cell] + 1
                waiting.append(before)
    return distance


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
