r"""Reads Sokoban collections: text (XSB and `.sok`), and XML, which `slc` reads.

A text collection is boards with other lines between them. A board is a run of lines of these characters:

    # wall    @ player    $ box    . goal    space - _ floor    + player on goal    * box on goal

The first and the last line of a board contain a wall; beyond them, lines of only `*` and floor belong to it, too.
The letters p b o P B, which some files use, mean @ $ . + *, and g is a goal. A count repeats the cell after it or
the cells in brackets (`3(#-)`), and `|` ends a row (`4#|#@$.#|4#`). Signs of quotation (`> `) are skipped.
A blank line ends a board, and so do a `;` comment, a `Key: value` line and a line of free text. But such text is a
broken row, and an error, if it starts like a row (with blanks, a count or `#`). It also is an error if it is the
only line between two runs of rows that cannot be the lower edge of one board and the upper edge of the next.

`Title:`, `Author:`, and `;` or `Level:` headers name a board. Collections disagree on the side of the board where
they write them, so these rules apply:

- A remark that touches one board (no blank line between them) belongs to that board.
- Any other header belongs to the board below. Any other title or author belongs to the board above; it belongs to
  the board below if the file has such remarks above the first board and above most others, and none after the
  last one.
- A remark without a board on that side belongs to the collection, whose author is the author of all levels that
  name none.
- A name above the first of several boards also belongs to the collection if another name follows it, or if a blank
  line separates it from the board and no other board has a name of that kind.

The last line of text above a board is a title, too, as in `.sok` files, unless it touches another board, is a
solution, ends a paragraph of several lines, or is a rule of `=` or `-`. A line such as `#51` or `# 7 (easy)` is a
title and no row. `Title:` has priority over a header, a header over text, and the nearest header over the others.
A header does not name the board below if there are moves between them, or a blank line and a title. `Collection:`
or `Set:` above the first board names the collection. `notes` reads all other text between boards, which includes
solutions.
"""

import re
from collections.abc import Iterator
from itertools import islice

from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MAX_LEVELS, About, Part, build_all, too_many
from puzzlemc.screens.sokoban import slc
from puzzlemc.screens.sokoban.board import LEGEND, LETTERS, OPEN, build
from puzzlemc.screens.sokoban.collection import ASIDE, boards, names, without_comments
from puzzlemc.screens.sokoban.level import Level
from puzzlemc.screens.sokoban.notes import notes
from puzzlemc.screens.sokoban.variants import game_of_file, refusals

SUFFIXES = (".xsb", ".sok", ".slc")
MAX_QUOTED = 20  # characters before a row that are signs of quotation

# Possessive quantifiers (`*+`) keep every pattern linear on hostile text.
_JUNK = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")  # not \f and not \x1a, which end old text files
_WORDS = re.compile(r"[ \t]*(?:title|author|comment)[ \t]*:", re.IGNORECASE)
_BLANK = re.compile(r"\n[ \t]++(?=\n)")
_UNMISTAKABLE = re.compile(
    rf"^(?=[^#\n]*#[^@+$*.{LETTERS}\n]*[@+$*.{LETTERS}][^#\n]*#)[#{LETTERS}{OPEN}]*+$",
    re.MULTILINE,
)
_BELOW_WALLS = re.compile(
    r"^(?=[ \t_-]*+#{3})[#\t _-]++\n(?=[ \t_-]*+#[^@+\n]*+[@+])([^\n]*#)[ \t]*$", re.MULTILINE
)
_NO_CELL = re.compile(rf"[^#{OPEN}]")
# Blanks of other widths stand for a space where a line has nothing else than a row of a board, or nothing at all.
_WIDE = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_WIDE_ROW = re.compile(rf"^(?=[^{_WIDE}\n]*+[{_WIDE}])[#{LETTERS}{OPEN}{_WIDE}()]++$", re.MULTILINE)
_QUOTED_ROW = re.compile(r"^(?=>)[> \t]*+[0-9]*+#", re.MULTILINE)  # as in a reply to a mail
_QUOTE = re.compile(r"^>", re.MULTILINE)
_QUOTE_AND_BLANK = re.compile(r"^>(?: |$)", re.MULTILINE)
_ROW_LIKE = re.compile(rf"[{OPEN}]*+#[#{LETTERS}{OPEN}]*+")


def looks_like(text: str) -> float:
    """Return the fraction of the lines that are rows of boards, not counting names and comments.

    The fraction is 0 if no line has a wall, then a player, box or goal, then a wall. Every valid level has such a
    row; lines of `#` that other files use as rulers are none. A row with a player may have a few other characters,
    typing errors, if it stands below a line of walls.
    """
    text = _unquoted(_usual(text))[0]
    if slc.is_xml(text):
        return float(slc.is_slc(text))
    if not _UNMISTAKABLE.search(text) and not any(map(_is_mistyped, _BELOW_WALLS.finditer(text))):
        return 0.0
    lines = [line for line in without_comments(text).split("\n") if line.strip() and not ASIDE.match(line)]
    return sum(bool(_ROW_LIKE.fullmatch(line)) for line in lines) / len(lines)


def _is_in_words(text: str, at: int) -> bool:
    """Is a character in a line such as `Title: …`? A control character there does not change a board."""
    return _WORDS.match(text, text.rfind("\n", 0, at) + 1) is not None


def cut(text: str, source: str) -> Iterator[Part | LevelError]:
    """Yield the text of each level of a collection, in the order of the file.

    A text that cannot be cut gives one error; the levels beyond MAX_LEVELS give one error together.
    """
    text = _usual(text)
    if game := game_of_file(source):
        message = f"found the suffix of {game}, whose cells have other neighbours, expected Sokoban"
        yield LevelError(message, source=source)
        return
    if slc.is_xml(text):
        yield from slc.cut(text, source)
        return
    if junk := next((each for each in _JUNK.finditer(text) if not _is_in_words(text, each.start())), None):
        yield _error(f"found the control character {junk[0]!r}, expected text", text, junk.start(), source)
        return
    lines_in_file = text.split("\n")
    text, depth = _unquoted(text)
    whole_lines = text.split("\n")
    text = without_comments(_BLANK.sub("\n", text))
    spans = list(islice(boards(text), MAX_LEVELS + 1))
    if not spans:
        found = "text but no row of a board" if text.strip() else "an empty text"
        yield LevelError(f"found {found}, expected rows of {LEGEND}", source=source)
        return
    whole = len(spans) <= MAX_LEVELS
    *named, (title, author) = names(text, spans)
    starts, line, seen = [], 1, 0
    for start, _ in spans:
        line, seen = line + text.count("\n", seen, start), start
        starts.append(line)
    lines = [(line, line + text.count("\n", *span)) for line, span in zip(starts, spans, strict=True)]
    about, comments, solutions = notes(whole_lines, text.split("\n"), lines, named, About(title, author))
    refused = refusals(text, spans)
    for index, ((start, end), name) in enumerate(zip(spans[:MAX_LEVELS], named, strict=whole)):
        if index in refused:
            place, message = refused[index]
            yield _error(message, text, place, source)
            continue
        board, given = text[start:end], tuple(solutions[index])
        column = 1 + depth * lines_in_file[starts[index] - 1].startswith(">")
        yield Part(source, starts[index], board, *name, column, comments[index], given, about)
    if not whole:
        yield too_many(source)


def _is_mistyped(row: re.Match[str]) -> bool:
    return 4 * len(_NO_CELL.findall(row[1])) <= len(row[1])


def _usual(text: str) -> str:
    """Return the text with newlines as line ends, and with spaces as the blanks of rows."""
    return _WIDE_ROW.sub(lambda row: re.sub(f"[{_WIDE}]", " ", row[0]), normalized(text))


def _unquoted(text: str) -> tuple[str, int]:
    """Return the text without the signs of quotation before rows of boards, and the width of these signs."""
    depth = 0
    while depth < MAX_QUOTED and _QUOTED_ROW.search(without_comments(text)):
        signs = len(_QUOTE.findall(text))
        sign = _QUOTE_AND_BLANK if len(_QUOTE_AND_BLANK.findall(text)) == signs else _QUOTE
        depth += 2 if sign is _QUOTE_AND_BLANK else 1
        text = sign.sub("", text)
    return text, depth


def _error(message: str, text: str, place: int, source: str) -> LevelError:
    line, column = 1 + text.count("\n", 0, place), place - text.rfind("\n", 0, place)
    return LevelError(message, source=source, line=line, column=column)


def parse(text: str, source: str) -> list[Level | LevelError]:
    """Read a collection: one item for each level in file order; an error takes the place of a bad level.

    A text without any board gives one error. Errors refer to the text as `source`. Raises nothing.
    """
    return build_all(cut(text, source), build)
