"""Tetravex: plain rules and encodings, counts, random levels, MiniZinc, certificates, the command line."""

import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from importlib.resources import files
from itertools import permutations, product
from pathlib import Path

import pytest
from command import puzzlemc
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import SMALL, least_cost_by_rules
from strategies import squares
from typer.testing import CliRunner

from examples import examples
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.tetravex.arc_consistency import Rectangle, _window, search
from puzzlemc.encodings.tetravex.count import boards, count, count_by_runs
from puzzlemc.encodings.tetravex.generate import certain, generate, random_level
from puzzlemc.encodings.tetravex.minizinc import write
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted, Unsuitable
from puzzlemc.mc.graph.runs import count_runs
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import Clauses, holds
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.sat.solutions import satisfy, solutions
from puzzlemc.mc.symbolic.prover import prove_bound, prove_unreachable
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable
from puzzlemc.reports.cli.app import app
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level, Tile, draw, parse

RULES = puzzle("tetravex")
ENCODINGS = sorted(RULES.encodings)


def looks(level: Level, board: Board) -> tuple[Tile, ...]:
    return tuple(level.tiles[number - 1] for number in board)


def solved_boards(level: Level) -> set[tuple[Tile, ...]]:
    """The boards that solve a level, as drawn: all orders of the tiles, judged by the plain rules."""
    kept = {cell: tile for cell, tile in enumerate(level.start) if level.rules == PUT and tile != EMPTY}
    return {
        looks(level, board)
        for board in permutations(range(1, len(level.tiles) + 1))
        if all(board[cell] == tile for cell, tile in kept.items()) and RULES.rules.solved(level, board)
    }


# Encodings and engines against search by the plain rules.


@settings(max_examples=examples(50, 100))
@given(level=squares())
def test_least_costs_agree_with_the_rules(level: Level) -> None:
    expected = least_cost_by_rules(RULES, level, "moves")
    for encoding in ENCODINGS:
        encoded = RULES.encodings[encoding](level)
        encoded.model.validate()
        verdict = auto(encoded.model, "moves", Budget(SMALL)).verdict
        if expected is None:
            assert isinstance(verdict, Unreachable), encoding
            check_proof(
                encoded.model, verdict.proof or prove_unreachable(encoded.model, Budget(SMALL)), Budget(SMALL)
            )
            continue
        assert isinstance(verdict, Reachable), encoding
        assert verdict.cost == expected, encoding
        assert verdict.optimal, encoding
        verdict.trace.check(encoded.model)
        assert RULES.replay(level, encoded.moves(verdict.trace)).costs["moves"] == expected, encoding
        check_proof(encoded.model, prove_bound(encoded.model, "moves", expected, Budget(SMALL)), Budget(SMALL))


def test_no_engine_contradicts_the_rules() -> None:
    """Each engine decides most of the levels that it can take, in some encoding."""
    levels = 0
    decided: Counter[str] = Counter()

    @settings(max_examples=examples(6, 12))
    @given(level=squares())
    def decide(level: Level) -> None:
        nonlocal levels
        levels += 1
        solvable = least_cost_by_rules(RULES, level, "moves") is not None
        able = set()
        for encoding, each in product(ENCODINGS, ENGINES.values()):
            model = RULES.encodings[encoding](level).model
            options = {"most_steps": 8} if each.name == "bmc" else {}  # without a solution, bmc does not end
            try:
                verdict = each(model, "any", Budget(SMALL), **options)
            except Unsuitable:
                assert each.takes != "any", (each.name, encoding)
                continue
            if isinstance(verdict, Unknown):
                assert each.name == "bmc" or (each.name == "k-induction" and not solvable), (each.name, encoding)
                continue
            assert isinstance(verdict, Reachable if solvable else Unreachable), (each.name, encoding)
            able.add(each.name)
        decided.update(able)

    decide()
    assert not {name: decided[name] for name in ENGINES if decided[name] < levels / 2}


@settings(max_examples=40)
@given(level=squares(rules=PUT) | squares(rules=SWAP))
def test_tiles_has_the_positions_and_steps_of_the_rules(level: Level) -> None:
    encoded = RULES.encodings["tiles"](level)
    model = encoded.model
    waiting = [initial_state(model)]
    seen = set(waiting)
    assert encoded.decode(waiting[0]) == RULES.rules.start(level)
    while waiting:
        state = waiting.pop()
        position = encoded.decode(state)
        after = {(a.name, encoded.decode(a.fire(state))) for a in model.actions if a.enabled(state)}
        assert after == {(step.name, step.position) for step in RULES.rules.steps(level, position)}
        assert holds(model.goal, state) == RULES.rules.solved(level, position)
        assert isinstance(position, tuple)
        on = {name for name, formula in model.atoms.items() if holds(formula, state)} - {"solved"}
        cells = {f"({cell // level.side + 1},{cell % level.side + 1})": tile for cell, tile in enumerate(position)}
        assert on == {f"{tile}@{cell}" for cell, tile in cells.items() if tile != EMPTY}
        new = {a.fire(state) for a in model.actions if a.enabled(state)} - seen
        seen |= new
        waiting += new


@pytest.mark.parametrize("colours", list(product((0, 1, 2), repeat=2)))
@pytest.mark.parametrize(
    ("cell", "side", "opposite"),
    [("1,2", "south", "north"), ("2,1", "east", "west"), ("2,3", "west", "east"), ("3,2", "north", "south")],
)
def test_a_tile_fits_where_touching_colours_are_equal(
    cell: str, side: str, opposite: str, colours: tuple[int, int]
) -> None:
    """By the plain rules, and in the model: beside a tile in the middle, on each side of it."""
    one, middle = colours
    tiles = [Tile(9, 9, 9, 9) for _ in range(9)]
    tiles[0], tiles[1] = tiles[0]._replace(**{side: one}), tiles[1]._replace(**{opposite: middle})
    level = Level("", "", 3, tuple(tiles), PUT, (0, 0, 0, 0, 2, 0, 0, 0, 0))
    model = RULES.encodings["tiles"](level).model
    names = {step.name for step in RULES.rules.steps(level, level.start)}
    assert (f"1@{cell}" in names) == (one == middle)
    assert names == {action.name for action in model.actions if action.enabled(initial_state(model))}


@settings(max_examples=60)
@given(level=squares(rules=""))
def test_the_frontier_agrees_with_the_positions(level: Level) -> None:
    """The reachable states of the construction are the positions by the rules, up to the order of equal tiles."""
    encoded = RULES.encodings["tiles"](level)
    colours = sorted({colour for tile in level.tiles for colour in tile})
    side = level.side

    def frontier(position: Board) -> Hashable:
        filled = len(position) - position.count(EMPTY)
        used = sorted(level.tiles[tile - 1] for tile in position[:filled])
        south = []
        for column in range(side):
            last = max((row for row in range(side) if row * side + column < filled), default=-1)
            tile = level.tiles[position[last * side + column] - 1]
            south.append(colours[0] if last in (-1, side - 1) else tile.south)
        east = level.tiles[position[filled - 1] - 1].east if filled % side else colours[0]
        return filled, tuple(used), tuple(south), east

    expected, waiting = set(), [RULES.rules.start(level)]
    while waiting:
        position = waiting.pop()
        assert isinstance(position, tuple)
        expected.add(frontier(position))
        waiting += [step.position for step in RULES.rules.steps(level, position)]
    found = set()
    todo = [initial_state(encoded.model)]
    while todo:
        state = todo.pop()
        filled, used, south, east = encoded.decode(state)  # type: ignore[misc]
        found.add((filled, tuple(sorted(level.tiles[tile - 1] for tile in used)), south, east))
        todo += [action.fire(state) for action in encoded.model.actions if action.enabled(state)]
    assert found == expected


def test_the_fewest_swaps_follow_from_cycles() -> None:
    """With three rows: the swaps for the cycles of the permutation to a solved board, least over all of these."""
    for seed in range(2):
        chance = random.Random(seed)
        level = random_level(3, 2 + seed, chance)
        start = tuple(chance.sample(range(1, 10), 9))
        game = replace(level, rules=SWAP, start=start)
        ends = [RULES.rules.start(level)]
        for _ in level.tiles:
            ends = [step.position for position in ends for step in RULES.rules.steps(level, position)]
        best = min(9 - cycles(start, end) for end in ends)  # type: ignore[arg-type]
        verdict = auto(RULES.encodings["compact"](game).model, "moves", Budget(SMALL)).verdict
        assert isinstance(verdict, Reachable)
        assert verdict.cost == best


def cycles(one: Board, other: Board) -> int:
    """The cycles of the permutation from one board to the other."""
    to = dict(zip(one, other, strict=True))
    number = 0
    while to:
        number += 1
        tile = next(iter(to))
        while tile in to:
            tile = to.pop(tile)
    return number


# Solutions.


@settings(max_examples=100)
@given(level=squares())
def test_solutions_are_all_boards_on_which_sides_match(level: Level) -> None:
    expected = solved_boards(level)
    listed = [tuple(map(int, board)) for board in boards(level, Budget(SMALL))]
    assert all(sorted(board) == list(range(1, len(level.tiles) + 1)) for board in listed)
    assert {looks(level, board) for board in listed} == expected
    assert len(listed) == len(expected)
    assert count(level, Budget(SMALL)) == count_by_runs(level, Budget(SMALL)) == len(expected)


def test_many_solutions_are_counted_by_dynamic_programming() -> None:
    level = Level("", "", 3, tuple(Tile(0, 0, 0, number // 3) for number in range(9)))
    # West sides must be 0 except in the first column: three tiles with 0 do not suffice for two columns.
    assert count(level, Budget(SMALL)) == count_by_runs(level, Budget(SMALL)) == 0
    free = Level("", "", 3, tuple(Tile(0, 0, 0, number // 6) for number in range(9)))
    # All eastern sides are 0, so tiles with another western side stand in the first column.
    assert count(free, Budget(SMALL)) == count_by_runs(free, Budget(SMALL)) == 1
    wide = random_level(3, 2, random.Random(9))
    assert len(solved_boards(wide)) == count(wide, Budget(SMALL)) == count_by_runs(wide, Budget(SMALL))


def test_counting_respects_its_limits() -> None:
    level = random_level(4, 2, random.Random(1))
    model = RULES.encodings["tiles"](level).model
    with pytest.raises(LimitReached, match="bound"):
        count_runs(model, Budget(SMALL), 100)
    with pytest.raises(LimitReached, match="memory"):
        count_runs(model, Budget(Limits(memory=10_000)))
    with pytest.raises(LimitReached, match="timeout"):
        count_runs(model, Budget(Limits(0)))
    with pytest.raises(LimitReached, match="timeout"):
        count(level, Budget(Limits(0)))


@pytest.mark.corpus
def test_each_level_of_the_corpus_has_one_solution(corpus: Path) -> None:
    for path in sorted((corpus / "tetravex").glob("[345]*.dzn")):
        (level,) = parse(path.read_text(), path.name)
        assert isinstance(level, Level)
        assert count(level, Budget(SMALL)) == count_by_runs(level, Budget(SMALL)) == 1


@settings(max_examples=100)
@given(level=squares(rules="", most=3), data=st.data())
def test_clauses_hold_exactly_on_solved_boards(level: Level, data: st.DataObject) -> None:
    """Changed solutions violate them: auxiliary variables follow from the places of the tiles."""
    encoded = RULES.encodings["compact"](level)
    goal = encoded.model.goal
    assert isinstance(goal, Clauses)
    state = next(solutions(encoded.model, Budget(SMALL)), None)
    assert (state is not None) == (count_by_runs(level, Budget(SMALL)) > 0)
    if state is not None:
        assert holds(goal, state)
        assert not holds(goal, state ^ {data.draw(st.sampled_from(encoded.model.bits))})


@settings(max_examples=100)
@given(level=squares(rules="", most=4))
def test_the_search_finds_a_board_if_one_exists(level: Level) -> None:
    found = search(level, Budget(SMALL))
    assert (found is None) == (next(boards(level, Budget(SMALL)), None) is None)
    if found is not None:
        board = tuple(tile + 1 for tile in found)
        assert sorted(board) == list(range(1, len(level.tiles) + 1))
        assert RULES.rules.solved(level, board)


@settings(max_examples=100)
@given(level=squares(rules="", most=3), data=st.data())
def test_the_search_finds_a_board_by_each_window(level: Level, data: st.DataObject) -> None:
    sides = st.integers(1, level.side)
    window = data.draw(sides), data.draw(sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlemc.encodings.tetravex.arc_consistency._window", lambda _: window)
        patch.setattr("puzzlemc.encodings.tetravex.arc_consistency.SHORT", 0)
        found = search(level, Budget(SMALL))
        patch.setattr("puzzlemc.encodings.tetravex.arc_consistency.THREADS", 1)
        assert search(level, Budget(SMALL)) == found  # of the same tile in the middle
    assert (found is None) == (next(boards(level, Budget(SMALL)), None) is None)


@settings(max_examples=100)
@given(level=squares(rules="", most=3), data=st.data())
def test_rectangles_have_all_their_fillings(level: Level, data: st.DataObject) -> None:
    rows, columns = (data.draw(st.integers(1, min(2, level.side))) for _ in range(2))
    tile = data.draw(st.integers(0, len(level.tiles) - 1))
    found = sorted(Rectangle(level, rows, columns).fillings({0: tile}, Budget(SMALL)))
    assert found == sorted(
        chosen
        for chosen in permutations(range(len(level.tiles)), rows * columns)
        if chosen[0] == tile and agree([level.tiles[each] for each in chosen], columns)
    )


def agree(tiles: list[Tile], columns: int) -> bool:
    """Do the sides match in these rows of tiles?"""
    beside = all(tiles[at].east == tiles[at + 1].west for at in range(len(tiles) - 1) if (at + 1) % columns)
    return beside and all(tiles[at].south == tiles[at + columns].north for at in range(len(tiles) - columns))


def test_the_window_has_few_fillings() -> None:
    chance = random.Random(1)
    assert _window(random_level(9, 12, chance)) == (7, 7)
    assert _window(random_level(8, 3, chance)) == (8, 8)
    assert _window(random_level(1, 3, chance)) == (1, 1)


@settings(max_examples=100)
@given(level=squares(rules="", most=3))
def test_the_solution_finder_finds_a_state_of_the_model(level: Level) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlemc.encodings.tetravex.constraint.LARGE", 1)
        encoded = RULES.encodings["compact"](level)
    model = encoded.model
    assert model.hints.solution_finder is not None
    found = model.hints.solution_finder(Budget(SMALL))
    states = list(solutions(model, Budget(SMALL)))
    assert (found is None and not states) or found in states
    # A wrong solution, or none, does not change the verdict.
    for wrong in (None, frozenset()):
        verdict = satisfy(
            replace(model, hints=Hints(solution_finder=lambda _, wrong=wrong: wrong)), "moves", Budget(SMALL)
        )  # type: ignore[misc]
        assert isinstance(verdict, Reachable if states else Unreachable)


def test_large_boards_are_solved() -> None:
    level = random_level(8, 10, random.Random(1))
    encoded = RULES.encodings["compact"](level)
    verdict = auto(encoded.model, "moves", Budget(SMALL)).verdict
    assert isinstance(verdict, Reachable)
    RULES.replay(level, encoded.moves(verdict.trace))
    hopeless = random_level(10, 10, random.Random(1))
    with pytest.raises(LimitReached, match="timeout"):
        search(hopeless, Budget(Limits(0.2)))
    wrong = replace(level, tiles=(Tile(99, 99, 99, 99), *level.tiles[1:]))
    assert search(wrong, Budget(SMALL)) is None
    many = replace(
        level, tiles=tuple(Tile(*(colour + 10 * (n % 2) for colour in t)) for n, t in enumerate(level.tiles))
    )
    assert RULES.encodings["compact"](many).model.hints.solution_finder is None


# Random levels.


@pytest.mark.parametrize(("size", "colours"), [(1, 1), (2, 2), (3, 3), (4, 6), (5, 10)])
def test_generated_levels_have_their_size_and_a_solution(size: int, colours: int) -> None:
    level, number = generate(size, size, colours, 7, Budget(SMALL))
    assert (level, number) == generate(size, size, colours, 7, Budget(SMALL))
    assert level.side == size
    assert all(0 <= colour < colours for tile in level.tiles for colour in tile)
    assert 1 <= number == count_by_runs(level, Budget(SMALL))
    if (size, colours) != (1, 1):
        assert generate(size, size, colours, 8, Budget(SMALL)) != (level, number)
        assert generate(size, size, colours, 7, Budget(SMALL), unique=True)[1] == 1


def test_invalid_requests_for_levels_are_refused() -> None:
    for size, colours in [(0, 1), (101, 1), (2, 0)]:
        with pytest.raises(ModelError, match="expected a size from 1 to 100"):
            generate(size, size, colours, 1, Budget(SMALL))


def test_a_wrong_count_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    level = random_level(3, 3, random.Random(1))
    monkeypatch.setattr("puzzlemc.encodings.tetravex.generate.count", lambda *_: 12345)
    with pytest.raises(Refuted, match="12345 solutions by SAT"):
        certain(level, Budget(SMALL))


# MiniZinc.


@pytest.mark.skipif(shutil.which("minizinc") is None, reason="needs minizinc with Gecode")
@settings(max_examples=5)
@given(level=squares(rules="", most=3) | squares(rules=PUT))
def test_gecode_finds_the_same_boards(level: Level, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("minizinc")
    model, data = write(level).values()
    (folder / "t.mzn").write_text(model)
    (folder / "t.dzn").write_text(data)
    command = ["minizinc", "--solver", "gecode", "--all-solutions", "t.mzn", "t.dzn"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    found = {looks(level, tuple(json.loads(line))) for line in output.splitlines() if line.startswith("[")}
    assert ("=====UNSATISFIABLE=====" in output) == (not found)
    listed = {looks(level, tuple(map(int, board))) for board in boards(level, Budget(SMALL))}
    assert found == listed


def test_data_for_minizinc_can_be_read_back() -> None:
    level = random_level(3, 10, random.Random(3))
    model, data = write(level).values()
    assert 'include "alldifferent.mzn"' in model
    assert parse(data, "x") == [level]
    put = replace(level, rules=PUT, start=(0, 4, *[0] * 7))
    assert "constraint res[2] = 4;" in write(put)[".mzn"]
    with pytest.raises(ModelError, match="no moves for the game swap"):
        write(replace(level, rules=SWAP, start=tuple(range(1, 10))))


# The command line.


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


TWO = """Tetravex 2
0 0 0 0
0 0 0 0
0 1 0 0
1 0 0 0
"""


def test_the_command_line_counts_and_lists_solutions(tmp_path: Path) -> None:
    level = tmp_path / "two.tetravex"
    level.write_text(TWO)
    code, printed = run("solve", str(level), "--count", "--draw", "--json", "--quiet")
    assert code == 0
    result = json.loads(printed)
    assert result["solutions"] == 6
    assert "traces" not in result
    assert result["checked"] is True
    assert result["drawing"].count("\n") == 8
    code, printed = run("solve", str(level), "--all", "--json", "--quiet")
    assert len({tuple(trace) for trace in json.loads(printed)["traces"]}) == json.loads(printed)["solutions"] == 6
    code, printed = run("solve", str(level), "--json", "--quiet")
    assert "solutions" not in json.loads(printed)
    code, printed = run("check", str(level), "--count", "--quiet")
    assert "6 solutions" in printed
    code, printed = run("solve", str(level), "--all", "--draw", "--quiet")
    assert sum(line.startswith("  ") for line in printed.splitlines()) == 6
    assert "|0 0|0 0|" in printed


@settings(max_examples=40)
@given(level=squares(rules=PUT, most=2) | squares(rules=SWAP, most=2))
def test_the_count_of_a_game_is_its_number_of_final_boards(level: Level) -> None:
    """These are the boards that the plain rules reach, where equal tiles are interchangeable."""
    rules = puzzle("tetravex").rules
    seen = {rules.start(level)}
    waiting = list(seen)
    while waiting:
        for step in rules.steps(level, waiting.pop()):
            if step.position not in seen:
                seen.add(step.position)
                waiting.append(step.position)
    ends = {looks(level, board) for board in seen if isinstance(board, tuple) and rules.solved(level, board)}
    assert count(level, Budget(SMALL)) == len(ends)


def test_the_summary_names_what_is_counted(tmp_path: Path) -> None:
    level, sheet = tmp_path / "two.tetravex", tmp_path / "a.fold"
    level.write_text(TWO)
    sheet.write_text("1 0 0 0\n")
    code, printed = run("check", str(level), str(sheet), "--count", "--quiet")
    assert code == 0
    assert printed.splitlines()[-2:] == [
        "solutions of tetravex that are counted: full boards on which the edges agree; "
        "tiles that look the same are one",
        "solutions of folding that are counted: final positions, in whatever order they are folded",
    ]
    printed = run("check", str(sheet), "--count", "--json", "--quiet")[1]
    assert json.loads(printed)["counted"] == "final positions, in whatever order they are folded"
    assert "counted" not in run("check", str(sheet), "--quiet")[1]


def test_a_puzzle_without_counting_is_refused(tmp_path: Path) -> None:
    """It is refused once, before any level is solved, and the other levels are still solved."""
    room = tmp_path / "rooms.xsb"
    room.write_text("#####\n#@$.#\n#####\n\n#####\n#@$.#\n#####\n")
    levels = Path(str(files("puzzlemc.screens"))) / "levels"
    for name, path, hint in (
        ("sokoban", room, "; puzzlemc report says how many of the shortest ones there are"),
        ("fabrik", levels / "fabrik" / "blunder.fabrik", "; how many first moves win stands in the table anyway"),
        ("factorio", levels / "factorio" / "impossible.factorio", ""),
    ):
        code, printed = run("check", str(path), "--count", "--quiet")
        assert code == 2
        refusal = f"the solutions of {name} are not counted, those of folding, tetravex are{hint}"
        assert " ".join(printed.split()).count(refusal) == 1
        assert "solvable" not in printed
    (tmp_path / "a.fold").write_text("1 0 0 0\n")
    code, printed = run("check", str(tmp_path), "--count", "--quiet")
    assert code == 2
    assert printed.count("are not counted") == 1
    assert "1 solution" in printed
    code, printed = run("check", str(tmp_path / "a.fold"), "--all", "--quiet")
    assert code == 2
    assert "are counted, but not listed; --count says how many there are: final" in " ".join(printed.split())


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_unsolvable_level_has_a_certificate(encoding: str, tmp_path: Path) -> None:
    level = tmp_path / "bad.tetravex"
    level.write_text("Tetravex 2\n0 1 2 3\n4 5 6 7\n8 9 1 2\n1 1 1 1\n")
    code, printed = run("check", str(level), "--encoding", encoding, "--certificate", str(tmp_path), "--json")
    assert code == 1
    (certificate,) = tmp_path.glob("*.cert")
    code, printed = run("verify", str(certificate), "--level", str(level), "--drat", str(tmp_path / "drat"))
    # A SAT solver cannot check a proof that lists states.
    assert (code == 0) == ("no DRAT: its proof is no circuit" not in printed), printed
    code, printed = run("verify", str(certificate), "--level", str(level))
    assert code == 0, printed
    assert "unsolvable" in printed
    whole = certificate.read_bytes()
    certificate.write_bytes(whole.replace(b"4 5 6 7", b"3 3 3 3").replace(b"0 1 2 3", b"2 2 3 3"))
    code, _ = run("verify", str(certificate), "--level", str(level))
    assert code == 4


@pytest.mark.parametrize("name", ["folding", "tetravex", "factorio"])
def test_generate_makes_several_levels(name: str, tmp_path: Path) -> None:
    """One for each seed from the given one on, the same as generated one by one."""
    made = tmp_path / f"made{puzzle(name).screen.SUFFIXES[0]}"
    size, things = ("6", "--items") if name == "factorio" else ("2", "--colours")
    code, printed = run(
        "generate", name, "--size", size, things, "3", "--seed", "5", "--count", "3", "-o", str(made)
    )
    assert (code, printed) == (0, "")
    one_by_one = [run("generate", name, "--size", size, things, "3", "--seed", str(n))[1] for n in (5, 6, 7)]
    assert made.read_text() == "\n".join(one_by_one)
    assert [each.title.rpartition(" ")[2] for each in load(made)] == ["5", "6", "7"]


def test_levels_generated_before_a_limit_are_kept(tmp_path: Path) -> None:
    made = tmp_path / "made.tetravex"
    done = puzzlemc("generate", "tetravex", "--size", "9", "--count", "2", "--timeout", "0.001", "-o", made)
    assert done.returncode == 3
    many = len(load(made)) if made.exists() else 0
    assert many == 2 or f"after {many} of 2 levels" in done.stderr
    done = puzzlemc("generate", "folding", "--size", "2", "--count", "0")
    assert (done.returncode, "at least 1" in done.stderr) == (2, True)


def test_a_generated_level_can_be_exported(tmp_path: Path) -> None:
    made = tmp_path / "made.tetravex"
    code, printed = run(
        "generate", "tetravex", "--size", "3", "--colours", "4", "--seed", "5", "--unique", "-o", str(made)
    )
    assert (code, printed) == (0, "")
    assert made.read_text().startswith("% solutions: 1\nTitle: 3×3, 4 colours, seed 5\nTetravex 3\n")
    code, printed = run("generate", "tetravex", "--size", "3", "--colours", "4", "--seed", "5", "--unique")
    assert printed == made.read_text()
    assert run("generate", "tetravex", "--size", "0")[0] == 2
    assert run("generate", "chess")[0] == 2
    assert run("generate", "tetravex", "--size", "7", "--timeout", "0.001")[0] == 3
    done = puzzlemc("generate", "tetravex", "--size", "2", "-o", tmp_path / "no" / "file")
    assert (done.returncode, "No such file" in done.stderr) == (2, True)
    code, printed = run("export", str(made), "--to", "minizinc", "-o", str(tmp_path / "out"))
    assert code == 0
    assert printed.split() == [str(tmp_path / "out.mzn"), str(tmp_path / "out.dzn")]
    (again,) = parse((tmp_path / "out.dzn").read_text(), "out")
    (level,) = parse(made.read_text(), "made")
    assert isinstance(again, Level)
    assert isinstance(level, Level)
    assert again.tiles == level.tiles
    for form in ("aiger", "smv"):
        assert run("export", str(made), "--to", form, "-o", str(tmp_path / "model"))[0] == 0
    code, printed = run("export", str(made), "--to", "pddl", "-o", str(tmp_path / "model"))
    assert code == 2
    assert "one initial state" in printed.replace("\n", " ")
    room = tmp_path / "room.xsb"
    room.write_text("#####\n#@$.#\n#####\n")
    assert run("export", str(room), "--to", "minizinc", "-o", str(tmp_path / "out"))[0] == 2


@settings(max_examples=100)
@given(level=squares(most=3))
def test_written_levels_can_be_read_back(level: Level) -> None:
    assert parse(draw(level), "x") == [level]
    named = replace(level, title="A title", author="Somebody")
    assert parse("\n\n".join([draw(named), "% more", draw(level)]), "x") == [named, level]


def test_the_check_of_a_constraint_refuses_exactly_the_wrong_boards() -> None:
    """For every order of the tiles of some squares: the check accepts exactly the boards that steps can build."""
    right = wrong = 0
    for seed in range(8):
        level = random_level(2, 3, random.Random(seed))
        built = {RULES.rules.start(level)}
        for _ in range(4):
            built = {step.position for board in built for step in RULES.rules.steps(level, board)}  # type: ignore[arg-type]
        for order in permutations(range(1, 5)):
            trace = [str(tile) for tile in order]
            if order in built:
                right += 1
                assert RULES.replay(level, trace).positions == (order,)
            else:
                wrong += 1
                with pytest.raises(Refuted, match="does not fit the tiles beside it"):
                    RULES.replay(level, trace)
    assert right >= 8
    assert wrong >= 100
    level = random_level(2, 3, random.Random(0))
    for trace in (["1", "2", "3"], ["1", "1", "2", "3"], ["1", "2", "3", "5"], ["1", "2", "3", "x"]):
        with pytest.raises(Refuted, match="expected each tile once, from 1 to 4"):
            RULES.replay(level, trace)
