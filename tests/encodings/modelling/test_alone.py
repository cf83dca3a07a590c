"""Puzzles of rules alone: every command answers, or says that it needs a model."""

import json
from pathlib import Path
from threading import Event

import pytest
from command import as_json, puzzlemc, write

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.limits import Limits
from puzzlemc.reports.play.answers import solved_from

JUGS = '''"""Water jugs: three functions, and no model."""

from puzzlemc.modelling import Rules, fields, puzzle


def moves(level, position):
    for i, held in enumerate(position):
        if held < level.sizes[i]:
            yield f"fill{i + 1}", (*position[:i], level.sizes[i], *position[i + 1 :]), {"moves": 1, "litres": 0}
        if held:
            yield f"empty{i + 1}", (*position[:i], 0, *position[i + 1 :]), {"moves": 1, "litres": held}
        for j, other in enumerate(position):
            poured = min(held, level.sizes[j] - other)
            if i != j and poured:
                after = list(position)
                after[i] -= poured
                after[j] += poured
                yield f"pour{i + 1}{j + 1}", tuple(after), {"moves": 1, "litres": 0}


def solved(level, position):
    return level.goal in position


def empty(level, position):
    """no jug holds water"""
    return not any(position)


rules = Rules(lambda level: (0,) * len(level.sizes), moves, solved, facts={"empty": empty})
PUZZLE = puzzle("jugs", levels=fields(sizes=[int], goal=int), metrics=("moves", "litres"), rules=rules)
'''
LEVELS = "Title: Four litres\nsizes: 3 5\ngoal: 4\n\nTitle: Even\nsizes: 4 6\ngoal: 3\n"
SHORTEST = ["fill2", "pour21", "empty1", "pour21", "fill2", "pour21"]


@pytest.fixture(scope="module")
def jugs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the puzzle, with levels beside it."""
    folder = tmp_path_factory.mktemp("jugs")
    write(folder / "levels.jugs", LEVELS)
    return write(folder / "jugs.py", JUGS)


def level(jugs: Path, number: int) -> str:
    return f"{jugs.parent / 'levels.jugs'}#{number}"


def test_levels_are_solved_with_proofs(jugs: Path, tmp_path: Path) -> None:
    code, rows = as_json("solve", jugs.parent / "levels.jugs", "--puzzle", jugs, "--certificate", tmp_path)
    assert (code, [row["verdict"] for row in rows]) == (1, ["solvable", "unsolvable"])
    assert (rows[0]["trace"], rows[0]["cost"], rows[0]["optimal"], rows[0]["checked"]) == (SHORTEST, 6, True, True)
    assert (rows[0]["engine"], rows[0]["encoding"], rows[1]["checked"]) == ("explicit", None, True)
    assert rows[1]["reason"] == "none of its 10 positions is solved"
    files = sorted(tmp_path.glob("*.cert"))
    assert len(files) == 2
    done = puzzlemc("verify", *files, "--puzzle", jugs)
    assert (done.returncode, done.stdout.count("proof checked by plain rules")) == (0, 2)
    other = write(tmp_path / "other.py", JUGS.replace("poured = min(held,", "poured = held and min(held - 1,"))
    done = puzzlemc("verify", *files, "--puzzle", other)
    assert (done.returncode, "0 of 2 valid" in done.stdout) == (4, True)


@pytest.mark.parametrize(
    ("metric", "cost", "litres", "optimal"),
    [("litres", 3, 3, True), ("litres,moves", 3, 3, True), ("moves,litres", 6, 3, True), ("any", None, 3, False)],
)
def test_metrics(jugs: Path, metric: str, cost: int | None, litres: int, optimal: bool) -> None:
    code, (row,) = as_json("solve", level(jugs, 1), "--puzzle", jugs, "--metric", metric)
    assert (code, row["cost"], row["litres"], row["optimal"]) == (0, cost, litres, optimal)


def test_formulas_are_about_all_positions(jugs: Path) -> None:
    for formula, code, satisfying in [
        ("AG EF solved", 0, 16),
        ("EF (solved & EX !solved)", 0, 16),
        ("AG !empty", 1, 0),
        ("EX empty", 1, 8),
    ]:
        found, (row,) = as_json("query", level(jugs, 1), formula, "--puzzle", jugs)
        assert (found, row["states"], row["satisfying"]) == (code, 16, satisfying)


def test_reports_count_positions_and_shortest_solutions(jugs: Path, tmp_path: Path) -> None:
    done = puzzlemc("report", level(jugs, 1), "--puzzle", jugs, "-o", tmp_path / "a.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "a.json").read_text())
    assert (found["analysis"]["states"], found["analysis"]["edges"]) == (16, 58)
    done = puzzlemc("report", level(jugs, 2), "--puzzle", jugs, "-o", tmp_path / "a.html")
    assert done.returncode == 0, done.stderr


def test_textbook_searches_agree(jugs: Path) -> None:
    code, rows = as_json("compare", level(jugs, 1), "--puzzle", jugs)
    assert (code, [row["cost"] for row in rows if row["optimal"]]) == (0, [6, 6])


def test_solutions_are_replayed(jugs: Path) -> None:
    assert puzzlemc("replay", level(jugs, 1), " ".join(SHORTEST), "--puzzle", jugs).returncode == 0
    done = puzzlemc("replay", level(jugs, 1), "fill2 fill2", "--puzzle", jugs)
    assert (done.returncode, "move 2, fill2, is not legal" in done.stdout + done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("solve", "--engine", "bmc"), "the engine bmc"),
        (("solve", "--encoding", "tiles"), "the encoding tiles"),
        (("export", "--to", "smv", "-o", "-"), "smv"),
        (("query", "invariants"), "invariants"),
    ],
)
def test_what_needs_a_model_says_so(jugs: Path, arguments: tuple[str, ...], what: str) -> None:
    command, *others = arguments
    done = puzzlemc(command, level(jugs, 1), *others, "--puzzle", jugs)
    assert done.returncode == 2
    assert f"jugs has rules alone; {what} needs a model" in " ".join(done.stderr.split())


def test_the_graph_of_positions_is_exported(jugs: Path, tmp_path: Path) -> None:
    done = puzzlemc("export", level(jugs, 1), "--puzzle", jugs, "--to", "dot", "-o", tmp_path / "a.dot")
    assert (done.returncode, (tmp_path / "a.dot").read_text().count(" -> ")) == (0, 58)


def test_a_mistake_names_file_function_and_position(jugs: Path, tmp_path: Path) -> None:
    wrong = write(
        tmp_path / "wrong.py",
        JUGS.replace('yield f"empty{i + 1}", (*position[:i], 0,', 'yield f"fill{i + 1}", (*position[:i], 0,'),
    )
    done = puzzlemc("solve", level(jugs, 1), "--puzzle", wrong)
    assert done.returncode == 2
    assert f"{wrong}:6: moves: found two moves called 'fill" in done.stdout
    assert "in position (0, 3)" in done.stdout


TREE = '''"""A tree of numbers, none of which is solved."""

from puzzlemc.modelling import Rules, fields, puzzle


def moves(level, position):
    for name, after in (("left", 2 * position + 1), ("right", 2 * position + 2)):
        if after < level.most:
            yield name, after


rules = Rules(lambda level: 0, moves, lambda level, position: False)
PUZZLE = puzzle("tree", levels=fields(most=int), rules=rules)
'''


def test_a_proof_that_does_not_fit_loses_no_verdict(tmp_path: Path) -> None:
    tree, level = write(tmp_path / "tree.py", TREE), write(tmp_path / "a.tree", "most: 70000\n")
    done = puzzlemc("check", level, "--puzzle", tree, "--memory", "0.0625", "--certificate", tmp_path)
    assert (done.returncode, "none of its 70,000 positions is solved" in done.stdout) == (1, True)
    assert "no certificate: bound (not all positions were listed, of rules alone)" in done.stderr


def test_certificates_of_two_metrics_show_the_trace(jugs: Path, tmp_path: Path) -> None:
    arguments = ("--puzzle", jugs, "--metric", "litres,moves", "--certificate", tmp_path)
    done = puzzlemc("check", level(jugs, 1), *arguments)
    assert "does not show that the trace is optimal: bound (two metrics in order, of rules alone)" in done.stderr
    assert puzzlemc("verify", tmp_path, "--puzzle", jugs).returncode == 0


def test_hints_need_no_map(jugs: Path) -> None:
    (entry,) = load([level(jugs, 1)], str(jugs))
    advice = dict(solved_from(entry, (0, 5), 1, "moves", Limits(10.0), Event()))
    assert (advice[0, 5].solvable, advice[0, 5].cost, advice[0, 5].moves) == (True, 5, ("pour21",))
    assert advice[3, 2].cost == 4
    (lost,) = solved_from(load([level(jugs, 2)], str(jugs))[0], (0, 6), 1, "moves", Limits(10.0), Event())
    assert lost[1].solvable is False


@pytest.mark.parametrize(
    "arguments", [("solve",), ("query", "EF solved"), ("replay", "fill1"), ("export", "--to", "dot", "-o", "-")]
)
def test_an_error_of_the_author_names_the_line(jugs: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    wrong = write(tmp_path / "wrong.py", JUGS.replace("    for i, held", "    level.size\n    for i, held", 1))
    command, *others = arguments
    done = puzzlemc(command, level(jugs, 1), *others, "--puzzle", wrong)
    assert done.returncode == 2
    assert f"{wrong}:7: found AttributeError: found no field 'size'" in done.stdout + done.stderr


def test_limits_leave_a_bound(jugs: Path, tmp_path: Path) -> None:
    large = write(tmp_path / "large.jugs", "sizes: 1001 1003 1009\ngoal: 2000\n")
    code, (row,) = as_json("check", large, "--puzzle", jugs, "--timeout", "0.5")
    assert (code, row["verdict"], row["reason"]) == (3, "unknown", "timeout")
    assert row["bound"] > 5


BOTH = '''"""Count up to a number, written twice: as a system and as rules."""

from puzzlemc.modelling import Rules, System, fields, puzzle


def counter(level):
    system = System()
    count = system.number("count", 0, level.most)
    for step in (1, 2):
        system.action(f"add{step}", count <= level.most - step, {count: count + step})
    system.goal = count == level.most
    return system


def moves(level, position):
    (count,) = position
    for step in (1, 2):
        if count + step <= level.most:
            yield f"add{step}", (count + step,)


rules = Rules(lambda level: (0,), moves, lambda level, position: position[0] == level.most)
PUZZLE = puzzle("counter", counter, fields(most=int), rules=rules)
'''


@pytest.mark.parametrize(
    ("before", "after", "code", "message"),
    [
        ("", "", 0, ""),
        ("for step in (1, 2):\n        if", "for step in (1, 2, 5):\n        if", 4, "the rules allow add5, and"),
        (
            "for step in (1, 2):\n        system",
            "for step in (1,):\n        system",
            4,
            "the rules allow add2, and",
        ),
        (
            "system.goal = count == level.most",
            "system.goal = count > level.most",
            4,
            "is solved in the rules, and",
        ),
        ("Rules(lambda level: (0,)", "Rules(lambda level: (1,)", 4, "is not a legal move"),
    ],
)
def test_rules_beside_a_system_are_compared_with_it(
    tmp_path: Path, before: str, after: str, code: int, message: str
) -> None:
    made = write(tmp_path / "counter.py", BOTH.replace(before, after, 1) if before else BOTH)
    done = puzzlemc("solve", write(tmp_path / "a.counter", "most: 5\n"), "--puzzle", made)
    assert (done.returncode, message in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
