"""The functions for event loops: results, errors, progress, and the end of processes after cancelling."""

import asyncio
import inspect
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from command import hard
from event_loops import in_a_loop
from processes import wait_until, workers_of

import puzzlemc

EASY = puzzlemc.Level("######\n#@ $.#\n######", "sokoban")
HARD = puzzlemc.Level(hard(40), "sokoban")
NAMES = [name for name in puzzlemc.__all__ if name[:1] == "a" and hasattr(puzzlemc, name[1:])]


def busy() -> set[int]:
    return set(workers_of(os.getpid()))


def test_each_function_has_one_for_event_loops() -> None:
    assert len(NAMES) == 8
    for name in NAMES:
        function, other = getattr(puzzlemc, name), getattr(puzzlemc, name[1:])
        assert inspect.iscoroutinefunction(function)
        assert inspect.signature(function) == inspect.signature(other)
        assert function.__name__ == name
        assert f"`{name[1:]}`" in function.__doc__


def test_calls_wait_beside_each_other() -> None:
    async def both() -> tuple[Any, ...]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        found = await asyncio.gather(puzzlemc.asolve(EASY), puzzlemc.aquery(EASY, "AG EF solved"))
        ticking.cancel()
        return (*found, ticks)

    result, answer, ticks = in_a_loop(both())
    assert (result.trace, answer.holds) == ("rR", True)
    assert ticks > 3


def test_errors_are_those_of_the_function() -> None:
    with pytest.raises(puzzlemc.ModelError, match="timeout: found 'x'"):
        in_a_loop(puzzlemc.asolve(EASY, timeout="x"))  # type: ignore[arg-type]
    with pytest.raises(puzzlemc.ModelError, match="progress: found 3, expected a function"):
        in_a_loop(puzzlemc.asolve_all([EASY], progress=3))  # type: ignore[arg-type]
    with pytest.raises(puzzlemc.ModelError, match="cancel: found 3, expected an event"):
        in_a_loop(puzzlemc.aquery(EASY, "solved", cancel=3))  # type: ignore[arg-type]


def test_progress_is_called_in_the_event_loop() -> None:
    heard: list[tuple[str, int]] = []

    def progress(each: Any) -> None:
        asyncio.get_running_loop()
        heard.append((str(each.verdict), threading.get_ident()))

    async def solved() -> tuple[int, list[Any]]:
        return threading.get_ident(), await puzzlemc.asolve_all([EASY, EASY], progress=progress)

    thread, results = in_a_loop(solved())
    assert heard == [("solvable", thread)] * 2
    assert len(results) == 2


@pytest.mark.parametrize("ask", ["asolve", "aquery"])
def test_cancelling_the_task_ends_the_processes(ask: str) -> None:
    arguments = (HARD,) if ask == "asolve" else (HARD, "AG EF solved")

    async def cancelled() -> float:
        before = busy()
        task = asyncio.create_task(getattr(puzzlemc, ask)(*arguments, timeout=200))
        while not busy() - before:
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert busy() <= before
        return time.monotonic() - began

    assert in_a_loop(cancelled()) < 20


def test_a_time_limit_of_the_event_loop_ends_the_call() -> None:
    async def limited() -> None:
        async with asyncio.timeout(0.5):
            await puzzlemc.asolve(HARD, timeout=200)

    before = busy()
    with pytest.raises(TimeoutError):
        in_a_loop(limited())
    assert busy() <= before


def test_a_call_that_waits_for_others_is_cancelled_at_once() -> None:
    async def many() -> int:
        tasks = [asyncio.create_task(puzzlemc.asolve(HARD, timeout=200)) for _ in range(40)]
        await asyncio.sleep(1.0)
        seen = len(busy())
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ends)
        return seen

    before = len(busy())
    assert in_a_loop(many()) - before <= 2 * (os.cpu_count() or 1)  # a level may have a second process
    wait_until(lambda: len(busy()) <= before)


def test_an_event_of_the_caller_ends_the_call_with_its_verdict() -> None:
    event = threading.Event()
    threading.Timer(0.5, event.set).start()
    assert in_a_loop(puzzlemc.asolve(HARD, timeout=200, cancel=event)).reason == "cancelled"


@pytest.mark.parametrize(
    ("puzzle", "own"), [("sokoban", {"boxes": 1, "size": (6, 6)}), ("tetravex", {"size": (2, 2)})]
)
def test_generating_says_each_level_and_is_cancelled(puzzle: str, own: dict[str, Any]) -> None:
    heard: list[puzzlemc.Level] = []
    cancel = threading.Event()

    def progress(level: puzzlemc.Level) -> None:
        heard.append(level)
        if len(heard) == 3:
            cancel.set()

    with pytest.raises(puzzlemc.LimitReached) as caught:
        puzzlemc.generate(puzzle, count=100_000, progress=progress, cancel=cancel, timeout=20, **own)
    assert caught.value.reason == "cancelled"
    assert len(heard) == 3
    assert puzzlemc.solve(heard[0]).verdict == "solvable"


def test_a_cancelled_check_of_a_certificate_is_none(tmp_path: Path) -> None:
    puzzlemc.solve(EASY, certificate=tmp_path)
    (path,) = tmp_path.glob("*.cert")
    cancel = threading.Event()
    assert puzzlemc.verify(path, cancel=cancel).status == "valid"
    cancel.set()
    assert puzzlemc.verify(path, cancel=cancel).status in ("unchecked", "valid")  # its answer may come first
