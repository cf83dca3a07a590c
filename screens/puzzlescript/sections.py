"""The lines of each section of a game. The rules and the win conditions are kept as text."""

import re
from collections.abc import Callable
from typing import TypeAlias

from puzzlemc.screens.puzzlescript.colours import is_colour, palette_of
from puzzlemc.screens.puzzlescript.source import MAX_MEMBERS, Name, Piece, Source, WrittenLevel, WrittenSprite

Section: TypeAlias = Callable[[Piece], None]

SIDE = 5  # rows and columns of a sprite
MAX_COLOURS = 10

_VALUED = {
    *("title", "author", "homepage", "background_color", "text_color", "key_repeat_interval", "realtime_interval"),
    *("again_interval", "flickscreen", "zoomscreen", "color_palette", "youtube"),
}
_FLAGS = {
    *("run_rules_on_level_start", "norepeat_action", "require_player_movement", "debug", "verbose_logging"),
    *("throttle_movement", "noundo", "noaction", "norestart", "scanline"),
}
_KEYWORDS = {
    *(
        "checkpoint",
        "objects",
        "collisionlayers",
        "legend",
        "sounds",
        "rules",
        "winconditions",
        "levels",
        "|",
        "[",
        "]",
    ),
    *(
        "up",
        "down",
        "left",
        "right",
        "late",
        "rigid",
        "^",
        "v",
        ">",
        "<",
        "no",
        "randomdir",
        "random",
        "horizontal",
    ),
    *("vertical", "any", "all", "some", "moving", "stationary", "parallel", "perpendicular", "action", "message"),
    *("move", "destroy", "create", "cantmove", "undo", "restart", "titlescreen", "startgame", "cancel", "endgame"),
    *("startlevel", "endlevel", "showmessage", "closemessage"),
}
_NAME = re.compile(r"\w+\s*")
_OTHER_NAME = re.compile(r"[^\s()]+\s*")
_COLOUR = re.compile(
    r"(?:black|white|gray|darkgray|lightgray|grey|darkgrey|lightgrey|red|darkred|lightred|brown|darkbrown|lightbrown|"
    r"orange|yellow|green|darkgreen|lightgreen|blue|lightblue|darkblue|purple|pink|transparent|"
    r"#(?:[0-9a-f]{3}){1,2})\s*"
)
_WORD = re.compile(r"\w+\s*|[^(]+")
_OF_SECTION = re.compile(r"(?:objects|legend|sounds|collisionlayers|rules|winconditions|levels)(?!\w)\s*")
_PIXELS = re.compile(r"[.\d]*")
_GLUED = re.compile(r"(?:(?!->$)[^\s\[\]|+])+$")  # a word at the end of a text
RULE_WORDS = {
    *("up", "down", "left", "right", "horizontal", "vertical", "orthogonal", "moving", "stationary", "parallel"),
    *(
        "perpendicular",
        "^",
        "v",
        "<",
        ">",
        "no",
        "action",
        "random",
        "randomdir",
        "rigid",
        "late",
        "...",
        "->",
        "+",
    ),
    *("cancel", "restart", "win", "again", "checkpoint", "message", *(f"sfx{number}" for number in range(11))),
}
_ENTRY = re.compile(r"([^=\s(]*)\s*=\s*(.*)", re.DOTALL)
_MEMBER = re.compile(r"\w+|[^\w\s,]")
_LEGEND = "NAME = NAME, NAME = NAME and NAME …, or NAME = NAME or NAME …"


def prelude(source: Source, piece: Piece) -> None:
    """Read a line before the first section: a word, and its value."""
    if not piece.first:
        return
    word = re.match(r"\w+", piece.low)
    key = word[0] if word else ""
    value = piece.raw[len(key) :].strip()
    faults, line, column = source.faults, piece.line, piece.column
    if key in _VALUED:
        if not value:
            faults.warn(line, column, f"found {key} without a value, expected one")
            return
        if key in source.metadata:
            faults.warn(line, column, f"found {key} again, expected it once")
        palette = value.lower()
        if key == "color_palette" and palette_of(palette) is None:
            faults.warn(line, column + len(key) + 1, f"found {value[:20]!r}, expected the name of a palette")
        source.metadata[key] = value, line
    elif key in _FLAGS:
        if value:
            faults.warn(line, column + len(key) + 1, f"found {value[:20]!r} after {key}, expected nothing")
        source.metadata[key] = "true", line
    else:
        found = repr(piece.raw.strip()[:20])  # a word of another dialect, or a misspelt one, may change turns
        faults.error(line, column, f"found {found}, expected a word such as title or a section")


class Objects:
    """The section of objects: of each a line of names, a line of colours, and a sprite of five rows if it has one.

    A blank line ends an object. A row of a sprite begins with a digit or a dot; another line is the next name.
    """

    def __init__(self, source: Source) -> None:
        """Begin at the first object of a source."""
        self._source = source
        self._wanted: Section | None = None  # the reader of the next line
        self._current = ""
        self._colours: list[str] = []
        self._rows: list[str] = []
        self._line = 0  # of the current piece's line, to which further pieces belong
        self._reader: Section = self._names

    def end(self) -> None:
        """End the current object."""
        self._wanted, self._reader = None, self._names

    def read(self, piece: Piece) -> None:
        """Read one piece of the section."""
        if piece.first:
            self._reader = self._wanted or self._names
            if self._reader == self._pixels and not self._rows and piece.low[0] not in ".0123456789":
                self._reader = self._names
        self._reader(piece)

    def _names(self, piece: Piece) -> None:
        source, faults, at, first = self._source, self._source.faults, 0, piece.first
        while at < len(piece.low):
            word = (_NAME if first else _OTHER_NAME).match(piece.low, at)
            if word is None:
                found = repr(piece.raw[at:].strip()[:20])
                message = f"found {found}, expected the name of an object, of letters and digits"
                faults.warn(piece.line, piece.column + at, message, cause=True)
                return
            if not first and _OF_SECTION.fullmatch(word[0]):
                at = word.end()
                self._left_out(piece, word)
                continue
            name, column = word[0].strip(), piece.column + at
            if source.declared(name):
                message = f"found a second object {name!r}, expected each name once"
                faults.error(piece.line, column, message)
            elif first:
                _check_word(source, name, piece.line, column)
                self._current, self._colours, self._rows = name, [], []
                source.objects[name] = piece.line, column
                source.sprites[name] = WrittenSprite((), ())
            else:
                _check_word(source, name, piece.line, column)
                source.add("synonym", Name(name, (self._current,), piece.line, column))
            at, first, self._wanted = word.end(), False, self._palette

    def _left_out(self, piece: Piece, word: re.Match[str]) -> None:
        message = f"found {word[0].strip()!r} within a line, expected it as the name of a section: it is left out"
        self._source.faults.warn(piece.line, piece.column + word.start(), message, cause=True)

    def _palette(self, piece: Piece) -> None:
        at, faults = 0, self._source.faults
        while at < len(piece.low):
            word = _COLOUR.match(piece.low, at)
            if word is not None and is_colour(word[0].strip()):
                self._colours.append(word[0].strip())
            else:
                word = _WORD.match(piece.low, at)
                assert word is not None
                found = repr(word[0].strip()[:20])
                faults.warn(piece.line, piece.column + at, f"found {found}, expected a colour")
            at = word.end()
        if len(self._colours) > MAX_COLOURS:
            found = f"found {len(self._colours)} colours of {self._current}"
            faults.warn(piece.line, piece.column, f"{found}, expected at most {MAX_COLOURS}")
        self._store()
        self._wanted = self._pixels

    def _pixels(self, piece: Piece) -> None:
        faults = self._source.faults
        found = _PIXELS.match(piece.low)
        row = found[0] if found else ""
        if piece.first:
            self._rows.append("")
        self._rows[-1] += row[: SIDE + 1]
        if row != piece.low.strip():
            junk = repr(piece.low.strip()[len(row) :][:20])
            message = f"found {junk}, expected digits and dots of a sprite"
            faults.warn(piece.line, piece.column + len(row), message, cause=True)
        elif len(self._rows[-1]) != SIDE:
            width = len(self._rows[-1])
            faults.warn(piece.line, piece.column, f"found a row of {width} pixels, expected {SIDE}")
        for offset, sign in enumerate(row):
            if sign != "." and int(sign) >= len(self._colours):
                numbers = f"a number below {len(self._colours)}"
                faults.warn(piece.line, piece.column + offset, f"found colour {sign}, expected {numbers}")
        self._store()
        self._wanted = None if len(self._rows) == SIDE and len(self._rows[-1]) >= SIDE else self._pixels

    def _store(self) -> None:
        if self._current:
            self._source.sprites[self._current] = WrittenSprite(tuple(self._colours), tuple(self._rows))


def _check_word(source: Source, name: str, line: int, column: int) -> None:
    if name in _KEYWORDS:
        source.faults.warn(line, column, f"found {name!r} as a name, expected no word of the language")


class Legend:
    """The section of the legend. Comments and closing brackets within a line are no part of its definition."""

    def __init__(self, source: Source) -> None:
        """Begin before the first line of a source."""
        self._source = source
        self._pieces: list[Piece] = []

    def read(self, piece: Piece) -> None:
        """Read a part of a line between comments."""
        self._pieces.append(piece)

    def end(self, *, closed: bool) -> None:
        """End a line. Without a piece, there is none; a line that ends with a closing bracket defines nothing."""
        if not self._pieces:
            return
        first, raw, low = self._pieces[0], "", ""
        for piece in self._pieces:
            between = " " * (piece.start - first.start - len(raw))
            raw, low = raw + between + piece.raw, low + between + piece.low
        self._pieces = []
        if not closed:
            legend(self._source, first._replace(raw=raw, low=low, first=True))


def legend(source: Source, piece: Piece) -> None:
    """Read a line of the legend: a synonym, an aggregate (`and`) or a property (`or`)."""
    faults, line, column = source.faults, piece.line, piece.column
    entry = _ENTRY.fullmatch(piece.low.strip()) if piece.first else None
    words = list(re.finditer(r"\S+", entry[2])) if entry else []
    if entry is None or not entry[1] or len(words) % 2 == 0 or not all(re.fullmatch(r"\w+", w[0]) for w in words):
        faults.error(line, column, f"found text {piece.raw.strip()[:30]!r}, expected {_LEGEND}")
        return
    name = entry[1]
    start = column + entry.start(2)
    if source.declared(name):
        first = source.line_of(name)[0]
        faults.warn(line, column, f"found {name!r} again, expected one meaning; line {first} defines it, too")
    _check_word(source, name, line, column)
    joints = {word[0] for word in words[1::2]}
    if joints - {"and"} and joints - {"or"}:
        faults.error(line, start, f"found {' '.join(sorted(joints))!r} between names, expected either and or or")
        return
    members = []
    for word in words[::2]:
        if word[0] == name:
            faults.error(line, start + word.start(), f"found {name!r} in its own definition, expected other names")
        elif not source.declared(word[0]):
            faults.error(line, start + word.start(), f"found {word[0]!r}, expected a name that is defined above")
        else:
            members.append((word[0], start + word.start()))
    if not members:
        return
    if not joints:
        source.add("synonym", Name(name, (members[0][0],), line, column))
        return
    kind = "aggregate" if joints == {"and"} else "property"
    flat: list[str] = []
    for member, place in members:
        flat += _flat(source, member, kind, line, place)
        if len(flat) > MAX_MEMBERS:
            faults.error(line, place, f"found more than {MAX_MEMBERS} objects, expected at most that in a name")
            return
    if flat:
        source.add(kind, Name(name, tuple(flat), line, column))


def _flat(source: Source, name: str, kind: str, line: int, column: int) -> list[str]:
    """Return the objects that a name stands for, as part of a name of some kind."""
    found, end, members = source.lookup(name)
    if found == kind:
        return list(members)
    if found == "object":
        return [end]
    parts = "a property is one of several objects" if kind == "aggregate" else "an aggregate is several objects"
    expected = "an object or an aggregate" if kind == "aggregate" else "an object or a property"
    source.faults.error(line, column, f"found {name!r}, expected {expected}: {parts}")
    return []


def collisions(source: Source, piece: Piece) -> None:
    """Read a collision layer: names of objects and properties."""
    if piece.first:
        source.layers.append([])
    for word in _MEMBER.finditer(piece.low):
        column = piece.column + word.start()
        if not source.layers:
            source.faults.error(piece.line, column, f"found {word[0]!r} after a bracket, expected a layer")
            return
        if (word.start() or not piece.first) and _OF_SECTION.fullmatch(word[0]):
            message = f"found {word[0]!r} within a line, expected it as the name of a section: it is left out"
            source.faults.warn(piece.line, column, message, cause=True)
            continue
        kind, found, members = (
            source.lookup(word[0]) if word[0][0].isalnum() or word[0][0] == "_" else ("", "", ())
        )
        if kind == "object":
            names: tuple[str, ...] = (found,)
        elif kind == "property":
            names = members
        else:
            what = "an object or a property" if kind else "a name that is defined above"
            source.faults.error(piece.line, column, f"found {word[0]!r} in a layer, expected {what}")
            continue
        if kind == "object" and found in source.layers[-1]:
            source.faults.warn(piece.line, column, f"found {word[0]!r} again in a layer, expected it once")
        source.layers[-1] += names


def rules(source: Source, piece: Piece) -> None:
    """Keep a line of rules: its text up to the first comment, whatever stands before it."""
    end = piece.start + len(piece.low)
    if piece.first:
        text = _before_comment(piece.whole)
        source.rules.append((piece.line, text))
        if not text.strip():  # a comment behind blanks
            source.cut_rules[piece.line] = len(text) + 1
    else:
        _behind_comment(source, piece)
    if piece.whole.startswith("(", end):
        source.cut_rules.setdefault(piece.line, end + 1)
        word = _GLUED.search(piece.low)
        if word is not None:
            message = f"found a comment behind {word[0]!r} without a blank, expected one"
            source.faults.error(piece.line, end + 1, message)


def _behind_comment(source: Source, piece: Piece) -> None:
    """Say that text behind a comment in a rule is left out. A word that means nothing is an error."""
    for word in re.finditer(r"->|[^\s\[\]|]+", piece.low):
        if word[0] == "message":
            break
        if not (word[0] in RULE_WORDS or source.declared(word[0])):
            message = f"found {word[0][:20]!r}, expected the name of an object, a movement or a command"
            source.faults.error(piece.line, piece.column + word.start(), message)
            return
    message = f"found {piece.raw.strip()[:20]!r} behind a comment in a rule, expected nothing: it is left out"
    source.faults.warn(piece.line, piece.column, message)


def wins(source: Source, piece: Piece) -> None:
    """Keep a line of win conditions: its text up to the first comment."""
    if piece.first:
        source.wins.append((piece.line, _before_comment(piece.whole)))
    else:
        message = f"found {piece.raw.strip()[:20]!r} behind a comment in a win condition, expected nothing"
        source.faults.warn(piece.line, piece.column, f"{message}: it is left out")


def _before_comment(line: str) -> str:
    """Return the first run of characters without a bracket, behind blanks in the place of what is before it."""
    found = re.search(r"[^(]+", line)
    return " " * found.start() + found[0] if found else ""


class Levels:
    """The section of levels. A blank line, or a message, ends a level."""

    def __init__(self, source: Source) -> None:
        """Begin before the first level of a source."""
        self._source = source
        self._title = ""
        self._rows: list[tuple[int, int, str]] = []

    def read(self, piece: Piece) -> None:
        """Read a row of a level, or a message."""
        if not piece.first:
            message = "found text after a comment in a row of a level, expected none: it is left out"
            self._source.faults.warn(piece.line, piece.column, message)
        elif piece.low.startswith("message"):
            self.end()
            self._title = piece.raw[len("message") :].strip()
        else:
            self._rows.append((piece.line, piece.column, piece.raw.strip()))

    def end(self) -> None:
        """End the current level."""
        if self._rows:
            self._source.levels.append(WrittenLevel(self._title, tuple(self._rows)))
            self._title, self._rows = "", []
