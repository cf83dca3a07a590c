"""The tools that make levels: suggest and generate."""

from typing import Any

from msgspec import convert

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.api.generating import generate as generated
from puzzlemc.reports.api.levels import Level
from puzzlemc.reports.mcp.answers import Generated, GeneratedLevels, Suggestions
from puzzlemc.reports.mcp.arguments import Generate, Suggest
from puzzlemc.reports.mcp.calls import Call
from puzzlemc.reports.mcp.level import known
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest as suggested


def suggest(asked: Suggest, call: Call) -> Suggestions:
    """The smallest changes of a level that reach a wish."""
    keep = tuple((row - 1, column - 1) for row, column in asked.keep)
    request = Request(asked.want, tuple(asked.edits), keep, asked.most, asked.count, asked.by)
    request.check()
    with call.worker() as worker:
        entry = call.entry(worker, asked)
        options = Options(timeout=call.left, memory=call.setting.memory)
        data: dict[str, Any] = call.run(worker, suggested, entry, request, options).as_json()
    return convert(data, Suggestions, strict=False)


def generate(asked: Generate, call: Call) -> GeneratedLevels:
    """New levels with a proved answer; fewer than asked if a limit came first."""
    known(asked.puzzle, call.setting.own)
    if (asked.rows is None) != (asked.columns is None):
        raise ModelError("found one of rows and columns, expected both or neither")
    options: dict[str, Any] = dict(asked.options)
    for name in options:
        if name in ("puzzle", "size", "count", "seed", "timeout", "memory", "certificate", "progress", "cancel"):
            raise ModelError(f"options: found {name!r}, expected names of numbers of {asked.puzzle}")
    size = None if asked.rows is None or asked.columns is None else (asked.rows, asked.columns)
    found: list[Level] = []
    reason = None
    try:
        generated(
            puzzles()[asked.puzzle].origin or asked.puzzle,
            size=size,
            count=asked.count,
            seed=asked.seed,
            unique=asked.unique,
            unsolvable=asked.unsolvable,
            want=asked.want,
            timeout=call.left,
            memory=call.setting.memory,
            cancel=call.cancel,
            progress=found.append,
            **options,
        )
    except LimitReached as limit:
        if not found:
            raise
        reason = str(limit)
    return GeneratedLevels(
        puzzle=asked.puzzle,
        levels=[Generated(title=each.title, text=each.text) for each in found],
        reason=reason,
    )
