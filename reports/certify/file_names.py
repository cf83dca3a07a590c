"""The names of the files that are written about levels: certificates, reports, traces."""

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from puzzlemc.mc.games.chance import QUESTIONS

# Suffixes: a certificate, one of a game, one about a part of a level, one about the repairs of a level.
CERTIFICATE, STRATEGIES, WHY, REPAIRS = ".cert", ".strategies", ".why.cert", ".repairs.cert"
OF_CHANCE = {asked: f".{asked}{STRATEGIES}" for asked in QUESTIONS}  # one of a level with chance, by the question
SUFFIXES = (CERTIFICATE, STRATEGIES, *OF_CHANCE.values(), WHY)
MOST_BYTES = 200  # of a file name: file systems allow 255, and suffixes are added
_HASHED = 16  # digits of a hash

# Escapes all characters that file systems, shells or terminals interpret. File names may be any bytes.
quoted = partial(quote, safe="", errors="surrogateescape")


def file_stems(ids: Sequence[str]) -> dict[str, str]:
    """The names without suffix of files about levels, by the id of the level.

    They are file name and number of each, with its folders if names would clash.
    """
    short = [quoted(Path(id).name).replace("%23", "-") for id in ids]
    often = Counter(short)
    return {id: short_name(name if often[name] == 1 else quoted(id)) for id, name in zip(ids, short, strict=True)}


def short_name(name: str) -> str:
    """The file name, or if it is too long for file systems, its beginning and a hash of the whole name."""
    data = os.fsencode(name)
    if len(data) <= MOST_BYTES:
        return name
    start = data[: MOST_BYTES - _HASHED - 1].decode("utf-8", "ignore")
    return f"{start}-{hashlib.sha256(data).hexdigest()[:_HASHED]}"
