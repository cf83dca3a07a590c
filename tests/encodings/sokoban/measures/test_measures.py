"""The measures of levels of Sokoban agree with their definitions by the plain rules."""

from collections import Counter

import numpy as np
import plain_measures
import pytest
from small_rooms import crowd, level_of

from examples import examples
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.measures import measure as measuring
from puzzlemc.encodings.sokoban.measures.measure import MEASURES, measure
from puzzlemc.encodings.sokoban.measures.push_graph import push_graph
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.sokoban import Level

OF_SOLUTIONS = {"boxes_pushed", "box_changes", "solution_sets", "solution_orders", "counter_intuitive"}
MOST = 150  # positions of a level that is measured from definitions
TWO_PUSHES = level_of("##########", "#    @   #", "# $.  .$ #", "#        #", "#        #", "##########")
TWO_WAYS = level_of("########", "#@     #", "# $  . #", "# $  . #", "#      #", "########")


def test_measures_are_what_their_definitions_say() -> None:
    seen = Counter[str]()
    for seed in range(examples(90, 600)):
        level = plain_measures.random_level(seed)
        plain = plain_measures.Plain(level)
        if len(plain.pushes) > MOST:
            seen["large"] += 1
            continue
        try:
            expected = plain.measures()
        except plain_measures.TooManySolutions:
            seen["many"] += 1
            continue
        assert measure(level, Budget()) == pytest.approx(expected, rel=1e-5), (seed, level.rows)
        if "box_changes" not in expected:
            seen["unsolvable"] += 1
            continue
        seen.update(["solvable", *(name for name, value in expected.items() if value)])
        seen["several sets"] += expected["solution_sets"] > 1
        seen["several orders"] += expected["solution_orders"] > expected["solution_sets"]
        seen["idle boxes"] += 0 < expected["boxes_pushed"] < len(level.start.boxes)
        seen["detours"] += expected["decomposition"] < expected["box_changes"] + 1
        seen["retries"] += expected["random_player"] > 5 * plain.left[plain.start]
    assert seen["large"] + seen["many"] < sum(seen[each] for each in ("solvable", "unsolvable")) / 3, seen
    few = {"detours": 0, "unnoticed": 3, "idle boxes": 3, "several orders": 3, "retries": 2}
    few |= {"counter_intuitive": 3}
    names = {"solvable", "unsolvable", "several sets", *few, *(each.name for each in MEASURES)}
    assert not {name: seen[name] for name in names if seen[name] < few.get(name, 5)}


def test_a_solved_level_needs_nothing() -> None:
    found = measure(level_of("#####", "#@* #", "#####"), Budget())
    assert {name: found[name] for name in OF_SOLUTIONS} == {
        "boxes_pushed": 0,
        "box_changes": 0,
        "solution_sets": 1,
        "solution_orders": 1,
        "counter_intuitive": 0,
    }
    others = {name: found[name] for name in ("forced_moves", "unnoticed", "decomposition", "random_player")}
    assert not any(others.values())


@pytest.mark.parametrize(
    "rows",
    [
        ("#####", "#@ .#", "#####"),
        ("######", "#@$..#", "######"),
        ("#########", "#@$.#  .#", "#########"),
    ],
    ids=["no box", "too few boxes", "a goal out of reach"],
)
def test_levels_that_cannot_be_solved_have_no_measures_of_solutions(rows: tuple[str, ...]) -> None:
    assert not OF_SOLUTIONS & measure(level_of(*rows), Budget()).keys()


def test_asked_for_some_it_gives_these() -> None:
    found = measure(TWO_WAYS, Budget(), ["box_changes", "lost_share"])
    assert list(found) == ["box_changes", "lost_share"]
    full = measure(TWO_WAYS, Budget())
    assert list(full) == [each.name for each in MEASURES if each.name in full]


def test_limits_leave_measures_out() -> None:
    assert measure(crowd(), Budget(Limits(seconds=0.2))) == {}
    assert measure(crowd(), Budget(Limits(memory=1 << 20))).keys() <= OF_SOLUTIONS


def test_a_floor_of_too_many_cells_is_not_measured() -> None:
    side = 182  # 33,124 cells
    level = level_of(
        "#" * (side + 2), f"#@$.{' ' * (side - 3)}#", *[f"#{' ' * side}#"] * (side - 1), "#" * (side + 2)
    )
    assert measure(level, Budget()) == {}


@pytest.mark.parametrize(("level", "most", "reached"), [(TWO_PUSHES, 200, True), (TWO_WAYS, 60, False)])
def test_shortest_solutions_are_known_though_not_all_positions_are(
    level: Level, most: int, reached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    some, full = push_graph(level, Budget(), most), measure(level, Budget())
    assert some is not None
    assert not some.complete
    assert some.is_solvable == reached
    assert "lost_share" in full
    monkeypatch.setattr(measuring, "push_graph", lambda level, budget: some)
    found = measure(level, Budget())
    assert found == {name: value for name, value in full.items() if name in OF_SOLUTIONS}
    assert found["solution_orders"] > 1


def test_more_variants_than_the_limit_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "MOST_VARIANTS", 3)
    found = measure(TWO_WAYS, Budget())
    assert "box_changes" in found
    assert not {"solution_sets", "boxes_pushed"} & found.keys()


def test_sets_are_the_same_from_the_end() -> None:
    for seed in range(examples(30, 90)):
        level = plain_measures.random_level(seed)
        graph = push_graph(level, Budget())
        if graph is None or graph.solutions is None or len(level.goals) < len(level.start.boxes):
            continue
        solvable = positions.backward(graph.near, graph.goals.tolist(), 1 << 20)
        start = positions.number_of(solvable, graph.packed[0])
        expected = measure(level, Budget(), ["solution_sets"])["solution_sets"]
        assert positions.solution_sets(graph.near, solvable, start, 1 << 20) == expected


def test_edges_are_the_pushes_of_the_plain_rules() -> None:
    for seed in range(examples(12, 60)):
        level = plain_measures.random_level(seed)
        graph, plain = push_graph(level, Budget()), plain_measures.Plain(level)
        assert graph is not None
        assert len(graph.packed) == len(plain.pushes)
        assert len(graph.targets) == sum(map(len, plain.pushes.values()))
        assert np.diff(graph.first).max() == max(map(len, plain.pushes.values()))
