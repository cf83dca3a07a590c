"""The state graph with those states merged that can reach each other at no cost, such as by walks."""

from dataclasses import dataclass

import networkx as nx
import numpy as np

from puzzlemc.mc.graph.paths import Indices, distances
from puzzlemc.mc.graph.state_graph import StateGraph


@dataclass(frozen=True)
class Quotient:
    """The nodes are the strongly connected components of the actions without a cost, by their first states.

    home    (states,): the node of each state
    sizes   (nodes,): its number of states
    depths  (nodes,): its least cost from the initial states; the least number of actions if none has a cost
    edges   (edges, 2): two different nodes and an action between them, each pair once
    """

    home: Indices
    sizes: Indices
    depths: Indices
    edges: Indices


def quotient(graph: StateGraph, price: Indices) -> Quotient:
    """The quotient of a state graph; `price` has the cost of each action of the model."""
    states = len(graph)
    source = np.repeat(np.arange(states, dtype=np.int32), np.diff(graph.forth.first))
    target, free = graph.forth.other, price[graph.forth.action] == 0
    joined = nx.DiGraph()
    joined.add_nodes_from(range(states))
    joined.add_edges_from(zip(source[free].tolist(), target[free].tolist(), strict=True))
    home: Indices = np.empty(states, np.int32)
    groups = sorted(sorted(group) for group in nx.strongly_connected_components(joined))
    for node, group in enumerate(groups):
        home[group] = node
    ends = np.stack([home[source], home[target]], axis=1)
    edges = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0).astype(np.int32)
    start = np.arange(graph.initial, dtype=np.int32)
    firsts = np.array([group[0] for group in groups], np.int32)
    depths = distances(graph.forth.adjacency, price, start)
    if not depths.any():
        depths = distances(graph.forth.adjacency, np.ones_like(price), start)
        least: Indices = np.full(len(groups), np.iinfo(np.int32).max, np.int32)
        np.minimum.at(least, home, depths)
        return Quotient(home, np.bincount(home).astype(np.int32), least, edges)
    return Quotient(home, np.bincount(home).astype(np.int32), depths[firsts], edges)
