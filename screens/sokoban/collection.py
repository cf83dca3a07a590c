"""Finds the boards of a text collection of Sokoban levels, and the titles and authors of the boards.

The format is described in `reader`. All positions are offsets in the text, which has newlines as line ends.
"""

import re
from collections.abc import Iterator

from puzzlemc.screens.sokoban.board import OPEN

INSIDE = ";\0"  # stands for a line of a comment of several lines; no line that is read has the character 0
MAX_NOTES = 100  # lines above a board that are searched for its title

# Possessive quantifiers (`*+`) keep every pattern linear on hostile text.
_GROUPED = (
    rf"(?=[^#\n]*+#)[ \t_-]*+(?>(?:(?>[0-9]+)(?>[ \t_-]+))*)[0-9]++\([{OPEN}#()]*+$"  # brackets before a wall
)
_WALLED = rf"(?:[ \t]*+[0-9]*+#.*|[{OPEN}]*+#[#{OPEN}]*+$|{_GROUPED})"
_WALLESS = rf"[ \t|0-9]*+[@+$*._-][{OPEN}]*+$"
# Atomic groups here and not `*+`: nested, the latter match wrongly in early releases of Python 3.11.
_BOARD = re.compile(rf"^{_WALLED}(?>(?:(?>(?:\n{_WALLESS})*)\n{_WALLED})*)", re.MULTILINE)
# A row of boxes on goals at the edge of a board, where they are decoration. Stars with blanks between are a rule.
_STARS = re.compile(
    r"(?![ \t]*+\*(?>(?:[ \t]+\*){2,})[ \t]*+$)(?=[^*\n]*+\*)(?>(?:(?>[0-9]*)[ \t_*-])+)$", re.MULTILINE
)
# A line that begins like a row and is a title: `#51`, `# 7 (easy)`, `## Second`.
_NUMBER_SIGN = re.compile(r"[ \t]*+#++(?:[ \t]?[0-9]++(?:[ \t.:;,(].*)?|[ \t]++[^\W\d_].*)$", re.MULTILINE)
_EDGE = re.compile(r"[#\t _0-9-]*+(?:$|\|)", re.MULTILINE)
_LONE_TEXT = re.compile(r"\n(?![ \t]*+(?:;|[\w -]+:))([^\n]+)\n")

ASIDE = re.compile(r"[ \t]*+(?:;|::|[A-Za-z][A-Za-z -]*+:)")  # `;`, `::`, or `Key:`
_COMMENT = re.compile(r"^[ \t]*+comment(?P<end>-end)?[ \t]*+:.*", re.MULTILINE | re.IGNORECASE)
_RULE = re.compile(r"[^\w]*+")
_MOVES = re.compile(r"[0-9()*lurdLURD \t]*+")
_GAME = re.compile(r"^(?=[^a-zA-Z\n]*+[lurdLURD])[][{}0-9()*lurdLURD \t]*+$", re.MULTILINE)
_WHOLE = re.compile(r"^[ \t]*+(?:collection|set)[ \t]*:[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
_NAMED = re.compile(r"^[ \t]*+(?:(title)|author)[ \t]*:[ \t]*\S", re.MULTILINE | re.IGNORECASE)
_REMARK = re.compile(
    r"^[ \t]*+(?:(?:;|(?:level|puzzle)[ \t]*:)[ \t]*(?P<header>\S.*)"
    r"|title[ \t]*:[ \t]*(?P<title>\S.*)"
    r"|author[ \t]*:[ \t]*(?P<author>\S.*))",
    re.MULTILINE | re.IGNORECASE,
)


def without_comments(text: str) -> str:
    """Replace each line of `Comment:` … `Comment-End:` by INSIDE, so that no part of a comment is read as a board.

    A `Comment:` without a `Comment-End:` before the next `Comment:` is a comment of one line, and is kept.
    """
    kept, done = [], 0
    opening: re.Match[str] | None = None
    for mark in _COMMENT.finditer(text):
        if not mark["end"]:
            opening = mark
        elif opening:
            lines = 1 + text.count("\n", opening.start(), mark.start())
            kept += [text[done : opening.start()], "\n".join([INSIDE] * lines)]
            done, opening = mark.end(), None
    return "".join([*kept, text[done:]])


def boards(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each board, including broken rows."""
    end = 0
    for start, stop in _joined(text):
        above = text.rfind("\n", 0, max(start - 1, 0)) + 1
        while above < start and above >= end and _STARS.fullmatch(text, above, start - 1):
            start, above = above, text.rfind("\n", 0, max(above - 1, 0)) + 1
        end = stop
        while end < len(text) and (below := _STARS.match(text, end + 1)):
            end = below.end()
        yield start, end


def _joined(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each run of rows from wall to wall; a broken row joins two runs."""
    start = end = -1
    for run in _BOARD.finditer(text):
        first = run.start()
        while first < run.end() and (title := _title_like(text, first, run.end())):
            first = title + 1
        if first > run.start():
            rest = _BOARD.search(text, first, run.end())
            if not rest:
                continue
            first = rest.start()
        if start >= 0 and not _is_split(text, end, first):
            yield start, end
            start = -1
        start = first if start < 0 else start
        end = run.end()
    if start >= 0:
        yield start, end


def _title_like(text: str, start: int, stop: int) -> int:
    """Return the end of the first line of a run of rows if the line is a title, 0 otherwise."""
    title = _NUMBER_SIGN.match(text, start)
    return title.end() if title and "#" not in title[0].lstrip(" \t#") and "|" not in title[0] else 0


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
        remote = _remote(text, gap, lone)
        for remark in _REMARK.finditer(text, *gap):
            kind = remark.lastgroup or ""
            value = remark[kind].strip()
            if kind == "header" and _RULE.fullmatch(value):  # a line such as `; ====` separates levels
                continue
            touches_above = above >= 0 and not 0 <= first_blank < remark.start()
            touches_below = below < number and last_blank < remark.start()
            if kind == "header" and remark.start() < remote and not touches_above:
                continue
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
            if titles[0] and head_title < last_name and own and not (titles_come_first and number > 1):
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


def _remote(text: str, gap: tuple[int, int], lone: tuple[int, str] | None) -> int:
    """Return the end of the headers above a board that are too far away from it to name it.

    Between them and the board is a game, or a blank line and then the line of text that names the board.
    """
    games = [game.start() for game in _GAME.finditer(text, *gap)]
    blank = text.rfind("\n\n", gap[0], lone[0]) if lone else -1
    return max(blank, games[-1] if games else -1)


def _last_text(text: str, gap: tuple[int, int], first_blank: int) -> tuple[int, str] | None:
    """Return the start and the text of the last line above a board if that line can be a title, None otherwise.

    A line below another one of text is the end of a paragraph, and so is an indented line below a key.
    """
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
        are_moves = _GAME.fullmatch(line) or (_MOVES.fullmatch(line) and not line.isdecimal())
        if are_moves or (below_another and not with_this):
            return None
        above = text[max(text.rfind("\n", start, end) + 1, start) : max(end, start)].strip()
        if ASIDE.match(above):
            ends_paragraph = text[begin].isspace()
        else:
            ends_paragraph = bool(above) and not _RULE.fullmatch(above) and not _GAME.fullmatch(above)
        return None if ends_paragraph else (begin, line)
    return None
