"""Compiled turns of PuzzleScript: a position is planes of bits, one for each object that can change."""
