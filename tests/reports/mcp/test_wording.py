"""Messages of the command line reach a client without options that it does not have."""

import pytest

from puzzlemc.reports.mcp.wording import sentence, worded
from puzzlemc.reports.solve.chance import NO_STRATEGY
from puzzlemc.reports.solve.odds import NOT_ALMOST

MESSAGES = {
    "found 2, expected --puzzle sokoban or --puzzle folding": "found 2, expected puzzle sokoban or puzzle folding",
    "expected --puzzle a b/own.py": "expected a server that was started with the puzzle of a b/own.py",
    "found q, expected it in domain.pddl, in the parent folder or one beside, or --domain FILE": (
        "found q, expected it in domain.pddl, in the parent folder or one beside"
    ),
    "found a blueprint; `check LEVEL --layout FILE` reads both": "found a blueprint",
    "several outcomes; check, solve and report take that, without --engine": "several outcomes",
    "the moves are its longest play; it is long, but --certificate writes it": "the moves are its longest play",
    "a\nb; --json lists them; c": "a\nb; c",
    NO_STRATEGY: NO_STRATEGY.replace("--chance", "chance"),
    NOT_ALMOST: NOT_ALMOST.replace("--chance", "chance"),
    "a -- b---c, or d-e--f": "a -- b---c, or d-e--f",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_a_sentence_names_arguments_and_no_other_options(message: str) -> None:
    assert sentence(message) == MESSAGES[message]


def test_levels_and_drawings_stay_as_they_are() -> None:
    text = "#--puzzle x; --layout y"
    found = worded({"text": text, "levels": [{"drawing": text, "words": ["a; --layout"]}], "note": None})
    assert found == {"text": text, "levels": [{"drawing": text, "words": ["a"]}], "note": None}
