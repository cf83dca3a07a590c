"""Sokoban: its rules and models, the checker of its proofs, its plan finder, and its level generator."""
