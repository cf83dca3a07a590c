"""Numbers and costs as text: with thousands separators, with units, or in percent."""

from collections.abc import Callable


def number(value: int) -> str:
    """A number with thousands separators; a very large number is rounded."""
    if value < 10**15:
        return f"{value:,}"
    digits = str(value)
    return f"{digits[0]}.{digits[1:3]} × 10^{len(digits) - 1}"


def counted(value: int, metric: str) -> str:
    """A cost with its unit: the metric, in the singular for 1. Of two metrics in order, the first is used."""
    metric = metric.partition(",")[0]
    return f"{number(value)} {singular(metric) if value == 1 else metric}"


def none_better(metric: str) -> str:
    """The end of a sentence that says that a solution is optimal."""
    return "no solution costs less" if metric == "cost" else f"no solution has fewer {metric}"


def none_below(cost: int, metric: str) -> str:
    """Say that no solution costs less than `cost`."""
    return (
        f"no solution costs less than {number(cost)}"
        if metric == "cost"
        else f"no solution has fewer than {counted(cost, metric)}"
    )


def cost_in_digits(
    cost: int | None, *, least: bool = True, bound: int | None = None, write: Callable[[int], str] = str
) -> str:
    """A cost for tables: `96`, or `-` if there is none.

    A cost that is not proved to be least is written `≤ 96`, or `80 ≤ 96` with a proved lower bound of 80.
    """
    if cost is None:
        return "-"
    if least or cost == 0 or cost == bound:
        return write(cost)
    return f"{write(bound)} ≤ {write(cost)}" if bound else f"≤ {write(cost)}"


def cost_in_words(cost: int, metric: str, *, least: bool = True, bound: int | None = None) -> str:
    """`cost_in_digits` with its unit: `80 ≤ 96 pushes`."""
    metric = metric.partition(",")[0]
    unit = singular(metric) if cost == 1 else metric
    return f"{cost_in_digits(cost, least=least, bound=bound, write=number)} {unit}"


def verdict_counted(count: int, verdict: str, unproved: int) -> str:
    """The number of levels with a verdict, and the number of those whose cost is not proved to be least."""
    words = f"{number(count)} {verdict}"
    if not unproved or verdict != "solvable":
        return words
    if count == 1:
        return f"{words}, perhaps not the cheapest"
    return f"{words}, {'all' if unproved == count else number(unproved)} of them perhaps not the cheapest"


def singular(metric: str) -> str:
    """The singular of the name of a metric, or of objects."""
    return metric.removesuffix("es") if metric.endswith(("shes", "sses", "xes")) else metric.removesuffix("s")


def share(part: float, whole: float) -> str:
    """A share in percent, never rounded to 0 % or 100 %."""
    if part in (0, whole) or not whole:
        return "100 %" if part and part == whole else "0 %"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def no_solution_below(bound: int, metric: str) -> str:
    """A bound in words; empty for the bound 0, and for the metric `any`, which has no costs."""
    from puzzlemc.mc.model.action import ANY

    if bound == 0 or metric == ANY:
        return ""
    return f"no solution below {counted(bound, metric)}"
