"""`mcp`: a server for assistants, on standard input and output."""

from typing import Annotated

import typer

from puzzlemc.reports.cli.common.options import ASKED, LIMITS, Memory, levels_if_any, option
from puzzlemc.reports.cli.common.session import bad_usage, failed, interruptible

EXAMPLES = """
puzzlemc mcp
puzzlemc mcp levels
puzzlemc mcp levels --timeout 20 --memory 2
"""


def mcp(
    folders: Annotated[
        list[str] | None,
        levels_if_any(
            "FOLDERS",
            "Folders whose files may be read, by their paths from there; without any, no file is read.",
        ),
    ] = None,
    puzzle: Annotated[
        list[str] | None,
        option(
            ASKED,
            "FILE",
            "A Python file with a puzzle of your own, which is a program; can be given several times.",
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[
        float, option(LIMITS, "SECONDS", "The most seconds of wall clock for each call.", min=1, max=86400)
    ] = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Serve assistants: check, explain, change and draw levels (MCP).

    A client starts this program, and speaks the Model Context Protocol on its standard input and output. The
    package `mcp` is needed, which the extra `mcp` installs.

    Ends with 0 when the client goes, 2: bad usage or input.
    """
    from importlib.util import find_spec

    from puzzlemc.encodings import puzzles as registry
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.mc.installed import adding
    from puzzlemc.reports.mcp.calls import Setting
    from puzzlemc.reports.mcp.folders import Folders
    from puzzlemc.reports.solve.result import BAD_INPUT

    with bad_usage("FOLDERS"):
        allowed = Folders.of(folders or ())
    with bad_usage("--puzzle"):
        for each in puzzle or ():
            if not each.endswith(".py"):
                raise ModelError(f"found {each!r}, expected a Python file with a puzzle; the others are known")
        own = tuple(registry.add(each).origin for each in puzzle or ())
    if find_spec("mcp") is None:
        raise failed(f"the package mcp is missing, which the extra mcp installs: {adding('mcp')}", BAD_INPUT)
    import anyio

    from puzzlemc.reports.mcp.server import serve

    with interruptible():
        caught = anyio.run(serve, Setting(allowed, own, timeout, memory))
    if caught is not None:
        raise typer.Exit(128 + caught)
