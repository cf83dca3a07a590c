"""Levels as models: `compact` (a location, a bit for each box square) and `tiles` (three bits for each cell)."""
