"""Planning tasks as text: reader of PDDL."""

from puzzlemc.screens.pddl.files import choose_domain
from puzzlemc.screens.pddl.level import Domain, Level
from puzzlemc.screens.pddl.reader import SUFFIXES, TRANSLATED, build, cut, looks_like, parse

__all__ = [
    "SUFFIXES",
    "TRANSLATED",
    "Domain",
    "Level",
    "build",
    "choose_domain",
    "cut",
    "looks_like",
    "parse",
]
