"""An extension of Griffe: lists of names in docstrings, which stand in two columns, become lists of Markdown."""

import re
from collections.abc import Iterator
from typing import Any

import griffe

ITEM = re.compile(r"(\w[\w, ]*?)  +(\S.*)")


class Columns(griffe.Extension):
    """Rewrites the docstring of each object."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """A paragraph whose first line has two columns is a list; lines without a name go on with the last one."""
        if obj.docstring is not None:
            paragraphs = re.split(r"\n\s*\n", obj.docstring.value)
            obj.docstring.value = "\n\n".join("\n".join(lines(each)) for each in paragraphs)


def lines(paragraph: str) -> Iterator[str]:
    """The lines of a paragraph for Markdown."""
    first, *rest = paragraph.split("\n")
    if not ITEM.fullmatch(first):
        yield paragraph
        return
    for line in (first, *rest):
        item = ITEM.fullmatch(line)
        yield f"- `{item[1]}`: {item[2]}" if item else f"    {line.strip()}"
