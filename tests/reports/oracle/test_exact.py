"""Exact oracles of many levels: each reader, on every position, against the plain rules."""

import re
from pathlib import Path
from random import Random

import pytest
from oracle_readers import READERS, Reader, answers, keys_file
from plain_positions import Searched, searched

from puzzlemc.encodings.puzzle.keys import Keys
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.oracle.exact import exact
from puzzlemc.reports.oracle.export import write_oracle
from puzzlemc.reports.oracle.keys import keys_of
from puzzlemc.reports.positions.explored import Explored, explored

ROOT = Path(__file__).parents[3]
LINES = 150
Answers = list[tuple[str, ...]]


def by_rules(of: Searched) -> Answers:
    """The right answer for each position."""
    found: Answers = []
    for position, holds in enumerate(of.solved):
        if position not in of.least:
            found.append(("lost",))
        elif holds:
            found.append(("solved", "0"))
        else:
            found.append(("open", str(of.least[position][0]), *of.best(position)))
    return found


def written(folder: Path, level: Explored) -> tuple[tuple[Path, Path], list[str], Answers]:
    """The files of a level for readers, its keys, and the right answers."""
    keys, of = keys_of(level.puzzle), searched(level.puzzle, level.level, level.metric)
    texts = [keys.of(level.level, position) for position in of.number]
    place = folder / f"{len(list(folder.iterdir()))}.oracle"
    place.write_bytes(exact(level, keys).written())
    return (keys_file(place.with_suffix(".keys"), texts), place), texts, by_rules(of)


def test_every_position_of_many_levels(small: list[Explored], asked: list[Reader], tmp_path: Path) -> None:
    made = [written(tmp_path, level) for level in small]
    counts = {"lost": 0, "solved": 0, "open": 0}
    for reader in asked:
        found = reader.ask([files for files, _, _ in made])
        for text, level, (_, keys, right) in zip(found, small, made, strict=True):
            head, said = answers(text)
            assert head == ["exact", level.puzzle.name, level.metric, keys[0]]
            assert said == right, (reader.language, level.puzzle.name)
            for status, *_ in said:
                counts[status] += 1
    assert len({level.puzzle.name for level in small}) >= 8
    assert min(counts.values()) > 100 * len(asked)


def test_positions_of_other_levels_are_unknown(small: list[Explored], asked: list[Reader], tmp_path: Path) -> None:
    levels = [level for level in small if level.puzzle.name == "sokoban"]
    (_, place), keys, _ = written(tmp_path, max(levels, key=len))
    random = Random(7)
    other = sorted({" ".join(str(random.randrange(400)) for _ in range(4)) for _ in range(5000)} - {*keys})
    files = keys_file(tmp_path / "other.keys", ["", "x", "é", *other]), place
    said = {tuple(answers(reader.ask([files])[0])[1]) for reader in asked}
    assert len(said) == 1  # all readers say the same, also where a fingerprint fits by chance
    (found,) = said
    assert sum(answer == ("unknown",) for answer in found) > len(found) - 5


def test_metrics_differ(asked: list[Reader], tmp_path: Path) -> None:
    (entry,) = load(str(ROOT / "screens/levels/sokoban/first_steps.xsb#4"))
    budget = Budget(Limits(None, GIB))
    made = [written(tmp_path, explored(entry, metric, budget)) for metric in ("pushes", "moves", "any")]
    for reader in asked:
        for text, (_, _, right) in zip(reader.ask([files for files, _, _ in made]), made, strict=True):
            assert answers(text)[1] == right
    assert made[0][2] != made[1][2] == made[2][2]


def test_equal_keys_are_refused(small: list[Explored]) -> None:
    with pytest.raises(ModelError, match="two positions with the same key"):
        exact(next(level for level in small if level.solved.any()), Keys(lambda *_: "same"))


def test_readers_are_short() -> None:
    for reader in READERS.iterdir():
        assert len(reader.read_text("utf-8").splitlines()) <= LINES, reader.name


def test_a_position_takes_few_bytes(tmp_path: Path) -> None:
    (entry,) = load(str(ROOT / "screens/levels/sokoban/first_steps.xsb#6"))
    place = tmp_path / "level.oracle"
    assert write_oracle(entry, "pushes", place, None, None, 4.0).paths == (place,)
    assert place.stat().st_size < 2.6 * positions(entry)


def positions(entry: Entry) -> int:
    """The number of positions of a level."""
    return len(explored(entry, "pushes", Budget()))


def test_the_documented_numbers_are_those_of_the_program() -> None:
    from puzzlemc.reports.oracle import exact as module
    from puzzlemc.reports.oracle import file

    page = (ROOT / "docs" / "oracle.md").read_text("utf-8")
    assert " ".join(f"{octet:02x}" for octet in file.MAGIC) in page
    assert f"{module.FINGERPRINT} bits" in page
    assert re.search(r"version.*\b1\b", page)
    assert file.VERSION == 1
