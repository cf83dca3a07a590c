"""Another thread can cancel a running search, which then ends at once."""

import time
from threading import Thread

import pytest
from known_models import counter, shuffle

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import Variant, variants
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.verdict import Unknown, Verdict

SECONDS = 0.1  # within which a cancelled search must end
SLACK = 3  # attempts, of which one must be in time: other work on the machine may delay the rest


def hard(name: str) -> Model:
    """A model on which the engine works longer than a test can wait.

    With decision diagrams, the model has small ones: one operation on large ones takes seconds without a check.
    """
    return shuffle(60) if name in ("best-first", "explicit", "uniform_cost") else counter(40)


def cancelled(decide: object, model: Model, after: float) -> tuple[Verdict, float]:
    """The verdict of a search that is cancelled after this number of seconds, and the time until it ended."""
    budget = Budget(Limits(seconds=60))
    verdicts: list[Verdict] = []
    thread = Thread(target=lambda: verdicts.append(decide(model, "cost", budget)))  # type: ignore[operator]
    thread.start()
    time.sleep(after)
    assert thread.is_alive(), "the model is too easy for this test"
    budget.cancel()
    started = time.perf_counter()
    thread.join()
    return verdicts[0], time.perf_counter() - started


@pytest.mark.parametrize(
    "variant", [*variants(), uniform_cost, auto], ids=lambda v: getattr(v, "__name__", str(v))
)
def test_every_engine_ends_at_once(variant: Variant) -> None:
    took = []
    for turn in range(SLACK):
        name = variant.engine.name if isinstance(variant, Variant) else variant.__name__
        verdict, seconds = cancelled(variant, hard(name), 0.4 + 0.4 * turn)
        verdict = getattr(verdict, "verdict", verdict)
        assert isinstance(verdict, Unknown)
        assert verdict.reason == "cancelled"
        took.append(seconds)
        if seconds < SECONDS:
            break
    assert min(took) < SECONDS, took


def test_cancelling_a_budget_cancels_its_parts() -> None:
    budget = Budget()
    part = budget.part(Limits(seconds=5))
    part.check()
    budget.cancel()
    with pytest.raises(Exception, match="cancelled"):
        part.check()
