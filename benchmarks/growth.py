"""Measures how processor time and memory grow with the size of planning tasks, and draws it.

    python benchmarks/growth.py FOLDER [--seconds 60] [--gib 4] [--families NAME…] [--symk DIR] [--draw-only]

Four programs get the same tasks (`growing_tasks.py`) in the format of planners' translators, one at a time:

    puzzlemc  `sas.py … cost`: cheapest plans, by A* beside decision diagrams
    cegar     Fast Downward, A* with saturated cost partitioning of Cartesian abstractions: cheapest plans
    symk      SymK, symbolic search from both ends: cheapest plans
    lama      the first search of LAMA: some plan

Time is processor time of all processes of a program, reading included. Memory is the largest sum of their resident
sets, looked at every 20 ms. A program that does not solve all instances of a size gets no larger ones.

FOLDER gets `growth.csv`, with a row for each run, and `growth_seconds.svg` and `growth_memory.svg`. The exponents
that are printed are slopes of lines through the logarithms, by least squares, over the last four sizes of which a
program solved all instances. Exit code 1: programs disagree about a least cost, or a plan costs less.
"""

import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from growing_tasks import FAMILIES
from peers import package_folder
from some_plan import WALL, spent

from puzzlemc.reports.formats import sas

MIB = 1 << 20
LAST = 4  # sizes that a line is fitted to
OPTIMAL = ("puzzlemc", "cegar", "symk")
PROGRAMS = (*OPTIMAL, "lama")
LOOK_SECONDS = 0.02
COLUMNS, MOST_TICKS = 3, 6  # parts of a picture side by side, and numbers under each


@dataclass(frozen=True)
class Measured:
    """One run: `cost` is None without a plan; seconds of processor time, MiB of memory."""

    family: str
    size: int
    instance: int
    program: str
    cost: int | None
    seconds: float
    mib: float


def commands(site: str | None, seconds: float) -> dict[str, list[str]]:
    """The command of each program, with FILE for the file; `site` is the folder of packages with SymK."""
    downward = package_folder("up_fast_downward", None) / "downward" / "fast-downward.py"
    symk = package_folder("up_symk", site) / "symk" / "fast-downward.py"
    own = str(Path(__file__).with_name("sas.py"))
    return {
        "puzzlemc": [sys.executable, own, "FILE", str(seconds * WALL), "cost"],
        "cegar": [sys.executable, str(downward), "FILE", "--search", "astar(cegar())"],
        "symk": [sys.executable, str(symk), "FILE", "--search", "sym_bd()"],
        "lama": [sys.executable, str(downward), "--alias", "lama-first", "FILE"],
    }


def resident(process: int) -> int:
    """Bytes of memory of a process and of its descendants."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    except (OSError, IndexError):  # it has ended
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(resident, map(int, children)))


def run(command: Sequence[str], seconds: float, most: int) -> tuple[str, float, int]:
    """Run a program until it ends or exceeds a limit; return its output, its seconds and its bytes of memory."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        used, memory = 0.0, 0
        try:
            while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
                used, memory = max(used, spent(process.pid)), max(memory, resident(process.pid))
                if used > seconds or memory > most:
                    break
                time.sleep(LOOK_SECONDS)
        finally:
            if ended[0] == 0:
                os.killpg(process.pid, 9)
                ended = os.wait4(process.pid, 0)
        process.returncode = ended[1]
        output.seek(0)
        usage = ended[2]
        return output.read(), max(used, usage.ru_utime + usage.ru_stime), memory


def cost_in(output: str) -> int | None:
    """The cost of the plan that a program reports last; None without one."""
    found = re.findall(r"Plan cost: ([0-9]+)|,solvable,([0-9]+),", output)
    return int(found[-1][0] or found[-1][1]) if found else None


def measure(
    names: Iterable[str], programs: Mapping[str, list[str]], seconds: float, most: int
) -> Iterator[Measured]:
    """All runs of some families."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            family, left = FAMILIES[name], set(programs)
            for size in family.sizes:
                for instance in range(family.instances):
                    file = Path(folder) / f"{family.unit}-{size}-{instance}.sas"
                    file.write_text(sas.write(sas.for_planners(family.task(size, instance))), encoding="ascii")
                solved = set(left)
                for program in (each for each in programs if each in left):
                    for instance in range(family.instances):
                        file = Path(folder) / f"{family.unit}-{size}-{instance}.sas"
                        command = [str(file) if word == "FILE" else word for word in programs[program]]
                        output, used, memory = run(command, seconds, most)
                        cost = cost_in(output) if used <= seconds and memory <= most else None
                        solved -= {program} if cost is None else set()
                        yield Measured(name, size, instance, program, cost, round(used, 2), round(memory / MIB, 1))
                left &= solved


def contradictions(rows: Iterable[Measured]) -> list[str]:
    """Tasks about whose least cost programs disagree, or that have a plan below it."""
    costs: defaultdict[tuple[str, int, int], dict[str, int]] = defaultdict(dict)
    for row in rows:
        if row.cost is not None:
            costs[row.family, row.size, row.instance][row.program] = row.cost
    wrong = []
    for task, found in costs.items():
        least = {cost for program, cost in found.items() if program in OPTIMAL}
        if len(least) > 1 or (least and min(found.values()) < min(least)):
            wrong.append(f"{task}: {found}")
    return wrong


def points(rows: Iterable[Measured], family: str, program: str, what: str) -> list[tuple[int, float]]:
    """Each size of which all instances were solved, and the geometric mean of what they took."""
    found: defaultdict[int, list[Measured]] = defaultdict(list)
    for row in rows:
        if (row.family, row.program) == (family, program):
            found[row.size].append(row)
    return [
        (size, math.exp(sum(math.log(max(getattr(each, what), 0.01)) for each in some) / len(some)))
        for size, some in sorted(found.items())
        if all(each.cost is not None for each in some)
    ]


def exponent(found: Sequence[tuple[int, float]]) -> float | None:
    """The slope of the logarithms over the last sizes, by least squares; None for fewer than three."""
    last = found[-LAST:]
    if len(last) < 3:
        return None
    xs, ys = ([math.log(each[side]) for each in last] for side in (0, 1))
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    product = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return product / sum((x - mean_x) ** 2 for x in xs)


def draw(rows: Sequence[Measured], what: str, label: str, path: Path) -> None:
    """A picture with a part for each family; both axes are logarithmic."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "growth"  # the same rows give the same file
    names = list(dict.fromkeys(row.family for row in rows))
    rows_of_parts = math.ceil(len(names) / COLUMNS)
    figure = Figure(figsize=(3.2 * COLUMNS, 2.9 * rows_of_parts), layout="constrained")
    parts = figure.subplots(rows_of_parts, COLUMNS, squeeze=False).flat
    for axes, name in zip(parts, names, strict=False):
        for program, mark in zip(PROGRAMS, "os^x", strict=True):
            found = points(rows, name, program, what)
            axes.loglog([x for x, _ in found], [y for _, y in found], marker=mark, label=program)
        sizes = sorted({row.size for row in rows if row.family == name})
        shown = sizes[:: math.ceil(len(sizes) / MOST_TICKS)]
        axes.set_xticks(shown, map(str, shown))
        axes.minorticks_off()
        axes.set(title=name, xlabel=FAMILIES[name].unit, ylabel=label)
    handles = figure.axes[0].get_lines()
    for axes in figure.axes[len(names) :]:  # the place that is left has the names
        axes.set_axis_off()
    figure.axes[-1].legend(handles, PROGRAMS, loc="center")
    figure.savefig(path, metadata={"Date": None})


def table(rows: Sequence[Measured]) -> str:
    """The largest size that each program solved, what it took, and the exponents of time and of memory."""
    lines = [
        "| family | program | largest | seconds | MiB | exponent of time | of memory |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(row.family for row in rows):
        for program in PROGRAMS:
            times, sizes = (points(rows, name, program, what) for what in ("seconds", "mib"))
            if not times:
                lines.append(f"| {name} | {program} | none | | | | |")
                continue
            slopes = (
                "" if (slope := exponent(each)) is None else f"{round(slope, 1) + 0.0:.1f}"
                for each in (times, sizes)
            )
            figures = f"{times[-1][0]} ({FAMILIES[name].unit}) | {times[-1][1]:.2f} | {sizes[-1][1]:.0f}"
            lines.append(f"| {name} | {program} | {figures} | {' | '.join(slopes)} |")
    return "\n".join(lines)


def read(path: Path) -> list[Measured]:
    """The rows of a table."""
    with path.open(encoding="ascii", newline="") as file:
        return [
            Measured(
                row["family"], int(row["size"]), int(row["instance"]), row["program"],
                int(row["cost"]) if row["cost"] else None, float(row["seconds"]), float(row["mib"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def main() -> int:
    """Measure, draw and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--gib", type=float, default=4)
    parser.add_argument("--families", nargs="+", choices=[*FAMILIES], default=[*FAMILIES])
    parser.add_argument("--symk", help="the site-packages folder of SymK, if it is installed elsewhere")
    parser.add_argument("--draw-only", action="store_true", help="from the growth.csv of another run")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    place = options.folder / "growth.csv"
    if not options.draw_only:
        programs = commands(options.symk, options.seconds)
        with place.open("w", encoding="ascii", newline="") as file:
            writer = csv.DictWriter(file, [each.name for each in fields(Measured)], lineterminator="\n")
            writer.writeheader()
            for row in measure(options.families, programs, options.seconds, int(options.gib * 1024 * MIB)):
                writer.writerow(asdict(row))
                file.flush()
                print(*asdict(row).values(), sep="\t", file=sys.stderr, flush=True)
    rows = read(place)
    draw(rows, "seconds", "seconds of processor time", options.folder / "growth_seconds.svg")
    draw(rows, "mib", "MiB of memory", options.folder / "growth_memory.svg")
    print(table(rows))
    wrong = contradictions(rows)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
