"""Models whose goal no state with the conserved counts can meet: they are decided without a search."""

from itertools import pairwise
from pathlib import Path

import pytest
from command import puzzlemc, write

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Formula
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.layered import proof_by_counting
from puzzlemc.mc.verdict import Reachable, Unreachable

# Millions of positions, and a box too few.
LEVEL = "##########\n#   ##   #\n# $ .. $ #\n# $#..#$ #\n#   @    #\n# $#..#$ #\n#   ..  $#\n##########\n"


@pytest.mark.parametrize("encoding", ["compact", "tiles"])
def test_a_box_too_few_is_seen_at_once(encoding: str) -> None:
    rules = puzzle("sokoban")
    (level,) = rules.screen.parse(LEVEL, "test")
    model = rules.encodings[encoding](level).model
    for metric in ("pushes", "moves", ANY):
        for proving in (None, "positions"):
            verdict = auto(model, metric, Budget(Limits(10)), proving=proving).verdict
            assert isinstance(verdict, Unreachable)
            assert verdict.statistics.states is None  # no search
    proof = proof_by_counting(model)
    assert proof is not None
    check_proof(model, proof, Budget(Limits(10)))
    with pytest.raises(ModelError, match="no cost for metric 'steps'"):
        auto(model, "steps", Budget(Limits(10)))


def test_its_certificate_is_valid(tmp_path: Path) -> None:
    """Also where all positions are too many to be listed."""
    path = write(tmp_path / "few.xsb", LEVEL)
    done = puzzlemc("check", path, "--certificate", str(tmp_path / "proofs"))
    assert "8 goals but 7 boxes" in done.stdout
    assert "1 of 1 valid" in puzzlemc("verify", str(tmp_path / "proofs")).stdout


PLACES = [boolean("at", number) for number in range(3)]
A, B, C = BITS = [place.bits[0] for place in PLACES]


def row(goal: Formula, total: int, *, stays: bool = False) -> Model:
    """A token goes along three places; if it `stays`, it is left behind, too. The hint counts `total` tokens."""
    actions = [
        Action(f"go{number}", {here: True, there: False}, {here: stays, there: True}, {})
        for number, (here, there) in enumerate(pairwise(BITS))
    ]
    hints = Hints(conserved=((tuple(BITS), total),))
    return Model(tuple(PLACES), {A: True, B: False, C: False}, tuple(actions), goal, hints=hints)


@pytest.mark.parametrize(
    ("goal", "excluded"),
    [
        (And(A, C), True),
        (And(~A, ~B, ~C), True),
        (And(~A, ~B), False),
        (Or(And(A, B), C), False),
        (And(A, ~B, ~C), False),
    ],
)
def test_a_goal_is_excluded_by_what_it_counts(goal: Formula, excluded: bool) -> None:
    model = row(goal, 1)
    proof = proof_by_counting(model)
    assert (proof is not None) == excluded
    for name in ("forward", "explicit"):
        assert isinstance(ENGINES[name](model, ANY, Budget(Limits(10))), Unreachable) == excluded
    found = auto(model, ANY, Budget(Limits(10))).verdict
    assert isinstance(found, Unreachable) == excluded
    if proof is not None:
        check_proof(model, proof, Budget(Limits(10)))
        assert isinstance(found, Unreachable)
        assert found.invariant(frozenset([B]))
        assert not found.invariant(frozenset([A, C]))


def test_a_count_that_actions_do_not_keep_excludes_nothing() -> None:
    """A wrong hint changes no verdict."""
    assert proof_by_counting(row(And(A, C), 2)) is None  # it starts with one
    model = row(And(A, B, C), 1, stays=True)
    assert proof_by_counting(model) is None
    assert isinstance(ENGINES["bmc"](model, ANY, Budget(Limits(10))), Reachable)
