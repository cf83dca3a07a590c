"""Reads PuzzleScript sources with faults, and compares what the reader says with the messages of the reference.

    python benchmarks/messages.py ../shared/puzzlescript/messages.jsonl [--all]

A line of the file is JSON: `name`, `game` (the text), `messages` (of the reference) and `errors`, how many of them
are errors; the others are warnings. The reference plays games with errors, too, and many of its errors are about
sounds and pictures. The reader has an error if the turns or the levels of a game may not be as its author wants.

The output is each source in which only one of both finds errors, with what both say (with `--all`, each source),
and counts. Exit code 1: the reader raised an exception.
"""

import argparse
import json
import sys
import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from puzzlemc.screens.puzzlescript import Level, parse


class Answer(NamedTuple):
    """What the reader says of a source: whether it has errors, and its errors and warnings as text."""

    has_errors: bool
    words: tuple[str, ...]


def answer(text: str) -> Answer:
    """Read a source."""
    found = parse(text, "game")
    levels = [each for each in found if isinstance(each, Level)]
    errors = tuple(str(each) for each in found if not isinstance(each, Level))
    game = levels[0].game if levels else None
    warnings = [*(game.warnings if game else ()), *(each for level in levels for each in level.warnings)]
    words = tuple(f"game:{line}:{column}: warning: {words}" for line, column, words in dict.fromkeys(warnings))
    return Answer(bool(errors), (*dict.fromkeys(errors), *words))


def shown(recorded: Mapping[str, Any], found: Answer) -> str:
    """What the reference and the reader say of a source."""
    said = {"reference": recorded["messages"], "reader": found.words}
    lines = [f"  {who}: {line}" for who, words in said.items() for word in words for line in word.split("\n")]
    return "\n".join([f"{recorded['name']}: {result(recorded, found)}", *lines])


def result(recorded: Mapping[str, Any], found: Answer) -> str:
    """Which of both find errors in a source."""
    if (recorded["errors"] > 0) == found.has_errors:
        return "errors for both" if found.has_errors else "no errors for both"
    return "errors for the reader only" if found.has_errors else "errors for the reference only"


def main() -> None:
    """Read the sources."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--all", action="store_true", help="show each source")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    lines = [
        line for path in chosen.files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    for recorded in map(json.loads, lines):
        try:
            found = answer(recorded["game"])
        except Exception:
            counts["raised an exception"] += 1
            print(f"{recorded['name']}: {traceback.format_exc()}")
            continue
        both = result(recorded, found)
        counts[both] += 1
        counts["silent where the reference says something"] += bool(recorded["messages"]) and not found.words
        if chosen.all or both.endswith("only"):
            print(shown(recorded, found))
    print(", ".join(f"{count} {words}" for words, count in counts.items()))
    sys.exit(counts["raised an exception"] > 0)


if __name__ == "__main__":
    main()
