"""Sokoban: both encodings against the plain rules, state by state; engines against search by the plain rules."""

import csv
import random
from collections.abc import Hashable
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest
from command import puzzlemc, write
from hypothesis import given, settings
from oracle import SMALL, dijkstra, least_cost_by_rules
from small_rooms import level_of
from strategies import levels, odd_levels

from examples import examples
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.encodings.sokoban.model.tiles import tiles
from puzzlemc.mc.engines.registry import ENGINES, Variant, engine, variants
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.trace import Trace, initial_state
from puzzlemc.mc.rules.plain import Transition
from puzzlemc.mc.symbolic.dead_patterns import dead_patterns
from puzzlemc.mc.symbolic.system import compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
ENCODINGS = sorted(RULES.encodings)
VARIANTS = variants(optimal=True)


Steps = dict[Hashable, list[tuple[str, Hashable, tuple[int, ...]]]]


def reachable(level: Level) -> Steps:
    """The successors of every reachable position, by the plain rules."""
    found: Steps = {}
    waiting = [RULES.rules.start(level)]
    while waiting:
        position = waiting.pop()
        if position not in found:
            steps = list(RULES.rules.steps(level, position))
            found[position] = [(s.name, s.position, tuple(s.costs[m] for m in RULES.metrics)) for s in steps]
            waiting += [step.position for step in steps]
    return found


def initial(encoded: Encoded) -> Bits:
    return initial_state(encoded.model)


def check_states(level: Level, encoded: Encoded, plain: Steps) -> None:
    """Assert that the model has the positions, successors, goals and atoms of the plain rules."""
    model = encoded.model
    seen = {initial(encoded)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        position = encoded.decode(state)
        steps = [
            (name, after, tuple(action.costs[m] for m in RULES.metrics))
            for action in model.actions
            if action.enabled(state)
            for after in [action.fire(state)]
            for name in encoded.moves(Trace((state, after), (action,)))
        ]
        assert sorted((n, encoded.decode(s), c) for n, s, c in steps) == sorted(plain[position])
        assert holds(model.goal, state) == RULES.rules.solved(level, position)
        for formulas, total in model.hints.conserved:
            assert sum(holds(formula, state) for formula in formulas) == total
        for name, formula in model.atoms.items():
            kind, _, place = name.partition("@")
            if kind == "player":
                assert holds(formula, state) == (f"({position.player[0] + 1},{position.player[1] + 1})" == place)
            if kind == "box":
                assert holds(formula, state) == (place in {f"({r + 1},{c + 1})" for r, c in position.boxes})
        new = {after for _, after, _ in steps} - seen
        seen |= new
        waiting += new
    assert {encoded.decode(state) for state in seen} == plain.keys()
    assert len(seen) == len(plain)  # no two states encode the same position


@settings(max_examples=examples(25, 120))
@given(level=levels() | odd_levels())
def test_encodings_and_rules_have_the_same_successors(level: Level) -> None:
    plain = reachable(level)
    for encoding in ENCODINGS:
        encoded = RULES.encodings[encoding](level)
        encoded.model.validate()
        check_states(level, encoded, plain)


@settings(max_examples=examples(8, 40))
@given(level=odd_levels())
def test_unusual_levels_are_decided_as_by_the_rules(level: Level) -> None:
    """For all numbers of boxes and goals, with inner walls; only unsolvable levels have reasons."""
    expected = least_cost_by_rules(RULES, level, "pushes")
    assert expected is None or not RULES.explanation.obvious(level)
    for encoding in ENCODINGS:
        model = RULES.encodings[encoding](level).model
        for variant in VARIANTS:
            verdict = variant(model, "pushes", Budget(SMALL))
            assert isinstance(verdict, Unreachable if expected is None else Reachable), str(variant)
            assert not isinstance(verdict, Reachable) or verdict.cost == expected, str(variant)


REASONS = {
    "####\n#@.#\n####": "1 goal but no boxes",
    "######\n#@$..#\n######": "2 goals but 1 box",
    "#######\n#@$...#\n#  $  #\n#######": "3 goals but 2 boxes",
    "##########\n#@$..# $ #\n##########": "2 goals but 1 box within reach",
    "#########\n#@$$.#.##\n#########": "the goal in row 2, column 7 of the board is out of reach",
    "#########\n#@$.# $ #\n#########": "",
    "######\n#@ #*#\n######": "",
}


@pytest.mark.parametrize(("text", "reason"), REASONS.items())
def test_levels_are_unsolvable_by_counting(text: str, reason: str, tmp_path: Path) -> None:
    """Every engine finds them unsolvable, and the certificates are valid."""
    entry = Entry("a#1", "", RULES, level_of(text), None)
    for encoding, name in product(ENCODINGS, [name for name in ENGINES if name != "best-first"]):
        options = Options(engine=name, encoding=encoding, timeout=10)
        result = solve_entry(entry, options)
        assert (result.verdict, result.reason) == ("unsolvable" if reason else "solvable", reason or None)
        if name == "forward":
            assert certify(entry, options, result, tmp_path / f"{encoding}.json").checked


@pytest.mark.parametrize("cases", [5, pytest.param(30, marks=pytest.mark.slow)])
def test_engines_agree_with_search_by_the_rules(cases: int) -> None:
    @settings(max_examples=cases)
    @given(level=levels())
    def agree(level: Level) -> None:
        expected = {metric: least_cost_by_rules(RULES, level, metric) for metric in RULES.metrics}
        for encoding, variant in product(ENCODINGS, VARIANTS):
            for metric, cost in expected.items():
                check_verdict(level, encoding, variant, metric, cost)

    agree()


def check_verdict(level: Level, encoding: str, variant: Variant, metric: str, expected: int | None) -> None:
    encoded = RULES.encodings[encoding](level)
    proved: list[int] = []
    verdict = variant(encoded.model, metric, Budget(SMALL, report=proved.append))
    assert expected is None or all(bound <= expected for bound in proved), str(variant)
    if expected is None:
        assert isinstance(verdict, Unreachable), str(variant)
    else:
        assert isinstance(verdict, Reachable), str(variant)
        assert verdict.cost == expected, str(variant)
        verdict.trace.check(encoded.model)
        moves = encoded.moves(verdict.trace)
        assert RULES.replay(level, moves).costs[metric] == expected


def test_dead_patterns_match_no_solvable_state() -> None:
    covered, spared = 0, 0

    @given(level=levels())
    def spare(level: Level) -> None:
        nonlocal covered, spared
        encoded = compact(level)
        plain = reachable(level)
        predecessors: dict[Hashable, list[tuple[Hashable, int]]] = {}
        for position, steps in plain.items():
            for _, after, _ in steps:
                predecessors.setdefault(after, []).append((position, 1))
        alive = dijkstra([p for p in plain if RULES.rules.solved(level, p)], lambda p: predecessors.get(p, ()))
        system = compile_system(encoded.model, "pushes", "zdd", 1 << 14)
        dead = dead_patterns(encoded.model, system, Budget(SMALL))
        if dead is None:
            return
        box = {tuple(map(int, b.indices)): b for b in encoded.model.bits if b.name == "box"}
        player = encoded.model.hints.location
        assert player is not None
        for position in plain:
            state = frozenset(box[cell] for cell in position.boxes) | {
                b for b, held in player.literals(position.player).items() if held
            }
            assert encoded.decode(state) == position
            if dead.covers(state):
                assert position not in alive
                covered += 1
            else:
                spared += 1

    spare()
    assert min(covered, spared) >= 100


def test_dead_patterns_find_a_box_in_a_corner() -> None:
    level = level_of("######\n#    #\n# $@ #\n#   .#\n######")
    encoded = compact(level)
    dead = dead_patterns(encoded.model, compile_system(encoded.model, "pushes", "zdd", 1 << 14), Budget(SMALL))
    assert dead is not None
    states = {encoded.decode(s): s for s in islice(states_of(encoded), 10_000)}
    cornered = [state for position, state in states.items() if (1, 1) in position.boxes]
    assert cornered
    assert all(dead.covers(state) for state in cornered)


def states_of(encoded: Encoded) -> list[Bits]:
    seen = {initial(encoded)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        new = {a.fire(state) for a in encoded.model.actions if a.enabled(state)} - seen
        seen |= new
        waiting += new
    return sorted(seen, key=str)


@settings(max_examples=20)
@given(level=levels())
def test_a_hint_never_changes_the_answer(level: Level) -> None:
    model = compact(level).model
    expected = least_cost_by_rules(RULES, level, "pushes")
    for hint in ["", "location", "conserved", "objects", "order", "relaxations"]:
        hints = replace(model.hints, **{hint: getattr(Hints(), hint)}) if hint else model.hints
        for name in ["forward", "backward", "bidirectional"]:
            answer = engine(name)(replace(model, hints=hints), "pushes", Budget(SMALL))
            assert getattr(answer, "cost", None) == expected, (name, hint)


@settings(max_examples=examples(20, 40))
@given(level=levels().filter(lambda level: least_cost_by_rules(RULES, level, "pushes") is None))
def test_invariants_are_inductive(level: Level) -> None:
    """On all states with the level's number of boxes, reachable or not, also with the player on a box."""
    encoded = compact(level)
    model = encoded.model
    player = model.hints.location
    assert player is not None
    objects = list(model.hints.objects)
    choice = random.Random(0)
    states = []
    for _ in range(60):
        boxes = choice.sample(objects, len(level.start.boxes))
        literals = player.literals(choice.choice(player.values))
        states.append(frozenset([*boxes, *(b for b, held in literals.items() if held)]))
    steps = {state: [a.fire(state) for a in model.actions if a.enabled(state)] for state in states}
    for name in [*(each.name for each in ENGINES.values() if each.optimal), "best-first"]:
        verdict = engine(name)(model, "pushes", Budget(SMALL))
        assert isinstance(verdict, Unreachable), name
        assert verdict.invariant(initial(encoded)), name
        for state in filter(verdict.invariant, states):
            assert not holds(model.goal, state), name
            assert all(map(verdict.invariant, steps[state])), name


def test_seed_codes_of_the_tiles_are_right() -> None:
    model = tiles(level_of("#######\n#@.$ *#\n#######")).model
    state = initial(tiles(level_of("#######\n#@.$ *#\n#######")))
    codes = ["".join("01"[b in state] for b in variable.bits) for variable in model.variables]
    assert codes == ["101", "011", "010", "001", "100"]
    on_goal = initial(tiles(level_of("#####\n#+$ #\n#####")))
    assert (
        "".join("01"[b in on_goal] for b in tiles(level_of("#####\n#+$ #\n#####")).model.variables[0].bits)
        == "110"
    )


@pytest.mark.parametrize("metric", RULES.metrics)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_already_solved_level_has_an_empty_trace(encoding: str, metric: str) -> None:
    encoded = RULES.encodings[encoding](level_of("#####\n#@* #\n#####"))
    for variant in VARIANTS:
        verdict = variant(encoded.model, metric, Budget(SMALL))
        assert isinstance(verdict, Reachable)
        assert verdict.trace.actions == ()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("#@$$. #", "2 boxes and 1 goal: solved when every goal holds a box"),
        ("#@$$$..#", "3 boxes and 2 goals: solved when every goal holds a box"),
        ("#@$. #$$#", ""),
        ("#@$.$.#", ""),
    ],
)
def test_the_rule_for_more_boxes_than_goals_is_said(row: str, words: str, tmp_path: Path) -> None:
    wall = "#" * len(row)
    path = write(tmp_path / "a.xsb", f"; 1\n{wall}\n{row}\n{wall}\n")
    store, page = tmp_path / "a.sqlite", tmp_path / "a.html"
    report = [("report", "--quiet", "-o", page)] * (row in {"#@$$. #", "#@$.$.#"})  # it takes longest
    for command in (("check",), ("solve",), ("batch", "--store", store), *report):
        assert puzzlemc(*command, path).stderr == (f"{path}:2: warning: {words}\n" if words else ""), command


def test_the_rule_is_said_of_each_level_of_a_batch_and_of_a_folder_of_reports(tmp_path: Path) -> None:
    words = "warning: 2 boxes and 1 goal: solved when every goal holds a box"
    rows = "#@$$. #", "# .$$@#"
    paths = [write(tmp_path / f"{number}.xsb", f"#######\n{row}\n#######\n") for number, row in enumerate(rows)]
    expected = [f"{path}:1: {words}" for path in paths]
    for command in (("batch", "--symmetry", "--store", tmp_path / "a.sqlite"), ("report", "-o", f"{tmp_path}/a/")):
        assert puzzlemc(*command, *paths, "--quiet").stderr.splitlines() == expected


def test_spare_boxes_may_stay_off_the_goals() -> None:
    level = level_of("#######\n#$   $#\n#@$. .#\n#######")
    assert least_cost_by_rules(RULES, level, "pushes") is None
    level = level_of("#######\n#    $#\n#@$.  #\n#######")
    for encoding in ENCODINGS:
        for variant in VARIANTS:
            check_verdict(level, encoding, variant, "pushes", 1)


@pytest.mark.parametrize(
    ("moves", "message"),
    [("l", "step 1: l is not a legal move"), ("r", "step 1: r is not a legal move"), ("", "not solved")],
)
def test_replay_refutes_invalid_moves(moves: str, message: str) -> None:
    with pytest.raises(Refuted, match=message):
        RULES.replay(level_of("#####\n#@$.#\n#####"), moves)


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("number", range(1, 13))
def test_first_levels_of_microban_have_their_known_costs(corpus: Path, number: int) -> None:
    level = parse((corpus / "sokoban" / "microban1.xsb").read_text(), "microban1.xsb")[number - 1]
    assert isinstance(level, Level)
    with (corpus / "sokoban" / "microban1.optimal.tsv").open() as table:
        row = list(csv.DictReader(table, delimiter="\t"))[number - 1]
    for variant in VARIANTS:
        check_verdict(level, "compact", variant, "pushes", int(row["min_pushes"]))
    (forward,), (backward,) = (
        [variant for variant in VARIANTS if str(variant) == name] for name in ("forward-zdd", "backward-cudd")
    )
    check_verdict(level, "compact", forward, "moves", int(row["min_moves"]))
    check_verdict(level, "tiles", backward, "pushes", int(row["min_pushes"]))


@pytest.mark.corpus
def test_unsolvable_levels_are_decided(corpus: Path) -> None:
    for level in parse((corpus / "sokoban" / "unsolvable_60.xsb").read_text(), "unsolvable_60.xsb")[
        :: examples(3, 1)
    ]:
        assert isinstance(level, Level)
        verdict = engine("forward")(compact(level).model, "pushes", Budget(Limits(seconds=60)))
        assert isinstance(verdict, Unreachable)


@pytest.mark.parametrize("board", ["#####\n#@$ #\n# $.#\n#. ##\n####", "#####\n#.$@#\n#####"])
def test_the_step_of_a_name_is_that_step_among_all(board: str) -> None:
    level, rules = level_of(board), RULES.rules
    assert isinstance(rules, Transition)
    assert rules.step is not None
    positions = reachable(level)
    for position in positions:
        steps = {each.name: each for each in rules.steps(level, position)}
        for name in ("l", "u", "r", "d", "L", "U", "R", "D", "x", "", "lu"):
            assert rules.step(level, position, name) == steps.get(name)
    assert len(positions) > 2
