"""The package `puzzlemc` itself: the names that programs use. Each is imported when it is first asked for.

setup.cfg installs this folder as `puzzlemc`. So any `import puzzlemc.…` runs this file, and it must stay cheap.
"""

import os
from importlib import import_module

TYPE_CHECKING = False  # no import of `typing`: `python -m puzzlemc` still searches the current folder here
if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle
    from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, PuzzlemcError, Refuted
    from puzzlemc.mc.model.model import Model
    from puzzlemc.reports.api.asking import Answer, query
    from puzzlemc.reports.api.awaiting import (
        agenerate,
        ameasure,
        aquery,
        areport,
        asolve,
        asolve_all,
        asuggest,
        averify,
    )
    from puzzlemc.reports.api.checking import verify
    from puzzlemc.reports.api.generating import generate
    from puzzlemc.reports.api.levels import Level, load
    from puzzlemc.reports.api.measuring import measure
    from puzzlemc.reports.api.positions import Position
    from puzzlemc.reports.api.reporting import report
    from puzzlemc.reports.api.results import Result, Results
    from puzzlemc.reports.api.solving import solve, solve_all
    from puzzlemc.reports.api.suggesting import Suggestion, Suggestions, suggest
    from puzzlemc.reports.certify.verify import Verification
    from puzzlemc.reports.output.files import OutputError
    from puzzlemc.reports.workers.worker import WorkerDied
    from puzzlemc.screens.base.errors import LevelError

# An editable install maps each package that has an __init__.py. `encodings` has none: Python searches for it here.
if __path__[0].endswith(os.path.join("reports", "public")):
    __path__.append(os.path.dirname(os.path.dirname(__path__[0])))

__all__ = [
    "Answer",
    "FormulaError",
    "Level",
    "LevelError",
    "LimitReached",
    "Model",
    "ModelError",
    "OutputError",
    "Position",
    "Puzzle",
    "PuzzlemcError",
    "Refuted",
    "Result",
    "Results",
    "Suggestion",
    "Suggestions",
    "Verification",
    "WorkerDied",
    "agenerate",
    "ameasure",
    "aquery",
    "areport",
    "asolve",
    "asolve_all",
    "asuggest",
    "averify",
    "generate",
    "load",
    "measure",
    "query",
    "report",
    "solve",
    "solve_all",
    "suggest",
    "verify",
]

_NAMES = {
    "puzzlemc.encodings.puzzle": "Puzzle",
    "puzzlemc.mc.errors": "FormulaError LimitReached ModelError PuzzlemcError Refuted",
    "puzzlemc.mc.model.model": "Model",
    "puzzlemc.reports.api.asking": "Answer query",
    "puzzlemc.reports.api.awaiting": "agenerate ameasure aquery areport asolve asolve_all asuggest averify",
    "puzzlemc.reports.api.checking": "verify",
    "puzzlemc.reports.api.generating": "generate",
    "puzzlemc.reports.api.levels": "Level load",
    "puzzlemc.reports.api.measuring": "measure",
    "puzzlemc.reports.api.positions": "Position",
    "puzzlemc.reports.api.reporting": "report",
    "puzzlemc.reports.api.results": "Result Results",
    "puzzlemc.reports.api.solving": "solve solve_all",
    "puzzlemc.reports.api.suggesting": "Suggestion Suggestions suggest",
    "puzzlemc.reports.certify.verify": "Verification",
    "puzzlemc.reports.output.files": "OutputError",
    "puzzlemc.reports.workers.worker": "WorkerDied",
    "puzzlemc.screens.base.errors": "LevelError",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Import a public name (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module 'puzzlemc' has no attribute {name!r}")
    found: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
