"""Files that were made for a page: certificates to download, reports to open. Memory holds the newest ones."""

import re
from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

MOST_FILES = 16
MOST_BYTES = 1 << 27  # of all together
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class File(NamedTuple):
    """A file, and the content security policy of a report."""

    name: str
    data: bytes
    policy: str


class Made:
    """The files, by numbers that the pages learn."""

    def __init__(self) -> None:
        self._files: dict[int, File] = {}
        self._next = 0

    def add(self, name: str, data: bytes) -> int:
        """Keep a file; the oldest ones make room. Returns its number."""
        self._next += 1
        self._files[self._next] = File(name, data, policy(data.decode()) if name.endswith(".html") else "")
        while len(self._files) > MOST_FILES or sum(len(each.data) for each in self._files.values()) > MOST_BYTES:
            del self._files[next(iter(self._files))]
        return self._next

    def get(self, number: int) -> File | None:
        """A file; None if it is not kept any more."""
        return self._files.get(number)


def policy(page: str) -> str:
    """The policy that lets a report run its own scripts, which are named by their digests, and no other.

    It has no origin, so it cannot ask the server anything.
    """
    scripts = {_digest(each) for each in SCRIPT.findall(page)}
    rules = [
        "sandbox allow-scripts allow-downloads",
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "img-src data:",
        " ".join(["script-src", *sorted(scripts)]),
        "style-src 'unsafe-inline'",  # its script moves and colours elements
    ]
    return "; ".join(rules)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
