"""Memory and time of processes: what one uses now, the peak of this one, and a limit on its address space.

Linux says all this in files below /proc, which are read in microseconds. Elsewhere `psutil` asks the system.
"""

import contextlib
import ctypes
import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

try:
    import resource
except ImportError:  # as on Windows
    RESOURCE = False
else:
    RESOURCE = True

if TYPE_CHECKING:
    import psutil

_STATUS_BYTES = 1 << 14  # more than the file has
_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # bytes in the unit of `ru_maxrss`

_ceiling: int | None = None  # bytes for a program that this process starts, if the system has no such limit


def resident(process: int | None = None) -> int | None:
    """Bytes of resident memory of a process, by default of this one; None if it has ended."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{'self' if process is None else process}/statm", "rb") as file:
            fields = file.read().split()
        return int(fields[1]) * _page() if fields else None
    return _resident_elsewhere(process)


def own_resident() -> int:
    """Bytes of resident memory of this process."""
    return resident() or 0


def processor_seconds(process: int) -> float:
    """Seconds of processor time of a process so far; 0 if it has ended."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _ticks() if fields else 0.0
    if _has_proc():
        return 0.0
    import psutil

    try:
        times = psutil.Process(process).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def reset_peak() -> None:
    """Start a new measurement for `peak_mb`. Without /proc, the peak remains that of the whole process."""
    with contextlib.suppress(OSError):
        file = os.open("/proc/self/clear_refs", os.O_WRONLY)
        try:
            os.write(file, b"5")
        finally:
            os.close(file)


def peak_mb() -> float:
    """The largest resident memory since `reset_peak`, in MiB; that of now if the system keeps no peak."""
    with contextlib.suppress(OSError):
        file = os.open("/proc/self/status", os.O_RDONLY)
        try:
            _, found, rest = os.read(file, _STATUS_BYTES).partition(b"VmHWM:")
        finally:
            os.close(file)
        if found:
            return round(int(rest.split(maxsplit=1)[0]) / 1024, 1)
    return round(_peak_elsewhere() / (1 << 20), 1)


def limit_address_space(bytes_more: int) -> None:
    """Limit the address space to the pages in use now plus `bytes_more`. Beyond it, allocations fail.

    Where the system has no such limit, nothing fails: then another process must watch this one. The programs that
    this process starts are watched by `within_ceiling`.
    """
    global _ceiling
    try:
        with open("/proc/self/statm", "rb") as file:
            used = int(file.read().split()[0]) * _page()
    except OSError:  # macOS reserves hundreds of gigabytes, and keeps to no limit
        _ceiling = bytes_more
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + bytes_more
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def address_space() -> int | None:
    """The limit of the address space of this process, in bytes; None if there is none."""
    if not RESOURCE:
        return None
    addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if addresses == resource.RLIM_INFINITY else addresses


def within_ceiling(process: int) -> bool:
    """Have a program that this process started, and those that it started, less memory than the limit asked for?

    Always True without a limit, where the system itself keeps to it, and for a program that has ended.
    """
    if _ceiling is None:
        return True
    import psutil

    try:
        others = psutil.Process(process).children(recursive=True)
    except psutil.Error:
        return True
    return sum(resident(each) or 0 for each in (process, *(other.pid for other in others))) <= _ceiling


def trim_heap() -> None:
    """Return memory to the system that the C library keeps after its objects are freed, where it can (glibc)."""
    if os.name == "posix" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)


def installed() -> int:
    """Bytes of memory of the machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):
        import psutil

        return int(psutil.virtual_memory().total)


@lru_cache(maxsize=1)
def _page() -> int:
    return os.sysconf("SC_PAGE_SIZE")


@lru_cache(maxsize=1)
def _ticks() -> int:
    return os.sysconf("SC_CLK_TCK")


@lru_cache(maxsize=1)
def _has_proc() -> bool:
    return os.path.exists("/proc/self/statm")


def _resident_elsewhere(process: int | None) -> int | None:
    """What `resident` returns if there is no file of the process."""
    if _has_proc():
        return None
    import psutil

    try:
        used = (_this() if process is None else psutil.Process(process)).memory_info()
    except psutil.Error:
        return None
    # Windows moves pages of a process out of memory before the memory is full: what it has asked for counts.
    return max(int(used.rss), int(getattr(used, "private", 0)))


def _peak_elsewhere() -> int:
    """Bytes of the largest resident memory of this process so far; those of now if the system does not know."""
    if RESOURCE:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
    return int(getattr(_this().memory_info(), "peak_wset", 0)) or own_resident()


@lru_cache(maxsize=1)
def _this() -> "psutil.Process":
    import psutil

    return psutil.Process()
