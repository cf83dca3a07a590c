"""The rules that levels of a build keep, each with what it means and what to do where it is broken."""

from typing import NamedTuple


class Rule(NamedTuple):
    """A rule.

    summary  in one sentence, what is wrong where it is broken
    help     what that means, and what to do
    verdict  the word of `--fail-on` under which a broken rule fails a build; empty: a remark, which never does
    broken   in JUnit, an error, and not a failure: the level was not judged
    """

    summary: str
    help: str
    verdict: str
    broken: bool = False


UNSOLVABLE, UNKNOWN, CHANGED, BAD_INPUT = "unsolvable", "unknown", "changed", "bad-input"
WRONG_SOLUTION, NO_CERTIFICATE, REFUTED, REMARK = "wrong-solution", "no-certificate", "refuted", "remark"
ALWAYS = "always"  # in the place of a verdict: it fails each build

RULES = {
    UNSOLVABLE: Rule(
        "The level has no solution.",
        "The search has shown that no sequence of moves reaches the goal. `puzzlemc check LEVEL --why` shows the "
        "smallest part that already cannot be done, `puzzlemc suggest LEVEL` the smallest changes that help. "
        "A level that is unsolvable on purpose belongs in the file of `puzzlemc batch --expect`.",
        "unsolvable",
    ),
    UNKNOWN: Rule(
        "The level is not decided within its limits.",
        "The search ended at a limit of time or memory, so that the level may be solvable or not. `--timeout` and "
        "`--memory` give larger limits; with `puzzlemc batch`, `--retry unknown` continues. `--fail-on` without "
        "the word `unknown` accepts such levels.",
        "unknown",
    ),
    CHANGED: Rule(
        "The verdict or the cost of the level is not the expected one.",
        "The file of `--expect` has another verdict, or another least cost. If the change is wanted, write the "
        "answers anew: `puzzlemc results STORE --json > expected.json`.",
        "changed",
    ),
    BAD_INPUT: Rule(
        "The level or its file cannot be read.",
        "The message says what was found, and what was expected. `puzzlemc puzzles` lists the puzzles with their "
        "file suffixes; the documentation has a page on the files of levels.",
        "error",
        broken=True,
    ),
    WRONG_SOLUTION: Rule(
        "A solution in the file does not solve its level.",
        "The plain rules followed the moves up to the first one that is illegal, or to the end. `puzzlemc replay "
        "LEVEL` shows each step; `puzzlemc solve LEVEL` finds a solution.",
        "error",
    ),
    NO_CERTIFICATE: Rule(
        "The certificate that was asked for is not there.",
        "The verdict stands, but its certificate was not written. The message says why.",
        "error",
        broken=True,
    ),
    REFUTED: Rule(
        "A check has refuted an answer, or a search has crashed.",
        "This is a bug of puzzlemc, and no fault of the level. Please report it, with the level and the message.",
        ALWAYS,
        broken=True,
    ),
    REMARK: Rule(
        "Something in the text is odd.",
        "It does not keep the level from being read, such as a row that is longer than the others, or a rule of "
        "a game that can never apply.",
        "",
    ),
}
