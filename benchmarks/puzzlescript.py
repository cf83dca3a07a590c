"""Measures breadth-first search on PuzzleScript levels: states a second, and the time of a turn.

    python benchmarks/puzzlescript.py FILE#N… [--seconds 2] [--relevant]

FILE#N is playable level N of a game. The search runs for that time of the processor; loading and compiling the
level are not measured.
"""

import argparse
import time

from puzzlemc.encodings.puzzlescript.planes.encoding import planes, relevant_planes
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.mc.steps.search import CAPACITY
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.screens.puzzlescript import Level, parse

ENDINGS = {ENDED: "closed", FOUND: "won", PAUSED: "time"}
MEMORY = 8 << 30
CHUNK = 200  # states between two looks at the clock


def measured(level: Level, seconds: float, relevant: bool) -> str:
    """The line of a level."""
    model = (relevant_planes if relevant else planes)(level).model
    assert isinstance(model, StepSystem)
    space = Frontier(Layout(model).pack(initial_state(model)), CAPACITY)
    status, started = PAUSED, time.process_time()
    while status not in (ENDED, FOUND) and time.process_time() - started < seconds:
        status = advance(space, model.steps, MEMORY, CHUNK)
    used = time.process_time() - started
    turns = max(1, space.expanded * model.steps.actions)
    size = f"{level.width}x{level.height}, {len(model.bits)} bits, {len(level.game.rules)} rules"
    speed = f"{space.used / used:,.0f} states/s, {used / turns * 1e9:.0f} ns a turn"
    return f"{size}: {ENDINGS[status]}, {space.used} states, {speed}"


def main() -> None:
    """Measure the levels."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("levels", nargs="+", metavar="FILE#N")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument(
        "--relevant", action="store_true", help="without the objects that do not matter for winning"
    )
    chosen = parser.parse_args()
    for name in chosen.levels:
        file, _, number = name.rpartition("#")
        with open(file, encoding="utf-8", errors="replace") as text:
            level = parse(text.read(), file)[int(number) - 1]
        print(f"{name}: {measured(level, chosen.seconds, chosen.relevant) if isinstance(level, Level) else level}")


if __name__ == "__main__":
    main()
