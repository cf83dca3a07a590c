"""The application: static files, the collection, and the sockets."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.reports.documents.edits import Edit, answer, edit
from puzzlemc.reports.documents.files import data_of
from puzzlemc.reports.documents.opened import brought, difference
from puzzlemc.reports.output import look
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.serve.address import LOOPBACK, Invitation
from puzzlemc.reports.serve.questions import Compare, Glance, Open, Save, Verify
from puzzlemc.reports.serve.safety import Guard
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.reports.serve.tab import CLOSE_FLOOD, Downloads, Tab
from puzzlemc.reports.serve.worker_pool import WorkerPool
from puzzlemc.screens.base.errors import LevelError

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts

MOST_TABS = 64
TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "svg": "image/svg+xml",
}
STATIC = "puzzlemc.reports.serve"


def application(
    token: str,
    names: Iterable[str] = LOOPBACK,
    entries: Sequence[Entry] = (),
    own: Sequence[str] = (),
    *,
    stored: "StoredVerdicts | None" = None,
    any_address: bool = False,
    invitation: Invitation | None = None,
    most: int = 0,
) -> Guard:
    """The application behind its guard.

    own   the Python files of puzzles that are not installed, which are known in this process
    most  questions that are answered at a time; by default two for each core
    """
    tabs: set[Tab] = set()
    shelf = Shelf(entries, stored)
    downloads = Downloads()
    checking = asyncio.Lock()  # one certificate at a time is in memory
    known = dict(_static(files(STATIC).joinpath("static")))
    known |= {"look.css": look.sheet().encode(), "icon.svg": look.mark().encode()}
    if len(puzzles()) > len(OWN):  # the files in the folder are about the program's own puzzles
        from puzzlemc.reports.serve.tables import about, palette

        known["palette.css"] = palette().encode()
        known["about.json"] = msgspec.json.encode(about())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = pool = WorkerPool(most or max(4, 2 * (os.cpu_count() or 1)), own=own)
        pool.fill()
        try:
            yield
        finally:
            pool.close()

    async def static(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in known:
            return _missing()
        return Response(known[name], media_type=TYPES[name.rpartition(".")[2]])

    async def documents(request: Request) -> Response:
        return _json(shelf.listed())

    async def document(request: Request) -> Response:
        number = request.path_params["number"]
        return _json(shelf.document(number)) if number < len(shelf) else _missing()

    async def status(request: Request) -> Response:
        number = request.path_params["number"]
        return await answered(shelf.status, number) if number < len(shelf) else _missing()

    async def save(request: Request) -> Response:
        number = request.path_params["number"]
        if number >= len(shelf):
            return _missing()
        asked = msgspec.json.decode(await request.body(), type=Save)
        return await answered(shelf.save, number, asked.text, asked.form, asked.was)

    async def edited(request: Request) -> Response:
        """Change a text with levels, or read it."""
        asked = msgspec.json.decode(await request.body(), type=Edit)
        return await answered(lambda: answer(edit(asked)))

    async def opened(request: Request) -> Response:
        """The document in the bytes of a file that was opened on a page."""
        name, data = request.query_params.get("name", ""), await request.body()
        return await answered(brought, data, name)

    async def packed(request: Request) -> Response:
        """The bytes of a document that a page writes to a file."""
        asked = msgspec.json.decode(await request.body(), type=Save)
        try:
            return Response(data_of(asked.text, asked.form, "the file"), media_type="application/octet-stream")
        except LevelError as error:
            return _json({"failed": str(error)}, 409)

    async def compared(request: Request) -> Response:
        asked = msgspec.json.decode(await request.body(), type=Compare)
        return await answered(difference, asked.one, asked.other)

    async def answered(function: Callable[..., object], *arguments: object) -> Response:
        """What a function answers in a thread, or why it fails."""
        try:
            return _json(await anyio.to_thread.run_sync(function, *arguments))
        except (LevelError, OutputError, OSError) as error:
            return _json({"failed": str(error)})

    async def rows(request: Request) -> Response:
        """The rows of a level, to be drawn on."""
        asked = msgspec.json.decode(await request.body(), type=Open)
        found: dict[str, object] = {}
        failed = await request.app.state.pool.run(asked, found.update, asyncio.Event())
        return _json(found or {"kind": "faults", "failed": failed})

    async def glance(request: Request) -> Response:
        asked = msgspec.json.decode(await request.body(), type=Glance)
        return _json(await shelf.glance(asked, request.app.state.pool))

    async def file(request: Request) -> Response:
        found = downloads.get(request.path_params["number"])
        if found is None:
            return _missing()
        if found.policy:
            headers = {"content-security-policy": found.policy}
            return Response(found.data, media_type="text/html", headers=headers)
        headers = {"content-disposition": "attachment"}
        return Response(found.data, media_type="application/octet-stream", headers=headers)

    async def verify(request: Request) -> Response:
        found: dict[str, str] = {}
        async with checking:
            with TemporaryDirectory(prefix="puzzlemc-") as folder:
                path = Path(folder, "certificate")
                path.write_bytes(await request.body())
                failed = await request.app.state.pool.run(Verify(0, str(path)), found.update, asyncio.Event())
        return _json(found or {"status": "unknown", "words": failed})

    async def live(socket: WebSocket) -> None:
        if len(tabs) >= MOST_TABS:
            await socket.close(CLOSE_FLOOD)
            return
        await socket.accept()
        tab = Tab(socket, socket.app.state.pool, downloads, stored)
        tabs.add(tab)
        try:
            await tab.serve()
        finally:
            tabs.discard(tab)

    def strict(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
        """A route whose body is read strictly."""

        async def guarded(request: Request) -> Response:
            try:
                return await endpoint(request)
            except msgspec.MsgspecError:
                return Response("not understood", 400, media_type="text/plain")

        return Route(path, guarded, methods=["POST"])

    routes = [
        Route("/documents.json", documents),
        Route("/document/{number:int}", document),
        Route("/document/{number:int}/was", status),
        strict("/document/{number:int}", save),
        strict("/edit", edited),
        strict("/open", opened),
        strict("/packed", packed),
        strict("/compare", compared),
        strict("/glance", glance),
        strict("/rows", rows),
        Route("/verify", verify, methods=["POST"]),
        Route("/file/{number:int}", file),
        WebSocketRoute("/live", live),
        Route("/", static, name="index"),
        Route("/{name:path}", static),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    return Guard(app, token, names, any_address=any_address, invitation=invitation)


def _json(what: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(what), status, media_type="application/json")


def _static(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    """The static files of a folder and of those in it, by their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _static(each, f"{within}{each.name}/")
        else:
            yield within + each.name, each.read_bytes()


def _missing() -> Response:
    return Response("not found", 404, media_type="text/plain")
