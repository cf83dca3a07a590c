"""Writes tasks in the format of planners' translators from problems of others, those of the package pddlgym.

    pip install --no-deps --target SITE pddlgym==0.0.7
    python benchmarks/gym_problems.py FOLDER --site SITE

For each domain, three of its problems: the largest file, one that is a little smaller, and one of middle size.
What is not PDDL, or takes the translator (`fast-downward-translate`) more than a minute, is named and left out.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from translate import NotTranslated, translate

SECONDS = 60  # for each problem


def problems(domain: Path) -> Iterator[tuple[str, Path]]:
    """Names and files of the problems of a domain that are chosen."""
    folders = domain.with_suffix(""), domain.with_name(f"{domain.stem}_test")
    files = sorted(
        (file for folder in folders for file in folder.glob("*.pddl")), key=lambda file: file.stat().st_size
    )
    last = len(files) - 1
    for number, place in enumerate(sorted({last, max(0, last - 2), len(files) // 2}) if files else ()):
        yield f"{domain.stem}-{number}", files[place]


def main() -> None:
    """Write the tasks, and print which are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", type=Path, required=True, help="the folder with the package pddlgym")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    domains = sorted((options.site.absolute() / "pddlgym" / "pddl").glob("*.pddl"))
    if not domains:
        raise SystemExit(f"{options.site} has no pddlgym")
    for domain in domains:
        for name, problem in problems(domain):
            try:
                translate(domain, problem, options.folder / f"{name}.sas", SECONDS)
            except NotTranslated as error:
                print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
