"""Texts of problems in PDDL, and the cells of boards."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Problem: TypeAlias = tuple[str, str]  # domain, problem
Cell: TypeAlias = tuple[int, int]

SIDES: Mapping[str, Cell] = {"east": (0, 1), "south": (1, 0), "west": (0, -1), "north": (-1, 0)}
OPPOSITE = {"east": "west", "south": "north", "west": "east", "north": "south"}


def problem(
    domain: str,
    objects: Mapping[str, Iterable[str]],
    init: Iterable[str],
    goal: Iterable[str],
    *,
    costs: bool = False,
) -> Problem:
    """A domain, and a problem of it; `costs` asks for least costs."""
    named = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items())
    name = domain.split("(domain ")[1].split(")")[0]
    parts = [f"(:objects {named})", f"(:init {' '.join(init)})", f"(:goal (and {' '.join(goal)}))"]
    parts += ["(:metric minimize (total-cost))"] if costs else []
    return domain, f"(define (problem one) (:domain {name})\n  " + "\n  ".join(parts) + ")\n"


def name_of(cell: Cell) -> str:
    """The object that stands for a cell."""
    return f"c{cell[0]}-{cell[1]}"


def rectangle(height: int, width: int) -> list[Cell]:
    """The cells of a rectangle, row by row."""
    return [(r, c) for r in range(height) for c in range(width)]


def beside(cell: Cell, side: str) -> Cell:
    """The next cell on a side."""
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def neighbours(cells: Sequence[Cell]) -> list[tuple[Cell, str, Cell]]:
    """Each cell with each side on which there is a cell, and that cell."""
    there = set(cells)
    return [(cell, side, beside(cell, side)) for cell in cells for side in SIDES if beside(cell, side) in there]


def numbers(kind: str, count: int) -> list[str]:
    """Names of objects."""
    return [f"{kind}{number}" for number in range(count)]


def seeded(*key: object) -> random.Random:
    """Random numbers, the same ones for the same key."""
    return random.Random(" ".join(map(str, key)))
