"""What came of one case of the hunt, and how a failing input is made smaller."""

import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

DISAGREEMENT = "disagreement"
TRACEBACK = "traceback"
OVERRUN = "overrun"
EXIT_CODE = "exit code"
OUTPUT = "output"
KINDS = (DISAGREEMENT, TRACEBACK, OVERRUN, EXIT_CODE, OUTPUT)


@dataclass(frozen=True)
class Failure:
    """Something that must not be.

    kind    one of KINDS
    what    in few words, the same for failures of one sort
    detail  what was asked and what came
    data    the input that it came from, as a file, with its suffix
    """

    kind: str
    what: str
    detail: str
    data: bytes = b""
    suffix: str = ".txt"


@dataclass
class Outcome:
    """Counts by answer, and failures."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


def crash(error: BaseException) -> str:
    """An exception in few words: its type, and the place in puzzlemc where it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if "benchmarks" not in frame.filename and "site-packages" not in frame.filename
    ]
    at = f" in {Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    return f"{type(error).__name__}{at}"


def shrink(data: bytes, fails: Callable[[bytes], bool], seconds: float) -> bytes:
    """A smaller input that still fails: without some lines, then bytes, by halves (Zeller 1999)."""
    deadline = time.perf_counter() + seconds
    for unit in (b"\n", None):
        parts = data.split(unit) if unit is not None else [bytes([byte]) for byte in data]
        joiner = unit or b""
        size = max(1, len(parts) // 2)
        while parts and time.perf_counter() < deadline:
            at, smaller = 0, False
            while at < len(parts) and time.perf_counter() < deadline:
                rest = parts[:at] + parts[at + size :]
                if rest and fails(joiner.join(rest)):
                    parts, smaller = rest, True
                else:
                    at += size
            if size == 1 and not smaller:
                break
            size = max(1, size // 2)
        data = joiner.join(parts)
    return data
