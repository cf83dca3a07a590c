"""Write a puzzle of your own: all names that authors import. `docs/own_puzzle.md` shows how.

What stands in `__all__` changes only after a deprecation of one minor version: a puzzle that loads today keeps
loading, and keeps its answers.

puzzle              a puzzle: the value of `PUZZLE` in a Python file
System              variables with finite domains, actions and a goal: the puzzle of one level
Rules               the rules of a puzzle as three functions, in the place of a system
grid, numbers, fields, optional, free
                    how levels are read: boards with a legend, numbers, `key: value` lines, a function of the text
If, All, Any, Count, Sum, Min, Max, Distinct, apply
                    functions of expressions, beside the operators + - * // % == != < <= > >= & | ^ ~
Expression, Variable, Family
                    the types of expressions, of variables, and of variables by index, for annotations
Grid, Numbers, Fields, Level
                    the types of what the readers find in a text, and of levels
"""

from puzzlemc.encodings.modelling.alone import Rules
from puzzlemc.encodings.modelling.language.expressions import All, Expression, If, Variable
from puzzlemc.encodings.modelling.language.expressions import AnyOf as Any
from puzzlemc.encodings.modelling.language.functions import Count, Distinct, Family, Max, Min, Sum, apply
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.puzzle import puzzle
from puzzlemc.screens.modelling import Fields, Grid, Level, Numbers, fields, free, grid, numbers, optional

__all__ = [
    "All",
    "Any",
    "Count",
    "Distinct",
    "Expression",
    "Family",
    "Fields",
    "Grid",
    "If",
    "Level",
    "Max",
    "Min",
    "Numbers",
    "Rules",
    "Sum",
    "System",
    "Variable",
    "apply",
    "fields",
    "free",
    "grid",
    "numbers",
    "optional",
    "puzzle",
]
