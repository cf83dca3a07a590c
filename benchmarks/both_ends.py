"""Times bidirectional proofs: solving alone, solving with a proof, and verifying the proof, level by level.

    python benchmarks/both_ends.py LEVELS... [--metric moves] [--timeout 240] [--keep DIR] [--row SECONDS]

LEVELS are files, folders or FILE#N, as for every command. Seconds are processor time of this process, without
imports. Levels solved in less than `--row` seconds have no row of their own, but count in the sums. The sums come
last, with the levels that have the largest ratio of verifying time to solving time.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.reports.certify.certificate import write
from puzzlemc.reports.certify.certify import certificate_of
from puzzlemc.reports.certify.file_names import CERTIFICATE, file_stems
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

WORST = 10
BY = ("plain rules", "steps")  # the checkers of proofs that list states
HEADS = ("alone", "proving", "verify")
HEAD = f"{'level':>24}{'verdict':>12}{'cost':>6}" + "".join(f"{head:>9}" for head in HEADS)


@dataclass(frozen=True)
class Row:
    """The results for a level.

    Seconds to solve it alone, to solve it and write its proof, and to verify the proof.
    """

    name: str
    verdict: str
    cost: int | None
    alone: float
    proving: float
    verifying: float
    states: int
    size: int
    by: str

    def __str__(self) -> str:
        name, verdict, cost, *seconds, states, size, by = astuple(self)
        shown = "".join(f"{each:9.3f}" for each in seconds)
        return f"{name:>24}{verdict:>12}{cost if cost is not None else '-':>6}{shown}{states:11,}{size:11,}  {by}"


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """The seconds of processor time of a call, and its result."""
    started = time.process_time()
    done = function(*arguments)
    return time.process_time() - started, done


def measured(entry: Entry, options: Options, path: Path) -> Row:
    """Solve a level alone, solve it with a proof, and verify the proof."""
    alone, plain = timed(solve_entry, entry, options)

    def prove() -> Any:
        result = solve_entry(entry, replace(options, prove=True))
        proof = result.proof
        if proof is not None:
            write(certificate_of(entry, result, proof), path)
        return result

    proving, result = timed(prove)
    name = entry.id.rpartition("/")[2]
    verdict = result.verdict if result.verdict == plain.verdict else f"{plain.verdict}/{result.verdict}"
    if not isinstance(result.proof, BidirectionalProof):
        return Row(name, verdict, result.cost, alone, proving, 0.0, 0, 0, "no proof")
    verifying, done = timed(verify, path)
    by = done.by if done.status == "valid" else f"{done.status}: {done.reason}"
    cost = result.cost if result.verdict == "solvable" else result.proof.below
    return Row(
        name,
        verdict,
        cost,
        alone,
        proving,
        verifying,
        sum(block.count for block in result.proof.blocks),
        path.stat().st_size,
        by or "",
    )


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("levels", nargs="+")
    arguments.add_argument("--metric")
    arguments.add_argument("--timeout", type=float, default=240, help="seconds of wall clock for each search")
    arguments.add_argument("--keep", type=Path, help="a folder for the certificates")
    arguments.add_argument("--row", type=float, default=0.1, help="the least seconds alone of a level with a row")
    chosen = arguments.parse_args()
    options = Options(chosen.metric, timeout=chosen.timeout, many=True)
    entries = load(chosen.levels)
    rows = []
    print(f"{HEAD}{'states':>11}{'bytes':>11}  by")
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        measured(entries[0], options, folder / "first.cert")
        stems = file_stems([entry.id for entry in entries])
        for entry in entries:
            path = folder / (stems[entry.id] + CERTIFICATE)
            rows.append(measured(entry, options, path))
            if max(rows[-1].alone, rows[-1].proving) >= chosen.row or rows[-1].by not in BY:
                print(rows[-1], flush=True)
            if chosen.keep is None:
                path.unlink(missing_ok=True)
    proved = [row for row in rows if row.by in BY]
    print(f"\n{len(rows)} levels, {len(proved)} proved and verified")
    if not proved:
        return
    names = ("alone", "proving", "verifying", "states", "size")
    alone, proving, verifying, states, size = (sum(getattr(row, name) for row in proved) for name in names)
    print(f"alone {alone:.2f} s, proving {proving:.2f} s ({proving / alone:.2f}), ", end="")
    print(f"verifying {verifying:.2f} s ({verifying / alone:.2f})")
    print(f"{states:,} states, {size:,} bytes with levels and traces")
    print(f"\nThe {WORST} largest ratios of verifying to solving, among levels of half a second or more")
    slow = sorted((row for row in proved if row.alone >= 0.5), key=lambda row: -row.verifying / row.alone)
    for row in slow[:WORST]:
        print(f"{row}  {row.verifying / row.alone:.2f}")


if __name__ == "__main__":
    main()
