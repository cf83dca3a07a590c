"""The names of the files that are written about levels: certificates, reports, traces."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.output.files import short_name

# Suffixes: a certificate, one of a game, one about a part of a level.
CERTIFICATE, STRATEGIES, WHY = ".cert", ".strategies", ".why.cert"
SUFFIXES = (CERTIFICATE, STRATEGIES, WHY)


def file_names(entries: Sequence[Entry], suffix: str = CERTIFICATE) -> list[str]:
    """The names of files about levels: file name and number of each, with its folders if names would clash."""
    short = [_quoted(Path(entry.id).name).replace("%23", "-") for entry in entries]
    often = Counter(short)
    return [
        short_name(name if often[name] == 1 else _quoted(entry.id)) + suffix
        for name, entry in zip(short, entries, strict=True)
    ]


def _quoted(name: str) -> str:
    """The name with escapes for all characters that file systems, shells or terminals interpret.

    File names may be any bytes.
    """
    return quote(name.encode("utf-8", "surrogateescape"), safe="")
