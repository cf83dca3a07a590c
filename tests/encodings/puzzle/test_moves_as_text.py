"""Moves as text: what `joined` writes, `words` reads."""

from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.encodings.puzzle.text import joined, words

NAMES = st.text("ab1(),- ", min_size=1, max_size=6).map(str.strip).filter(bool)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_names_with_and_without_blanks_are_read_again(moves: list[str]) -> None:
    assert [move.name for move in words(joined(moves), "file")] == moves


def test_a_move_has_its_line_and_column() -> None:
    assert words("fill 1;  pour 2\nempty", "file", 7) == [("fill 1", 7, 1), ("pour 2", 7, 10), ("empty", 8, 1)]
    assert words(" u  d\nr", "file", 7) == [("u", 7, 2), ("d", 7, 5), ("r", 8, 1)]
    assert joined("uldr") == "uldr"
