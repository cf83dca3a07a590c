"""Bidirectional proofs: written by the search, checked by the plain rules alone, and refuted if wrong."""

import json
import os
import random
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import CORNERED, ONE_PUSH, as_json, puzzlemc, write
from hypothesis import event, given, settings
from hypothesis import strategies as st
from oracle import least_cost_by_rules
from places import ROOT
from small_rooms import level_of
from strategies import levels, odd_levels

from examples import examples
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.sokoban.proof.assignment import Assignment, is_at_least
from puzzlemc.encodings.sokoban.proof.bidirectional import check
from puzzlemc.encodings.sokoban.proof.board import INFINITE, Board, Distances, are_distances
from puzzlemc.encodings.sokoban.proof.edges import Edges, make_canonical, pulls, pushes
from puzzlemc.encodings.sokoban.proof.positions import Positions
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs import blocks as blocks_of_states
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block, each, packed
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, resolved
from puzzlemc.reports.certify.certificate import Certificate, read
from puzzlemc.reports.certify.certificate import write as write_certificate
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level, draw

TOOL = ROOT / "tools" / "check_certificate.py"
SOKOBAN = puzzle("sokoban")
METRICS = st.sampled_from(["pushes", "moves"])
ROOM = "########\n#.$.   #\n#  .   #\n##   @ #\n##$ $  #\n#     ##\n########\n"
SPARE = "#######\n#@ $ .#\n#  $  #\n#     #\n#######\n"  # a box more than goals


def proved(level: Level, metric: str, **options: Any) -> tuple[int | None, BidirectionalProof]:
    """The least cost that compiled search finds, None if the level is unsolvable, and its proof."""
    verdict = astar(SOKOBAN.encodings["compact"](level).model, metric, Budget(), proving="positions", **options)
    proof = resolved(verdict.proof)
    assert proof is not None
    assert not isinstance(verdict, Unknown)
    return (verdict.cost if isinstance(verdict, Reachable) else None), proof


def is_accepted(level: Level, proof: BidirectionalProof) -> bool:
    try:
        check(level, proof, Budget())
    except Refuted:
        return False
    return True


def made(folder: Path, text: str, **options: Any) -> Path:
    """The certificate of a level."""
    (entry,) = load([str(write(folder / "a.xsb", text))])
    chosen = Options(prove=True, **options)
    result = certify(entry, chosen, solve_entry(entry, chosen), folder / "a.json")
    assert result.checked, result
    return folder / "a.json"


def rows_of(proof: BidirectionalProof) -> list[Any]:
    empty = np.zeros((0, proof.width), np.uint16)
    return [np.concatenate([empty, *each(some, proof.width)]) for some in (proof.forward, proof.backward)]


@given(level=st.one_of(levels(), odd_levels()), metric=METRICS)
def test_a_proof_is_accepted_and_its_bound_is_the_least_cost(level: Level, metric: str) -> None:
    cost, proof = proved(level, metric)
    event("unsolvable" if cost is None else "solvable")
    assert cost == least_cost_by_rules(SOKOBAN, level, metric)
    assert (proof.metric, proof.below) == (metric, cost)
    check(level, proof, Budget())


@given(level=levels(), metric=METRICS, more=st.integers(1, 3), data=st.data())
def test_a_bound_above_the_cost_is_refused(level: Level, metric: str, more: int, data: st.DataObject) -> None:
    cost, proof = proved(level, metric)
    if cost is None:
        return
    further = st.integers(0, more + 1)
    ahead, behind = ((most or 0) + data.draw(further) for most in (proof.ahead, proof.behind))
    assert not is_accepted(level, replace(proof, below=cost + more, ahead=ahead, behind=behind))
    assert not is_accepted(level, replace(proof, below=None, ahead=None))
    assert not is_accepted(level, replace(proof, below=None, behind=None))
    # Lower bounds are true, and the same sets prove them as long as these do not extend too far.
    assert cost == 0 or is_accepted(level, replace(proof, below=cost - 1))


@given(level=levels(), metric=METRICS, more=st.integers(1, 2), seed=st.integers(0, 1 << 20))
def test_sets_of_true_costs_never_prove_a_false_bound(level: Level, metric: str, more: int, seed: int) -> None:
    """The sets have all vertices near either end, at their true costs or slightly changed ones."""
    cost, _ = proved(level, metric)
    if cost is None:
        return
    chance = random.Random(seed)
    board = Board(level, 1, int(metric == "moves"))
    sides = [costs_of(board, forward) for forward in (True, False)]
    below, boxes = cost + more, len(level.start.boxes)
    for ahead in range(below + 1):
        behind = max(0, below - 1 - ahead) if 0 < ahead < below else below - ahead
        rows = []
        for costs, most in zip(sides, (ahead, behind), strict=True):
            off = [(k + chance.choice([0] * 8 + [1]), *row) for row, k in costs.items() if chance.random() < 0.98]
            kept = [row for row in off if row[0] < most]
            rows.append(np.array(kept, np.uint16).reshape(-1, 2 + boxes))
        claim = BidirectionalProof(metric, below, ahead, behind, boxes, packed(rows[0]), packed(rows[1]))
        assert not is_accepted(level, claim)


@given(level=levels(), metric=METRICS, more=st.integers(0, 2))
def test_one_complete_side_proves_exactly_the_true_bounds(level: Level, metric: str, more: int) -> None:
    """The set of one side has all vertices at their true costs; the set of the other side is arbitrary."""
    cost, _ = proved(level, metric)
    if cost is None or len(level.goals) < len(level.start.boxes):
        return
    board = Board(level, 1, int(metric == "moves"))
    below = cost + more
    for forward in (True, False):
        rows = [(k, *row) for row, k in costs_of(board, forward).items() if k < below]
        side = packed(np.array(rows, np.uint16).reshape(-1, 2 + len(level.start.boxes)))
        ahead, behind, sides = (below, 0, (side, ())) if forward else (0, below, ((), side))
        assert is_accepted(
            level, BidirectionalProof(metric, below, ahead, behind, len(level.start.boxes), *sides)
        ) == (more == 0)


def costs_of(board: Board, forward: bool) -> dict[tuple[int, ...], int]:
    """The least cost of each vertex from the start, or to a solved vertex."""
    edges, width = Edges(board), board.start.rows.shape[1]
    starts = [np.array(board.start.rows)]
    if not forward:
        goals = [cell for cell in range(board.cells) if board.is_goal[cell]]
        cells = [cell for cell in range(board.cells) if not board.is_goal[cell]]
        starts = [np.array([[cell, *goals]], np.uint16) for cell in cells]
        starts = [row for row in starts if row.shape[1] == width]
    if not board.walk:
        for row in starts:
            make_canonical(board, edges, Positions(row), 0)
    best = {tuple(row[0].tolist()): 0 for row in starts}
    waiting = list(best)
    for row in waiting:  # label correcting
        leading = pushes if forward else pulls
        leading(board, edges, Positions(np.array([row], np.uint16)), 0)
        ends, prices = (np.array(some)[: edges.count].tolist() for some in (edges.ends.rows, edges.prices))
        for other, more in zip(ends, prices, strict=True):
            if best[row] + more < best.get(tuple(other), 1 << 30):
                best[tuple(other)] = best[row] + more
                waiting.append(tuple(other))
    return best


@settings(max_examples=25, deadline=None)
@given(level=levels(), metric=METRICS, seed=st.integers(0, 1 << 20))
def test_changed_certificates_are_refuted_or_true(
    tmp_path_factory: pytest.TempPathFactory, level: Level, metric: str, seed: int, mutants: Any
) -> None:
    path = made(tmp_path_factory.mktemp("ends"), draw(level), metric=metric)
    if not isinstance(read(path).proof, BidirectionalProof):
        return  # a constraint, with a circuit
    for kind, changed in mutants.mutants_of_states(read(path), 2, random.Random(seed)):
        write_certificate(changed, path)
        done = verify(path)
        event(f"{kind}: {done.status}")
        if done.status == "valid":
            assert mutants.judged(changed) == "sound", (kind, changed)


@pytest.fixture(scope="session")
def mutants() -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    folder = str(ROOT / "benchmarks")
    if folder not in sys.path:
        sys.path.append(folder)  # for the files beside it
    spec = spec_from_file_location("mutants", ROOT / "benchmarks" / "mutants.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_each_state_of_a_proof_and_its_cost_matter(metric: str) -> None:
    """A proof with one state missing or at a higher cost is refuted, unless that state is irrelevant."""
    level = level_of(ROOM)
    cost, proof = proved(level, metric)
    assert cost == least_cost_by_rules(SOKOBAN, level, metric)
    rows = rows_of(proof)
    assert sum(map(len, rows)) > 20
    refused = 0
    for which in (0, 1):
        for at in range(0, len(rows[which]), 1 + len(rows[which]) // 40):
            fewer = [some if number != which else np.delete(some, at, axis=0) for number, some in enumerate(rows)]
            left_out = replace(proof, forward=packed(fewer[0]), backward=packed(fewer[1]))
            refused += not is_accepted(level, left_out)
    assert refused > 20


def test_the_checker_imports_no_search() -> None:
    """It imports the reader of levels, the plain rules and the proof format, but no model, engine or kernel."""
    code = "import sys, puzzlemc.encodings.sokoban.proof.bidirectional\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("puzzlemc.")}
    loaded -= {"puzzlemc.mc.shared_code"}  # Cython's own code, which compiled modules share
    screens = {name for name in loaded if name.startswith("puzzlemc.screens")}
    assert loaded - screens == {
        "puzzlemc.encodings",
        "puzzlemc.encodings.sokoban",
        "puzzlemc.encodings.sokoban.domain",
        "puzzlemc.encodings.sokoban.proof",
        "puzzlemc.encodings.sokoban.proof.assignment",
        "puzzlemc.encodings.sokoban.proof.bidirectional",
        "puzzlemc.encodings.sokoban.proof.board",
        "puzzlemc.encodings.sokoban.proof.conditions",
        "puzzlemc.encodings.sokoban.proof.edges",
        "puzzlemc.encodings.sokoban.proof.positions",
        "puzzlemc.encodings.sokoban.domain.rules",
        "puzzlemc.mc",
        "puzzlemc.mc.errors",
        "puzzlemc.mc.lexicographic",
        "puzzlemc.mc.limits",
        "puzzlemc.mc.proofs",
        "puzzlemc.mc.proofs.bidirectional",
        "puzzlemc.mc.proofs.blocks",
        "puzzlemc.mc.proofs.compression",
        "puzzlemc.mc.rules",
        "puzzlemc.mc.rules.plain",
        "puzzlemc.mc.words",
    }


def test_verify_of_a_bidirectional_proof_loads_no_search(tmp_path: Path) -> None:
    path = made(tmp_path, ROOM)
    code = "import sys; from puzzlemc.reports.certify.verify import verify; from pathlib import Path\n"
    code += f"assert verify(Path({str(path)!r})).by == 'plain rules'\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[2] for name in done.stdout.split() if name.startswith("puzzlemc.mc.")}
    assert rooms.isdisjoint({"astar", "engines", "graph", "heuristics", "packed", "sat", "symbolic", "temporal"})


# Bounds


def test_wrong_distances_are_detected() -> None:
    level = level_of(ROOM)
    board = Board(level, 1, 0)
    number = {cell: place for place, cell in enumerate(level.floor)}
    goals = np.array([number[cell] for cell in sorted(level.goals)], np.int32)
    boxes = np.array(sorted(number[cell] for cell in level.start.boxes), np.int32)
    everywhere, there = np.arange(board.cells, dtype=np.int32), np.array([board.start.rows[0, 0]], np.int32)
    found = 0
    for distances, targets, players, forward in [
        (board.to_goal, goals, everywhere, False),
        (board.from_start, boxes, there, True),
    ]:
        far = np.array(distances.far)
        assert are_distances(board.near, Distances(far, targets, players, forward))
        for place in np.argwhere((far > 0) & (far < INFINITE))[::7]:
            if place[0] == place[1]:
                continue  # the player is never on the box
            for change in (-1, 1):
                other = far.copy()
                other[tuple(place)] += change
                wrong = not are_distances(board.near, Distances(other, targets, players, forward))
                assert wrong or change < 0, "a distance that is too large passes"
                found += wrong
    assert found > 100


@settings(max_examples=examples(80, 200))
@given(data=st.data(), targets=st.integers(0, 4), boxes=st.integers(0, 4), need=st.integers(0, 40))
def test_the_assignment_bound_is_the_least_sum(data: st.DataObject, targets: int, boxes: int, need: int) -> None:
    numbers = st.one_of(st.integers(0, 12), st.just(INFINITE))
    size = (boxes + 1) * (boxes + 1) * targets
    values = data.draw(st.lists(numbers, min_size=size, max_size=size))
    far = np.array(values, np.int32).reshape(boxes + 1, boxes + 1, targets)
    distances = Distances(far, np.zeros(targets, np.int32), np.zeros(0, np.int32), False)
    row = Positions(np.arange(boxes + 1, dtype=np.uint16).reshape(1, -1))
    prices = Assignment(targets, boxes)
    sums = [
        sum(int(far[0, box + 1, target]) for target, box in enumerate(chosen))
        for chosen in permutations(range(boxes), targets)
    ]
    least = min(sums, default=INFINITE)
    assert is_at_least(prices, distances, row, 0, need) == (least >= need)
    assert is_at_least(prices, distances, row, 0, INFINITE) == (least >= INFINITE)


# The form


@settings(max_examples=examples(20, 50))
@given(rows=st.lists(st.tuples(*[st.integers(0, 0xFFFF)] * 4), max_size=40), size=st.sampled_from([1, 3, 1 << 16]))
def test_states_are_read_as_they_were_written(rows: list[tuple[int, ...]], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks_of_states, "BLOCK", size)
        blocks = packed(np.array(rows, np.uint16).reshape(-1, 4))
        assert [block.count for block in blocks[:-1]] == [size] * (len(blocks) - 1)
        assert sorted(tuple(row) for some in each(blocks, 4) for row in some.tolist()) == sorted(rows)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (Block(2, zlib.compress(bytes(8))), "does not have the 2 states"),
        (Block(1, zlib.compress(bytes(1 << 24))), "does not have the 1 states"),
        (Block(1, zlib.compress(bytes(16))[:-1]), "does not have the 1 states"),
        (Block(1, zlib.compress(bytes(16)) + b"x"), "does not have the 1 states"),
        (Block(1, b"what"), "does not have the 1 states"),
        (Block(0, zlib.compress(b"")), "a block of 0 states"),
        (Block(1 << 40, zlib.compress(bytes(16))), "expected no more than"),
    ],
)
def test_invalid_blocks_are_refuted(block: Block, message: str) -> None:
    with pytest.raises(Refuted, match=message):
        list(each((block,), 4))


def test_a_certificate_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = made(tmp_path, ROOM)
    found = read(path)
    assert isinstance(found.proof, BidirectionalProof)
    assert sum(block.count for block in found.proof.blocks) > 20
    write_certificate(found, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    head = json.loads(path.read_bytes().partition(b"\n}\n")[0] + b"}")
    assert (head["version"], head["proof"]["below"]) == (2, found.cost)


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        (lambda data: data + b"x", "unreadable", "bytes behind the object, expected"),
        (lambda data: data[:-1], "unreadable", "bytes behind the object, expected"),
        (lambda data: data.replace(b'"below": ', b'"above": '), "unreadable", "proof.below: found nothing"),
        (lambda data: data.replace(b'"objects": 3', b'"objects": 4'), "refuted", "have 4 boxes, the level has 3"),
        (lambda data: data.replace(b'"objects": 3', b'"objects": -3'), "unreadable", "proof.objects: found -3"),
        (lambda data: data.replace(b'"version": 2', b'"version": 3'), "unreadable", "that is no UTF-8"),
        (lambda data: data.replace(b'"metric": "pushes"', b'"metric": "moves"'), "refuted", "the trace costs"),
        (lambda data: data.replace(b"##   @ #", b"##  .@ #"), "refuted", "not solved"),
    ],
)
def test_changed_files_are_reported_with_a_reason(change: Any, status: str, message: str, tmp_path: Path) -> None:
    path = made(tmp_path, ROOM)
    path.write_bytes(change(path.read_bytes()))
    done = verify(path)
    assert (done.status, message in str(done.reason)) == (status, True), done.reason


def test_sizes_are_checked_before_memory_is_allocated(tmp_path: Path) -> None:
    level = level_of(ROOM)
    _, proof = proved(level, "moves")
    many = replace(proof, forward=tuple(Block(1 << 16, b"") for _ in range(1 << 14)))
    with pytest.raises(LimitReached, match="memory"):
        check(level, many, Budget())
    with pytest.raises(LimitReached, match="memory"):
        check(level, proof, Budget(Limits(memory=1 << 10)))
    with pytest.raises(LimitReached, match="timeout"):
        check(level, proof, Budget(Limits(seconds=0)))


# Claims


def test_levels_with_spare_boxes_have_proofs(tmp_path: Path) -> None:
    for metric in ("pushes", "moves"):
        found = read(made(tmp_path, SPARE, metric=metric))
        assert isinstance(found.proof, BidirectionalProof)
        assert (found.proof.ahead, found.proof.behind, found.proof.backward) == (found.cost, 0, ())


@pytest.mark.parametrize("metric", ["pushes", "moves", "any"])
def test_unsolvable_levels_have_proofs(metric: str, tmp_path: Path) -> None:
    found = read(made(tmp_path, CORNERED, metric=metric))
    assert found.verdict == "unsolvable"
    assert isinstance(found.proof, BidirectionalProof)
    assert found.proof.below is None


@pytest.mark.parametrize("metric", ["pushes", "moves"])
@pytest.mark.parametrize("most", [1, 40, 400])
def test_a_bound_of_an_unknown_level_has_a_proof(metric: str, most: int) -> None:
    level = level_of(ROOM)
    model = SOKOBAN.encodings["compact"](level).model
    budget = Budget()
    verdict = astar(model, metric, budget, most, proving="positions")
    if isinstance(verdict, Reachable):
        return
    assert isinstance(verdict, Unknown)
    proof = resolved(verdict.proof)
    assert proof is not None
    assert proof.below == verdict.bound == budget.bound
    check(level, proof, Budget())
    assert not is_accepted(level, replace(proof, below=proof.below + 40))


def test_a_bound_gets_a_certificate(tmp_path: Path) -> None:
    """For a level that half a MiB does not suffice to decide, alone and with the solution of another search."""
    (entry,) = load([str(ROOT / "screens" / "levels" / "sokoban" / "warehouse.xsb#19")])
    little = Options("pushes", "explicit", memory=0.0005, timeout=0, prove=True)
    file = tmp_path / "a.cert"
    result = certify(entry, little, solve_entry(entry, little), file)
    assert (result.verdict, result.reason, result.checked) == ("unknown", "memory", True)
    found = read(file)
    assert isinstance(found.proof, BidirectionalProof)
    below = found.proof.below
    assert (found.verdict, below) == ("unknown", result.bound)
    assert below is not None
    assert below > 30
    done = puzzlemc("verify", file)
    assert done.returncode == 0, done.stderr
    assert f"no solution below {below}" in done.stdout
    best = solve_entry(entry, replace(little, memory=1.0))
    assert best.cost is not None
    assert below <= best.cost
    solved = replace(found, verdict="solvable", cost=best.cost, trace=best.trace)
    write_certificate(solved, file)
    assert f"  {below} ≤ {best.cost} pushes" in puzzlemc("verify", file).stdout
    assert tool(file).returncode == 0
    more = replace(found.proof, below=best.cost + 1, ahead=None, behind=None)
    write_certificate(replace(solved, proof=more), file)
    assert puzzlemc("verify", file).returncode == 4
    assert tool(file).returncode == 4


def test_auto_writes_the_proof_of_its_search(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, ROOM)
    code, results = as_json("check", path, "--certificate", tmp_path / "proofs")
    assert (code, [result["checked"] for result in results]) == (1, [True] * 3)
    code, verified = as_json("verify", *sorted((tmp_path / "proofs").iterdir()))
    assert (code, [report["checked_by"] for report in verified]) == (0, ["plain rules"] * 3)


# The stand-alone checker


def tool(*paths: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", TOOL, *paths], capture_output=True, text=True, check=False)


def test_the_tool_needs_only_the_standard_library() -> None:
    code = f"import runpy, sys; runpy.run_path({str(TOOL)!r}, run_name='tool'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    own = {name.partition(".")[0] for name in done.stdout.split()}
    assert own <= sys.stdlib_module_names | {"__main__"}


@settings(max_examples=20, deadline=None)
@given(level=st.one_of(levels(), odd_levels()), metric=METRICS, seed=st.integers(0, 1 << 20))
def test_the_tool_and_verify_agree(
    tmp_path_factory: pytest.TempPathFactory, level: Level, metric: str, seed: int, mutants: Any
) -> None:
    folder = tmp_path_factory.mktemp("tool")
    path = made(folder, draw(level), metric=metric)
    if not isinstance(read(path).proof, BidirectionalProof):
        return  # the start is solved, and the proof is a circuit
    paths = [path]
    changed: list[tuple[str, Certificate]] = list(mutants.mutants_of_states(read(path), 1, random.Random(seed)))
    for kind, certificate in changed:
        paths.append(folder / f"{kind}.json")
        write_certificate(certificate, paths[-1])
    lines = tool(*paths).stdout.splitlines()
    assert lines[0].startswith("valid")
    expected = ["valid", *("valid" if verify(other).status == "valid" else "" for other in paths[1:])]
    assert [line.startswith("valid") for line in lines] == [status == "valid" for status in expected], lines


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (b'"#   .  #"', b'"#-1-.--#"', "unreadable"),  # verify would take it for a row with a count
        (b'"#   .  #"', b'"#   .! #"', "unreadable"),
        (b'"optimal": false', b'"optimal": true', "refuted"),
        (b'"cost": null', b'"cost": 1', "refuted"),
        (b'"optimal": false', b'"optimal": 0', "unreadable"),
        (b'"title": ""', b'"title": "", "title": ""', "unreadable"),
        (b'"title": ""', b'"subject": ""', "unreadable"),
        (b'"title": ""', b'"title": ' + 100_000 * b"[", "unreadable"),
    ],
)
def test_the_tool_accepts_the_same_files_as_verify(old: bytes, new: bytes, status: str, tmp_path: Path) -> None:
    path = made(tmp_path, "########\n###@####\n###$####\n#   .  #\n########\n")
    data = path.read_bytes()
    assert tool(path).stdout.startswith("valid")
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))
    done = tool(path)
    assert done.stdout.startswith(status), done
    assert (done.returncode, done.stderr) == ({"refuted": 4, "unreadable": 2}[status], "")
    assert verify(path).status != "valid"


def test_the_tool_survives_a_closed_pipe(tmp_path: Path) -> None:
    path = made(tmp_path, ROOM)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-I", str(TOOL), str(path)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_the_tool_checks_a_proof_of_a_room(tmp_path: Path) -> None:
    for metric in ("pushes", "moves"):
        path = made(tmp_path, ROOM, metric=metric)
        done = tool(path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"valid: {path}: solvable: the least cost is {read(path).cost} {metric}\n"


def test_proofs_agree_with_diagrams() -> None:
    """An unreachable verdict of compiled search also has an invariant, besides its proof."""
    verdict = astar(SOKOBAN.encodings["compact"](level_of(CORNERED)).model, "moves", Budget(), proving="positions")
    assert isinstance(verdict, Unreachable)
    assert resolved(verdict.proof) is not None
