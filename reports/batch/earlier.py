"""An earlier and a new answer: is the earlier one enough, do they contradict, what do both prove together."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.batch.orders import Orders
from puzzlemc.reports.batch.store import Earlier
from puzzlemc.reports.certify.file_names import CERTIFICATE, OF_CHANCE, STRATEGIES, quoted, short_name
from puzzlemc.reports.certify.strategies import asked_in
from puzzlemc.reports.solve.attempt import INTERRUPTED
from puzzlemc.reports.solve.result import Result, bounded

DECIDED = {"solvable", "unsolvable"}


def is_enough(earlier: Earlier, orders: Orders, tried: Callable[[], None] = lambda: None) -> bool:
    """Need the level not be solved again? A solution that is not proved to be cheapest counts as partly unknown.

    `tried` is called if the level is to be tried again, but the limits are no larger than before.
    """
    verdict, options = earlier.verdict, orders.options
    is_decided = verdict in DECIDED
    is_proved = verdict != "solvable" or bool(earlier.optimal) or earlier.metric == ANY
    if earlier.reason == INTERRUPTED and (verdict == "unknown" or not is_proved):
        return False
    if is_decided and orders.certified and earlier.certificate is None:
        return False
    if is_decided and (is_proved or "unknown" not in orders.retry):
        return True
    if not is_decided and verdict not in orders.retry:
        return True
    if verdict == "error":
        return False
    if _seconds(options.timeout) > _seconds(earlier.timeout) or options.memory > earlier.memory:
        return False
    tried()
    return True


def _seconds(timeout: float) -> float:
    return timeout or float("inf")


def contradiction(old: tuple[str, int | None, bool], new: Result) -> str:
    """Why an earlier answer (verdict, cost, optimal) and a new one contradict each other; empty if they do not."""
    verdict, cost, optimal = old
    if {verdict, new.verdict} == {"solvable", "unsolvable"}:
        return f"found {new.verdict}, but {verdict} before"
    if verdict != "solvable" or new.verdict != verdict or cost is None or new.cost is None:
        return ""
    if (optimal and new.cost < cost) or (new.optimal and new.cost > cost):
        return f"found a cost of {new.cost}, but {cost} before, and the least is claimed to be known"
    return ""


def says_more(old: Result, new: Result) -> bool:
    """Does an earlier answer say more than a new one, which adds nothing to it?"""
    is_decided = old.verdict in DECIDED and new.verdict not in DECIDED
    return is_decided and (not old.is_unproved or new.verdict == "error")


def merged(old: Result, new: Result, *, is_cost: bool) -> Result:
    """The new result with a cheaper solution or a higher bound of the old one.

    `is_cost` says that solutions are compared by cost. Raises Refuted if a solution costs less than the bound of
    the other result.
    """
    if is_cost and new.verdict == "solvable" and new.cost is not None and old.bound is not None:
        bounded(new, old.bound, new.metric or "")
    if new.verdict == "unsolvable" or (new.verdict == "solvable" and (new.optimal or not is_cost)):
        return new
    bound = max(old.bound or 0, new.bound or 0)
    best = new
    if old.verdict == "solvable" and (new.cost is None or (old.cost is not None and old.cost <= new.cost)):
        best = replace(old, id=new.id, title=new.title, reason=new.reason)
    if best.verdict == "unknown":
        return replace(best, bound=bound)
    return best if best.cost is None or not is_cost else bounded(best, bound, best.metric or "")


def certificate_name(id: str, content: bytes, data: bytes) -> str:
    """The name of a file for this certificate: file and number of the level, and a few digits of its digest."""
    if data.startswith(b"{"):
        return file_name(id, content) + CERTIFICATE
    asked = asked_in(data)
    return file_name(id, content) + (STRATEGIES if asked is None else OF_CHANCE[asked])


def file_name(id: str, content: bytes) -> str:
    """The name of a file about a level, without suffix."""
    name = quoted(Path(id).name).replace("%23", "-")
    return f"{short_name(name)}.{content.hex()[:8]}"
