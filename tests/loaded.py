"""The modules that the process that forks the workers of tests has loaded."""

from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder
from puzzlemc.encodings.sokoban.generate import levels
from puzzlemc.encodings.sokoban.proof import bidirectional
from puzzlemc.reports.ask import compare, query
from puzzlemc.reports.certify import certify, verify
from puzzlemc.reports.generate import random_levels, series
from puzzlemc.reports.page import html, report
from puzzlemc.reports.solve import solve
from puzzlemc.reports.workers import single, worker

__all__ = [
    "bidirectional",
    "certify",
    "compare",
    "html",
    "levels",
    "plan_finder",
    "query",
    "random_levels",
    "report",
    "series",
    "single",
    "solve",
    "verify",
    "worker",
]
