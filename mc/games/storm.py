"""The model checker Storm, https://www.stormchecker.org: the best probabilities of a decision process.

Small processes are solved in rational numbers. For others, optimistic value iteration in floating point ends with
a lower and an upper bound of each probability. Nothing of it is trusted: `bounds` has the checks.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.installed import adding

Choice: TypeAlias = Mapping[int, int]  # by node that may follow: its share of the probability
GAP = "1/10000000000"  # at most, between the bounds of a probability
MOST_DIGITS = 4_000  # of a fraction: Python reads and writes numbers of 4,300 digits at most
QUESTION = 'Pmax=? [F "goal"]'


def require() -> Any:
    """The library. Raises ModelError without it."""
    try:
        import stormpy
    except ImportError:
        raise ModelError(f"the best probability of winning needs stormpy: {adding('chance')}") from None
    stormpy.developer.set_log_level(stormpy.developer.LogLevel.OFF)  # it would write to standard output
    return stormpy


class _Rows:
    """The choices of all nodes as the entries of a matrix."""

    def __init__(self, nodes: Sequence[Sequence[Choice]], number: Callable[[int, int], Any]) -> None:
        """Takes how a share of a total is written as a number."""
        self.nodes = len(nodes)
        self.rows, self.columns, self.values = list[int](), list[int](), list[Any]()
        self.groups = list[int]()  # the first row of each node
        self.count = 0
        for choices in nodes:
            self.groups.append(self.count)
            for choice in choices:
                total = sum(choice.values())
                for node, share in sorted(choice.items()):
                    self.rows.append(self.count)
                    self.columns.append(node)
                    self.values.append(number(share, total))
                self.count += 1


def exact(nodes: Sequence[Sequence[Choice]], goal: int, start: int) -> list[Fraction] | None:
    """The best probability of coming to the goal, for each node; None if one has more than MOST_DIGITS digits.

    Raises LimitReached.
    """
    storm = require()
    kind = storm.Rational
    rows = _Rows(nodes, lambda share, total: kind(str(Fraction(share, total))))
    found = _asked(storm, kind, rows, (goal, start), storm.environments.exact())
    values = list(map(str, found.get_value_vector()))
    return None if max(map(len, values)) > MOST_DIGITS else list(map(Fraction, values))


def bounded(nodes: Sequence[Sequence[Choice]], goal: int, start: int) -> tuple[list[float], list[float]]:
    """A lower and an upper bound of the best probability of coming to the goal, for each node.

    Raises LimitReached.
    """
    storm = require()
    environment = storm.environments.sound()
    solver = environment.solver().min_max()
    solver.method = storm.environments.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
    solver.precision, solver.relative_termination_criterion = storm.Rational(GAP), False
    found = _asked(storm, float, _Rows(nodes, lambda share, total: share / total), (goal, start), environment)
    return found.get_lower_bound_vector(), found.get_upper_bound_vector()


def _asked(storm: Any, kind: Any, made: _Rows, ends: tuple[int, int], environment: Any) -> Any:
    """What Storm answers for a process whose goal and start are given."""
    builder = storm.datastructures.SparseMatrixBuilder[kind](
        rows=made.count,
        columns=made.nodes,
        entries=len(made.values),
        has_custom_row_grouping=True,
        row_groups=made.nodes,
    )
    builder.add_next_values(made.rows, made.columns, made.values, made.groups)
    labels = storm.models.StateLabeling(made.nodes)
    for name, node in zip(("goal", "init"), ends, strict=True):
        labels.add_label(name)
        labels.add_label_to_state(name, node)
    parts = storm.models.SparseModelComponents[kind](transition_matrix=builder.build(), state_labeling=labels)
    (question,) = storm.parse_properties(QUESTION)
    try:
        return storm.model_checking(storm.models.SparseMdp[kind](parts), question, environment=environment)
    except (storm.exceptions.StormError, RuntimeError) as error:
        raise LimitReached("bound", f"Storm ends with an error: {error}") from None
