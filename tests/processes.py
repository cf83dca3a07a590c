"""Processes of the program under test."""

from pathlib import Path


def workers_of(parent: int) -> list[int]:
    """The processes that the server of a process has forked."""
    by_parent: dict[int, list[int]] = {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            by_parent.setdefault(int(fields[1]), []).append(int(place.name))
    return [worker for child in by_parent.get(parent, []) for worker in by_parent.get(child, [])]
