"""What a search has found out about a level, and results as dictionaries and tables."""

import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from puzzlemc.reports.api.levels import Level, entry_of
from puzzlemc.reports.api.positions import Position, along, image
from puzzlemc.reports.formats.traces import play
from puzzlemc.reports.output.plain import xml
from puzzlemc.reports.solve.result import Result as Found

COLUMNS = ("id", "title", "puzzle", "verdict", "metric", "cost", "optimal", "engine", "seconds")  # on a page


class Result:
    """The answer for one level. `to_dict` has further fields, those of `puzzlemc solve --json`."""

    def __init__(self, level: Level, found: Found) -> None:
        """`solve` and `solve_all` make results."""
        self.level = level
        self._found = found

    @property
    def verdict(self) -> str:
        """`solvable`, `unsolvable` or `unknown`; of `solve_all` also `error`, with its reason."""
        return self._found.verdict

    @property
    def reason(self) -> str | None:
        """Why the verdict is unknown (`timeout`, `memory`, `bound`, `cancelled`), an error, or unsolvable."""
        return self._found.reason

    @property
    def trace(self) -> str | list[str] | None:
        """The solution, as in `to_dict`: a text if all moves are single letters, otherwise a list of names."""
        return self._found.trace

    @property
    def plans(self) -> list[str | list[str]]:
        """The best plans, if several were asked for, the cheapest first; written as the solution is."""
        return [] if self._found.plans is None else [plan.trace for plan in self._found.plans.plans]

    @property
    def moves(self) -> list[str] | None:
        """The former name of `trace`, always as a list. In `to_dict`, `moves` is the number of moves."""
        warnings.warn("Result.moves is called trace now", DeprecationWarning, stacklevel=2)
        return None if self.trace is None else list(self.trace)

    def positions(self) -> list[Position]:
        """The positions along the solution: the first, and that after each move; none without a solution.

        A level that asks for one position has that one only.
        """
        return [] if self.trace is None else along(entry_of(self.level), list(self.trace))

    @property
    def cost(self) -> int | None:
        """The cost of the solution; None without one, and under the metric `any`."""
        return self._found.cost

    @property
    def costs(self) -> Mapping[str, int | None]:
        """The cost of the solution by each metric of the puzzle."""
        return self._found.costs

    @property
    def optimal(self) -> bool | None:
        """Is it proved that no solution costs less? None without a solution."""
        return self._found.optimal

    @property
    def bound(self) -> int | None:
        """No solution costs less; None if the cost is optimal, or if nothing is known."""
        return self._found.bound

    @property
    def seconds(self) -> float:
        """Processor time of the search."""
        return self._found.effort.seconds

    def to_dict(self) -> dict[str, object]:
        """All fields; those of `puzzlemc solve --json`."""
        return self._found.as_json()

    def __repr__(self) -> str:
        costs = self._found.costs_in_words
        reason = self.reason if self.verdict == "error" else self._found.limit
        reason = f" ({reason})" if reason else ""
        return f"<result {self.level.id}: {self.verdict}{reason}{f', {costs}' if costs else ''}>"

    def _repr_html_(self) -> str:
        """The replay of the solution, or the level."""
        if self.verdict == "error":
            return f"<p>{xml(repr(self))}</p>"
        title = ", ".join(
            filter(None, (self.level.title or self.level.id, self.verdict, self._found.costs_in_words))
        )
        if self.trace is None:
            return f"{self.level._repr_html_()}<p>{xml(title)}</p>"
        played = play(entry_of(self.level), self._found)
        return f"{image(played.pictures, title)}<p>{xml(title)}</p>"


class Results(list[Result]):
    """The results of several levels, in the order of the levels."""

    def to_dicts(self) -> list[dict[str, object]]:
        """A dictionary for each level."""
        return [result.to_dict() for result in self]

    def to_frame(self, library: str = "pandas") -> Any:
        """A data frame of the library `pandas` or `polars`, which must be installed: a row for each level.

        All rows have the same columns. Moves are one text; fields that are no plain values are left out.
        """
        rows = [{name: _cell(value) for name, value in row.items()} for row in self.to_dicts()]
        columns = dict.fromkeys(name for row in rows for name, value in row.items() if value is not ...)
        return import_module(library).DataFrame({name: [_none(row.get(name)) for row in rows] for name in columns})

    def _repr_html_(self) -> str:
        """A table."""
        head = "".join(f"<th>{name}</th>" for name in COLUMNS)
        rows = "".join(f"<tr>{_cells(row)}</tr>" for row in self.to_dicts())
        return f"<table><tr>{head}</tr>{rows}</table>"


def _cell(value: object) -> object:
    """A value as a cell of a frame; `...` if it does not fit."""
    if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return value if value is None or isinstance(value, str | int | float) else ...


def _none(value: object) -> object:
    return None if value is ... else value


def _cells(row: Mapping[str, object]) -> str:
    return "".join(f"<td>{'' if row[name] is None else xml(str(row[name]))}</td>" for name in COLUMNS)
