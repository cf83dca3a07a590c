"""The stand-alone checker at limits of numbers and sizes: it must never confirm a proof that `verify` refutes.

The level needs one push. A forged certificate claims three, with a trace of three pushes that solves the level,
and leaves out all states after the first push. With a large scale, each of these costs more than any number
that could mean "not listed".
"""

import resource
import runpy
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import puzzlemc
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block, packed
from puzzlemc.reports.certify.certificate import Certificate, write
from puzzlemc.reports.certify.verify import verify

TOOL = ROOT / "tools" / "check_certificate.py"
FUNCTIONS = runpy.run_path(str(TOOL), run_name="tool")
ROWS = "########\n#@ $.  #\n#      #\n########"
DONE = ROWS.replace("$.", " *")
START, SOLVED = (0, 2), (2, 3)  # cells of the player and the box; the player is behind the box
BEST, LONGER = "rR", "rRRdrruL"  # one push and two moves, three pushes and eight moves
ORDERS = ["pushes,moves", "moves,pushes"]
LIMIT = 1 << 28  # both checkers refuse costs of at least this
AROUND = [LIMIT + more for more in (-9, -3, -2, -1, 0, 1, 2, 9)]
LARGE = [*AROUND, LIMIT * 3 // 8, 1 << 29, 1 << 31, 1 << 32, 1 << 40, 1 << 63, 1 << 64, 10**400]
MEMORY = GIB  # of the whole process of the tool, if a file is too large for it


def tool(*paths: Path, memory: int | None = None) -> subprocess.CompletedProcess[str]:
    def limited() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    command = [sys.executable, "-I", str(TOOL), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited)


def costs_of(trace: str) -> dict[str, int]:
    return {"pushes": sum(letter.isupper() for letter in trace), "moves": len(trace)}


def listed(*states: tuple[int, tuple[int, ...]]) -> tuple[Block, ...]:
    """Costs below 2^32, and the cells of player and boxes, as blocks."""
    rows = [(cost & 0xFFFF, *cells, cost >> 16) for cost, cells in states]
    return packed(np.array(rows, np.uint16)) if rows else ()


def certificate(metric: str, scale: int, trace: str, **proof: Any) -> Certificate:
    """A claim that no solution is cheaper than the trace; the default proof lists only the start."""
    first, second = metric.split(",")
    costs = costs_of(trace)
    below = scale * costs[first] + costs[second]
    chosen = {"ahead": below, "behind": 0, "forward": listed((0, START)), "backward": ()} | proof
    return Certificate(
        id="a.xsb#1",
        title="",
        puzzle="sokoban",
        level=ROWS,
        encoding="compact",
        metric=metric,
        verdict="solvable",
        cost=costs[first],
        optimal=True,
        trace=trace,
        proof=BidirectionalProof(metric, below, objects=1, scale=scale, **chosen),
    )


def answers(claim: Certificate, folder: Path) -> tuple[str, int]:
    """The results of `verify` and of the tool, which runs in this process, on a certificate."""
    write(claim, folder / "a.json")
    return verify(folder / "a.json").status, FUNCTIONS["main"]([str(folder / "a.json")])


def test_the_traces_have_the_costs_of_these_tests() -> None:
    sokoban = puzzle("sokoban")
    (level,) = sokoban.screen.parse(ROWS, "level")
    for trace in (BEST, LONGER):
        assert sokoban.replay(level, list(trace)).costs == costs_of(trace)


@pytest.mark.parametrize("metric", ORDERS)
@pytest.mark.parametrize("scale", LARGE)
def test_missing_states_are_detected_at_any_cost(metric: str, scale: int, tmp_path: Path) -> None:
    for number, proof in enumerate(
        [
            {},  # all states from the start
            {"ahead": None},
            # All states from the goal.
            {"ahead": 0, "behind": None, "forward": (), "backward": listed((0, SOLVED))},
            {"ahead": 2 * scale, "behind": 2 * scale, "backward": listed((0, SOLVED))},
        ]
    ):
        status, code = answers(certificate(metric, scale, LONGER, **proof), tmp_path)
        assert (number, status, code) == (number, "refuted", 4)


@pytest.mark.parametrize("metric", ORDERS)
@pytest.mark.parametrize("less", range(1, 4))
def test_a_true_certificate_is_valid_up_to_the_limit(metric: str, less: int, tmp_path: Path) -> None:
    first, second = (costs_of(BEST)[each] for each in metric.split(","))
    scale = (LIMIT - less - second) // first
    claim = certificate(metric, scale, BEST, forward=listed((0, START)))
    if metric == "moves,pushes":  # the successor of the first move is no vertex, so that the start suffices again
        assert LIMIT - 3 <= 2 * scale + 1 < LIMIT
    assert answers(claim, tmp_path) == ("valid", 0)


@pytest.mark.parametrize("metric", ORDERS)
def test_both_checkers_refuse_costs_from_the_limit_on(metric: str, tmp_path: Path) -> None:
    first, second = (costs_of(BEST)[each] for each in metric.split(","))
    for scale in (-(-(LIMIT - second) // first), LIMIT, 1 << 40):
        assert answers(certificate(metric, scale, BEST), tmp_path) == ("refuted", 4)


def test_listed_costs_up_to_the_limit_are_accepted(tmp_path: Path) -> None:
    """A push to the right, a walk, a push up: the state between them has a cost of more than two bytes."""
    rows = "########\n#   .  #\n#@ $   #\n#      #\n########"
    trace, walk = "rRdrU", 5
    scale = (LIMIT - 1 - walk) // 2
    needed = [(0, (6, 8)), (scale + 2, (8, 9))]  # the start, and the state after the first push
    for kept, expected in [
        (needed, ("valid", 0)),
        (needed[:1], ("refuted", 4)),
        (needed[1:], ("refuted", 4)),
        ([needed[0], (scale + 3, (8, 9))], ("refuted", 4)),
        ([needed[0], (scale + 1, (8, 9))], ("refuted", 4)),
    ]:
        claim = replace(certificate("pushes,moves", scale, trace, forward=listed(*kept)), level=rows)
        assert (kept, answers(claim, tmp_path)) == (kept, expected)


# Certificates without a proof of optimality, folders, words


def without_a_proof(metric: str, trace: str, cost: int | None, /, **changes: Any) -> Certificate:
    claim = replace(certificate("pushes,moves", 100, trace), metric=metric, cost=cost, optimal=False, proof=None)
    return replace(claim, **changes)


@pytest.mark.parametrize(
    ("metric", "trace", "cost", "changes", "said"),
    [
        (
            "pushes",
            LONGER,
            3,
            {},
            "valid: {}: solvable with 3 pushes; there is no proof that no solution has fewer",
        ),
        ("moves", LONGER, 8, {}, "valid: {}: solvable with 8 moves; "),
        ("pushes,moves", LONGER, 3, {}, "valid: {}: solvable with 3 pushes; "),
        ("any", LONGER, None, {}, "valid: {}: solvable\n"),
        ("pushes", LONGER, 2, {}, "refuted: {}: the trace does not solve the level at that cost"),
        ("any", LONGER, 3, {}, "refuted: "),
        ("pushes", "rRR", 2, {}, "refuted: "),
        ("pushes", "rrR", 1, {}, "refuted: {}: 'r' is not a legal move"),
        ("pushes", "rR", 1, {"optimal": True}, "refuted: {}: without a proof, "),
        ("pushes", "", None, {"verdict": "unsolvable", "trace": None}, "refuted: {}: without a proof, "),
        ("pushes", "rR", 1, {"puzzle": "folding"}, "not checked: {}: it is not about a level of Sokoban"),
    ],
)
def test_a_solution_without_a_proof_is_replayed(
    metric: str, trace: str, cost: int | None, changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.cert"
    write(without_a_proof(metric, trace, cost, **changes), path)
    done = tool(path)
    assert done.stdout.startswith(said.format(path)), done.stdout
    codes = {"valid": 0, "refuted": 4, "not checked": 2}
    assert (done.returncode, done.stderr) == (codes[said.partition(":")[0]], "")
    if "puzzle" not in changes:
        assert (verify(path).status == "valid") == (done.returncode == 0)


@pytest.mark.parametrize(
    ("metric", "cost", "trace", "level", "said"),
    [
        ("pushes", 0, "", DONE, "valid: {}: solvable: the least cost is 0 pushes\n"),
        ("moves,pushes", 0, "", DONE, "valid: {}: solvable: the least cost is 0 moves\n"),
        ("any", None, "", DONE, "refuted: "),
        ("pushes", 1, "", DONE, "refuted: "),
        ("pushes", 0, "r", DONE, "refuted: "),
        ("pushes", 0, "", ROWS, "refuted: "),
    ],
)
def test_a_level_that_is_solved_at_its_start_needs_no_proof(
    metric: str, cost: int | None, trace: str, level: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.cert"
    write(without_a_proof(metric, trace, cost, level=level, optimal=True), path)
    assert tool(path).stdout.startswith(said.format(path))
    assert verify(path).status == said.partition(":")[0]


def test_a_proof_of_another_kind_is_not_checked(tmp_path: Path) -> None:
    """A circuit is no list of positions: the file is not unreadable."""
    level = tmp_path / "a.xsb"
    level.write_text(ROWS + "\n")
    assert puzzlemc("solve", level, "--engine", "forward", "--certificate", tmp_path).returncode == 0
    done = tool(tmp_path / "a.xsb-1.cert")
    assert done.returncode == 2
    assert done.stdout.startswith(f"not checked: {tmp_path / 'a.xsb-1.cert'}: its proof does not list positions")


def test_a_folder_stands_for_the_certificates_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "all" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    write(certificate("pushes,moves", 100, BEST), tmp_path / "all" / "b.cert")
    write(without_a_proof("pushes", BEST, 1), inner / "a.cert")
    (inner / "a.html").write_text("no certificate")
    done = tool(tmp_path / "all")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        f"valid: {tmp_path}/all/b.cert: solvable: the least cost is 1 push, and with these, 2 moves",
        f"valid: {inner}/a.cert: solvable with 1 push; there is no proof that no solution has fewer",
    ]
    done = tool(tmp_path / "empty", tmp_path / "all")
    assert done.returncode == 2
    assert done.stdout.startswith(f"unreadable: {tmp_path}/empty: found no file in this folder that ends in .cert")


# Sizes


def large(folder: Path, rows: list[str], **changes: Any) -> Path:
    """A certificate about a larger level, with one state: the player on the first cell, boxes on the next ones."""
    objects = sum(row.count("$") + row.count("*") for row in rows)
    one_state = np.array([[0, *range(objects + 1), 0]], np.uint16)
    claim = certificate("pushes,moves", 1000, BEST, **{"forward": packed(one_state)} | changes.pop("proof", {}))
    assert isinstance(claim.proof, BidirectionalProof)
    claim = replace(claim, level="\n".join(rows), proof=replace(claim.proof, objects=objects), **changes)
    write(claim, folder / "large.json")
    return folder / "large.json"


def walled(width: int, height: int, inside: list[str]) -> list[str]:
    """A level of this size with these rows in its upper left corner, and walls everywhere else."""
    rows = [f"#{row}".ljust(width, "#") for row in inside]
    return ["#" * width, *rows, *["#" * width] * (height - 1 - len(rows))]


def open_room(size: int, what: str) -> list[str]:
    """A square room with a player, and as many copies of `what` as fit into its upper half."""
    half = (size // 2) * size
    cells = ("@" + what * half)[:half] + " " * (size * size - half)
    return walled(size + 2, size + 2, [cells[at * size : (at + 1) * size] for at in range(size)])


@pytest.mark.parametrize(
    "rows",
    [
        walled(20_000, 4, ["@$." + " " * 19_000, " " * 19_003]),
        walled(5, 20_000, ["@$."]),
        ["#" * 300_000, *["#"] * 300_000],
        open_room(100, "*"),
        open_room(120, "$."),
    ],
)
def test_a_level_that_is_too_large_is_not_checked(rows: list[str], tmp_path: Path) -> None:
    assert_not_checked(large(tmp_path, rows))


def test_too_many_states_are_not_checked(tmp_path: Path) -> None:
    """A few kilobytes of states that unpack to gigabytes."""
    boxes, count = 300, 1 << 16
    inside = [
        "@" + "$" * 99 + " " * 20,
        "$" * 100 + " " * 20,
        "$" * 101 + " " * 19,
        "." * 120,
        "." * 120,
        "." * 60,
    ]
    numbers = np.zeros((count, 3 + boxes), np.uint16)
    path = large(tmp_path, walled(123, 10, inside), proof={"forward": packed(numbers) * 64})
    assert path.stat().st_size < 1 << 24
    assert_not_checked(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = large(tmp_path, ROWS.split("\n"), title="x" * (1 << 23))
    assert_not_checked(path)
    with path.open("ab") as file:
        file.truncate(1 << 34)
    assert_not_checked(path)


def assert_not_checked(path: Path) -> None:
    done = tool(path, memory=MEMORY)
    assert done.stdout.startswith(f"not checked: {path}: too large for this program: "), done.stdout[-500:]
    assert "out of memory" not in done.stdout
    assert (done.returncode, done.stderr) == (2, "")


@pytest.mark.parametrize("size", [126, 127])
def test_levels_up_to_the_bound_are_checked(size: int, tmp_path: Path) -> None:
    """With a margin of one square on each side, 126 × 126 squares are the most that the tool takes."""
    claim = replace(certificate("pushes,moves", 1000, BEST), level="\n".join(walled(size, 126, ["@ $."])))
    write(claim, tmp_path / "a.json")
    done = tool(tmp_path / "a.json", memory=MEMORY)
    expected = (0, "valid") if size == 126 else (2, "not checked")
    assert (done.returncode, done.stdout.partition(":")[0]) == expected, done.stdout[-500:]


@settings(max_examples=examples(120, 300))
@given(data=st.data(), targets=st.integers(0, 4), boxes=st.integers(0, 4))
def test_the_least_sum_of_distances_is_right(data: st.DataObject, targets: int, boxes: int) -> None:
    """Against all assignments, with distances around the limit and without any."""
    numbers = st.one_of(st.integers(0, 9), st.integers(LIMIT - 2, LIMIT + 2), st.just(FUNCTIONS["INFINITE"]))
    table = data.draw(
        st.lists(st.lists(numbers, min_size=boxes, max_size=boxes), min_size=targets, max_size=targets)
    )
    sums = [
        sum(table[target][box] for target, box in enumerate(chosen))
        for chosen in permutations(range(boxes), targets)
    ]
    assert FUNCTIONS["assignment"](table) == min(sums, default=FUNCTIONS["INFINITE"])


@pytest.mark.parametrize("side", ["ahead", "behind"])
def test_a_state_at_the_bound_of_its_set_is_refused(side: str, tmp_path: Path) -> None:
    """Both checkers refuse a state whose cost equals the bound of its set."""
    below = 100 * costs_of(BEST)["pushes"] + costs_of(BEST)["moves"]
    start, solved = listed((0, START), (below, SOLVED)), listed((0, SOLVED), (below, START))
    sets: dict[str, dict[str, Any]] = {
        "ahead": {"ahead": below, "behind": 0, "forward": start, "backward": ()},
        "behind": {"ahead": 0, "behind": below, "forward": (), "backward": solved},
    }
    assert answers(certificate("pushes,moves", 100, BEST, **sets[side]), tmp_path) == ("refuted", 4)
