"""Sokoban: plain rules, and the encodings `compact` and `tiles`.

Both encodings are exact: they have the same reachable positions as the plain rules, dead ones included.

compact   where the player is (the location), and one bit for each square on which a box can come to stand
tiles     three bits a tile; whether a tile is a target is part of its state, so a move rewrites the codes of
          the two or three tiles that it touches, by formula
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import product

from pyeda.boolalg.expr import And, Not, Or, Zero

from puzzlemc.encodings.puzzles import Encoded, Puzzle, Step
from puzzlemc.mc.formula import Bit, Formula, bit, conjunction
from puzzlemc.mc.formula import State as Bits
from puzzlemc.mc.model import Action, Hints, Model, Relaxation, Variable, binary
from puzzlemc.mc.verdict import Trace
from puzzlemc.screens.sokoban import Cell, Level, State

DIRECTIONS: dict[str, Cell] = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
PATTERN = 3  # boxes in a dead pattern, at most
METRICS = ("pushes", "moves")
MOVE = {"pushes": 0, "moves": 1}
PUSH = {"pushes": 1, "moves": 1}


def ahead(cell: Cell, direction: Cell) -> Cell:
    """The next cell in a direction."""
    return cell[0] + direction[0], cell[1] + direction[1]


# Plain rules.


def start(level: Level) -> State:
    """The position that the level starts with."""
    return level.start


def steps(level: Level, position: State) -> Iterator[Step]:
    """All legal steps: lower case a move, upper case a push."""
    floor = frozenset(level.floor)
    for name, direction in DIRECTIONS.items():
        target = ahead(position.player, direction)
        if target not in floor:
            continue
        if target not in position.boxes:
            yield Step(name, State(target, position.boxes), MOVE)
            continue
        beyond = ahead(target, direction)
        if beyond in floor and beyond not in position.boxes:
            yield Step(name.upper(), State(target, position.boxes - {target} | {beyond}), PUSH)


def solved(level: Level, position: State) -> bool:
    """Does every goal hold a box?"""
    return level.goals <= position.boxes


def hopeless(level: Level) -> str:
    """Why plain counting shows that the level has no solution; empty where it does not."""
    if len(level.goals) > len(level.start.boxes):
        goals, boxes = len(level.goals), len(level.start.boxes)
        lost_boxes = sum(row.count("$") for row in level.rows) > len(level.start.boxes - level.goals)
        told = f"{goals} goal{'s' * (goals != 1)} but {boxes or 'no'} box{'es' * (boxes != 1)}"
        return told + " within reach" * lost_boxes
    lost = level.goals - frozenset(level.floor)
    if lost:
        row, column = min(lost)
        return f"the goal in row {row + 1}, column {column + 1} of the board is out of reach"
    return ""


def lurd(moves: Sequence[str]) -> str:
    """A trace in the usual notation, a letter a step."""
    return "".join(moves)


# The encoding `compact`.


def box_squares(level: Level) -> tuple[Cell, ...]:
    """The squares on which a box could come to stand, were it alone and the player anywhere."""
    floor = frozenset(level.floor)
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
    """The model with the player as location and one bit for each box square."""
    player = binary("player", level.floor)
    at: dict[Cell, dict[Bit, bool]] = {cell: player.literals(cell) for cell in level.floor}
    box: dict[Cell, Bit] = {cell: bit("box", *cell) for cell in box_squares(level)}
    boxes = [Variable(f"box{cell}", (False, True), (b,), ((False,), (True,))) for cell, b in box.items()]

    actions = []
    for cell in level.floor:
        for name, direction in DIRECTIONS.items():
            target, beyond = ahead(cell, direction), ahead(ahead(cell, direction), direction)
            if target not in at:
                continue
            stand, arrive = at[cell], at[target]
            if target not in box:
                actions.append(Action(f"{name}{cell}", conjunction(stand), arrive, MOVE))
                continue
            free = conjunction(stand | {box[target]: False})
            actions.append(Action(f"{name}{cell}", free, arrive, MOVE))
            if beyond in box:
                guard = conjunction(stand | {box[target]: True, box[beyond]: False})
                update = arrive | {box[target]: False, box[beyond]: True}
                actions.append(Action(f"{name.upper()}{cell}", guard, update, PUSH))

    initial = at[level.start.player] | {b: cell in level.start.boxes for cell, b in box.items()}
    coverable = len(level.goals) <= len(level.start.boxes) and level.goals <= box.keys()
    goal = And(*[box[cell] for cell in level.goals]) if coverable else Zero
    far = goal_distances(level)
    hints = Hints(
        location=player,
        conserved=((tuple(box.values()), len(level.start.boxes)),),
        objects={b: cell for cell, b in box.items()},
        order=(*player.bits, *(box[cell] for cell in sorted(box, key=lambda cell: (far[cell], cell)))),
        potential={(box[cell], True): far[cell] for cell in box},
        relaxations=_relaxations(level, box),
    )
    atoms = {"solved": goal}
    atoms |= {f"player@{_place(cell)}": conjunction(literals) for cell, literals in at.items()}
    atoms |= {f"box@{_place(cell)}": box.get(cell, Zero) for cell in level.floor}
    model = Model((player, *boxes), conjunction(initial), tuple(actions), goal, atoms, hints)

    def decode(state: Bits) -> State:
        where = player.read(state)
        assert isinstance(where, tuple)
        return State(where, frozenset(cell for cell, b in box.items() if b in state))

    return Encoded(model, decode, _moves)


def goal_distances(level: Level) -> dict[Cell, int]:
    """The least number of pushes that take a box, were it alone and the player anywhere, from a square to a goal.

    Squares from which no goal can be reached have the largest distance and one more.
    """
    floor = frozenset(level.floor)
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
    farthest = max(distance.values(), default=0) + 1
    return {cell: distance.get(cell, farthest) for cell in level.floor}


def _relaxations(level: Level, box: dict[Cell, Bit]) -> tuple[Relaxation, ...]:
    """One box alone, then two and three: each must end on a goal, but for as many as there are boxes to spare.

    Where boxes are too few there is nothing to relax: the model has no goal.
    """
    if hopeless(level):
        return ()
    spare = len(level.start.boxes) - len(level.goals)
    goals = tuple(box[cell] for cell in sorted(level.goals) if cell in box)
    most = min(PATTERN, len(level.start.boxes))
    return tuple(Relaxation(keep, goals, keep - spare) for keep in range(spare + 1, most + 1))


# The encoding `tiles`.

# The codes, most significant bit first. 000, a wall, never occurs: walls are not encoded. 111 is unused.
TILES = {
    "free": (False, False, True),
    "box": (False, True, False),
    "target": (False, True, True),
    "targetbox": (True, False, False),
    "agent": (True, False, True),
    "agenttarget": (True, True, False),
}
LEAVE = {"agent": "free", "agenttarget": "target"}
ENTER = {"free": "agent", "target": "agenttarget"}
ENTER_BOX = {"box": "agent", "targetbox": "agenttarget"}
ARRIVE = {"free": "box", "target": "targetbox"}


def tiles(level: Level) -> Encoded:
    """The model with a code of three bits a tile."""
    tile = {
        cell: Variable(
            f"tile{cell}",
            tuple(TILES),
            tuple(bit("tile", *cell, number) for number in (2, 1, 0)),
            tuple(TILES.values()),
        )
        for cell in level.floor
    }

    actions = []
    for cell in level.floor:
        for name, direction in DIRECTIONS.items():
            target, beyond = ahead(cell, direction), ahead(ahead(cell, direction), direction)
            if target in tile:
                move = [(tile[cell], LEAVE), (tile[target], ENTER)]
                actions.append(_rewrite(f"{name}{cell}", move, MOVE))
            if target in tile and beyond in tile:
                push = [(tile[cell], LEAVE), (tile[target], ENTER_BOX), (tile[beyond], ARRIVE)]
                actions.append(_rewrite(f"{name.upper()}{cell}", push, PUSH))

    def contents(cell: Cell) -> str:
        on = "target" if cell in level.goals else ""
        if cell == level.start.player:
            return "agent" + on
        if cell in level.start.boxes:
            return on + "box"
        return on or "free"

    initial: dict[Bit, bool] = {}
    for cell, variable in tile.items():
        initial |= variable.literals(contents(cell))
    goal = Not(Or(*[_one_of(variable, ("target", "agenttarget")) for variable in tile.values()]))
    if hopeless(level):
        goal = Zero
    player = {cell: _one_of(variable, LEAVE) for cell, variable in tile.items()}
    box = {cell: _one_of(variable, ENTER_BOX) for cell, variable in tile.items()}
    on_target = [
        _one_of(tile[cell], ("target", "targetbox", "agenttarget")) for cell in level.floor if cell in level.goals
    ]
    off_target = [_one_of(tile[cell], ("free", "box", "agent")) for cell in level.floor if cell not in level.goals]
    hints = Hints(
        conserved=(
            *(((formula,), 1) for formula in (*on_target, *off_target)),
            (tuple(box.values()), len(level.start.boxes)),
            (tuple(player.values()), 1),
        )
    )
    atoms = {"solved": goal}
    atoms |= {f"player@{_place(cell)}": formula for cell, formula in player.items()}
    atoms |= {f"box@{_place(cell)}": formula for cell, formula in box.items()}
    model = Model(tuple(tile.values()), conjunction(initial), tuple(actions), goal, atoms, hints)

    def decode(state: Bits) -> State:
        read = {cell: variable.read(state) for cell, variable in tile.items()}
        (where,) = [cell for cell, content in read.items() if content in LEAVE]
        return State(where, frozenset(cell for cell, content in read.items() if content in ENTER_BOX))

    return Encoded(model, decode, _moves)


def _one_of(variable: Variable, values: Sequence[str] | dict[str, str]) -> Formula:
    return Or(*[variable.equals(value) for value in values])


def _rewrite(name: str, changes: list[tuple[Variable, dict[str, str]]], costs: dict[str, int]) -> Action:
    """The action enabled where each variable has a value that its dict rewrites; it rewrites them all."""
    guard = And(*[_one_of(variable, change) for variable, change in changes])
    update: dict[Bit, bool | Formula] = {}
    for variable, change in changes:
        for number, b in enumerate(variable.bits):
            set_by = [old for old, new in change.items() if TILES[new][number]]
            if len(set_by) in (0, len(change)):
                update[b] = bool(set_by)
            else:
                update[b] = _one_of(variable, set_by)
    return Action(name, guard, update, costs)


def _moves(trace: Trace) -> list[str]:
    """The letters of the actions; their names go on with the cell."""
    return [action.name[0] for action in trace.actions]


def _place(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def constants(level: Level) -> dict[str, bool]:
    """The atoms of places off the floor: nobody comes there; a box that is drawn there stays."""
    floor = frozenset(level.floor)
    found = {}
    for row, column in product(range(len(level.rows)), range(max(map(len, level.rows)))):
        if (row, column) not in floor:
            found[f"player@{_place((row, column))}"] = False
            found[f"box@{_place((row, column))}"] = level.rows[row][column : column + 1] in ("$", "*")
    return found


PUZZLE = Puzzle(
    name="sokoban",
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles},
    start=start,
    steps=steps,
    solved=solved,
    hopeless=hopeless,
    write_trace=lurd,
    atoms={
        "solved": "every goal holds a box",
        "player@(r,c)": "the player stands in row r, column c, both from 0",
        "box@(r,c)": "a box stands there",
    },
    constants=constants,
)
