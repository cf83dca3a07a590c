"""Plans as text: an action a line, `(drive t1 c1 c2)`, or by the names of steps, `drive(t1,c1,c2)`."""

import re

from puzzlemc.encodings.puzzle.text import Move, words
from puzzlemc.screens.pddl.conditions import fact

_COMMENT = re.compile(r";[^\n]*")
_ACTION = re.compile(r"\(\s*([^\s()]+)((?:\s+[^\s()]+)*)\s*\)")


def read_moves(text: str, source: str, line: int = 1) -> list[Move]:
    """The moves in a text that begins in that line of its source. Comments begin with `;`."""
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text).lower()
    if not bare.lstrip().startswith("("):
        return words(bare, source, line)
    found = []
    for each in _ACTION.finditer(bare):
        at = each.start()
        name = fact(each[1], tuple(each[2].split()))
        found.append(Move(name, line + bare.count("\n", 0, at), at - bare.rfind("\n", 0, at)))
    return found
