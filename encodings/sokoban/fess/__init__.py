"""Some solution of a level, soon: search in a space of features, from both ends (Shoham and Schaeffer 2020).

It is a guess of a run: what it finds is replayed by others, and nothing is claimed where it finds nothing.

The push game ends with a box on every goal; the pull game is played backward from there and ends at the start.
Both are one search (`search`) with other tables: a *side*. Cells of the floor are numbered in reading order; the
number after the last is the wall around them. Of a cell, `near[cell, d]` is the next one in the direction d, and
d ^ 2 the direction opposite to d. A box stands still while a player walks; the *side* of a box is where the
player stands by it.
"""
