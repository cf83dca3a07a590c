"""The measures of a level in its report: their titles and numbers, with definitions."""

from collections.abc import Iterator, Mapping

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.reports.measures.measure import measures
from puzzlemc.reports.measures.names import SHARES
from puzzlemc.reports.output.words import number, share


def shown_measures(rules: Puzzle, found: Mapping[str, Number]) -> Iterator[tuple[str, str, str]]:
    """Yield the title, the number and the definition of each measure that is known."""
    for each in measures(rules):
        if found.get(each.name) is not None:
            yield each.title, figure(each.name, found[each.name]), each.definition


def figure(name: str, value: Number) -> str:
    """A measure for people; shares are in percent."""
    if value is None:
        return "–"
    if name in SHARES:
        return share(value, 1)
    return number(value) if isinstance(value, int) else f"{value:,.2f}" if value < 100 else number(round(value))
