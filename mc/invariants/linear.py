"""Linear programs by the simplex method of HiGHS (Huangfu and Hall 2018), in floating point."""

from collections.abc import Mapping, Sequence

import numpy as np

Inequality = tuple[Mapping[int, int], int]  # column -> coefficient; what their sum is at most


def least(
    costs: Sequence[float], inequalities: Sequence[Inequality], low: Sequence[float], high: float, iterations: int
) -> list[float] | None:
    """The values of the columns with the least costs, from `low` to `high`; None if there are none or if it takes
    too long."""
    import highspy  # few levels need it

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("simplex_iteration_limit", iterations)
    none, total = np.empty(0, np.int32), len(costs)
    solver.addCols(
        total, np.array(costs, float), np.array(low, float), np.full(total, high), 0, none, none, np.empty(0)
    )
    starts = np.cumsum([0, *(len(row) for row, _ in inequalities)])[:-1].astype(np.int32)
    index = np.array([c for row, _ in inequalities for c in row], np.int32)
    value = np.array([v for row, _ in inequalities for v in row.values()], float)
    bounds = np.array([float(bound) for _, bound in inequalities])
    below = np.full(len(inequalities), -highspy.kHighsInf)
    solver.addRows(len(inequalities), below, bounds, len(index), starts, index, value)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return [float(number) for number in solver.getSolution().col_value]
