"""How a wish is written."""

import pytest

from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.suggest.request import Request, Wish, cell, parsed


@pytest.mark.parametrize(
    ("want", "wish"),
    [
        ("solvable", Wish("solvable")),
        ("through=3,14", Wish("through", cell=(2, 13))),
        ("longer", Wish("longer")),
        ("longer=20", Wish("longer", number=20)),
        ("intended=3r2U", Wish("intended", text="3r2U")),
        ("intended=a=b", Wish("intended", text="a=b")),
        ("only=3r2U", Wish("only", text="3r2U")),
    ],
)
def test_a_wish_is_read(want: str, wish: Wish) -> None:
    assert parsed(want) == wish


@pytest.mark.parametrize(
    ("want", "message"),
    [
        ("harde", "found the wish 'harde', expected one of solvable, intended=SOLUTION, .*; nearest: harder"),
        ("", "found the wish '', expected one of"),
        ("solvable=3", "found 'solvable=3', expected solvable alone"),
        ("intended", "found 'intended', expected intended=SOLUTION"),
        ("longer=", r"found 'longer=', expected longer\[=N\]"),
        ("longer=x", "longer: found 'x', expected a whole number, such as longer=20"),
        ("longer=-1", "longer: found '-1', expected a whole number"),
        ("through=3", "through: found '3', expected a row and a column from 1, such as 3,4"),
        ("through=0,1", "through: found '0,1', expected a row and a column from 1"),
        ("through=1,2,3", "through: found '1,2,3', expected a row and a column"),
    ],
)
def test_a_wrong_wish_is_refused_in_words(want: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parsed(want)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request(most=0), "most: found 0, expected a number of edits from 1 to 10"),
        (Request(count=0), "count: found 0, expected a number of suggestions from 1"),
        (Request(by="push"), "by: found 'push', expected one of changes, pushes, lost; nearest: pushes"),
    ],
)
def test_a_wrong_request_is_refused_in_words(request_: Request, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        request_.check()


def test_a_cell_counts_from_1_for_people() -> None:
    assert cell(" 10, 1 ", "keep") == (9, 0)
