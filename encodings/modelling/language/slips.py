"""What authors write for expressions as they are used to for values: `and`, `min(…)`, `0 < x < 5`.

Python asks an expression for its truth value then, which only a position has. The line that asks says what is
meant.
"""

import linecache
import re
from types import FrameType

# What stands in a line of Python, and what was expected in its place; the first that fits counts.
_SLIPS = (
    (re.compile(r"[<>]=?[^=<>()]+[<>]=?"), "two comparisons and & in the place of a chain"),
    (re.compile(r"\bmin\("), "Min(…) in the place of min(…)"),
    (re.compile(r"\bmax\("), "Max(…) in the place of max(…)"),
    (re.compile(r"\ball\("), "All(…) in the place of all(…)"),
    (re.compile(r"\bany\("), "Any(…) in the place of any(…)"),
    (re.compile(r"\band\b"), "& in the place of and, with comparisons in parentheses"),
    (re.compile(r"\bor\b"), "| in the place of or, with comparisons in parentheses"),
    (re.compile(r"\bnot\s+in\b"), "All(x != value for value in …) in the place of not in"),
    (re.compile(r"\bnot\b"), "~ in the place of not"),
    (re.compile(r"\bif\b(?!.*\bfor\b)"), "If(condition, then, otherwise) in the place of if"),
    (re.compile(r"(?<!for )\b\S+ in\b"), "Any(x == value for value in …) in the place of in"),
)
_ANY_SLIP = "&, |, ~, All, Any, If, Min or Max in the place of and, or, not, all, any, if, min or max"


def meant(frame: FrameType) -> str:
    """What the author has meant, as far as the line says it that asks for a truth value."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return next((meant for slip, meant in _SLIPS if slip.search(line)), _ANY_SLIP)
