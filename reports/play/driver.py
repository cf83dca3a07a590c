"""A terminal driver for textual that accepts any input, and notices the end of it.

The driver of textual fails at bytes that are not UTF-8, and ignores the end of the input.
"""

import os
import selectors
import sys
from codecs import getincrementaldecoder
from typing import Any

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

WAIT_SECONDS = 0.1  # for the rest of an escape sequence; after it, the key was Escape
MOST_BYTES = 1 << 12  # per read


class Terminal(LinuxDriver):
    """The terminal of standard input and standard output."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert sys.__stdout__ is not None
        self._file = sys.__stdout__  # standard error may go elsewhere
        sys.__stdout__.reconfigure(errors="replace")

    def _get_terminal_size(self) -> tuple[int, int]:
        """The size of the terminal itself; that in the environment may be old."""
        try:
            size = os.get_terminal_size(self.fileno)
        except OSError:
            return 80, 24
        return size.columns or 80, size.lines or 24

    def run_input_thread(self) -> None:
        """Read input and dispatch events until the end of the input."""
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        parser = XTermParser(self._debug)
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                text = ""
                if selector.select(WAIT_SECONDS):
                    try:
                        data = os.read(self.fileno, MOST_BYTES)
                    except OSError:  # the terminal is gone
                        data = b""
                    if not data:
                        self._app.call_later(self._app.exit, 0)
                        return
                    text = decode(data)
                try:
                    for message in [*(parser.feed(text) if text else ()), *parser.tick()]:
                        self.process_message(message)
                except (ParseError, ValueError, LookupError, RuntimeError):  # an unknown sequence
                    parser = XTermParser(self._debug)
