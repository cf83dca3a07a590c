"""Fabrik: the plain rules, fast ones, forced wins, and programs that play it."""
