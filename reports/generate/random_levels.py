"""Random levels as text, one for each seed, with the number of their solutions."""

from dataclasses import dataclass, replace
from typing import Any

from puzzlemc.encodings.puzzle.design.generation import SingleGeneration
from puzzlemc.encodings.puzzles import puzzle as puzzle_of
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.workers.worker import tell


@dataclass(frozen=True)
class RandomLevel:
    """The random level of a seed: a board of rows and columns, with a number of objects.

    unique  True if the level must have exactly one solution
    """

    puzzle: str
    rows: int
    columns: int
    objects: int
    seed: int
    unique: bool


def generate(request: RandomLevel, limits: Limits) -> tuple[str, int | str | None]:
    """A level, and the number of its solutions or the quality of the best one; None if a limit ended the count.

    In a worker, each level is sent to the parent before its solutions are counted. Raises ModelError, and
    LimitReached if no level with one solution is found in time.
    """
    puzzle = puzzle_of(request.puzzle)
    generation = puzzle.generation
    if not isinstance(generation, SingleGeneration):
        raise ModelError(f"random levels of {puzzle.name} are not generated")
    size = f"{request.rows}×{request.columns}"
    title = f"{size}, {request.objects} {generation.objects.name}, seed {request.seed}"

    def text(level: Any) -> str:
        return puzzle.screen.draw(replace(level, title=title))

    def drawn(level: Any) -> None:
        if not request.unique:
            tell(text(level))

    numbers = request.rows, request.columns, request.objects, request.seed
    level, solutions = generation.draw(*numbers, Budget(limits), unique=request.unique, drawn=drawn)
    return text(level), solutions
