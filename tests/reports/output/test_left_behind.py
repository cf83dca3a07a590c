"""No command leaves a temporary file, however it ends, nor a message on a read-only home."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import ONE_PUSH, PROGRAM, hard, started, write
from processes import wait_until, workers_of
from systems import signals

from puzzlemc.mc.system.processes import COPIES


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder with a short name: names of sockets in it have at most 107 characters."""
    made = Path(tempfile.mkdtemp(prefix="left"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def running(folder: Path, *arguments: str | Path, ignored: bool = False) -> "subprocess.Popen[str]":
    """A command in its own session, after it has made a temporary file in the folder."""
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=(lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) if ignored else None,
    )
    # The process that workers are copied from has a temporary file; without it, some commands have none.
    wait_until(lambda: (any(folder.iterdir()) or not COPIES) and workers_of(process.pid))
    time.sleep(0.5)
    assert process.poll() is None
    return process


@pytest.mark.parametrize(
    ("command", "number"),
    [
        pytest.param(("check",), signal.SIGHUP, marks=pytest.mark.slow),
        (("check",), signal.SIGTERM),
        (("report", "-o", "-"), signal.SIGINT),
        (("check", "--certificate", "certificates"), signal.SIGHUP),
    ],
)
def test_no_temporary_file_is_left(
    tmp_path: Path, folder: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    name, *more = command
    more = [str(tmp_path / part) if part == "certificates" else part for part in more]
    process = running(folder, name, write(tmp_path / "a.xsb", hard(8)), *more)
    os.killpg(process.pid, number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "Traceback" not in errors
    assert list(folder.iterdir()) == []


@signals
def test_nohup_is_respected(tmp_path: Path, folder: Path) -> None:
    process = running(folder, "check", write(tmp_path / "a.xsb", hard(8)), "--timeout", "2", ignored=True)
    os.kill(process.pid, signal.SIGHUP)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "1 unknown" in output


def test_a_read_only_home_gives_no_message(tmp_path: Path, folder: Path) -> None:
    level, out = write(tmp_path / "a.xsb", ONE_PUSH), tmp_path / "out.html"
    names = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MPLCONFIGDIR")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    done = started(
        "report",
        level,
        "-o",
        out,
        env=environment | {"HOME": "/dev/null", "MPLCONFIGDIR": "/dev/null/x", "TMPDIR": str(folder)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "<svg" in out.read_text()
    assert list(folder.iterdir()) == []
