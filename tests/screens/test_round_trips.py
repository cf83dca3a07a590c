"""What is written can be read again: random collections of every puzzle, through each pair of its formats."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, fabrik_levels, levels, odd_levels, squares

from puzzlemc.encodings.puzzle.text import nameless
from puzzlemc.encodings.puzzles import load, puzzle, puzzles
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.part import About, Part, Solution

NAMES = st.text("ab 1.,!?()'é日#", max_size=8).map(lambda text: " ".join(text.split()))
LINES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=12),
    st.sampled_from(
        ["Title: a", "Game: Hexoban", "#@$.#", "; 1", "> #####", "rR", "Solution", "***", "#51", "[]U", "", "% c"]
    ),
)
COMMENTS = st.lists(LINES, max_size=4).map(lambda lines: "\n".join(line.rstrip() for line in lines).strip("\n"))
MOVES = st.text("lurdLURD", min_size=1, max_size=90)
TITLES = st.sampled_from(["", "Solution 2", "by Ann", "Spielstand", "Partie 3"])
SOLUTIONS = st.lists(st.builds(Solution, MOVES, TITLES), max_size=3).map(tuple)

Levels = list[tuple[Any, Part]]


@cache
def shipped(name: str) -> Sequence[Any]:
    """The levels of a puzzle that ship, without names."""
    found = load(Path(sokoban.__file__).parents[1] / "levels" / name)
    return [nameless(entry.level) for entry in found if entry.error is None]


def decorated(level: sokoban.Level) -> sokoban.Level:
    """The level with boxes on goals above and below it."""
    (found,) = sokoban.parse(f" *\n***\n{sokoban.draw(level)}\n  *", "x")
    assert isinstance(found, sokoban.Level)
    return found


# Levels of PDDL and PuzzleScript share a domain or a game, so a file holds one of those that ship.
LEVELS: dict[str, st.SearchStrategy[Any]] = {
    "sokoban": st.one_of(levels(), odd_levels(), levels().map(decorated)).map(nameless),
    "folding": boards(),
    "tetravex": squares(),
    "fabrik": fabrik_levels(),
}


@st.composite
def collections(draw: st.DrawFn, name: str, most: int) -> tuple[About, Levels]:
    """A collection with all that a file may say of its levels."""
    about = About(*(draw(NAMES) for _ in range(4)), comment=draw(COMMENTS))
    found: Levels = []
    source = LEVELS[name] if name in LEVELS else st.sampled_from(shipped(name))
    for _ in range(draw(st.integers(1, most))):
        level, title, author = draw(source), draw(NAMES), draw(NAMES) or about.author
        known = [each for each in ("title", "author") if hasattr(level, each)]
        level = replace(level, **{each: {"title": title, "author": author}[each] for each in known})
        found.append((level, Part("", 1, "", title, author, 1, draw(COMMENTS), draw(SOLUTIONS), about)))
    return about, found


def again(name: str, suffix: str, about: About, found: Levels) -> tuple[About, Levels]:
    """The collection after it was written and read."""
    screen = puzzle(name).screen
    read = list(screen.cut(puzzle(name).level_formats[suffix].write(about, found), f"a{suffix}"))
    parts = [part for part in read if isinstance(part, Part)]
    assert len(parts) == len(read) == len(found), read
    return parts[0].about, [(screen.build(part), part) for part in parts]


def contents(name: str, found: Levels) -> list[object]:
    content: Callable[[Any], object] = puzzle(name).text.content or nameless
    return [content(level) for level, _ in found]


def notes(part: Part) -> tuple[object, ...]:
    solutions = [("".join(each.text.split()), each.title) for each in part.solutions]
    return part.title, part.author, part.comment, solutions


SOKOBAN = puzzle("sokoban").level_formats


@pytest.mark.parametrize(("first", "second"), [*product(SOKOBAN, repeat=2)])
@given(collections("sokoban", 3))
def test_collections_of_sokoban_keep_all_through_each_pair_of_formats(
    first: str, second: str, collection: tuple[About, Levels]
) -> None:
    about, found = collection
    once = again("sokoban", first, about, found)
    twice = again("sokoban", second, *once)
    for other_about, other in (once, twice):
        assert [level for level, _ in other] == [level for level, _ in found]
        assert [notes(part) for _, part in other] == [notes(part) for _, part in found]
        assert other_about == about


PAIRS = [
    (name, *pair)
    for name in puzzles()
    if name != "sokoban"
    for pair in product(puzzle(name).level_formats, repeat=2)
]


@pytest.mark.parametrize(("name", "first", "second"), PAIRS)
@given(data=st.data())
def test_levels_keep_their_boards_and_names_through_each_pair_of_formats(
    name: str, first: str, second: str, data: st.DataObject
) -> None:
    formats = [puzzle(name).level_formats[suffix] for suffix in (first, second)]
    many = all(form.many for form in formats) and name not in ("pddl", "puzzlescript")
    about, found = data.draw(collections(name, 3 if many else 1))
    if ".dzn" in (first, second):
        found = [(replace(level, rules="", start=()), part) for level, part in found]  # no games
    once = again(name, first, about, found)
    twice = again(name, second, *once)
    assert contents(name, once[1]) == contents(name, twice[1]) == contents(name, found)
    if {first, second} & {".dzn", ".json"} or name in ("pddl", "puzzlescript"):
        return  # these hold no names and no comments
    for other_about, other in (once, twice):
        assert [notes(part)[:3] for _, part in other] == [notes(part)[:3] for _, part in found]
        assert other_about.comment == about.comment


@pytest.mark.parametrize("suffix", [".fold", ".tetravex", ".fabrik", ".factorio"])
def test_lines_of_comment_belong_to_all_levels_or_to_one(suffix: str) -> None:
    name = {".fold": "folding"}.get(suffix, suffix[1:])
    one, two = (puzzle(name).screen.draw(level) for level in shipped(name)[:2])
    text = f"% About\n%  all\n\n% One\nTitle: One\n{one}\n\n% Two\n%\nTitle: Two\n% two\n{two}\n% End\n"
    first, second = puzzle(name).screen.cut(text, f"a{suffix}")
    assert isinstance(first, Part)
    assert isinstance(second, Part)
    assert (first.title, first.comment, second.title, second.comment) == ("One", "One", "Two", "Two\n\ntwo\nEnd")
    assert first.about.comment == second.about.comment == "About\n all"
    (alone,) = puzzle(name).screen.cut(f"% One\n{one}", f"a{suffix}")
    assert isinstance(alone, Part)
    assert (alone.comment, alone.about) == ("One", About())


def test_a_comment_above_a_problem_is_kept() -> None:
    problem = puzzle("pddl").screen.draw(shipped("pddl")[0])
    (part,) = puzzle("pddl").screen.cut(f"; One\n;  two\n\n;three\n{problem}", "a.pddl")
    assert isinstance(part, Part)
    assert part.comment == "One\n two\n\nthree"
    _, ((_, again_part),) = again("pddl", ".pddl", About(), [(puzzle("pddl").screen.build(part), part)])
    assert again_part.comment == part.comment
