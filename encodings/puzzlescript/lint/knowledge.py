"""What can happen in a game on any of its levels: upper bounds that `planes` computes for each level.

A rule that cannot apply on any level, an object that no level can have: the bounds are those by which searches
leave rules and objects out, so a warning that follows from them is as sure as a verdict.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.patterns.rules import Names, Plane, Rule, groups
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.screens.puzzlescript.game import Level
from puzzlemc.screens.puzzlescript.lines import read
from puzzlemc.screens.puzzlescript.written_rules import SOUNDS


class Remark(NamedTuple):
    """A warning. Line 0 is the first line of a level; column 0 is the whole line."""

    line: int
    column: int
    text: str


class Knowledge:
    """All levels of a game, analysed.

    levels    of one game, one at least
    boards    the analysis of each
    possible  the planes that some cell of some level can have
    used      the numbers of the rules that can apply on some level
    lines     the numbers of the rules of each line, early and late ones
    """

    def __init__(self, levels: Sequence[Level]) -> None:
        """Analyse the levels."""
        self.levels, self.game = levels, levels[0].game
        self.source = read(self.game.text)
        self.names = Names(self.game)
        self.boards = [Compilation(level) for level in levels]
        self.rules: tuple[Rule, ...] = self.boards[0].rules
        self.possible = frozenset[Plane]().union(*(board.possible for board in self.boards))
        self.used = frozenset[int]().union(*(board.used for board in self.boards))
        self.lines: dict[int, list[int]] = {}
        for number, rule in enumerate(self.rules):
            self.lines.setdefault(rule.line, []).append(number)

    @cached_property
    def made(self) -> frozenset[Plane]:
        """The planes that some rule fills, whether it can apply or not."""
        return frozenset(
            plane for rule in self.rules for cell in rule.cells for plane, comes in cell.changes.items() if comes
        )

    @cached_property
    def groups(self) -> tuple[list[list[int]], list[list[int]]]:
        """The numbers of the rules in groups, of the early and of the late rules."""
        return groups(self.rules, late=False), groups(self.rules, late=True)

    @cached_property
    def _text(self) -> list[str]:
        return self.game.text.split("\n")

    def at(self, line: int, word: str = "", behind: str = "") -> tuple[int, int]:
        """A line of the game, and the column where a word of it begins; without a word, its first character."""
        text = self._text[line - 1]
        found = re.search(rf"\b{word}\b", text[(start := text.find(behind) if behind else 0) :], re.IGNORECASE)
        if not word or found is None:
            return line, len(text) - len(text.lstrip()) + 1
        return line, start + found.start() + 1

    def spelled(self, name: str) -> str:
        """The name of an object as its author writes it."""
        if name not in self.source.objects:
            return name
        line, column = self.source.objects[name]
        return self._text[line - 1][column - 1 : column - 1 + len(name)]

    def any_of(self, objects: frozenset[str]) -> str:
        """One of some objects in words; objects of a property by its name."""
        named = sorted((len(name), name) for name, members in self.game.properties.items() if members == objects)
        if len(objects) > 1 and named:
            return named[0][1]
        return " or ".join(self.spelled(name) for name in self.game.objects if name in objects)

    def absence(self, objects: frozenset[str]) -> str:
        """Why no level can have any of some objects, in words."""
        maker = "no rule that can apply" if objects & self.made else "no rule"
        return f"no level holds {self.any_of(objects)} and {maker} makes one"

    def condition(self, line: int) -> str:
        """The win condition of a line as its author writes it."""
        text = dict(self.source.wins)[line]  # without the comment behind it
        return " ".join(self._text[line - 1][: len(text)].split())

    def sounds(self, line: int) -> bool:
        """Does the rule of a line play a sound?"""
        text = dict(self.source.rules).get(line, "")
        return not set(SOUNDS).isdisjoint(re.split(r"[\s\[\]|]+", text))
