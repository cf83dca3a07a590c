"""`doctor`: what is installed, and whether each puzzle works."""

import json
import re
import sys
from typing import TYPE_CHECKING

import typer

from puzzlemc.mc.installed import adding
from puzzlemc.reports.cli.common.options import Json
from puzzlemc.reports.output.plain import plain

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzles import Entry

USES = {  # what the packages of an extra of setup.cfg are for
    "chance": "the best probability of winning",
    "cluster": "levels on a Dask cluster",
    "gym": "puzzles as environments of Gymnasium",
    "mcp": "a server for assistants",
    "parquet": "tables of results as Parquet files",
    "pddl": "planning problems in PDDL",
    "planner": "blueprint strings",
    "pyeda": "puzzles of other authors that import it",
}
SECONDS = 30.0  # for a level; each takes less than one
EXAMPLES = """
puzzlemc doctor
puzzlemc doctor --json
"""


def doctor(as_json: Json = False) -> None:
    """Show what is installed, and solve a level of each puzzle.

    Ends with 0: each puzzle works, 4: one does not.
    """
    import os
    import platform

    from puzzlemc.mc.symbolic.packages import installed_packages
    from puzzlemc.reports.crew.in_order import fork_workers, solve_all
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.solve.result import REFUTED, SOLVABLE

    extras = packages()
    optional = {name: installed(name) for name in extras.values()}
    entries = levels({extra for extra, name in extras.items() if optional[name] is None})
    fork_workers(len(entries))
    compiled, diagrams = is_compiled(), installed_packages()
    if not as_json:
        system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
        print(f"puzzlemc {installed('puzzlemc')}, Python {platform.python_version()}, {system}")
        print(f"compiled modules: {'yes' if compiled else 'no, searches are slow'}")
        missing = "" if "cudd" in diagrams else "; missing: CUDD, which dd has for Linux on x86-64 only"
        print(f"decision diagrams: {', '.join(diagrams)}{missing}")
        print("optional packages:")
        for extra, name in extras.items():
            missing = "" if optional[name] else f"; missing: {adding(extra)}"
            print(f"  {name:<24} {optional[name] or '-':<12} {USES[extra]}{missing}")
        print("a level of each puzzle:", flush=True)
    found, wrong = {}, []
    for entry, result in zip(entries, solve_all(entries, Options(timeout=SECONDS)), strict=True):
        name = entry.puzzle.name
        found[name] = result.verdict
        if result.verdict not in ("solvable", "unsolvable"):
            wrong.append(name)
        if not as_json:
            why = f"  {result.reason}" if name in wrong else ""
            print(plain(f"  {name:<24} {result.verdict:<12} {result.effort.seconds:.2f} s{why}"), flush=True)
    if as_json:
        print(
            json.dumps(
                {
                    "version": installed("puzzlemc"),
                    "python": platform.python_version(),
                    "compiled": compiled,
                    "diagrams": diagrams,
                    "optional": optional,
                    "puzzles": found,
                }
            )
        )
    if wrong:
        print(f"does not work: {', '.join(wrong)}", file=sys.stderr)
    raise typer.Exit(REFUTED if wrong else SOLVABLE)


def packages() -> dict[str, str]:
    """The optional packages by the extra that installs them."""
    from importlib.metadata import requires

    found = {}
    for line in requires("puzzlemc") or ():
        match = re.match(r"""([\w.-]+).*\bextra == ["'](\w+)["']""", line)
        if match is not None and match[2] in USES:
            found[match[2]] = match[1]
    return found


def installed(name: str) -> str | None:
    """The version of an installed distribution; None if it is missing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def is_compiled() -> bool:
    """Is the code of searches compiled?"""
    from importlib.util import find_spec

    spec = find_spec("puzzlemc.mc.packed.tables")
    return spec is not None and not str(spec.origin).endswith(".py")


def levels(lacking: "set[str]") -> "list[Entry]":
    """The first level that ships of each puzzle; none of a puzzle whose extra, of the same name, is lacking."""
    from importlib.resources import as_file, files

    from puzzlemc.encodings.puzzles import load, puzzles

    found = []
    for name in puzzles():
        place = files("puzzlemc.screens") / "levels" / name
        if place.is_dir() and name not in lacking:
            with as_file(place) as folder:
                found += load([str(folder)])[:1]
    return found
