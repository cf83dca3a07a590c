"""A turn: a round in which the players move, and a round without a movement after each one that queues `again`.

A round is the early rules, movement, and the late rules. After a round come, in this order: the check that a
player has moved, if the game requires it, the commands `cancel` and `restart`, the win, `checkpoint`, and `again`.

While a message stands, no win is asked for. It is asked for when the message is closed, and then the commands of
the round are gone: a `win` beside a message does not win, but the win conditions may hold, also after `cancel`.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.domain.application import Choose, Commands, apply_phase, certain
from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.movement import failed, move
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.rulebook import rulebook
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript.game import Game, Level
from puzzlemc.screens.puzzlescript.winning import won

ROUNDS = 500  # the most of a turn
TRIES = 50  # the most of a round with rigid groups


UNSETTLED = f"a turn does not settle within {ROUNDS} rounds"
GOES_ON = "a turn goes on after a checkpoint, to which a rule may go back"
UNSETTLED_START = f"the rules at the start of the level do not settle within {ROUNDS} rounds"


class Unsettled(LimitReached):
    """A turn does not end within ROUNDS rounds, or a rule may go back into it: what follows is not known."""

    def __init__(self, reason: str = "bound", words: str = UNSETTLED) -> None:
        super().__init__(reason, words)


class Ending(Enum):
    """How a turn ends: the level goes on, is won, or starts again by a command of a rule.

    STUCK is a turn that never ends: after a round that queues `again`, a board comes back.
    """

    SETTLED = "settled"
    WON = "won"
    RESTARTED = "restarted"
    STUCK = "stuck"


class Outcome(NamedTuple):
    """The end of a turn.

    cells       the cells after it; if its last round has `restart`, those before the level starts again; those
                before the turn if it never ends
    checkpoint  the cells after its last round with `checkpoint`, None if there is none
    """

    ending: Ending
    cells: Cells
    checkpoint: Cells | None


class Round(NamedTuple):
    """The cells after a round, the commands that its rules have queued, and whether it is dropped.

    A round is dropped if the game requires that a player leaves its cell, and none does. Then it changes nothing,
    queues nothing, and no win is asked for.
    """

    cells: Cells
    commands: Commands
    dropped: bool = False


def turn(level: Level, cells: Cells, movement: str, *, begins: bool = False, choose: Choose = certain) -> Outcome:
    """The turn from these cells in which the players get a movement: a direction, `action`, or "" for none.

    `begins` says that it is the turn at the start of the level. Its first round does not win, and `restart` does
    nothing in this round. If a later round restarts the level, or none ends the turn, the level never starts.

    With `choose`, a dry round is drawn before each further one: if it would do nothing, the turn ends. Raises
    Unsettled, and, without `choose`, Unsuitable if something is drawn.
    """
    draws = choose is not certain
    checkpoint: Cells | None = None
    start, anchor = cells, None  # a board before an earlier round: a cycle comes back to one of these
    for number in range(ROUNDS):
        is_start = begins and number == 0
        after, commands, dropped = play_round(level, cells, movement, choose)
        has_message = "message" in commands
        if dropped:
            return Outcome(Ending.SETTLED, cells, checkpoint)
        if "cancel" in commands:
            wins = has_message and not is_start and won(level.game, cells)
            return Outcome(Ending.WON if wins else Ending.SETTLED, cells, checkpoint)
        if "restart" in commands and not is_start:
            wins = restart_wins(level, choose)
            if begins and not wins:
                break
            return Outcome(Ending.WON if wins else Ending.RESTARTED, after, checkpoint)
        if number == 0:
            is_asked = not begins
        else:  # A later round that would change nothing, and does not win, is not played.
            is_asked = draws or after != cells or "win" in commands
        if is_asked and (("win" in commands and not has_message) or won(level.game, after)):
            return Outcome(Ending.WON, after, checkpoint)
        if "checkpoint" in commands:
            checkpoint = after
        if "again" not in commands or after == cells:
            return Outcome(Ending.SETTLED, after, checkpoint)
        if draws and not does_something(play_round(level, after, "", choose), after):
            return Outcome(Ending.SETTLED, after, checkpoint)
        cells, movement = after, ""
        if cells == anchor and not begins and not draws:
            return Outcome(Ending.STUCK, start, None)
        if (number + 1).bit_count() == 1:
            anchor = cells
    raise Unsettled()


def does_something(dry: Round, cells: Cells) -> bool:
    """Would a round that `again` has asked for do anything on a board?"""
    if "cancel" in dry.commands:
        return len(dry.commands) > 1
    return dry.cells != cells or bool(dry.commands & {"win", "restart"})


def restart_wins(level: Level, choose: Choose = certain) -> bool:
    """Does a restart win? It asks for the win after the first round of the level, which is no win at the start."""
    origin = level.origin or level
    cells = origin.cells
    if origin.game.run_rules_on_level_start and not origin.begun:
        after, commands, _ = play_round(origin, cells, "", choose)
        cells = cells if "cancel" in commands else after
    return won(origin.game, cells)


@lru_cache(maxsize=8)
def goes_back(game: Game) -> bool:
    """May a rule go back to a board that another rule keeps?"""
    return {"checkpoint", "restart"} <= {command for rule in game.rules for command in rule.commands}


def play_round(level: Level, cells: Cells, movement: str, choose: Choose = certain) -> Round:
    """The round from these cells in which the players get a movement, or none ("").

    If a movement that a rigid rule has set is not used up, the round begins anew without the group of this rule.
    Without `choose`, raises Unsuitable if something is drawn.
    """
    game = level.game
    book = rulebook(game)
    banned: set[int] = set()
    for _ in range(TRIES):
        board = Board(cells, level.width, level.height)
        players = set_out(board, game, movement)
        queue = apply_phase(board, book.early, frozenset(), banned, choose)
        move(board, book.layers)
        failing = failed(board) - banned
        if not failing:
            board.movements.clear()
            queue = apply_phase(board, book.late, queue, choose=choose)
            break
        banned |= failing
    else:
        board, queue = Board(cells, level.width, level.height), frozenset()
    if keeps_players(game, board.cells, players):
        return Round(cells, frozenset(), dropped=True)
    return Round(tuple(board.cells), queue)


def set_out(board: Board, game: Game, movement: str) -> list[tuple[int, int]]:
    """Give the players a movement, if it is not "". Returns their cells and layers.

    A player that is an aggregate needs all its objects in a cell.
    """
    book = rulebook(game)
    players = (
        []
        if not movement
        else [
            (cell, book.layer[name])
            for cell, here in enumerate(board.cells)
            if not game.players_all or game.players <= here
            for name in here & game.players
        ]
    )
    board.movements = dict.fromkeys(players, movement)
    return players


def keeps_players(game: Game, cells: Sequence[frozenset[str]], players: Iterable[tuple[int, int]]) -> bool:
    """Is a round dropped, because the game requires that one of the players that set out leaves its cell?"""
    places = [cell for cell, _ in players]
    return game.require_player_movement and bool(places) and all(game.players & cells[cell] for cell in places)
