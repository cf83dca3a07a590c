"""Which answers fail a build: the words of `--fail-on`, and the exit code that is left."""

from collections.abc import Iterable, Sequence

from puzzlemc.reports.solve.result import BAD_INPUT, CODES, REFUTED, UNKNOWN, UNSOLVABLE, Result, gravest

WORDS = ("unsolvable", "unknown", "error", "changed")
NONE = "none"  # nothing but a bug fails
EVERY = frozenset(WORDS)

_BY_CODE = {UNSOLVABLE: "unsolvable", UNKNOWN: "unknown", BAD_INPUT: "error"}


class UnknownWord(ValueError):
    """A word that is none of WORDS."""


def words_of(text: str) -> frozenset[str]:
    """The words of a list with commas, such as `unsolvable,error`; `none` for no word. Raises UnknownWord."""
    if text.strip() == NONE:
        return frozenset()
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in WORDS:
            raise UnknownWord(word)
    return frozenset(words)


def code_of(results: Sequence[Result], failing: frozenset[str]) -> int:
    """The exit code of a program that solves these levels, if the words are those of `--fail-on`."""
    codes = (result.exit_code for result in results)
    # That of a level may hide its verdict: an unknown level without its certificate ends with the code of errors.
    return failing_code(codes, failing) or failing_code((CODES[result.verdict] for result in results), failing)


def failing_code(codes: Iterable[int], failing: frozenset[str]) -> int:
    """The gravest exit code of those that fail a build; a refuted answer always does."""
    return gravest(code for code in codes if code == REFUTED or _BY_CODE.get(code) in failing)
