"""Plain rules with chance: an input is chosen, and one of its outcomes is drawn."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from puzzlemc.mc.rules.plain import Step


class Turn(NamedTuple):
    """All that may come of an input.

    steps     the steps that may be drawn, also those that change nothing
    restarts  may the level start again?
    stuck     may the level never go on?
    """

    steps: Sequence[Step]
    restarts: bool = False
    stuck: bool = False

    @property
    def fails(self) -> bool:
        """May the input end without a position?"""
        return self.restarts or self.stuck


@dataclass(frozen=True)
class Chance:
    """The rules of a level. The functions raise LimitReached, reason `bound`, for what has too many outcomes.

    first   the positions of which one is drawn as the first one
    inputs  the names of the inputs
    turn    the outcomes of an input in a position that is not solved. Those of a step that changes nothing are
            one step to the position itself
    solved  is a position solved?
    begin   the name of the step to a position of `first`, None if there is one only
    hangs   may the level never begin, instead of coming to a position of `first`?
    """

    first: Callable[[Any], Sequence[Hashable]]
    inputs: Callable[[Any], Sequence[str]]
    turn: Callable[[Any, Any, str], Turn]
    solved: Callable[[Any, Any], bool]
    begin: Callable[[Any, Any], str | None]
    hangs: Callable[[Any], bool] = lambda _: False
