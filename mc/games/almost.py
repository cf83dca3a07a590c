"""Does a strategy win with probability 1, by playing on as long as it takes?

No number of inputs is enough for sure, so there is no least one. A restart by a rule is a step back to the start;
being stuck is a loss.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.mc.games.decisions import Graph, Predecessors, explore
from puzzlemc.mc.games.lucky import Found
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance
from puzzlemc.mc.rules.decisions import DecisionProcess


@dataclass
class AlmostSure(Found):
    """What the search finds; `strategy` has an input for each unsolved node from which it wins."""

    strategy: Mapping[Hashable, str] = field(default_factory=dict)


def almost(process: DecisionProcess, level: Any, budget: Budget) -> AlmostSure:
    """Find a strategy that wins with probability 1. Without one and without a reason, there is none."""
    found, graph = AlmostSure(), Graph()
    try:
        explore(process, level, budget, graph)
    except LIMITS as limit:
        found.reason, found.states = reason_of(limit), len(graph.nodes)
        return found
    found.states, found.words = len(graph.nodes), graph.words
    into = Predecessors(graph)
    chosen = into.almost_sure(graph.solved)
    if 0 in chosen:
        found.strategy = {graph.nodes[number]: way.name for number, way in chosen.items() if way is not None}
    elif graph.open and 0 in into.almost_sure(graph.solved | graph.open):
        found.reason = "bound"
    return found


def winning_play(rules: Chance, level: Any, strategy: Mapping[Hashable, str]) -> list[str] | None:
    """The names of the steps of a shortest play of a strategy that wins without a restart, None without one."""
    waiting = list(rules.first(level))
    path = {position: [] if (begin := rules.begin(level, position)) is None else [begin] for position in waiting}
    for position in waiting:
        if rules.solved(level, position):
            return path[position]
        for step in rules.turn(level, position, strategy[position]).steps if position in strategy else ():
            if step.position not in path:
                path[step.position] = [*path[position], step.name]
                waiting.append(step.position)
    return None


def confirm(process: DecisionProcess, level: Any, strategy: Mapping[Hashable, str], budget: Budget) -> int:
    """Check that a strategy wins with probability 1. Returns the number of positions that it chooses in.

    From each node that it may come to, it can still come to a solved one. Raises Refuted, LimitReached.
    """
    start = process.start(level)
    before: dict[Hashable, list[Hashable]] = {start: []}  # by node: those from which it may be entered
    waiting, solved, choosing = [start], list[Hashable](), 0
    for node in waiting:
        budget.check()
        if process.solved(level, node):
            solved.append(node)
            continue
        names = process.inputs(level, node)
        choosing += len(names) > 1
        name = names[0] if len(names) == 1 else strategy.get(node)
        if name is None or name not in names:
            raise Refuted("the strategy has no choice where it may come to")
        for each in process.after(level, node, name):
            if each not in before:
                before[each] = []
                waiting.append(each)
            before[each].append(node)
    wins = set(solved)
    for node in solved:
        new = set(before[node]) - wins
        wins |= new
        solved += new
    if len(wins) < len(before):
        raise Refuted("the strategy may come to where it can no longer win")
    return choosing
