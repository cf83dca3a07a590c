"""Turns of PuzzleScript levels as circuits, for the engines and formats that need formulas."""
