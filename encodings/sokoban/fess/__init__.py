"""A plan finder for large levels: feature space search from both ends (Shoham and Schaeffer 2020).

Its plans are not optimal. Other code replays them, and a failed search proves nothing.

The push game ends with a box on every goal. The pull game is played backward from there and ends at the start.
Both use the same search with different tables; each is a *side* of it. Cells of the floor are numbered in reading
order, and the number after the last cell is the wall around them. `near[cell, d]` is the neighbour of a cell in
direction d, and d ^ 2 is the direction opposite to d. The *side of a box* is the neighbouring cell on which the
player stands.
"""
