"""Puzzles as environments of Gymnasium: `gymnasium.make("puzzlemc/Puzzle-v0", levels="levels.txt")`.

Importing this module makes the names of the environments known. `docs/gym.md` describes them.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    from puzzlemc.mc.installed import adding

    raise ImportError(f"puzzlemc.gym needs Gymnasium: {adding('gym')}")

from puzzlemc.reports.gym.environment import PuzzleEnv
from puzzlemc.reports.gym.registration import register

register()

__all__ = ["PuzzleEnv"]
