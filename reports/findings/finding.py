"""A finding, and a level with its findings: the values that all formats write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from puzzlemc.reports.findings.at import Place
from puzzlemc.reports.findings.rules import REMARK


@dataclass(frozen=True)
class Finding:
    """Something to be shown about a level.

    rule      a name in RULES
    fails     does it fail the build?
    sentence  what was found
    """

    rule: str
    fails: bool
    sentence: str
    place: Place


@dataclass(frozen=True)
class Case:
    """A level, or a name in place of which there is none, with what was found.

    id          as the level is given on the command line
    suite       the file, or another heading, under which the case is listed
    name        within the suite: `#3 Title`
    place       where the level begins
    seconds     of processor time
    properties  more to be listed beside it
    """

    id: str
    suite: str
    name: str
    place: Place
    findings: Sequence[Finding] = ()
    seconds: float = 0.0
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def fails(self) -> bool:
        """Does it fail the build?"""
        return any(each.fails for each in self.findings)

    @property
    def judged(self) -> Sequence[Finding]:
        """The findings about the answer, those that fail the build first; without remarks on the text."""
        return sorted((each for each in self.findings if each.rule != REMARK), key=lambda each: not each.fails)
