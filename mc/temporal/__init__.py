"""Computation tree logic: formulas, and whether they hold."""
