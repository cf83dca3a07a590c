"""Why there is no solution, in a report: of the level, or of the position after the first mistake."""

from collections.abc import Hashable
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.formats.drawing import svg_shapes
from puzzlemc.reports.output.plain import markdown, markdown_block
from puzzlemc.reports.page.board import view
from puzzlemc.reports.solve.reasons import explain
from puzzlemc.reports.solve.why import Why


def after_mistake(rules: Puzzle, level: Any, position: Hashable, budget: Budget) -> Why | None:
    """What of a position that is lost already cannot be done; None where that is not known. Raises Refuted."""
    if rules.starting_at is None:
        return None
    try:
        return explain(rules, rules.starting_at(level, position), budget, first_kind=True)
    except LIMITS:
        return None


def shown(why: Why | None) -> dict[str, str] | None:
    """What a page says of it: the words, how small the part is, and its picture, which has a board of its own."""
    if why is None:
        return None
    shapes = why.picture.board + why.picture.pieces
    return {
        "words": _sentence(why.words),
        "scope": _sentence(f"{why.scope}; {why.evidence}"),
        "picture": view(why.picture, f"The {why.kind} of which this is so", svg_shapes(shapes), shapes),
    }


def in_markdown(why: Why | None) -> list[str]:
    """The same as lines of Markdown."""
    if why is None:
        return []
    words = markdown(f"{_sentence(why.words)} {_sentence(f'{why.scope}; {why.evidence}')}")
    return [words, "", markdown_block(why.drawn.text), ""]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
