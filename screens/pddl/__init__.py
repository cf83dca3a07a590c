"""Planning tasks as text: reader of PDDL."""

from puzzlemc.screens.pddl.level import Domain, Level
from puzzlemc.screens.pddl.reader import SUFFIXES, TRANSLATED, Reader, build, cut, looks_like, parse

__all__ = ["SUFFIXES", "TRANSLATED", "Domain", "Level", "Reader", "build", "cut", "looks_like", "parse"]
