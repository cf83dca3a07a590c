"""Writes tasks in the format of planners' translators from problems of others, those of the package pddlgym.

    pip install --no-deps --target SITE pddlgym==0.0.7
    python benchmarks/gym_problems.py FOLDER --site SITE

For each domain, three of its problems: the largest file, one that is a little smaller, and one of middle size.
What is not PDDL, or takes the translator (`fast-downward-translate`) more than a minute, is named and left out.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


def translate(domain: Path, problem: Path, task: Path) -> str:
    """Write the task; return why there is none, or nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "fast_downward.translate", str(domain), str(problem)]
        try:
            done = subprocess.run(
                command, cwd=scratch, capture_output=True, text=True, check=False, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"not translated in {SECONDS} s"
        if done.returncode:
            return (done.stdout + done.stderr).strip().splitlines()[-1]
        Path(scratch, "output.sas").replace(task)
    return ""


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
            why = translate(domain, problem, options.folder / f"{name}.sas")
            if why:
                print(f"{name}: {why}", file=sys.stderr)


if __name__ == "__main__":
    main()
