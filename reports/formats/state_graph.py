"""The state graph of a small level as a networkx graph, for drawing and for other tools.

Nodes are the states by number, the initial ones first. Their attributes:

label     the position, drawn as text
initial, solved, dead, on_path    dead: no goal state is reachable; on_path: on the marked solution

Edges have the action as their `label`, its costs by metric, and `on_path`.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import networkx as nx

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.graph.state_graph import StateGraph, explore
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.output.plain import plain_lines

EXPLORING = Limits(seconds=60.0, memory=2 * GIB)


def explored(encoded: Encoded, most: int) -> StateGraph:
    """The state graph of a model with at most `most` states. Raises ModelError if it has more."""
    graph = explore(encoded.model, Budget(EXPLORING))
    if len(graph) > most:
        at_least = "" if graph.reason is None else "at least "
        raise ModelError(f"found {at_least}{len(graph)} states, expected {most} at most")
    if graph.reason is not None:
        raise ModelError(f"found {len(graph)} states before a limit: {graph.reason}")
    return graph


def has_positions(graph: StateGraph, encoded: Encoded, level: object, rules: Puzzle) -> bool:
    """Are its states positions, rather than parts of positions?"""
    return graph.initial == 1 and bool(encoded.decode(graph.state(0)) == rules.rules.start(level))


def network(graph: StateGraph, encoded: Encoded, level: object, rules: Puzzle) -> Any:
    """The nx.MultiDiGraph of a state graph, without a path."""
    draw: Callable[[Hashable], str] = str
    # For some levels, states are parts of positions, which have names but no drawings.
    if has_positions(graph, encoded, level, rules):
        draw = partial(rules.screen.draw, level)
    made = nx.MultiDiGraph()
    solved = graph.holds(graph.model.goal)
    for number in range(len(graph)):
        label = plain_lines(draw(encoded.decode(graph.state(number))))
        is_initial = number < graph.initial
        made.add_node(number, label=label, initial=is_initial, solved=bool(solved[number]), on_path=False)
    for number in range(len(graph)):
        edges = graph.forth.at(number)
        for target, action in zip(graph.forth.other[edges], graph.forth.action[edges], strict=True):
            chosen = graph.model.actions[int(action)]
            made.add_edge(number, int(target), label=chosen.name, **chosen.costs, on_path=False)
    left = steps_left(made, ANY)
    for number, attributes in made.nodes.items():
        attributes["dead"] = number not in left
    return made


def steps_left(made: Any, metric: str) -> dict[int, int]:
    """For each live state, its distance to a solved state: first by the metric, then by the number of actions."""
    solved = [number for number, attributes in made.nodes.items() if attributes["solved"]]
    if not solved:
        return {}
    weigh = _weight(made, metric)
    found: dict[int, int] = nx.multi_source_dijkstra_path_length(made.reverse(copy=False), solved, weight=weigh)
    return found


def cheapest_path(made: Any, metric: str) -> list[int]:
    """The states of a solution of least cost with the fewest actions; empty if there is none."""
    left, weigh = steps_left(made, metric), _weight(made, metric)
    starts = [number for number, attributes in made.nodes.items() if attributes["initial"] and number in left]
    if not starts:
        return []
    path = [min(starts, key=lambda number: left[number])]
    while left[path[-1]]:
        # Every edge has a positive weight, so there is no cycle.
        here = path[-1]
        nearer = (n for n in made.successors(here) if n in left)
        path.append(next(n for n in nearer if left[n] + weigh(here, n, made[here][n]) == left[here]))
    return path


def mark_path(made: Any, path: Sequence[int], metric: str) -> None:
    """Mark the states of a path, and a cheapest edge between each two of them."""
    for number in path:
        made.nodes[number]["on_path"] = True
    for here, there in pairwise(path):
        cheapest = min(made[here][there].values(), key=lambda edge: _cost(edge, metric))
        cheapest["on_path"] = True


def dot(made: Any) -> str:
    """The graph in the Graphviz language: lost states red, solved states green, the path bold."""
    shown = nx.MultiDiGraph()
    shown.graph["node"] = {"shape": "box", "fontname": "monospace", "style": "filled", "fillcolor": "white"}
    for number, state in made.nodes.items():
        look: dict[str, Any] = {name: state[name] for name in ("initial", "solved", "dead", "on_path")}
        look["label"] = "".join(f"{_escaped(line)}\\l" for line in state["label"].split("\n"))
        if state["dead"] or state["solved"]:
            look["fillcolor"] = "#f8c4c0" if state["dead"] else "#bfe8c8"
        if state["on_path"]:
            look["penwidth"] = 3
        shown.add_node(number, **look)
    for here, there, edge in made.edges(data=True):
        look = edge | {"label": _escaped(edge["label"])} | ({"penwidth": 3} if edge["on_path"] else {})
        shown.add_edge(here, there, **look)
    return str(nx.nx_pydot.to_pydot(shown).to_string())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\")


def _weight(made: Any, metric: str) -> Callable[[int, int, Mapping[Any, Any]], int]:
    """The weight of an edge: its cost, plus a small amount for the action, which only breaks ties."""
    most = len(made) + 1
    return lambda here, there, edges: min(_cost(edge, metric) for edge in edges.values()) * most + 1


def _cost(edge: Mapping[str, Any], metric: str) -> int:
    return 1 if metric == ANY else int(edge[metric])
