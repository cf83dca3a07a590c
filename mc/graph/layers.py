"""The places of the nodes of a graph in a drawing: the nodes of equal depth are a layer, from left to right.

Within a layer each node is as near as possible to the mean of its neighbours (Sugiyama, Tagawa and Toda 1981). A
large layer has several columns.
"""

from collections.abc import Sequence

APART = 10.0  # between two neighbours in a column, in the unit of the drawing
GAP = 2.5  # between two layers, in units of APART
SHAPE = 1.7  # the preferred ratio of width to height
SWEEPS = 12  # passes over all layers that move neighbours closer together


def layered(depths: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """A place (x, y) for each node, in layers by depth."""
    layers = [[node for node, depth in enumerate(depths) if depth == at] for at in sorted(set(depths))]
    beside: list[tuple[list[int], list[int]]] = [([], []) for _ in depths]
    for here, there in edges:
        if depths[here] != depths[there]:
            beside[here][depths[there] > depths[here]].append(there)
            beside[there][depths[here] > depths[there]].append(here)
    _order(layers, beside)
    rows = _rows([len(layer) for layer in layers])
    place = [(0.0, 0.0)] * len(depths)
    x = 0.0
    for layer in layers:
        columns = -(-len(layer) // rows)
        for rank, node in enumerate(layer):
            row, column = divmod(rank, columns)
            last = -(-(len(layer) - column) // columns) - 1  # of the column
            place[node] = x + column * APART, (row - last / 2) * APART
        x += (columns - 1 + GAP) * APART
    for _ in range(SWEEPS):
        for layer in layers:
            if len(layer) <= rows:
                near = [[place[n][1] for side in beside[node] for n in side] for node in layer]
                wanted = [_mean(ys, place[node][1]) for node, ys in zip(layer, near, strict=True)]
                for node, y in zip(layer, _apart(wanted), strict=True):
                    place[node] = place[node][0], y
    return place


def _order(layers: Sequence[list[int]], beside: Sequence[tuple[list[int], list[int]]]) -> None:
    """Sort each layer by the barycentre of its neighbours, forward and backward."""
    rank = {node: (n + 0.5) / len(layer) for layer in layers for n, node in enumerate(layer)}
    for sweep in range(SWEEPS):
        side = sweep % 2
        for layer in layers if side == 0 else reversed(layers):
            middle = {node: _mean([rank[n] for n in beside[node][side]], rank[node]) for node in layer}
            layer.sort(key=lambda node: (middle[node], rank[node]))
            rank.update({node: (n + 0.5) / len(layer) for n, node in enumerate(layer)})


def _rows(sizes: Sequence[int]) -> int:
    """The most nodes in a column for which the picture has its intended shape."""
    rows = 1
    while rows < max(sizes) and sum(-(-size // rows) - 1 + GAP for size in sizes) > SHAPE * rows:
        rows += 1
    return rows


def _mean(values: Sequence[float], none: float) -> float:
    return sum(values) / len(values) if values else none


def _apart(wanted: Sequence[float]) -> list[float]:
    """Ascending numbers at least `APART` apart with the least sum of squared distances to the wanted numbers.

    Pool adjacent violators: neighbours that would be too close form a block around the mean of their wanted
    places.
    """
    blocks: list[tuple[float, int]] = []  # the mean and the size of each
    for number, value in enumerate(wanted):
        middle, many = value - number * APART, 1
        while blocks and blocks[-1][0] > middle:
            before, more = blocks.pop()
            middle, many = (middle * many + before * more) / (many + more), many + more
        blocks.append((middle, many))
    flat = [middle for middle, many in blocks for _ in range(many)]
    return [value + number * APART for number, value in enumerate(flat)]
