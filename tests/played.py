"""`puzzlemc play` on a terminal of its own, as a person uses it: keys are its input, a screen is its output."""

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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyte
from command import PROGRAM

KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "tab": "\t"}
KEYS |= {"escape": "\x1b", "ctrl+c": "\x03", "ctrl+y": "\x19"}
KITTY = re.compile(rb"\x1b\[[<>=][0-9;]*u")  # of a newer protocol; pyte would take it for text
PATIENCE = 60.0  # seconds, for a busy machine


class Terminal:
    """A terminal that runs the program."""

    def __init__(self, arguments: Sequence[str | Path], rows: int, columns: int, state: Path) -> None:
        self._leader, follower = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.data = b""
        self._size(follower, rows, columns)
        self.before = termios.tcgetattr(follower)
        self._follower = follower
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORFGBG")}
        self.running = subprocess.Popen(
            [*PROGRAM, "play", *map(str, arguments)],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment
            | {
                "TERM": "xterm-256color",
                "COLUMNS": "7",
                "XDG_STATE_HOME": str(state),
            },  # pyte knows its width better
            start_new_session=True,
        )

    @staticmethod
    def _size(file: int, rows: int, columns: int) -> None:
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def text(self) -> str:
        """The text on the screen, with each run of blanks as one."""
        return " ".join(" ".join(self.screen.display).split())

    def press(self, *keys: str) -> None:
        """Press keys, given by name or by the characters that they send."""
        for key in keys:
            os.write(self._leader, KEYS.get(key, key).encode())
            self._read(0.02)

    def send(self, data: bytes) -> None:
        """Send any bytes."""
        os.write(self._leader, data)
        self._read(0.02)

    def resize(self, rows: int, columns: int) -> None:
        """Resize the terminal, and signal it."""
        self.screen.resize(rows, columns)
        self._size(self._leader, rows, columns)
        self.running.send_signal(signal.SIGWINCH)

    def wait(self, *texts: str, seconds: float = PATIENCE) -> str:
        """Wait until all these texts are on the screen; return the text on it."""
        end = time.monotonic() + seconds
        while not all(text in self.text for text in texts):
            assert time.monotonic() < end, f"no {texts} within {seconds} s:\n" + "\n".join(self.screen.display)
            assert self._read(0.1), f"ended without {texts}:\n{self.data[-2000:].decode(errors='replace')}"
        return self.text

    def name(self, key: str, path: Path) -> None:
        """Press the key that asks for the name of a file, and type the name."""
        self.press(key)
        self.wait("escape to cancel")
        self.press(str(path), "enter")  # instead of the proposed name

    def wait_without(self, text: str) -> None:
        """Wait until this text is no longer on the screen."""
        end = time.monotonic() + PATIENCE
        while text in self.text:
            assert time.monotonic() < end, f"still {text!r} after {PATIENCE} s"
            assert self._read(0.1), "ended"

    def end(self) -> int:
        """Wait for the end of the program; return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.running.poll() is None:
            assert time.monotonic() < end, "\n".join(self.screen.display)
            self._read(0.1)
        self._read(0.1)
        return self.running.returncode

    def is_restored(self) -> bool:
        """Is the terminal as it was before: its modes, its screen, its cursor?"""
        modes = self.data[self.data.rindex(b"\x1b[?1049") :]
        return (
            termios.tcgetattr(self._follower) == self.before
            and modes.startswith(b"\x1b[?1049l")
            and b"\x1b[?25h" in modes
        )

    def hang_up(self) -> None:
        """Close the terminal."""
        os.close(self._follower)
        os.close(self._leader)
        self._leader = -1

    def _read(self, seconds: float) -> bool:
        """Read the output of this number of seconds; return False at its end."""
        if self._leader >= 0 and select.select([self._leader], [], [], seconds)[0]:
            try:
                data = os.read(self._leader, 1 << 16)
            except OSError:
                return False
            self.data += data
            self._stream.feed(KITTY.sub(b"", data))
        return self.running.poll() is None

    def close(self) -> None:
        """End the program if it still runs, and close the terminal."""
        if self.running.poll() is None:
            self.running.kill()
        self.running.wait(PATIENCE)
        if self._leader >= 0:
            self.hang_up()


@contextmanager
def playing(*arguments: Any, rows: int = 24, columns: int = 80, state: Path | None = None) -> Iterator[Terminal]:
    """The program on a terminal, with a folder of its own for progress, or with `state`."""
    with TemporaryDirectory() as folder:
        terminal = Terminal(arguments, rows, columns, state or Path(folder))
        try:
            yield terminal
        finally:
            terminal.close()
