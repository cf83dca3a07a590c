"""The tools about the verdict of a level: check, solve, explain, count."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import convert

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.api.levels import Level
from puzzlemc.reports.api.measuring import measure
from puzzlemc.reports.api.results import Result
from puzzlemc.reports.api.solving import solve as solved
from puzzlemc.reports.mcp.answers import Core, Counted, Explanation, Solution, Verdict
from puzzlemc.reports.mcp.arguments import Check, Count, Explain, Solve
from puzzlemc.reports.mcp.calls import Call

SHORTEST = {
    "solution_sets": "sets of pushes",
    "solution_orders": "orders of steps",
}  # measures of cheapest solutions


def check(asked: Check, call: Call) -> Verdict:
    """The verdict on a level."""
    result, written = _certified(asked, call)
    return Verdict(**_verdict(result, written))


def solve(asked: Solve, call: Call) -> Solution:
    """The verdict on a level, with a cheapest solution."""
    result, written = _certified(asked, call)
    data = result.to_dict()
    return Solution(
        **_verdict(result, written),
        trace=_listed(result.trace),
        game=convert(data.get("game"), dict[str, Any] | None),
        strategy=data.get("strategy"),
    )


def explain(asked: Explain, call: Call) -> Explanation:
    """The part of a level that has no solution already."""
    result, written = _proved(call.entry_alone(asked), call, why=True)
    return Explanation(**_verdict(result, written), core=_core(result))


def count(asked: Count, call: Call) -> Counted:
    """The number of solutions: of all, or of the cheapest ones where the puzzle counts no others."""
    entry = call.entry_alone(asked)
    rules = entry.puzzle
    if rules.counting is not None:
        data = _solved(entry, call, count=True).to_dict()
        number: Any = data.get("solutions")
        return Counted(
            puzzle=rules.name,
            what=rules.counting.what,
            solutions=number,
            numbers={},
            reason=None if number is not None else str(data["reason"] or "timeout"),
        )
    rules.need_steps()
    if rules.constraint is not None:
        raise ModelError(f"the solutions of {rules.name} are not counted")
    numbers = measure(
        Level._of(entry),
        names=tuple(SHORTEST),
        timeout=call.left,
        memory=call.setting.memory,
        cancel=call.cancel,
    )
    first = next((name for name in SHORTEST if name in numbers), None)
    number, reason = (0, None) if first is None else (int(numbers[first]), None)
    if first is None and (result := _solved(entry, call)).verdict != "unsolvable":
        number, reason = None, result.reason or "the cheapest solutions are too many to be counted"
    return Counted(
        puzzle=rules.name,
        what=f"cheapest solutions by {rules.metrics[0]}, as {SHORTEST[first or 'solution_orders']}",
        solutions=number,
        numbers=dict(numbers),
        reason=reason,
    )


def _certified(asked: Check, call: Call) -> tuple[Result, int | None]:
    """The result for a level, and the bytes of its certificate if one was asked for."""
    options: dict[str, Any] = {"metric": asked.metric, "chance": asked.chance or "lucky"}
    entry = call.entry_alone(asked)
    return _proved(entry, call, **options) if asked.certify else (_solved(entry, call, **options), None)


def _proved(entry: Entry, call: Call, **options: Any) -> tuple[Result, int | None]:
    """The result for a level, and the bytes of its certificate, which is checked and thrown away."""
    with TemporaryDirectory(prefix="puzzlemc-") as folder:
        result = _solved(entry, call, parts=2, certificate=folder, **options)
        return result, sum(path.stat().st_size for path in Path(folder).iterdir()) or None


def _solved(entry: Entry, call: Call, *, parts: int = 1, **options: Any) -> Result:
    """The result of the Python API within what is left of the time. Raises LimitReached if it was cancelled.

    parts  each has as much time: the search, and its certificate
    """
    limits: dict[str, Any] = {"timeout": call.left / parts, "memory": call.setting.memory, "cancel": call.cancel}
    limits["progress"] = call.heard
    result = solved(Level._of(entry), **limits, **options)
    if call.cancel.is_set():
        raise LimitReached("cancelled")
    return result


def _verdict(result: Result, written: int | None) -> dict[str, Any]:
    """The fields of a `Verdict`; `written` are the bytes of the certificate."""
    data = result.to_dict()
    if result.verdict not in ("solvable", "unsolvable", "unknown"):
        raise ModelError(result.reason or result.verdict)
    own = {"costs": dict(result.costs), "note": result._found.note or None, "certificate": written}
    return {name: data[name] for name in Verdict.__struct_fields__ if name in data} | own


def _listed(trace: str | list[str] | None) -> str | list[str] | None:
    return trace if trace is None or isinstance(trace, str) else list(trace)


def _core(result: Result) -> Core | None:
    """The core of an unsolvable level."""
    why = result._found.why
    if why is None:
        return None
    data: Mapping[str, Any] = why.as_json()
    names = ("kind", "objects", "of", "words", "smallest", "minimal", "reason", "drawing")
    checked = why.checked or (why.is_whole and result._found.checked)  # the proof is that of the level
    return Core(**{name: data[name] for name in names}, scope=why.scope, checked=checked)
