"""From the answer for a level to its findings."""

from collections.abc import Iterator, Sequence

from puzzlemc.reports.findings.at import Extent, Place, fault, member, placed
from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.findings.rules import (
    ALWAYS,
    BAD_INPUT,
    CHANGED,
    NO_CERTIFICATE,
    REFUTED,
    REMARK,
    RULES,
    UNKNOWN,
    UNSOLVABLE,
    WRONG_SOLUTION,
)
from puzzlemc.reports.output.words import no_solution_below
from puzzlemc.reports.solve import result as codes
from puzzlemc.reports.solve.options import ALMOST, CHANCES, SURELY
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.selection import SIGN

# What there is not, by the question about chance.
_NONE = {SURELY: "no strategy wins whatever is drawn", ALMOST: "no strategy wins with probability 1"}

OTHERS = "names"  # the suite of what is no level of a file


def case_of(
    result: Result,
    extent: Extent | None,
    failing: frozenset[str],
    *,
    change: str | None = None,
    kept: bool = False,
) -> Case:
    """A level with its findings.

    extent   the lines of the level; None for what is no level
    failing  the words of `--fail-on`
    change   how the answer differs from the expected one, empty if it does not; None without an expectation
    kept     the answer is an earlier one, of a text that may have stood elsewhere
    """
    file, sign, number = result.id.rpartition(SIGN)
    is_level = bool(sign) and number.isdecimal()
    source = extent.source if extent is not None else file if is_level else result.id
    place = placed(source) if extent is None else extent.place
    findings: list[Finding] = []

    def add(rule: str, sentence: str, at: Place = place) -> None:
        findings.append(Finding(rule, fails(rule, failing), sentence, at))

    if result.verdict == "error":
        rule = REFUTED if result.exit_code == codes.REFUTED else BAD_INPUT
        for message in _messages(result.reason or "", source):
            at, words = fault(message, source, extent, kept=kept)
            add(rule, words, at)
    elif change is not None:
        if change:
            add(CHANGED, change)
    elif result.verdict == "unsolvable":
        add(UNSOLVABLE, _why_unsolvable(result))
    elif result.verdict == "unknown":
        below = no_solution_below(result.bound or 0, result.metric or "")
        add(UNKNOWN, "; ".join(filter(None, (f"not decided: {result.reason}", below))))
    if result.verdict != "error":
        for given in result.given or ():
            if given.wrong:
                add(WRONG_SOLUTION, given.as_text(*result.least, result.bound), placed(source, given.line))
        if result.exit_code == codes.REFUTED:
            add(REFUTED, result.note)
        elif result.exit_code == codes.BAD_INPUT and not any(each.rule == WRONG_SOLUTION for each in findings):
            add(NO_CERTIFICATE, result.note)
    for message in result.warnings:
        at, words = fault(message, source, extent)
        add(REMARK, words.removeprefix("warning: "), at)
    name = " ".join(filter(None, (f"{member(source)}{SIGN}{number}", result.title))) if is_level else result.id
    suite = file if is_level else OTHERS
    return Case(result.id, suite, name, place, findings, result.effort.seconds, _properties(result))


def problem(message: str, code: int, failing: frozenset[str]) -> Case:
    """What stands in the way of levels, and is an error with that exit code, as a case of its own."""
    rule = REFUTED if code == codes.REFUTED else BAD_INPUT
    finding = Finding(rule, fails(rule, failing), message, Place())
    return Case(message, OTHERS, message, Place(), [finding])


def remark(message: str) -> Finding:
    """A warning about a file, such as one of lint, which begins with file, line and column."""
    at, words = fault(message, "", None)
    return Finding(REMARK, False, words.removeprefix("warning: "), at)


def fails(rule: str, failing: frozenset[str]) -> bool:
    """Does a broken rule fail a build with these words of `--fail-on`?"""
    return RULES[rule].verdict == ALWAYS or RULES[rule].verdict in failing


def _messages(reason: str, source: str) -> Iterator[str]:
    """Yield the errors in the message of a level: one a line, if each names its file."""
    shown = source.replace("\n", "\\n")
    lines = reason.split("\n")
    yield from lines if all(line.startswith(f"{shown}:") for line in lines) else [reason]


def _why_unsolvable(result: Result) -> str:
    by_chance = _NONE.get(result.search.engine or "", "")
    parts: Sequence[str] = (by_chance or "there is no solution", result.reason or "")
    words = ": ".join(filter(None, parts))
    if result.why is None or result.why.words == result.reason:
        return words
    return f"{words}; {result.why.words}"


def _properties(result: Result) -> dict[str, str]:
    """The question about chance, and the probability; empty for other levels."""
    found = {}
    if result.search.engine in CHANCES:
        found["chance"] = str(result.search.engine)
    if result.probability is not None:
        found["probability"] = str(result.probability)
    return found
