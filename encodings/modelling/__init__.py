"""Puzzles that are written once: a system of variables and actions, or the plain rules alone."""
