"""`unique`, `harder`, `longer` and `shorter`: compared with each edit measured by itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest
from wished_levels import NOTHING, asked, level_of, plain_solution, pushes, small_levels

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Numbers
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.changes.changes import CHANGES
from puzzlemc.encodings.sokoban.changes.edits import USUAL, single_edits
from puzzlemc.encodings.sokoban.changes.numbers import numbers as own_numbers
from puzzlemc.encodings.sokoban.measures.measure import measure
from puzzlemc.encodings.sokoban.measures.push_graph import push_graph
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest import suggest as suggesting
from puzzlemc.reports.suggest import words
from puzzlemc.reports.suggest.asked import Asked
from puzzlemc.reports.suggest.better import IN_ORDER, value
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.screens.sokoban import Level, draw

ALLOWED = Allowed(frozenset(USUAL))
NAMES = ("solution_sets", "box_changes", "lost_share")
Known = Mapping[str, Number]


def numbers(level: Level) -> Known | None:
    """The numbers of a level, by plain search and by its own measures; None if it is unsolvable."""
    solution = plain_solution(level, NOTHING)
    if solution is None:
        return None
    placed = len(level.start.boxes & level.goals)
    return {"pushes": pushes(solution), "placed": placed, **measure(level, Budget(), NAMES)}


def singles(level: Level) -> Iterator[tuple[str, Known]]:
    """Each level that a single edit makes, once, as text, with its numbers if it is solvable."""
    seen = {draw(level)}
    for change in single_edits(level, ALLOWED):
        text = draw(change.level)
        if text not in seen:
            seen.add(text)
            found = numbers(change.level)
            if found is not None:
                yield text, found


def levels_of(found: Suggestions) -> set[str]:
    return {each.level for each in found.found}


def test_numbers_of_changed_levels_are_those_of_each_by_itself() -> None:
    """Also of levels with spare boxes, and of unsolvable ones."""
    changes = puzzle("sokoban").changes
    assert changes is not None
    count = 0
    for level in small_levels(1, examples(2, 10), 2):
        measured = changes().numbers
        assert measured is not None
        function = measured(level)
        for change in [Change(level, ()), *single_edits(level, ALLOWED)]:
            found = function(change.level, Budget(), ("pushes", "placed", *NAMES))
            assert found == numbers(change.level), draw(change.level)
            count += found is not None
    assert count > 50


@pytest.mark.parametrize(
    ("want", "reached"),
    [
        ("unique", lambda known: known["solution_sets"] == 1 and known["pushes"] > 0),
        ("longer=4", lambda known: known["pushes"] >= 4),
        ("shorter=1", lambda known: known["pushes"] == 1),
    ],
)
def test_single_edits_that_reach_a_wish(want: str, reached: Callable[[Known], bool]) -> None:
    outcomes = set[int]()
    for level in small_levels(4, examples(6, 40), 2):
        before = numbers(level)
        assert before is not None
        found = asked(level, want, 1)
        assert found.reached == reached(before)
        outcomes |= {found.total or 0}
        if found.reached:
            continue
        right = {text for text, known in singles(level) if reached(known)}
        assert levels_of(found) == right
        assert (found.least, found.total) == ((1, len(right)) if right else (2, None))
        for each in found.found:
            assert each.best
            assert each.result.cost == each.after["pushes"]
            assert each.before == {name: before[name] for name in each.before}
    assert len(outcomes) > 1


@pytest.mark.parametrize(
    ("want", "by", "name", "sign"),
    [
        ("harder", "changes", "box_changes", 1),
        ("harder", "pushes", "pushes", 1),
        ("harder", "lost", "lost_share", 1),
        ("longer", "changes", "pushes", 1),
        ("shorter", "changes", "pushes", -1),
    ],
)
def test_the_best_single_edits(want: str, by: str, name: str, sign: int) -> None:
    improved = 0
    for level in small_levels(8, examples(3, 30), 2):
        before = numbers(level)
        assert before is not None
        found = asked(level, want, 1, by=by)
        right = {
            text: known[name] * sign
            for text, known in singles(level)
            if known["pushes"] >= (before["pushes"] if by == "lost" else 1)
            and known[name] * sign > before[name] * sign
        }
        assert levels_of(found) == {*right}
        if not right:
            assert (found.exit_code, found.least) == (1, 2)
            continue
        improved += 1
        best = max(right.values())
        assert {each.level for each in found.found if each.best} == {t for t, v in right.items() if v == best}
    assert improved


TWO = """#####
#   ##
#@$. #
# $. #
#    #
######
"""


def test_pairs_of_edits_are_found_after_all_single_ones() -> None:
    """All pairs that two edits in a row make, none of which a single edit makes."""
    level = level_of("#####\n#@$.#\n#   #\n#####")
    known = {draw(level): 0}
    layer = [level]
    best = []
    for size in (1, 2):
        after = []
        for each in layer:
            for change in single_edits(each, ALLOWED):
                if draw(change.level) not in known:
                    known[draw(change.level)] = size
                    after.append(change.level)
        layer = after
        best.append(max(pushes(plain_solution(each, NOTHING) or "") for each in layer))
    found = asked(level, "longer", 2)
    sizes = dict[int, Number]()
    for each in found.found:
        sizes[len(each.edits)] = max(sizes.get(len(each.edits), 0), each.after["pushes"])
    assert found.tried >= len(known) - 1
    assert sizes == {
        size: cost for size, cost in zip((1, 2), best, strict=True) if cost > ([1, best[0]][size - 1])
    }
    for each in found.found:
        assert known[each.level] == len(each.edits)


def test_what_is_known_is_said() -> None:
    level = level_of(TWO)
    assert asked(level, "longer", 2).words == (
        "with one edit: 5 pushes; with 2 edits: 7 pushes, the best found",
        IN_ORDER,
    )
    assert asked(level, "shorter=0", 1).words == (
        "no single edit makes the least cost 0 pushes or fewer (65 tried)",
    )
    assert asked(level, "harder", 1).words == ("no single edit does better (65 tried)",)


def test_what_was_not_looked_at_is_not_called_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a few pairs are looked at."""
    monkeypatch.setattr("puzzlemc.reports.suggest.layers.WORK", 5)
    level = level_of(TWO)
    best = asked(level, "longer", 2)
    assert {(len(each.edits), each.best) for each in best.found} >= {(1, True), (2, False)}
    pairs = [each for each in best.found if len(each.edits) == 2]
    assert not any(each.best for each in pairs)
    most = max(each.after["pushes"] for each in pairs)
    assert {each.top for each in pairs} == {True, False}
    assert all(each.top == (each.after["pushes"] == most) for each in pairs)
    shown = "\n".join(words.as_text(best).split("\n")[2:])
    assert shown.count("(the best found)") == sum(each.top for each in pairs)
    open_ = asked(level, "longer=40", 3)
    assert (open_.least, open_.exit_code, open_.total, open_.reached) == (2, 3, None, False)
    assert open_.words[0].endswith(
        "whether a pair of edits makes the least cost 40 pushes or more is not known: not all were tried"
    )


@pytest.mark.parametrize("want", ["longer=1", "longer"])
def test_two_edits_that_are_legal_only_together_are_not_said_not_to_exist(want: str) -> None:
    """The box cannot go onto the player, nor the player onto the box, but both can go: `@$.` has a push."""
    level = level_of("#####\n#$@.#\n#####")
    found = asked(level, want, 2, edits=("boxes", "player"))
    assert (found.found, found.least, found.total, found.exit_code) == ((), 2, None, 3)
    assert IN_ORDER in found.words
    alone = asked(level, want, 1, edits=("boxes", "player"))
    assert (alone.exit_code, IN_ORDER in alone.words) == (1, False)


def test_an_unsolvable_level_is_made_longer_at_once() -> None:
    found = asked(level_of("#######\n#$    #\n#.@   #\n#     #\n#######"), "longer=2", 1)
    assert found.result.verdict == "unsolvable"
    assert found.found
    assert all(each.before == {} and each.result.cost >= 2 for each in found.found)


def test_solutions_that_differ_in_order_alone_are_one_set_of_pushes() -> None:
    both = asked(level_of("########\n#  $. .#\n# @ $  #\n#      #\n########"), "unique", 1)
    assert both.words[0].count("one shortest set of pushes") == 1
    assert words.as_text(both).count("; sets of pushes ") == len(both.found) > 0
    alone = asked(level_of(STRAIGHT), "unique", 1)
    assert alone.words == ("it has one shortest set of pushes already",)


def test_of_an_unsolvable_level_no_change_of_box_is_not_harder() -> None:
    level = level_of("#######\n#$    #\n#@ $. #\n#   . #\n#######")
    assert asked(level, "longer", 1, edits=("drop",)).found
    found = asked(level, "harder", 1, edits=("drop",))
    assert (found.found, found.exit_code) == ((), 1)


def test_one_push_is_the_best_of_all_that_are_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit of the search leaves that open."""
    monkeypatch.setattr("puzzlemc.reports.suggest.layers.WORK", 5)
    level = level_of("#########\n#@$    .#\n#########")
    found = asked(level, "shorter", 2)
    assert found.words == ("with one edit: 1 push; with 2 edits: no better",)
    assert {each.after["pushes"] for each in found.found if each.best} == {1}
    least = asked(level_of("#####\n#@$.#\n#####"), "shorter", 2)
    assert (least.found, least.least, least.exit_code) == ((), 3, 1)


def test_one_solution_of_a_puzzle_that_counts_them() -> None:
    """Single edits, each counted by itself."""
    from puzzlemc.screens import tetravex

    rules = puzzle("tetravex")
    assert rules.changes is not None
    assert rules.counting is not None
    (level,) = tetravex.parse("Tetravex 2\n0 1 0 1\n1 1 0 1\n0 0 1 0\n0 0 1 1\n", "test")
    found = suggest(Entry("board", "", rules, level), Request("unique", most=1, count=500), Options())
    changes = rules.changes()
    right = {
        tetravex.draw(change.level)
        for change in changes.edits(level, Allowed(frozenset(changes.usual or changes.kinds)))
        if rules.counting.count(change.level, Budget()) == 1
    }
    assert {each.level for each in found.found} == right
    assert right
    assert not found.reached


def test_puzzles_without_the_measure_say_so() -> None:
    from puzzlemc.screens import folding

    (level,) = folding.parse("1 0\n", "test")
    entry = Entry("board", "", puzzle("folding"), level)
    with pytest.raises(
        ModelError, match="harder: levels of folding have no measure box_changes, expected by pushes"
    ):
        suggest(entry, Request("harder"), Options())
    found = suggest(entry, Request("longer=2", most=1), Options())
    assert all(each.result.cost >= 2 for each in found.found)


STRAIGHT = "######\n#    #\n#@$. #\n#    #\n######"


def with_numbers(monkeypatch: pytest.MonkeyPatch, function: Callable[[Level, Known | None], Known | None]) -> None:
    """Have the numbers of levels be what a function makes of them."""

    def numbers(start: Level) -> Numbers:
        known = own_numbers(start)
        return lambda level, budget, names: function(level, known(level, budget, names))

    monkeypatch.setattr(suggesting, "changes_of", lambda _: replace(CHANGES, numbers=numbers))


@pytest.mark.parametrize(("want", "hits"), [("longer=2", 7), ("longer=200", 0)])
def test_a_level_without_known_numbers_may_reach_the_wish(
    want: str, hits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = level_of(STRAIGHT)

    def unknown_as_it_is(changed: Level, known: Known | None) -> Known | None:
        if changed is level:
            raise LimitReached("memory")
        return known

    with_numbers(monkeypatch, unknown_as_it_is)
    found = asked(level, want, 1)
    assert len(found.found) == hits
    assert not any(each.best for each in found.found)
    assert (found.least, found.total, found.exit_code) == (0, None, 0 if hits else 3)
    assert ("there may be smaller changes" in found.words[0]) == bool(hits)


@pytest.mark.parametrize("want", ["longer=2", "longer"])
def test_a_changed_level_without_known_numbers_may_do_better(want: str, monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of(STRAIGHT)
    (lost, *_) = (draw(each.level) for each in single_edits(level, ALLOWED))

    def one_is_unknown(changed: Level, known: Known | None) -> Known | None:
        if draw(changed) == lost:
            raise LimitReached("memory")
        return known

    with_numbers(monkeypatch, one_is_unknown)
    found = asked(level, want, 1)
    assert found.found
    assert (found.total, found.reason) == (None, "memory")
    if want == "longer":
        assert not any(each.best for each in found.found)


@pytest.mark.parametrize("optimal", [True, False])
def test_numbers_that_an_engine_contradicts_are_refuted(optimal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solution that is cheaper than the least cost is a contradiction, whatever is proved of it."""
    with_numbers(monkeypatch, lambda _, known: known and {**known, "pushes": value(known, "pushes") + 1})
    solved = Asked.solved

    def maybe_optimal(self: Asked, changed: Level, seconds: float | None = None) -> Result:
        found = solved(self, changed, seconds)
        assert found.solution is not None
        return replace(found, solution=replace(found.solution, optimal=optimal))

    monkeypatch.setattr(Asked, "solved", maybe_optimal)
    with pytest.raises(Refuted, match=r"2 pushes, but 3.* found"):
        asked(level_of(STRAIGHT), "longer=3", 1)


@pytest.mark.parametrize("want", ["longer=2", "longer"])
def test_what_is_not_shown_is_said(want: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level that the search has found, and that an engine does not solve in time."""
    level = level_of(STRAIGHT)
    known = asked(level, want, 1)
    lost, solved = known.found[0].level, Asked.solved

    def undecided(self: Asked, changed: Level, seconds: float | None = None) -> Result:
        found = solved(self, changed, seconds)
        return replace(found, verdict="unknown", solution=None) if self.text(changed) == lost else found

    monkeypatch.setattr(Asked, "solved", undecided)
    found = asked(level, want, 1)
    assert levels_of(found) == levels_of(known) - {lost}
    assert found.words[-1] == "1 of them could not be solved again within the limits, and is not shown"
    assert found.total == known.total


def test_numbers_that_take_too_many_positions_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("##########\n#@$     .#\n##########")
    for name, most in (("MOST_POSITIONS", 3), ("AT_A_TIME", 1)):
        monkeypatch.setattr(f"puzzlemc.encodings.sokoban.changes.numbers.{name}", most)
    with pytest.raises(LimitReached, match="memory"):
        own_numbers(level)(level, Budget(), ["pushes"])


def test_a_level_with_a_spare_box_and_many_positions_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("########\n#@$ $ .#\n#      #\n########")
    assert own_numbers(level)(level, Budget(), ["pushes"])
    module = "puzzlemc.encodings.sokoban.changes.numbers"
    monkeypatch.setattr(f"{module}.push_graph", lambda level, budget: push_graph(level, budget, 3))
    with pytest.raises(LimitReached, match="memory"):
        own_numbers(level)(level, Budget(), ["pushes"])
