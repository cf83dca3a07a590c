"""Dijkstra's algorithm over the plain rules of systems, to compare what engines say about their models."""

import heapq
from collections.abc import Hashable
from dataclasses import dataclass

from puzzlemc.encodings.modelling.language.evaluation import Evaluation, transition
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import replay
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict

METRIC = "moves"


@dataclass(frozen=True)
class Truth:
    """The least cost to a solved position, and to an error of the plain rules; None if there is none.

    What lies behind a solved position or an error is not looked at.
    """

    solved: int | None
    error: int | None
    positions: int


def truth(evaluation: Evaluation, most: int) -> Truth | None:
    """The truth about a system, None if it has more than `most` positions."""
    evaluation.system.lost = False  # what is drawn at random promises nothing
    goal, closed = evaluation.system.goal, set[Hashable]()
    heap, number = [(0, 0, evaluation.start)], 0
    solved: int | None = None
    error: int | None = None
    while heap:
        cost, _, position = heapq.heappop(heap)
        if position in closed:
            continue
        closed.add(position)
        if len(closed) > most:
            return None
        try:
            if evaluation.holds(goal, position):
                solved = cost if solved is None else solved
                continue
            steps = list(evaluation.successors(position))
        except ModelError:
            error = cost if error is None else error
            continue
        for action, after in steps:
            number += 1
            heapq.heappush(heap, (cost + action.cost(METRIC), number, after))
    return Truth(solved, error, len(closed))


def wrong(known: Truth, made: Encoded, evaluation: Evaluation, verdict: Verdict, metric: str) -> str | None:
    """What is wrong with an answer; None if nothing is."""
    if isinstance(verdict, Unreachable):
        return None if known.solved is None and known.error is None else "unsolvable"
    if not isinstance(verdict, Reachable):
        return None
    optimal = metric != ANY and verdict.optimal
    try:
        moves = made.moves(verdict.trace)
    except ModelError:
        if known.error is None or (optimal and known.solved is not None and known.error > known.solved):
            return "an error that is not reached"
        return None
    if known.solved is None:
        return "solvable"
    cost = replay(transition(lambda _: evaluation, [METRIC]), None, moves, [METRIC]).costs[METRIC]
    if cost < known.solved or (optimal and cost != known.solved):
        return f"cost {cost} in the place of {known.solved}"
    return None
