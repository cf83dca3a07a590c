"""Runs the application."""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.serve.app import application
from puzzlemc.reports.serve.connections import Connection, Server
from puzzlemc.reports.serve.listening import MOST_CONNECTIONS, Address, listen
from puzzlemc.reports.serve.questions import MOST_BYTES

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.kept import Kept


def server(
    address: Address, entries: Sequence[Entry] = (), kept: "Kept | None" = None, own: Sequence[str] = ()
) -> uvicorn.Server:
    """The server for an address, a collection, and puzzles in Python files, which are known in this process."""
    logging.getLogger("uvicorn.error").addFilter(is_error)
    config = uvicorn.Config(
        application(
            address.token,
            address.names,
            entries,
            own,
            kept=kept,
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
def in_thread(entries: Sequence[Entry] = ()) -> Iterator[str]:
    """The address of the page of a server that runs in a thread until the context ends."""
    with listen("127.0.0.1", 0) as listening:
        address = Address(listening, "127.0.0.1")
        running = server(address, entries)
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
