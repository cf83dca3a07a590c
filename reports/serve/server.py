"""Runs the application: a socket on loopback, and the address with its token."""

import socket
from collections.abc import Sequence

import uvicorn

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.serve.app import application
from puzzlemc.reports.serve.questions import MOST_BYTES
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


def server(listening: socket.socket, host: str, entries: Sequence[Entry] = ()) -> tuple[uvicorn.Server, str]:
    """The server for a socket and a collection, and the address of its page."""
    token, any_address = new_token(), host in EVERYWHERE
    name = socket.gethostname() if any_address else host
    config = uvicorn.Config(
        application(token, {*LOOPBACK, host, name}, entries, any_address=any_address),
        ws="wsproto",
        ws_max_size=MOST_BYTES,
        http="h11",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    shown = f"[{name}]" if ":" in name else name
    return uvicorn.Server(config), f"http://{shown}:{listening.getsockname()[1]}/{token}/"
