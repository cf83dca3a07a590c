"""Writing files: owners, permissions, and a file that takes the place of another one.

Windows has neither owners nor permissions of this kind, and cannot move an open file.
"""

import errno
import os
import stat
from contextlib import suppress
from typing import BinaryIO

POSIX = hasattr(os, "fchown")


def own_user() -> int | None:
    """The number of the user of this process; None if users have none."""
    return os.getuid() if hasattr(os, "getuid") else None


def keep_owner(number: int, before: os.stat_result) -> None:
    """Give the open file of this number the owner and the permissions of another one, as far as the system can."""
    if not POSIX:
        return
    with suppress(OSError):  # some file systems have no owners or permissions
        os.fchown(number, before.st_uid, before.st_gid)
    with suppress(OSError):
        os.fchmod(number, stat.S_IMODE(before.st_mode))


def open_no_link(path: str, flags: int) -> int:
    """Open a file, unless it is a link, which might lead anywhere: an opener for `open`. Raises OSError."""
    follows = getattr(os, "O_NOFOLLOW", None)
    if follows is None and os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    return os.open(path, flags | (follows or 0), 0o666)


def replaced(file: BinaryIO, path: str, target: str) -> BinaryIO:
    """Move the file, which is open and at `path`, to `target`. Return it, open for writing at its end.

    Raises OSError; then nothing is moved, and `file` may be closed.
    """
    if POSIX:
        os.replace(path, target)
        return file
    file.close()
    os.replace(path, target)
    return open(target, "ab")
