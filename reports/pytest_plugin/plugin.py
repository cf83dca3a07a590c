"""The plugin of pytest: where it is asked to, files of levels are collected, and each level is a test.

pytest imports this module in every run where puzzlemc is installed. So it stays cheap, and does nothing unasked.
"""

from pathlib import Path

import pytest

PLACES = "puzzlemc"  # in the configuration; --puzzlemc on the command line
SECONDS = 60.0
EVERY = "unsolvable,unknown,error,changed"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the value of the configuration."""
    group = parser.getgroup("puzzlemc", "levels of puzzles")
    group.addoption("--puzzlemc", action="store_true", help="Collect files of levels: each level is a test.")
    group.addoption(
        "--puzzlemc-expect",
        metavar="FILE",
        help="What `puzzlemc results STORE --json` wrote, or the store: the answers that levels must have. "
        "Without it, and for a level that is not there, a level must be solvable.",
    )
    group.addoption(
        "--puzzlemc-timeout", metavar="SECONDS", type=float, default=SECONDS, help="For each level; 0: no limit."
    )
    group.addoption("--puzzlemc-metric", metavar="NAME", help="What a shortest solution has fewest of.")
    group.addoption(
        "--puzzlemc-fail-on",
        metavar="WORDS",
        default=EVERY,
        help=f"Which answers fail, as of `puzzlemc check`: {EVERY} or none. A test with another one is skipped.",
    )
    parser.addini(PLACES, "Folders and files of levels: each level is a test.", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Read the options. Raises UsageError, also for one that has no effect."""
    if _is_asked(config):
        from puzzlemc.reports.pytest_plugin.question import keep_question

        keep_question(config, None if config.getoption("--puzzlemc") else config.getini(PLACES))
        return
    given = [name for name in ("--puzzlemc-expect", "--puzzlemc-metric") if config.getoption(name) is not None]
    if given:
        expected = f"expected --puzzlemc beside it, or `{PLACES} = FOLDERS` in the configuration"
        raise pytest.UsageError(f"{given[0]}: {expected}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file of levels. Its suffix must be that of a puzzle, unless the configuration names the file."""
    if not _is_asked(parent.config):
        return None
    from puzzlemc.reports.pytest_plugin.levels import LevelFile
    from puzzlemc.reports.pytest_plugin.question import question_of

    if not question_of(parent.config).takes(file_path):
        return None
    found: LevelFile = LevelFile.from_parent(parent, path=file_path)
    return found


def _is_asked(config: pytest.Config) -> bool:
    return bool(config.getoption("--puzzlemc") or config.getini(PLACES))
