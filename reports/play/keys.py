"""The keys that all puzzles share, and the lines and lists that show keys and levels."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from puzzlemc.encodings.puzzle.by_hand import Line, Scene, Span, scene
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.play.levels import Levels
from puzzlemc.reports.play.view import Size

# The keys and their effects, for people; `ACTIONS` has the names of textual.
KEYS = (
    ("u, backspace", "take the last move back"),
    ("r, ctrl+y", "redo the move"),
    ("R", "restart"),
    ("U", "undo to the position before the level was lost"),
    ("h", "hint: the next move of a shortest solution from here"),
    ("n", "play the move of the hint"),
    ("f", "show or hide the cost of a solution from here"),
    ("S, ctrl+s", "save the game"),
    ("L, ctrl+o", "load a game"),
    ("t", "light or dark colours"),
    ("?", "show these keys"),
    ("q, ctrl+c", "quit"),
)
SHORT_KEYS = UNDO, REDO, HINT, NEXT = ("u", "undo"), ("r", "redo"), ("h", "hint"), ("n", "next")
LEVEL_KEYS = (
    ("N, page down", "next level"),
    ("P, page up", "previous level"),
    ("G", "list the levels with their least costs; enter goes to one"),
)
LEVEL = ("N P", "level")
SPARE_KEYS = (REDO, NEXT, UNDO, LEVEL, HINT)  # left out of a narrow line, in this order
LAST_KEYS = (("?", "keys"), ("q", "quit"))  # never left out
NAME_KEYS = (("ctrl+c", "quit"),)
ACTIONS = {
    "u": "undo", "backspace": "undo", "ctrl+z": "undo", "r": "redo", "ctrl+y": "redo", "R": "restart",
    "U": "undo_loss", "h": "hint", "n": "follow", "f": "toggle_distance", "S": "save", "ctrl+s": "save",
    "L": "load", "ctrl+o": "load", "t": "theme", "?": "help", "q": "quit", "ctrl+d": "quit", "ctrl+q": "quit",
    "N": "next_level", "pagedown": "next_level", "P": "previous_level", "pageup": "previous_level", "G": "list",
}  # fmt: skip
SCROLLS = {"up": -1, "down": 1}


def key_list(own: Sequence[tuple[str, str]], first: int, room: Size) -> tuple[Scene, int]:
    """All keys, `own` being those of the puzzle, from line `first` on; also returns the last possible `first`."""
    keys = (*own, *KEYS[:-2], *LEVEL_KEYS, *KEYS[-2:])
    wide = max(len(key) for key, _ in keys) + 2
    lines = [(Span(key.ljust(wide), "", "", True), Span(what)) for key, what in keys]
    first = min(first, max(0, len(lines) + 1 - room[1]))
    return scene([*lines, (Span("Any other key goes back."),)], (0, first, 1, room[1])), first


def level_list(levels: Levels, chosen: int, room: Size) -> Scene:
    """The levels around the chosen one, as many as fit; solved levels have a mark and their least costs."""
    rows = max(1, room[1] - 1)
    many = len(levels.names)
    first = max(0, min(chosen - rows // 2, many - rows))
    head = f"{levels.solved} of {many} solved. Enter goes to a level, any other key back."
    lines: list[Line] = [(Span(head[: room[0]]),)]
    for number in range(first, min(many, first + rows)):
        mark = "▸ " if number == chosen else "  "
        done = "✓ " if levels.best(number) is not None else "  "
        text = plain(f"{number + 1:>{len(str(many))}} {done}{levels.names[number]}")
        best = levels.best_in_words(number)
        left = max(0, room[0] - 4 - len(best))
        text = text if len(text) <= left else f"{text[: max(0, left - 1)]}…"
        lines.append((Span(mark), Span(f"{text}  {best}".rstrip(), "", "", number == chosen)))
    return scene(lines)


def line_of(keys: Iterable[tuple[str, str]]) -> Text:
    """A line of keys and their effects."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for key, what in keys:
        line.append("  " * bool(line)).append(key, "bold").append(f" {what}")
    return line


def key_line(own: Sequence[tuple[str, str]], width: int, *, many: bool) -> Text:
    """A line with the keys of the puzzle, the shared keys, and those of `many` levels.

    A narrow line leaves out the least important keys.
    """
    shown = [*own, *SHORT_KEYS, *([LEVEL] if many else []), *LAST_KEYS]
    spare = [key for key in (*SPARE_KEYS, *reversed(own)) if key in shown]
    while spare and line_of(shown).cell_len > width:
        shown.remove(spare.pop(0))
    return line_of(shown)


def two_sided(left: str, right: str, width: int) -> Text:
    """A line with a text at each end; the left text is cut if they do not fit."""
    room = max(0, width - len(right) - 2)
    left = plain(left)
    shown = left if len(left) <= room else left[: max(0, room - 1)] + "…" * (room > 0)
    return Text(shown.ljust(room) + "  " + right, no_wrap=True, overflow="ellipsis")
