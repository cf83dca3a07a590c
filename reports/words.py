"""Numbers and costs in words."""

from puzzlemc.mc.model import ANY


def number(value: int) -> str:
    """A number for people: with commas, or, where it is very long, rounded."""
    if value < 10**15:
        return f"{value:,}"
    digits = str(value)
    return f"{digits[0]}.{digits[1:3]} × 10^{len(digits) - 1}"


def counted(value: int, metric: str) -> str:
    """A cost with its metric, which is the plural of what is counted."""
    one = metric.removesuffix("es") if metric.endswith("shes") else metric.removesuffix("s")
    return f"{number(value)} {one if value == 1 else metric}"


def no_solution_below(bound: int, metric: str) -> str:
    """What a bound says; nothing for the bound 0, which says nothing.

    Under `any` engines count the model's actions, or some of them. Not every action is a move, so nothing is said
    of moves.
    """
    if bound == 0:
        return ""
    if metric == ANY:
        return f"no solution below {counted(bound, 'actions')} of the model"
    return f"no solution below {counted(bound, metric)}"
