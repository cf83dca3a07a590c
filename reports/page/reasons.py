"""The section of a report on why the level, or the position after the first mistake, has no solution."""

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
    """The unsolvable part of a lost position; None if it is unknown. Raises Refuted."""
    if rules.starting_at is None:
        return None
    try:
        return explain(rules, rules.starting_at(level, position), budget, first_kind=True)
    except LIMITS:
        return None


def shown(why: Why | None) -> dict[str, str] | None:
    """The part for a page: its words, its size, and its picture."""
    if why is None:
        return None
    shapes = why.picture.board + why.picture.pieces
    return {
        "words": _sentence(why.words),
        "scope": _sentence(f"{why.scope}; {why.evidence}"),
        "picture": view(why.picture, f"The {why.kind} that cause this", svg_shapes(shapes), shapes),
    }


def in_markdown(why: Why | None) -> list[str]:
    """The part as lines of Markdown."""
    if why is None:
        return []
    words = markdown(f"{_sentence(why.words)} {_sentence(f'{why.scope}; {why.evidence}')}")
    return [words, "", markdown_block(why.drawn.text), ""]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
