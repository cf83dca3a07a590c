"""Comments in text formats where a line that begins with a sign is one: how they are read, and written.

Comments above the first level, with a blank line below them, are about all levels. Any other comment is about the
level in which or above which it stands, or about the last one.
"""

import re
from collections.abc import Iterator, Sequence

from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import About, Part

SIGN = "%"  # that all of these formats have

_CONTENT = re.compile(r"\s*[%#] ?(.*)")


def with_comments(
    items: Iterator[Part | LevelError], text: str, comment: re.Pattern[str]
) -> Iterator[Part | LevelError]:
    """Yield the parts of a text with their comments. `comment` matches lines of comment, and blank ones."""
    lines = normalized(text).split("\n")
    head, start = _head(lines, comment)
    about = About(comment=head)
    held: Part | LevelError | None = None
    for item in items:
        if held is not None:
            yield held
        held = item
        if isinstance(item, Part):
            end = item.line + item.text.count("\n")
            while end > item.line and (not lines[end - 1].strip() or comment.match(lines[end - 1])):
                end -= 1
            held = item._replace(comment=_joined(lines[start:end], comment), about=about)
            start = end
    if isinstance(held, Part) and (rest := _joined(lines[start:], comment)):
        held = held._replace(comment="\n".join(filter(None, (held.comment, rest))))
    if held is not None:
        yield held


def written(head: str, texts: Sequence[tuple[str, str]], sign: str = SIGN) -> str:
    """Return a file with a comment about all levels, and the text of each level below its comment."""
    levels = ["\n".join([*_lines(comment, sign), text]) for text, comment in texts]
    return "\n".join(f"{text}\n" for text in ["\n".join(_lines(head, sign)), *levels] if text)


def _lines(comment: str, sign: str) -> list[str]:
    return [f"{sign} {line}".rstrip() for line in comment.split("\n")] if comment else []


def _head(lines: Sequence[str], comment: re.Pattern[str]) -> tuple[str, int]:
    """Return the comment about all levels, and the index of the first line below it."""
    for end, line in enumerate(lines):
        if not line.strip():
            if found := _joined(lines[:end], comment):
                return found, end
        elif not comment.match(line):
            break
    return "", 0


def _joined(lines: Sequence[str], comment: re.Pattern[str]) -> str:
    found = [content[1].rstrip() for line in lines if comment.match(line) and (content := _CONTENT.match(line))]
    return "\n".join(found).strip("\n")
