"""The plan finder on a set of levels: how many it solves, how fast, and what each of its parts earns.

One run says little: a change that leaves all searches as they are moves the time of a level by a factor of two.
So each level is also turned and mirrored (`--salts`): the cells get other numbers, all ties are broken in another
way, and the runs are independent. The number of solved levels is shown as mean, least and most over the salts, and
for each level the seconds with each salt. Each run is a process with a limit of processor time.

    python benchmarks/some_solution.py ../shared/levels/sokoban/sasquatch3.xsb --salts 5 --seconds 60
"""

import argparse
import math
import multiprocessing
import multiprocessing.connection
import resource
import signal
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Level, build, draw

SALTS = 8  # ways to turn and mirror a board


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
        "fourth portfolio": Row((fess.FOURTH,), True),
        "no fourth portfolio": Row((fess.BEST, fess.OTHER, fess.THIRD), True),
        "symmetric portfolio": Row((fess.SYMMETRIC,), True),
        "all settings": Row((fess.ALL,), True),
        "settings alone": Row((fess.BEST,)),
        "settings, no groups": Row((tuple(settings._replace(groups=0) for settings in fess.BEST),)),
        **{name: Row(((settings,),)) for name, settings in one.items()},
    }


def turned(level: Level, salt: int) -> Level:
    """The level turned and mirrored: salt 0 leaves it as it is, and each other one draws it in another way."""
    rows = draw(level).split("\n")
    width = max(map(len, rows))
    rows = [row.ljust(width) for row in rows]
    if salt & 1:
        rows = [row[::-1] for row in rows]
    if salt & 2:
        rows.reverse()
    if salt & 4:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    return build(Part("", 1, "\n".join(row.rstrip() for row in rows), None, None))


class Run(NamedTuple):
    """A level with a salt: the processor seconds until its plan was found, or None if there was none in time."""

    number: int
    salt: int
    seconds: float | None


def search(level: Level, row: Row, seconds: float, memory: int, pipe: Any) -> None:
    """Send the processor seconds of this process, or None if the search ends without a plan.

    A limit of the system ends the process after `seconds`.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    began = time.process_time()
    found = fess.find_plan(level, Budget(Limits(memory=memory)), None, row.portfolios, None, row.relays)
    took = time.process_time() - began
    if found is not None:
        puzzle("sokoban").replay(level, found)
    pipe.send(None if found is None else took)


def runs(
    tasks: Sequence[tuple[int, Level, int]], row: Row, seconds: float, memory: int, jobs: int
) -> Iterator[Run]:
    """Run each level with its number and salt, `jobs` at a time. Raises RuntimeError if a search fails."""
    context = multiprocessing.get_context("fork")
    waiting, running = list(reversed(tasks)), {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number, level, salt = waiting.pop()
            receive, send = context.Pipe(duplex=False)
            process = context.Process(target=search, args=(turned(level, salt), row, seconds, memory, send))
            process.start()
            send.close()
            running[process.sentinel] = number, salt, process, receive
        for sentinel in multiprocessing.connection.wait(list(running)):
            number, salt, process, receive = running.pop(sentinel)
            process.join()
            if process.exitcode not in (0, -signal.SIGXCPU):
                raise RuntimeError(f"level {number}, salt {salt}: the search ends with {process.exitcode}")
            took: float | None = receive.recv() if process.exitcode == 0 and receive.poll() else None
            run = Run(number, salt, took if took is not None and took <= seconds else None)
            print(
                f"level {number}, salt {salt}:",
                "no plan" if run.seconds is None else f"{took:.2f} s",
                file=sys.stderr,
            )
            yield run


def show(name: str, found: Sequence[Run], salts: int, limit: float) -> None:
    """Print how many levels are solved over the salts and within parts of the limit, and the seconds by level."""
    levels = sorted({each.number for each in found})
    for number in levels:
        times = sorted(
            (each.seconds for each in found if each.number == number and each.seconds is not None),
        )
        texts = " ".join(f"{seconds:7.2f}" for seconds in times)
        print(f"    {number:4}  {len(times)} of {salts}  {texts}")
    for part in (limit / 6, limit / 2, limit):
        counts = [
            sum(each.salt == salt and each.seconds is not None and each.seconds <= part for each in found)
            for salt in range(salts)
        ]
        print(
            f"{name:22} {part:6.1f} s: {statistics.mean(counts):5.1f} of {len(levels)} "
            f"in the mean of {salts} salts, "
            f"{min(counts)} at least, {max(counts)} at most",
            flush=True,
        )


def positive(text: str) -> float:
    """A number above 0. Raises ArgumentTypeError."""
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"found {text}, expected a number above 0")
    return value


def main() -> int:
    """Print a table for each row. Raises Refuted for a wrong solution."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th level only")
    parser.add_argument("--only", type=int, nargs="+", default=[], metavar="N", help="take these levels only")
    parser.add_argument("--salts", type=int, default=1, choices=range(1, SALTS + 1), metavar="1-8")
    parser.add_argument("--seconds", type=positive, default=10, help="of processor time for each run")
    parser.add_argument("--memory", type=positive, default=4, help="GiB")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, 65), metavar="1-64", help="runs at a time")
    parser.add_argument("--line", action="append", choices=list(lines()), help="only these rows")
    options = parser.parse_args()
    levels = []
    for number, entry in list(enumerate(load(options.levels), 1))[:: options.every]:
        if options.only and number not in options.only:
            continue
        if isinstance(entry.level, Level):
            levels.append((number, entry.level))
        else:
            print(f"level {number} is left out:", entry.error or "it is no level of Sokoban", file=sys.stderr)
    if not levels:
        parser.error("there is no level of Sokoban to run")
    for name, row in lines().items():
        if options.line and name not in options.line:
            continue
        memory = int(options.memory * GIB)
        tasks = [(number, level, salt) for number, level in levels for salt in range(options.salts)]
        found = list(runs(tasks, row, options.seconds, memory, options.jobs))
        show(name, found, options.salts, options.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
