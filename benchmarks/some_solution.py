"""Ablation of the plan finder: the same levels, with each part switched off alone.

The limit for each level is counted work, so all machines solve the same levels. Seconds are processor time.

    python benchmarks/some_solution.py ../shared/levels/sokoban/sasquatch3.xsb --every 5 --work 200
"""

import argparse
import time
from typing import NamedTuple

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.screens.sokoban import Level


class Row(NamedTuple):
    """Portfolios, each with settings that search in turns, and whether relays take turns with them.

    portfolios  None for those of the board
    """

    portfolios: tuple[tuple[Settings, ...], ...] | None
    relays: bool = False


def lines() -> dict[str, Row]:
    """The table, by name."""
    plain = Settings()
    loose = Settings(loose=1, eager=1, walled=2)
    one = {
        "one setting": plain,
        "no groups": plain._replace(groups=0),
        "no barriers": plain._replace(barriers=0),
        "one end": plain._replace(ends=0),
        "farthest first": plain._replace(order=2),
        "next target first": plain._replace(hurry=2),
        "best cells first": plain._replace(eager=1),
        "loose plan": loose,
        "loose, cells in turn": loose._replace(eager=0),
        "loose, packed no walls": loose._replace(walled=0),
        "loose, exact": loose._replace(exact=1),
    }
    return {
        "everything": Row(None, True),
        "first portfolio": Row((fess.BEST,), True),
        "other portfolio": Row((fess.OTHER,), True),
        "third portfolio": Row((fess.THIRD,), True),
        "symmetric portfolio": Row((fess.SYMMETRIC,), True),
        "all settings": Row((fess.ALL,), True),
        "settings alone": Row((fess.BEST,)),
        "settings, no groups": Row((tuple(settings._replace(groups=0) for settings in fess.BEST),)),
        **{name: Row(((settings,),)) for name, settings in one.items()},
    }


def main() -> int:
    """Print for each row the number of solved levels, seconds, and their numbers.

    Raises Refuted for a wrong solution.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th level only")
    parser.add_argument("--work", type=float, default=200, help="millions of steps for each level")
    parser.add_argument("--memory", type=float, default=2, help="GiB")
    parser.add_argument("--line", action="append", choices=list(lines()), help="only these rows")
    arguments = parser.parse_args()
    rules = puzzle("sokoban")
    entries = list(load(arguments.levels))[:: arguments.every]
    for name, row in lines().items():
        if arguments.line and name not in arguments.line:
            continue
        began, solved = time.process_time(), []
        for number, entry in enumerate(entries):
            if not isinstance(entry.level, Level):
                continue
            budget = Budget(Limits(memory=int(arguments.memory * GIB)))
            work = int(arguments.work * 1e6)
            found = fess.find_plan(entry.level, budget, work, row.portfolios, None, row.relays)
            if found is not None:
                rules.replay(entry.level, found)
                solved.append(number * arguments.every + 1)
        seconds = time.process_time() - began
        print(f"{name:22} {len(solved):4} of {len(entries)} {seconds:8.1f} s  {solved}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
