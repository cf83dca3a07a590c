"""Lines of JSON on standard input and output. Nothing else comes on standard output: it is the wire.

The SDK reads lines of any length, and its reader cannot be interrupted. Here lines have a limit, and a thread of
its own reads them, which does not keep the program from ending. While the server runs, file descriptor 0 is empty
and 1 is standard error, so neither a library nor a worker can write between two messages.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import Any, BinaryIO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from puzzlemc.reports.output.files import OutputError

MOST_LINE = 1 << 22  # bytes of a message

MOST_WORDS = 500  # characters of an error about a message
GONE = (RuntimeError, CancelledError, anyio.BrokenResourceError, anyio.ClosedResourceError)  # the server has ended

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Arriving = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
Leaving = MemoryObjectReceiveStream[SessionMessage]


@asynccontextmanager
async def wire() -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """The messages of the client, and the way to it. Raises OutputError.

    The first ends when the client closes either of its streams.
    """
    source, target = _taken(0, os.open(os.devnull, os.O_RDONLY)), _taken(1, os.dup(2))
    arriving, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    loop, failed = asyncio.get_running_loop(), list[int]()
    reader = Thread(target=_read, args=(source, arriving, outgoing.clone(), loop), daemon=True)
    async with anyio.create_task_group() as tasks:
        reader.start()
        tasks.start_soon(_write, target, leaving, failed, tasks.cancel_scope.cancel)
        yield incoming, outgoing
        tasks.cancel_scope.cancel()
    if failed:
        raise OutputError("standard output", failed[0])


def _taken(number: int, instead: int) -> int:
    """A copy of a descriptor, which programs that are started do not get. Another file takes its place."""
    copy = os.dup(number)
    os.dup2(instead, number)
    os.close(instead)
    return copy


def _read(source: int, arriving: Arriving, outgoing: Outgoing, loop: asyncio.AbstractEventLoop) -> None:
    """In a thread: pass on each message, one after the other, until the client or the server has ended."""

    def wait_for(work: Coroutine[Any, Any, None]) -> None:
        try:
            asyncio.run_coroutine_threadsafe(work, loop).result()
        finally:
            work.close()  # which does nothing, unless the loop has ended before it began

    with suppress(*GONE), os.fdopen(source, "rb") as lines:
        for line in _lines(lines):
            try:
                if line is None:
                    raise ValueError(f"found a message of more than {MOST_LINE} bytes, expected a shorter one")
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as error:
                fault = ErrorData(code=PARSE_ERROR, message=str(error)[:MOST_WORDS])
                wait_for(outgoing.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=fault))))
            else:
                wait_for(arriving.send(SessionMessage(message)))
    with suppress(*GONE):
        loop.call_soon_threadsafe(arriving.close)


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines that are not empty; None for one that is too long, which is read to its end and not kept."""
    while line := source.readline(MOST_LINE + 1):
        if len(line) <= MOST_LINE:
            if line.strip():
                yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MOST_LINE)
        yield None


async def _write(target: int, leaving: Leaving, failed: list[int], end: Callable[[], None]) -> None:
    """Write each message as a line. If that fails, as where the client has closed its end, end the server.

    failed  gets the number of the system error
    """
    with leaving:  # nobody waits for a reader that has gone
        async for each in leaving:
            line = each.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await anyio.to_thread.run_sync(_write_all, target, line, abandon_on_cancel=True)
            except OSError as error:
                failed.append(error.errno or 0)
                end()
                return


def _write_all(target: int, line: bytes) -> None:
    while line:
        line = line[os.write(target, line) :]
