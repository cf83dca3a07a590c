"""Levels as JUnit XML, which Jenkins, GitLab and others show: a suite a file, a test a level.

A level that fails the build has a failure, or an error if it was not judged; one with findings that do not fail it
is skipped. A level with chance has the question, and the probability if that was asked, as properties.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.findings.rules import REMARK, RULES
from puzzlemc.reports.output.plain import xml


def document(cases: Sequence[Case]) -> Iterator[str]:
    """Yield the parts of the document; the cases of a suite must be next to each other."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="puzzlemc">\n'
    for suite, group in groupby(cases, key=lambda case: case.suite):
        yield from _suite(suite, list(group))
    yield "</testsuites>\n"


def _suite(name: str, cases: Sequence[Case]) -> Iterator[str]:
    elements = [_element(case) for case in cases]
    counts = " ".join(
        f'{plural}="{sum(each.startswith(f"<{kind} ") for each in elements)}"'
        for plural, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    )
    seconds = sum(case.seconds for case in cases)
    yield f'<testsuite name="{_attribute(name)}" tests="{len(cases)}" {counts} time="{seconds:.3f}">\n'
    for case, element in zip(cases, elements, strict=True):
        names = f'classname="{_attribute(_class(name))}" name="{_attribute(case.name)}"'
        yield f'  <testcase {names}{_place(case)} time="{case.seconds:.3f}">'
        yield f"{_properties(case)}{element}{_remarks(case)}</testcase>\n"
    yield "</testsuite>\n"


def _class(suite: str) -> str:
    """The name of a suite as servers split it: `levels/a.xsb` is the class `a_xsb` of the package `levels`."""
    return ".".join(part.replace(".", "_") for part in suite.split("/") if part not in ("", "."))


def _place(case: Case) -> str:
    """The file, and the line: servers link to them."""
    path, line, _ = case.place
    return (f' file="{_attribute(path)}"' if path else "") + (f' line="{line}"' if path and line else "")


def _properties(case: Case) -> str:
    found = (f'<property name="{name}" value="{_attribute(value)}"/>' for name, value in case.properties.items())
    written = "".join(found)
    return written and f"<properties>{written}</properties>"


def _element(case: Case) -> str:
    """The reason why a level does not pass; empty if it passes."""
    judged = case.judged
    if not judged:
        return ""
    first = judged[0]
    kind = "skipped" if not case.fails else "error" if RULES[first.rule].broken else "failure"
    about = f'type="{first.rule}" message="{_attribute(first.sentence)}"'
    return f"<{kind} {about}>{xml(_text(judged))}</{kind}>"


def _remarks(case: Case) -> str:
    found = [each for each in case.findings if each.rule == REMARK]
    return f"<system-out>{xml(_text(found))}</system-out>" if found else ""


def _text(findings: Sequence[Finding]) -> str:
    """The findings, a line each, with their places."""
    return "\n".join(f"{_where(each)}{each.rule}: {each.sentence}" for each in findings)


def _where(finding: Finding) -> str:
    parts = [str(each) for each in finding.place if each]
    return f"{':'.join(parts)}: " if finding.place.path else ""


def _attribute(text: str) -> str:
    """A text as the value of an attribute: a parser makes blanks of plain line feeds."""
    return xml(text).replace("\n", "&#10;")
