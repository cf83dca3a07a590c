"""The games that ship with puzzlemc: their answers, and that each of their rules is needed."""

import csv
from pathlib import Path

import pytest
from places import ROOT

from puzzlemc.encodings.puzzlescript.cells.proof import check_listed
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict, resolved
from puzzlemc.screens.puzzlescript import Level, parse

GAMES = sorted((ROOT / "screens" / "levels" / "puzzlescript").glob("*.txt"))
SMALL = 200  # states of a level whose proof the plain rules check in a second


def searched(level: Level) -> Verdict:
    model = pruned_planes(level).model
    assert isinstance(model, StepSystem)
    return breadth_first(model, "turns", Budget(Limits(seconds=60)))


def levels_of(text: str) -> list[Level]:
    found = [level for level in parse(text, "a game") if isinstance(level, Level)]
    assert found
    return found


def answer(level: Level) -> tuple[str, str]:
    """Verdict and fewest turns, as a table of answers has them."""
    verdict = searched(level)
    if isinstance(verdict, Reachable):
        return "solvable", str(verdict.cost)
    assert isinstance(verdict, Unreachable)
    return "unsolvable", "-"


@pytest.fixture(params=GAMES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found = request.param
    assert isinstance(found, Path)
    return found


def test_levels_have_their_answers(path: Path) -> None:
    levels = levels_of(path.read_text(encoding="utf-8"))
    assert not levels[0].game.warnings
    with path.with_suffix(".answers.tsv").open() as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    assert [level.title for level in levels] == [row["title"] for row in rows]
    assert [answer(level) for level in levels] == [(row["verdict"], row["turns"]) for row in rows]


def test_proofs_and_solutions_pass_the_checks(path: Path) -> None:
    for level in levels_of(path.read_text(encoding="utf-8")):
        verdict = searched(level)
        assert isinstance(verdict, Reachable | Unreachable)
        if verdict.statistics.states > SMALL:
            continue
        proof = resolved(verdict.proof)
        assert isinstance(proof, ListedStates)
        check_listed(level, proof, Budget(Limits()))
        if isinstance(verdict, Reachable):
            position = RULES.start(level)
            for action in verdict.trace.actions:
                (position,) = (step.position for step in RULES.steps(level, position) if step.name == action.name)
            assert isinstance(position, Position)
            assert position.won


def test_each_rule_is_needed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    full = [answer(level) for level in levels_of(text)]
    lines = text.split("\n")
    rules = [number for number, line in enumerate(lines) if "] -> [" in line]
    assert len(rules) > 3
    for number in rules:
        without = levels_of("\n".join([*lines[:number], "", *lines[number + 1 :]]))
        assert any(answer(level) != before for level, before in zip(without, full, strict=True)), lines[number]
