"""Plain rules with chance as a Markov decision process: an input is chosen, and what follows is drawn."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class DecisionProcess:
    """The nodes of a level, and what may follow them. The functions raise LimitReached for what is not known.

    start   the node in which the level begins
    inputs  the names of the inputs in a node that is not solved
    after   the nodes that follow an input, with their probabilities; their sum is 1
    solved  is a node solved?
    """

    start: Callable[[Any], Hashable]
    inputs: Callable[[Any, Any], Sequence[str]]
    after: Callable[[Any, Any, str], Mapping[Any, Fraction | int]]
    solved: Callable[[Any, Any], bool]
