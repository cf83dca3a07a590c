"""The command line in tests, and the levels that many of them share.

`puzzlemc` runs it in this process, on real files for the three streams: starting Python and the libraries takes
longer than most tests. Tests of the process itself (signals, pipes, terminals, the locale) start a program with
`PROGRAM`. Workers are separate processes in both cases.
"""

import json
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any

from puzzlemc.mc.system.processes import COPIES
from puzzlemc.reports.cli.app import main
from puzzlemc.reports.workers import worker

MAIN = "from puzzlemc.reports.cli.start import main; main()"
PROGRAM = (sys.executable, "-c", MAIN)
ONE_PUSH = "#####\n#@$.#\n#####\nTitle: One push\n"
CORNERED = "#####\n#$  #\n#.@ #\n#   #\n#####\nTitle: Cornered\n"
USUAL = (
    "puzzlemc.encodings.sokoban.puzzle",
    "puzzlemc.mc.engines.explicit",
    "puzzlemc.mc.engines.symbolic",
    "puzzlemc.mc.symbolic.side",
    "puzzlemc.reports.certify.certify",
)
STREAMS = ("stdin", "stdout", "stderr")
SIGNALS = (signal.SIGINT, signal.SIGALRM, signal.SIGTERM, signal.SIGHUP)


def puzzlemc(
    *arguments: str | Path, text: str | bytes = "", output: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line in this process, with `output` as its standard output if it is given."""
    done = in_bytes(*arguments, text=text, output=output)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def in_bytes(
    *arguments: str | Path, text: str | bytes = "", output: int | None = None, errors: int | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The same, with output as bytes, and `errors` as standard error if it is given."""
    data = text if isinstance(text, bytes) else text.encode()
    return _run(main, ["puzzlemc", *map(str, arguments)], data, output, errors)


def script(path: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script in this process."""
    sys.path.insert(0, str(path.parent))
    try:
        done = _run(lambda: runpy.run_path(str(path), run_name="__main__"), [str(path), *map(str, arguments)])
    finally:
        sys.path.remove(str(path.parent))
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _run(
    function: Callable[[], object],
    words: list[str],
    data: bytes = b"",
    output: int | None = None,
    errors: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    start_server()
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(data)
        given.seek(0)
        files = (out.fileno() if output is None else output, err.fileno() if errors is None else errors)
        with _streams(given.fileno(), *files):
            code = _exit_code(function, words)
            sys.stdout.flush()
            sys.stderr.flush()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


def _exit_code(function: Callable[[], object], words: list[str]) -> int:
    """The exit code of the program."""
    before, sys.argv = sys.argv, words
    try:
        function()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv = before
    return 0


def started(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line as a separate program."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(
        command, **({"capture_output": True, "encoding": "utf-8", "timeout": 120, "check": False} | more)
    )


def as_json(*arguments: str | Path, text: str | bytes = "") -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the rows of a run with `--json`."""
    done = puzzlemc(*arguments, "--json", text=text)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def write(path: Path, *levels: str) -> Path:
    """Write a file of levels."""
    path.write_text("\n".join(levels), encoding="utf-8")
    return path


def hard(rows: int) -> str:
    """A room full of boxes, too much for any search within a second."""
    boxes = "\n".join("#" + " $" * rows + " #" for _ in range(rows))
    goals = "\n".join("#" + " ." * rows + " #" for _ in range(rows))
    width = 2 * rows + 3
    gap = "#" + " " * (width - 2) + "#"
    return f"{'#' * width}\n#@{' ' * (width - 3)}#\n{boxes}\n{gap}\n{goals}\n{gap}\n{'#' * width}\n"


@cache
def start_server() -> None:
    """Start the process that forks workers, with all libraries and code that they may need, once for all tests."""
    vars(sys.modules["__main__"]).pop("__file__", None)  # otherwise each worker would import pytest
    if not COPIES:  # each process is new: it loads what most levels need before the clock of its first level runs
        started = worker._started
        worker._started = lambda context, preload: started(context, (*preload, *USUAL))
        resource_tracker.ensure_running()  # it would keep the standard error of a test open
        return
    multiprocessing.get_context("forkserver").set_forkserver_preload(["loaded"])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *([before] if before else [])])
    forkserver.ensure_running()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
    first = multiprocessing.get_context("forkserver").Process(target=time.sleep, args=(0,))
    first.start()
    first.join()  # it has loaded all: no test waits for that under a limit of time


@contextmanager
def _streams(*files: int) -> Iterator[None]:
    """While it is active, the three standard streams are these files."""
    kept = [os.dup(number) for number in range(3)]
    streams = [getattr(sys, name) for name in STREAMS]
    handlers = [signal.getsignal(number) for number in SIGNALS]
    for stream in streams[1:]:
        stream.flush()
    for number, file in enumerate(files):
        os.dup2(file, number)
    own = [open(number, mode, encoding="utf-8", closefd=False) for number, mode in enumerate("rww")]  # noqa: SIM115
    sys.stdin, sys.stdout, sys.stderr = own
    try:
        yield
    finally:
        for stream in own:
            stream.close()
        for name, stream in zip(STREAMS, streams, strict=True):
            setattr(sys, name, stream)
        for number, file in enumerate(kept):
            os.dup2(file, number)
            os.close(file)
        for number, handler in zip(SIGNALS, handlers, strict=True):
            signal.signal(number, handler)
