"""The libraries and compiled code that the process that forks the workers of tests has loaded."""

from compiled_code import PARTS, compile_parts

from puzzlemc.reports.ask import compare, query
from puzzlemc.reports.certify import certify, verify
from puzzlemc.reports.generate import random_levels, series
from puzzlemc.reports.page import html, report
from puzzlemc.reports.solve import solve
from puzzlemc.reports.workers import single, worker

__all__ = [
    "certify",
    "compare",
    "html",
    "query",
    "random_levels",
    "report",
    "series",
    "single",
    "solve",
    "verify",
    "worker",
]

compile_parts(PARTS)
