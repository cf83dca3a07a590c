"""`serve`: the workbench in a browser."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.common.options import OUTPUT, PuzzleName, flag, levels_if_any, option
from puzzlemc.reports.cli.common.session import failed, interruptible, refuse_inputs
from puzzlemc.reports.output.plain import plain, plain_lines

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts

EXAMPLES = """
puzzlemc serve
puzzlemc serve levels.xsb
puzzlemc serve levels.xsb --store levels.sqlite
puzzlemc serve --port 8080 --no-browser
puzzlemc serve '#level=folding:M1QwAEIjAA'
"""
PORT = 8321
LINK = re.compile(r"#level=[a-z][a-z0-9_]*:[\w-]+(:\d{1,6})?", re.ASCII)  # as the page makes them
FIRST = ("puzzlemc.reports.serve.answers",)  # modules for the first verdict


def serve(
    levels: Annotated[
        list[str] | None,
        levels_if_any("LEVELS", "A collection: files or folders; or the link of a level."),
    ] = None,
    puzzle: PuzzleName = None,
    store: Annotated[
        Path | None,
        option(
            OUTPUT, "FILE", "A store of `batch`: its verdicts are shown at once, and new ones are written to it."
        ),
    ] = None,
    port: Annotated[
        int | None,
        option(OUTPUT, "N", "The port of the page.", min=0, max=65535, show_default=f"{PORT}, or a free one"),
    ] = None,
    host: Annotated[
        str,
        option(
            OUTPUT,
            "ADDRESS",
            "The address to listen on. With another than loopback, other machines can open the page.",
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, flag(OUTPUT, "--no-browser", "Print the address, and open no browser.")] = False,
) -> None:
    """Draw, check and play levels on a page in the browser.

    A collection is listed with small pictures and verdicts; a level that was changed can be
    saved to its file. Only this machine can open the page, with the token in its address. Ctrl-C ends the server.

    Ends with 0 or 130 after Ctrl-C, or 2: bad usage, or the port is taken.
    """
    from puzzlemc.reports.workers.worker import fork_ahead

    fork_ahead(1, FIRST)  # before there is a socket that it would inherit
    from puzzlemc.encodings import puzzles as registry
    from puzzlemc.encodings.puzzles import files, load
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.serve.address import Address, listen

    own: tuple[str, ...] = ()
    links = [each for each in levels or () if each.startswith("#level=")]
    if len(links) > 1 or not all(map(LINK.fullmatch, links)):
        expected = "one link as the page copies it: #level=PUZZLE:LETTERS"
        raise typer.BadParameter(f"found {plain(links[-1][:80])}, expected {expected}", param_hint="LEVELS")
    levels = [each for each in levels or () if each not in links]
    try:
        if puzzle is not None and registry.puzzle(puzzle).origin:  # the page sends names, and must not name files
            own = (registry.add(puzzle).origin,)
            if not levels and registry.puzzle(puzzle).levels:
                levels = [puzzle]
    except ModelError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="--puzzle") from None
    refuse_inputs([] if store is None else [store], files(levels or ()))
    entries = load(levels or (), puzzle)
    for each in entries:
        if each.part is None and each.error is not None:
            raise typer.BadParameter(plain_lines(str(each.error)))

    try:
        try:
            listening = listen(host, PORT if port is None else port)
        except OSError:
            if port is not None:
                raise
            listening = listen(host, 0)
    except OSError as error:
        raise typer.BadParameter(plain(f"cannot listen on {host}: {error.strerror or error}")) from None
    with ExitStack() as stack:
        stack.enter_context(listening)
        stored = None if store is None else _opened(store, entries, stack)
        stack.enter_context(interruptible())
        address = Address(listening, host)
        print("".join([address.page, *links]), flush=True)
        if not no_browser:
            import webbrowser

            webbrowser.open("".join([address.opening, *links]))
        from puzzlemc.reports.serve.server import server  # while the browser opens

        server(address, entries, stored, own).run(sockets=[listening])


def _opened(store: Path, entries: "list[Entry]", stack: ExitStack) -> "StoredVerdicts":
    """The verdicts of a store, which is closed with the stack. Ends the program if it cannot be written."""
    from puzzlemc.reports.batch.store import Store, StoreError
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts
    from puzzlemc.reports.solve.result import BAD_INPUT

    try:
        stored = StoredVerdicts(stack.enter_context(Store(store, writing=True)), entries)
    except StoreError as error:
        raise failed(error, BAD_INPUT) from None
    stack.callback(stored.end)
    return stored
