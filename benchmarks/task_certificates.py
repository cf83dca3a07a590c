"""Makes certificates of the cheapest plans of many planning tasks, for `mutants.py` to change.

    python benchmarks/task_certificates.py FOLDER [FILE.sas...] [--count 200] [--seed 1] [--seconds 5]
    python benchmarks/mutants.py FOLDER/*.cert --each 2

First come the given files that are solved within the limit, then small random tasks (`odd_tasks.py`) that have a
plan. An exhaustive search that shares nothing with the program judges the random ones: another cost than the least
one is an error. Each certificate is verified. The last line says how many there are, their size and the processor
time. Exit code 1: a cost is wrong, or a certificate is not valid.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from odd_tasks import judged, odd_task

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

MOST = 3000  # states of a random task


class Certified(NamedTuple):
    """Whether a certificate is valid, its claimed cost, its bytes, and seconds to find, write and check it."""

    valid: bool
    cost: int | None
    size: int
    seconds: float
    check_seconds: float


def certified(entry: Entry, place: Path, seconds: float) -> Certified | None:
    """Write the certificate of a cheapest plan; None without a proof within the limit, or if it costs nothing."""
    began = time.process_time()
    options = Options("cost", timeout=seconds, prove=True)
    result = solve_entry(entry, options)
    if result.verdict != "solvable" or not result.optimal or not result.trace:
        return None
    result = certify(entry, options, result, place)
    if not result.optimal or not place.exists():
        return None
    found = time.process_time()
    done = verify(place)
    if done.certificate is None or done.certificate.proof is None:  # a plan of cost 0 needs no proof
        place.unlink()
        return None
    ended = time.process_time()
    cost = done.certificate.cost if done.certificate.optimal else None
    return Certified(done.status == "valid", cost, place.stat().st_size, found - began, ended - found)


def random_tasks(seed: int) -> Iterator[tuple[str, int]]:
    """Texts of tasks that have a plan which costs something, and the cost of the cheapest one."""
    choice = random.Random(seed)
    while True:
        odd = odd_task(choice)
        truth = judged(odd, MOST)
        if truth is not None and truth.least:
            yield odd.written(), truth.least


def summary(made: Sequence[Certified], given: int, wrong: int) -> str:
    """The last line."""
    sizes, times = [each.size for each in made], [each.seconds for each in made]
    checks = sum(each.check_seconds for each in made)
    return (
        f"{len(made)} certificates, {given} of given files: {len(made) - wrong} valid and right;"
        f" {min(sizes, default=0)} to {max(sizes, default=0)} bytes; processor time: {sum(times):.1f} s to find"
        f" and write them, at most {max(times, default=0):.1f} s for one; {checks:.1f} s to check"
    )


def main() -> int:
    """Write the certificates; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=200, help="certificates")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each search and of each proof")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made: list[Certified] = []
    wrong: list[str] = []

    def add(source: Path, stem: str, least: int | None) -> None:
        done = certified(load([str(source)])[0], options.folder / f"{stem}.cert", options.seconds)
        if done is None:
            return
        made.append(done)
        if not done.valid or (least is not None and done.cost != least):
            wrong.append(f"{source}: cost {done.cost}, the least is {least}, valid: {done.valid}")

    for file in options.files:
        if len(made) < options.count:
            add(file, file.stem, None)
    given = len(made)
    for number, (text, least) in enumerate(random_tasks(options.seed)):
        if len(made) >= options.count:
            break
        source = options.folder / f"random-{number}.sas"
        source.write_text(text, encoding="ascii")
        add(source, source.stem, least)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(summary(made, given, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
