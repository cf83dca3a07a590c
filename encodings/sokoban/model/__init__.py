"""Levels as models: `compact` (the player as location, a bit for each box square) and `tiles` (three bits a cell)."""
