"""Numbers and costs in words: with commas, with what they count, in percent."""


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


def singular(metric: str) -> str:
    """What a metric counts, one of it."""
    return metric.removesuffix("es") if metric.endswith(("shes", "sses")) else metric.removesuffix("s")


def share(part: int, whole: int) -> str:
    """A share in percent, never rounded to none or all."""
    if part in (0, whole) or not whole:
        return "100 %" if part and part == whole else "0 %"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def no_solution_below(bound: int, metric: str) -> str:
    """What a bound says; nothing for the bound 0, which says nothing.

    Under `any` engines count the model's actions, or some of them. Not every action is a move, so nothing is said
    of moves.
    """
    if bound == 0:
        return ""
    from puzzlemc.mc.model import ANY  # commands import this module before they know whether they need models

    if metric == ANY:
        return f"no solution below {counted(bound, 'actions')} of the model"
    return f"no solution below {counted(bound, metric)}"
