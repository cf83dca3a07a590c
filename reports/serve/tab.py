"""One page that is open: its socket, its newest question, and the answers on their way.

A newer question replaces an older one, whether that waits or runs, so a flood of questions costs no more than
reading them. Answers of the same kind replace each other until they are sent, so a page that reads slowly costs no
memory.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.serve.bench import Bench
from puzzlemc.reports.serve.made import Made
from puzzlemc.reports.serve.questions import MOST_BYTES, Question, Save, read
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.screens.base.errors import LevelError

RATE = 200  # messages a second; a page that sends more is closed
BURST = 400
CLOSE_BAD, CLOSE_FLOOD = 1008, 1013  # codes of web sockets

Ask = Callable[[Question, Callable[[Any], None], asyncio.Event], Awaitable[str]]


class Tab:
    """A page. `serve` runs until it is closed."""

    def __init__(self, socket: WebSocket, bench: Bench, shelf: Shelf, made: Made) -> None:
        self._socket = socket
        self._shelf = shelf
        self._made = made
        self._ask: Ask = bench.run
        self._newest: Question | None = None
        self._dropped = asyncio.Event()  # of the question that runs
        self._asked = asyncio.Event()
        self._answers: dict[str, dict[str, Any]] = {}  # by their kinds
        self._number = 0  # of the question that they answer
        self._answered = asyncio.Event()

    async def serve(self) -> None:
        """Read questions, answer them, and send answers, until the page is closed."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._work)
            group.start_soon(self._send)
            await self._read()
            group.cancel_scope.cancel()

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        allowed, at = float(BURST), loop.time()
        with suppress(WebSocketDisconnect):
            while True:
                message = await self._socket.receive_text()
                now = loop.time()
                allowed, at = min(BURST, allowed + RATE * (now - at)) - 1, now
                if allowed < 0:
                    await self._socket.close(CLOSE_FLOOD, "too many messages")
                    return
                try:
                    if len(message) > MOST_BYTES:
                        raise ValueError("too long")
                    asked = read(message)
                except (msgspec.MsgspecError, ValueError):
                    await self._socket.close(CLOSE_BAD, "not a question")
                    return
                self._newest = asked
                self._dropped.set()
                self._asked.set()

    async def _work(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            asked, self._newest = self._newest, None
            if asked is None:
                continue
            self._dropped = dropped = asyncio.Event()
            self._answers.clear()
            self._number = asked.n
            if isinstance(asked, Save):
                self._put(asked.n, await self._save(asked))
                continue
            failed = await self._ask(asked, lambda what, n=asked.n: self._put(n, what), dropped)  # type: ignore[misc]
            if not dropped.is_set():
                self._put(asked.n, {"kind": "done", "failed": failed})

    async def _save(self, asked: Save) -> dict[str, Any]:
        """Save a level; the answer says where, or why not."""
        try:
            saved = await anyio.to_thread.run_sync(self._shelf.save, asked.at, asked.text, asked.was)
        except (LevelError, OutputError, OSError) as error:
            return {"kind": "saved", "failed": str(error)}
        return {"kind": "saved", "failed": "", **saved}

    def _put(self, number: int, what: dict[str, Any]) -> None:
        """Keep an answer until it is sent; only the newest of a kind, and none to older questions."""
        if number == self._number:
            if "data" in what:  # a file
                data = what["data"]
                what = {**what, "data": len(data), "file": self._made.add(what["name"], data)}
            self._answers.pop(what["kind"], None)
            self._answers[what["kind"]] = what
            self._answered.set()

    async def _send(self) -> None:
        encode = msgspec.json.encode
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._answered.wait()
                self._answered.clear()
                while self._answers:
                    what = self._answers.pop(next(iter(self._answers)))
                    await self._socket.send_text(encode({"n": self._number, **what}).decode())
