"""Binary decision diagrams by OxiDD, for installations whose `dd` was built without CUDD.

It has the part of the interface of `dd.cudd` that is used here. OxiDD's diagrams have complement edges, as those
of CUDD have. The room for nodes is reserved at first and used as the diagrams grow; an operation without room
raises MemoryError. The order of variables is that of their declaration.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from oxidd.bcdd import BCDDFunction, BCDDManager
from oxidd.util import BooleanOperator

BYTES_PER_NODE = 40  # its share of the unique table included
FEWEST = 1 << 8  # nodes: OxiDD ends the process where it has no room at all


class Function:
    """A set of assignments. Equal sets are equal functions."""

    __slots__ = ("bdd", "made")

    def __init__(self, made: BCDDFunction, bdd: "BDD") -> None:
        self.made = made
        self.bdd = bdd

    def __and__(self, other: "Function", /) -> "Function":
        return Function(self.made & other.made, self.bdd)

    def __or__(self, other: "Function", /) -> "Function":
        return Function(self.made | other.made, self.bdd)

    def __invert__(self) -> "Function":
        return Function(~self.made, self.bdd)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.made == other.made

    def __hash__(self) -> int:
        return hash(self.made)

    def __len__(self) -> int:
        return self.made.node_count()

    def equiv(self, other: "Function") -> "Function":
        """The assignments to which both give the same value."""
        return Function(self.made.equiv(other.made), self.bdd)

    @property
    def var(self) -> str | None:
        """The name of its first variable; None of a constant."""
        number = self.made.node_var()
        return None if number is None else self.bdd.names[number]


class BDD:
    """A manager of diagrams."""

    def __init__(self, memory: int, cache: int) -> None:
        """Reserve room for nodes in these bytes, and for this number of entries in the cache."""
        capacity = max(memory // BYTES_PER_NODE, FEWEST)
        self._manager = BCDDManager(capacity, min(capacity, cache), 1)
        self.names: list[str] = []
        self._number: dict[str, int] = {}
        self.false = Function(self._manager.false(), self)
        self.true = Function(self._manager.true(), self)

    def declare(self, *names: str) -> None:
        """Add variables below all others."""
        for name, number in zip(names, self._manager.add_vars(len(names)), strict=True):
            self._number[name] = number
            self.names.append(name)

    def __len__(self) -> int:
        return self._manager.num_inner_nodes()

    def var(self, name: str) -> Function:
        """The assignments in which this variable is true."""
        return Function(self._manager.var(self._number[name]), self)

    def level_of_var(self, name: str) -> int:
        """The place of a variable in the order."""
        return self._number[name]

    def cube(self, literals: Mapping[str, bool]) -> Function:
        """The assignments with these values."""
        found = self._manager.true()
        numbered = {self._number[name]: value for name, value in literals.items()}
        for number, value in sorted(numbered.items(), reverse=True):  # from the bottom up: one new node each
            found = (self._manager.var(number) if value else self._manager.not_var(number)) & found
        return Function(found, self)

    def ite(self, condition: Function, then: Function, other: Function) -> Function:
        """`then` where the condition holds, and `other` elsewhere."""
        return Function(condition.made.ite(then.made, other.made), self)

    def let(self, values: Mapping[str, bool | Function], f: Function) -> Function:
        """The function with values or functions in place of variables, all at once."""
        constants = self.false, self.true
        functions = {
            name: value if isinstance(value, Function) else constants[value] for name, value in values.items()
        }
        pairs = [(self._number[name], function.made) for name, function in functions.items()]
        return Function(f.made.substitute(BCDDFunction.make_substitution(pairs)), self)

    def pick(self, f: Function, care_vars: Collection[str]) -> dict[str, bool] | None:
        """The values of these variables in one assignment of the set; None if it is empty."""
        values: Sequence[bool | None] | None = f.made.pick_cube()
        if values is None:
            return None
        return {name: bool(values[self._number[name]]) for name in care_vars}

    def and_exists(self, f: Function, g: Function, names: Iterable[str]) -> Function:
        """The assignments to which some values of these variables can be given so that they are in both sets."""
        variables = self.cube(dict.fromkeys(names, True))
        return Function(f.made.apply_exists(BooleanOperator.AND, g.made, variables.made), self)
