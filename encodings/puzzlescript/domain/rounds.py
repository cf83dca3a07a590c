"""The rounds with chance from a board: all that may be drawn, with their weights."""

from collections.abc import Iterable

from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.drawing import Drawing, State, TooManyDraws, Weight, state_of
from puzzlemc.encodings.puzzlescript.domain.movement import failed, move
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.rulebook import rulebook
from puzzlemc.encodings.puzzlescript.domain.turn import TRIES, Round, keeps_players, set_out
from puzzlemc.screens.puzzlescript.game import Game, Level


def rounds(level: Level, drawing: Drawing, cells: Cells, movement: str) -> dict[Round, Weight]:
    """The rounds from these cells that may be drawn, as `turn.play_round` plays one. Raises TooManyDraws.

    If movements of rigid rules are not used up, the round begins anew without the groups of these rules, and all
    is drawn anew. More and more groups are left out: the rounds with the fewest of them are played first.
    """
    game, book = level.game, rulebook(level.game)
    board = Board(cells, level.width, level.height)
    players = set_out(board, game, movement)
    start = state_of(board, frozenset())
    found: dict[Round, Weight] = {}
    waiting: dict[frozenset[int], Weight] = {frozenset(): 1}  # by the rigid groups that are left out
    tries = 0
    while waiting:
        tries += 1
        if tries > TRIES:
            raise TooManyDraws()
        banned = min(waiting, key=len)
        weight = waiting.pop(banned)
        moved: dict[State, Weight] = {}
        for state, part in drawing.apply_phase({start: weight}, book.early, banned).items():
            board = drawing.board(state)
            move(board, book.layers)
            failing = failed(board) - banned
            if failing:
                drawing.add(waiting, banned | failing, part)
            else:
                board.movements.clear()
                drawing.add(moved, state_of(board, state.queue), part)
        for state, part in drawing.apply_phase(moved, book.late, frozenset()).items():
            drawing.add(found, _round(game, cells, state, players), part)
    return found


def _round(game: Game, cells: Cells, state: State, players: Iterable[tuple[int, int]]) -> Round:
    dropped = keeps_players(game, state.cells, players)
    return Round(cells, frozenset(), dropped=True) if dropped else Round(state.cells, state.queue)
