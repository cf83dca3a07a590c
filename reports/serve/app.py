"""The application: static files, the colours of pictures, what the page needs to know first, and the sockets."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from puzzlemc.encodings.puzzles import OWN, Entry, colours, load, puzzles
from puzzlemc.reports.serve.bench import Bench
from puzzlemc.reports.serve.questions import MOST_TEXT
from puzzlemc.reports.serve.safety import LOOPBACK, Guard
from puzzlemc.reports.serve.shapes import shapes
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.reports.serve.tab import CLOSE_FLOOD, Tab
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import read_text

MOST_TABS = 64
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
STATIC = "puzzlemc.reports.serve"


def application(
    token: str,
    names: Iterable[str] = LOOPBACK,
    entries: Sequence[Entry] = (),
    *,
    any_address: bool = False,
    most: int = 0,
) -> Guard:
    """The application behind its guard; `most` questions are answered at a time, by default two for each core."""
    tabs: set[Tab] = set()
    shelf = Shelf(entries)
    known = {path.name: path.read_bytes() for path in files(STATIC).joinpath("static").iterdir() if path.is_file()}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.bench = bench = Bench(most or max(4, 2 * (os.cpu_count() or 1)))
        bench.fill()
        # Importing all puzzles takes longer than a browser needs to open.
        importing = asyncio.ensure_future(anyio.to_thread.run_sync(_about))
        try:
            yield
            await importing
        finally:
            bench.close()

    async def static(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in known:
            return _missing()
        return Response(known[name], media_type=TYPES[name.rpartition(".")[2]])

    def palette(request: Request) -> Response:
        return Response(_palette(), media_type="text/css")

    def about(request: Request) -> Response:
        return _json(_about())

    async def levels(request: Request) -> Response:
        return _json(shelf.list())

    async def level(request: Request) -> Response:
        number = request.path_params["number"]
        return _json(shelf.level(number)) if number < len(shelf) else _missing()

    async def glance(request: Request) -> Response:
        number = request.path_params["number"]
        return _json(await shelf.glance(number, request.app.state.bench)) if number < len(shelf) else _missing()

    async def live(socket: WebSocket) -> None:
        if len(tabs) >= MOST_TABS:
            await socket.close(CLOSE_FLOOD)
            return
        await socket.accept()
        tab = Tab(socket, socket.app.state.bench, shelf)
        tabs.add(tab)
        try:
            await tab.serve()
        finally:
            tabs.discard(tab)

    routes = [
        Route("/palette.css", palette),
        Route("/about.json", about),
        Route("/levels.json", levels),
        Route("/level/{number:int}", level),
        Route("/glance/{number:int}", glance),
        WebSocketRoute("/live", live),
        Route("/{name}", static),
        Route("/", static, name="index"),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), token, names, any_address=any_address)


def _json(what: object) -> Response:
    return Response(msgspec.json.encode(what), media_type="application/json")


def _missing() -> Response:
    return Response("not found", 404, media_type="text/plain")


@cache
def _palette() -> str:
    """The colours of pictures by name, for light and dark pages."""
    light, dark = (
        "".join(f"--{_class(name)}:{both[which]};" for name, both in colours().items()) for which in (0, 1)
    )
    chosen = f':root[data-look="light"]{{{light}}}:root[data-look="dark"]{{{dark}}}'
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{chosen}"


def _class(name: str) -> str:
    return "c-" + name.replace(" ", "-")


def _first(name: str) -> str:
    """The text of the first level that ships with a puzzle."""
    with as_file(files("puzzlemc.screens").joinpath("levels", name)) as folder:
        found = load(str(folder))
        whole = read_text(found[0].part.source, MOST_TEXT, "levels") if found[0].part is not None else ""
    first = next(iter(puzzles()[name].screen.cut(whole, name)), None)
    # A file with several levels is one text, unless a level needs another file.
    return whole if isinstance(first, Part) and first.text == found[0].text else found[0].text or ""


@cache
def _about() -> dict[str, Any]:
    """The puzzles of the page: their metrics, brushes, and first levels."""
    found: dict[str, Any] = {}
    for name in OWN:
        rules = puzzles()[name]
        each: dict[str, Any] = {
            "metrics": rules.metrics,
            "sides": None if rules.game is None else rules.game.sides,
            "optimises": rules.optimisation is not None,
            "first": _first(name),
        }
        if rules.drawing is not None:
            drawing = rules.drawing()
            each |= {
                "brushes": [[b.sign, b.name, b.key, shapes(b.shapes)] for b in drawing.brushes],
                "first": drawing.first,
                "sheet": None if (sheet := drawing.sheet(drawing.first)) is None else sheet._asdict(),
                "between": drawing.between,
                "hollow": drawing.hollow,
                "onto": drawing.onto,
                "single": drawing.single,
                "points": rules.pointing is not None,
            }
        found[name] = each
    return found
