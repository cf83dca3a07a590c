"""Symbolic search over finite-domain tasks: sets of states are binary decision diagrams, by CUDD.

A state is coded in binary (`coding`), in an order of the variables that follows the causal graph (`order`).
`relations` are the transition relations of operators, merged; `images` are images by them. `search` has the class
to use: uniform-cost search from both sides.
"""
