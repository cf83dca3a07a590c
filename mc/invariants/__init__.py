"""Invariants as a mathematician finds them: sums over facts that no operator changes, and that the goal would
change.

`sums` are the values, `equations` says what a sum has to satisfy, `elimination` solves that modulo a prime, and
`search` finds a sum for each goal.
"""
