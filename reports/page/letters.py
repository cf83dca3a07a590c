"""The moves of a solution as text with links to their steps, in groups of a walk and the moves after it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from puzzlemc.reports.output.words import singular

LONG = 300  # characters; of a longer text, some lines are shown, and the others on request


@dataclass(frozen=True)
class Group:
    """Some moves that belong together: of each the step that it ends, its name, and whether it costs something.

    `title` says what they cost.
    """

    moves: tuple[tuple[int, str, bool], ...]
    title: str


def groups(moves: Sequence[str], costs: Mapping[str, Sequence[int]]) -> list[Group]:
    """The moves in groups, by a metric in which some moves are free: walks, then what costs something.

    Where there is no such metric, they are one group without a title.
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
