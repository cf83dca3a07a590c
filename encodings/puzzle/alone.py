"""The capability of a puzzle to have rules alone: three functions of its author, and no model."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.rules.alone import Rules

if TYPE_CHECKING:
    from puzzlemc.mc.proofs.listed import ListedStates


@dataclass(frozen=True)
class Alone:
    """How a puzzle without encodings is searched.

    rules   the functions of the author, which an explicit search calls
    data    what these get for a level
    listed  a level as a model whose states are its positions, for formulas and reports about all of them
    proof   the proof that lists the positions of a search of a level, given limits, the position before each, the
            metric and the bound; None if they do not fit a proof or the limits
    """

    rules: Rules
    data: Callable[[Any], Any]
    listed: Callable[[Any], Encoded]
    proof: Callable[[Limits, Any, Mapping[Hashable, Hashable], str, int | None], "ListedStates | None"]
