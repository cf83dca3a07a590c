"""A fast decision of many levels of a game that have their objects in other places.

The turns of a level are compiled for the objects that it has, wherever these are: an object that stays in its
place is taken for one that moves. So one compilation serves all levels of a game and a size with these objects,
and a level is no more than the first state of a breadth-first search. Objects that do not matter for winning are
left out, as in `relevant_planes`; this depends on the objects alone, not on their places. Nothing is known of dead
positions, so an engine decides levels with many positions, and games in which the start of a level is more than
its cells: with rules that are applied there, checkpoints, restarts, or chance.
"""

from collections.abc import Callable

from puzzlemc.encodings.puzzlescript.patterns.arrays import as_words
from puzzlemc.encodings.puzzlescript.planes.encoding import Board
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.search.state_table import ENDED, FOUND
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.screens.puzzlescript.game import Level
from puzzlemc.screens.puzzlescript.level import backgrounds

CAPACITY = 1 << 8  # positions at the beginning
MOST_POSITIONS = 1 << 16  # of a level, which take about 0.1 s; an engine decides those with more
EXPANSIONS = 256  # between two checks of the limits


def decider(level: Level) -> Callable[[Level, Budget], bool | None]:
    """A function that says of levels of a game whether they are solvable; None: an engine has to.

    It raises LimitReached.
    """
    game = level.game
    commands = {command for rule in game.rules for command in rule.commands}
    if game.run_rules_on_level_start or game.has_chance or not commands.isdisjoint(("checkpoint", "restart")):
        return lambda level, budget: None
    boards: dict[tuple[int, frozenset[str]], Board] = {}

    def decide(each: Level, budget: Budget) -> bool | None:
        present = frozenset[str]().union(*each.cells)
        key = each.width, present
        if each.game is not game or len(each.cells) != len(level.cells):
            return None
        if key not in boards:
            boards[key] = _board(each, present)
        return _decided(boards[key], each, budget)

    return decide


def _board(level: Level, present: frozenset[str]) -> Board:
    """The turns of all levels of a size with these objects: the part that matters for winning."""
    grounds = backgrounds(level.game) & present
    moved = present - grounds if len(grounds) == 1 else present
    whole = Board(level, None, moved)
    relevant = whole.compilation.relevant()
    return whole if relevant is None else Board(level, relevant, moved)


def _decided(board: Board, level: Level, budget: Budget) -> bool | None:
    """Is a level solvable? None if it has too many positions, or if a turn could not be computed."""
    if not board.compilation.can_win:
        return False
    space = Frontier(as_words(board.packed(level.cells), board.turns.words), CAPACITY)
    while space.used <= MOST_POSITIONS:
        budget.check()
        status = advance(space, board.turns, budget.limits.memory, EXPANSIONS)
        if status == FOUND:
            return True
        if status == ENDED:
            return None if space.unsettled >= 0 else False
    return None
