"""Standard output and standard error: no foreign control characters, with progress bars, and with named errors.

The two streams are replaced by streams that escape control characters in everything that is printed; only `show`
writes colours. While a progress bar is shown, text for its terminal is written above it, line by line.
"""

import errno
import io
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.plain import plain_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

STYLES = {"solvable": "green", "unsolvable": "red", "unknown": "yellow", "error": "bold red"}  # of verdicts
LATE_SECONDS = 0.5  # after which a late bar is shown
CLOCK_WIDTH = 14  # columns of the terminal for the time and a short bar
LEAST_WORDS = 12  # columns
BAR = 20  # columns of a bar with a count
COUNT_WIDTH = 12  # columns for the time beside a count, and for what is between the parts
FORCED = frozenset(["FORCE_COLOR", "TTY_COMPATIBLE"])  # variables that make `rich` write colours to any file
LINE_SECONDS = 30.0  # between two lines about the progress, if there is no bar

_bar: "Progress | None" = None


class _Output(io.FileIO):
    """Standard output, unbuffered. Writing raises OutputError."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError("standard output", error.errno or errno.EIO) from None


class _Errors(io.FileIO):
    """Standard error, unbuffered.

    Errors of writing are ignored, because the verdicts on standard output still count.
    """

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


class _Stream(io.TextIOWrapper):
    """Escapes control characters, and writes above a bar on the same terminal. `raw` writes texts unchanged.

    change  is applied to each whole line
    """

    change: Callable[[str], str] | None = None

    def __init__(self, file: io.FileIO, encoding: str) -> None:
        # File names can be any bytes, and texts of certificates any code points: none may raise an error.
        form: dict[str, Any] = {"encoding": encoding, "errors": "backslashreplace", "newline": "\n"}
        form |= {"line_buffering": file.isatty(), "write_through": True}
        super().__init__(io.BufferedWriter(file), **form)
        self.raw = io.TextIOWrapper(self.buffer, **form)
        self._begun = ""  # the beginning of an incomplete line, while there is a bar or `change`

    def write(self, text: str, /) -> int:
        has_bar = _bar is not None and self.isatty()
        if not has_bar and self.change is None:
            return self.raw.write(plain_lines(text))
        *lines, self._begun = (self._begun + text).split("\n")
        for line in map(self._changed, lines):
            if has_bar:
                _above(line)
            else:
                self.raw.write(f"{line}\n")
        return len(text)

    def _changed(self, line: str) -> str:
        line = plain_lines(line)
        return line if self.change is None else self.change(line)

    def settle(self) -> None:
        """Write an incomplete line after the bar is gone."""
        begun, self._begun = self._begun, ""
        self.write(begun)
        self.flush()


def open_streams() -> None:
    """Replace standard output and standard error by the streams of this module."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The stream is closed. No file may get its number, and writing to standard output must raise an error.
            os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_RDWR)
            os.set_inheritable(number, True)
    sys.stdout = _Stream(_Output(1, "w", closefd=False), sys.stdout.encoding if sys.stdout else "utf-8")
    sys.stderr = _Stream(_Errors(2, "w", closefd=False), sys.stderr.encoding if sys.stderr else "utf-8")


def change_errors(change: Callable[[str], str]) -> None:
    """From now on, apply `change` to each line of standard error."""
    if isinstance(sys.stderr, _Stream):
        sys.stderr.change = change


def give_up_output() -> None:
    """After an OutputError, discard output: the interpreter must not try to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def show(*parts: "str | tuple[str, str] | Text", cut: bool = False) -> None:
    """Write a line to standard output: texts, texts with a style, and `Text` without control characters.

    With `cut`, a line that is too long for the terminal ends with an ellipsis.
    """
    if not _may_have_colours():
        print(
            "".join(plain_lines(part[0] if isinstance(part, tuple) else str(part)) for part in parts), flush=True
        )
        return
    from rich.text import Text

    line = Text()
    for part in parts:
        if isinstance(part, Text):
            line.append_text(part)
        else:
            words, style = part if isinstance(part, tuple) else (part, "")
            line.append(plain_lines(words), style)
    if cut and sys.stdout.isatty():
        line.truncate(width(), overflow="ellipsis")
    if _bar is not None and sys.stdout.isatty():
        _above(line)
    else:
        _console(sys.stdout).print(line, soft_wrap=True)


def clear() -> None:
    """Clear the terminal of standard output; elsewhere, write a blank line."""
    console = _console(sys.stdout)
    if console.is_terminal and not console.is_dumb_terminal:
        console.clear()
    else:
        print(flush=True)


def width() -> int:
    """The width of the terminal of standard output, in columns."""
    return _console(sys.stdout).width


def takes_colours() -> bool:
    """Is standard output a terminal with colours?"""
    return _console(sys.stdout).color_system is not None


def _may_have_colours() -> bool:
    """May standard output take colours? If not, the slow `rich` need not be imported."""
    return sys.stdout.isatty() or not FORCED.isdisjoint(os.environ)


def _above(line: "str | Text") -> None:
    """Write a line above the bar."""
    assert _bar is not None
    _bar.console.print(line, soft_wrap=True, markup=False, emoji=False)


@cache
def _console(stream: Any) -> "Console":
    from rich.console import Console

    # Its output can contain control sequences for the terminal, so it writes to the raw stream.
    return Console(file=stream.raw if isinstance(stream, _Stream) else stream, highlight=False)


@contextmanager
def progress(total: int, what: str = "levels", *, shown: bool) -> Iterator[Callable[[], None]]:
    """Show a progress bar in a `with` block; the yielded function advances it by one.

    The bar is shown if standard error is a terminal, and standard output is the same terminal or a file. If
    standard output is a pipe, its reader may write to the terminal, too.
    """
    if total < 2:
        with clock(what.removesuffix("s"), shown=shown):
            yield lambda: None
        return
    if not shown or not _can_show():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

    taken = len(what) + BAR + 2 * len(str(total)) + COUNT_WIDTH
    columns = (TextColumn(what), BarColumn(BAR), MofNCompleteColumn(), _whole(TimeElapsedColumn), _words(taken))
    with _live(*columns) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.update(task, advance=1, description="")


def describe(words: str) -> None:
    """Put words beside the bar of `progress`, if one is shown, until it advances; from any thread."""
    if (bar := _bar) is not None:
        bar.update(bar.task_ids[0], description=plain_lines(words))


@contextmanager
def clock(words: str, *, shown: bool) -> Iterator[Callable[[str], None]]:
    """Show a bar without a total and the elapsed time, under the conditions of `progress`, after LATE_SECONDS.

    The yielded function sets the words that describe the current work.
    """
    if not shown or not _can_show():
        yield lambda words: None
        return
    from rich.progress import BarColumn, TimeElapsedColumn

    # On a narrow terminal only the bar becomes shorter.
    columns = (BarColumn(10), _whole(TimeElapsedColumn), _words(CLOCK_WIDTH))
    with _live(*columns, late=True) as bar:
        task = bar.add_task(plain_lines(words), total=None)
        yield lambda words: bar.update(task, description=plain_lines(words))


def _whole(column: Any) -> Any:
    """A column of this class that is not broken on a narrow terminal."""
    from rich.table import Column

    return column(table_column=Column(no_wrap=True))


def _words(taken: int) -> Any:
    """A column of words beside what takes `taken` columns of the terminal.

    Their end is the most recent part, so they are cut at the beginning.
    """
    from rich.progress import TextColumn
    from rich.text import Text

    class Words(TextColumn):
        def render(self, task: Any) -> Text:
            console = _console(sys.stdout if sys.stdout.isatty() else sys.stderr)
            return Text(_end_of(task.description, console.width - taken))

    return Words("")


def _end_of(words: str, columns: int) -> str:
    """The words, or their end if they do not fit into the columns; nothing if that would be too little to read."""
    from rich.cells import cell_len

    if columns < LEAST_WORDS:
        return ""
    if cell_len(words) <= columns:
        return words
    while words and cell_len(words) > columns - 3:
        words = words[1:]
    return f"...{words}"


@contextmanager
def ticker(*, shown: bool) -> Iterator[Callable[[int, int | None, str], None]]:
    """Show progress in a `with` block; the yielded function takes the number done, the total, and a description.

    It updates a bar under the conditions of `progress`; otherwise it prints a line on standard error now and then.
    """
    if not shown:
        yield lambda done, total, words: None
        return
    if not _can_show():
        yield _lines()
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    # On a narrow terminal the bar becomes shorter, because the words are more important.
    columns = (BarColumn(20), TextColumn("{task.description}"), TimeElapsedColumn())
    with _live(*columns) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, words: bar.update(
            task, completed=done, total=total, description=plain_lines(words)
        )


def _lines() -> Callable[[int, int | None, str], None]:
    """A function that prints at most one line every LINE_SECONDS."""
    last = time.monotonic()

    def report(done: int, total: int | None, words: str) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            print(words, file=sys.stderr, flush=True)

    return report


@contextmanager
def _live(*columns: Any, late: bool = False) -> Iterator["Progress"]:
    """Show a bar with these columns in a `with` block; a `late` bar appears after LATE_SECONDS."""
    global _bar
    from rich.progress import Progress

    class Bar(Progress):
        """A bar that can be late."""

        def get_renderables(self) -> Iterator[Any]:
            if not late or any((task.elapsed or 0) > LATE_SECONDS for task in self.tasks):
                yield from super().get_renderables()

    console = _console(sys.stdout if sys.stdout.isatty() else sys.stderr)
    silent = {
        "redirect_stdout": False,
        "redirect_stderr": False,
    }  # else rich takes a standard output that is piped
    try:
        with Bar(*columns, console=console, transient=True, **silent) as bar:  # type: ignore[arg-type]
            _bar = bar
            try:
                yield bar
            finally:
                _bar = None
    finally:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, _Stream):
                stream.settle()


def _can_show() -> bool:
    """Can a bar be shown on standard error?"""
    return sys.stderr.isatty() and _is_apart()


def _is_apart() -> bool:
    """Is standard output the terminal of standard error, or a file or device?"""
    output, errors = (os.fstat(stream.fileno()) for stream in (sys.stdout, sys.stderr))
    if sys.stdout.isatty():
        return getattr(output, "st_rdev", 0) == getattr(errors, "st_rdev", 0)  # Windows has one terminal alone
    return stat.S_ISREG(output.st_mode) or stat.S_ISCHR(output.st_mode)
