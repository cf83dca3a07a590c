"""Symmetries of planning tasks: automorphisms of a graph, and one state for all that are alike."""
