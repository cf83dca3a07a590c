"""Reads problems with their domains.

The text of a part holds both: the problem, a comment with the place of the domain, and the domain. So a level can
be built, and kept in a certificate, without other files.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MARKED, Part, build_all
from puzzlemc.screens.pddl.domain import domain
from puzzlemc.screens.pddl.expressions import Source
from puzzlemc.screens.pddl.files import Definition, chosen_domain, definitions, domain_beside, domain_of
from puzzlemc.screens.pddl.level import Level
from puzzlemc.screens.pddl.problem import problem
from puzzlemc.screens.pddl.tracked import tracked

SUFFIXES = (".pddl", ".sas")
TRANSLATED = "begin_version"  # the first line of a translated task
_FROM = "\n;domain "
_WHERE = re.compile(r"([0-9]{1,9}) ([^\n]*)\n")
_BEGINNING = re.compile(r"\ufeff?(?:\s|;[^\n]*\n)*+\(")  # comments, and then a definition


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each problem with that of its domain, or an error in its place."""
    text = normalized(text)
    if text.lstrip().startswith(TRANSLATED):
        yield Part(source, 1, text, "", "")
        return
    found = list(definitions(text, source))
    problems = [each for each in found if each.kind == "problem"]
    inside = [each for each in found if each.kind == "domain"]
    if not problems:
        what = f"the domain {inside[0].name!r} alone" if inside else "no (define (problem …) …)"
        yield LevelError(f"found {what}, expected a problem", source=source)
    lines = text.split("\n")
    for each in problems:
        try:
            there = _domain(each, inside)
        except LevelError as error:
            yield error.with_traceback(None)
            continue
        mine = each.source.text
        body = f"{mine.partition(_FROM)[0].rstrip()}{_FROM}{there.line} {there.name}\n{there.text}"
        yield Part(source, each.source.line, body, each.name, "", comment=_comment_above(lines, each.source.line))


def _comment_above(lines: list[str], line: int) -> str:
    """Return the lines of comment directly above a line, which counts from 1."""
    first = line - 1
    while first and (not lines[first - 1].strip() or lines[first - 1].lstrip().startswith(";")):
        first -= 1
    found = [above.strip().removeprefix(";").removeprefix(" ") for above in lines[first : line - 1]]
    return "\n".join(found).strip("\n")


def _domain(each: Definition, inside: list[Definition]) -> Source:
    given = chosen_domain()
    if given is not None:
        return given
    if not inside:
        return domain_beside(each.source)
    name, at = domain_of(each.source)
    found = next((other for other in inside if other.name == name), None)
    if found is None:
        raise each.source.error(at, f"found domain {name!r}, expected {inside[0].name!r}, which this file has")
    kept = _WHERE.match(each.source.text.partition(_FROM)[2] + "\n")
    return found.source if kept is None else Source(found.source.text, kept[2], int(kept[1]))


def looks_like(text: str) -> float:
    """Return MARKED for a problem or a translated task, 0 for anything else, such as a domain alone."""
    if text.lstrip().startswith(TRANSLATED):
        return MARKED
    if _BEGINNING.match(text) is None:
        return 0.0
    return MARKED if any(each.kind == "problem" for each in definitions(text, "")) else 0.0


def build(part: Part) -> Level:
    """Build a level from a problem and its domain. Raises LevelError."""
    own, _, rest = part.text.partition(_FROM)
    where = _WHERE.match(rest)
    if where is None:
        raise LevelError("found no domain, expected a problem with its domain", source=part.source)
    read = domain(Source(rest[where.end() :], where[2], int(where[1])))
    if isinstance(read, LevelError):
        raise read
    source = Source(own, part.source, part.line)
    found = problem(source, read)
    level = Level(
        part.title,
        found.domain,
        found.objects,
        found.init,
        found.values,
        found.goal,
        found.has_costs,
        part.text,
        found.warnings,
        found.preferences,
        found.factor,
    )
    return replace(level, tracked=tracked(level))


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a text: one item for each problem; an error takes the place of a bad one. Raises nothing."""
    return build_all(cut(text, source), build)
