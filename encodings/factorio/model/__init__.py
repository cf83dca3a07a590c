"""Layouts as constraints: clauses, acyclic belts, planar crossings."""
