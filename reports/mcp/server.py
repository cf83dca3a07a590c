"""The server: requests of a client become calls of tools, in threads, and results become messages."""

import asyncio
import signal
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.metadata import version
from itertools import count
from threading import Thread
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from msgspec import json, to_builtins

from puzzlemc.mc.errors import PuzzlemcError, words_of
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.mcp.calls import PRELOAD, Call, Setting
from puzzlemc.reports.mcp.resources import readable, text_of
from puzzlemc.reports.mcp.tools import TOOLS, Found, Tool, schema
from puzzlemc.reports.mcp.transport import wire
from puzzlemc.reports.mcp.wording import sentence, worded
from puzzlemc.reports.output.plain import plain_lines
from puzzlemc.reports.workers.worker import Worker, WorkerDied

MOST_AT_ONCE = 2  # calls; others wait
WARM_SECONDS = 5.0  # the longest wait for a process that is being started
GRACE_SECONDS = 5.0  # from the limit of a call to its end, if something does not look at the limit
MOST_ANSWER = 1 << 20  # bytes of a result without its picture
INSTRUCTIONS = """\
Checks levels of puzzles: a verdict is proved, never guessed. Give a level as text, or name a file below the
folders that the user allows (list_levels). Read puzzlemc://puzzles for the puzzles, and puzzlemc://formats/NAME
before you write a level. On the way from an idea to a level: render what you have drawn, check it, explain why it
is unsolvable, suggest repairs, then solve it with certify. "unknown" means that a limit came first; say so, and do
not guess.
"""

Context = ServerRequestContext[Any]


def server(setting: Setting) -> Server[Any]:
    """The server with these permissions and limits."""
    room = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            expected = f"expected one of {', '.join(TOOLS)}{nearest(params.name, tuple(TOOLS))}"
            raise MCPError(types.INVALID_PARAMS, f"found the tool {params.name[:100]!r}, {expected}")
        try:
            return _result(await _called(tool, params.arguments or {}, setting, room, _teller(context)))
        except PuzzlemcError as error:
            return _failed(str(error))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return _failed(f"the call crashed, which is a bug: {type(error).__name__}")

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(name, tool) for name, tool in TOOLS.items()])

    async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        found = [
            types.Resource(uri=each.uri, name=each.name, description=each.description, mime_type="text/markdown")
            for each in await anyio.to_thread.run_sync(lambda: list(readable()))
        ]
        return types.ListResourcesResult(resources=found)

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text = await anyio.to_thread.run_sync(text_of, uri)
        except PuzzlemcError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        contents = types.TextResourceContents(uri=uri, text=text, mime_type="text/markdown")
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "puzzlemc",
        version=version("puzzlemc"),
        title="puzzlemc, a model checker for puzzles",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


async def serve(setting: Setting) -> signal.Signals | None:
    """Serve one client on standard input and output, until it closes one of them.

    Return the signal that ended the server before; None if there was none.
    """
    made, caught = server(setting), None
    warming = Thread(target=_warm, args=(setting,), daemon=True)
    with _received(signal.SIGINT, signal.SIGTERM) as signals:
        async with wire() as (incoming, outgoing), anyio.create_task_group() as tasks:

            async def end(signals: AsyncIterator[signal.Signals]) -> None:
                nonlocal caught
                caught = await anext(signals)
                tasks.cancel_scope.cancel()

            warming.start()
            if signals is not None:
                tasks.start_soon(end, signals)
            await made.run(incoming, outgoing, made.create_initialization_options())
            tasks.cancel_scope.cancel()
        warming.join(WARM_SECONDS)  # a process whose parent ends while it starts complains
    return caught


@contextmanager
def _received(*numbers: signal.Signals) -> Iterator[AsyncIterator[signal.Signals] | None]:
    """The signals that arrive within it. None on Windows, where Ctrl-C raises KeyboardInterrupt as elsewhere."""
    with ExitStack() as stack:
        try:
            signals = stack.enter_context(anyio.open_signal_receiver(*numbers))
        except NotImplementedError:
            yield None
        else:
            yield signals


def _warm(setting: Setting) -> None:
    """Start the process from which the processes of calls are forked, with the code that they need."""
    with Worker(int(setting.memory * GIB), PRELOAD) as worker, suppress(WorkerDied):  # the program has ended
        worker.run(_ready)


def _ready() -> None:
    """In a worker: nothing."""


def _teller(context: Context) -> Callable[[str], None]:
    """A function that sends lines of progress from any thread, if the client has asked for progress."""
    loop, numbers = asyncio.get_running_loop(), count(1)

    def tell(words: str) -> None:
        report = context.session.report_progress(next(numbers), None, plain_lines(words))
        try:
            asyncio.run_coroutine_threadsafe(report, loop)
        except RuntimeError:  # the server has ended
            report.close()

    return tell


async def _called(
    tool: Tool,
    given: dict[str, Any],
    setting: Setting,
    room: anyio.CapacityLimiter,
    heard: Callable[[str], None],
) -> Found:
    """The result of a call. Raises PuzzlemcError for whatever keeps it from one; its processes have ended then."""
    asked = tool.read(given)
    async with room:
        call = Call(setting, asked.timeout, heard)
        try:
            with anyio.fail_after(call.seconds + GRACE_SECONDS):
                return await anyio.to_thread.run_sync(partial(tool.run, asked, call), abandon_on_cancel=True)
        except TimeoutError as limit:
            raise PuzzlemcError(f"no answer: {words_of(limit)}") from None
        finally:
            call.cancel.set()


def _result(found: Found) -> types.CallToolResult:
    """A result as a message: its fields, the same as text for clients that know no others, and a picture."""
    answer, picture = found if isinstance(found, tuple) else (found, b"")
    said = worded(to_builtins(answer))
    text = json.encode(said).decode()
    if len(text) > MOST_ANSWER:
        return _failed(f"the result has {len(text)} characters, more than {MOST_ANSWER}")
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text)]
    if picture:
        data = to_builtins(picture)  # base64
        content.append(types.ImageContent(type="image", data=data, mime_type="image/png"))
    return types.CallToolResult(content=content, structured_content=said)


def _failed(words: str) -> types.CallToolResult:
    """An error as a result, which the assistant reads."""
    text = plain_lines(sentence(words))[:MOST_ANSWER]
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _described(name: str, tool: Tool) -> types.Tool:
    """A tool as clients list it. No tool changes a file."""
    return types.Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=schema(tool.asked),
        output_schema=schema(tool.answer),
        annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )
