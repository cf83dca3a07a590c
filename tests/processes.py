"""Processes of the program under test."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds, for a busy machine


@contextmanager
def program(command: Sequence[str | Path], **more: Any) -> Iterator["subprocess.Popen[Any]"]:
    """Start a program, and kill it if the block ends first: `Popen` alone would wait without a limit."""
    with subprocess.Popen([*map(str, command)], **more) as running:
        try:
            yield running
        finally:
            if running.poll() is None:
                running.kill()


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail if it does not hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.05)


def workers_of(parent: int) -> list[int]:
    """The processes that a process has copied, those that its server has copied, and those that are new."""
    by_parent: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            by_parent.setdefault(int(fields[1]), []).append(int(place.name))
    children = by_parent.get(parent, [])
    own = _command_line(parent)
    first = [child for child in children if (line := _command_line(child)) == own or b"spawn_main" in line]
    return first + [worker for child in children for worker in by_parent.get(child, [])]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def are_gone(processes: Sequence[int]) -> bool:
    """Have all these processes ended?"""
    return not any(Path(f"/proc/{pid}").exists() for pid in processes)
