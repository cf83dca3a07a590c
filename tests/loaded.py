"""What the process that forks the workers of tests has loaded: all modules that a worker may import.

A worker would take longer for them than for most levels.
"""

from importlib import import_module

import highspy
import matplotlib.font_manager
from places import ROOT

ROOMS = ("mc", "encodings", "screens", "reports/ask", "reports/certify", "reports/crew", "reports/formats")
MORE_ROOMS = ("reports/generate", "reports/page", "reports/solve", "reports/workers")
SLOW = {"planner", "unified_engine", "unified_problem", "validator"}  # few workers use these; they load scipy

for room in (*ROOMS, *MORE_ROOMS):
    for path in sorted((ROOT / room).rglob("*.py")):
        if path.stem not in SLOW:
            parts = path.relative_to(ROOT).with_suffix("").parts
            import_module(".".join(("puzzlemc", *parts)).removesuffix(".__init__"))

__all__ = ["highspy", "matplotlib"]
