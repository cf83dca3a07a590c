"""The state graph of a level as a picture that can be zoomed and clicked, with its lost and its solved states.

States that can reach each other at no cost are one node, for example all states that differ by free walks. The
nodes of equal depth are a layer, and depth grows from left to right.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.graph.analysis import Analysis
from puzzlemc.mc.graph.layers import APART, SHAPE, layered
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.formats.drawing import film
from puzzlemc.reports.formats.state_graph import has_positions, mark_path, network
from puzzlemc.reports.output.words import singular
from puzzlemc.reports.page.board import BOARD, stage

MOST_STATES = 20_000
MOST_NODES = 4_000
MOST_PIECES = 400_000  # in the boards of all nodes; if there are more, the boards are shown as text
MANY_EDGES = 800  # if there are more, they are drawn thin
WORDS = {"live": "Can be solved", "dead": "Lost: cannot be solved any more", "solved": "Solved"}
BOARD_WORDS = {"live": "Can be completed", "dead": "Lost: cannot be completed", "solved": "Solved"}
LEAST = 120.0  # the least height of a picture, in its unit


@dataclass(frozen=True)
class GraphPicture:
    """The picture as an SVG element, its numbers, and whether it contains the path of a solution.

    boards  the film of the positions of all nodes, as an SVG element; empty if positions are shown as text
    data    for the script: lists over the nodes, among them `boards`: the shapes in the film, or the text
    """

    svg: str
    nodes: int
    states: int
    dead: int
    has_path: bool
    boards: str
    data: dict[str, Any]


def graph_picture(
    analysis: Analysis,
    encoded: Encoded,
    metric: str,
    positions: Sequence[Hashable],
    level: object,
    rules: Puzzle,
) -> GraphPicture | str:
    """The picture with the path of a solution given by its positions, or the reason in words why there is none."""
    if not analysis.states:
        return "It is not drawn: it has too many states to be listed."
    if not analysis.is_complete:
        return "It is not drawn: not all of its states are known."
    if analysis.states > MOST_STATES:
        return f"It is not drawn: it has {analysis.states:,} states, more than {MOST_STATES:,}."
    made = network(analysis.graph, encoded, level, rules)
    groups = _groups(made, metric)
    if len(groups) > MOST_NODES:
        return (
            f"It is not drawn: it has {len(groups):,} nodes, more than the {MOST_NODES:,} that a picture can show."
        )
    number = {encoded.decode(analysis.graph.state(n)): n for n in range(analysis.states)} if positions else {}
    if number.keys() >= set(positions):  # False if states are only parts of positions
        mark_path(made, [number[position] for position in positions], metric)
    seen = _contracted(made, groups, metric)
    depths = _depths(seen)
    marks = [seen.nodes[node] for node in range(len(seen))]
    # If all actions are free, a layer is a number of actions.
    layers = depths if any(depths) else _depths(seen, weight=None)
    place = [(round(x), round(y)) for x, y in layered(layers, list(seen.edges))]
    unit = "actions" if metric == ANY else metric
    is_constraint = isinstance(rules.question(level), Constraint)
    boards, frames = _boards(analysis, encoded, level, rules, [mark["shown"] for mark in marks])
    return GraphPicture(
        _svg(marks, seen.edges(data="on_path"), place),
        len(seen),
        analysis.states,
        sum(mark["dead"] for mark in marks),
        any(mark["on_path"] for mark in marks),
        boards,
        {
            "metric": "" if is_constraint else unit,
            "one": singular(unit),
            "words": BOARD_WORDS if is_constraint else WORDS,
            "places": place,
            "boards": frames or [mark["label"] for mark in marks],
            "kinds": [_kind(mark) for mark in marks],
            "sizes": [mark["size"] for mark in marks],
            "depths": depths,
            "start": next(node for node, mark in enumerate(marks) if mark["initial"]),
        },
    )


def _groups(made: Any, metric: str) -> list[list[int]]:
    """The groups of states that become one node each: the strongly connected components of free actions."""
    free = nx.DiGraph()
    free.add_nodes_from(made)
    if metric != ANY:
        free.add_edges_from((here, there) for here, there, cost in made.edges(data=metric) if cost == 0)
    return sorted(sorted(group) for group in nx.strongly_connected_components(free))


def _contracted(made: Any, groups: Sequence[Sequence[int]], metric: str) -> Any:
    """The quotient graph: a node for each group, with the marks of its states, and one edge between two groups."""
    seen = nx.DiGraph()
    home = {}
    for node, group in enumerate(groups):
        states = [made.nodes[number] for number in group]
        marks = {mark: any(state[mark] for state in states) for mark in ("initial", "solved", "dead", "on_path")}
        shown = next((n for n in group if made.nodes[n]["on_path"] or made.nodes[n]["initial"]), group[0])
        seen.add_node(node, **marks, size=len(group), shown=shown, label=made.nodes[shown]["label"])
        home.update(dict.fromkeys(group, node))
    for here, there, edge in made.edges(data=True):
        if home[here] != home[there]:
            cost = 1 if metric == ANY else edge[metric]
            known = seen.get_edge_data(home[here], home[there], {"on_path": False, "cost": cost})
            on_path, cost = known["on_path"] or edge["on_path"], min(known["cost"], cost)
            seen.add_edge(home[here], home[there], on_path=on_path, cost=cost)
    return seen


def _depths(seen: Any, weight: str | None = "cost") -> list[int]:
    """The least cost of each node from the start, or the least number of edges."""
    starts = {node for node, initial in seen.nodes(data="initial") if initial}
    found = nx.multi_source_dijkstra_path_length(seen, starts, weight=weight or (lambda *_: 1))
    return [found[node] for node in range(len(seen))]


def _boards(
    analysis: Analysis, encoded: Encoded, level: object, rules: Puzzle, states: Sequence[int]
) -> tuple[str, Sequence[Sequence[int]]]:
    """The film of some states, and for each the groups of shapes that it shows.

    Both are empty if states are not positions, or if the film would be too large.
    """
    if not has_positions(analysis.graph, encoded, level, rules):
        return "", ()
    pictures = []
    pieces = 0
    for number in states:
        pictures.append(rules.picture(level, encoded.decode(analysis.graph.state(number))))
        pieces += len(pictures[-1].pieces)
        if pieces > MOST_PIECES:
            return "", ()
    shown = film(pictures)
    return stage(shown, "graph-shapes", "The board of the state that is chosen in the graph", BOARD), shown.frames


# The picture


def _kind(marks: Mapping[str, Any]) -> str:
    return "dead" if marks["dead"] else "solved" if marks["solved"] else "live"


def _svg(marks: Sequence[Mapping[str, Any]], edges: Any, place: Sequence[tuple[int, int]]) -> str:
    """The picture: one SVG path for all nodes of a kind, and one for all edges of a kind.

    A node is a line of length zero with round ends.
    """
    parts = []
    lines_of: dict[tuple[int, int], bool] = {}  # edges in both directions are one line
    for here, there, marked in edges:
        ends = min(here, there), max(here, there)
        lines_of[ends] = lines_of.get(ends, False) or marked
    thin = "edge many" if len(lines_of) > MANY_EDGES else "edge"
    for look, on_path in ((thin, False), ("edge path", True)):
        lines = "".join(
            _line(place[here], place[there]) for (here, there), on in lines_of.items() if on == on_path
        )
        parts.append(f'<path class="{look}" d="{lines}"/>' if lines else "")
    dots = {"node path": "", "node live": "", "node dead": "", "node solved": ""}
    for (x, y), mark in zip(place, marks, strict=True):
        if mark["on_path"]:
            dots["node path"] += f"M{x} {y}h0"
        kind = _kind(mark)
        dots[f"node {kind}"] += f"M{x} {y - 5}l5 5-5 5-5-5z" if kind == "solved" else f"M{x} {y}h0"
    parts += [f'<path class="{look}" d="{lines}"/>' for look, lines in dots.items() if lines]
    parts += [
        f'<circle class="start" cx="{x}" cy="{y}" r="6.5"/>'
        for (x, y), mark in zip(place, marks, strict=True)
        if mark["initial"]
    ]
    across, down = zip(*place, strict=True)
    # The size of a node is limited if there are few.
    width = max(max(across) - min(across) + 4 * APART, LEAST * SHAPE)
    height = max(max(down) - min(down) + 4 * APART, LEAST)
    left, top = (max(across) + min(across) - width) / 2, (max(down) + min(down) - height) / 2
    box = f'viewBox="{left:g} {top:g} {width:g} {height:g}"'
    named = 'id="graph-picture" role="img" aria-label="The state graph" tabindex="0"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {named} {box}>{"".join(parts)}</svg>'


def _line(here: tuple[int, int], there: tuple[int, int]) -> str:
    """An edge. Between nodes of the same column, it curves around the nodes in between."""
    (x, y), (left, top) = here, there
    if x == left:
        return f"M{x} {y}Q{x - min(abs(top - y) // 2, 3 * int(APART))} {(y + top) // 2} {left} {top}"
    return f"M{x} {y}L{left} {top}"
