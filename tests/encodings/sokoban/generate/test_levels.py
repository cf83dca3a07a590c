"""Generated Sokoban levels: their statistics agree with the plain rules, and their shape is as required."""

import json
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from command import PROGRAM, as_json, puzzlemc
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from processes import program
from small_rooms import level_of

from examples import examples
from puzzlemc.encodings.puzzle.design.generation import Candidate, GenerationRequest
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, RULES, ahead, hopeless
from puzzlemc.encodings.sokoban.domain.symmetry import canonical
from puzzlemc.encodings.sokoban.generate import levels as generate
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.encodings.sokoban.puzzle import PUZZLE
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.graph.analysis import analyse
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.generate import series
from puzzlemc.reports.generate.series import Series, Tally, generate_series
from puzzlemc.reports.solve.options import Options
from puzzlemc.screens.sokoban import Cell, Level, State, draw, parse

Region = frozenset[State]  # all positions that walks join
PLENTY = 1 << 20
KINDS = [
    GenerationRequest(7, 7, 2, 9, 1, measured=True),
    GenerationRequest(13, 10, 1, 6, 8, measured=True),
    GenerationRequest(8, 6, 1, 3, 2, measured=True),
    GenerationRequest(7, 6, 3, 5, 3, measured=True),
    GenerationRequest(7, 7, 2, 4, 4, unique=True, measured=True),
    GenerationRequest(9, 7, 2, 4, 5, unique=True, measured=True),
    GenerationRequest(7, 7, 2, 5, 9, measured=True, most=9, changes=3, harder=True),
    GenerationRequest(7, 7, 2, 5, 2, measured=True, one_set=True),
    GenerationRequest(7, 7, 2, 4, 6, unsolvable=True, measured=True),
    GenerationRequest(8, 7, 2, 4, 7, unsolvable=True, measured=True),
]


# --- Measures by the plain rules alone


def walks(level: Level, position: State) -> dict[Cell, int]:
    """The length of the shortest walk to each cell that the player reaches."""
    length, waiting = {position.player: 0}, [position]
    for here in waiting:
        for step in RULES.steps(level, here):
            after = step.position
            assert isinstance(after, State)
            if not step.costs["pushes"] and after.player not in length:
                length[after.player] = length[here.player] + 1
                waiting.append(after)
    return length


def region(level: Level, position: State) -> Region:
    """All positions reachable without a push."""
    return frozenset(State(player, position.boxes) for player in walks(level, position))


def pushed(level: Level, where: Region) -> Iterator[tuple[tuple[str, Cell], Region]]:
    """Yield each push as its direction and the cell of the box, and the region after it."""
    for position in where:
        for step in RULES.steps(level, position):
            after = step.position
            assert isinstance(after, State)
            if step.costs["pushes"]:
                yield (step.name, after.player), region(level, after)


def solutions(level: Level) -> tuple[int, int, int] | None:
    """The least number of pushes, the number of solutions with it, and the fewest changes of box in one."""
    start = region(level, level.start)
    ways: Counter[Region] = Counter({start: 1})
    # States of the search: a region, and the cell of the box that was pushed last.
    changes: dict[tuple[Region, Cell | None], int] = {(start, None): 0}
    seen, depth = {start}, 0
    while ways:
        solved = {where for where in ways if RULES.solved(level, next(iter(where)))}
        if solved:
            fewest = min(number for (where, _), number in changes.items() if where in solved)
            return depth, sum(ways[where] for where in solved), fewest
        more: Counter[Region] = Counter()
        least: dict[tuple[Region, Cell | None], int] = {}
        for where, number in ways.items():
            for (name, cell), after in pushed(level, where):
                if after in seen:
                    continue
                more[after] += number
                key = after, ahead(cell, DIRECTIONS[name.lower()])
                for (before, last), so_far in changes.items():
                    if before == where:
                        total = so_far + (last not in (None, cell))
                        least[key] = min(least.get(key, total), total)
        seen |= set(more)
        ways, changes, depth = more, least, depth + 1
    return None


def collections_of_pushes(level: Level) -> int:
    """The number of solutions with the fewest pushes that differ in more than the order of these."""
    ways: dict[Region, set[frozenset[Any]]] = {region(level, level.start): {frozenset()}}
    seen = set(ways)
    while not (solved := [where for where in ways if RULES.solved(level, next(iter(where)))]):
        more: dict[Region, set[frozenset[Any]]] = {}
        for where, before in ways.items():
            for push, after in pushed(level, where):
                if after not in seen:
                    done = [Counter(dict(pushes)) + Counter([push]) for pushes in before]
                    more.setdefault(after, set()).update(frozenset(each.items()) for each in done)
        seen |= set(more)
        ways = more
    return len(set().union(*(ways[where] for where in solved)))


def reachable(level: Level) -> tuple[dict[Region, int], int]:
    """Every reachable region with its least number of pushes, and the number of pushes possible in all of them."""
    depth = {region(level, level.start): 0}
    waiting, edges = list(depth), 0
    for where in waiting:
        for _, after in pushed(level, where):
            edges += 1
            if after not in depth:
                depth[after] = depth[where] + 1
                waiting.append(after)
    return depth, edges


def drawn(wanted: GenerationRequest, many: int) -> list[Candidate]:
    """The first levels of a generation request."""
    found = []
    for number in range(20_000):
        candidate = generate.draw(wanted, number, Budget())
        if candidate is not None:
            found.append(candidate)
            if len(found) == many:
                break
    assert len(found) == many
    return found


# --- The search


@st.composite
def places(draw_from: st.DrawFn) -> Level:
    """Levels of up to fourteen cells in a square with one or two boxes, mostly unlike generated levels."""
    cells = [(row, column) for row in range(1, 5) for column in range(1, 5)]
    floor = sorted(set(cells) - draw_from(st.sets(st.sampled_from(cells), min_size=2, max_size=6)))
    boxes = draw_from(st.integers(1, 2))
    put = draw_from(st.permutations(floor))
    kinds = dict.fromkeys(floor, 0)
    for cell in draw_from(st.permutations(floor))[:boxes]:
        kinds[cell] += 1
    for cell in put[:boxes]:
        kinds[cell] += 2
    kinds[put[boxes]] += 4
    lines = ["".join(" .$*@+"[kinds[r, c]] if (r, c) in kinds else "#" for c in range(6)) for r in range(6)]
    (level,) = parse("\n".join(lines), "drawn")
    assume(isinstance(level, Level) and not hopeless(level))
    assert isinstance(level, Level)
    assume(0 < len(level.start.boxes) == len(level.goals))
    return level


def row_of(level: Level, numbers: dict[Cell, int], where: Region) -> list[int]:
    boxes = sorted(numbers[cell] for cell in next(iter(where)).boxes)
    return [*boxes, min(numbers[position.player] for position in where)]


@settings(max_examples=examples(20, 50))
@given(places(), st.integers(0, PLENTY), st.booleans())
def test_the_searches_agree_with_the_plain_rules(level: Level, number: int, is_solvable: bool) -> None:
    numbers = {cell: number for number, cell in enumerate(level.floor)}
    room = positions.room_of(level.floor)
    goals = [numbers[cell] for cell in sorted(level.goals)]
    back = positions.backward(room, goals, PLENTY)
    if is_solvable:
        *boxes, player = (
            level.floor[cell] for cell in back.packed[-1 - number % (1 + len(back.packed) // 2)].tolist()
        )
        level = replace(level, start=State(player, frozenset(boxes)))
    depth, edges = reachable(level)
    on = positions.forward(room, np.array(row_of(level, numbers, region(level, level.start)), np.int16), PLENTY)
    assert on.complete
    assert back.complete
    assert on.edges == edges
    rows = {tuple(row): int(far) for row, far in zip(on.packed.tolist(), on.depth, strict=True)}
    assert rows == {tuple(row_of(level, numbers, where)): far for where, far in depth.items()}
    expected = solutions(level)
    at = positions.number_of(back, on.packed[0])
    if expected is None:
        assert not is_solvable
        assert at < 0
        assert positions.count_common(back, on) == 0
        return
    changes, line = positions.best_solution(room, back, at)
    assert (int(back.depth[at]), int(back.paths[at]), changes) == expected
    played, last, changed = region(level, level.start), None, 0
    for _, cell, way in line.tolist():
        name = "LURD"[way], level.floor[cell]
        played = dict(pushed(level, played))[name]
        changed += last not in (None, level.floor[cell])
        last = level.floor[room[cell, way]]
    assert RULES.solved(level, next(iter(played)))
    assert (len(line), changed) == (expected[0], expected[2])


@settings(max_examples=15)
@given(places())
def test_the_backward_search_finds_all_solvable_positions(level: Level) -> None:
    """Among all positions, including those that are not reachable from the start."""
    numbers = {cell: number for number, cell in enumerate(level.floor)}
    everywhere = {
        region(level, State(player, frozenset(boxes)))
        for boxes in combinations(level.floor, len(level.goals))
        for player in set(level.floor) - set(boxes)
    }
    after = {where: [then for _, then in pushed(level, where)] for where in everywhere}
    left = {where: 0 for where in everywhere if RULES.solved(level, next(iter(where)))}
    deeper = -1
    while deeper < len(left):
        deeper = len(left)
        farthest = max(left.values(), default=0)
        ends = {where for where, depth in left.items() if depth == farthest}
        left |= {where: farthest + 1 for where in everywhere - left.keys() if not ends.isdisjoint(after[where])}
    goals = [numbers[cell] for cell in sorted(level.goals)]
    back = positions.backward(positions.room_of(level.floor), goals, PLENTY)
    found = {tuple(row): int(depth) for row, depth in zip(back.packed.tolist(), back.depth, strict=True)}
    assert found == {tuple(row_of(level, numbers, where)): depth for where, depth in left.items()}


def test_a_limited_search_keeps_complete_layers() -> None:
    floor = [(row, column) for row in range(1, 6) for column in range(1, 6) if (row, column) != (3, 3)]
    room = positions.room_of(floor)
    whole = positions.backward(room, [6, 8, 20], PLENTY)
    for most in (1, 2, 60, len(whole.packed) // 2, len(whole.packed) - 1):
        cut = positions.backward(room, [6, 8, 20], most)
        assert not cut.complete
        assert len(cut.packed) <= most
        assert np.array_equal(cut.packed, whole.packed[: len(cut.packed)])
        assert np.array_equal(cut.paths, whole.paths[: len(cut.packed)])
        assert len(cut.packed) == 0 or whole.depth[len(cut.packed)] > cut.depth[-1]
        assert positions.count_common(cut, whole) == len(cut.packed)


# --- The levels


@pytest.mark.parametrize("wanted", KINDS, ids=str)
def test_the_measures_of_a_level_are_right(wanted: GenerationRequest) -> None:
    for candidate in drawn(wanted, 3):
        level, measures = candidate.level, candidate.measures
        answer = solutions(level)
        depth, edges = reachable(level)
        alive = sum(solutions(at(level, where)) is not None for where in depth) if len(depth) < 40 else None
        if wanted.unsolvable:
            assert answer is None
            assert candidate.cost is None
            assert measures["farthest"] == max(depth.values()) >= wanted.least
            assert hopeless(level) == ""
            assert measures["dead_share"] == 1
        else:
            assert answer == (candidate.cost, measures["solutions"], measures["box_changes"])
            assert wanted.least <= answer[0] <= (wanted.most or answer[0])
            assert answer[2] >= wanted.changes
            assert answer[1] == 1 or not wanted.unique
            assert measures["solution_sets"] == collections_of_pushes(level)
            assert measures["solution_sets"] == 1 or not wanted.one_set
            found = analyse(compact(level).model, ["pushes"], Budget()).metrics["pushes"].solutions
            assert found is not None
            assert found.count == measures["solutions"]
        assert measures["states"] == len(depth)
        assert measures["branching"] == round(edges / len(depth), 4)
        if alive is not None:
            assert measures["dead_share"] == round(1 - alive / len(depth), 4)


def at(level: Level, where: Region) -> Level:
    assert PUZZLE.starting_at is not None
    changed = PUZZLE.starting_at(level, min(where, key=lambda position: position.player))
    assert isinstance(changed, Level)
    return changed


@pytest.mark.parametrize("wanted", KINDS, ids=str)
def test_levels_have_the_required_shape(wanted: GenerationRequest) -> None:
    for candidate in drawn(wanted, 4):
        level = candidate.level
        floor = frozenset(level.floor)
        assert (len(level.rows), max(map(len, level.rows))) == (wanted.height, wanted.width)
        assert {row for row, _ in floor} == set(range(1, wanted.height - 1))
        assert {column for _, column in floor} == set(range(1, wanted.width - 1))
        assert len(level.start.boxes) == len(level.goals) == wanted.objects
        assert not level.start.boxes & level.goals
        for row, column in floor:
            for high, wide in ((3, 4), (4, 3)):
                hall = {(row + down, column + right) for down in range(high) for right in range(wide)}
                assert not hall <= floor
        squares = [{(r + i, c + j) for i in (0, 1) for j in (0, 1)} for r, c in floor]
        assert len(set().union(*(square for square in squares if square <= floor))) > len(floor) / 2
        assert draw(level) == "\n".join(level.rows)
        if not wanted.unsolvable:
            assert floor <= {(r + i, c + j) for r, c in in_use(level) for i in (-1, 0, 1) for j in (-1, 0, 1)}
        else:
            ever = {cell for where in reachable(level)[0] for cell in next(iter(where)).boxes}
            near = {(r + i, c + j) for r, c in ever for i in range(-2, 3) for j in range(-2, 3)}
            assert floor <= near | {position.player for position in region(level, level.start)}
            for box in level.start.boxes:
                assert any(box not in next(iter(where)).boxes for where in reachable(level)[0])
            choices = [homes(level, box) for box in level.start.boxes]
            assert any(all(map(set.__contains__, choices, order)) for order in permutations(level.goals))


def in_use(level: Level) -> set[Cell]:
    """The cells that player and boxes enter in solutions with the fewest pushes and shortest walks."""
    shortest = solutions(level)
    assert shortest is not None
    layers: list[set[Region]] = [{region(level, level.start)}]
    for _ in range(shortest[0]):
        layers.append({after for where in layers[-1] for _, after in pushed(level, where)})
    live = {where for where in layers[-1] if RULES.solved(level, next(iter(where)))}
    cells = {cell for where in live for cell in next(iter(where)).boxes}
    exits: dict[Region, set[Cell]] = {}
    entries: dict[Region, set[Cell]] = {}
    for layer in reversed(layers[:-1]):
        for where in layer:
            for (name, cell), after in pushed(level, where):
                if after in live:
                    down, right = DIRECTIONS[name.lower()]
                    exits.setdefault(where, set()).add((cell[0] - down, cell[1] - right))
                    entries.setdefault(after, set()).add(cell)
        live = {where for where in layer if where in exits}
    for where, stands in exits.items():
        cells |= next(iter(where)).boxes | stands
        for entry in entries.get(where, ()):
            there = walks(level, State(entry, next(iter(where)).boxes))
            for stand in stands:
                back = walks(level, State(stand, next(iter(where)).boxes))
                cells |= {cell for cell in there if there[cell] + back[cell] == there[stand]}
    return cells


def homes(level: Level, box: Cell) -> set[Cell]:
    """The goals to which the box can be pushed without other boxes."""
    regions, _ = reachable(replace(level, start=State(level.start.player, frozenset([box]))))
    return {cell for where in regions for cell in next(iter(where)).boxes} & level.goals


def test_the_same_seed_gives_the_same_levels() -> None:
    """Levels must not depend on the machine: the expected level is fixed here."""
    wanted = GenerationRequest(7, 7, 2, 10, 1)
    first = drawn(wanted, 1)[0]
    assert "\n".join(first.level.rows) == FIRST
    assert [each.key for each in drawn(wanted, 3)] == [each.key for each in drawn(wanted, 3)]
    assert drawn(GenerationRequest(7, 7, 2, 10, 2), 1)[0].key != first.key


FIRST = """\
#######
#@    #
# # $ #
#   $##
# .  #
##.###
 ###"""


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (GenerationRequest(0, 7, 1), "found a size of 7×0, expected sides from 5 to 30"),
        (GenerationRequest(7, 10_000, 1), "found a size of 10000×7, expected sides from 5 to 30"),
        (GenerationRequest(7, 7, 0), "found 0 boxes, expected 1 to 6 on a board of 7×7"),
        (GenerationRequest(7, 7, 7), "found 7 boxes, expected 1 to 6 on a board of 7×7"),
        (GenerationRequest(7, 7, 2, 0), "found at least 0 pushes, expected 1 or more"),
        (
            GenerationRequest(7, 7, 2, unique=True, unsolvable=True),
            "found both unique and unsolvable, expected one of them",
        ),
        (
            GenerationRequest(7, 7, 2, unsolvable=True, harder=True),
            "found unsolvable and wishes about the solution, expected one of them",
        ),
        (
            GenerationRequest(7, 7, 2, 9, most=8),
            "found at least 9 and at most 8 pushes, expected a most of 9 or more",
        ),
        (GenerationRequest(7, 7, 1, changes=1), "found at least 1 change of box, expected 2 boxes or more"),
        (
            GenerationRequest(7, 7, 2, most=5, changes=5),
            "found at least 5 changes of box in at most 5 pushes, expected fewer",
        ),
        (GenerationRequest(7, 7, 2, changes=-1), "found at least -1 changes of box, expected 0 or more"),
    ],
)
def test_invalid_requests_are_refused(wanted: GenerationRequest, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        generate.check(wanted)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("width", "height", "boxes"), [(5, 5, 1), (5, 5, 2), (30, 5, 18), (14, 14, 36), (30, 30, 2)]
)
def test_generation_ends_for_extreme_sizes(width: int, height: int, boxes: int) -> None:
    wanted = GenerationRequest(width, height, boxes)
    generate.check(wanted)
    for number in range(3):
        candidate = generate.draw(wanted, number, Budget())
        assert candidate is None or len(candidate.level.goals) == boxes


def test_bipartite_matchings_are_largest() -> None:
    assert generate._is_matched([{1, 2}, {1}, {2, 3}])
    assert not generate._is_matched([{1, 2}, {1, 2}, {1, 2}])
    assert not generate._is_matched([set()])
    choice = random.Random(1)
    for _ in range(200):
        choices = [{choice.randrange(4) for _ in range(choice.randrange(4))} for _ in range(3)]
        own = any(len({a, b, c}) == 3 for a in choices[0] for b in choices[1] for c in choices[2])
        assert generate._is_matched(choices) == own


# --- Symmetry


def turned(level: Level) -> list[Level]:
    """The eight rotations and reflections of the level."""
    width = max(map(len, level.rows))
    rows = [row.ljust(width) for row in level.rows]
    found = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        found += [rows, [row[::-1] for row in rows]]
    return [level_of(*lines) for lines in found]


@given(places(), places())
def test_symmetric_levels_have_the_same_form(level: Level, other: Level) -> None:
    forms = {canonical(each) for each in turned(level)}
    assert forms == {canonical(level)}

    def kinds(each: Level) -> set[tuple[Cell, bool, bool, bool]]:
        top, left = min(row for row, _ in each.floor), min(column for _, column in each.floor)
        return {
            ((r - top, c - left), (r, c) in each.goals, (r, c) in each.start.boxes, (r, c) == each.start.player)
            for r, c in each.floor
        }

    same = any(kinds(each) == kinds(level) for each in turned(other))
    assert (canonical(level) == canonical(other)) == same


def test_more_changes_of_box_are_preferred_to_more_pushes_if_levels_shall_be_harder() -> None:
    wanted = GenerationRequest(8, 8, 3, 8, 0)

    def mean(request: GenerationRequest) -> float:
        found = [generate.draw(request, number, Budget()) for number in range(120)]
        changes = [cast(int, each.measures["box_changes"]) for each in found if each is not None]
        assert len(changes) >= 8
        return sum(changes) / len(changes)

    assert mean(replace(wanted, harder=True)) > mean(wanted) + 1


def test_different_levels_have_different_forms() -> None:
    texts = [
        "#####\n#@$.#\n#####",
        "######\n#@$. #\n######",
        "#####\n#.$@#\n#####",
        "#####\n#@.$#\n#####",
        "#####\n#+$ #\n#####",
    ]
    forms = [canonical(level_of(text)) for text in texts]
    assert forms[0] == forms[2]
    assert len(set(forms)) == 4
    assert canonical(level_of("  #######\n  ##@$.##*#\n  #######")) == forms[0]
    assert canonical(level_of("#######\n#@$.#.#\n#######")) not in forms


# --- Many levels


def made(wanted: GenerationRequest, count: int, workers: int, tally: Tally | None = None) -> list[Any]:
    return list(
        generate_series(Series("sokoban", wanted, Options(timeout=60)), count, tally or Tally(), workers=workers)
    )


COPIED = examples(40, 60)  # levels, among which some are drawn twice


def test_levels_do_not_depend_on_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = GenerationRequest(6, 6, 1, 2, 1)
    tally = Tally()
    one = made(wanted, COPIED, 1, tally)
    monkeypatch.setattr(series, "CHUNK_SECONDS", 0.02)
    other = Tally()
    assert [each.text for each in one] == [each.text for each in made(wanted, COPIED, 3, other)]
    assert tally.copies == other.copies > 0, "no level was drawn twice: the test shows nothing"
    forms = set[frozenset[str]]()
    for each in one:
        level = level_of(each.text)
        assert each.result.checked
        assert each.result.cost == each.result.costs["pushes"]
        where = region(level, level.start)
        alike = frozenset(
            canonical(PUZZLE.starting_at(level, State(position.player, level.start.boxes)))
            for position in where  # type: ignore[misc]
        )
        assert not any(alike & form for form in forms)
        forms.add(alike)


def test_generation_stops_after_many_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The level after which it stops does not depend on the number of draws in a chunk."""
    monkeypatch.setattr(series, "IN_VAIN", 60)
    found = []
    for seconds in (100, 1e-6):
        monkeypatch.setattr(series, "CHUNK_SECONDS", seconds)
        tally = Tally()
        found.append([each.text for each in made(GenerationRequest(6, 6, 1, 4, 1), 1000, 1, tally)])
        assert tally.stopped == "no new level among 60 draws"
    assert found[0] == found[1]
    assert len(found[0]) == 11
    assert made(GenerationRequest(6, 6, 1, 1000, 1), 3, 1) == []


def test_a_contradicting_engine_ends_generation() -> None:
    wanted = GenerationRequest(7, 7, 2, 4, 1)
    candidate = drawn(wanted, 1)[0]
    assert candidate.cost is not None
    good = series._confirmed(Series("sokoban", wanted), 7, candidate)
    assert good is not None
    assert good.result.cost == candidate.cost
    for cost in (candidate.cost + 1, None):
        wrong = Candidate(candidate.level, candidate.key, cost, {})
        with pytest.raises(Refuted, match="is found to be"):
            series._confirmed(Series("sokoban", wanted), 7, wrong)
    assert series._confirmed(Series("sokoban", wanted, Options(timeout=1e-9)), 7, candidate) is None


# --- The command


def test_the_command_generates_levels(tmp_path: Path) -> None:
    asked = ("generate", "sokoban", "--size", "7x8", "--boxes", "2", "--count", "3", "--seed", "5")
    path = tmp_path / "made.xsb"
    done = puzzlemc(*asked, "-o", path, "--certificate", tmp_path / "proofs")
    assert (done.returncode, done.stdout) == (0, "")
    assert "3 levels; pushes " in done.stderr
    code, rows = as_json(*asked)
    assert code == 0
    levels = parse(path.read_text(), "made.xsb")
    assert [row["level"].split("\nTitle")[0] for row in rows] == [
        "\n".join(level.rows) for level in levels if isinstance(level, Level)
    ]
    code, solved = as_json("solve", path)
    for row, again in zip(rows, solved, strict=True):
        assert again["cost"] == row["pushes"] >= 8
        assert row["title"] == again["title"]
        assert {"solutions", "box_changes", "states", "dead_share", "branching"} <= row.keys()
    done = puzzlemc("verify", *sorted((tmp_path / "proofs").iterdir()), "--level", path)
    assert done.returncode == 0
    assert "3 of 3 valid" in done.stdout
    done = puzzlemc(*asked, "-o", path, "--json", "--quiet", "--jobs", "1")
    assert [json.loads(line)["level"] for line in done.stdout.splitlines()] == [row["level"] for row in rows]
    assert len(parse(path.read_text(), "made.xsb")) == 3
    assert done.stderr == ""


def test_the_command_takes_wishes() -> None:
    wishes = ["--want", "unique", "--want", "harder", "--want", "shorter=9", "--min-changes", "2"]
    code, rows = as_json("generate", "sokoban", "--size", "7x7", "--boxes", "2", "--count", "3", *wishes)
    assert code == 0
    assert len(rows) == 3
    for row in rows:
        (level,) = parse(row["level"], "made")
        assert row["cost"] <= 9  # at least 8 without the wish
        assert row["box_changes"] >= 2
        assert row["solution_sets"] == collections_of_pushes(level) == 1


def test_the_command_generates_unsolvable_levels() -> None:
    code, rows = as_json(
        "generate", "sokoban", "--size", "7x7", "--boxes", "2", "--unsolvable", "--min-pushes", "5"
    )
    assert code == 0
    (row,) = rows
    assert (row["verdict"], row["cost"]) == ("unsolvable", None)
    assert row["farthest"] >= 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("sokoban --size 0x7", "expected sides from 5 to 30"),
        ("sokoban --size 10000x10000", "expected sides from 5 to 30"),
        ("sokoban --size 7y7", "Invalid value for --size: found '7y7', expected ROWS or ROWSxCOLUMNS"),
        ("sokoban --boxes 400", "found 400 boxes, expected 1 to 12 on a board of 9×9"),
        ("sokoban --colours 3", "Invalid value for --colours: not an option for sokoban"),
        ("sokoban --unique --unsolvable", "found both unique and unsolvable"),
        ("sokoban --want lean", "found the wish 'lean', expected one of unique, harder, longer=N, shorter=N"),
        ("sokoban --want longer", "found the wish 'longer', expected one of unique"),
        ("sokoban --want longer=9 --want shorter=8", "found at least 9 and at most 8 pushes"),
        ("tetravex --want harder", "found the wish 'harder', expected unique"),
        ("sokoban --min-changes 4 --unsolvable", "found unsolvable and wishes about the solution"),
        ("tetravex --min-changes 4", "Invalid value for --min-changes: not an option for tetravex"),
        ("sokoban --count 0", "--count"),
        ("tetravex --boxes 3", "Invalid value for --boxes: not an option for tetravex"),
        ("folding --unsolvable", "Invalid value for --unsolvable: not an option for folding"),
        ("tetravex --json", "Invalid value for --json: not an option for tetravex"),
    ],
)
def test_invalid_options_are_refused(words: str, message: str) -> None:
    done = puzzlemc("generate", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert message in line


def test_the_command_reports_too_few_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "IN_VAIN", 200)
    path = tmp_path / "made.xsb"
    asked = "generate sokoban --size 6x6 --boxes 1 --min-pushes 3 --count 100000"
    done = puzzlemc(*asked.split(), "-o", path)
    assert done.returncode == 3
    found = len(parse(path.read_text(), "a"))
    assert f"{found} of 100000 levels were found: no new level among 200 draws" in done.stderr
    assert found > 1


def test_the_command_respects_its_time_limit() -> None:
    asked = "generate sokoban --size 9x9 --boxes 3 --min-pushes 1000 --timeout 1 --quiet"
    done = puzzlemc(*asked.split())
    assert (done.returncode, done.stdout) == (3, "")
    # On a busy machine a single draw may take as long.
    assert done.stderr in {
        "0 of 1 levels were found: no new level within 1 s\n",
        "0 of 1 levels were found: a draw came to its limit: timeout\n",
    }


def test_ctrl_c_keeps_the_levels_found_so_far(tmp_path: Path) -> None:
    path = tmp_path / "made.xsb"
    asked = ["generate", "sokoban", "--size", "7x7", "--boxes", "2", "--count", "100000", "-o"]
    with program([*PROGRAM, *asked, path], stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + 120
        while time.monotonic() < until and not (path.exists() and path.stat().st_size > 1000):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    levels = parse(path.read_text(), "a")
    assert all(isinstance(level, Level) for level in levels)
    assert f"interrupted after {len(levels)} of 100000 levels" in errors


def test_the_time_limit_does_not_wait_for_a_draw() -> None:
    """The limit also holds during a long chunk of draws without a level."""
    wanted, tally, many = GenerationRequest(8, 8, 1, 4, 0, False, False), Tally(), iter(range(1000))
    ended = threading.Event()

    def draw() -> tuple[float, list[object]]:
        ended.wait(0.01 if next(many) < 1 else 60)
        return 0.01, []

    began = time.monotonic()
    threads = ThreadPoolExecutor(1)
    pool = SimpleNamespace(size=1, submit=lambda *_: threads.submit(draw))
    made = series._generated(Series("sokoban", wanted, Options(timeout=0.5)), 1, tally, pool)
    levels, seconds = list(made), time.monotonic() - began
    ended.set()
    assert levels == []
    assert seconds < 30
    assert tally.stopped == "no new level within 0.5 s"
    threads.shutdown(wait=False, cancel_futures=True)
