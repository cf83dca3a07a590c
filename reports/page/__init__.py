"""Pages: the reachability report of a level, the index of several reports, and the page on a collection.

The plots need matplotlib, which keeps a list of fonts in the user's home. If it cannot write there, it prints a
message to standard error and leaves a temporary folder behind. So in that case it is imported with a folder that
is removed at once.
"""

import logging
import os
from pathlib import Path
from tempfile import TemporaryDirectory


def _is_writable(folder: Path) -> bool:
    """Can files be created in this folder, which may not exist yet?"""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _keeps_files() -> bool:
    """Does matplotlib have a folder for its files?"""
    if named := os.environ.get("MPLCONFIGDIR"):
        return _is_writable(Path(named))
    try:
        home = Path.home()
    except RuntimeError:
        return False
    places = (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache"))
    return all(_is_writable(Path(os.environ.get(name) or home / usual, "matplotlib")) for name, usual in places)


def _import_matplotlib() -> None:
    before = os.environ.get("MPLCONFIGDIR")
    with TemporaryDirectory(prefix="puzzlemc-") as folder:
        os.environ["MPLCONFIGDIR"] = folder
        import matplotlib.font_manager  # noqa: F401 - the import builds its list of fonts
    if before is None:
        del os.environ["MPLCONFIGDIR"]
    else:
        os.environ["MPLCONFIGDIR"] = before


logging.getLogger("matplotlib").setLevel(logging.ERROR)  # no message about its list of fonts
if not _keeps_files():
    _import_matplotlib()
