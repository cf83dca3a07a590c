"""What a certificate is about: its puzzle and its level, built again from the text in the file."""

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.reports.certify.certificate import Certificate
from puzzlemc.reports.certify.strategies import StrategyFile
from puzzlemc.screens.base.errors import CertificateError, LevelError
from puzzlemc.screens.base.reading import Unfiled


def known_puzzles(levels: Sequence[Entry], own: Puzzle | None) -> Mapping[str, Puzzle]:
    """The puzzles that a certificate may be about, by name: `own` alone, or those of the program and of levels."""
    if own is not None:
        return {own.name: own}
    return {**puzzles(), **{entry.puzzle.name: entry.puzzle for entry in levels if entry.puzzle_name is not None}}


def named_puzzle(name: str, source: str, known: Mapping[str, Puzzle]) -> Puzzle:
    """The puzzle of that name. Raises LevelError if it is not known."""
    if name not in known:
        (expected, *others) = known
        if others:
            expected = f"one of {', '.join(known)}, or a Python file with it by --puzzle"
        raise CertificateError(f"puzzle: found {name!r}, expected {expected}", source=source)
    return known[name]


def level_of(rules: Puzzle, text: str, source: str) -> Any:
    """The level that a text is. Raises LevelError unless it is one."""
    parsed = rules.screen.parse(text, Unfiled(f"{source}: level"))
    if len(parsed) != 1:
        raise CertificateError(f"level: found {len(parsed)} levels, expected one", source=source)
    if isinstance(parsed[0], LevelError):
        raise parsed[0]
    return parsed[0]


def is_about(certificate: Certificate | StrategyFile, level: Any, entry: Entry) -> bool:
    """Has the level of a certificate the text of an entry, or else the same positions, moves and solutions?"""
    if entry.level is None or entry.puzzle_name != certificate.puzzle:
        return False
    content = entry.puzzle.text.content
    is_drawn_alike = entry.puzzle.screen.draw(entry.level) == certificate.level
    return is_drawn_alike or (content is not None and content(entry.level) == content(level))
