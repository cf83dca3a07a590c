"""Untrusted texts (levels, file names) made safe for a terminal, Markdown, XML or HTML.

Characters that a terminal or a browser would interpret as commands are written as Python escapes, `\\x1b` for ESC.
A backslash remains a single backslash, so these functions are idempotent, but not reversible. For programs there
is JSON, which keeps every character.
"""

import re
from html import escape

# Control characters (C0, DEL, C1), characters that change the direction of text, invisible characters, separators
# of lines and paragraphs, surrogates, tags, and characters that XML forbids. The joiners U+200C and U+200D are
# allowed, because some scripts need them.
_HOSTILE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
_MARKS = re.compile(r"[\\`*_\[\]|~#$]")  # characters with a meaning within a line of Markdown


def plain(text: str) -> str:
    """The text in one line, with hostile characters escaped."""
    return _HOSTILE.sub(lambda found: ascii(found[0])[1:-1], text)


def plain_lines(text: str) -> str:
    """The text with hostile characters escaped, except line feeds."""
    return _HOSTILE.sub(lambda found: found[0] if found[0] == "\n" else ascii(found[0])[1:-1], text)


def markdown(text: str) -> str:
    """The text as one line of Markdown."""
    return _MARKS.sub(r"\\\g<0>", escape(plain(text), quote=False))


def markdown_code(text: str) -> str:
    """The text as inline code of Markdown."""
    text = plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text[:1] in ("", " ", "`") or text[-1:] in (" ", "`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def markdown_block(text: str) -> str:
    """The text as a code block of Markdown."""
    text = plain_lines(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def xml(text: str) -> str:
    """The text as the content of an element or attribute, in XML and HTML."""
    return escape(plain_lines(text))
