"""Known words that are like an unknown one, for messages about a word that was mistyped."""

from collections.abc import Callable, Iterable

MOST = 3  # that a message names


def nearest(word: str, known: Iterable[str], compared: Callable[[str], str] = str) -> str:
    """The end of a message: `; nearest: forward`, or nothing if no known word is like it.

    compared  the part of a word that is compared; small and capital letters are equal
    """
    from difflib import get_close_matches  # only for errors: programs that make none need not load it

    by_letters = {compared(each).casefold(): each for each in known}
    found = [by_letters[each] for each in get_close_matches(compared(word).casefold(), by_letters, MOST)]
    return f"; nearest: {', '.join(found)}" if found else ""
