"""The lines between a client and `puzzlemc mcp`: what they may be, and how the program ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import MAIN, PROGRAM, hard, puzzlemc
from processes import are_gone, program, wait_until, workers_of

from puzzlemc.mc.installed import adding
from puzzlemc.reports.mcp.transport import MOST_LINE

HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
TICKS = 20  # of processor time: a search has begun


@contextmanager
def serving(*, spoken: bool = True) -> Iterator["subprocess.Popen[bytes]"]:
    """A server; if `spoken`, after the handshake."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with program([*PROGRAM, "mcp"], **pipes) as server:
        if spoken:
            request(server, 0, "initialize", HANDSHAKE)
            assert answer(server)["result"]["serverInfo"]["name"] == "puzzlemc"
            say(server, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())
        yield server


def say(server: "subprocess.Popen[bytes]", line: bytes) -> None:
    """Write a line."""
    assert server.stdin is not None
    server.stdin.write(line + b"\n")
    server.stdin.flush()


def request(server: "subprocess.Popen[bytes]", number: int, method: str, parameters: dict[str, Any]) -> None:
    """Write a request."""
    say(server, json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode())


def answer(server: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """The next line, which must be JSON."""
    assert server.stdout is not None
    return dict(json.loads(server.stdout.readline()))


def busy(server: "subprocess.Popen[bytes]") -> list[int]:
    """Begin a search that takes long; its processes."""
    arguments = {"name": "check", "arguments": {"text": hard(40), "timeout": 50}}
    request(server, 1, "tools/call", arguments)
    wait_until(lambda: any(_ticks(each) > TICKS for each in workers_of(server.pid)))
    return workers_of(server.pid)


def _ticks(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11])
    except OSError:
        return 0


WRONG = (b"good morning", b'{"jsonrpc": "2.0"', b"\xff\xfe", b"[" * 10_000, b'{"id": 5}', b"x" * (MOST_LINE + 1))


def test_wrong_lines_are_refused_and_the_program_ends_with_its_searches_when_the_client_goes() -> None:
    with serving() as server:
        for line in WRONG:
            say(server, line)
            found = answer(server)
            assert (found["id"], found["error"]["code"]) == (None, -32700)
        assert found["error"]["message"].startswith(f"found a message of more than {MOST_LINE} bytes, expected")
        say(server, b"")
        request(server, 7, "tools/list", {})
        assert answer(server)["id"] == 7
        workers = busy(server)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(30) == 0
        wait_until(lambda: are_gone(workers))


def test_the_program_ends_when_nobody_reads_its_answers() -> None:
    with serving() as server:
        workers = busy(server)
        assert server.stdout is not None
        server.stdout.close()
        request(server, 2, "tools/list", {})
        assert server.wait(30) == 141
        wait_until(lambda: are_gone(workers))
        assert server.stderr is not None
        assert server.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_though_it_waits_for_a_line(number: signal.Signals) -> None:
    with serving() as server:
        server.send_signal(number)
        assert server.wait(30) == 128 + number
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


def test_it_says_how_the_extra_is_installed(tmp_path: Path) -> None:
    hidden = f"import sys; sys.modules['mcp'] = None; {MAIN}"
    done = subprocess.run(
        [sys.executable, "-c", hidden, "mcp"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    expected = f"error: the package mcp is missing, which the extra mcp installs: {adding('mcp')}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


def test_folders_and_puzzles_that_are_none_are_refused(tmp_path: Path) -> None:
    for arguments, expected in (
        ((tmp_path / "nothing",), "found no such folder, expected a folder of levels"),
        (("--puzzle", "sokoban"), "found 'sokoban', expected a Python file with a puzzle"),
        (("--puzzle", tmp_path / "nothing.py"), "cannot be imported"),
        (("--timeout", "0"), "found '0', expected a number, 1 to 86400"),
    ):
        done = puzzlemc("mcp", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert expected in " ".join(done.stderr.split())


def test_without_a_client_it_ends_at_once() -> None:
    done = subprocess.run(
        [*PROGRAM, "mcp"], capture_output=True, stdin=subprocess.DEVNULL, check=False, cwd=os.sep
    )
    assert (done.returncode, done.stdout) == (0, b"")
