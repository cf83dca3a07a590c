"""Writes problems in PDDL on which finders of some plan differ, and their tasks in the format of planners.

    python benchmarks/planning_problems.py FOLDER [NAME...]

Nine kinds of puzzles, in `problems/`: five sizes each, solvable by their construction, and one that is not. Names
are the beginnings of those wanted. A problem becomes `NAME.pddl`, `NAME-domain.pddl` and, by the translator of the
package `fast-downward-translate`, `NAME.sas`.
"""

import argparse
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from translate import NotTranslated, translate

KINDS = (
    "cubes", "dives", "floors", "folding", "labyrinths", "philosophers", "sliding_robots", "snakes", "termites",
)  # fmt: skip
PROBLEMS: Mapping[str, Callable[[], tuple[str, str]]] = {
    name: make for kind in KINDS for name, make in import_module(f"problems.{kind}").PROBLEMS.items()
}
"""By names that end with the size, from 1 to 5, of a problem that is solvable, and not with a number otherwise."""


def is_solvable(name: str) -> bool:
    """Does the problem of this name have a solution?"""
    return name[-1].isdigit()


def write(name: str, folder: Path) -> None:
    """Write a problem and its task."""
    domain, problem = PROBLEMS[name]()
    texts = folder / f"{name}-domain.pddl", folder / f"{name}.pddl"
    for path, text in zip(texts, (domain, problem), strict=True):
        path.write_text(text, encoding="ascii")
    try:
        translate(*texts, folder / f"{name}.sas")
    except NotTranslated as error:
        raise SystemExit(f"{name}: {error}") from None


def main() -> None:
    """Write the problems."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in PROBLEMS:
        if not options.names or name.startswith(tuple(options.names)):
            write(name, options.folder)


if __name__ == "__main__":
    main()
