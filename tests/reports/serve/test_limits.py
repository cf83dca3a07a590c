"""What the workbench refuses to read, and what is left of it when it is killed."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from command import ONE_PUSH, PROGRAM, start_server, write
from processes import are_gone, wait_until
from systems import permissions

from puzzlemc.reports.batch.rows import rows
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.serve import server as running
from puzzlemc.reports.serve.address import SECONDS, Address, Invitation, listen, owner
from puzzlemc.reports.serve.questions import MOST_MOVES, MOST_TEXT, read
from puzzlemc.reports.serve.server import in_thread, server


def test_a_server_that_is_killed_leaves_no_process() -> None:
    program = """
import asyncio
from puzzlemc.reports.serve.worker_pool import WorkerPool
from puzzlemc.reports.serve.questions import Open

async def main():
    pool = WorkerPool(1, 1)
    await pool.run(Open(1, "sokoban", ""), lambda _: None, asyncio.Event())
    print(*(worker.process._process.pid for worker in pool._workers), flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        workers = [int(each) for each in server.stdout.readline().split()]
        server.kill()
    assert workers != []
    wait_until(lambda: are_gone(workers))


def test_the_first_verdict_waits_for_the_code_of_verdicts_alone() -> None:
    """A player's code and numpy take longer to load than all else before the first verdict."""
    program = (
        "import sys, importlib, puzzlemc.reports.serve.worker_pool;"
        "from puzzlemc.reports.cli.commands.serve import FIRST; [importlib.import_module(each) for each in FIRST];"
        "print(sorted({'numpy', 'starlette', 'uvicorn', 'puzzlemc.reports.serve.positions'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "x" * (MOST_TEXT + 1)},
        {"text": "", "moves": ["u"] * (MOST_MOVES + 1)},
        {"text": "", "moves": ["u" * 201]},
        {"text": "", "moves": [], "pointer": [0, 0, 0, 10_001]},
        {"text": "", "moves": [], "bot": "x" * 65},
    ],
)
def test_what_exceeds_a_limit_is_no_question(fields: dict[str, Any]) -> None:
    message = {"ask": "play", "n": 1, "puzzle": "sokoban", "moves": [], **fields}
    with pytest.raises(msgspec.ValidationError):
        read(json.dumps(message))


def opened(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def answered(connection: socket.socket, path: str, body: str = "") -> bytes:
    """The first bytes of the answer to a request."""
    asked = (
        f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(f"{asked}{body}".encode())
    return connection.recv(1 << 16)


def is_closed(connection: socket.socket) -> bool:
    """Does the server close the connection?"""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    return True


def test_connections_that_ask_nothing_shut_no_page_out() -> None:
    start_server()
    with in_thread() as address, ExitStack() as stack:
        port, path = urlsplit(address).port or 0, urlsplit(address).path
        page = stack.enter_context(opened(port))
        silent = [stack.enter_context(opened(port)) for _ in range(300)]
        for each in silent[::2]:
            with suppress(OSError):  # it is closed already
                each.sendall(b"GET / HTTP/1.1\r\nHost:")
        assert b" 200 OK" in answered(stack.enter_context(opened(port)), path)
        assert is_closed(page)  # the oldest one made room
        wrong = [stack.enter_context(opened(port)) for _ in range(20)]
        assert all(b" 404 " in answered(each, "/wrong/") for each in wrong)
        assert all(map(is_closed, wrong))


def test_a_connection_that_asks_nothing_is_closed_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    start_server()
    monkeypatch.setattr(running, "SILENT_SECONDS", 0.5)
    with in_thread() as address, ExitStack() as stack:
        port, path = urlsplit(address).port or 0, urlsplit(address).path
        silent, page = (stack.enter_context(opened(port)) for _ in range(2))
        text = answered(page, path)
        assert b" 200 OK" in text
        silent.sendall(b"GET / HTTP/1.1\r\n")
        assert is_closed(silent)
        while not text.rstrip().endswith(b"</html>"):
            text += page.recv(1 << 16)
        assert b" 200 OK" in answered(page, path)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_server_in_order(tmp_path: Path, number: signal.Signals, code: int) -> None:
    store, level = tmp_path / "store.sqlite", write(tmp_path / "a.xsb", ONE_PUSH)
    program = [*PROGRAM, "serve", str(level), "--no-browser", "--port", "0", "--store", str(store)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with opened(urlsplit(address).port or 0) as page:
            asked = json.dumps({"ask": "glance", "n": 0, "puzzle": "sokoban", "text": ONE_PUSH})
            found = answered(page, f"{urlsplit(address).path}glance", asked)
            while found and b'"cost":1' not in found:
                found = page.recv(1 << 16)
            process.send_signal(number)
            said = process.communicate(timeout=30)[1]
    assert process.returncode == code
    assert "Traceback" not in said
    assert said.strip() in {"", "interrupted"}
    with Store(store) as kept:
        assert [row["verdict"] for row in rows(kept)] == ["solvable"]


BROWSER = """#!/bin/sh
tr '\\0' ' ' < /proc/$$/cmdline > {0}.part; mv {0}.part {0}
"""


def test_the_token_is_in_no_command_line(tmp_path: Path) -> None:
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(BROWSER.format(seen))
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": str(browser)}
    program = [*PROGRAM, "serve", "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            page = process.stdout.readline().strip()
            wait_until(seen.is_file)
            opening = seen.read_text().split()[-1]
            token = urlsplit(page).path.strip("/")
            assert token not in seen.read_text()
            with opened(urlsplit(page).port or 0) as connection:
                found = answered(connection, urlsplit(opening).path)
            assert b" 303 " in found
            assert f"location: /{token}/".encode() in found
        finally:
            process.terminate()


@permissions
def test_an_invitation_is_for_the_same_user_and_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = Invitation()
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with ExitStack() as stack:
            listening = stack.enter_context(socket.create_server((host, 0), family=family))
            client = stack.enter_context(socket.create_connection(listening.getsockname()[:2]))
            ends = client.getsockname()[:2], client.getpeername()[:2]
            assert owner(*ends) == os.getuid()
            assert invitation.admits(invitation.code, *ends)
            assert not invitation.admits("another", *ends)
            assert not invitation.admits(invitation.code, (host, ends[1][1]), ends[1])  # no such connection
            with monkeypatch.context() as other:
                other.setattr(os, "getuid", lambda: os.geteuid() + 1)
                other.setattr("puzzlemc.reports.serve.address.ROOT", -1)
                assert not invitation.admits(invitation.code, *ends)
    assert not invitation.admits(invitation.code, None, None)
    later = time.monotonic() + SECONDS + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert not invitation.admits(invitation.code, *ends)


def test_what_the_end_of_the_server_cuts_off_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with listen("127.0.0.1", 0) as listening:
        server(Address(listening, "127.0.0.1"))
    log = logging.getLogger("uvicorn.error")
    log.error("Cancel %s running task(s), timeout graceful shutdown exceeded", 1)
    for error in (asyncio.CancelledError("timeout graceful shutdown exceeded"), ValueError("a fault")):
        log.error("Exception in ASGI application\n", exc_info=error)
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["a fault"]
    assert len(caplog.records) == 1
