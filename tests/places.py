"""Folders that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "tests" / "compatibility" / "0.1"  # puzzles of authors, as they were written for that version
