"""The socket of the server and the address of its page; they are there before the server is imported."""

import socket

from puzzlemc.reports.serve.invitation import Invitation
from puzzlemc.reports.serve.safety import LOOPBACK, new_token

MOST_CONNECTIONS = 256  # at a time; the server refuses others
EVERYWHERE = ("0.0.0.0", "::")


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
        self.token = new_token()
        self.any_host = host in EVERYWHERE
        name = socket.gethostname() if self.any_host else host
        self.names = {*LOOPBACK, host, name}
        shown = f"[{name}]" if ":" in name else name
        self.invitation = Invitation()
        place = f"http://{shown}:{listening.getsockname()[1]}"
        self.page, self.opening = f"{place}/{self.token}/", f"{place}/{self.invitation.code}"
