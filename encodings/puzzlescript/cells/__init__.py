"""A second compiled interpreter of PuzzleScript turns, cell by cell, which checks closed sets of positions."""
