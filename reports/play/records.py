"""Games as text: in the format of the puzzle if it has one, else as JSON with the level."""

import json
from collections.abc import Sequence
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.screens.base.errors import LevelError


def write(puzzle: Puzzle, level: Any, moves: Sequence[str]) -> str:
    """A game from the start of a level, with a newline at the end."""
    if puzzle.text.game_record is not None:
        return puzzle.text.game_record.write(level, moves)
    game = {"puzzle": puzzle.name, "level": puzzle.screen.draw(level), "moves": list(moves)}
    return json.dumps(game, ensure_ascii=False, indent=1) + "\n"


def read(puzzle: Puzzle, level: Any, text: str, source: str) -> list[str]:
    """The moves of a game of this level. Raises LevelError for any other text."""
    if puzzle.text.game_record is not None:
        found, moves = puzzle.text.game_record.read(text, source)
        board = puzzle.screen.draw(found)
    else:
        board, moves = _from_json(puzzle, text, source)
    if board != puzzle.screen.draw(level):
        title = f" {level.title!r}" if level.title else ""
        raise LevelError(f"found a game of another level, expected one of this level{title}", source=source)
    return moves


def _from_json(puzzle: Puzzle, text: str, source: str) -> tuple[str, list[str]]:
    """The level as text, and the moves. Raises LevelError."""
    try:
        game = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = {"line": error.lineno, "column": error.colno} if isinstance(error, json.JSONDecodeError) else {}
        raise LevelError("found no JSON, expected a saved game", source=source, **where) from None
    board = game.get("level") if isinstance(game, dict) else None
    moves = game.get("moves") if isinstance(game, dict) else None
    if not isinstance(board, str) or not isinstance(moves, list) or not all(isinstance(m, str) for m in moves):
        raise LevelError("found no level and list of moves, expected a saved game", source=source)
    if game.get("puzzle") != puzzle.name:
        found = str(game.get("puzzle"))[:40]
        raise LevelError(f"found a game of {found!r}, expected one of {puzzle.name}", source=source)
    return board, moves
