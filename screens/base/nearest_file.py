"""Files whose names are like that of a missing one."""

import os
from itertools import islice

from puzzlemc.mc.nearest import nearest

MOST_NAMES = 1000  # of a folder that are compared


def nearest_file(path: str | os.PathLike[str]) -> str:
    """The end of a message about a missing file: `; nearest: levels/first.xsb`, or nothing."""
    folder, name = os.path.split(os.fspath(path))
    try:
        with os.scandir(folder or ".") as there:
            names = [each.name for each in islice(there, MOST_NAMES)]
    except (OSError, ValueError):
        return ""
    return nearest(name, sorted(names), lambda each: os.path.splitext(each)[0])
