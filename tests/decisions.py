"""Small decision processes as tables, and all their memoryless strategies."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from hypothesis import strategies as st

from puzzlemc.mc.rules.decisions import DecisionProcess

# By node from 0, the start: by input, the nodes that may follow, with their probabilities. The goal has no input.
Table: TypeAlias = Mapping[int, Mapping[str, Mapping[int, Fraction]]]

TABLE = DecisionProcess(
    start=lambda _: 0,
    inputs=lambda table, node: tuple(table[node]),
    after=lambda table, node, name: table[node][name],
    solved=lambda table, node: not table[node],
)


def memoryless(table: Table) -> Iterator[dict[int, str]]:
    """Yield every choice of an input in each node that is no goal."""
    choosing = [node for node, inputs in table.items() if inputs]
    for names in product(*(table[node] for node in choosing)):
        yield dict(zip(choosing, names, strict=True))


def reached(table: Table, strategy: Mapping[int, str], start: int) -> set[int]:
    """The nodes that a strategy may come to."""
    found = [start]
    for node in found:
        found += [each for each in table[node][strategy[node]] if each not in found] if table[node] else []
    return set(found)


@st.composite
def tables(draw: st.DrawFn, most: int = 6) -> Table:
    """A process of a few nodes, the last of which is the goal."""
    count = draw(st.integers(2, most))
    table: dict[int, Mapping[str, Mapping[int, Fraction]]] = {count - 1: {}}
    for node in range(count - 1):
        inputs = {}
        for name in "ab"[: draw(st.integers(1, 2))]:
            shares = draw(st.dictionaries(st.integers(0, count - 1), st.integers(1, 4), min_size=1, max_size=3))
            total = sum(shares.values())
            inputs[name] = {each: Fraction(share, total) for each, share in shares.items()}
        table[node] = inputs
    return table
