"""The comparison with other programs in `docs/benchmarks.md`: measures, draws the plots, writes the tables.

    python benchmarks/published.py measure SET [--peer-site DIR]   one of SETS by `peers.py`, into `peers.json`
    python benchmarks/published.py draw                            the plots and the tables of what was measured

`peers.json` has one row for each level, with the answers of all programs, and the versions, processor and date.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "benchmarks" / "peers.json"
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURES = ROOT / "docs" / "pictures"
BEGIN, END = "<!-- by benchmarks/published.py -->", "<!-- end -->"
TIMEOUT = 10
SOKOBAN = "screens/levels/sokoban"
PLANNERS, CHECKERS = "symk,fd-lmcut,lama", "nusmv,abc-bmc,abc-pdr,z3,z3-horn"
SETS = {  # name: title, levels, metric, programs
    "first_steps": (
        "Sokoban, first steps: solvable",
        f"{SOKOBAN}/first_steps.xsb",
        "moves",
        f"{PLANNERS},{CHECKERS},puzzlemc",
    ),
    "warehouse": (
        "Sokoban, warehouse 1–8: solvable",
        f"{SOKOBAN}/warehouse.xsb#1-8",
        "moves",
        f"{PLANNERS},{CHECKERS},puzzlemc",
    ),
    "unsolvable": (
        "Sokoban, unsolvable",
        f"{SOKOBAN}/unsolvable.xsb",
        "moves",
        f"{PLANNERS},nusmv,abc-pdr,z3-horn,puzzlemc",
    ),
}
# A colour that can be read on white and on black, and a dash pattern, for each program.
STYLES = {
    "puzzlemc": ("puzzlemc", "#0f9d8a", "-"),
    "symk": ("SymK", "#d9642c", "-"),
    "fd-lmcut": ("Fast Downward, LM-cut", "#5b7fd6", "-"),
    "lama": ("Fast Downward, LAMA (some plan)", "#5b7fd6", ":"),
    "nusmv": ("NuSMV", "#b05fc4", "-"),
    "abc-bmc": ("ABC, bmc3", "#a08420", "-"),
    "abc-pdr": ("ABC, pdr (some plan)", "#a08420", ":"),
    "z3": ("Z3, unrolled", "#d64f6e", "-"),
    "z3-horn": ("Z3, Spacer (no plan)", "#d64f6e", ":"),
}
GREY = "#808890"
SOLVED = ("solvable", "unsolvable")

Row = dict[str, Any]  # a level, as `peers.py` writes it


def measure(name: str, site: str | None) -> None:
    """Ask all programs about a set, and keep their answers with those about other sets."""
    _, levels, metric, programs = SETS[name]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        options = ["--metric", metric, "--peers", programs, "--timeout", str(TIMEOUT), "--json", str(out)]
        options += ["--peer-site", site] if site else []
        script = str(ROOT / "benchmarks" / "peers.py")
        subprocess.run([sys.executable, script, levels, *options], cwd=ROOT, check=True)
        rows = json.loads(out.read_text())["levels"]
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {"sets": {}}
    figures["versions"] = versions(site)
    figures["sets"][name] = {"date": datetime.now(UTC).date().isoformat(), "machine": machine(), "levels": rows}
    FIGURES.write_text(written(figures), encoding="utf-8")


def written(figures: dict[str, Any]) -> str:
    """The figures as JSON, with a line for each answer."""
    text = json.dumps(figures, indent=1)
    answer = re.compile(r'\{\n +("verdict"[^{}]*?)\n +\}')
    return answer.sub(lambda found: "{" + " ".join(found[1].split()) + "}", text) + "\n"


def machine() -> str:
    """Processor, cores and memory."""
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB"


def versions(site: str | None) -> dict[str, str]:
    """The versions of the programs that are installed."""
    found = {"puzzlemc": importlib.metadata.version("puzzlemc"), "Python": platform.python_version()}
    for title, package in (("up-symk", "up-symk"), ("up-fast-downward", "up-fast-downward"), ("Z3", "z3-solver")):
        path = [site] if site else sys.path
        for each in importlib.metadata.distributions(name=package, path=path):
            found[title] = each.version
    for program, option in (("NuSMV", "-help"), ("berkeley-abc", "-qversion")):
        if shutil.which(program):
            done = subprocess.run([program, option], capture_output=True, text=True, check=False)
            shown = re.search(r"\b(NuSMV|ABC) ([0-9][0-9.]*)", done.stdout + done.stderr)
            found |= {shown[1]: shown[2]} if shown else {}
    return found


def solved(rows: Sequence[Row], peer: str) -> list[float]:
    """The processor time of each level that a program solved, least first."""
    answers = [row["answers"][peer] for row in rows if peer in row["answers"]]
    return sorted(max(answer["cpu"], 0.01) for answer in answers if answer["verdict"] in SOLVED)


def peers(rows: Sequence[Row]) -> list[str]:
    """The programs that were asked, in the order of the table."""
    return [peer for peer in STYLES if any(peer in row["answers"] for row in rows)]


def draw(name: str, rows: Sequence[Row], path: Path) -> None:
    """How many levels each program solves within a time that each level may take."""
    title = SETS[name][0]
    settings = {"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif", "text.color": GREY}
    with plt.rc_context(settings):
        figure, axes = plt.subplots(figsize=(5.6, 4))
        for peer in peers(rows):
            label, colour, dashes = STYLES[peer]
            times = solved(rows, peer)
            steps = [(seconds, number) for number, seconds in enumerate(times, 1)]
            xs = [0.01, *(x for x, _ in steps), TIMEOUT]
            ys = [0, *(y for _, y in steps), len(times)]
            width = 2.6 if peer == "puzzlemc" else 1.5
            axes.step(xs, ys, where="post", label=label, color=colour, linestyle=dashes, linewidth=width)
        axes.set_xscale("log")
        axes.set_xlim(0.01, TIMEOUT)
        axes.set_ylim(0, len(rows) * 1.03)
        axes.set_xlabel("processor time of a level, seconds", color=GREY)
        axes.set_ylabel(f"levels solved, of {len(rows)}", color=GREY)
        axes.set_title(title, color=GREY)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.tick_params(which="both", colors=GREY)
        axes.grid(visible=True, color=GREY, alpha=0.25)
        for spine in axes.spines.values():
            spine.set_color(GREY)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, frameon=False, labelcolor=GREY)
        figure.savefig(path, transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
        plt.close(figure)


def table(rows: Sequence[Row]) -> str:
    """What each program solves, and its time against puzzlemc's over the levels that both solve."""
    lines = [
        "| program | solved | seconds | over the same levels, puzzlemc | ratio |",
        "|---|---:|---:|---:|---:|",
    ]
    for peer in peers(rows):
        both = [
            (row["answers"][peer]["cpu"], row["answers"]["puzzlemc"]["cpu"])
            for row in rows
            if all(row["answers"].get(each, {}).get("verdict") in SOLVED for each in (peer, "puzzlemc"))
        ]
        theirs, ours = (sum(side) for side in zip(*both, strict=True)) if both else (0, 0)
        ratio = f"{theirs / ours:.2f}" if both else ""
        times = solved(rows, peer)
        lines.append(
            f"| {STYLES[peer][0]} | {len(times)} of {len(rows)} | {sum(times):.2f} | {ours:.2f} | {ratio} |"
        )
    return "\n".join(lines)


def section(figures: dict[str, Any]) -> str:
    """The text between the marks of the page."""
    parts = ["Versions: " + ", ".join(f"{name} {version}" for name, version in figures["versions"].items()) + "."]
    for name, (title, levels, metric, _) in SETS.items():
        if name in figures["sets"]:
            found = figures["sets"][name]
            parts += [
                f"### {title}",
                f"`{levels}`, fewest {metric}; {found['date']}; {found['machine']}.",
                f"![Levels solved within a time](pictures/peers_{name}.svg)",
                table(found["levels"]),
            ]
    return "\n\n".join(parts)


def main() -> None:
    """Measure a set, or draw all that was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "draw"))
    parser.add_argument("sets", nargs="*", choices=[*SETS, []], metavar="SET")
    parser.add_argument("--peer-site", help="the site-packages folder of the other programs")
    options = parser.parse_args()
    if options.what == "measure":
        for name in options.sets or SETS:
            measure(name, options.peer_site)
        return
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    for name, found in figures["sets"].items():
        draw(name, found["levels"], PICTURES / f"peers_{name}.svg")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{section(figures)}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
