"""Conditions as formulas: a cube if possible, or a disjunction of a few cubes; else a literal of the graph.

Engines read a cube best: they may list the states, and search from them. Conjunctions and disjunctions are put
together part by part, and all else case by case.
"""

from collections.abc import Iterable, Sequence

from puzzlemc.encodings.modelling.language.expressions import Expression, Junction
from puzzlemc.encodings.modelling.model.cases import FAULT
from puzzlemc.encodings.modelling.model.formulas import FEW_CASES, Formulas
from puzzlemc.mc.model.expressions import Or
from puzzlemc.mc.model.formula import Cube, Formula, conjunction
from puzzlemc.mc.model.formula import Expression as Disjunction
from puzzlemc.mc.proofs.circuit import FALSE

MOST_CUBES = 64
DEEPEST = 20  # levels of conjunctions and disjunctions


def condition(formulas: Formulas, expression: Expression) -> tuple[Formula, int]:
    """Where an expression is true; and the literal: it is no truth value, or raises an exception."""
    true, wrong = formulas.truth(expression, {})
    cubes = _cubes(formulas, expression) if wrong == FALSE else None
    if cubes is None:
        return formulas.formula(true), wrong
    if len(cubes) == 1:
        return cubes[0], wrong
    found: Disjunction = Or(*[conjunction(formulas.coding.short(cube)) for cube in cubes])
    return found, wrong


def _cubes(formulas: Formulas, expression: Expression, depth: int = 0) -> list[Cube] | None:
    """Cubes whose disjunction the expression is where it is a truth value; None if there are too many.

    Each has all bits of the variables whose value it says.
    """
    if isinstance(expression, Junction) and len(expression.reads) > 1:
        if depth == DEEPEST:
            return None
        parts = list[list[Cube]]()
        for part in expression.parts:
            found = _cubes(formulas, part, depth + 1)
            if found is None:
                return None
            parts.append(found)
        return _conjunction(parts) if expression.is_conjunction else _few(each for part in parts for each in part)
    if formulas.cases(expression.reads, {}, FEW_CASES) is None:
        return None
    reads, rows, values = formulas.by_cases(expression, {})
    true = [row for row, value in zip(rows, values, strict=True) if value is not FAULT and value]
    coding = formulas.coding
    if len(reads) == 1:
        cube = coding.among(reads[0], [coding.number[reads[0]][value] for (value,) in true]) if true else None
        if cube is not None:
            return [coding.complete(cube)]
    if len(true) > MOST_CUBES:
        return None
    tests = (
        [coding.test(n, coding.number[n][value]) for n, value in zip(reads, row, strict=True)] for row in true
    )
    return [coding.complete({b: held for test in row for b, held in test.items()}) for row in tests]


def _conjunction(parts: Sequence[Sequence[Cube]]) -> list[Cube] | None:
    found: list[Cube] | None = [{}]
    for part in sorted(parts, key=len):
        if found is not None:
            found = _few(
                {**one, **other}
                for one in found
                for other in part
                if all(one.get(b, held) == held for b, held in other.items())
            )
    return found


def _few(cubes: Iterable[Cube]) -> list[Cube] | None:
    """These cubes, None if they are too many."""
    found = list[Cube]()
    for cube in cubes:
        if len(found) == MOST_CUBES:
            return None
        found.append(cube)
    return found
