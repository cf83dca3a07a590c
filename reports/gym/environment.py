"""The environment: an agent plays levels by the plain rules.

The reward is 1 for the move that solves a level, and 0 otherwise. With exact distances, each step also gets what
it gains: the difference of a potential, which is the negative distance to a solution. Such rewards change no
optimal policy (Ng, Harada and Russell 1999).
"""

import os
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.api.arguments import public
from puzzlemc.reports.api.levels import Level, LevelLike, load
from puzzlemc.reports.formats.drawing import painter
from puzzlemc.reports.gym.observations import Planes
from puzzlemc.reports.gym.played import Game, Position, Shaping, games

MOST_STEPS = 1000
OPTION = "level"  # of `reset`


class PuzzleEnv(gymnasium.Env[Planes, np.int64]):
    """Levels as an environment.

    An observation has a plane for each kind of thing, with a 1 on each cell that has one. An action is the number
    of a move; a move that is not legal changes nothing. An episode ends when the level is solved or no move is
    legal; after `max_steps` steps it is truncated.

    levels   the levels by number
    actions  the names of the actions
    kinds    the names of the planes

    The dictionaries of `reset` and `step` have

    action_mask  1 for each action that is legal
    level        the number of the level
    distance     the least cost to a solution, infinite if there is none; only with `exact`
    lost         is there none? Only with `exact`
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012 (as Env has it)

    @public()
    def __init__(
        self,
        levels: Iterable[LevelLike] | LevelLike,
        puzzle: str | None = None,
        *,
        exact: bool = False,
        metric: str | None = None,
        discount: float = 1.0,
        max_steps: int = MOST_STEPS,
        timeout: float = 60.0,
        memory: float = 4.0,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of one level, of several, or of all levels of files and folders.

        puzzle     of paths: a name, or a Python file that defines a puzzle; None takes the puzzle from the file
        exact      give exact distances, also in the rewards: levels must have at most a million positions
        metric     what distances count; None: the first metric of the puzzle
        discount   by which an agent discounts rewards: so rewards for distances change no optimal policy
        max_steps  after which an episode is truncated
        timeout    seconds for listing the positions of a level, which exact distances need, and puzzles whose
                   moves have no list of names; 0: no limit
        memory     GiB for that

        `reset(options={"level": 2})` begins level 2; without it, one of several levels is drawn. Raises
        LevelError, and ModelError for levels that are no environment.
        """
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ModelError(f"render_mode: found {render_mode!r}, expected one of {', '.join(modes)}")
        if not 0 < discount <= 1:
            raise ModelError(f"discount: found {discount}, expected a number above 0, at most 1")
        self.render_mode = render_mode
        self.levels = _found(levels, puzzle)
        shaping = Shaping(metric, discount) if exact else None
        self._games: list[Game] = games(self.levels, shaping, Limits.of(timeout, memory))
        self._max_steps = max_steps
        self._steps = 0
        self._number = 0
        self._at: Position | None = None
        self.actions, self.kinds = self._games[0].actions, self._games[0].observer.shape.kinds
        shape = self._games[0].observer.shape.sizes
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(len(self.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a level: the one of `options`, or one that is drawn. Raises ModelError, LimitReached."""
        super().reset(seed=seed)
        self._number = self._chosen(options or {})
        self._steps = 0
        self._at = self._game.start()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Make a move. Raises ModelError before `reset`, after the end, and for a number that is no action."""
        if self._at is None or self._at.over:
            raise ModelError("step: found no level that is played, expected reset() first")
        if not 0 <= action < len(self.actions):
            raise ModelError(f"action: found {action}, expected 0 to {len(self.actions) - 1}")
        before, self._at = self._at, self._game.after(self._at, int(action))
        self._steps += 1
        truncated = not self._at.over and self._steps >= self._max_steps
        return (
            self._observation(),
            self._game.reward(before, self._at),
            self._at.over,
            truncated,
            self._info(),
        )

    def render(self) -> Any:
        """The position: text in the mode `ansi`, an array of rows, columns and colours in `rgb_array`."""
        if self._at is None or self.render_mode is None:
            return None
        level, position = self.levels[self._number], self._at.value
        puzzle, built = level.puzzle, self._game.level
        if self.render_mode == "ansi":
            return puzzle.screen.draw(built, position)
        picture = puzzle.picture(built, position)
        image: npt.NDArray[np.uint8] = np.array(painter(picture)(picture), np.uint8)
        return image

    @property
    def _game(self) -> Game:
        return self._games[self._number]

    def _observation(self) -> Planes:
        assert self._at is not None
        return self._game.observer.planes(self._at.value)

    def _info(self) -> dict[str, Any]:
        assert self._at is not None
        mask = np.zeros(len(self.actions), np.int8)
        mask[list(self._at.legal)] = 1
        return {"action_mask": mask, "level": self._number, **self._game.known(self._at)}

    def _chosen(self, options: dict[str, Any]) -> int:
        """The number of the next level. Raises ModelError."""
        for name in options:
            if name != OPTION:
                raise ModelError(f"options: found {name!r}, expected {OPTION!r}{nearest(str(name), (OPTION,))}")
        if OPTION not in options:
            return 0 if len(self.levels) == 1 else int(self.np_random.integers(len(self.levels)))
        number = options[OPTION]
        if not isinstance(number, int | np.integer) or not 0 <= number < len(self.levels):
            raise ModelError(f"options: found level {number!r}, expected 0 to {len(self.levels) - 1}")
        return int(number)


def _found(levels: Iterable[LevelLike] | LevelLike, puzzle: str | None) -> list[Level]:
    """The levels that the argument names. Raises LevelError, ModelError."""
    several = [levels] if isinstance(levels, Level | str | os.PathLike) else list(levels)
    found = [one for each in several for one in ([each] if isinstance(each, Level) else load(each, puzzle))]
    if not found:
        raise ModelError("levels: found none, expected levels, or paths of files with levels")
    return found
