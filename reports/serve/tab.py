"""One page that is open: its socket, its newest question, and the answers on their way.

A newer question replaces an older one, whether that waits or runs, so a flood of questions costs no more than
reading them. A question about all levels of a text runs beside the others, and one about changes of a level until
a question about another one comes. Answers of the same kind replace each
other until they are sent, so a page that reads slowly costs no memory.

Files that were made for a page, certificates to download and reports to open, are kept here, too, the newest ones.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from puzzlemc.reports.serve.questions import MOST_BYTES, Question, Review, Stop, Suggest, read
from puzzlemc.reports.serve.worker_pool import WorkerPool

RATE = 200  # messages a second; a page that sends more is closed
BURST = 400
CLOSE_BAD, CLOSE_FLOOD = 1008, 1013  # codes of web sockets
MOST_FILES = 16
FILE_BYTES = 1 << 27  # of all together
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)

Ask = Callable[[Question, Callable[[Any], None], asyncio.Event], Awaitable[str]]


if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts


class File(NamedTuple):
    """A file, and the content security policy of a report."""

    name: str
    data: bytes
    policy: str


class Downloads:
    """The files, by numbers that the pages learn."""

    def __init__(self) -> None:
        self._files: dict[int, File] = {}
        self._next = 0

    def add(self, name: str, data: bytes) -> int:
        """Keep a file; the oldest ones make room. Returns its number."""
        self._next += 1
        self._files[self._next] = File(name, data, policy(data.decode()) if name.endswith(".html") else "")
        while len(self._files) > MOST_FILES or sum(len(each.data) for each in self._files.values()) > FILE_BYTES:
            del self._files[next(iter(self._files))]
        return self._next

    def get(self, number: int) -> File | None:
        """A file; None if it is not kept any more."""
        return self._files.get(number)


def policy(page: str) -> str:
    """The policy that lets a report run its own scripts, which are named by their digests, and no other.

    It has no origin, so it cannot ask the server anything.
    """
    scripts = {_digest(each) for each in SCRIPT.findall(page)}
    rules = [
        "sandbox allow-scripts allow-downloads",
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "img-src data:",
        " ".join(["script-src", *sorted(scripts)]),
        "style-src 'unsafe-inline'",  # its script moves and colours elements
    ]
    return "; ".join(rules)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Lane:
    """Questions of which the newest one replaces the others, and the answers to it that are not sent yet.

    newest   the question that waits
    number   that of the question that runs, and `dropped` is set when it is not wanted any more
    stopped  the number of a question that the page has stopped
    answers  by their kinds
    """

    def __init__(self) -> None:
        self.newest: Question | None = None
        self.asked = asyncio.Event()
        self.number = 0
        self.dropped = asyncio.Event()
        self.stopped = -1
        self.answers: dict[str, dict[str, Any]] = {}

    def ask(self, question: Question) -> None:
        """Replace the question that waits or runs."""
        self.newest = question
        self.dropped.set()
        self.asked.set()

    def stop(self, number: int) -> None:
        """End a question that runs or waits; its worker ends the search, or is killed."""
        self.stopped = number
        if self.newest is None and number == self.number:
            self.dropped.set()

    def clear(self) -> None:
        """No question is wanted any more, and no answer to one."""
        self.newest = None
        self.dropped.set()
        self.answers.clear()


class Tab:
    """A page. `serve` runs until it is closed."""

    def __init__(
        self,
        socket: WebSocket,
        pool: WorkerPool,
        downloads: Downloads,
        stored: "StoredVerdicts | None" = None,
    ) -> None:
        self._socket = socket
        self._downloads = downloads
        self._stored = stored
        self._ask: Ask = pool.run
        self._of_one, self._of_all, self._of_changes = self._lanes = (Lane(), Lane(), Lane())
        self._answered = asyncio.Event()

    async def serve(self) -> None:
        """Read questions, answer them, and send answers, until the page is closed."""
        async with anyio.create_task_group() as group:
            for lane in self._lanes:
                group.start_soon(self._work, lane)
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
                if isinstance(asked, Stop):
                    self._of_one.stop(asked.n)
                    self._of_changes.stop(asked.n)
                elif isinstance(asked, Suggest):
                    self._of_changes.ask(asked)
                elif isinstance(asked, Review):
                    self._of_all.ask(asked)
                else:
                    self._of_changes.clear()
                    self._of_one.ask(asked)

    async def _work(self, lane: Lane) -> None:
        while True:
            await lane.asked.wait()
            lane.asked.clear()
            asked, lane.newest = lane.newest, None
            if asked is None:
                continue
            lane.dropped = dropped = asyncio.Event()
            lane.answers.clear()
            lane.number = asked.n
            failed = ""
            if asked.n != lane.stopped:
                failed = await self._ask(asked, partial(self._hear, lane, asked.n, dropped), dropped)
            stopped = asked.n == lane.stopped
            if stopped or not dropped.is_set():
                self._put(lane, asked.n, {"kind": "done", "failed": failed, "stopped": stopped})

    def _hear(self, lane: Lane, number: int, dropped: asyncio.Event, what: dict[str, Any]) -> None:
        """Keep an answer of a worker, unless its question is not wanted any more. Records are kept even so."""
        if what["kind"] == "record" and self._stored is not None:
            what = {
                **what,
                "stored": self._stored.record(what["level"], what.get("costs", {}), what.get("moves", [])),
            }
        if not dropped.is_set():
            self._put(lane, number, what)

    def _put(self, lane: Lane, number: int, what: dict[str, Any]) -> None:
        """Keep an answer until it is sent; only the newest of a kind, and none to older questions."""
        if number == lane.number:
            if "data" in what:  # a file
                data = what["data"]
                what = {**what, "data": len(data), "file": self._downloads.add(what["name"], data)}
            lane.answers.pop(what["kind"], None)
            lane.answers[what["kind"]] = what
            self._answered.set()

    async def _send(self) -> None:
        encode = msgspec.json.encode
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._answered.wait()
                self._answered.clear()
                while lane := next((each for each in self._lanes if each.answers), None):
                    what = lane.answers.pop(next(iter(lane.answers)))
                    await self._socket.send_text(encode({"n": lane.number, **what}).decode())
