"""A step system: a model whose successors are a compiled function, not guarded actions.

It is a `Model`, so that all that reads states works on it: layouts, atoms, counts, state graphs. Its actions have
names and costs, but their guards and updates say nothing; an engine that reads these must not take a step system.
"""

from dataclasses import dataclass, field

from puzzlemc.mc.model.model import Model
from puzzlemc.mc.steps.steps import Steps


@dataclass(frozen=True)
class StepSystem(Model):
    """A transition system whose successors are a function of a packed state.

    Bit k of a packed state is bit k of `bits`. `init` is a cube of all bits, and no hint names a location. The
    goal holds exactly in the states that a step with the code WON leads to; these have no successors.

    steps  the successors: action k of it is `actions[k]`
    """

    steps: Steps = field(kw_only=True)
