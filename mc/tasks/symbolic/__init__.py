"""Symbolic search over finite-domain tasks: sets of states are binary decision diagrams, by CUDD.

A state is coded in binary (`coding`), in an order of the variables that follows the causal graph (`order`).
`relations` are the transition relations of operators, merged; `layers` is Dijkstra's algorithm over sets from one
side. `search` is the function to call: forward, backward, or from both sides.
"""
