"""Small boards as text."""

# The colours of a tile in the order north, south, east, west.
BOARDS = {
    "solvable": "Tetravex 2\n0 1 2 0\n0 3 0 2\n1 0 4 0\n3 0 0 4\n",
    "unsolvable": "Tetravex 2\n1 2 3 4\n5 6 7 8\n9 1 2 3\n4 5 6 7\n",
}
