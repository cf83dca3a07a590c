"""Texts of levels and names of files on their way to a terminal, Markdown, XML or HTML.

Anybody may have written them. What a terminal or a browser takes for a command is shown as Python would write it,
`\\x1b` for ESC. A backslash stays as it is: so a text may be made plain twice, and what is shown is for people.
Programs have JSON, which keeps everything.
"""

import re
from html import escape

# Controls (C0, DEL, C1), what changes the direction of text, what is there and not seen, the separators of lines
# and paragraphs, halves of surrogate pairs, tags, and what XML forbids. The joiners U+200C and U+200D belong to
# scripts.
_HOSTILE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
_MARKS = re.compile(r"[\\`*_\[\]|~#$]")  # of Markdown, within a line


def plain(text: str) -> str:
    """The text in one line that does what it says."""
    return _HOSTILE.sub(lambda found: ascii(found[0])[1:-1], text)


def plain_lines(text: str) -> str:
    """The same, but line feeds stay."""
    return _HOSTILE.sub(lambda found: found[0] if found[0] == "\n" else ascii(found[0])[1:-1], text)


def markdown(text: str) -> str:
    """The text in one line of Markdown that shows it."""
    return _MARKS.sub(r"\\\g<0>", escape(plain(text), quote=False))


def markdown_code(text: str) -> str:
    """The text in one line of Markdown, as code."""
    text = plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text[:1] in ("", " ", "`") or text[-1:] in (" ", "`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def markdown_block(text: str) -> str:
    """The text as a block of code."""
    text = plain_lines(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def xml(text: str) -> str:
    """The text as the content of an element or attribute, in XML and HTML."""
    return escape(plain_lines(text))
