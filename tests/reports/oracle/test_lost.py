"""Oracles with only what proves positions lost: none of these positions has a solution, by an exact oracle."""

from pathlib import Path

import pytest
from oracle_readers import Reader, answers, keys_file

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.astar.dead_patterns import dead_patterns
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.oracle.keys import keys_of
from puzzlemc.reports.oracle.lost import lost_only
from puzzlemc.reports.positions.best_moves import best_moves
from puzzlemc.reports.positions.explored import explored
from puzzlemc.screens.sokoban import parse

ROOT = Path(__file__).parents[3]
SPARE = """\
#######
#     #
# $$  #
# @$ .#
#   . #
#######
"""  # a box more than goals
BLOCKS = """\
########
#    . #
# $$ . #
#@$$ . #
#    . #
########
"""


def entries() -> list[Entry]:
    """Levels whose positions are counted quickly."""
    found = [each for each in load(str(ROOT / "screens/levels/sokoban/first_steps.xsb")) if not each.error]
    puzzle = found[0].puzzle
    return [*found, *(Entry("", "", puzzle, parse(text, "")[0]) for text in (SPARE, BLOCKS))]


def test_no_position_with_a_solution_is_lost(asked: list[Reader], tmp_path: Path) -> None:
    files, starts, right = [], [], []
    for number, entry in enumerate(entries()):
        keys = keys_of(entry.puzzle)
        level = explored(entry, "pushes", Budget())
        oracle = lost_only(entry.puzzle, entry.level, "pushes", keys, Budget(Limits(None, GIB)))
        assert oracle is not None
        place = tmp_path / f"{number}.oracle"
        place.write_bytes(oracle.written())
        texts = [keys.of(entry.level, position) for position in level.positions()]
        files.append((keys_file(place.with_suffix(".keys"), texts), place))
        starts.append(texts[0])
        right.append(best_moves(level).lost.tolist())
    first, *others = [reader.ask(files) for reader in asked]
    assert all(said == first for said in others)
    lost = proved = 0
    for text, start, is_lost in zip(first, starts, right, strict=True):
        head, found = answers(text)
        assert head == ["lost", "sokoban", "pushes", start]
        said = [status == "lost" for status, *_ in found]
        assert all(held for each, held in zip(said, is_lost, strict=True) if each)
        assert {status for status, *_ in found} <= {"lost", "unknown"}
        lost += sum(is_lost)
        proved += sum(said)
    assert proved > 0.8 * lost > 10_000


def test_patterns_have_no_smaller_ones() -> None:
    for entry in entries():
        model = entry.puzzle.encodings["compact"](entry.level).model
        location = model.hints.location
        assert location is not None
        dead = dead_patterns(model, 3, Budget())
        found = {frozenset(objects): where for objects, where in dead.smallest()}
        assert all(where.any() for where in found.values())
        for objects, where in found.items():
            for number in where.nonzero()[0].tolist():
                value = location.values[number]
                here = frozenset(b for b, holds in location.literals(value).items() if holds)
                assert dead.covers(here | objects)
                for b in objects if len(objects) > 1 else ():
                    assert not dead.covers(here | objects - {b})


def test_other_keys_are_unknown(asked: list[Reader], tmp_path: Path) -> None:
    entry = entries()[5]
    oracle = lost_only(entry.puzzle, entry.level, "pushes", keys_of(entry.puzzle), Budget())
    assert oracle is not None
    place = tmp_path / "level.oracle"
    place.write_bytes(oracle.written())
    start = keys_of(entry.puzzle).of(entry.level, entry.level.start)
    player, *boxes = start.split()
    keys = ["", " ", "x", player, f"{start} ", f" {start}", f"{start} 99999", f"{player} {boxes[0]} {boxes[0]}"]
    keys += [
        " ".join([player, *reversed(boxes)]),
        "\u0661 \u0662",
        f"{player} -1 3",
        f"{player} 3 999999",
        "1" * 999,
    ]
    files = keys_file(tmp_path / "level.keys", keys), place
    for reader in asked:
        assert answers(reader.ask([files])[0])[1] == [("unknown",)] * len(keys)


def test_puzzles_without_places_have_none() -> None:
    (entry,) = load(str(ROOT / "screens/levels/folding/first_folds.fold#3"))
    assert lost_only(entry.puzzle, entry.level, "folds", keys_of(entry.puzzle), Budget()) is None


@pytest.mark.corpus
def test_a_solution_of_a_large_level_is_never_lost(asked: list[Reader], tmp_path: Path) -> None:
    levels = load(str(ROOT.parent / "shared/levels/sokoban/boxoban_unfiltered_200.xsb#1-8"))
    files, count = [], 0
    for number, entry in enumerate(levels):
        keys = keys_of(entry.puzzle)
        oracle = lost_only(entry.puzzle, entry.level, "pushes", keys, Budget())
        assert oracle is not None
        place = tmp_path / f"{number}.oracle"
        place.write_bytes(oracle.written())
        moves = solution(entry)
        positions = [entry.level.start, *entry.puzzle.play(entry.level, moves).positions]
        texts = [keys.of(entry.level, position) for position in positions]
        files.append((keys_file(place.with_suffix(".keys"), texts), place))
        count += len(texts)
    assert count > 200
    for reader in asked:
        for text in reader.ask(files):
            assert {status for status, *_ in answers(text)[1]} == {"unknown"}


def solution(entry: Entry) -> list[str]:
    """The moves of a solution."""
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.solve.solve import solve_entry

    result = solve_entry(entry, Options(metric="any"))
    assert result.trace
    return list(result.trace)
