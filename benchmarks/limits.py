"""Measures the time and memory of commands on hostile inputs under small limits.

    .venv/bin/python benchmarks/limits.py [--program PUZZLEMC] [--timeout 3] [--memory 0.5] [--only NAME]

The script makes the inputs. Commands without options for limits run without them; each run is ended after a
minute. `over` is the wall clock past the limit, without start-up, which is the time of a small level. `share` is
the resident memory of the largest process, without that of a small level, as a share of the limit. The exit code
is 1 if a limit is exceeded.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GIB = 1 << 30
MOST_SECONDS = 60.0  # a run that takes longer is ended
OVERRUN_SECONDS = 1.0
OVERRUN_SHARE = 1.3
LOOK_SECONDS = 0.02

SMALL = "#####\n#@$.#\n#####\n"


@dataclass(frozen=True)
class Case:
    """A command on an input; `small` is the same command on a small input, which measures the start-up."""

    name: str
    arguments: tuple[str, ...]
    small: tuple[str, ...]
    stages: int = 1  # the number of stages, each with the full time limit


@dataclass(frozen=True)
class Cost:
    """A run: seconds of wall clock, bytes of the largest process, exit code (None after a minute)."""

    seconds: float
    peak: int
    code: int | None


def room(side: int) -> str:
    """An empty room with one box."""
    inner = side - 2
    rows = ["#@$." + " " * (inner - 3) + "#", *["#" + " " * inner + "#"] * (inner - 1)]
    return "\n".join(["#" * side, *rows, "#" * side]) + "\n"


def crowded(rows: int) -> str:
    """A room full of boxes."""
    width = 2 * rows + 3
    wall, gap = "#" * width, "#" + " " * (width - 2) + "#"
    boxes, goals = (["#" + f" {what}" * rows + " #"] * rows for what in "$.")
    return "\n".join([wall, f"#@{' ' * (width - 3)}#", *boxes, gap, *goals, gap, wall]) + "\n"


def certificate(level: str, **more: object) -> str:
    """A certificate with the verdict unsolvable."""
    fields: dict[str, object] = {"format": "puzzlemc-certificate", "version": 1, "id": "a", "title": ""}
    fields |= {"puzzle": "sokoban", "level": level.rstrip("\n").split("\n"), "encoding": "compact"}
    fields |= {"metric": "pushes", "verdict": "unsolvable", "cost": None, "optimal": False, "trace": None}
    return json.dumps(fields | {"proof": None} | more)


def gates(number: int) -> dict[str, object]:
    """A proof with this number of gates."""
    circuit = [[2 + i % 40, 3 + 2 * (i % 7)] for i in range(number)]
    return {"counts": [], "inputs": ["x"], "gates": circuit, "layers": [2]}


def cases(folder: Path) -> list[Case]:
    """Yield all cases; their inputs are written to the folder."""

    def put(name: str, text: str) -> str:
        (folder / name).write_text(text)
        return str(folder / name)

    small, large = put("small.xsb", SMALL), put("room.xsb", room(1000))
    middle_room = room(300)
    middle, full = put("middle.xsb", middle_room), put("crowded.xsb", crowded(4))
    fold = put("board.fold", "\n".join(" ".join("0" if i or j else "1" for i in range(40)) for j in range(40)))
    few = put("few.fold", "1 0\n")
    good = put("good.json", certificate(SMALL))
    out = str(folder / "out")
    query = ("AG EF solved",)
    engines = tuple(part for name in ("bmc", "k-induction", "ic3") for part in ("--method", name))
    drat = ("--drat", out)
    return [
        Case("check, bmc", ("check", full, "--engine", "bmc"), ("check", small, "--engine", "bmc")),
        Case("check, room of 1000", ("check", large), ("check", small)),
        Case("query, room of 1000", ("query", large, *query), ("query", small, *query)),
        Case(
            "verify, room of 1000",
            ("verify", put("room.json", certificate(room(1000)))),
            ("verify", good),
        ),
        Case(
            "verify, 57 MB",
            ("verify", put("long.json", certificate(SMALL, proof=gates(5_000_000)))),
            ("verify", good),
        ),
        Case(
            "verify --drat", ("verify", put("drat.json", certificate(middle_room)), *drat), ("verify", good, *drat)
        ),
        Case(
            "generate, 30 unique",
            ("generate", "tetravex", "--size", "30", "--unique"),
            ("generate", "tetravex", "--size", "2"),
        ),
        Case("compare, SAT", ("compare", middle, *engines), ("compare", small, *engines), stages=3),
        Case(
            "export smv, room of 1000",
            ("export", large, "--to", "smv", "-o", out + ".smv"),
            ("export", small, "--to", "smv", "-o", out + ".smv"),
        ),
        Case("check, fold of 40", ("check", fold), ("check", few)),
        Case("report", ("report", full, "-o", out + ".html"), ("report", small, "-o", out + ".html"), stages=3),
    ]


def processes(root: int) -> Iterator[int]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(place.name))
    waiting = [root]
    while waiting:
        yield waiting[-1]
        waiting += children.get(waiting.pop(), [])


def resident(pid: int) -> int:
    """The largest resident memory of a process so far, in bytes; 0 if it has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def run(command: list[str]) -> Cost:
    """Run a command and measure it."""
    started, peak = time.monotonic(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            peak = max(peak, *map(resident, processes(running.pid)))
            if time.monotonic() - started > MOST_SECONDS:
                for pid in processes(running.pid):
                    subprocess.run(["kill", "-9", str(pid)], check=False, stderr=subprocess.DEVNULL)
                running.wait()
                return Cost(time.monotonic() - started, peak, None)
            time.sleep(LOOK_SECONDS)
    return Cost(time.monotonic() - started, peak, running.returncode)


def main() -> int:
    """Run all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(Path(sys.executable).with_name("puzzlemc")))
    parser.add_argument("--timeout", type=float, default=3.0)
    parser.add_argument("--memory", type=float, default=0.5)
    parser.add_argument("--only", default="", help="only cases whose names contain this text")
    chosen = parser.parse_args()
    held = True
    print(f"limits: {chosen.timeout:g} s, {chosen.memory:g} GiB")
    print(f"{'command':26}{'exit':>5}{'seconds':>9}{'start':>7}{'over':>7}{'MiB':>7}{'start':>7}{'share':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            if chosen.only not in case.name:
                continue
            limits = ["--timeout", str(chosen.timeout), "--memory", str(chosen.memory)]
            listed = subprocess.run(
                [chosen.program, case.arguments[0], "--help"], capture_output=True, text=True, check=True
            )
            limits = limits if "--timeout" in listed.stdout else []
            start = run([chosen.program, *case.small, *limits])
            cost = run([chosen.program, *case.arguments, *limits])
            over = cost.seconds - start.seconds - case.stages * chosen.timeout
            share = max(0, cost.peak - start.peak) / (chosen.memory * GIB)
            held = held and over <= case.stages * OVERRUN_SECONDS and share <= OVERRUN_SHARE
            code = "-" if cost.code is None else cost.code
            sizes = f"{cost.peak >> 20:7}{start.peak >> 20:7}{share:7.2f}"
            print(f"{case.name:26}{code:>5}{cost.seconds:9.1f}{start.seconds:7.1f}{max(0.0, over):7.1f}{sizes}")
            sys.stdout.flush()
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
