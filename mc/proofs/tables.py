"""Proofs by tables: lower bounds on the cost to the goal out of tables, and states near the start that they leave.

A table has values for the combinations of codes of its variables. A *row* adds one value of each of some tables.
It is a lower bound on the cost to the goal, since no action lowers it by more than its cost. So is the sum of the
weights of a potential, divided by its divisor. The bound of a state is the greatest of all. Only states whose cost
and bound are less than the bound of the proof are listed; A* expands no others (Hart, Nilsson and Raphael 1968).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from puzzlemc.mc.proofs.facts import Facts
from puzzlemc.mc.proofs.listed import ListedStates

if TYPE_CHECKING:  # it needs numpy, and commands that only show results do not
    from puzzlemc.mc.proofs.blocks import Block

DEAD, NEVER = 0xFFFE, 0xFFFF  # in place of a value: no goal is reached from there; no reachable state is there


@dataclass(frozen=True)
class Table:
    """Values for the combinations of codes of variables, in one column for each row that adds them.

    variables  their numbers in the facts of the proof
    rows       the numbers of the rows, one a column; none: the table only says where states are dead
    data       the values, compressed by zlib: numbers of 16 bits, the lower byte first. The combinations of codes
               are in order, where the first variable counts least. Each has a number for each column, and one if
               there are no columns
    """

    variables: tuple[int, ...]
    rows: tuple[int, ...]
    data: bytes | memoryview


@dataclass(frozen=True)
class Potential:
    """Weights of the codes of variables; their sum, divided by a number, is a lower bound.

    weights  of the codes of each variable of the proof, in order, positive or negative; () for one without weights
    divisor  at least 1
    """

    weights: tuple[tuple[int, ...], ...]
    divisor: int


@dataclass(frozen=True)
class TableProof:
    """A proof that no run costs less than `listed.below`; if that is None, that no run reaches the goal.

    facts      what the tables are about; each goal state satisfies one of its goals
    tables     for lower bounds
    listed     the states near the start whose cost and lower bound are less than the bound of the proof
    potential  for one more lower bound
    """

    facts: Facts
    tables: tuple[Table, ...]
    listed: ListedStates
    potential: Potential | None = None

    @property
    def below(self) -> int | None:
        """The bound on costs."""
        return self.listed.below

    @property
    def blocks(self) -> "tuple[Block, ...]":
        """The blocks of all states."""
        return self.listed.blocks
