"""Lists the licences of all packages that puzzlemc needs, directly or through others, in docs/licences.md.

    python tools/licences.py

They are read from the metadata of what is installed, which is why the extras have to be.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PAGE = Path(__file__).parents[1] / "docs" / "licences.md"
EXTRAS = ("chance", "cluster", "gym", "mcp", "parquet", "pddl", "planner", "pyeda")
HEAD = """# Licences of the packages that puzzlemc needs
puzzlemc itself has the MIT licence. `make licences` writes this list from the metadata of the installed packages.
*Always* marks what an installation without extras installs; the rest comes with the named extra.

| package | licence | needed by |
|---|---|---|
"""


def needed(extra: str = "") -> set[str]:
    """The names of all packages that are needed; with an extra, also those that only this extra needs."""
    found: set[str] = set()
    stack = [("puzzlemc", frozenset({extra}))]
    seen = set()
    while stack:
        name, extras = stack.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        for text in _requires(name):
            one = Requirement(text)
            if one.marker is None or any(one.marker.evaluate({"extra": each}) for each in extras or {""}):
                found.add(canonicalize_name(one.name))
                stack.append((canonicalize_name(one.name), frozenset(one.extras) | {""}))
    return found


def _requires(name: str) -> Iterable[str]:
    """What an installed package requires; nothing of one that is missing."""
    try:
        return requires(name) or ()
    except PackageNotFoundError:
        return ()


def reasons() -> dict[str, str]:
    """Each needed package, and the extras that need it."""
    always = needed()
    found = dict.fromkeys(sorted(always), "always")
    for extra in EXTRAS:
        for name in sorted(needed(extra) - always):
            found[name] = ", ".join(filter(None, (found.get(name, ""), extra)))
    return found


def licences(names: Iterable[str]) -> dict[str, str]:
    """The licence of each package that is installed, as pip-licenses finds it."""
    command = [sys.executable, "-m", "piplicenses", "--format=json", "--from=mixed", "--packages", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    return {canonicalize_name(row["Name"]): name_of(row["License"]) for row in rows}


def name_of(licence: str) -> str:
    """The name of a licence, of which some packages have the whole text: the name and the version come first."""
    words = re.sub(r"\s+", " ", licence).strip()
    version = re.match(r"([A-Z ]+ LICENSE Version [\d.]+), ", words)
    return words if version is None else version[1]


def main() -> None:
    """Write the page."""
    needs = reasons()
    known = licences(needs)
    rows = [f"| {name} | {known[name]} | {why} |\n" for name, why in sorted(needs.items()) if name in known]
    PAGE.write_text(HEAD + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
