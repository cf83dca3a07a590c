"""The order of levels by difficulty: how each of them ranks among the others by what is known of it."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.batch.rows import Row, stored_level
from puzzlemc.reports.batch.store import Key, Store
from puzzlemc.reports.measures.names import ALL_RANKS, DIFFICULTY, DOWN, RANKS

# What grows with the difficulty of a level.
FEATURES = (
    *("cost", "box_changes", "losing_moves", "lost_share", "unnoticed", "counter_intuitive", "decomposition"),
    "random_player",
)

DEFINITION = (
    "The mean of the ranks of the level among the measured levels with a solution, from 0 to 100, by its cost and "
    "by the measures that grow with difficulty. (3 of 8): other levels of the puzzle have 8 ranks, but 3 "
    "are known of this one, so that its difficulty says less."
)


class Difficulty(NamedTuple):
    """The difficulty of a level.

    value      the mean of its ranks, from 0 to 100
    ranks      the number of ranks
    all_ranks  the number of features that are known of some measured level of the puzzle
    """

    value: float
    ranks: int
    all_ranks: int


def difficulties(rows: Iterable[Row]) -> dict[Key, Difficulty]:
    """The difficulty of each solvable level that was measured, from 0 to 100.

    It is the mean of the ranks of the level by the features that are known of it. The rank by a feature is 0 for
    the least number among these levels and 100 for the greatest; equal numbers share the middle of their ranks.
    """
    known: dict[Key, dict[str, float]] = {}
    puzzle_of: dict[Key, str] = {}
    features: defaultdict[str, set[str]] = defaultdict(set)  # by puzzle
    for row in rows:
        found = {name: row[name] for name in FEATURES if row.get(name) is not None}
        if row["verdict"] == "solvable" and found.keys() - {"cost"}:
            known[row.key, row["choice"]] = found
            puzzle_of[row.key, row["choice"]] = row["puzzle"]
            features[row["puzzle"]] |= found.keys()
    ordered = {name: sorted(each[name] for each in known.values() if name in each) for name in FEATURES}
    return {
        key: Difficulty(
            round(sum(_rank(ordered[name], value) for name, value in each.items()) / len(each), 1),
            len(each),
            len(features[puzzle_of[key]]),
        )
        for key, each in known.items()
    }


def _rank(numbers: list[float], value: float) -> float:
    """The rank of a number among numbers in increasing order, from 0 to 100; 50 if there is no other one."""
    if len(numbers) < 2:
        return 50.0
    first, last = bisect_left(numbers, value), bisect_right(numbers, value) - 1
    return 100 * (first + last) / (2 * (len(numbers) - 1))


def in_a_curve(difficulty: Mapping[Key, Difficulty], curve: str) -> list[Key]:
    """The keys of levels in the order of their difficulty; equal ones stay in their order."""
    return sorted(difficulty, key=lambda key: difficulty[key].value, reverse=curve == DOWN)


def with_difficulty(rows: Iterable[Row], difficulty: Mapping[Key, Difficulty]) -> Iterator[Row]:
    """Yield the rows with their difficulty and the numbers of ranks as fields."""
    for row in rows:
        found = difficulty.get((row.key, row["choice"]))
        row[DIFFICULTY], row[RANKS], row[ALL_RANKS] = found or (None, None, None)
        yield row


def few_ranks(row: Row) -> str:
    """`3 of 8`, if a difficulty is from fewer ranks than those of other levels; empty if not."""
    ranks, most = row.get(RANKS), row.get(ALL_RANKS)
    return f"{ranks} of {most}" if ranks is not None and ranks != most else ""


def marked(row: Row, absent: str) -> str:
    """The difficulty of a level in words: `35.0`, or `35.0 (3 of 8)`; `absent` if it has none."""
    if row.get(DIFFICULTY) is None:
        return absent
    few = few_ranks(row)
    return f"{row[DIFFICULTY]:.1f}" + (f" ({few})" if few else "")


def marked_levels(store: Store, rows: Iterable[Row]) -> list[Entry]:
    """The levels of rows, each once; a comment marks a difficulty from fewer ranks than others."""
    found: dict[int, Entry] = {}
    for row in rows:
        entry = stored_level(store, row)
        if entry is None or row.key in found:
            continue
        if (few := few_ranks(row)) and entry.part is not None:
            comment = "\n".join(filter(None, (entry.part.comment, f"Difficulty: from {few} ranks")))
            entry = Entry(entry.id, entry.title, entry.puzzle, part=entry.part._replace(comment=comment))
        found[row.key] = entry
    return list(found.values())


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
