"""The domain: the plain rules of PuzzleScript games, and the positions and moves of their levels."""
