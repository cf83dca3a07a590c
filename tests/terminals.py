"""Programs on a terminal of their own."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyte
import pytest
from command import PROGRAM, in_bytes
from processes import program as started

ROWS, COLUMNS = 50, 100
PATIENCE = 120.0  # seconds, for a busy machine
SIZES = ("NO_COLOR", "COLUMNS", "LINES")  # variables that come before the terminal's own colours and size
TERM = "xterm-256color"


@dataclass
class Shown:
    """The result of a program on a terminal: its exit code, and its output."""

    code: int
    data: bytes
    columns: int = COLUMNS

    @property
    def screen(self) -> pyte.Screen:
        """The terminal at the end."""
        screen = pyte.Screen(self.columns, ROWS)
        pyte.ByteStream(screen).feed(self.data)
        return screen

    @property
    def text(self) -> str:
        """All output, without codes for the cursor and colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.data.decode())

    @property
    def written(self) -> list[str]:
        """The lines as written, of any length."""
        return [line.rpartition("\r")[2] for line in self.text.replace("\r\n", "\n").split("\n")]

    @property
    def lines(self) -> list[str]:
        """The lines on the screen."""
        return [line.rstrip() for line in self.screen.display if line.strip()]


def on_terminal(*arguments: str | Path, output: Path | None = None, columns: int = COLUMNS) -> Shown:
    """Run the command line in this process, with standard error, and without `output` also standard output, on a
    terminal.
    """
    leader, follower, file = _opened(output, columns)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor() as threads:
        for name in SIZES:
            patch.delenv(name, raising=False)
        patch.setenv("TERM", TERM)
        data = threads.submit(_read, leader)
        try:
            done = in_bytes(*arguments, output=file, errors=follower)
        finally:
            os.close(follower)
            os.close(file)
        return Shown(done.returncode, data.result(), columns)


def started_on_terminal(
    *arguments: str | Path,
    output: Path | None = None,
    interrupt_at: bytes = b"",
    columns: int = COLUMNS,
    program: Sequence[str] = PROGRAM,
    once: tuple[bytes, Callable[[], object]] | None = None,
) -> Shown:
    """Run a program as `on_terminal` does.

    Press Ctrl-C when `interrupt_at` is on the terminal, and call the function of `once` when its text is.
    Fail if the program does not end within two minutes.
    """
    leader, follower, file = _opened(output, columns)
    environment = {name: value for name, value in os.environ.items() if name not in SIZES}
    with started(
        [*program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=file,
        stderr=follower,
        env=environment | {"TERM": TERM},
    ) as running:
        os.close(follower)
        os.close(file)

        def look(data: bytes) -> None:
            nonlocal once, interrupt_at
            if once is not None and once[0] in data:
                once[1]()
                once = None
            if interrupt_at and interrupt_at in data:
                interrupt_at = b""
                running.send_signal(signal.SIGINT)

        data = _read(leader, look)
        code = running.wait(timeout=30)
    return Shown(code, data, columns)


def _opened(output: Path | None, columns: int) -> tuple[int, int, int]:
    """Both ends of a new terminal, and the file for standard output."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) if output is not None else os.dup(follower)
    return leader, follower, file


def _read(leader: int, look: Callable[[bytes], None] = lambda _: None) -> bytes:
    """What programs write on a terminal until the last has ended; `look` gets all that is there so far."""
    data, deadline = b"", time.monotonic() + PATIENCE
    while True:
        left = deadline - time.monotonic()
        assert select.select([leader], [], [], max(0.0, left))[0], f"goes on after {PATIENCE} s: {data!r}"
        try:
            data += os.read(leader, 1 << 16)
        except OSError:  # no process is left that could write
            os.close(leader)
            return data
        look(data)
