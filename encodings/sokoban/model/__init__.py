"""Sokoban as models: a location and a bit per box square (compact), or three bits per tile."""
