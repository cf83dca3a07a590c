"""All reachable states as a graph, and what it tells; nothing is pruned."""
