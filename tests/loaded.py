"""What the process that forks the workers of tests has loaded: libraries and compiled code."""

from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.generate import levels as sokoban
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.improve import improvement as improve
from puzzlemc.encodings.sokoban.proof import bidirectional as ends
from puzzlemc.encodings.tetravex import guess
from puzzlemc.mc import jit
from puzzlemc.mc.engines.warm_up import COMPILED, searches
from puzzlemc.mc.graph.warm_up import KERNEL, graphs
from puzzlemc.reports.ask import compare, query
from puzzlemc.reports.certify import certify, verify
from puzzlemc.reports.generate import generate, making
from puzzlemc.reports.page import html, report
from puzzlemc.reports.solve import solve
from puzzlemc.reports.workers import single, worker

__all__ = [
    "certify",
    "compare",
    "generate",
    "html",
    "making",
    "query",
    "report",
    "single",
    "solve",
    "verify",
    "worker",
]

jit.compile_now(searches, *COMPILED)
jit.compile_now(graphs, KERNEL)
jit.compile_now(ends.warm_up, *ends.MODULES)
jit.compile_now(improve.warm_up, *improve.MODULES)
jit.compile_now(sokoban.warm_up, positions.__name__)
jit.compile_now(guess.warm_up, guess.__name__)
jit.compile_now(fess.warm_up, *fess.MODULES)
