"""The outcome of one case of the hunt, and the reduction of a failing input."""

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
    """A failure found by a case.

    kind    one of KINDS
    what    a short description, equal for failures of the same sort
    detail  the question and the answer
    data    the contents of the input file that caused it
    suffix  the suffix of that file
    """

    kind: str
    what: str
    detail: str
    data: bytes = b""
    suffix: str = ".txt"


@dataclass
class Outcome:
    """The number of cases by answer, and the failures."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)


def crash(error: BaseException) -> str:
    """A short description of an exception: its type, and the function of puzzlemc that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if "benchmarks" not in frame.filename and "site-packages" not in frame.filename
    ]
    at = f" in {Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    return f"{type(error).__name__}{at}"


def shrink(data: bytes, fails: Callable[[bytes], bool], seconds: float) -> bytes:
    """A smaller input that still fails: delta debugging (Zeller 1999) by lines, then by bytes."""
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
