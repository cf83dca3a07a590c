"""Lint: warnings about what a game has in vain, each proved for all its levels."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.screens.base.source import is_standard_input


def lint_games(entries: Sequence[Entry]) -> list[str]:
    """The warnings about the games of some levels, each with file, line and column.

    A file is read again, with all its levels. A game is left out if one of its levels has an error: a warning says
    what no level has.
    """
    games: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.part is not None:
            games.setdefault(entry.part.source, []).append(entry)
    found: list[str] = []
    for source, some in games.items():
        name = some[0].puzzle.origin or some[0].puzzle_name
        every = some if is_standard_input(source) else load([source], name)
        found += lint_game(every)
    return found


def lint_game(entries: Sequence[Entry]) -> list[str]:
    """The warnings about a game, given all its levels; none if one of them has an error."""
    return [
        f"{source}:{line}:{f'{column}:' if column else ''} warning: {text}"
        for source, line, column, text in remarks(entries)
    ]


def remarks(entries: Sequence[Entry]) -> list[tuple[str, int, int, str]]:
    """The same: of each warning the file, the line and the column, 0 for the whole line, and words."""
    lint = entries[0].puzzle.text.lint if entries and entries[0].puzzle_name is not None else None
    if lint is None or any(entry.error is not None or entry.part is None for entry in entries):
        return []
    levels = [(entry.part, entry.level) for entry in entries if entry.part is not None]
    return [(levels[0][0].source, *each) for each in lint(levels)]
