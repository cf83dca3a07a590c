"""Deadlocks: frozen boxes, matching, corrals, groups, and the patterns that searches over few boxes learn."""
