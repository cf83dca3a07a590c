"""Boards of puzzles that are written once, in the workbench: they are painted, and played with a pointer."""
