"""Runs the application. Programs without the token cannot use up its connections.

A connection has asked nothing until the head of its first request has come. The server closes it if that takes
long, and the oldest of them if there are many: a page is answered however many others connect and wait.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.system.signals import HANG_UP
from puzzlemc.reports.serve.address import MOST_CONNECTIONS, Address, listen
from puzzlemc.reports.serve.app import application
from puzzlemc.reports.serve.questions import MOST_BYTES

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts


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
            before = None if HANG_UP is None else signal.getsignal(HANG_UP)
            in_other_thread = signal.getsignal(signal.SIGTERM) != self.handle_exit
            if HANG_UP is None or not callable(before) or in_other_thread:
                yield
                return
            signal.signal(HANG_UP, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(HANG_UP, before)


def server(
    address: Address,
    entries: Sequence[Entry] = (),
    stored: "StoredVerdicts | None" = None,
    own: Sequence[str] = (),
) -> uvicorn.Server:
    """The server for an address, a collection, and puzzles in Python files, which are known in this process."""
    logging.getLogger("uvicorn.error").addFilter(is_error)
    config = uvicorn.Config(
        application(
            address.token,
            address.names,
            entries,
            own,
            stored=stored,
            any_address=address.any_host,
            invitation=address.invitation,
        ),
        ws="wsproto",
        ws_max_size=MOST_BYTES,
        http=Connection,
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    return Server(config)


@contextmanager
def in_thread(entries: Sequence[Entry] = (), own: Sequence[str] = ()) -> Iterator[str]:
    """The address of the page of a server that runs in a thread until the context ends."""
    with listen("127.0.0.1", 0) as listening:
        address = Address(listening, "127.0.0.1")
        running = server(address, entries, own=own)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not running.started:
                time.sleep(0.01)
            yield address.page
        finally:
            running.should_exit = True
            thread.join()


def is_error(record: logging.LogRecord) -> bool:
    """Is a message worth to be shown? Not that the end of the server cuts off what is not sent in time."""
    cause = record.exc_info[1] if record.exc_info else None
    return not isinstance(cause, asyncio.CancelledError) and not record.getMessage().startswith("Cancel ")
