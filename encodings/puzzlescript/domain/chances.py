"""Levels with chance as decision processes: what follows a position and an input, with exact probabilities.

Within a turn, there are moments at which nothing is chosen and something is drawn: a level starts, for the first
time or by a rule, or a round follows that `again` has asked for. Such a moment is a node of its own. So rounds
that lead in a circle are a circle of nodes, and how often it is walked need not be known.

If the first round of a level restarts it, there is a second start, with draws of its own. In the first round of
the second start, and of a restart in play, the command `restart` does nothing.

The dry round after `again` and the round that is played have draws of their own: with the probability that a dry
round does something, the turn goes on, whatever has been drawn in it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from puzzlemc.encodings.puzzlescript.domain.chance import inputs
from puzzlemc.encodings.puzzlescript.domain.drawing import Drawing, Weight
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position, movement
from puzzlemc.encodings.puzzlescript.domain.rounds import rounds
from puzzlemc.encodings.puzzlescript.domain.turn import Round, Unsettled, does_something, goes_back
from puzzlemc.mc.rules.decisions import DecisionProcess
from puzzlemc.screens.puzzlescript.game import Level
from puzzlemc.screens.puzzlescript.winning import won

CHECKPOINT = "a rule goes back to a checkpoint, which depends on earlier turns"


class Pending(NamedTuple):
    """A moment at which nothing is chosen: one of those below, or AGAIN with the board of the next round."""

    kind: str
    cells: Cells = ()


AGAIN = "again"
START, SECOND_START, RESTART, STUCK = map(Pending, ("start", "second start", "restart", "stuck"))
NOTHING = ("",)  # the only input where nothing is chosen

Node: TypeAlias = Position | Pending


def start(_: Level) -> Node:
    """The node in which a level begins."""
    return START


def choices(level: Level, node: Node) -> Sequence[str]:
    """The names of the inputs in a node; a single empty one if nothing is chosen there."""
    return inputs(level) if isinstance(node, Position) else NOTHING


def solved(_: Level, node: Node) -> bool:
    """Has the last turn won?"""
    return isinstance(node, Position) and node.won


Rounds: TypeAlias = Callable[[Level, Drawing, Cells, str], Mapping[Round, Weight]]


def after(level: Level, node: Node, name: str) -> dict[Node, Weight]:
    """The nodes that follow an input, with their probabilities. Raises TooManyDraws.

    Raises Unsettled for a restart of a game in which a checkpoint may stand for the start.
    """
    return following(level, node, name, weighs=True)


def following(level: Level, node: Node, name: str, *, weighs: bool, rounds: Rounds = rounds) -> dict[Node, Weight]:
    """The nodes that follow, as `after`; without `weighs`, each has the weight 1. `rounds` lists what is drawn."""
    if node == STUCK:
        return {STUCK: 1}
    if node == RESTART and goes_back(level.game):
        raise Unsettled(words=CHECKPOINT)
    if node == RESTART:
        level = level.origin or level
    is_start, is_restart = node in (START, SECOND_START, RESTART), node == RESTART
    if is_start and (level.begun or not level.game.run_rules_on_level_start):
        is_won = won(level.game, level.cells) if is_restart else level.won
        return {Position(level.cells, is_won): 1}
    cells = level.cells if is_start else node.cells
    given = movement(name) if isinstance(node, Position) else ""
    restart = SECOND_START if node == START else None if is_start else RESTART
    drawing = Drawing(level.width, level.height, weighs=weighs)
    found: dict[Node, Weight] = {}
    listed = partial(rounds, level, drawing)
    for each, weight in listed(cells, given).items():
        board = cells if "cancel" in each.commands else each.cells
        if is_restart and won(level.game, board):
            drawing.add(found, Position(board, won=True), weight)
            continue
        for end, part in _ends(level, drawing, listed, cells, each, is_start=is_start, restart=restart).items():
            drawing.add(found, end, weight * part)
    return found


def _ends(
    level: Level,
    drawing: Drawing,
    listed: Callable[[Cells, str], Mapping[Round, Weight]],
    cells: Cells,
    played: Round,
    *,
    is_start: bool,
    restart: Node | None,
) -> Mapping[Node, Weight]:
    """The nodes after a round that was played from these cells, see `turn`.

    The command `restart` leads to the node `restart`; it does nothing if that is None.
    """
    board, commands, dropped = played
    has_message = "message" in commands
    if dropped or "cancel" in commands:
        return {Position(cells, not dropped and has_message and not is_start and won(level.game, cells)): 1}
    if "restart" in commands and restart is not None:
        return {restart: 1}
    if not is_start and (("win" in commands and not has_message) or won(level.game, board)):
        return {Position(board, won=True): 1}
    rests: Node = Position(board, won=False)
    if "again" not in commands or board == cells:
        return {rests: 1}
    ends: dict[Node, Weight] = {}
    for dry, weight in listed(board, "").items():
        drawing.add(ends, Pending(AGAIN, board) if does_something(dry, board) else rests, weight)
    return ends


PROCESS = DecisionProcess(start, choices, after, solved)
