"""Folding Blocks: plain rules and both encodings, engines against an exact cover, counting, textbook searches."""

import json
from collections.abc import Hashable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from oracle import SMALL, least_cost_by_rules
from strategies import boards

from examples import examples
from puzzlemc.encodings.folding.compact import compact
from puzzlemc.encodings.folding.count import Counts, solutions
from puzzlemc.encodings.folding.generate import generate
from puzzlemc.encodings.folding.methods import METHODS
from puzzlemc.encodings.folding.tiles import tiles
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.registry import engine, variants
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.symbolic.prover import prove_unreachable
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.screens.folding import Level, Matrix, parse

RULES = puzzle("folding")
# Not best-first, which needs a potential, nor k-induction, which gives up.
VARIANTS = variants("forward", "backward", "bidirectional", "explicit", "bmc", "ic3")


def level_of(text: str) -> Level:
    (level,) = parse(text, "test")
    assert isinstance(level, Level), level
    return level


def shapes_of(level: Level, colour: int) -> dict[frozenset[tuple[int, int]], int]:
    """The shapes of a block alone on the board, and the number of folds for each, by the plain rules."""
    alone = tuple(tuple(value if value in (0, colour) else -1 for value in row) for row in level.rows)
    found: dict[frozenset[tuple[int, int]], int] = {}
    waiting = [(alone, 0)]
    for position, depth in waiting:
        shape = frozenset((r, c) for r, row in enumerate(position) for c, v in enumerate(row) if v == colour)
        if shape not in found:
            found[shape] = depth
            waiting += [(step.position, depth + 1) for step in RULES.rules.steps(level, position)]  # type: ignore[misc]
    return found


def least_cover(level: Level) -> int | None:
    """The least sum of folds over all exact covers of the empty cells by one shape of each colour."""
    values = {(r, c): value for r, row in enumerate(level.rows) for c, value in enumerate(row)}
    room = frozenset(cell for cell, value in values.items() if value == 0)
    colours = sorted({value for value in values.values() if value > 0})
    choices = [[(shape & room, folds) for shape, folds in shapes_of(level, k).items()] for k in colours]

    def least(left: frozenset[tuple[int, int]], number: int) -> int | None:
        if number == len(choices):
            return None if left else 0
        costs = [
            folds + rest
            for shape, folds in choices[number]
            if shape <= left
            for rest in [least(left - shape, number + 1)]
            if rest is not None
        ]
        return min(costs, default=None)

    return least(room, 0)


@settings(max_examples=150)
@given(level=boards())
def test_the_oracle_agrees_with_search_by_the_rules(level: Level) -> None:
    assert least_cover(level) == least_cost_by_rules(RULES, level, "moves")


@settings(max_examples=examples(25, 60))
@given(level=boards())
def test_tiles_has_the_successors_of_the_rules(level: Level) -> None:
    encoded = tiles(level)
    encoded.model.validate()
    seen = {initial_state(encoded.model)}
    waiting = list(seen)
    for state in waiting:
        position = encoded.decode(state)
        found: list[tuple[str, Hashable]] = []
        for action in encoded.model.actions:
            if action.enabled(state):
                after = action.fire(state)
                (name,) = encoded.moves(Trace((state, after), (action,)))
                found.append((name, encoded.decode(after)))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        assert sorted(found) == sorted((step.name, step.position) for step in RULES.rules.steps(level, position))
        assert holds(encoded.model.goal, state) == RULES.rules.solved(level, position)
        filled = {f"{v}@({r},{c})" for r, row in enumerate(position, 1) for c, v in enumerate(row, 1) if v > 0}  # type: ignore[arg-type, var-annotated]
        for name, formula in encoded.model.atoms.items():
            kind, _, place = name.partition("@")
            if kind == "filled":
                assert holds(formula, state) == any(atom.endswith("@" + place) for atom in filled)
            elif place:
                assert holds(formula, state) == (name in filled)


@settings(max_examples=examples(40, 100))
@given(level=boards())
@example(level=level_of("0 0 -1\n0 1 -1\n-1 0 2"))  # the block that is folded last covers what both can reach
def test_engines_agree_with_the_exact_cover(level: Level) -> None:
    expected = least_cover(level)
    for encode in (compact, tiles):
        encoded = encode(level)
        for variant in VARIANTS:
            if expected is None and variant.engine.name == "bmc":
                continue  # without a solution, the engine does not end
            proved: list[int] = []
            verdict = variant(encoded.model, "moves", Budget(SMALL, report=proved.append))
            assert expected is None or all(bound <= expected for bound in proved), str(variant)
            if expected is None:
                assert isinstance(verdict, Unreachable), str(variant)
                continue
            assert isinstance(verdict, Reachable), str(variant)
            verdict.trace.check(encoded.model)
            cost = RULES.replay(level, encoded.moves(verdict.trace)).costs["moves"]
            assert cost == expected or (not variant.engine.optimal and cost > expected and not verdict.optimal)


@settings(max_examples=30)
@given(level=boards().filter(lambda level: least_cover(level) is None))
def test_unsolvable_boards_have_proofs(level: Level) -> None:
    for encode in (compact, tiles):
        model = encode(level).model
        check_proof(model, prove_unreachable(model, Budget(SMALL)), Budget(SMALL))


def runs_and_pictures(level: Level) -> Counts:
    """The number of all runs by the plain rules, and of the pictures at their ends."""

    @cache
    def count(position: Matrix) -> tuple[dict[int, int], frozenset[Matrix]]:
        if RULES.rules.solved(level, position):
            return {0: 1}, frozenset([position])
        runs: dict[int, int] = {}
        pictures: frozenset[Matrix] = frozenset()
        for step in RULES.rules.steps(level, position):
            further, beyond = count(step.position)  # type: ignore[arg-type]
            pictures |= beyond
            for folds, number in further.items():
                runs[folds + 1] = runs.get(folds + 1, 0) + number
        return runs, pictures

    runs, pictures = count(level.rows)
    least = min(runs, default=None)
    return Counts(least, 0 if least is None else runs[least], len(pictures))


@settings(max_examples=150)
@given(level=boards())
def test_the_count_of_solutions_agrees_with_all_runs(level: Level) -> None:
    assert solutions(level, Budget(SMALL)) == runs_and_pictures(level)


def test_covers_of_the_same_cells_may_differ_in_folds() -> None:
    # Colour 1 folds twice, or each colour folds once.
    level = level_of("1 0 0 0\n-1 -1 2 3")
    assert solutions(level, Budget(SMALL)) == runs_and_pictures(level) == Counts(2, 1, 2)


def test_counting_stops_at_its_limit() -> None:
    with pytest.raises(LimitReached, match="timeout"):
        solutions(level_of("1 0 0 0 2\n0 0 0 0 0"), Budget(Limits(0)))


@settings(max_examples=40)
@given(level=boards())
def test_textbook_searches_agree(level: Level) -> None:
    least = least_cover(level)
    for name, search in METHODS.items():
        found = search(RULES.rules, level, Budget(SMALL))
        assert (found.moves is None, found.limit) == (least is None, None), name
        if found.moves is not None:
            RULES.replay(level, found.moves)
            assert len(found.moves) >= (least or 0), name
            if name in ("breadth-first", "iterative deepening"):
                assert len(found.moves) == least, name


@pytest.mark.parametrize("name", METHODS)
def test_a_search_stops_at_its_limit(name: str) -> None:
    level = level_of("0 0 0 0\n0 1 2 0\n0 0 0 0\n0 3 0 0")
    found = METHODS[name](RULES.rules, level, Budget(Limits(0)))
    assert (found.moves, found.limit) == (None, "timeout")


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        ("0 0\n1 0", {"1U": "1 0/1 0", "1R": "0 0/1 1"}),
        ("0 0 1", {"1L": "0 1 1"}),
        ("1 -1 0", {}),
        ("1 0 0", {"1R": "1 1 0"}),
        ("1\n0", {"1D": "1/1"}),
        # All cells of a colour are one block, connected or not, which is mirrored as a whole.
        ("1 0 1 0 0 0", {"1R": "1 0 1 1 0 1"}),
        ("0 0 2 1 1", {"2L": "0 2 2 1 1"}),
        ("0 1 2\n0 1 0", {"1L": "1 1 2/1 1 0", "2D": "0 1 2/0 1 2"}),
    ],
)
def test_a_fold_mirrors_the_block(board: str, moves: dict[str, str]) -> None:
    level = level_of(board)
    found = {
        step.name: "/".join(" ".join(map(str, row)) for row in step.position)  # type: ignore[attr-defined]
        for step in RULES.rules.steps(level, RULES.rules.start(level))
    }
    assert found == moves


@pytest.mark.parametrize(("board", "cost"), [("1 2", 0), ("0 -1", None), ("1 0 0 0", 2), ("1 0 0", None)])
def test_edge_cases_are_decided(board: str, cost: int | None) -> None:
    level = level_of(board)
    for encode in (compact, tiles):
        for variant in VARIANTS:
            if cost is None and variant.engine.name == "bmc":
                continue
            verdict = variant(encode(level).model, "moves", Budget(SMALL))
            assert getattr(verdict, "cost", None) == cost


def test_replay_refutes_invalid_moves() -> None:
    level = level_of("1 0 0 0")
    assert RULES.replay(level, ["1R", "1R"]).costs == {"moves": 2}
    with pytest.raises(Refuted, match="step 2: 1L is not a legal move"):
        RULES.replay(level, ["1R", "1L"])
    with pytest.raises(Refuted, match="not solved"):
        RULES.replay(level, ["1R"])


@pytest.mark.parametrize("seed", range(5))
def test_generated_levels_are_solvable(seed: int) -> None:
    level, pictures = generate(4, 5, 3, seed, Budget(SMALL))
    assert (level, pictures) == generate(4, 5, 3, seed, Budget(SMALL))
    assert level != generate(4, 5, 3, seed + 1, Budget(SMALL))[0]
    assert (len(level.rows), len(level.rows[0])) == (4, 5)
    assert {value for row in level.rows for value in row} - {-1, 0} == {1, 2, 3}
    assert pictures == runs_and_pictures(level).pictures >= 1
    assert runs_and_pictures(generate(4, 5, 3, seed, Budget(SMALL), unique=True)[0]).pictures == 1


@pytest.mark.parametrize(("rows", "columns", "colours"), [(0, 3, 1), (2, 1001, 1), (2, 2, 5), (2, 2, 0)])
def test_invalid_requests_for_levels_are_refused(rows: int, columns: int, colours: int) -> None:
    with pytest.raises(ModelError, match="expected sides from 1 to 1000 and at most one colour for each cell"):
        generate(rows, columns, colours, 1, Budget(SMALL))


@pytest.mark.corpus
def test_levels_have_their_known_answers(corpus: Path) -> None:
    known = {row["id"]: row for row in json.loads((corpus / "folding" / "index.json").read_text())}
    entries = load([str(corpus / "folding")])
    assert len(entries) == len(known)
    for entry in entries:
        row = known[Path(entry.id.partition("#")[0]).stem]
        assert entry.level is not None
        verdict = engine("bidirectional")(compact(entry.level).model, "moves", Budget(SMALL))
        assert isinstance(verdict, Reachable) == row["solvable"]
        counted = solutions(entry.level, Budget(SMALL))
        assert counted.folds == getattr(verdict, "cost", None) == row.get("min_moves")
        assert counted.pictures == row.get("exact_covers", 0)
