"""Glide: a sledge on ice glides until something stops it, and picks up the flags over which it goes."""

from itertools import takewhile

from puzzlemc.modelling import All, System, grid, puzzle


def glide(board):
    """Slide with the arrow keys: the sledge glides to the next wall. Pick up all flags."""
    s = System()
    sledge = s.choice("sledge", board.cells, board.one("sledge"))
    flag = s.flags("flag", dict.fromkeys(board.find("flag"), True))
    for place in board.cells:
        for way in ("left", "up", "right", "down"):
            path = list(takewhile(lambda there: not board.has(there, "wall"), board.line(place, way)))
            if path:
                taken = {flag[there]: False for there in path if there in flag}
                s.action(way, sledge == place, {sledge: path[-1], **taken}, cost={"slides": 1, "cells": len(path)})
    s.goal = All(~one for one in flag.values())
    return s


LEGEND = {"#": "wall", ".": "ice", "@": "sledge on ice", "!": "flag on ice"}
LOOK = {"wall": "#334455", "ice": "#ddeeff", "sledge": ".....\n.000.\n00000\n.1.1.\n.....", "flag": "🚩"}
PUZZLE = puzzle("glide", glide, grid(LEGEND, LOOK, single="sledge"), metrics=("slides", "cells"))

LEVELS = """
Title: Brakes
.....#
.#..!.
@..#..
...!..

Title: Out of the way
@...
.!..
....
"""
