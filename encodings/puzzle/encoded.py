"""A level as a model, with the functions that translate the model's states and traces back."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.encodings.puzzle.explanation import name_of
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace

Place: TypeAlias = tuple[int, int]  # row and column, from 0; names of atoms and moves count from 1


@dataclass(frozen=True)
class Encoded:
    """A level as a model.

    decode  from a state of the model to a position of the plain rules
    moves   from a trace of the model to the names of its moves
    places  the atoms that describe places: family (`box`) -> place -> name of the atom (`box@(2,3)`);
            atoms that never change are `Vocabulary.constants` instead
    plan    from the names of moves to the actions of the model, for searches that can begin with a known solution
    start   for a model without actions: the state that a solution, given by its moves, describes
    conditions  for a model without actions: the conditions of the goal by name
    lost    family of atoms -> places at which that atom makes the level unsolvable, as far as no search is needed
    """

    model: Model
    decode: Callable[[State], Hashable]
    moves: Callable[[Trace], list[str]]
    places: Mapping[str, Mapping[Place, str]] = field(default_factory=dict)
    plan: Callable[[Sequence[str]], list[Action]] | None = None
    start: Callable[[Sequence[str]], State] | None = None
    conditions: Mapping[str, Formula] = field(default_factory=dict)
    lost: Mapping[str, frozenset[Place]] = field(default_factory=dict)


def placed(family: str, places: Iterable[Place]) -> dict[Place, str]:
    """For each place, the name of the family's atom there: `family@(row,column)`, both from 1."""
    return {place: f"{family}@({name_of(place)})" for place in places}
