"""A call of a tool: its limits, and the processes in which it works.

A call ends when its time is over, when the client cancels it, and when the client goes: an event is set then,
which every wait for a process sees within 50 ms, and the process is killed.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.mcp.arguments import OfLevel
from puzzlemc.reports.mcp.folders import Folders
from puzzlemc.reports.mcp.level import Place, found
from puzzlemc.reports.workers.worker import Worker

# What most calls need: the fork server imports it once.
PRELOAD = ("puzzlemc.reports.mcp.level", "puzzlemc.reports.mcp.positions", "puzzlemc.reports.solve.solve")


@dataclass(frozen=True)
class Setting:
    """What the user of the program allows.

    folders  whose files may be read
    own      the Python files of puzzles that may be used; they are programs, so no call can name one
    seconds  the most that a call may take
    memory   of each process, in GiB
    """

    folders: Folders = field(default_factory=Folders)
    own: tuple[str, ...] = ()
    seconds: float = 60.0
    memory: float = 4.0


class Call:
    """One call, from its beginning to its end."""

    def __init__(
        self, setting: Setting, seconds: float | None, heard: Callable[[str], None] = lambda _: None
    ) -> None:
        """Begin a call. Raises ModelError if it asks for more time than is allowed.

        heard  gets lines about its progress, from any thread
        """
        most = setting.seconds
        if seconds is not None and seconds > most:
            raise ModelError(f"timeout: found {seconds:g}, expected at most {most:g}, the limit of this server")
        self.setting = setting
        self.seconds = seconds or most
        self.heard = heard
        self.cancel = Event()
        self._began = time.monotonic()

    @property
    def left(self) -> float:
        """The seconds that are left. Raises LimitReached if there are none."""
        left = self.seconds - (time.monotonic() - self._began)
        if left <= 0:
            raise LimitReached("timeout", f"the limit of {self.seconds:g} seconds was reached")
        return left

    @contextmanager
    def worker(self) -> Iterator[Worker]:
        """A process for parts of the call."""
        with Worker(int(self.setting.memory * GIB), PRELOAD) as worker:
            yield worker

    def run(self, worker: Worker, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function in a process, within what is left of the time.

        Raises what `Worker.run` raises.
        """
        from puzzlemc.reports.api.asking import watch  # slow to load; the client waits for the first answer

        return worker.run(function, *arguments, seconds=self.left, look=watch(self.cancel))

    def place(self, asked: OfLevel) -> Place:
        """Where the level of the call is. Raises ModelError."""
        if (asked.text is None) == (asked.file is None):
            both = "both" if asked.text is not None else "neither"
            raise ModelError(f"found {both} of text and file, expected one of them")
        file = None if asked.file is None else self.setting.folders.file(asked.file)
        return Place(asked.text, file, asked.number, asked.puzzle, self.setting.folders.paths, self.setting.own)

    def entry(self, worker: Worker, asked: OfLevel) -> Entry:
        """The level of the call. Raises LevelError and ModelError."""
        try:
            entry: Entry = self.run(worker, found, self.place(asked))
        except LimitReached as limit:
            raise LimitReached(limit.reason, f"{limit.reason} while the level was read") from None
        return entry

    def entry_alone(self, asked: OfLevel) -> Entry:
        """The level of the call, for a function that has processes of its own."""
        with self.worker() as worker:
            return self.entry(worker, asked)
