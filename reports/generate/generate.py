"""Random levels as text, with the number of their solutions."""

from dataclasses import replace
from typing import Any

from puzzlemc.encodings.puzzle.generation import SingleGeneration
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.workers.worker import tell


def generate(
    puzzle: str, rows: int, columns: int, colours: int, seed: int, unique: bool, limits: Limits
) -> tuple[str, int | str | None]:
    """A level, and the number of its solutions or how good the best is; None where a limit stops that.

    In a worker, each level is told before its solutions are counted. Raises ModelError, and LimitReached where no
    level with one solution is found in time.
    """
    generation = puzzle_of(puzzle).generation
    if not isinstance(generation, SingleGeneration):
        raise ModelError(f"random levels of {puzzle} are not made")
    title = f"{rows}×{columns}, {colours} {generation.objects}, seed {seed}"

    def text(level: Any) -> str:
        return puzzle_of(puzzle).screen.draw(replace(level, title=title))

    def drawn(level: Any) -> None:
        if not unique:
            tell(text(level))

    budget = Budget(limits)
    level, number = generation.draw(rows, columns, colours, seed, budget, unique=unique, drawn=drawn)
    return text(level), number
