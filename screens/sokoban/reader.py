r"""Sokoban collections as text (XSB and `.sok`), to levels and back; as XML they are read by `slc`.

A collection is boards with other lines between them. A board is a run of lines made of

    # wall    @ player    $ box    . goal    space - _ floor    + player on goal    * box on goal

with a wall in its first and last line. The letters p b o P B, which some files have, are @ $ . + *, and so is
g a goal. A count repeats the cell after it and `|` ends a row (`4#|#@$.#|4#`).
A blank line ends a board, and so do a `;` comment, a `Key: value` line and a line of free text. But text is a
broken row, and an error, if it starts as a row does (blanks, a count, `#`), or if it alone parts two rows
that cannot be the lower edge of one board and the upper edge of the next.

`Title:`, `Author:` and `;` headers name a board, and collections disagree on which side of it they stand. So:

- A remark that touches one board (no blank line between them) is about that board.
- Any other header is about the board below. Any other title or author is about the board above, or the one
  below if the file has such remarks before each of its boards and none after the last.
- A remark with no board on that side is about the collection: its author made the levels that name none.
- So is a name above the first of several boards that is followed by another name, or apart from the board where
  no other board has a name of that kind.

The last line of text above a board names it, too, as in files of the kind `.sok`, unless it stands with the
lines below another board, is a solution, or a rule of `=` or `-`. `Title:` beats a header, a header beats text,
and of several headers the nearest counts. `Collection:` or `Set:` above the first board names the collection.
What else stands between boards, solutions among it, is read by `notes`.
"""

import re
from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.missing_wall import missing_walls
from puzzlemc.screens.base.part import MAX_LEVELS, About, Part, build_all, too_many
from puzzlemc.screens.base.picture import Moved, Picture, Shape, disc, tile
from puzzlemc.screens.sokoban import slc
from puzzlemc.screens.sokoban.notes import notes

Cell = tuple[int, int]  # (row, column) from 0

SUFFIXES = (".xsb", ".sok", ".slc")

MAX_NOTES = 100  # lines above a board in which its title is looked for
MAX_FAULTS = 10  # of a level that an error names
MAX_SIDE = 1000  # rows and columns of a board: a count in a file must not fill the memory


@dataclass(frozen=True, slots=True)
class State:
    """Where the player and the boxes stand."""

    player: Cell
    boxes: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Level:
    """A level that is sound: closed, one player, at least one goal. There may be fewer boxes than goals.

    `rows` is the board as drawn, in `# @ + $ * .` and space, without trailing blanks. `floor` is in row-major
    order and holds only cells that the player could reach if no box were there. Boxes out of reach never move:
    they are in `rows` alone, with the goals that they stand on. So `start` is all on the floor, and a goal that
    is not on the floor is one that never gets a box.
    """

    title: str
    author: str
    rows: tuple[str, ...]
    floor: tuple[Cell, ...]
    goals: frozenset[Cell]
    start: State
    cells: frozenset[Cell] = field(init=False, repr=False, compare=False)  # the floor as a set

    def __post_init__(self) -> None:
        """Make the set of cells."""
        object.__setattr__(self, "cells", frozenset(self.floor))


def looks_like(text: str) -> float:
    """Tell which part of the lines are rows of boards, not counting names and comments; 0 where no player can be.

    Every sound level has a row with a wall, then player, box or goal, then a wall; the lines of `#` that other
    files use as rulers are none.
    """
    text = _unix(text)
    if slc.is_xml(text):
        return float(slc.is_slc(text))
    if not _TELLING.search(text):
        return 0.0
    lines = [line for line in _without_comments(text).split("\n") if line.strip() and not _ASIDE.match(line)]
    return sum(bool(_ROW_LIKE.fullmatch(line)) for line in lines) / len(lines)


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level of a collection, in the order of the file.

    A text that cannot be cut is one error, and the levels after many too many are another.
    """
    text = _unix(text)
    if slc.is_xml(text):
        yield from slc.cut(text, source)
        return
    if junk := _JUNK.search(text):
        line = 1 + text.count("\n", 0, junk.start())
        column = junk.start() - text.rfind("\n", 0, junk.start())
        message = f"found the control character {junk[0]!r}, expected text"
        yield LevelError(message, source=source, line=line, column=column)
        return
    whole_lines = text.split("\n")
    text = _without_comments(_BLANK.sub("\n", text))
    boards = list(islice(_boards(text), MAX_LEVELS + 1))
    if not boards:
        found = "text but no row of a board" if text.strip() else "an empty text"
        yield LevelError(f"found {found}, expected rows of {_LEGEND}", source=source)
        return
    whole = len(boards) <= MAX_LEVELS
    named = list(_names(text, boards))
    names, (title, author) = named[:-1], named[-1]
    starts, line, seen = [], 1, 0
    for start, _ in boards:
        line, seen = line + text.count("\n", seen, start), start
        starts.append(line)
    spans = [(line, line + text.count("\n", *board)) for line, board in zip(starts, boards, strict=True)]
    about, comments, solutions = notes(whole_lines, text.split("\n"), spans, names, About(title, author))
    for index, ((start, end), name) in enumerate(zip(boards[:MAX_LEVELS], names, strict=whole)):
        board, given = text[start:end], tuple(solutions[index])
        yield Part(source, starts[index], board, *name, 1, comments[index], given, about)
    if not whole:
        yield too_many(source)


def build(part: Part) -> Level:
    """Build a level. Raises LevelError for one that is not sound, with all of its errors."""
    faults = _Faults(part.source)
    rows = _rows(part.text, part.line, part.column, faults)
    return _level(rows, faults, title=part.title, author=part.author)


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a collection: an item a level, in the order of the file, an error in the place of a bad level.

    A text without any board is one error. `source` is the name that errors give to the text. Raises nothing.
    """
    return build_all(cut(text, source), build)


def draw(level: Level, state: State | None = None) -> str:
    """Draw the board in a state (default: the start) as XSB: rows split by newlines, none at the end.

    Raises ValueError for a state that the board cannot hold.
    """
    state = level.start if state is None else state
    if not state.boxes | {state.player} <= level.cells or state.player in state.boxes:
        raise ValueError(f"player and boxes must stand on floor cells, each on its own: {state}")
    grid = [list(row) for row in level.rows]
    for cell in level.floor:
        kind = (cell == state.player, cell in state.boxes, cell in level.goals)
        grid[cell[0]][cell[1]] = _DRAWN[kind]
    # A blank line would end the board: a row of nothing but floor shows one floor cell.
    return "\n".join("".join(row) or "-" for row in grid)


def picture(level: Level, state: State) -> Picture:
    """The board in a state, for drawing. Boxes out of reach stand on the board."""
    board: list[Shape] = []
    floor = level.cells
    for row, cells in enumerate(level.rows):
        for column, kind in enumerate(cells):
            if kind == "#":
                board.append(tile(row, column, "wall"))
            elif (row, column) not in floor and kind in "*$":
                board += _box(row, column, home=kind == "*")
    board += [tile(*cell, "line") for cell in level.floor]
    board += [tile(*cell, "floor", 0.015) for cell in level.floor]
    for goal in sorted(level.goals):
        board += [disc(*goal, "goal", 0.2), disc(*goal, "floor", 0.11)]
    pieces: list[Shape] = []
    for box in sorted(state.boxes):
        pieces += _box(*box, home=box in level.goals)
    pieces += [
        disc(*state.player, "player edge", 0.4),
        disc(*state.player, "player", 0.36),
        disc(*state.player, "player edge", 0.12),
    ]
    return Picture(max(map(len, level.rows)), len(level.rows), tuple(board), tuple(pieces))


def moved(_: Level, before: State, after: State) -> Moved:
    """The box that a step pushes, or else the player."""
    if before.boxes == after.boxes:
        return Moved((before.player,), (after.player,))
    return Moved(tuple(before.boxes - after.boxes), tuple(after.boxes - before.boxes))


def _box(row: int, column: int, *, home: bool) -> list[Shape]:
    """A box; one on a goal differs by more than its colour."""
    colour = "box home" if home else "box"
    shapes: list[Shape] = [
        tile(row, column, f"{colour} edge", 0.08, 0.12),
        tile(row, column, colour, 0.16, 0.07),
    ]
    return [*shapes, disc(row, column, f"{colour} edge", 0.15)] if home else shapes


# --- Characters and lines. Possessive quantifiers (`*+`) keep every pattern linear on hostile text.

_LEGEND = "# @ + $ * . space - _"
_DRAWN = {
    (False, False, False): " ",
    (False, False, True): ".",
    (False, True, False): "$",
    (False, True, True): "*",
    (True, False, False): "@",
    (True, False, True): "+",
}
_USUAL = str.maketrans("-_pPbBog", "  @+$*..")

_OPEN = r"@+$*. \t_|0-9-"  # what a row may hold beside walls, as the inside of a character class
_LETTERS = "pPbBog"  # between walls; elsewhere, words are made of them
_UNKNOWN = re.compile(rf"([^#{_LETTERS}{_OPEN}])\1*+")
_WORDS = re.compile(rf"[^#{_OPEN}]")
_JUNK = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")  # not \f and not \x1a, which end old text files
_BLANK = re.compile(r"\n[ \t]++(?=\n)")
_TELLING = re.compile(
    rf"^(?=[^#\n]*#[^@+$*.{_LETTERS}\n]*[@+$*.{_LETTERS}][^#\n]*#)[#{_LETTERS}{_OPEN}]*+$",
    re.MULTILINE,
)

_WALLED = rf"(?:[ \t]*+[0-9]*+#.*|[{_OPEN}]*+#[#{_OPEN}]*+$)"
_WALLESS = rf"[ \t|0-9]*+[@+$*._-][{_OPEN}]*+$"
# Atomic groups here and not `*+`: nested, the latter match wrongly in early releases of Python 3.11.
_BOARD = re.compile(rf"^{_WALLED}(?>(?:(?>(?:\n{_WALLESS})*)\n{_WALLED})*)", re.MULTILINE)
_EDGE = re.compile(r"[#\t _0-9-]*+(?:$|\|)", re.MULTILINE)
_LONE_TEXT = re.compile(r"\n(?![ \t]*+(?:;|[\w -]+:))([^\n]+)\n")

_COMMENT = re.compile(r"^[ \t]*+comment(?P<end>-end)?[ \t]*+:.*", re.MULTILINE | re.IGNORECASE)
_ASIDE = re.compile(r"[ \t]*+(?:;|::|[A-Za-z][A-Za-z -]*+:)")  # `;`, `::`, or `Key:`
_ROW_LIKE = re.compile(rf"[{_OPEN}]*+#[#{_LETTERS}{_OPEN}]*+")
_RULE = re.compile(r"[^\w]*+")
_MOVES = re.compile(r"[0-9()*lurdLURD \t]*+")
_WHOLE = re.compile(r"^[ \t]*+(?:collection|set)[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
_NAMED = re.compile(r"^[ \t]*+(?:(title)|author)[ \t]*:[ \t]*\S", re.MULTILINE | re.IGNORECASE)
_REMARK = re.compile(
    r"^[ \t]*+(?:;[ \t]*(?P<header>\S.*)"
    r"|title[ \t]*:[ \t]*(?P<title>\S.*)"
    r"|author[ \t]*:[ \t]*(?P<author>\S.*))",
    re.MULTILINE | re.IGNORECASE,
)


def _unix(text: str) -> str:
    """Make every line end with a newline alone, and drop a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _without_comments(text: str) -> str:
    """Empty each `Comment:` … `Comment-End:`, but keep its lines, so that nothing in it is taken for a board.

    A `Comment:` without an end before the next one is a comment of one line, which needs no care.
    """
    kept, done = [], 0
    opening: re.Match[str] | None = None
    for mark in _COMMENT.finditer(text):
        if not mark["end"]:
            opening = mark
        elif opening:
            lines = 1 + text.count("\n", opening.start(), mark.start())
            kept += [text[done : opening.start()], "\n".join([";"] * lines)]
            done, opening = mark.end(), None
    return "".join([*kept, text[done:]])


# --- Boards and their names


def _boards(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each board starts and ends, broken rows included."""
    runs = _BOARD.finditer(text)
    first = next(runs, None)
    if not first:
        return
    start, end = first.span()
    for run in runs:
        if not _is_split(text, end, run.start()):
            yield start, end
            start = run.start()
        end = run.end()
    yield start, end


def _is_split(text: str, upper_end: int, lower_start: int) -> bool:
    """Tell whether what stands between two runs of rows is a broken row of one board."""
    lone = _LONE_TEXT.fullmatch(text, upper_end, lower_start)
    if not lone:
        return False
    words = lone[1].strip(" \t_-")
    last_line = text.rfind("\n", 0, upper_end) + 1
    last_row = max(last_line, text.rfind("|", last_line, upper_end) + 1)
    edges = _EDGE.match(text, last_row) and _EDGE.match(text, lower_start)
    return not edges or words.startswith("#") or words.endswith("#")


def _names(text: str, boards: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield title and author of each board, then of the collection, by the rules at the top of this file."""
    number = len(boards)
    # Gap i lies above board i; the last gap lies below the last board.
    starts = [0, *(end for _, end in boards)]
    ends = [*(start for start, _ in boards), len(text)]
    gaps = list(zip(starts, ends, strict=True))
    named, titled = [], []
    for gap in gaps:
        found = {bool(remark[1]) for remark in _NAMED.finditer(text, *gap)}
        named.append(bool(found))
        titled.append(True in found)
    names_come_first = all(named[:-1]) and not named[-1]
    titles_come_first = all(titled[:-1]) and not titled[-1]

    # By board; the last place, which is also place -1, is the collection's.
    titles, authors, headers, texts = ([""] * (number + 1) for _ in range(4))
    apart = set[str]()  # kinds of names that stand in the head, with a blank line between them and the first board
    for below, gap in enumerate(gaps):
        above = below - 1
        first_blank, last_blank = text.find("\n\n", *gap), text.rfind("\n\n", *gap)
        lone = _last_text(text, gap, first_blank) if below < number else None
        if lone:
            texts[below] = lone[1]
        head_title = -1
        last_header = -1
        for remark in _REMARK.finditer(text, *gap):
            kind = remark.lastgroup or ""
            value = remark[kind].strip()
            if kind == "header" and _RULE.fullmatch(value):  # a line such as `; ====` parts levels
                continue
            touches_above = above >= 0 and not 0 <= first_blank < remark.start()
            touches_below = below < number and last_blank < remark.start()
            if touches_above != touches_below:
                board = above if touches_above else below
            else:
                board = below if kind == "header" or names_come_first else above
            board = min(board, number)
            if kind == "header":
                last_header = remark.start()
                headers[board] = value if board == below else headers[board] or value  # the nearest counts
            elif kind == "title":
                head_title = remark.start()
                titles[board] = value if board == below else titles[board] or value
            else:
                authors[board] = authors[board] or value
        if below == 0:
            last_name = max(last_header, lone[0] if lone else -1)
            # One board alone is the collection, unless its own name stands apart from that of the collection.
            own = number > 1 or text.find("\n\n", head_title, last_name) >= 0
            if 0 <= head_title < last_name and own and not (titles_come_first and number > 1):
                titles[number], titles[0] = titles[0], ""
            if last_header < last_blank:
                apart.add("header")
            if lone and lone[0] < last_blank:
                apart.add("text")
    for kind, told in (("header", headers), ("text", texts)):
        if kind in apart and number > 1 and not any(told[1:number]):
            told[0] = ""
    for index in range(number):
        title = titles[index] or headers[index] or texts[index]
        yield title, authors[index] or authors[number]
    whole = _WHOLE.search(text, *gaps[0])
    yield whole[1].strip() if whole else titles[number], authors[number]


def _last_text(text: str, gap: tuple[int, int], first_blank: int) -> tuple[int, str] | None:
    """Where the last line of text in the gap above a board starts, and the line, if it can be a title."""
    start, end = gap
    lines = 0
    while end > start and lines < MAX_NOTES:
        begin = max(text.rfind("\n", start, end) + 1, start)
        line = text[begin:end].strip()
        end = begin - 1
        lines += bool(line)
        if not line or _ASIDE.match(line) or _RULE.fullmatch(line):
            continue
        below_another = start > 0 and not 0 <= first_blank < begin
        with_this = text.find("\n\n", begin, gap[1]) < 0
        if (below_another and not with_this) or (_MOVES.fullmatch(line) and not line.isdecimal()):
            return None
        return begin, line
    return None


# --- Rows


class _Faults:
    """The errors of one level: the first in the order of the file, and how many there are."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._first: list[tuple[int, int, str]] = []  # line, column or 0, message
        self.count = 0
        self.unknown: set[int] = set()  # lines with unknown characters

    def add(self, message: str, line: int, column: int = 0) -> None:
        """Add an error, unless there is one at that place."""
        if column and any(fault[:2] == (line, column) for fault in self._first):
            return
        self.count += 1
        if len(self._first) < MAX_FAULTS or (line, column) < self._first[-1][:2]:
            insort(self._first, (line, column, message), key=lambda fault: fault[:2])
            del self._first[MAX_FAULTS:]

    def check(self) -> None:
        """Raise LevelError if there are errors."""
        if self.count:
            raise self.error()

    def error(self) -> LevelError:
        """All errors as one. There must be some."""
        first, *others = (
            LevelError(message, source=self._source, line=line, column=column or None)
            for line, column, message in self._first
        )
        first.others, first.more = tuple(others), self.count - len(self._first)
        return first


class _Row(NamedTuple):
    """A row of a board: its cells, the text that they were read from, and where that text starts."""

    cells: str
    text: str
    line: int
    column: int


_RUN = re.compile(r"(?=.)([0-9]*+)([^0-9]?)")
_ENCODED = re.compile(r"[0-9\t]")


def _rows(text: str, line: int, first: int, faults: _Faults) -> list[_Row]:
    """Read the rows of a board whose first line has the given number, and that all begin in that column.

    Unknown characters are read as walls, and so are the letters beside them, which may be parts of words: so the
    rest of the board can be checked. Raises LevelError where the width of a row is not known.
    """
    count = 1 + text.count("\n") + text.count("|")
    if count > MAX_SIDE:
        faults.add(f"found a board of {count} rows, expected at most {MAX_SIDE}", line)
        raise faults.error()
    rows = []
    are_read = True
    for number, whole in enumerate(text.split("\n"), line):
        unknown: re.Match[str] | None = None
        for unknown in islice(_UNKNOWN.finditer(whole), MAX_SIDE):
            faults.add(f"found {unknown[1]!r}, expected one of {_LEGEND}", number, first + unknown.start())
            faults.unknown.add(number)
        known = _WORDS.sub("#", whole) if unknown else whole
        column = first
        for piece in known.split("|"):
            cells = _cells(piece, number, column, faults)
            if cells is None:
                are_read = False
            else:
                rows.append(_Row(cells, piece, number, column))
            column += len(piece) + 1
    if not are_read:
        raise faults.error()
    walled = [index for index, row in enumerate(rows) if "#" in row.cells]
    return rows[walled[0] : walled[-1] + 1]


def _cells(text: str, line: int, column: int, faults: _Faults) -> str | None:
    """Write out the cells of a row: counts and tabs expanded, floor as space, no trailing blanks.

    None where there is an error, which is added to `faults`.
    """
    if len(text) <= MAX_SIDE and not _ENCODED.search(text):
        return text.translate(_USUAL).rstrip()
    parts, width = [], 0
    for offset, end, cell in _runs(text):
        message = ""
        if not cell:
            message = "found a count at the end of the row, expected a cell after it"
        elif end == width:
            message = f"found the count 0, expected 1 to {MAX_SIDE}"
        elif end > MAX_SIDE:
            message = f"found a row of more than {MAX_SIDE} cells, expected at most {MAX_SIDE}"
        if message:
            faults.add(message, line, column + offset)
            return None
        parts.append((" " if cell == "\t" else cell) * (end - width))
        width = end
    return "".join(parts).translate(_USUAL).rstrip()


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the runs of a row: where each starts in the text, the cell index after it, and what it repeats.

    A tab ends at the next multiple of 8. What it repeats is empty where a count ends the text.
    """
    end = 0
    for run in _RUN.finditer(text):
        digits, cell = run.groups()
        # Python refuses to read numbers of thousands of digits; ten are too many already.
        count = int(digits or 1) if len(digits) < 10 else MAX_SIDE + 1
        end = (end // 8 + count) * 8 if cell == "\t" else end + count
        yield run.start(), end, cell


def _place(row: _Row, cell: int) -> tuple[int, int]:
    """Return the line and the column of a cell in the file, also of one behind the end of the row."""
    last = 0
    for offset, end, _ in _runs(row.text):
        if end > cell:
            return row.line, row.column + offset
        last = end
    return row.line, row.column + len(row.text) + cell - last


# --- The level itself

_FREE, _WALL, _OUTSIDE, _REACHED = range(4)
_MARKS = bytes({ord("#"): _WALL, ord("\n"): _OUTSIDE}.get(byte, _FREE) for byte in range(256))
_PIECE = re.compile(r"[@+$*.]")


def _level(rows: list[_Row], faults: _Faults, *, title: str, author: str) -> Level:
    """Check the rules of a board and build its level. Raises LevelError."""
    # The board as one string with a margin of newlines, which no path can jump over: steps become additions.
    width = 1 + max(len(row.cells) for row in rows)
    margin = "\n" * width
    board = margin + "".join(row.cells.ljust(width, "\n") for row in rows) + margin

    def add(message: str, index: int) -> None:
        row, column = divmod(index - width, width)
        faults.add(message, *_place(rows[row], column))

    pieces = [match.start() for match in _PIECE.finditer(board)]
    players = [index for index in pieces if board[index] in "@+"]
    if not faults.count:  # otherwise they may stand where an unknown character does
        if not players:
            faults.add("found no player, expected one @ or +", rows[0].line)
        if not any(board[index] in ".*+" for index in pieces):
            faults.add("found no goal, expected at least one", rows[0].line)
    for number, index in enumerate(players[1:], 2):
        add(f"found a {'second' if number == 2 else 'further'} player, expected one @ or +", index)

    # Breadth first, so that the first way out is the nearest.
    marks = bytearray(board.encode("ascii").translate(_MARKS))
    reached = players.copy()
    for index in reached:
        marks[index] = _REACHED
    exits: list[tuple[int, int]] = []
    sides = ((-width, "above"), (-1, "to the left"), (1, "to the right"), (width, "below"))
    for index in reached:
        for step, _ in sides:
            mark = marks[index + step]
            if mark == _FREE:
                marks[index + step] = _REACHED
                reached.append(index + step)
            elif mark == _OUTSIDE:
                exits.append((index, step))
    if exits:
        found = [at for at in pieces if marks[at] == _REACHED]
        for index, step in missing_walls(reached, [step for step, _ in sides], exits, found):
            row, column = divmod(index + step - width, width)
            # Left of the first column is the row above.
            if 0 <= row < len(rows) and (step != -1 or column < width - 1):
                if rows[row].line in faults.unknown:
                    continue  # what is missing may stand where unknown characters do
                add("found a way out of the board, expected a wall here", index + step)
            else:
                add(f"found a way out of the board, expected a wall {dict(sides)[step]}", index)
    faults.check()

    def cells(kinds: str, *, lost: str = "") -> frozenset[Cell]:
        """The cells within reach that hold one of these, and those out of reach that hold one of `lost`."""
        found = (index for index in pieces if board[index] in (kinds if marks[index] == _REACHED else lost))
        return frozenset(divmod(index - width, width) for index in found)

    boxes, goals = cells("$*"), cells(".*+", lost=".")
    (player,) = cells("@+")
    return Level(
        title=title,
        author=author,
        rows=tuple(row.cells for row in rows),
        floor=tuple(divmod(index - width, width) for index in sorted(reached)),
        goals=goals,
        start=State(player, boxes),
    )
