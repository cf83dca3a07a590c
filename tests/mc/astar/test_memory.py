"""The limit of memory holds for the lists of a search together with its tables."""

from typing import Any

import numpy as np
import pytest
from small_rooms import RULES, crowd

from puzzlemc.mc.astar.problem import Problem, Side, prepare
from puzzlemc.mc.engines.best_first import best_first
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.verdict import Unknown

LIMIT = 6 << 20


def bytes_written(side: Side) -> int:
    """The bytes of all arrays of a side that the search has written."""
    space, frozen = side.space, side.frozen
    entries = np.asarray(space.entries)[: space.entry_count].nbytes + np.asarray(space.slots).nbytes
    states = sum(np.asarray(getattr(space, name))[: space.used].nbytes for name in ("rows", "node_info"))
    return states + entries + np.asarray(frozen.costs)[: frozen.sets.used].nbytes + side.triples.bytes


@pytest.mark.parametrize("search", [astar, best_first])
def test_a_search_ends_before_its_lists_and_tables_exceed_the_limit(
    search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[Problem] = []

    def recorded(*arguments: Any, **options: Any) -> Problem:
        prepared.append(prepare(*arguments, **options))
        return prepared[-1]

    monkeypatch.setattr(f"{search.__module__}.prepare", recorded)
    monkeypatch.setattr("puzzlemc.mc.astar.space.STEPS", 100)  # between two looks at the memory
    model = RULES.encodings["compact"](crowd()).model
    verdict = search(model, "pushes", Budget(Limits(memory=LIMIT)))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "memory"
    largest = max(prepared, key=lambda problem: problem.bytes)
    assert 0.7 < sum(map(bytes_written, largest.sides)) / LIMIT < 1.1
