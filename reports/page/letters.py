"""The moves of a solution as text with links to their steps, in groups of a walk and the moves after it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from puzzlemc.reports.output.words import singular

LONG = 300  # characters; a longer text is cut after some lines, until the reader asks for all of it


@dataclass(frozen=True)
class Group:
    """Moves that belong together: a walk and the moves after it.

    moves  for each move: the number of its step, its name, and whether it has a cost under the metric
    title  the range of their costs; may be empty
    """

    moves: tuple[tuple[int, str, bool], ...]
    title: str


def groups(moves: Sequence[str], costs: Mapping[str, Sequence[int]]) -> list[Group]:
    """The moves in groups, by a metric under which some moves are free: first free moves, then moves with a cost.

    Without such a metric, all moves are one group without a title.
    """
    metric = next((name for name, sums in costs.items() if _has_free(sums)), None)
    if metric is None:
        return [Group(tuple((step, move, False) for step, move in enumerate(moves, 1)), "")] if moves else []
    return list(_grouped(moves, metric, costs[metric]))


def _has_free(sums: Sequence[int]) -> bool:
    return any(one == other for one, other in pairwise(sums)) and sums[-1] > 0


def _grouped(moves: Sequence[str], metric: str, sums: Sequence[int]) -> Iterator[Group]:
    begin = 0
    for step in range(1, len(moves) + 1):
        paid = sums[step] > sums[step - 1]
        if step < len(moves) and not (paid and sums[step + 1] == sums[step]):
            continue
        chosen = tuple((n, moves[n - 1], sums[n] > sums[n - 1]) for n in range(begin + 1, step + 1))
        first, last = sums[begin] + 1, sums[step]
        title = f"{metric} {first} to {last}" if last > first else f"{singular(metric)} {last}" if paid else ""
        yield Group(chosen, title)
        begin = step
