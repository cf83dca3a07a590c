"""Findings as the lines that GitHub shows in a change: `::error file=levels/a.xsb,line=3,col=1,title=…::…`.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands describes them, and the library
`@actions/core` the escapes: `%25`, `%0D` and `%0A`, and in properties also `%3A` and `%2C`.

A runner looks for commands in all lines of a step: `::` begins one at the start of a line, `##[` anywhere.
"""

from collections.abc import Iterator

from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.output.plain import plain, plain_lines


def lines(case: Case) -> Iterator[str]:
    """Yield a line for each finding of a level."""
    for each in case.findings:
        kind = "error" if each.fails else "warning"
        yield _without_older(f"::{kind} {_properties(case, each)}::{_data(each.sentence)}\n")


def no_command(line: str) -> str:
    """A line, changed if a runner would take it for a command, as where it begins with the name of a file."""
    line = _without_older(line)
    return f"| {line}" if line.lstrip().startswith("::") else line


def _without_older(line: str) -> str:
    return line.replace("##[", r"##\x5b")


def _properties(case: Case, finding: Finding) -> str:
    place = finding.place
    numbers = {"line": place.line, "col": place.column} if place.path else {}
    found = {"file": place.path, **numbers, "title": f"{finding.rule}: {case.name}"}
    return ",".join(f"{name}={_property(str(value))}" for name, value in found.items() if value)


def _data(text: str) -> str:
    return plain_lines(text.replace("\r\n", "\n")).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value of a property. A name keeps its line feeds, since it is the name of a file."""
    lines = (plain(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines).replace(":", "%3A").replace(",", "%2C")
