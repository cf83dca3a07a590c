"""Levels without a win by a parity that no turn changes: the verdict, the words and the proof by the circuit."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.engines import parities
from puzzlemc.mc.engines.parities import by_parities, effort_beside
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import Bit, holds
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.steps import search
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Unreachable
from puzzlemc.reports.ask.invariants import never_changing
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

CHOSEN = Options("turns")
GAME = """title Stamps

========
OBJECTS
========

Background
black

Wall
gray

Dark
darkblue

Lit
yellow

Player
red

=======
LEGEND
=======

. = Dark
* = Lit
P = Player and Dark
# = Wall

=======
SOUNDS
=======

================
COLLISIONLAYERS
================

Background
Dark, Lit
Wall, Player

======
RULES
======

right [ action Player Lit | Lit ] -> [ Player Dark | Dark ]
right [ action Player Dark | Dark ] -> [ Player Lit | Lit ]
right [ action Player Lit | Dark ] -> [ Player Dark | Lit ]
right [ action Player Dark | Lit ] -> [ Player Lit | Dark ]

==============
WINCONDITIONS
==============

No Lit

=======
LEVELS
=======

######
#P.**#
#..*.#
######

######
#P.**#
#.**.#
######
"""


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "stamps.txt"
    path.write_text(GAME)
    return path


def test_a_parity_decides_and_its_certificate_is_checked(levels: Path, tmp_path: Path) -> None:
    odd, even = load([str(levels)], None)
    with (
        patch.object(search, "MANY", 100),  # states before parities are asked for
        patch.object(parities, "effort_beside", return_value=effort_beside(1 << 21)),
    ):
        result = solve_entry(odd, CHOSEN)
        assert solve_entry(even, CHOSEN).verdict == "solvable"
    assert result.verdict == "unsolvable"
    assert result.note.endswith("No step to the goal keeps that")
    assert "always an odd number of these: lit@(3,2), lit@(3,3), lit@(3,4), lit@(3,5)" in result.note
    path = tmp_path / "odd.cert"
    assert certify(odd, CHOSEN, result, path).checked
    assert verify(path).by == "sat"


def test_the_parities_of_a_level_are_listed_whether_or_not_it_can_be_solved(levels: Path) -> None:
    for level, words in zip(load([str(levels)], None), ("an odd number", "an even number"), strict=True):
        found = never_changing(level, Limits())
        assert found.sums is not None
        assert found.encoding == "compact"
        row = ", ".join(f"dark@(3,{column})" for column in range(2, 7))
        assert f"always {words} of these: {row}" in [each.words for each in found.sums]
        assert all((each.modulo, each.goal, each.excludes_goal) == (2, None, False) for each in found.sums)
        state = level.puzzle.encodings["compact"](level.level)
        start = initial_state(state.model)
        assert all(
            sum(holds(state.model.atoms[name], start) for name, _ in each.weights) % 2 == each.start
            for each in found.sums
        )


def test_a_wrong_parity_is_refuted(levels: Path) -> None:
    odd, even = load([str(levels)], None)
    models = [each.puzzle.encodings["compact"](each.level).model for each in (odd, even)]
    assert all(isinstance(model, StepSystem) for model in models)
    found, none = (by_parities(model, Budget()) for model in models)  # type: ignore[arg-type]
    assert none is None
    assert isinstance(found, Unreachable)
    proof = found.proof
    assert isinstance(proof, LayeredProof)
    check_proof(models[0].in_formulas, proof, Budget())
    for model, changed in (
        (models[1], proof),
        (models[0], replace(proof, layers=(proof.layers[0] ^ 1,))),
        (models[0], replace(proof, layers=(1,))),
    ):
        with pytest.raises(Refuted):
            check_proof(model.in_formulas, changed, Budget())


def test_known_steps_save_questions_and_change_no_parity(levels: Path) -> None:
    odd, _ = load([str(levels)], None)
    system = odd.puzzle.encodings["compact"](odd.level).model
    assert isinstance(system, StepSystem)
    start = initial_state(system)
    seen = [(start, after) for _, after in system.successors(start)]
    seen += [(before, after) for _, before in seen for _, after in system.successors(before)]
    found, plain = by_parities(system, Budget(), seen), by_parities(system, Budget())
    assert found is not None
    assert plain is not None
    assert found.note == plain.note
    nothing_left = [(frozenset[Bit](), frozenset({b})) for b in system.bits]
    with patch.object(parities, "_of_system") as made:
        assert by_parities(system, Budget(), nothing_left) is None
    made.assert_not_called()


def test_the_circuit_and_the_questions_are_limited_by_the_states_of_the_search(levels: Path) -> None:
    odd, _ = load([str(levels)], None)
    system = odd.puzzle.encodings["compact"](odd.level).model
    assert isinstance(system, StepSystem)
    assert system.formulas is not None
    with pytest.raises(Unsuitable, match="more than 100 gates"):
        system.formulas(100)
    plain = by_parities(system, Budget())
    assert plain is not None
    found = by_parities(system, Budget(), (), effort_beside(search.MANY))
    assert found is not None
    assert found.note == plain.note
    little = effort_beside(search.MANY)
    assert by_parities(system, Budget(), (), little._replace(gates=100)) is None
    assert by_parities(system, Budget(), (), little._replace(conflicts=640)) is None
    assert effort_beside(1 << 40) == parities.MOST
