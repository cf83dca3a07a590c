"""What the names in a file for another tool mean, as comments for people who read it."""

from collections.abc import Iterable, Iterator

from puzzlemc.mc.model.formula import literals
from puzzlemc.mc.model.model import Model


def legend(model: Model) -> Iterator[str]:
    """Yield a line for each atom that is a conjunction of literals: `player@(2,3) = player[0] & !player[1]`."""
    yield "Atoms of the level, whose rows and columns count from 1, as bits of its model:"
    for name, formula in model.atoms.items():
        cube = literals(formula)
        if cube:
            yield f"  {name} = {' & '.join(f'{b}' if value else f'!{b}' for b, value in cube.items())}"


def commented(sign: str, lines: Iterable[str]) -> str:
    """Lines as comments that begin with a sign."""
    return "".join(f"{sign}{plain(line)}\n" for line in lines)


def plain(text: str) -> str:
    """A text in one line."""
    return "".join(each if each.isprintable() else " " for each in text)
