"""Memory and time of processes: the peak of this one, a limit on its address space, and what any one uses now."""

import contextlib
import os
import resource
from pathlib import Path

_STATUS = "/proc/self/status"
_STATUS_BYTES = 1 << 14  # more than the file has
_CLEAR = "/proc/self/clear_refs"
PAGE = resource.getpagesize()
TICK = os.sysconf("SC_CLK_TCK")


def reset_peak() -> None:
    """Start a new measurement for `peak_mb`. Without /proc, the peak remains that of the whole process."""
    with contextlib.suppress(OSError):
        file = os.open(_CLEAR, os.O_WRONLY)
        try:
            os.write(file, b"5")
        finally:
            os.close(file)


def peak_mb() -> float:
    """The largest resident memory since `reset_peak`, in MiB."""
    with contextlib.suppress(OSError):
        file = os.open(_STATUS, os.O_RDONLY)
        try:
            _, found, rest = os.read(file, _STATUS_BYTES).partition(b"VmHWM:")
        finally:
            os.close(file)
        if found:
            return round(int(rest.split(maxsplit=1)[0]) / 1024, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def limit_address_space(bytes_more: int) -> None:
    """Limit the address space to the pages in use now plus `bytes_more`. Beyond it, allocations fail."""
    used = 0
    with contextlib.suppress(OSError):
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * PAGE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + bytes_more
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def resident(pid: int) -> int | None:
    """Bytes of resident memory; None if the process has ended."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return None


def processor_seconds(pid: int) -> float:
    """Seconds of processor time of a process so far; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except (OSError, IndexError):
        return 0.0
