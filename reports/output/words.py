"""Numbers and costs in words: with commas, with what they count, in percent."""

from collections.abc import Callable


def number(value: int) -> str:
    """A number for people: with commas, or, where it is very long, rounded."""
    if value < 10**15:
        return f"{value:,}"
    digits = str(value)
    return f"{digits[0]}.{digits[1:3]} × 10^{len(digits) - 1}"


def counted(value: int, metric: str) -> str:
    """A cost with its metric, which is the plural of what is counted; of two in order, the first."""
    metric = metric.partition(",")[0]
    return f"{number(value)} {singular(metric) if value == 1 else metric}"


def cost_in_digits(
    cost: int | None, *, least: bool = True, bound: int | None = None, write: Callable[[int], str] = str
) -> str:
    """A cost as tables have it: `96`, or `-` where there is none.

    One that is not proved to be least is written `≤ 96`, and `80 ≤ 96` where it is proved that no solution costs
    less than 80.
    """
    if cost is None:
        return "-"
    if least or cost == 0 or cost == bound:
        return write(cost)
    return f"{write(bound)} ≤ {write(cost)}" if bound else f"≤ {write(cost)}"


def cost_in_words(cost: int, metric: str, *, least: bool = True, bound: int | None = None) -> str:
    """The same with its metric: `80 ≤ 96 pushes`."""
    metric = metric.partition(",")[0]
    unit = singular(metric) if cost == 1 else metric
    return f"{cost_in_digits(cost, least=least, bound=bound, write=number)} {unit}"


def verdict_counted(count: int, verdict: str, unproved: int) -> str:
    """How many levels have a verdict, and of how many of them the cost is not proved to be least."""
    words = f"{number(count)} {verdict}"
    if not unproved or verdict != "solvable":
        return words
    if count == 1:
        return f"{words}, perhaps not the fewest"
    return f"{words}, {'all' if unproved == count else number(unproved)} of them perhaps not the fewest"


def singular(metric: str) -> str:
    """What a metric counts, one of it."""
    return metric.removesuffix("es") if metric.endswith(("shes", "sses")) else metric.removesuffix("s")


def share(part: int, whole: int) -> str:
    """A share in percent, never rounded to none or all."""
    if part in (0, whole) or not whole:
        return "100 %" if part and part == whole else "0 %"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def no_solution_below(bound: int, metric: str) -> str:
    """What a bound says; nothing for the bound 0, and nothing under `any`, which is no metric of the puzzle."""
    from puzzlemc.mc.model.action import ANY

    if bound == 0 or metric == ANY:
        return ""
    return f"no solution below {counted(bound, metric)}"
