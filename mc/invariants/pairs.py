"""A sum over pairs of facts for people: its largest kinds of pairs, and what a step does to it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from puzzlemc.mc.invariants.sums import Key, Sum, key_of
from puzzlemc.mc.tasks.task import State, Task


@dataclass(frozen=True)
class PairKind:
    """The terms of a sum that are about one kind of variables, or about two.

    names  of these kinds of variables
    terms  how many facts, or pairs of facts, have a weight
    """

    names: tuple[str, ...]
    terms: int
    kinds: tuple[int, ...]

    @property
    def words(self) -> str:
        """The pair in words."""
        if len(set(self.kinds)) < len(self.kinds):
            return f"{self.names[0]}, two of them"
        return " with ".join(self.names)


def pair_kinds(task: Task, found: Sum) -> list[PairKind]:
    """The kinds of terms, those with the most terms first."""
    terms = Counter(key[::2] for key in found.weights)
    named = {kind: _name(task, found.kinds, kind) for kind in {kind for kinds in terms for kind in kinds}}
    return [
        PairKind(tuple(named[kind] for kind in kinds), number, kinds)
        for kinds, number in sorted(terms.items(), key=lambda item: (-item[1], item[0]))
    ]


def held(found: Sum, state: State) -> Counter[tuple[Key, tuple[int, ...]]]:
    """The terms that hold in a state, each with its variables, and its weight as their number."""
    facts = list(enumerate(state))
    some: Counter[tuple[Key, tuple[int, ...]]] = Counter()
    for number, fact in enumerate(facts):
        for term in ((fact,), *((other, fact) for other in facts[:number])):
            key = key_of(found.kinds, *term)
            if weight := found.weights.get(key, 0):
                some[key, tuple(variable for variable, _ in term)] = weight
    return some


def total(found: Sum, state: State, kind: PairKind) -> int:
    """The total weight of the terms of a kind that hold in a state."""
    return sum(weight for (key, _), weight in held(found, state).items() if key[::2] == kind.kinds)


def changes(found: Sum, before: State, after: State) -> tuple[int, int]:
    """The total weights of the terms that a step ends, and of those that it begins."""
    old, new = held(found, before), held(found, after)
    return (old - new).total(), (new - old).total()


def _name(task: Task, kinds: Sequence[int], kind: int) -> str:
    """The variables of a kind, by what the names of their values have in common."""
    alike = [variable for variable, other in enumerate(kinds) if other == kind]
    names = [_stem(task, variable) for variable in alike]
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _stem(task: Task, variable: int) -> str:
    held = task.variables[variable]
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*held.values, strict=False))
    begin = "".join(letters[0] for letters in alike)
    return f"{begin}…{']' * begin.count('[')}" if begin and len(held.values) > 2 else held.name
