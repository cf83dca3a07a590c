"""Reads the solutions and comments between the boards of a text collection of Sokoban levels, and writes them.

Lines below a board that contain only `l u r d L U R D`, counts and brackets are a solution of that board. The line
of text above them is the name of the solution, unless it is `Solution` alone. `Solution: rRU` is a solution, too.
Moves named a snapshot or a saved game are no solution, and neither are those with jumps (`[]`), which are a game
in reverse mode, or with changes of the player (`{}`). Comments are the lines of `Comment:` … `Comment-End:`, and
all other text.

A line that touches one board (no blank line between them) belongs to that board, and any other line to the board
above it. Text above the first board that does not touch it belongs to all levels. Lines that begin with `::` and
rules of `=` or `-` are dropped.
"""

import re
from collections.abc import Iterator, Sequence

from puzzlemc.screens.base.part import About, Part, Solution
from puzzlemc.screens.sokoban.collection import INSIDE

MAX_LINES = 10_000  # lines between two boards that are read
MAX_ALL = 1_000_000  # lines between boards that are read in a whole file

_SIGNS = r"][{}0-9()*lurdLURD \t"
_MOVES = re.compile(rf"(?=[^a-zA-Z\n]*+[lurdLURD])[{_SIGNS}]++")
_MORE_MOVES = re.compile(rf"(?=[0-9 \t]*+[^0-9\s])[{_SIGNS}]++")  # below others: each line has more than digits
_OTHER_MODE = re.compile(r"[][{}]")
_KEYED = re.compile(r"[ \t]*+solution[^:]{0,40}:[ \t]*+", re.IGNORECASE)
_HEADING = re.compile(r"[ \t]*+solution\b", re.IGNORECASE)
_UNSOLVED = re.compile(r"snapshot|saved? ?game|reverse ?mode", re.IGNORECASE)
_OPENING = re.compile(r"[ \t]*+comment[ \t]*:[ \t]*", re.IGNORECASE)
_ENDING = re.compile(r"[ \t]*+comment-end[ \t]*:", re.IGNORECASE)
_KEY = re.compile(
    r"(?P<key>title|author|level|puzzle|collection|set|e-?mail|url|homepage|website)[ \t]*:[ \t]*(?P<value>.*)",
    re.IGNORECASE,
)
_OF_ALL = {"email": "email", "e-mail": "email", "url": "url", "homepage": "url", "website": "url"}
_RULE = re.compile(r"[^\w]*+")


def notes(
    lines: Sequence[str],
    bare: Sequence[str],
    boards: Sequence[tuple[int, int]],
    names: Sequence[tuple[str, str]],
    about: About,
) -> tuple[About, list[str], list[list[Solution]]]:
    """Return the data of the whole collection, the comment of each level, and the solutions of each level.

    `lines` are all lines of the file, and `bare` are the same lines without comments. `boards` are the first and
    the last line of each board, from 1. `names` are their titles and authors; `about` has those of the collection.
    """
    reader = _Reader(lines, bare, names, about)
    ends = [0, *(last for _, last in boards)]
    starts = [*(first for first, _ in boards), len(lines) + 1]
    left = MAX_ALL
    for below, (end, start) in enumerate(zip(ends, starts, strict=True)):
        last = min(start - 1, end + MAX_LINES, end + left)
        left -= last - end
        if any(line.strip() for line in bare[end:last]):
            reader.read(below, end + 1, last)
    *comments, whole = ["\n".join(line.rstrip() for line in each).strip("\n") for each in reader.comments]
    return about._replace(comment=whole, **reader.keys), comments, reader.solutions


def _are_moves(text: str) -> bool:
    """Return whether a text in the place of a solution is one: moves, or a word that consists mostly of moves.

    The other letters of such a word are typing errors.
    """
    text = text.strip()
    if _MOVES.fullmatch(text):
        return True
    return len(text.split()) == 1 and 2 * sum(letter in "lurdLURD" for letter in text) > len(text)


class _Reader:
    """Reads the lines between boards. The last entry of `comments` is that of the collection."""

    def __init__(
        self, lines: Sequence[str], bare: Sequence[str], names: Sequence[tuple[str, str]], about: About
    ) -> None:
        self.keys: dict[str, str] = {}
        self.comments: list[list[str]] = [[] for _ in range(len(names) + 1)]
        self.solutions: list[list[Solution]] = [[] for _ in names]
        self._lines = lines
        self._bare = bare
        self._names = [*names, (about.title, about.author)]

    def read(self, below: int, first: int, last: int) -> None:
        """Read the lines `first` to `last`, which are above the board with index `below`, or after all boards."""
        above, collection = below - 1, len(self._names) - 1
        numbers = range(first, last + 1)
        blanks = [number for number in numbers if not self._bare[number - 1].strip()]
        first_blank, last_blank = (blanks[0], blanks[-1]) if blanks else (last + 1, first - 1)
        known = {name for board in (above, below, collection) if board >= 0 for name in self._names[board]}
        name: tuple[int, str] | None = None  # the number and the text of a line that may name the moves below it
        moves: list[tuple[int, str]] = []

        def owner(number: int) -> int:
            by_above = above >= 0 and number < first_blank
            by_below = below < collection and number > last_blank
            if by_above != by_below:
                return above if by_above else below
            return above if above >= 0 else collection

        def comment(number: int, text: str) -> None:
            if text not in known:
                self.comments[owner(number)].append(text)

        def end_moves() -> None:
            if not moves:
                return
            title = moves[0][1]
            text = "\n".join(line for _, line in moves[1:])
            if _UNSOLVED.search(title) or _OTHER_MODE.search(text):
                self.comments[above] += [title, text]
            else:
                title = "" if title.strip(" \t:").lower() == "solution" else title
                self.solutions[above].append(Solution(text, title, moves[1][0]))
            moves.clear()

        for number in numbers:
            line = self._lines[number - 1]
            text = line.strip()
            heading = moves[0][1] if moves else name[1] if name else ""
            are_moves = (_MORE_MOVES if moves else _MOVES).fullmatch(text)
            is_moves = above >= 0 and (are_moves or (_HEADING.match(heading) and _are_moves(text)))
            if is_moves and owner(number) != below and not self._inside(number):
                if not moves:
                    moves.append((number, name[1] if name else ""))
                    name = None
                moves.append((number, line))
                continue
            end_moves()
            if not text and not self._inside(number):
                continue
            if name:
                comment(*name)
                name = None
            if self._inside(number):
                opening = _OPENING.match(line)
                line = line[opening.end() :] if opening else line
                if not _ENDING.match(line) and (line.strip() or not opening):
                    self.comments[owner(number)].append(line)
            elif above >= 0 and (keyed := _KEYED.match(line)) and _are_moves(line[keyed.end() :]):
                moves += [(number, "Solution"), (number, " " * keyed.end() + line[keyed.end() :])]
            elif key := _KEY.fullmatch(text):
                if not self._key(key["key"].lower(), key["value"].strip(), known):
                    comment(number, text)
            elif text.startswith(";"):
                comment(number, text[1:].strip())
            elif opening := _OPENING.match(text):
                comment(number, text[opening.end() :])
            elif not text.startswith("::") and not _RULE.fullmatch(text):
                name = number, text
        end_moves()
        if name:
            comment(*name)

    def _inside(self, number: int) -> bool:
        """Return whether a line is part of a comment of several lines."""
        return self._bare[number - 1] == INSIDE

    def _key(self, key: str, value: str, known: set[str]) -> bool:
        """Store a key of the whole collection. Return whether the line is one, or repeats a known name."""
        if key in _OF_ALL and _OF_ALL[key] not in self.keys:
            self.keys[_OF_ALL[key]] = value
            return True
        return value in known


def write(about: About, levels: Sequence[tuple[str, Part]]) -> str:
    """Return a collection as text: the data of the collection, then each board followed by its own data."""
    lines = list(_head(about))
    for number, (board, part) in enumerate(levels, 1):
        lines += [board, *([f"Title: {part.title}"] if part.title else [])]
        # The reader takes an author above all boards for all of them only if the last board has a name below it.
        if part.author and (part.author != about.author or number == len(levels)):
            lines.append(f"Author: {part.author}")
        lines += [*_commented(part.comment), ""]
        for solution in part.solutions:
            lines.append(_heading(solution.title))
            lines += [*(line.strip() for line in solution.text.split("\n") if line.strip()), ""]
    return "\n".join(lines)


def _head(about: About) -> Iterator[str]:
    named = ("Collection", about.title), ("Author", about.author), ("Email", about.email), ("URL", about.url)
    lines = [f"{key}: {value}" for key, value in named if value] + list(_commented(about.comment))
    yield from lines
    if lines:
        yield ""


def _commented(comment: str) -> Iterator[str]:
    if comment:
        yield "Comment:"
        for line in comment.split("\n"):
            yield f"; {line}" if _OPENING.match(line) or _ENDING.match(line) else line
        yield "Comment-End:"


def _heading(title: str) -> str:
    """Return the line above a solution that `notes` reads as this title again."""
    if re.fullmatch(r"[^:;#]*\w[^:;#]*", title) and not _MOVES.fullmatch(title) and not _UNSOLVED.search(title):
        return title
    return " ".join(["Solution", *re.sub(r"[^\w]+", " ", _UNSOLVED.sub("", title)).split()])
