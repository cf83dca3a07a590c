"""Finds the boards of a text collection of Sokoban levels, and the titles and authors of the boards.

The format is described in `reader`. All positions are offsets in the text, which has newlines as line ends.
"""

import re
from collections.abc import Iterator

from puzzlemc.screens.sokoban.board import OPEN

MAX_NOTES = 100  # lines above a board that are searched for its title

# Possessive quantifiers (`*+`) keep every pattern linear on hostile text.
_WALLED = rf"(?:[ \t]*+[0-9]*+#.*|[{OPEN}]*+#[#{OPEN}]*+$)"
_WALLESS = rf"[ \t|0-9]*+[@+$*._-][{OPEN}]*+$"
# Atomic groups here and not `*+`: nested, the latter match wrongly in early releases of Python 3.11.
_BOARD = re.compile(rf"^{_WALLED}(?>(?:(?>(?:\n{_WALLESS})*)\n{_WALLED})*)", re.MULTILINE)
_EDGE = re.compile(r"[#\t _0-9-]*+(?:$|\|)", re.MULTILINE)
_LONE_TEXT = re.compile(r"\n(?![ \t]*+(?:;|[\w -]+:))([^\n]+)\n")

ASIDE = re.compile(r"[ \t]*+(?:;|::|[A-Za-z][A-Za-z -]*+:)")  # `;`, `::`, or `Key:`
_COMMENT = re.compile(r"^[ \t]*+comment(?P<end>-end)?[ \t]*+:.*", re.MULTILINE | re.IGNORECASE)
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


def without_comments(text: str) -> str:
    """Replace each line of `Comment:` … `Comment-End:` by `;`, so that no part of a comment is read as a board.

    A `Comment:` without a `Comment-End:` before the next `Comment:` is a comment of one line, and is kept.
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


def boards(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each board, including broken rows."""
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
    """Return whether the text between two runs of rows is a broken row of one board."""
    lone = _LONE_TEXT.fullmatch(text, upper_end, lower_start)
    if not lone:
        return False
    words = lone[1].strip(" \t_-")
    last_line = text.rfind("\n", 0, upper_end) + 1
    last_row = max(last_line, text.rfind("|", last_line, upper_end) + 1)
    edges = _EDGE.match(text, last_row) and _EDGE.match(text, lower_start)
    return not edges or words.startswith("#") or words.endswith("#")


def names(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield title and author of each board, then of the collection, by the rules in the docstring of `reader`."""
    number = len(spans)
    # Gap i lies above board i; the last gap lies below the last board.
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    gaps = list(zip(starts, ends, strict=True))
    named, titled = [], []
    for gap in gaps:
        found = {bool(remark[1]) for remark in _NAMED.finditer(text, *gap)}
        named.append(bool(found))
        titled.append(True in found)
    names_come_first, titles_come_first = _come_first(named), _come_first(titled)

    # Indexed by board; the last entry, which is also entry -1, is that of the collection.
    titles, authors, headers, texts = ([""] * (number + 1) for _ in range(4))
    apart = set[str]()  # kinds of names above the first board, separated from it by a blank line
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
            if kind == "header" and _RULE.fullmatch(value):  # a line such as `; ====` separates levels
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
                headers[board] = value if board == below else headers[board] or value  # the nearest wins
            elif kind == "title":
                head_title = remark.start()
                titles[board] = value if board == below else titles[board] or value
            else:
                authors[board] = authors[board] or value
        if below == 0:
            last_name = max(last_header, lone[0] if lone else -1)
            # The title above a single board is its own, unless a blank line separates it from a further name.
            own = number > 1 or text.find("\n\n", head_title, last_name) >= 0
            if 0 <= head_title < last_name and own and not (titles_come_first and number > 1):
                titles[number], titles[0] = titles[0], ""
            if last_header < last_blank:
                apart.add("header")
            if lone and lone[0] < last_blank:
                apart.add("text")
    for kind, found_names in (("header", headers), ("text", texts)):
        if kind in apart and number > 1 and not any(found_names[1:number]):
            found_names[0] = ""
    for index in range(number):
        title = titles[index] or headers[index] or texts[index]
        yield title, authors[index] or authors[number]
    whole = _WHOLE.search(text, *gaps[0])
    yield whole[1].strip() if whole else titles[number], authors[number]


def _come_first(named: list[bool]) -> bool:
    """Return whether names stand above their boards, where `named` says which gaps between boards have one.

    One board without a name does not turn the names of all others around.
    """
    return named[0] and not named[-1] and 2 * sum(named) >= len(named)


def _last_text(text: str, gap: tuple[int, int], first_blank: int) -> tuple[int, str] | None:
    """Return the start and the text of the last line above a board if that line can be a title, None otherwise."""
    start, end = gap
    lines = 0
    while end > start and lines < MAX_NOTES:
        begin = max(text.rfind("\n", start, end) + 1, start)
        line = text[begin:end].strip()
        end = begin - 1
        lines += bool(line)
        if not line or ASIDE.match(line) or _RULE.fullmatch(line):
            continue
        below_another = start > 0 and not 0 <= first_blank < begin
        with_this = text.find("\n\n", begin, gap[1]) < 0
        if (below_another and not with_this) or (_MOVES.fullmatch(line) and not line.isdecimal()):
            return None
        return begin, line
    return None
