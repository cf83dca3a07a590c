"""Lint of PuzzleScript games: what a game holds in vain, each warning with a proof over all its levels."""
