"""The measures of a level in its report: their titles and numbers, with definitions."""

from collections.abc import Iterator, Mapping

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.reports.measures.measure import measures
from puzzlemc.reports.output.words import number


def shown_measures(rules: Puzzle, found: Mapping[str, Number]) -> Iterator[tuple[str, str, str]]:
    """Yield the title, the number and the definition of each measure that is known."""
    for each in measures(rules):
        if found.get(each.name) is not None:
            yield each.title, figure(found[each.name]), each.definition


def figure(value: Number) -> str:
    """A measure for people."""
    if value is None:
        return "–"
    return number(value) if isinstance(value, int) else f"{value:,.2f}" if value < 100 else number(round(value))
