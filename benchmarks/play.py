"""Times the answers of `puzzlemc play`: for each level, the first hint, the map and the mark *lost*.

    .venv/bin/python benchmarks/play.py ../shared/levels/sokoban/microban1.xsb

The script opens a level and asks for a hint at once. Then it plays and undoes random moves, and waits for an
answer after each. Times are seconds of wall clock; `cpu` is the processor time of the map.
"""

import random
import sys
import threading
import time

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.limits import GIB, Limits
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.session import Session
from puzzlemc.reports.workers.worker import Worker

MOVES = 60
PATIENCE = 30.0


def answer(advisor: Advisor, session: Session, heard: threading.Event) -> float:
    """Seconds until the advisor knows whether the position can be solved."""
    started = time.perf_counter()
    advisor.look(session.moves, session.positions)
    while advisor.known(session.position) is None and time.perf_counter() - started < PATIENCE:
        heard.wait(0.05)
        heard.clear()
    return time.perf_counter() - started


def main() -> None:
    """Print a row for each level."""
    print(f"{'level':<40} {'states':>9} {'hint':>7} {'map':>7} {'lost':>7} {'cpu':>7}")
    for entry in load(sys.argv[1:]):
        heard, chance = threading.Event(), random.Random(1)
        workers = tuple(Worker(4 * GIB, ("puzzlemc.reports.play.answers",)) for _ in range(2))
        for worker in workers:
            worker.run(len, "")  # start the processes before the level is opened
        session = Session(entry.puzzle, entry.level)
        advisor = Advisor(entry, (workers[0], workers[1]), Limits(60), heard.set)
        started = time.perf_counter()
        advisor.start()
        hint = answer(advisor, session, heard)
        while not advisor.states and time.perf_counter() - started < PATIENCE / 3:
            time.sleep(0.005)
        mapped = time.perf_counter() - started
        spent, lost = workers[0].seconds, 0.0
        for _ in range(MOVES):
            steps = list(session.puzzle.rules.steps(session.level, session.position))
            if not steps or chance.random() < 0.1:
                session.undo(chance.randrange(session.at + 1))
            else:
                session.play(chance.choice(steps).name)
            lost = max(lost, answer(advisor, session, heard))
        advisor.close()
        states = advisor.states or "-"
        print(f"{entry.id[-40:]:<40} {states:>9} {hint:7.3f} {mapped:7.3f} {lost:7.3f} {spent:7.2f}", flush=True)


if __name__ == "__main__":
    main()
