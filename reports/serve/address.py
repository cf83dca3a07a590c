"""The socket of the server, and the address of its page; they are there before the server is imported.

A browser is opened with another address, because other users see the command lines of all programs, and the token
must not be in one. That address leads to the page for a while and only for connections of the same user, of whom
the kernel tells (on Linux; elsewhere browsers are started without a command line). Others are refused, as with a
wrong token.
"""

import os
import secrets
import socket
import sys
import time
from contextlib import suppress

from puzzlemc.mc.system.writing import own_user

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_CONNECTIONS = 256  # at a time; the server refuses others
EVERYWHERE = ("0.0.0.0", "::")
SECONDS = 300.0  # a browser may have to be started
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
ROOT = 0

Peer = tuple[str, int]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free one. Raises OSError if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(MOST_CONNECTIONS)
    except OSError:
        listening.close()
        raise
    return listening


class Address:
    """The address of the page, with a new token; `names` are the hosts that it may be asked under.

    `opening` is the address for a command line, which other users can read.
    """

    def __init__(self, listening: socket.socket, host: str) -> None:
        self.token = secrets.token_urlsafe(18)  # cannot be guessed
        self.any_host = host in EVERYWHERE
        name = socket.gethostname() if self.any_host else host
        self.names = {*LOOPBACK, host, name}
        shown = f"[{name}]" if ":" in name else name
        self.invitation = Invitation()
        place = f"http://{shown}:{listening.getsockname()[1]}"
        self.page, self.opening = f"{place}/{self.token}/", f"{place}/{self.invitation.code}"


class Invitation:
    """The first part of a path that leads to the page."""

    def __init__(self) -> None:
        self.code = secrets.token_urlsafe(18)
        self._until = time.monotonic() + SECONDS

    def admits(self, code: str, client: Peer | None, server: Peer | None) -> bool:
        """Does this code, asked over a connection from `client` to `server`, lead to the page?"""
        if not secrets.compare_digest(code.encode(), self.code.encode()) or time.monotonic() > self._until:
            return False
        me = own_user()
        if me is None or not os.path.exists(TABLES[0]):
            return True
        if client is None or server is None:
            return False
        return owner(client, server) in {me, ROOT}  # root can read everything; WSL forwards as root


def owner(client: Peer, server: Peer) -> int | None:
    """The user whose program is at the client's end of a connection; None if that is on another machine."""
    ends = _written(client), _written(server)
    for table in TABLES:
        with suppress(OSError), open(table, encoding="ascii") as file:
            for line in file:
                fields = line.split()
                if (fields[1], fields[2]) == ends:
                    return int(fields[7])
    return None


def _written(address: Peer) -> str:
    """An address as in the tables of the kernel: words in the order of bytes of the machine, and the port."""
    host, port = address[0].removeprefix("::ffff:"), address[1]
    data = socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
    words = (int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, len(data), 4))
    return f"{''.join(f'{each:08X}' for each in words)}:{port:04X}"
