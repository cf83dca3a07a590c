"""Formulas in which some bits are fixed: their cofactors, and their conjunctions with a cube."""

from collections.abc import Mapping

from puzzlemc.mc.model.expressions import And
from puzzlemc.mc.model.formula import FALSE, Clauses, Cube, Expression, Formula, Gates, Signal, conjunction


def restricted(formula: Formula, point: Cube) -> Formula:
    """The formula with these values substituted for bits (its cofactor)."""
    if isinstance(formula, Mapping):
        if any(point.get(b, value) != value for b, value in formula.items()):
            return FALSE
        return {b: value for b, value in formula.items() if b not in point}
    if isinstance(formula, Clauses):
        values = {i: point[b] for i, b in enumerate(formula.written.bits, 1) if b in point}
        open_rows = [row for row in formula.rows if not any(values.get(abs(v)) == (v > 0) for v in row)]
        return Clauses(formula.bits, [[v for v in row if abs(v) not in values] for row in open_rows])
    if isinstance(formula, Signal):
        graph = formula.graph
        inputs = tuple(held if isinstance(held, bool) else point.get(held, held) for held in graph.inputs)
        return Signal(Gates(inputs, graph.gates), formula.literal)
    return formula.restrict({b: int(value) for b, value in point.items()})


def narrowed(formula: Formula, cube: Cube) -> Formula:
    """The conjunction of the formula and a cube."""
    if isinstance(formula, Mapping):
        clash = any(formula.get(b, value) != value for b, value in cube.items())
        return FALSE if clash else {**formula, **cube}
    if isinstance(formula, Clauses):
        bits = (*formula.written.bits, *cube)
        units = [[n if value else -n] for n, value in enumerate(cube.values(), len(formula.bits) + 1)]
        return Clauses(bits, [*formula.rows, *units])
    if isinstance(formula, Signal):
        return _narrowed_gates(formula, cube)
    found: Expression = And(formula, conjunction(cube))
    return found


def _narrowed_gates(signal: Signal, cube: Cube) -> Signal:
    """The conjunction of the signal and a cube, in a graph of its own."""
    graph, more = signal.graph, len(cube)
    shift = 2 * more  # of literals of gates, since the bits of the cube become inputs, too

    def moved(literal: int) -> int:
        return literal + shift if literal >> 1 > len(graph.inputs) else literal

    gates = [(moved(one), moved(other)) for one, other in graph.gates]
    found = moved(signal.literal)
    for number, value in enumerate(cube.values(), len(graph.inputs) + 1):
        gates.append((found, 2 * number + (not value)))
        found = 2 * (len(graph.inputs) + more + len(gates))
    return Signal(Gates((*graph.inputs, *cube), gates), found)
