"""Positions that are listed by the ways to them: right proofs pass, changed ones are refuted."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.modelling.ways import listing
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import packed, unpacked
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.ways import check_ways
from puzzlemc.mc.rules.alone import Rules, checked_steps
from puzzlemc.mc.rules.explicit import search
from puzzlemc.mc.rules.plain import Transition

NUMBERS = st.integers(0, 7)
Graph = Mapping[int, Mapping[str, tuple[int, int]]]  # position -> name of a move -> position after it, and cost
GRAPHS = st.dictionaries(
    NUMBERS,
    st.dictionaries(st.sampled_from("abcd"), st.tuples(NUMBERS, st.sampled_from([0, 1, 2, 5])), min_size=1),
    min_size=4,
)
COINS = ("coins",)
RING: Graph = {each: {"on": ((each + 1) % 6, 2), "off": ((each + 2) % 6, 5)} for each in range(6)}


def rules_of(graph: Graph, solved: frozenset[int]) -> tuple[Rules, Transition]:
    def moves(_: Any, position: int) -> Iterator[tuple[str, int, int]]:
        for name, (target, cost) in graph.get(position, {}).items():
            yield name, target, cost

    rules = Rules(lambda _: 0, moves, lambda _, position: position in solved)
    plain = Transition(rules.start, lambda *of: iter(checked_steps(rules, COINS, *of)), rules.solved)
    return rules, plain


def proof_of(graph: Graph, solved: frozenset[int]) -> tuple[Transition, ListedStates]:
    """The rules of a graph, and the proof of the verdict about it."""
    rules, plain = rules_of(graph, solved)
    found = search(rules, None, 0, COINS, COINS, Budget())
    proof = listing(plain, Limits(), None, found.parents, "coins", None if found.moves is None else found.cost)
    assert proof is not None
    return plain, proof


def rows_of(proof: ListedStates) -> Any:
    """The rows of a proof of one block."""
    return unpacked(proof.forward[0], proof.width)


@settings(max_examples=examples(100, 1000))
@given(graph=GRAPHS, solved=st.frozensets(NUMBERS, max_size=2), change=st.data())
def test_right_proofs_pass_and_changed_ones_do_not(graph: Graph, solved: frozenset[int], change: Any) -> None:
    plain, proof = proof_of(graph, solved)
    assert check_ways(plain, None, proof, Budget()) == "plain rules"
    assume(proof.forward)
    if proof.below is not None:
        with pytest.raises(Refuted):  # it does not show more
            check_ways(plain, None, replace(proof, below=proof.below + 1), Budget())
        with pytest.raises(Refuted):
            check_ways(plain, None, replace(proof, below=None), Budget())
    rows = rows_of(proof)
    gone = change.draw(st.integers(0, len(rows) - 1))
    with pytest.raises(Refuted):
        check_ways(plain, None, replace(proof, forward=packed(np.delete(rows, gone, axis=0))), Budget())
    if proof.below is not None and proof.below > 1:
        rows = rows_of(proof)
        rows[gone, 0] = proof.below - 1
        changed = replace(proof, forward=packed(rows))
        try:
            check_ways(plain, None, changed, Budget())
        except Refuted:
            return
        # A cost may be larger than it is if nothing that costs less than the bound follows.
        assert rows[gone, 1] != 0


def test_each_part_of_a_row_is_checked() -> None:
    plain, proof = proof_of(RING, frozenset([5]))
    assert proof.below == 10
    for column, value in [(0, 9), (0, 10), (0, 500), (1, 7), (1, 0), (3, 5), (4, 1), (5, 0), (5, 9)]:
        rows = rows_of(proof)
        rows[np.argmax(rows[:, 1]), column] = value
        with pytest.raises(Refuted):
            check_ways(plain, None, replace(proof, forward=packed(rows)), Budget())
    with pytest.raises(Refuted, match="not listed by the ways"):
        check_ways(plain, None, replace(proof, bits=proof.bits[1:]), Budget())


def test_other_rules_refute_a_proof() -> None:
    _, proof = proof_of(RING, frozenset([5]))
    for graph, solved in [(RING, frozenset([1])), ({**RING, 0: {"on": (5, 2)}}, frozenset([5]))]:
        with pytest.raises(Refuted):
            check_ways(rules_of(graph, solved)[1], None, proof, Budget())


def test_limits_end_a_check() -> None:
    plain, proof = proof_of(RING, frozenset())
    with pytest.raises(LimitReached):
        check_ways(plain, None, proof, Budget(Limits(None, 100)))
    with pytest.raises(LimitReached):
        check_ways(plain, None, proof, Budget(Limits(0.0)))


def test_a_proof_is_not_made_beyond_the_limits() -> None:
    rules, plain = rules_of(RING, frozenset())
    found = search(rules, None, 0, COINS, COINS, Budget())
    for limits in (Limits(0.0), Limits(None, 1000)):
        assert listing(plain, limits, None, found.parents, "coins", None) is None
