"""States as integers and as rows of 64-bit words, actions as masks: what compiled search works on.

The bits of a state are those of the location, lowest, and then the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.formula import Bit, State, literals
from puzzlemc.mc.kernel import HOPELESS, Shorts, Tables, Words
from puzzlemc.mc.model import Action, Model

WORD = (1 << 64) - 1
MOST_LOCATION_BITS = 16


@dataclass(frozen=True)
class Rule:
    """An action on states as integers: enabled where `state & mask == value`; leads to `state & ~clear | set`."""

    mask: int
    value: int
    clear: int
    set: int
    price: int
    number: int

    def source(self, key: int) -> int:
        """The location code, under the key, that it leads from."""
        return self.value & key

    def target(self, key: int) -> int:
        """The location code, under the key, that it leads to."""
        return (self.value & ~self.clear | self.set) & key

    def reverse(self, price: int) -> "Rule":
        """The rule that takes the action back, at that price. Raises Unsuitable where that is no single rule."""
        changed = self.clear | self.set
        if changed & ~self.mask:
            raise Unsuitable("one of its actions forgets what it changes")
        return Rule(self.mask, self.value & ~changed | self.set, changed, self.value & changed, price, self.number)


class Packing:
    """Which bit of the integer each bit of a model is: first those of the location."""

    def __init__(self, model: Model) -> None:
        location = model.hints.location
        first = location.bits if location is not None else ()
        if len(first) > MOST_LOCATION_BITS:
            raise Unsuitable("its location has too many bits for a table")
        self.bits = (*first, *(b for b in model.bits if b not in first))
        self.one = {b: 1 << number for number, b in enumerate(self.bits)}
        self.key = (1 << len(first)) - 1
        self.words = max(1, -(-len(self.bits) // 64))
        # By location code, the objects that would stand there: the location is never on one.
        objects = model.hints.objects
        self.excluded: dict[int, int] = {}
        if location is not None and objects:
            at = {value: self.one[b] for b, value in objects.items()}
            for value in location.values:
                code = self.integer(b for b, held in location.literals(value).items() if held)
                self.excluded[code] = at.get(value, 0)

    def integer(self, held: Iterable[Bit]) -> int:
        """The state in which just these bits hold."""
        return sum(self.one[b] for b in held)

    def state(self, integer: int) -> State:
        """The state of an integer."""
        return frozenset(b for b, one in self.one.items() if integer & one)

    def rows(self, integers: list[int]) -> Words:
        """States as rows of words."""
        if self.words == 1:
            return np.array(integers, np.uint64).reshape(-1, 1)
        words = [[integer >> 64 * word & WORD for word in range(self.words)] for integer in integers]
        return np.array(words, np.uint64).reshape(-1, self.words)

    def unpacked(self, rows: Words) -> npt.NDArray[np.bool_]:
        """The bits of rows, as (rows, bits)."""
        octets = np.ascontiguousarray(rows).view(np.uint8)
        return np.unpackbits(octets, axis=1, bitorder="little")[:, : len(self.bits)].astype(np.bool_)

    def packed(self, held: npt.NDArray[np.bool_]) -> Words:
        """The rows of bits, as (rows, words)."""
        octets = np.zeros((len(held), 8 * self.words), np.uint8)
        some = np.packbits(held, axis=1, bitorder="little")
        octets[:, : some.shape[1]] = some
        return octets.view(np.uint64)

    def rule(self, action: Action, price: int, number: int) -> Rule:
        """The rule of an action. Raises Unsuitable where it has a formula that is no cube."""
        cube = literals(action.guard)
        if cube is None or not all(isinstance(new, bool) for new in action.update.values()):
            raise Unsuitable(f"its action {action.name!r} has a formula that is no cube")
        one = self.one
        value = sum(one[b] for b, held in cube.items() if held)
        mask = sum(one[b] for b in cube)
        if mask & self.key == self.key:
            mask |= self.excluded.get(value & self.key, 0)
        return Rule(
            mask,
            value,
            sum(one[b] for b, new in action.update.items() if not new),
            sum(one[b] for b, new in action.update.items() if new),
            price,
            number,
        )

    def tables(
        self,
        rules: Iterable[Rule],
        distance: Shorts,
        dead: Callable[[Rule], int] | None = None,
        walks: Iterable[Rule] = (),
        start: Words | None = None,
        triples: Callable[[Rule], Words] | None = None,
    ) -> Tables:
        """Rules as arrays, sorted by location; one that needs no location stands with each.

        `walks` are the rules that only move between locations, all of one price. For `distance` and `start` see
        `Tables`.
        """
        groups: list[list[Rule]] = [[] for _ in range(self.key + 1)]
        for rule in rules:
            if rule.mask & self.key == self.key:
                groups[rule.value & self.key].append(rule)
            else:
                for code, group in enumerate(groups):
                    if code & rule.mask == rule.value & self.key:
                        group.append(rule)
        ordered = [rule for group in groups for rule in group]
        full = (1 << 64 * self.words) - 1
        masks = [
            self.rows([rule.mask for rule in ordered]),
            self.rows([rule.value for rule in ordered]),
            self.rows([full & ~rule.clear for rule in ordered]),
            self.rows([rule.set for rule in ordered]),
            self.rows([dead(rule) if dead else 0 for rule in ordered]),
        ]
        walks = sorted(walks, key=lambda rule: rule.source(self.key))
        starts = np.bincount([rule.source(self.key) for rule in walks], minlength=self.key + 1)
        walk_masks = [
            self.rows([rule.mask & ~self.key for rule in walks]),
            self.rows([rule.value & ~self.key for rule in walks]),
        ]
        pace = max((rule.price for rule in walks), default=0)
        most = max(len(ordered), max(map(len, groups)) * (self.key + 1) if start is not None else 0) + 1
        dearest = max((rule.price for rule in ordered), default=0) + pace * (self.key + 1)
        return Tables(
            key=np.uint64(self.key),
            first=np.cumsum([0, *map(len, groups)], dtype=np.int64),
            masks=np.stack(masks, axis=1),
            triples=np.array([triples(rule) for rule in ordered] if triples else [], np.uint64).reshape(
                len(ordered) if triples else 0, len(self.bits), self.words
            ),
            facts=np.array([(rule.price, rule.number) for rule in ordered], np.int32).reshape(-1, 2),
            walk_first=np.cumsum([0, *(starts if walks else np.zeros_like(starts))], dtype=np.int64),
            walk_to=np.array([rule.target(self.key) for rule in walks], np.int64),
            walk_masks=np.stack(walk_masks, axis=1),
            pace=pace,
            start=np.zeros(0, np.uint64) if start is None else start,
            most=most,
            distance=distance,
            weights=np.zeros(0, np.int32),
            reach=dearest + _largest_bound(distance),
        )


def _largest_bound(distance: Shorts) -> int:
    """No bound is larger, but for the hopeless."""
    bounds = np.where(distance < HOPELESS, distance, 0)
    return int(bounds.max(axis=(0, 1), initial=0).sum())
