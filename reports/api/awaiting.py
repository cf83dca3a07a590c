"""The public functions once more, for programs with an event loop of asyncio: `await asolve(level)`.

A call waits in a thread, and what it asks runs in processes as always. Cancelling the task sets the event `cancel`
of the call, and the task ends after the processes have ended.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial, wraps
from threading import Event
from typing import Any, ParamSpec, TypeVar

from puzzlemc.reports.api.asking import query
from puzzlemc.reports.api.checking import verify
from puzzlemc.reports.api.generating import generate
from puzzlemc.reports.api.measuring import measure
from puzzlemc.reports.api.reporting import report
from puzzlemc.reports.api.solving import solve, solve_all
from puzzlemc.reports.api.suggesting import suggest

P = ParamSpec("P")
R = TypeVar("R")


class _AnyOf:
    """An event that is set if one of several is."""

    def __init__(self, *events: Any) -> None:
        self._events = events

    def is_set(self) -> bool:
        return any(event.is_set() for event in self._events)


def awaited(function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function as a coroutine function, with the same arguments, results and errors.

    `progress` is called in the thread of the event loop.
    """

    @wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        loop, stop, given = asyncio.get_running_loop(), Event(), dict[str, Any](kwargs)
        asked = given.get("cancel")
        if asked is None:
            given["cancel"] = stop
        elif hasattr(asked, "is_set"):  # the function refuses anything else
            given["cancel"] = _AnyOf(stop, asked)
        if callable(progress := given.get("progress")):
            given["progress"] = partial(loop.call_soon_threadsafe, progress)
        running = _threads().submit(function, *args, **given)
        try:
            return await asyncio.shield(asyncio.wrap_future(running))
        except asyncio.CancelledError:
            stop.set()
            if not running.cancel():
                await _ended(running)
            raise

    call.__module__ = __name__
    call.__name__ = call.__qualname__ = f"a{function.__name__}"
    call.__doc__ = (
        f"Do what `{function.__name__}` does, with the same arguments, results and errors, while the event loop"
        " goes on.\n\n    Cancelling the task ends the processes of the call. The event loop calls `progress`."
    )
    return call


async def _ended(running: "Future[Any]") -> None:
    """Wait for the end of a call, whatever it is."""
    ended = asyncio.wrap_future(running)
    await asyncio.wait([ended])
    ended.exception()  # asked for, so that asyncio does not report it


@cache
def _threads() -> ThreadPoolExecutor:
    """The threads that wait for processes: as many calls run at a time as there are cores."""
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="puzzlemc")


asolve = awaited(solve)
asolve_all = awaited(solve_all)
aquery = awaited(query)
averify = awaited(verify)
areport = awaited(report)
agenerate = awaited(generate)
ameasure = awaited(measure)
asuggest = awaited(suggest)
