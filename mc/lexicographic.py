"""Names of two metrics in lexicographic order, such as `one,other`. `mc/engines/lexicographic.py` optimises them.

A plan is optimal if it costs least under the first metric and, among these plans, least under the second.
"""

COMMA = ","


def first(metric: str) -> str:
    """The first metric; of a single metric, this metric."""
    return metric.partition(COMMA)[0]


def second(metric: str) -> str:
    """The second metric; of a single metric, the empty string."""
    return metric.partition(COMMA)[2]


def pairs(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """All ordered pairs of two different metrics."""

    return tuple(f"{one}{COMMA}{other}" for one in metrics for other in metrics if one != other)
