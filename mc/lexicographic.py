"""Two metrics in order, `one,other`: what they are called. `mc/engines/lexicographic.py` decides by them.

Of all runs those count that cost least under the first, and of these the ones that cost least under the second.
"""

COMMA = ","


def first(metric: str) -> str:
    """The metric that comes first; a single one is that itself."""
    return metric.partition(COMMA)[0]


def second(metric: str) -> str:
    """The metric that comes second, empty for a single one."""
    return metric.partition(COMMA)[2]


def pairs(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """All orders of two of the metrics."""
    return tuple(f"{one}{COMMA}{other}" for one in metrics for other in metrics if one != other)
