"""Boolean expressions: those of `pyeda` where it is installed, otherwise our own, with the same names.

`pyeda` comes as source and needs a C compiler, so it is optional. Where it is installed, its expressions are used,
because puzzles of other authors may join bits by its functions.
"""

try:
    from pyeda.boolalg.expr import And, Not, One, Or, Zero, exprvar
except ImportError:
    from puzzlemc.mc.model.own_expressions import And, Not, One, Or, Zero, exprvar

__all__ = ["And", "Not", "One", "Or", "Zero", "exprvar"]
