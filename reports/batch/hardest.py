"""The hardest and the easiest levels of a store: by difficulty, or by the search if no level has one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nlargest, nsmallest
from itertools import islice
from typing import TypeAlias

from puzzlemc.reports.batch.difficulty import difficulties, with_difficulty
from puzzlemc.reports.batch.rows import Row
from puzzlemc.reports.measures.names import DIFFICULTY

Found: TypeAlias = Callable[[], Iterable[Row]]


@dataclass(frozen=True)
class Scale:
    """What levels are compared by.

    by_difficulty  by their difficulty; if not, by the number of searched states, or the time if states are not
                   counted
    """

    by_difficulty: bool

    def hardest(self, rows: Iterable[Row], count: int, *, proved: bool = True) -> list[Row]:
        """The hardest levels, the hardest first; by effort also those without a least cost, if not `proved`."""
        if self.by_difficulty:
            return nlargest(count, filter(_is_rated, rows), key=lambda row: float(row[DIFFICULTY]))
        return nlargest(count, filter(_is_proved if proved else _is_decided, rows), key=_effort)

    def easiest(self, rows: Iterable[Row], count: int) -> list[Row]:
        """The easiest solvable levels, the easiest one first."""
        if self.by_difficulty:
            return nsmallest(count, filter(_is_rated, rows), key=lambda row: float(row[DIFFICULTY]))
        solvable = (row for row in rows if row["verdict"] == "solvable" and _is_proved(row))
        # Levels whose states are not counted come last.
        return nsmallest(count, solvable, key=lambda row: (row["states"] is None, *_effort(row)))


def scaled(found: Found) -> tuple[Found, Scale]:
    """The rows with their difficulties, unless they have them or were not measured, and how they are compared."""
    if not any(DIFFICULTY in row for row in islice(found(), 1)) and (known := difficulties(found())):
        return scaled(lambda: with_difficulty(found(), known))
    return found, Scale(any(map(_is_rated, found())))


def _is_rated(row: Row) -> bool:
    """Has the level a difficulty by a cost that is proved to be least?"""
    return row.get(DIFFICULTY) is not None and bool(row["optimal"])


def _is_proved(row: Row) -> bool:
    """Is the answer final, so that it shows how hard the level is?"""
    return row["verdict"] == "unsolvable" or (row["verdict"] == "solvable" and bool(row["optimal"]))


def _is_decided(row: Row) -> bool:
    return row["verdict"] in {"solvable", "unsolvable"}


def _effort(row: Row) -> tuple[int, float]:
    """The number of searched states, or 0 if they are not counted, and the time."""
    return row["states"] or 0, row["seconds"]
