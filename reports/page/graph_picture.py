"""The state graph of a small level as a picture: what is reached where, what is lost, and how it is solved.

States between which one can go both ways at no cost are one node, such as all places that one can walk to where
walks are free. The layout pulls neighbours together and pushes others apart (Fruchterman and Reingold 1991).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from puzzlemc.encodings.puzzle import Encoded, Puzzle
from puzzlemc.mc.graph.analysis import Analysis
from puzzlemc.mc.model import ANY
from puzzlemc.reports.formats.state_graph import mark_path, network
from puzzlemc.reports.output.plain import xml

MOST_STATES = 20_000
MOST_NODES = 400
SIDE = 1000.0  # of the picture, in its own unit


@dataclass(frozen=True)
class GraphPicture:
    """The picture as an SVG element, what it counts, and whether the path of a solution is in it."""

    svg: str
    nodes: int
    states: int
    dead: int
    has_path: bool


def graph_picture(
    analysis: Analysis,
    encoded: Encoded,
    metric: str,
    positions: Sequence[Hashable],
    level: object,
    rules: Puzzle,
) -> GraphPicture | str:
    """The picture with the path of a solution by its positions, or, in words, why there is none."""
    if not analysis.is_complete:
        return "It is not drawn, since not all of it is known."
    if analysis.states > MOST_STATES:
        return f"It is not drawn: it has {analysis.states:,} states, more than {MOST_STATES:,}."
    made = network(analysis.graph, encoded, level, rules)
    groups = _groups(made, metric)
    if len(groups) > MOST_NODES:
        return (
            f"It is not drawn: it has {len(groups):,} nodes, more than the {MOST_NODES} that a picture can show."
        )
    number = {encoded.decode(analysis.graph.state(n)): n for n in range(analysis.states)} if positions else {}
    if number.keys() >= set(positions):  # not where states are but parts of positions
        mark_path(made, [number[position] for position in positions], metric)
    seen = _contracted(made, groups)
    dead = sum(node["dead"] for node in seen.nodes.values())
    return GraphPicture(
        _svg(seen), len(seen), analysis.states, dead, any(dict(seen.nodes(data="on_path")).values())
    )


def _groups(made: Any, metric: str) -> list[list[int]]:
    """The states that are one node each."""
    free = nx.DiGraph()
    free.add_nodes_from(made)
    if metric != ANY:
        free.add_edges_from((here, there) for here, there, cost in made.edges(data=metric) if cost == 0)
    return [sorted(group) for group in nx.strongly_connected_components(free)]


def _contracted(made: Any, groups: Sequence[Sequence[int]]) -> Any:
    """A node for each group, with the marks of its states; an edge for all edges between two groups."""
    seen = nx.DiGraph()
    home = {}
    for node, group in enumerate(groups):
        states = [made.nodes[number] for number in group]
        marks = {mark: any(state[mark] for state in states) for mark in ("initial", "solved", "dead", "on_path")}
        shown = next((state for state in states if state["on_path"] or state["initial"]), states[0])
        seen.add_node(node, **marks, size=len(group), label=shown["label"])
        home.update(dict.fromkeys(group, node))
    for here, there, edge in made.edges(data=True):
        if home[here] != home[there]:
            known = seen.get_edge_data(home[here], home[there], {"on_path": False})
            seen.add_edge(home[here], home[there], on_path=known["on_path"] or edge["on_path"])
    return seen


def _svg(seen: Any) -> str:
    place = _layout(seen)
    parts = []
    for on_path in (False, True):
        lines = "".join(
            f"M{place[here][0]:.0f} {place[here][1]:.0f}L{place[there][0]:.0f} {place[there][1]:.0f}"
            for here, there, marked in seen.edges(data="on_path")
            if marked == on_path
        )
        if lines:
            parts.append(f'<path class="{"edge path" if on_path else "edge"}" d="{lines}"/>')
    unit = max(7.0, min(16.0, 130 / len(seen) ** 0.5))
    for node, marks in sorted(seen.nodes.items(), key=lambda item: item[1]["on_path"]):
        kind = "dead" if marks["dead"] else "solved" if marks["solved"] else "live"
        classes = f"node {kind}{' path' if marks['on_path'] else ''}"
        (x, y), states = place[node], "1 state" if marks["size"] == 1 else f"{marks['size']} states"
        title = f"<title>{'start, ' * marks['initial']}{kind}, {states}\n{xml(marks['label'])}</title>"
        if marks["solved"]:
            shape = f'<path class="{classes}" d="M{x:.0f} {y - 1.9 * unit:.0f}'
            shape += f"l{1.9 * unit:.1f} {1.9 * unit:.1f}l{-1.9 * unit:.1f} {1.9 * unit:.1f}"
            parts.append(f'{shape}l{-1.9 * unit:.1f} {-1.9 * unit:.1f}z">{title}</path>')
        else:
            parts.append(f'<circle class="{classes}" cx="{x:.0f}" cy="{y:.0f}" r="{unit:.1f}">{title}</circle>')
        if marks["initial"]:
            parts.append(f'<circle class="start" cx="{x:.0f}" cy="{y:.0f}" r="{2 * unit:.1f}"/>')
    margin = 40
    height = max(y for _, y in place.values())
    view = f"{-margin} {-margin} {SIDE + 2 * margin:.0f} {height + 2 * margin:.0f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img">{"".join(parts)}</svg>'


def _layout(seen: Any) -> dict[int, tuple[float, float]]:
    """A place for each node, in a frame as wide as `SIDE` and no higher."""
    if len(seen) == 1:
        return {0: (SIDE / 2, 0.0)}
    place = nx.spring_layout(seen.to_undirected(), seed=1, iterations=400, method="force")
    points = np.array([place[node] for node in seen])
    # Turned so that it lies, and the start is on the left of what is solved.
    centred = points - points.mean(axis=0)
    points = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    start, solved = (
        points[[marks[mark] for marks in seen.nodes.values()]][:, 0] for mark in ("initial", "solved")
    )
    if len(solved) and start.mean() > solved.mean():
        points = -points
    points -= points.min(axis=0)
    points *= SIDE / points.max()
    return {node: (float(x), float(y)) for node, (x, y) in zip(seen, points, strict=True)}
