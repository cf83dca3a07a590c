"""What `suggest` answers: changes of a level, each solved and replayed, and what is known of smaller ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.encodings.puzzle.design.changes import Core, Edit
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.reports.solve.result import SOLVABLE, UNKNOWN, UNSOLVABLE, Result

PLACED = "placed"  # the number of objects that begin where they must be, in the numbers of a suggestion


@dataclass(frozen=True)
class Suggestion:
    """A changed level.

    edits    what was changed
    level    the changed level, as text
    result   its verdict, by an engine; a solution was replayed
    before   numbers of the level as it is, by name: those that the wish is about
    after    the same numbers of the changed level
    best     is it proved that no change with as many edits does better, or, of a repair, that no smaller one does?
    top      does no other change with as many edits that was found do better by the number that is wished best?
    drawing  the start of the changed level, for people
    """

    edits: tuple[Edit, ...]
    level: str
    result: Result
    before: Mapping[str, Number] = field(default_factory=dict)
    after: Mapping[str, Number] = field(default_factory=dict)
    best: bool = False
    top: bool = False
    drawing: str = ""

    @property
    def kind(self) -> str:
        """The kinds of its edits: suggestions of one kind are alike to a designer."""
        return " and ".join(sorted(edit.kind for edit in self.edits))

    def as_json(self) -> dict[str, Any]:
        """The suggestion as JSON values; cells are rows and columns from 1."""
        return {
            "edits": [
                {
                    "kind": edit.kind,
                    "words": edit.words,
                    "cells": [[row + 1, column + 1] for row, column in edit.cells],
                }
                for edit in self.edits
            ],
            "level": self.level,
            "best": self.best,
            "before": dict(self.before),
            "after": dict(self.after),
            **{
                name: value
                for name, value in self.result.as_json().items()
                if name in ("verdict", "metric", "cost", "optimal", "trace", "checked", "seconds")
            },
        }


@dataclass(frozen=True)
class Suggestions:
    """The answer to a wish.

    want      the wish, as it was given
    level     the level as it is, as text
    result    the verdict on it
    found     the suggestions, the best of each kind first
    least     every change that reaches the wish has at least this number of edits
    total     how many changes with the smallest number of edits reach it; None if not all are known
    tried     the number of searches
    words     sentences for people: what was proved, and what is not known
    reason    the limit that came first; None if none did
    cores     the proofs that smaller changes do not reach it
    most      the most edits that a change was allowed
    reached   does the level as it is do what is wished?
    drawing   the start of the level as it is, for people
    """

    want: str
    level: str
    result: Result
    found: tuple[Suggestion, ...]
    least: int
    total: int | None
    tried: int
    words: tuple[str, ...] = ()
    reason: str | None = None
    cores: tuple[Core, ...] = ()
    most: int = 3
    reached: bool = False
    drawing: str = ""

    @property
    def exit_code(self) -> int:
        """0: there is a suggestion, or nothing to do; 1: no allowed change reaches the wish; 3: not known."""
        if self.found or self.reached:
            return SOLVABLE
        return UNSOLVABLE if self.least > self.most else UNKNOWN

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON values."""
        return {
            "id": self.result.id,
            "title": self.result.title,
            "puzzle": self.result.puzzle,
            "want": self.want,
            "verdict": self.result.verdict,
            "cost": self.result.cost,
            "reached": self.reached,
            "least": self.least,
            "most": self.most,
            "total": self.total,
            "tried": self.tried,
            "proofs": len(self.cores),
            "reason": self.reason,
            "words": list(self.words),
            "suggestions": [each.as_json() for each in self.found],
        }
