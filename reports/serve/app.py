"""The application: static files, the collection, and the sockets."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from puzzlemc.encodings.puzzles import OWN, Entry, puzzles
from puzzlemc.reports.output import look
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.serve.address import LOOPBACK, Invitation
from puzzlemc.reports.serve.questions import MOST_TEXT, Change, Glance, Verify
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
    looking = asyncio.Lock()  # one level of a list at a time: pages need workers, too
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

    async def levels(request: Request) -> Response:
        return _json(shelf.listed())

    async def level(request: Request) -> Response:
        number = request.path_params["number"]
        return _json(shelf.level(number)) if number < len(shelf) else _missing()

    async def glance(request: Request) -> Response:
        number = request.path_params["number"]
        if number >= len(shelf):
            return _missing()
        return _json(await shelf.glance(number, request.app.state.pool))

    async def glance_at_text(request: Request) -> Response:
        """The picture and the verdict of a level of a file that was opened on a page."""
        try:
            asked = msgspec.structs.replace(msgspec.json.decode(await request.body(), type=Glance), keep=False)
        except msgspec.MsgspecError:
            return Response("not a level", 400, media_type="text/plain")
        found: dict[str, Any] = {}
        async with looking:
            failed = await request.app.state.pool.run(asked, found.update, asyncio.Event())
        return _json(found or {"verdict": "unknown", "reason": failed})

    async def add(request: Request) -> Response:
        """Add the level in the body to the file of a level."""
        number, text = request.path_params["number"], (await request.body()).decode(errors="replace")
        if number >= len(shelf) or len(text) > MOST_TEXT:
            return _missing()
        try:
            return _json(await anyio.to_thread.run_sync(shelf.add, number, text))
        except (LevelError, OutputError, OSError) as error:
            return _json({"failed": str(error)})

    async def change(request: Request) -> Response:
        """Move or remove a level."""
        number = request.path_params["number"]
        try:
            asked = msgspec.json.decode(await request.body(), type=Change)
        except msgspec.MsgspecError:
            return Response("not a change", 400, media_type="text/plain")
        if asked.by:
            return await changed(shelf.move, number, asked.by, asked.was)
        return await changed(shelf.remove, number, asked.was)

    async def undo(request: Request) -> Response:
        return await changed(shelf.undo)

    async def changed(change: Callable[..., str | None], *arguments: object) -> Response:
        """Change a file; the answer is the list of levels, or why that failed."""
        try:
            name = await anyio.to_thread.run_sync(change, *arguments)
        except (LevelError, OutputError, OSError) as error:
            return _json({"failed": str(error)})
        return _json({"failed": "", "name": name, "levels": shelf.listed()})

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
        tab = Tab(socket, socket.app.state.pool, shelf, downloads, stored)
        tabs.add(tab)
        try:
            await tab.serve()
        finally:
            tabs.discard(tab)

    routes = [
        Route("/levels.json", levels),
        Route("/level/{number:int}", level),
        Route("/glance/{number:int}", glance),
        Route("/glance", glance_at_text, methods=["POST"]),
        Route("/add/{number:int}", add, methods=["POST"]),
        Route("/change/{number:int}", change, methods=["POST"]),
        Route("/undo", undo, methods=["POST"]),
        Route("/verify", verify, methods=["POST"]),
        Route("/file/{number:int}", file),
        WebSocketRoute("/live", live),
        Route("/", static, name="index"),
        Route("/{name:path}", static),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    return Guard(app, token, names, any_address=any_address, invitation=invitation)


def _json(what: object) -> Response:
    return Response(msgspec.json.encode(what), media_type="application/json")


def _static(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    """The static files of a folder and of those in it, by their paths."""
    for each in folder.iterdir():
        if each.is_dir():
            yield from _static(each, f"{within}{each.name}/")
        else:
            yield within + each.name, each.read_bytes()


def _missing() -> Response:
    return Response("not found", 404, media_type="text/plain")
