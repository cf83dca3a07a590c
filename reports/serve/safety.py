"""Who may talk to the server: only pages that it has served itself, and only with the token in the address.

Every program of this machine can reach a local port, and so can every page in a browser. Three checks keep them
out. The token is the first part of every path. `Host` must name this server, so a name that another site lets
point here does not help. `Origin`, if there is one, must be this server, so no other page can open a socket.
"""

import ipaddress
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from puzzlemc.reports.serve.address import Invitation

if TYPE_CHECKING:  # the address of the page is printed before the server is imported
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self' {socket}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
NOT_FOUND = 404
MOST_REQUEST = 1 << 16  # bytes of the body of a request without a socket
MOST_UPLOAD = 1 << 26  # of a certificate to check, or with a document
LARGE = {"verify", "document", "edit", "open", "packed", "compare", "glance", "rows"}


class Guard:
    """An application that passes on what is allowed, and adds headers to every answer."""

    def __init__(
        self,
        app: "ASGIApp",
        token: str,
        names: Iterable[str],
        *,
        any_address: bool = False,
        invitation: Invitation | None = None,
    ) -> None:
        """Guard an application.

        names        of this machine, without a port
        any_address  every address in numbers is one of this machine: numbers point nowhere else
        invitation   leads to the page, too
        """
        self._app = app
        self._token = token
        self._names = frozenset(names)
        self._any_address = any_address
        self._invitation = invitation

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request, or open a socket."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status = self._refusal(scope, headers)
        if status == NOT_FOUND and self._invites(scope):
            await _lead(send, f"/{self._token}/")
            return
        if status:
            await _refuse(scope, send, status)
            return
        rest = "/" + scope["path"].split("/", 2)[2]
        policy = POLICY.format(socket=f"ws://{headers['host']}")

        async def with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                added = HEADERS | {"content-security-policy": policy}
                own = {name.decode() for name, _ in message["headers"]}  # a report has a policy of its own
                more = [(name.encode(), value.encode()) for name, value in added.items() if name not in own]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self._app({**scope, "path": rest, "raw_path": rest.encode()}, receive, with_headers)

    def _refusal(self, scope: "Scope", headers: dict[str, str]) -> int:
        """The status that refuses a request; 0 if it is allowed."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_here(host):
            return 421
        if origin is None and scope["type"] == "websocket":
            return 403
        if origin is not None and origin != f"http://{host}":
            return 403
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return 403
        most = MOST_UPLOAD if LARGE.intersection(scope["path"].split("/")[2:3]) else MOST_REQUEST
        if int(headers.get("content-length", "0") or 0) > most or "transfer-encoding" in headers:
            return 413
        parts = scope["path"].split("/", 2)
        if len(parts) < 3 or not secrets.compare_digest(parts[1].encode(), self._token.encode()):
            return NOT_FOUND
        return 0

    def _invites(self, scope: "Scope") -> bool:
        """Does a request for an unknown path lead to the page?"""
        code, _, rest = scope["path"].removeprefix("/").partition("/")
        if self._invitation is None or scope["type"] != "http" or rest:
            return False
        return self._invitation.admits(code, scope.get("client"), scope.get("server"))

    def _is_here(self, host: str) -> bool:
        """Does `Host` name this server?"""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        if not self._any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


async def _lead(send: "Send", path: str) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: "Scope", send: "Send", status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    text, kind, policy = b"Open the address that puzzlemc serve has printed.", b"text/plain", "default-src 'none'"
    if status == NOT_FOUND and _wants_page(scope):
        from puzzlemc.reports.share.old_link import old_link  # slow to load, and rarely asked for

        text, kind, policy = old_link().text.encode(), b"text/html; charset=utf-8", old_link().policy
    headers = [(b"content-type", kind), (b"content-length", str(len(text)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    headers.append((b"content-security-policy", f"{policy}; frame-ancestors 'none'".encode()))
    headers.append((b"connection", b"close"))  # it must not keep a place among the connections
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})


def _wants_page(scope: "Scope") -> bool:
    """Is the request one of a browser for a page?"""
    accepted = [value for name, value in scope["headers"] if name.lower() == b"accept"]
    return scope["method"] == "GET" and any(b"text/html" in value for value in accepted)
