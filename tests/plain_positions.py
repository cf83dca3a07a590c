"""All positions of a level by its plain rules, and what is true of each: a search of its own."""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle


@dataclass
class Searched:
    """All positions of a level: the moves of each, which are solved, and the least cost to a solved one.

    steps  name, position after it, cost
    least  of positions with a solution: the least cost, and the fewest steps of a solution with that cost
    """

    number: dict[Any, int]
    steps: list[list[tuple[str, int, int]]]
    solved: list[bool]
    least: dict[int, tuple[int, int]]

    def best(self, position: int) -> list[str]:
        """The names of the moves that begin a cheapest solution with the fewest steps, in order."""
        found = []
        for name, after, cost in self.steps[position]:
            if after in self.least and not self.solved[position]:
                rest, steps = self.least[after]
                if (rest + cost, steps + 1) == self.least[position]:
                    found.append(name)
        return sorted(found)


def searched(puzzle: Puzzle, of: Any, metric: str) -> Searched:
    """Search a level: breadth first, then from the solved positions (Dijkstra)."""
    rules = puzzle.rules
    number = {rules.start(of): 0}
    queue = [rules.start(of)]
    steps = []
    for position in queue:  # the list grows in the loop
        row = []
        for step in rules.steps(of, position):
            if step.position not in number:
                number[step.position] = len(queue)
                queue.append(step.position)
            row.append((step.name, number[step.position], 1 if metric == "any" else step.costs[metric]))
        steps.append(row)
    solved = [rules.solved(of, position) for position in queue]
    back: list[list[tuple[int, int]]] = [[] for _ in queue]
    for here, row in enumerate(steps):
        for _, there, cost in row:
            back[there].append((here, cost))
    least: dict[int, tuple[int, int]] = {}
    heap = [(0, 0, here) for here, holds in enumerate(solved) if holds]
    while heap:
        cost, taken, here = heappop(heap)
        if here not in least:
            least[here] = cost, taken
            for before, price in back[here]:
                heappush(heap, (cost + price, taken + 1, before))
    return Searched(number, steps, solved, least)
