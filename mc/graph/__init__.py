"""All reachable states as a graph, and its analysis. Nothing is pruned."""
