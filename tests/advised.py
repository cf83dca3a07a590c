"""Advisors of games in tests, whose workers are functions of this process."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from oracle import SMALL

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.answers import survey
from puzzlemc.reports.workers.worker import Worker

PATIENCE = 60.0  # seconds, for a busy machine


class Inline:
    """Stands in for a worker process: calls functions itself. Without `maps` it makes no map."""

    def __init__(self, *, maps: bool = True) -> None:
        self._maps = maps

    def run(self, function: Any, *arguments: Any, **_: Any) -> Any:
        return 0 if function is survey and not self._maps else function(*arguments)

    def stop(self) -> None:
        pass


def wait(reached: Callable[[], bool], heard: threading.Event) -> None:
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end
        heard.wait(0.2)
        heard.clear()


@contextmanager
def advised(entry: Entry, *, maps: bool) -> Iterator[tuple[Advisor, threading.Event]]:
    """An advisor that has the map from the start, or never."""
    heard = threading.Event()
    workers = cast(tuple[Worker, Worker], (Inline(maps=maps), Inline()))
    advisor = Advisor(entry, workers, SMALL, heard.set)
    advisor.start()
    try:
        if maps:
            wait(lambda: bool(advisor.states), heard)
        yield advisor, heard
        assert advisor.failed == ""
    finally:
        advisor.close()
