"""The atoms of a system for formulas: the goal, the facts of the author, and variables named by a word.

A flag is an atom by its name. Flags of places are the atoms `name@(r,c)`, and so is a variable whose values are
places: it is there.
"""

from collections.abc import Iterator

from puzzlemc.encodings.modelling.language.expressions import TRUTH, Constant, Expression, Variable
from puzzlemc.encodings.modelling.language.system import FACT, System, is_place
from puzzlemc.encodings.modelling.model.conditions import condition
from puzzlemc.encodings.modelling.model.formulas import Formulas
from puzzlemc.encodings.puzzle.encoded import Place, placed
from puzzlemc.mc.model.formula import Formula

SOLVED, LOST = "solved", "lost"


def named(system: System, formulas: Formulas) -> dict[str, Formula]:
    """The atoms of a system but that for its goal."""
    found: dict[str, Formula] = {}
    if not isinstance(system.lost, Constant):
        found[LOST] = condition(formulas, system.lost)[0]
    for family, place, truth in _facts(system):
        name = family if place is None else placed(family, [place])[place]
        found[name] = condition(formulas, truth)[0]
    return found


def places(system: System) -> dict[str, dict[Place, str]]:
    """The names of the atoms of places, by family."""
    found: dict[str, list[Place]] = {}
    for family, place, _ in _facts(system):
        if place is not None:
            found.setdefault(family, []).append(place)
    return {family: placed(family, there) for family, there in found.items()}


def _facts(system: System) -> Iterator[tuple[str, Place | None, Expression]]:
    """Yield the name of each atom, its place if it is about one, and its truth value."""
    for fact in system.named:
        yield fact.name, fact.place, fact.truth
    for variable in system.variables:
        if FACT.fullmatch(variable.family) and variable is not system.mover:
            yield from _of_variable(variable)


def _of_variable(variable: Variable) -> Iterator[tuple[str, Place | None, Expression]]:
    if variable.kind == TRUTH:
        if variable.index is None:
            yield variable.family, None, variable
        elif is_place(variable.index):
            yield variable.family, variable.index, variable
    elif variable.index is None and all(map(is_place, variable.domain)):
        for place in variable.domain:
            if is_place(place):
                yield variable.family, place, variable == place
