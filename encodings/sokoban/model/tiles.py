"""The encoding `tiles` of Sokoban: three bits for each tile (cell), easy to read rather than fast.

The value of a tile says whether it is a target, so an action updates the codes of two or three tiles by formulas.
It is exact, as `compact` is.
"""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, action_name, moves
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, MOVE, PUSH, ahead, hopeless
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Not, Or
from puzzlemc.mc.model.formula import FALSE, Bit, Expression, Formula, bit
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable
from puzzlemc.screens.sokoban import Cell, Level, State

# The codes, most significant bit first. 000 stands for a wall and is unused, because walls are not encoded; so is
# 111.
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
    """The model with a code of three bits for each tile."""
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
                actions.append(_rewrite(action_name(name, cell), move, MOVE))
            if target in tile and beyond in tile:
                push = [(tile[cell], LEAVE), (tile[target], ENTER_BOX), (tile[beyond], ARRIVE)]
                actions.append(_rewrite(action_name(name.upper(), cell), push, PUSH))

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
        goal = FALSE
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
    atoms: dict[str, Formula] = {"solved": goal}
    places = {what: placed(what, level.floor) for what in ("player", "box")}
    atoms |= {name: player[cell] for cell, name in places["player"].items()}
    atoms |= {name: box[cell] for cell, name in places["box"].items()}
    counts = {ON_GOAL: [box[cell] for cell in level.floor if cell in level.goals]}
    model = Model(tuple(tile.values()), initial, tuple(actions), goal, atoms, hints, counts)

    def decode(state: Bits) -> State:
        read = {cell: variable.read(state) for cell, variable in tile.items()}
        (where,) = [cell for cell, content in read.items() if content in LEAVE]
        return State(where, frozenset(cell for cell, content in read.items() if content in ENTER_BOX))

    return Encoded(model, decode, moves, places)


def _one_of(variable: Variable, values: Sequence[str] | dict[str, str]) -> Expression:
    found: Expression = Or(*[variable.equals(value) for value in values])
    return found


def _rewrite(name: str, changes: list[tuple[Variable, dict[str, str]]], costs: dict[str, int]) -> Action:
    """The action that replaces the value of each variable by its mapping.

    Enabled if all mappings have the values.
    """
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
