"""The tools that play moves: replay and render."""

from dataclasses import replace
from io import BytesIO
from typing import Any

from PIL import Image

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.reports.ask.replay import Replayed as Judged
from puzzlemc.reports.ask.replay import best, completed, decided, drawn, has_steps, replayed
from puzzlemc.reports.mcp.answers import LostBy, Rendered, Replayed
from puzzlemc.reports.mcp.arguments import Render, Replay
from puzzlemc.reports.mcp.calls import Call
from puzzlemc.reports.mcp.positions import rendered
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import Result

SOURCE = "the solution"  # in messages


def replay(asked: Replay, call: Call) -> Replayed:
    """The judgement of a solution."""
    with call.worker() as worker:
        entry = call.entry(worker, asked)
        options = Options(asked.metric, timeout=call.left, memory=call.setting.memory)
        choices(entry.puzzle, options)
        text = asked.solution

        def search(function: Any, *arguments: Any, prove: bool = False) -> Result:
            """The answer of a search; unknown if the limit ends it."""
            try:
                now = replace(options, timeout=call.left, prove=prove)
                found: Result = call.run(worker, function, entry, *arguments, now)
            except LimitReached as limit:
                if limit.reason == "cancelled":
                    raise
                return Result(entry.id, verdict="unknown", reason=limit.reason)
            if found.verdict == "error":
                raise Refuted(found.reason or "")
            return found

        done: Judged = call.run(worker, replayed, entry, text, SOURCE, asked.metric)
        if not done.fault and call.run(worker, has_steps, entry):
            done = completed(
                done,
                lambda: search(best),
                lambda number, prove: search(decided, text, SOURCE, number, prove=prove),
                lambda number: str(call.run(worker, drawn, entry, text, SOURCE, number)),
            )
    return _answer(done)


def _answer(done: Judged) -> Replayed:
    data: dict[str, Any] = done.as_json()
    lost = data["lost"]
    return Replayed(
        status=data["status"],
        words=replace(done, drawing="").as_text(),
        fault=data["reason"],
        length=data["length"],
        costs=dict(done.costs),
        metric=data["metric"],
        best=data["best"],
        bound=data["bound"],
        above=data["above"],
        lost=None
        if lost is None
        else LostBy(move=lost["move"], name=lost.get("name"), proved=lost["proved"], reason=lost["reason"]),
        drawing=done.drawing or None,
    )


def render(asked: Render, call: Call) -> tuple[Rendered, bytes]:
    """The picture of a position, as PNG, and the position as text."""
    with call.worker() as worker:
        entry = call.entry(worker, asked)
        data, drawing, moves, solved = call.run(worker, rendered, entry, asked.moves)
    width, height = _size(data)
    found = Rendered(
        puzzle=entry.puzzle.name,
        title=entry.title,
        drawing=drawing,
        moves=moves,
        solved=solved,
        width=width,
        height=height,
    )
    return found, data


def _size(data: bytes) -> tuple[int, int]:
    """Width and height of a picture in pixels."""
    with Image.open(BytesIO(data)) as image:
        return image.size
