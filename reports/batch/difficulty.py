"""The order of levels by difficulty: how each of them ranks among the others by what is known of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from puzzlemc.reports.batch.rows import Row
from puzzlemc.reports.batch.store import Key
from puzzlemc.reports.measures.names import DIFFICULTY, DOWN

# What grows with the difficulty of a level.
FEATURES = (
    *("cost", "box_changes", "losing_moves", "lost_share", "unnoticed", "counter_intuitive", "decomposition"),
    "random_player",
)

DEFINITION = (
    "The mean of the ranks of the level among the measured levels with a solution, from 0 to 100, by its cost and "
    "by the measures that grow with difficulty."
)


def difficulties(rows: Iterable[Row]) -> dict[Key, float]:
    """The difficulty of each solvable level that was measured, from 0 to 100.

    It is the mean of the ranks of the level by the features that are known of it. The rank by a feature is 0 for
    the least number among these levels and 100 for the greatest; equal numbers share the middle of their ranks.
    """
    known: dict[Key, dict[str, float]] = {}
    for row in rows:
        found = {name: row[name] for name in FEATURES if row.get(name) is not None}
        if row["verdict"] == "solvable" and found.keys() - {"cost"}:
            known[row.key, row["choice"]] = found
    ordered = {name: sorted(each[name] for each in known.values() if name in each) for name in FEATURES}
    return {
        key: round(sum(_rank(ordered[name], value) for name, value in each.items()) / len(each), 1)
        for key, each in known.items()
    }


def _rank(numbers: list[float], value: float) -> float:
    """The rank of a number among numbers in increasing order, from 0 to 100; 50 if there is no other one."""
    if len(numbers) < 2:
        return 50.0
    first, last = bisect_left(numbers, value), bisect_right(numbers, value) - 1
    return 100 * (first + last) / (2 * (len(numbers) - 1))


def in_a_curve(difficulty: dict[Key, float], curve: str) -> list[Key]:
    """The keys of levels in the order of their difficulty; equal ones stay in their order."""
    return sorted(difficulty, key=difficulty.__getitem__, reverse=curve == DOWN)


def with_difficulty(rows: Iterable[Row], difficulty: dict[Key, float]) -> Iterator[Row]:
    """Yield the rows with their difficulty as a field."""
    for row in rows:
        row[DIFFICULTY] = difficulty.get((row.key, row["choice"]))
        yield row


def twins(rows: Iterable[Row]) -> Iterator[str]:
    """Sentences about levels that are there several times, each pair once."""
    shown: set[str] = set()
    for row in rows:
        for name in row["also"]:
            yield f"{name} is {row['id']} once more"
        shown.add(row["id"])
        for name in row["same_as"]:
            if name in shown:
                yield f"{row['id']} is {name} rotated or mirrored"
