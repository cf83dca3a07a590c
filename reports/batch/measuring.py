"""The measures of levels in a store: each level has them once, whatever options it was solved with."""

import json
from collections.abc import Mapping

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.measures.names import NAMES


def has_measures(store: Store) -> bool:
    """Was a level of the store measured? Stores of before have no table for that."""
    return bool(store.query(sql.MEASURES_TABLE))


def measure_names(store: Store) -> list[str]:
    """The names of all measures in the store, in the order of columns."""
    if not has_measures(store):
        return []
    found = {name for (name,) in store.query(sql.MEASURE_NAMES)}
    return [*(name for name in NAMES if name in found), *sorted(found.difference(NAMES))]


def measures_of(store: Store, level: int) -> dict[str, Number]:
    """The measures of a level; empty if it was not measured."""
    found = store.query(sql.MEASURES_OF_LEVEL, level)
    return dict(json.loads(found[0][0])) if found else {}


def is_measured(store: Store, level: int, timeout: float, memory: float) -> bool:
    """Was the level measured with limits that were no smaller? A timeout of 0 is none."""
    found = store.query(sql.MEASURES_LIMITS, level)
    return bool(found) and (found[0][0] or float("inf")) >= (timeout or float("inf")) and found[0][1] >= memory


def keep_measures(store: Store, level: int, measures: Mapping[str, Number], timeout: float, memory: float) -> None:
    """Write the measures of a level, which was measured within these limits."""
    store.run(sql.ADD_MEASURES, level, json.dumps(dict(measures)), timeout, memory)
