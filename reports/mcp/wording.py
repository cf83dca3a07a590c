"""The sentences of a result in the words of a client: it has arguments of tools, and no command line.

Messages are written once, for the command line, and name its options. Where a tool has an argument of this name,
the argument is named. A part of a sentence that offers another option is left out.
"""

import re
from typing import Any

from puzzlemc.reports.mcp.tools import TOOLS

SENTENCES = frozenset(("fault", "note", "reason", "words"))  # the fields of results that have sentences
ARGUMENTS = frozenset(name for tool in TOOLS.values() for name in tool.asked.__struct_fields__)

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
_OWN_PUZZLE = re.compile(r"expected --puzzle (.+\.py)$")  # a client cannot name one: it is a program
_PART = re.compile(r"(; |, or )")


def worded(data: Any, field: str = "") -> Any:
    """A result, as JSON, with its sentences in the words of a client."""
    if isinstance(data, dict):
        return {name: worded(value, name) for name, value in data.items()}
    if isinstance(data, list):
        return [worded(value, field) for value in data]
    return sentence(data) if isinstance(data, str) and field in SENTENCES else data


def sentence(text: str) -> str:
    """A sentence in the words of a client."""
    return "\n".join(map(_line, text.split("\n"))) if "--" in text else text


def _line(line: str) -> str:
    line = _OWN_PUZZLE.sub(r"expected a server that was started with the puzzle of \1", line)
    first, *rest = _PART.split(_OPTION.sub(_argument, line))
    kept = [sign + part for sign, part in zip(rest[::2], rest[1::2], strict=True) if not _OPTION.search(part)]
    return "".join([first, *kept])


def _argument(option: re.Match[str]) -> str:
    """The argument of a tool with the name of an option, or the option if there is none."""
    name = option[1].replace("-", "_")
    return name if name in ARGUMENTS else option[0]
