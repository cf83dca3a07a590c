"""The names under which `gymnasium.make` knows the environments: one for each puzzle, and one for any."""

import gymnasium

from puzzlemc.encodings.puzzles import puzzles

ANY = "Puzzle"
CLASS = "puzzlemc.reports.gym.environment:PuzzleEnv"


def register() -> None:
    """Make the names known; a second call does nothing."""
    for puzzle in (None, *puzzles()):
        name = f"puzzlemc/{ANY if puzzle is None else puzzle.capitalize()}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, CLASS, kwargs={"puzzle": puzzle}, order_enforce=False)
