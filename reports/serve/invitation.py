"""The address that opens the page in the browser of the user: other users see the command lines of all programs.

The token must not be in a command line. So the browser gets another address, which leads to the page for a while
and only for connections of the same user, of whom the kernel tells (on Linux; elsewhere browsers are started
without a command line). Others are refused, as with a wrong token.
"""

import os
import secrets
import socket
import sys
import time
from contextlib import suppress

SECONDS = 300.0  # a browser may have to be started
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
ROOT = 0

Address = tuple[str, int]


class Invitation:
    """The first part of a path that leads to the page."""

    def __init__(self) -> None:
        self.code = secrets.token_urlsafe(18)
        self._until = time.monotonic() + SECONDS

    def admits(self, code: str, client: Address | None, server: Address | None) -> bool:
        """Does this code, asked over a connection from `client` to `server`, lead to the page?"""
        if not secrets.compare_digest(code.encode(), self.code.encode()) or time.monotonic() > self._until:
            return False
        if not os.path.exists(TABLES[0]):
            return True
        if client is None or server is None:
            return False
        return owner(client, server) in {os.getuid(), ROOT}  # root can read everything; WSL forwards as root


def owner(client: Address, server: Address) -> int | None:
    """The user whose program is at the client's end of a connection; None if that is on another machine."""
    ends = _written(client), _written(server)
    for table in TABLES:
        with suppress(OSError), open(table, encoding="ascii") as file:
            for line in file:
                fields = line.split()
                if (fields[1], fields[2]) == ends:
                    return int(fields[7])
    return None


def _written(address: Address) -> str:
    """An address as in the tables of the kernel: words in the order of bytes of the machine, and the port."""
    host, port = address[0].removeprefix("::ffff:"), address[1]
    data = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = (int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, len(data), 4))
    return f"{''.join(f'{each:08X}' for each in words)}:{port:04X}"
