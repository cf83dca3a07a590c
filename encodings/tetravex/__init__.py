"""Tetravex: the plain rules, and its levels as models."""
