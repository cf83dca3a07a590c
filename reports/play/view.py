"""The visible part of a scene, as text with colours."""

import os
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from puzzlemc.encodings.puzzle.by_hand import Line, Scene
from puzzlemc.encodings.puzzles import colours
from puzzlemc.reports.output.plain import plain

Size = tuple[int, int]  # width in characters, and height in lines


@dataclass(frozen=True)
class Corner:
    """The upper left corner of the visible part: characters and lines of the scene to skip."""

    x: int = 0
    y: int = 0


def corner(scene: Scene, room: Size, before: Corner) -> Corner:
    """The corner nearest to `before` that has the focus in view; a scene that fits is shown whole."""
    x, y, width, height = scene.focus
    return Corner(
        _slid(before.x, room[0], scene.width, x, width), _slid(before.y, room[1], scene.height, y, height)
    )


def _slid(before: int, room: int, whole: int, start: int, length: int) -> int:
    if length > room:  # its middle
        start, length = start + (length - room) // 2, room
    at = min(max(before, start + length - room), start)
    return min(max(0, at), max(0, whole - room))


def picture(scene: Scene, room: Size, at: Corner, *, dark: bool) -> Text:
    """The scene from a corner on; a smaller scene is centred."""
    left = max(0, room[0] - scene.width) // 2
    top = max(0, room[1] - scene.height) // 2
    text = Text("\n" * top, no_wrap=True, end="")
    for number in range(at.y, min(at.y + room[1], scene.height)):
        text.append("\n" * (number > at.y) + " " * left)
        _append(text, scene.line(number), at.x, room[0], dark)
    return text


def _append(text: Text, line: Line, skip: int, room: int, dark: bool) -> None:
    """Add at most `room` characters of a line, without the first `skip`."""
    for span in line:
        if room <= 0:
            return
        shown = plain(span.text)[skip : skip + room]
        skip = max(0, skip - len(span.text))
        room -= len(shown)
        if shown:
            text.append(shown, style(span.colour, span.ground, dark=dark, bold=span.bold))


def style(colour: str, ground: str = "", *, dark: bool, bold: bool = False) -> Style:
    """The style with colours of these names, for a dark or a light terminal."""

    def look(name: str) -> str | None:
        return colours()[name][dark] if name else None

    return Style(color=look(colour), bgcolor=look(ground), bold=bold)


def prefers_dark() -> bool:
    """Is the terminal dark? The last number of COLORFGBG is the background colour; dark without it."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] not in ("7", "15")
