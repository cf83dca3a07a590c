"""The compiled check of listed positions: it accepts and refutes the same proofs as the plain rules."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript.cells import proof as by_cells
from puzzlemc.encodings.puzzlescript.cells.escapes import frozen_objects
from puzzlemc.encodings.puzzlescript.cells.proof import COMPILED, PLAIN, Reading, check_listed
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.planes.encoding import planes
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import each, packed
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.positions import check_positions
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unknown, resolved
from puzzlemc.screens.puzzlescript.game import Level

PUSH = rule("right", "right player | crate", "right player | right crate")
SIGNS = {"o": "target", "*": "crate target"}
SOKOBAN = game("target / player crate wall", PUSH, signs=SIGNS, wins=[win("all", "target", "crate")])
SOLVABLE, UNSOLVABLE = level(SOKOBAN, "PC..o"), level(SOKOBAN, "C.P..o")


def proof_about(one: Level, most: int | None = None) -> ListedStates | None:
    """The proof of breadth-first search, None past a limit."""
    model = planes(one).model
    assert isinstance(model, StepSystem)
    verdict = breadth_first(model, "turns", Budget(Limits()), most)
    proof = None if isinstance(verdict, Unknown) else resolved(verdict.proof)
    assert proof is None or isinstance(proof, ListedStates)
    return proof


def proved(one: Level) -> ListedStates:
    proof = proof_about(one)
    assert proof is not None
    return proof


def by_plain_rules(one: Level, proof: ListedStates) -> bool:
    """Do the plain rules alone accept a proof?"""
    made = planes(one)
    try:
        check_positions(RULES, one, made.model.bits, made.decode, proof, Budget(Limits()))
    except Refuted:
        return False
    return True


def by_compiled_rules(one: Level, proof: ListedStates) -> bool:
    """Do compiled turns alone accept a proof that leaves out no dead positions?"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_cells, "sample_size", lambda positions, work: 0)
        patch.setattr(by_cells, "bounds", lambda one, start: ())
        try:
            check_listed(one, proof, Budget(Limits()))
        except Refuted:
            return False
    return True


def mutant(proof: ListedStates, seed: int) -> ListedStates:
    """A proof with one change: a state less or another one, another cost, another bound."""
    chance = random.Random(seed)
    rows = np.concatenate([np.zeros((0, proof.width), np.uint16), *each(proof.forward, proof.width)])
    kind = chance.choice(("lost", "changed", "cost", "below", "none"))
    if kind == "below" or not len(rows):
        return replace(proof, below=1 if proof.below is None else max(0, proof.below + chance.choice((-1, 1))))
    if kind == "none":
        return replace(proof, below=None)
    at = chance.randrange(len(rows))
    if kind == "lost":
        rows = np.delete(rows, at, axis=0)
    elif kind == "cost":
        rows[at, 0] = int(rows[at, 0]) + chance.choice((-1, 1)) & 0xFFFF
    else:
        bit = chance.randrange(len(proof.bits))
        rows[at, 1 + bit // 16] ^= 1 << bit % 16
    return replace(proof, forward=packed(rows))


class TestChecks:
    @settings(max_examples=examples(20, 100), deadline=None, suppress_health_check=list(HealthCheck))
    @given(levels(most=3), st.integers())
    def test_they_agree_with_the_plain_rules(self, one: Level, seed: int) -> None:
        try:
            proof = proof_about(one, 200)
        except ModelError:
            return
        assume(proof is not None)
        assert proof is not None
        assert check_listed(one, proof, Budget(Limits())) == PLAIN
        for number in range(5):
            other = mutant(proof, seed + number)
            try:
                wanted = by_plain_rules(one, other)
            except LimitReached:
                continue
            assert by_compiled_rules(one, other) == wanted

    @pytest.mark.parametrize("one", [SOLVABLE, UNSOLVABLE])
    def test_a_state_less_is_found_out(self, one: Level, monkeypatch: pytest.MonkeyPatch) -> None:
        proof = proved(one)
        monkeypatch.setattr(by_cells, "bounds", lambda one, start: ())
        nothing = frozen_objects(replace(one, game=replace(one.game, wins=())), one.cells)
        monkeypatch.setattr(by_cells, "frozen_objects", lambda one, start: nothing)
        rows = np.concatenate(list(each(proof.forward, proof.width)))
        for at in range(len(rows)):
            other = replace(proof, forward=packed(np.delete(rows, at, axis=0)))
            assert not by_compiled_rules(one, other)
            with pytest.raises(Refuted):
                check_listed(one, other, Budget(Limits()))

    def test_the_plain_rules_check_a_sample(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert check_listed(UNSOLVABLE, proved(UNSOLVABLE), Budget(Limits())) == PLAIN
        for name, value in {"ALL_WORK": 0, "SAMPLE_WORK": 0, "SAMPLE": 3}.items():
            monkeypatch.setattr(by_cells, name, value)
        assert check_listed(UNSOLVABLE, proved(UNSOLVABLE), Budget(Limits())) == COMPILED
        asked = list[object]()
        steps = RULES.steps

        def counted(one: Level, position: Position) -> object:
            asked.append(position)
            return steps(one, position)

        monkeypatch.setattr(by_cells, "RULES", replace(RULES, steps=counted))
        check_listed(UNSOLVABLE, proved(UNSOLVABLE), Budget(Limits()))
        assert len(asked) == 3

    def test_the_sample_depends_on_the_work_of_a_position(self) -> None:
        assert by_cells.sample_size(400, 10_000) == 400
        assert by_cells.sample_size(401, 10_000) == 100
        assert by_cells.sample_size(60, 1_000_000) == by_cells.SAMPLE
        assert by_cells.sample_size(5, 1_000_000) == 5

    def test_a_proof_about_another_game_is_refuted(self) -> None:
        pull = rule("right", "crate | right player", "right crate | right player")
        other = game("target / player crate wall", PUSH, pull, signs=SIGNS, wins=SOKOBAN.wins)
        assert not by_compiled_rules(level(other, "C.P..o"), proved(UNSOLVABLE))

    def test_time_is_limited(self) -> None:
        with pytest.raises(LimitReached):
            check_listed(UNSOLVABLE, proved(UNSOLVABLE), Budget(Limits(seconds=0)))


class TestReading:
    def test_it_packs_what_it_reads(self) -> None:
        start = RULES.start(SOLVABLE)
        assert isinstance(start, Position)
        reading = Reading(SOLVABLE, start, proved(SOLVABLE).bits)
        for position in (start, Position(start.cells[::-1], won=True)):
            row = reading.packed(position)
            expected = position if position == start else None
            assert (None if row is None else reading.position(row)) == expected  # no bit is about the target
        won = reading.packed(Position(start.cells, won=True))
        assert won is not None
        assert reading.position(won) == Position(start.cells, won=True)

    @pytest.mark.parametrize(
        "name", ["crate@5", "crate@-1", "crate@", "crate", "box@1", "crate@01", "crate@1x", "@1", "won@1"]
    )
    def test_names_that_mean_nothing_are_refuted(self, name: str) -> None:
        proof = proved(SOLVABLE)
        with pytest.raises(Refuted, match="not of objects in cells"):
            check_listed(SOLVABLE, replace(proof, bits=(name, *proof.bits[1:])), Budget(Limits()))

    def test_names_that_stand_twice_are_refuted(self) -> None:
        proof = proved(SOLVABLE)
        with pytest.raises(Refuted, match="the same name"):
            check_listed(SOLVABLE, replace(proof, bits=(proof.bits[1], *proof.bits[1:])), Budget(Limits()))

    def test_a_set_that_lists_a_win_is_refuted(self) -> None:
        proof = proved(UNSOLVABLE)
        rows = np.concatenate(list(each(proof.forward, proof.width)))
        won = len(proof.bits) - 1
        rows[0, 1 + won // 16] |= 1 << won % 16
        with pytest.raises(Refuted, match="solved"):
            check_listed(UNSOLVABLE, replace(proof, forward=packed(rows)), Budget(Limits()))
