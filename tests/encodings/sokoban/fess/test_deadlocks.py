"""Deadlock rules and heuristics against exhaustive search, which must also detect each broken rule."""

import os
import random
import shutil
import subprocess
import sys
import time
import tracemalloc
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import changed_module
import pytest
from oracle import dijkstra
from small_rooms import level_of

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.board import lone_box
from puzzlemc.encodings.sokoban.fess.deadlocks import freeze, groups, matching, patterns, relaxation
from puzzlemc.encodings.sokoban.fess.domain import pairing, reach
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder
from puzzlemc.encodings.sokoban.fess.search import barriers
from puzzlemc.mc.astar import dead_patterns, problem
from puzzlemc.mc.engines.best_first import best_first
from puzzlemc.mc.heuristics import assignment, build_tables, frozen, pairs, stubborn
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed import successors
from puzzlemc.mc.verdict import Unknown
from puzzlemc.screens.sokoban import State

RULES = puzzle("sokoban").rules


@pytest.fixture(scope="module")
def levels(deadlocks: Any) -> list[tuple[Any, ...]]:
    """Some levels with the true costs of their positions."""
    choice = random.Random(3)
    return [deadlocks.known(deadlocks.random_level(choice)) for _ in range(120)]


def test_exhaustive_search_agrees_with_the_plain_rules(deadlocks: Any, levels: list[tuple[Any, ...]]) -> None:
    spare = 0
    for level, board, true in levels[:40]:
        number = {cell: place for place, cell in enumerate(board.cells)}
        spare += len(board.boxes) > len(board.goals)

        def place(position: State, number: Any = number, true: Any = true) -> int:
            position_number: int = true.number(
                number[position.player], sum(1 << number[box] for box in position.boxes)
            )
            return position_number

        for metric in deadlocks.METRICS:
            back: dict[Any, list[tuple[Any, int]]] = {}

            def followed(position: Any, level: Any = level, metric: str = metric, back: Any = back) -> Any:
                steps = [(step.position, step.costs[metric]) for step in RULES.steps(level, position)]
                for after, cost in steps:
                    back.setdefault(after, []).append((position, cost))
                return steps

            spent = dijkstra([RULES.start(level)], followed)
            solved = [position for position in spent if RULES.solved(level, position)]
            left = dijkstra(solved, lambda position, back=back: back.get(position, ()))  # type: ignore[misc]
            assert (true.spent[metric] < deadlocks.INFINITE_COST).sum() == len(spent)
            for position, cost in spent.items():
                assert true.spent[metric][place(position)] == cost
                assert true.left[metric][place(position)] == left.get(position, deadlocks.INFINITE_COST)
    assert spare >= 5


@pytest.mark.parametrize("count", [120, pytest.param(600, marks=pytest.mark.slow)])
def test_no_rule_calls_a_solvable_position_dead(deadlocks: Any, levels: list[tuple[Any, ...]], count: int) -> None:
    choice = random.Random(count)
    sums = dict.fromkeys(deadlocks.RULES, 0)
    more = (deadlocks.known(deadlocks.random_level(choice)) for _ in range(count - len(levels)))
    for level, board, true in chain(levels, more):
        for rule, judged in deadlocks.judge(level, board, true).items():
            assert not judged.wrong, (rule, level.rows)
            counts_no_positions = rule in ("frozen", "persistent", "barriers", *deadlocks.PAIR_COSTS)
            assert counts_no_positions or judged.called <= judged.dead
            sums[rule] += judged.called
    assert all(sums.values())


class Broken(NamedTuple):
    """A rule and a change that breaks it: a piece of its module, and the replacement."""

    rule: str
    module: ModuleType
    right: str
    wrong: str


QUICK = (
    Broken("squares", plan_finder, "LoneBox(near, kind), targets)", "LoneBox(near, kind), targets[:1])"),
    Broken("plan finder", plan_finder, ">= NEVER)", ">= 1)"),
    Broken(
        "pulled squares",
        lone_box,
        "else lone.near[cell, d ^ 2]\n",
        "else lone.near[lone.near[cell, d ^ 2], d ^ 2]\n",
    ),
    Broken("pulled matching", reach, "or reach.floor.on[player]:", "or True:"),
    Broken("matching", reach, "block = edge(", "block = side + 0 * edge("),
    Broken("matching", matching, "spare += boxes.stuck[boxes.cells[at]] == 0", "spare += 0"),
    Broken("matching", pairing, "pairing.tried[word] = 0", "pairing.tried[word] |= 0"),
    Broken("matching", matching, "if same:", "if lane:"),
    Broken(
        "freeze",
        freeze,
        "boxes.stuck[other] or (game.dead_squares[one] and game.dead_squares[other])",
        "boxes.stuck[other] or game.dead_squares[one] or game.dead_squares[other]",
    ),
    Broken(
        "freeze",
        freeze,
        "if boxes.stuck[boxes.cells[at]] and game.is_target[boxes.cells[at]] == 0:",
        "if boxes.stuck[boxes.cells[at]]:",
    ),
    Broken("singles", dead_patterns, "layout.codes, [ends]", "layout.codes[:1], [ends]"),
    Broken("pairs", dead_patterns, "codes = np.array(layout.codes,", "codes = np.array(layout.codes[:1],"),
    Broken("triples", dead_patterns, "codes = np.array(layout.codes,", "codes = np.array(layout.codes[:1],"),
    Broken("steps", dead_patterns, "dead[np.arange(len(rule)), number] = False", "dead[0, 0] = False"),
    Broken("steps", dead_patterns, "np.fill_diagonal(dead, val=False)", "np.fill_diagonal(dead, val=True)"),
    Broken("frozen", build_tables, "block = moved.block", "block = (actions.mask & objects)[moved.rule]"),
    Broken(
        "frozen", build_tables, "actions.step_cost[moved.rule[back]]", "actions.step_cost[moved.rule[back]] + 1"
    ),
    Broken("from start", problem, "[int(start[0]) & layout.key]", "list(layout.codes[:1])"),
    Broken("pair costs", problem, "np.array(layout.codes), wanted", "np.array(layout.codes[:1]), wanted"),
    Broken("pair costs", build_tables, "(2 if _is_bipartite(", "(6 if _is_bipartite("),
)
SLOW = (
    Broken("barriers", barriers, "count < least and _must_be_pushed(barriers, game, floor)", "count < least"),
    Broken("barriers", barriers, "if leads_out:", "if True:"),
    Broken("groups", relaxation, "r.game.is_target[target] == 1:", "False:"),
    Broken("corrals", relaxation, "r.game.is_target[target] == 1:", "False:"),
    Broken("pulled corrals", relaxation, "r.game.is_target[target] == 1:", "False:"),
    Broken(
        "pulled groups",
        relaxation,
        "after = r.game.near[stand, d]",
        "after = r.game.near[r.game.near[stand, d], d]",
    ),
    Broken("patterns", patterns, "if patterns.parts[number, player >> 6] & bit(player & 63):", "if True:"),
    Broken("corrals", relaxation, "full: Word = (key ^ r.game.codes[1, r.after.least]) &", "full: Word = key &"),
    Broken("groups", groups, "key ^= r.game.codes[0, cell]", "key ^= 0"),
    Broken("groups", relaxation, "r.lowest = min(r.lowest, _wait(r, number))", "_wait(r, number)"),
    Broken("pulled patterns", patterns, "if patterns.parts[number, player >> 6] & bit(player & 63):", "if True:"),
    Broken("patterns", relaxation, "if find_out(r, r.fewer, player, most, False) == DEAD:", "if True:"),
)
# Changes of compiled code, which is interpreted then.
INTERPRETED = (
    Broken(
        "steps", successors, "if rows[i, w] & tables.triples[a, bits[j], w]:", "if tables.triples[a, bits[j], w]:"
    ),
    Broken("persistent", stubborn, "or not _must_be_moved(stubborn, walks, row)", "or False"),
    Broken(
        "frozen",
        frozen,
        "fits = fits and frozen.block[a, v] & frozen.kept[0, v] == 0",
        "fits = frozen.block[a, v] == 0",
    ),
    Broken(
        "frozen",
        frozen,
        "fits = fits and frozen.wall[a, w] & frozen.kept[0, w] == 0",
        "fits = frozen.wall[a, w] == 0",
    ),
    Broken("frozen", assignment, "total += _augment(", "total += 1 + _augment("),
    # It never exceeds the true cost, but it can decrease.
    Broken(
        "frozen",
        assignment,
        "        return assignment(matching)",
        "        return (matching.code & 1) * assignment(matching)",
    ),
    Broken(
        "pair costs", pairs, "                pairs.excess[n, 2] = 0", "                pairs.excess[best, 2] = 0"
    ),
    Broken("pair costs", pairs, "if u == t or pairs", "if u != matching.match[two] - 1 or pairs"),
    Broken("pair costs", pairs, "pairs.alone[two, u] - pairs.u[u] - pairs.v[two]", "pairs.alone[two, u]"),
    Broken("pair costs back", pairs, "cost[one, two, k] = 0", "cost[one, two, k] = 20"),
)
JUDGE = """
import random, sys
sys.path.insert(0, sys.argv[1])
import deadlocks
choice = random.Random(3)
for _ in range(120):
    known = deadlocks.known(deadlocks.random_level(choice))
    judged = deadlocks.judge_optimal(*known, "pushes").get(sys.argv[2])
    if judged is not None and judged.wrong:
        sys.exit(1)
"""


def changed(change: Broken) -> str:
    """The source of the module with the change."""
    source = source_of(change.module).read_text(encoding="utf-8")
    assert source.count(change.right) == 1, change
    return source.replace(change.right, change.wrong)


def made_of(module: ModuleType, source: str) -> ModuleType:
    """A module of plain Python with this source."""
    made = ModuleType(module.__name__)
    exec(compile(source, str(module.__file__), "exec"), made.__dict__)
    return made


def source_of(module: ModuleType) -> Path:
    """The source of a module, compiled or not."""
    return Path(__file__).parents[4] / Path(*module.__name__.split(".")[1:]).with_suffix(".py")


@pytest.mark.parametrize(
    "change",
    [*QUICK, *(pytest.param(change, marks=pytest.mark.slow) for change in SLOW)],
    ids=lambda change: f"{change.rule}: {change.wrong.strip()}",
)
def test_a_broken_rule_is_detected(
    deadlocks: Any,
    levels: list[tuple[Any, ...]],
    change: Broken,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if "\nimport cython\n" in source_of(change.module).read_text(encoding="utf-8"):
        library = changed_module.compiled(change.module.__name__, changed(change), tmp_path)
        assert changed_module.is_found_wrong(change.module.__name__, library, change.rule)
        return
    made = made_of(change.module, changed(change))
    if change.module is plan_finder:
        monkeypatch.setattr(deadlocks, "plan_finder", made)
        judgements = (deadlocks.judge_plan_finder(*known).get(change.rule) for known in levels)
    else:
        for function in ("DeadPatterns", "frozen_of", "pairs_of", "prepare"):
            monkeypatch.setattr(problem, function, getattr(made, function, getattr(problem, function)))
        judgements = (deadlocks.judge_optimal(*known, "pushes").get(change.rule) for known in levels)
    assert any(each is not None and each.wrong for each in judgements)


@pytest.mark.slow
@pytest.mark.parametrize("change", INTERPRETED, ids=lambda change: f"{change.rule}: {change.wrong.strip()}")
def test_a_broken_rule_of_compiled_code_is_detected(change: Broken, tmp_path: Path) -> None:
    root = Path(__file__).parents[4]
    for room in ("mc", "encodings", "screens", "reports"):
        shutil.copytree(
            root / room,
            tmp_path / "puzzlemc" / room,
            ignore=shutil.ignore_patterns("*.so", "__pycache__", "levels"),
        )
    changed = tmp_path / "puzzlemc" / Path(*change.module.__name__.split(".")[1:]).with_suffix(".py")
    source = changed.read_text(encoding="utf-8")
    assert source.count(change.right) == 1, change
    changed.write_text(source.replace(change.right, change.wrong), encoding="utf-8")
    command = [sys.executable, "-c", JUDGE, str(root / "benchmarks"), change.rule]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=280)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.fixture(scope="module")
def many_boxes() -> Model:
    """The model of a room with a thousand pairs of goals, and 420 squares."""
    lines = ["@ " + "  " * 9, *(what * 10 for what in (" $", "  ", "$ ", "  ") * 3)]
    lines += [what * 10 for what in (" .", ". ") * 3] + ["  " * 10] * 2
    rows = ["#" * 22, *(f"#{line}#" for line in lines), "#" * 22]
    model: Model = puzzle("sokoban").encodings["compact"](level_of(*rows)).model
    return model


def test_the_search_for_dead_pairs_of_many_boxes_ends_on_time(many_boxes: Model) -> None:
    """The search begins at each pair of goals, with the player anywhere."""
    began = time.process_time()
    verdict = best_first(many_boxes, ANY, Budget(Limits(seconds=0.2, memory=GIB)))
    assert isinstance(verdict, Unknown)
    assert time.process_time() - began < 4


@pytest.mark.parametrize("memory", [GIB // 32, GIB // 4])
def test_a_level_of_many_boxes_is_prepared_within_its_memory(many_boxes: Model, memory: int) -> None:
    prices = [int(action.name[0].isupper()) for action in many_boxes.actions]
    tracemalloc.start()
    try:
        made = problem.prepare(many_boxes, prices, Budget(Limits(memory=memory)), patterns=2, both_ends=False)
        assert tracemalloc.get_traced_memory()[1] < memory
    finally:
        tracemalloc.stop()
    assert not made.forward.tables.distance.shape[2]
