"""The connections of the server, so that programs without the token cannot use them up.

A connection has asked nothing until the head of its first request has come. The server closes it if that takes
long, and the oldest of them if there are many: a page is answered however many others connect and wait.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SILENT = 32  # connections that have asked nothing
SILENT_SECONDS = 10.0


class Connection(H11Protocol):
    """A connection that is closed unless it asks something soon."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection; close the oldest silent one if there are too many."""
        super().connection_made(transport)
        self.loop.call_later(SILENT_SECONDS, self._close_if_silent)
        silent = [each for each in self.connections if isinstance(each, Connection) and each.is_silent]
        if len(silent) > MOST_SILENT:
            min(silent, key=lambda each: each._since).cut()

    @property
    def is_silent(self) -> bool:
        """Has it asked nothing yet? Those that became sockets of pages are no longer among the connections."""
        return not self.cycle and self in self.connections

    def cut(self) -> None:
        """Close the connection. It is counted no longer, though the loop closes it after those that wait now."""
        self.connections.discard(self)
        self.transport.abort()

    def _close_if_silent(self) -> None:
        if self.is_silent:
            self.cut()


class Server(uvicorn.Server):
    """A server that also ends in order when its terminal is closed, unless that is ignored, as under `nohup`."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on signals; they are raised again for the program when the server has ended."""
        with super().capture_signals():
            before = signal.getsignal(signal.SIGHUP)
            if not callable(before) or signal.getsignal(signal.SIGTERM) != self.handle_exit:  # in another thread
                yield
                return
            signal.signal(signal.SIGHUP, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(signal.SIGHUP, before)
