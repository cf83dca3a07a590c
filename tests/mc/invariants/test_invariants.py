"""Sums that no action changes: sound on random models and tasks, and found for the classics."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from random_models import random_model, states_of
from random_tasks import random_task, reachable_states, token_task
from task_reference import uniform_cost

from puzzlemc.mc.engines.invariants import Invariant, invariants
from puzzlemc.mc.errors import LimitReached, Refuted, Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.search import SEARCHES
from puzzlemc.mc.invariants.sums import kinds_of
from puzzlemc.mc.invariants.words import in_words
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, holds, negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean, one_hot
from puzzlemc.mc.proofs.facts import CodedBits
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts
from puzzlemc.mc.proofs.weights import check_sums
from puzzlemc.mc.tasks.semantics import initial_state as initial_state_of
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.verdict import Unknown, Unreachable

QUICK, ALL = 60, 500  # `benchmarks/invariants.py random` asks for more
SEEDS = pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])


def proof_against(model: Model) -> SumProof | None:
    """The proof that the goal is unreachable, checked, if there is one."""
    verdict = invariants(model, "any", Budget())
    if isinstance(verdict, Unknown):
        return None
    assert isinstance(verdict, Unreachable)
    assert isinstance(verdict.proof, SumProof)
    for state in states_of(model):
        assert verdict.invariant(state)
        assert not holds(model.goal, state)
    check_sums(model, verdict.proof, Budget())
    return verdict.proof


@SEEDS
def test_random_models(seeds: range) -> None:
    found = 0
    for seed in seeds:
        try:
            found += proof_against(random_model(seed)) is not None
        except Unsuitable:
            continue
    assert found > len(seeds) // 10


@SEEDS
@pytest.mark.parametrize("make", [lambda seed: replace(random_task(seed), mutexes=()), token_task])
def test_random_tasks(make: Callable[[int], Task], seeds: range) -> None:
    found = 0
    for seed in seeds:
        task = make(seed)
        for _, find in SEARCHES:
            sums = find(Question(task, kinds_of(task, task.domains), [task.goal]), Budget())
            if sums is not None:
                found += 1
                assert uniform_cost(task, Budget()).plan is None
                values = {sums[0].value(state) for state in reachable_states(task)}
                assert max(values) == sums[0].value(initial_state_of(task))
                assert len(values) == 1 or not sums[0].prime
    assert found > len(seeds) // 40


@SEEDS
def test_no_changed_proof_shows_that_a_reachable_state_is_not(seeds: range) -> None:
    """The goal becomes a state that is reachable, and the proof changes in one place: it is refuted."""
    refuted = 0
    for seed in seeds:
        rng = random.Random(seed)
        model = random_model(seed)
        try:
            verdict = invariants(model, "any", Budget())
        except Unsuitable:
            continue
        if not isinstance(verdict, Unreachable):
            continue
        assert isinstance(verdict.proof, SumProof)
        goal = rng.choice(states_of(model))
        literals = tuple(n if b in goal else -n for n, b in enumerate(model.bits, 1))
        sums = verdict.proof.sums[:1] or (WeightedFacts(2, ()),)
        proof = changed(replace(verdict.proof, goals=(literals,), sums=sums), rng)
        with pytest.raises(Refuted):
            check_sums(replace(model, goal={b: b in goal for b in model.bits}), proof, Budget())
        refuted += 1
    assert refuted > len(seeds) // 10


def changed(proof: SumProof, rng: random.Random) -> SumProof:
    """The proof with a change in one place."""
    place = rng.choice(["apart", "codes", "goals", "weights", "more", "kind", "lost"])
    match place:
        case "apart" if proof.apart:
            return replace(proof, apart=tuple(pair for pair in proof.apart if rng.random() < 0.7))
        case "more":
            pair = tuple(rng.choice((-1, 1)) * b for b in rng.sample(range(1, len(proof.inputs) + 1), 2))
            return replace(proof, apart=(*proof.apart, pair))
        case "lost":
            lost = rng.randrange(len(proof.variables))
            return replace(proof, variables=(*proof.variables[:lost], *proof.variables[lost + 1 :]))
        case "goals":
            return replace(proof, goals=((-proof.goals[0][0], *proof.goals[0][1:]),))
        case "kind" | "codes":
            number = rng.randrange(len(proof.variables))
            one = proof.variables[number]
            one = replace(one, kind=one.kind + 1) if place == "kind" else replace(one, codes=one.codes[1:])
            return replace(proof, variables=(*proof.variables[:number], one, *proof.variables[number + 1 :]))
    variable = rng.choice([v for v in proof.variables if v.codes])
    row = (variable.kind, rng.choice(variable.codes), 1)
    return replace(proof, sums=(replace(proof.sums[0], weights=(*proof.sums[0].weights, row)),))


def test_what_is_said_of_a_bit_in_no_variable_is_refuted() -> None:
    """Such a bit is not looked at after an action; here the proof says that it never holds."""
    one, other = boolean("one"), boolean("other")
    (a,), (b,) = one.bits, other.bits
    model = Model(
        (one, other), {a: False, b: False}, (Action("set", {a: False}, {b: True}, {"moves": 1}),), {b: True}
    )
    proof = SumProof(("one", "other"), (CodedBits((1,), (0, 1), 0),), ((2, 2),), (), ())
    with pytest.raises(Refuted, match="in no variable"):
        check_sums(model, proof, Budget())
    whole = (CodedBits((1,), (0, 1), 0), CodedBits((2,), (0, 1), 1))
    with pytest.raises(Refuted, match="should be apart"):
        check_sums(model, replace(proof, variables=whole), Budget())


BOTH = (CodedBits((1,), (0, 1), 0), CodedBits((2,), (0, 1), 1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sums": (WeightedFacts(2, ((0, 1, 1),)),)}, "action one changes a sum modulo 2"),
        ({"sums": (WeightedFacts(3, ((0, 1, 1), (1, 1, 2))),)}, "action one changes a sum modulo 3"),
        ({"sums": (WeightedFacts(2, ((0, 1, 1, 1, 1),)),)}, "action one changes a sum modulo 2"),
        ({"sums": (WeightedFacts(0, ((0, 1, 1),)),)}, "action one raises a potential"),
        ({"sums": (WeightedFacts(0, ((0, 1, 1, 1, 1),)),)}, "a potential has weights of single facts"),
        ({"sums": (WeightedFacts(4, ()),)}, "found sums modulo 4"),
        ({"sums": (WeightedFacts(2, ((2, 1, 1),)),)}, "a weight is not that of one fact or of two"),
        ({}, "sum 1 may be the same in a state of its goal"),
        ({"sums": ()}, "0 sums for 1 goals"),
        ({"goals": ((1, 2),)}, "has a goal state"),
        (
            {"variables": (CodedBits((1,), (0,), 0), BOTH[1])},
            "action one gives a variable a code that it should not",
        ),
        ({"variables": (CodedBits((1,), (1,), 0), BOTH[1])}, "has a code in the initial state that it should not"),
        ({"apart": ((-1, -2),)}, "the initial state has two literals that should be apart"),
        ({"apart": ((1, 2),)}, "action one makes two literals true that should be apart"),
        ({"inputs": ("one", "another")}, "the bits of the proof are not those of the model"),
    ],
)
def test_wrong_proofs_are_refused_with_a_reason(changes: dict[str, Any], message: str) -> None:
    """In a model whose goal can be reached: each condition of the checker refuses one of the proofs."""
    one, other = boolean("one"), boolean("other")
    (a,), (b,) = one.bits, other.bits
    actions = (Action("one", {a: False}, {a: True}, {}), Action("other", {a: True}, {b: True}, {}))
    model = Model((one, other), {a: False, b: False}, actions, {b: True})
    proof = SumProof(("one", "other"), BOTH, (), ((2,),), (WeightedFacts(2, ()),))
    with pytest.raises(Refuted, match=message):
        check_sums(model, replace(proof, **changes), Budget())


def test_a_check_ends_at_its_limit() -> None:
    verdict = invariants(lights(5, {(0, 0)}), "presses", Budget(), effort=1)
    assert isinstance(verdict, Unreachable)
    assert isinstance(verdict.proof, SumProof)
    with pytest.raises(LimitReached):
        check_sums(lights(5, {(0, 0)}), verdict.proof, Budget(Limits(seconds=1e-6)))


def sliding(width: int, board: str) -> Model:
    """Sliding tiles, a bit for each tile and cell; `.` is the gap. The goal is abc…, and the gap."""
    size = len(board)
    tiles = [*map(chr, range(97, 96 + size)), "."]
    at = {(tile, cell): boolean(f"at {tile}", cell).bits[0] for tile in tiles for cell in range(size)}
    actions = [
        Action(
            tile,
            {at[".", gap]: True, at[tile, cell]: True},
            {at[".", gap]: False, at[tile, cell]: False, at[".", cell]: True, at[tile, gap]: True},
            {"slides": 1},
        )
        for gap in range(size)
        for cell in range(size)
        if abs(gap % width - cell % width) + abs(gap // width - cell // width) == 1
        for tile in tiles[:-1]
    ]
    start = {b: board[cell] == tile for (tile, cell), b in at.items()}
    goal = {b: tiles[cell] == tile for (tile, cell), b in at.items()}
    variables = tuple(boolean(f"at {tile}", cell) for tile, cell in at)
    return Model(variables, start, tuple(actions), goal)


@pytest.mark.parametrize(("width", "size"), [(3, 6), (3, 9), pytest.param(4, 16, marks=pytest.mark.slow)])
def test_two_exchanged_tiles(width: int, size: int) -> None:
    """The parity of a permutation and of the gap's row (Johnson and Story 1879)."""
    solved = "".join(map(chr, range(97, 96 + size))) + "."
    exchanged = solved[: size - 3] + solved[size - 2] + solved[size - 3] + "."
    verdict = invariants(sliding(width, exchanged), "slides", Budget())
    assert isinstance(verdict, Unreachable)
    assert isinstance(verdict.proof, SumProof)
    check_sums(sliding(width, exchanged), verdict.proof, Budget())
    with pytest.raises(Refuted):
        check_sums(sliding(width, solved), verdict.proof, Budget())
    slid = solved[: size - 2] + "." + solved[size - 2]
    assert isinstance(invariants(sliding(width, slid), "slides", Budget()), Unknown)


def lights(size: int, lit: set[tuple[int, int]]) -> Model:
    """A press changes a lamp and its neighbours."""
    lamp = {(r, c): boolean("lamp", r, c).bits[0] for r in range(size) for c in range(size)}
    actions = []
    for r, c in lamp:
        near = [(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        update = {lamp[place]: negation(lamp[place]) for place in near if place in lamp}
        actions.append(Action(f"{r},{c}", {}, update, {"presses": 1}))
    variables = tuple(boolean("lamp", r, c) for r, c in lamp)
    goal = dict.fromkeys(lamp.values(), False)
    return Model(variables, {b: place in lit for place, b in lamp.items()}, tuple(actions), goal)


@pytest.mark.parametrize(
    ("size", "lit", "unsolvable"), [(5, {(0, 0)}, True), (9, {(0, 0)}, True), (3, {(0, 0)}, False)]
)
def test_lights_out(size: int, lit: set[tuple[int, int]], unsolvable: bool) -> None:
    assert (proof_of_lights(size, lit) is not None) == unsolvable


def proof_of_lights(size: int, lit: set[tuple[int, int]]) -> SumProof | None:
    verdict = invariants(lights(size, lit), "presses", Budget(), effort=1)
    if isinstance(verdict, Unreachable):
        assert isinstance(verdict.proof, SumProof)
        check_sums(lights(size, lit), verdict.proof, Budget())
        return verdict.proof
    return None


def corners(twists: tuple[int, ...]) -> Model:
    """Corners of a cube: a move turns one to the right and another one to the left."""
    turned = [one_hot(f"corner{number}", range(3)) for number in range(len(twists))]

    def at(values: dict[int, int]) -> dict[Bit, bool]:
        return {b: v for number, value in values.items() for b, v in turned[number].literals(value).items()}

    actions = tuple(
        Action(f"{one}{other}", at({one: a, other: b}), at({one: (a + 1) % 3, other: (b + 2) % 3}), {"turns": 1})
        for one, other in permutations(range(len(twists)), 2)
        for a in range(3)
        for b in range(3)
    )
    start = at(dict.fromkeys(range(len(twists)), 0))
    return Model(tuple(turned), start, actions, at(dict(enumerate(twists))))


def test_a_sum_modulo_three() -> None:
    proof = proof_against(corners((1, 0, 0)))
    assert proof is not None
    assert [each.prime for each in proof.sums] == [3]
    assert proof_against(corners((1, 1, 1))) is None


def test_each_of_several_goals_has_a_sum() -> None:
    """Of a pair of lamps that change together, neither can be on alone."""
    one, other = (boolean("lamp", number) for number in range(2))
    (a,), (b,) = one.bits, other.bits
    press = Action("press", {}, {a: negation(a), b: negation(b)}, {"presses": 1})
    model = Model((one, other), {a: False, b: False}, (press,), (a & ~b) | (~a & b))
    assert proof_against(model) is not None
    assert proof_against(replace(model, goal=(a & ~b) | (a & b))) is None


def line(pegs: set[int], cells: int, goal: int) -> Model:
    """Peg solitaire on a line: a peg jumps over another one, which is removed."""
    variables = [boolean("peg", cell) for cell in range(cells)]
    peg = [variable.bits[0] for variable in variables]
    actions = tuple(
        Action(
            f"{cell} {cell + 2 * step}",
            {peg[cell]: True, peg[cell + step]: True, peg[cell + 2 * step]: False},
            {peg[cell]: False, peg[cell + step]: False, peg[cell + 2 * step]: True},
            {"jumps": 1},
        )
        for cell in range(cells)
        for step in (1, -1)
        if 0 <= cell + 2 * step < cells
    )
    return Model(tuple(variables), {b: n in pegs for n, b in enumerate(peg)}, actions, {peg[goal]: True})


def test_a_potential() -> None:
    """A peg is worth as much as the two pegs behind it: 1, 1, 2, 3, 5, 8, 13."""
    verdict = invariants(line({0, 1, 2, 3, 4}, 7, 6), "jumps", Budget())
    assert isinstance(verdict, Unreachable)
    assert isinstance(verdict.invariant, Invariant)
    assert verdict.invariant.sums[0].weights == {(c, 1): w for c, w in enumerate((1, 1, 2, 3, 5, 8), 1)}
    proof = proof_against(line({0, 1, 2, 3, 4}, 7, 6))
    assert proof is not None
    assert [each.prime for each in proof.sums] == [0]
    assert proof_against(line({0, 1, 2, 3, 4}, 7, 5)) is None
    assert proof_against(line({1, 2, 3, 4}, 8, 7)) is not None  # a jump to the left makes the sum smaller
    with pytest.raises(Refuted):
        check_sums(line({0, 1, 2, 3, 4}, 7, 5), proof, Budget())


def test_a_sum_in_words() -> None:
    verdict = invariants(lights(5, {(0, 0)}), "presses", Budget(), effort=1)
    assert isinstance(verdict, Unreachable)
    assert isinstance(verdict.invariant, Invariant)
    task, (found,) = verdict.invariant.made.task, verdict.invariant.sums
    words = in_words(task, found, task.goal)
    assert "an odd number of these hold, in the goal an even number: lamp[0,0]," in words
