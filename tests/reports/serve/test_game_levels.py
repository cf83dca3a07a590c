"""The levels of a game are changed in its text like those of a collection."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from examples import examples
from puzzlemc.reports.serve.levels import SOURCE, Block, Parts, alone, block, meaning, removed, replaced, swapped
from puzzlemc.screens import puzzlescript
from puzzlemc.screens.base.part import Part

THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text()
SCREEN = puzzlescript


def read(lines: list[str]) -> Parts:
    return list(SCREEN.cut("\n".join(lines), SOURCE))


def blocks(lines: list[str]) -> list[Block]:
    parts = read(lines)
    found = [block(SCREEN, lines, parts, number) for number in range(len(parts))]
    assert None not in found
    return [each for each in found if each is not None]


def texts(lines: list[str]) -> list[str]:
    return [each.text for each in blocks(lines)]


@settings(max_examples=examples(15, 60))
@given(st.data())
def test_levels_are_swapped_removed_and_replaced_with_their_messages(data: st.DataObject) -> None:
    lines = THAW.split("\n")
    first, second = sorted(data.draw(st.sets(st.integers(0, 14), min_size=2, max_size=2)))
    found = blocks(lines)
    before = texts(lines)

    swap = list(before)
    swap[first], swap[second] = before[second], before[first]
    assert texts(swapped(lines, found[first], found[second])) == swap

    assert texts(removed(lines, found[first])) == before[:first] + before[first + 1 :]

    new = "message Another one (1)\n(not drawn yet)\n\n####\n#P.#\n####"
    after = replaced(lines, found[second], new)
    assert texts(after) == [*before[:second], new, *before[second + 1 :]]
    assert [meaning(each)[1] for each in read(after)][second] == "Another one (1)"
    assert "\n".join(replaced(after, blocks(after)[second], before[second])) == THAW


def test_a_level_means_the_same_at_another_place_and_not_with_another_title() -> None:
    lines = THAW.split("\n")
    found, parts = blocks(lines), read(lines)
    moved = read(swapped(lines, found[0], found[1]))
    assert [meaning(each) for each in moved[:2]] == [meaning(parts[1]), meaning(parts[0])]
    titled = read(replaced(lines, found[2], found[2].text.replace("message The", "message A")))
    assert meaning(titled[2]) != meaning(parts[2])
    assert [meaning(each) for each in titled[3:]] == [meaning(each) for each in parts[3:]]


@pytest.mark.parametrize(
    ("text", "count"),
    [("message New\n\n###\n#P#\n###", 1), ("#P#\n\n#P#", 2), ("message Only words", 0), ("(#P#", 0)],
)
def test_the_text_of_a_level_is_read_with_the_rules_of_its_game(text: str, count: int) -> None:
    lines = THAW.split("\n")
    found = alone(SCREEN, lines, read(lines), text)
    assert sum(isinstance(each, Part) for each in found) == count
    if count == 1:
        assert meaning(found[0])[:2] == (text, "New")
