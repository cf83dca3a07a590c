"""What systems do differently: one room names it, and each part has another way where a system lacks it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT
from processes import program, wait_until

HIDDEN = {**os.environ, "PYTHONPATH": str(ROOT / "tests" / "elsewhere"), "PYTHONFAULTHANDLER": ""}
# What Windows lacks, in code; comments and texts may name it.
LACKING = re.compile(
    r"^\s*(?:import|from) (?:fcntl|grp|pty|pwd|resource|termios|tty)\b|\"/proc/self/(?!fd)|CDLL|prctl|setrlimit"
    r"|\bos\.(?:O_NONBLOCK|O_NOFOLLOW|O_DIRECTORY|O_CLOEXEC|execve?|fchmod|fchown|fork|gete?uid|kill|killpg|mkfifo"
    r"|set_blocking|setsid|sysconf|wait\w*)\b"
    r"|\bsignal\.(?:SIGALRM|SIGHUP|SIGKILL|SIGUSR\d|pthread_\w+|setitimer)\b",
    re.MULTILINE,
)


def test_one_room_names_what_windows_lacks() -> None:
    named = [
        f"{path.relative_to(ROOT)}: {found.group().strip()}"
        for top in ("mc", "screens", "encodings", "reports")
        for path in sorted((ROOT / top).rglob("*.py"))
        if not path.is_relative_to(ROOT / "mc" / "system")
        for found in LACKING.finditer(path.read_text(encoding="utf-8"))
    ]
    assert named == []
    assert LACKING.search((ROOT / "mc" / "system" / "memory.py").read_text(encoding="utf-8"))


def elsewhere(code: str) -> list[object]:
    """What a program says, line by line as JSON, that finds nothing of Linux."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120, env=HIDDEN
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_nothing_of_linux_is_found_elsewhere() -> None:
    code = """
import json
from puzzlemc.mc.system import memory, pages, processes, reading, signals, writing
print(json.dumps([memory.RESOURCE, pages.LINUX, processes.METHOD, reading.POSIX, signals.ALARM, writing.POSIX]))
print(json.dumps([memory.resident() > 1 << 22, memory.resident(2 ** 22 + 1), memory.address_space()]))
"""
    assert elsewhere(code) == [[False, False, "spawn", False, None, False], [True, None, None]]


WORKER = """
import json, os, sys, time
from puzzlemc.mc.errors import LimitReached
from puzzlemc.reports.workers.worker import Worker, WorkerDied

def say(*what):
    print(json.dumps(what), flush=True)

def seconds():
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
"""


def test_workers_that_are_spawned_keep_to_their_limits() -> None:
    code = """
with Worker(64 << 20) as worker:
    say(worker.run(abs, -3))
    try: worker.run(time.sleep, 30, seconds=0.2)
    except LimitReached as limit: say(limit.reason)
    began = time.monotonic()
    for size in 1 << 29, 1 << 36:  # the parent sees the first; Python or the parent refuse the second
        try: worker.run(bytearray, size)
        except LimitReached as limit: say(limit.reason)
    say(time.monotonic() - began < 60)
    try: worker.run(os._exit, 7)
    except WorkerDied as death: say(str(death))
    worker.run(sum, range(20_000_000))
    say(worker.seconds > 0.05)
"""
    expected = [[3], ["timeout"], ["memory"], ["memory"], [True], ["the worker ended with exit code 7"], [True]]
    assert elsewhere(WORKER + code) == expected


def test_a_spawned_worker_ends_with_its_parent(tmp_path: Path) -> None:
    code = "worker = Worker(1 << 28)\nsay(worker.run(os.getpid))\nworker.run(time.sleep, 300)\n"
    command = [sys.executable, "-c", WORKER + code]
    with program(command, stdout=subprocess.PIPE, env=HIDDEN, text=True) as running:
        assert running.stdout is not None
        (worker,) = json.loads(running.stdout.readline())
        assert Path(f"/proc/{worker}").exists()
        running.kill()
        running.wait(20)
    wait_until(lambda: not Path(f"/proc/{worker}").exists(), 20)


def test_an_interrupt_comes_again_without_a_timer_of_the_system() -> None:
    code = """
import json, signal, time, _thread
from puzzlemc.reports.workers.interrupt import catch_interrupts, exit_code, interrupt_taken

class Finalized:
    def __del__(self):
        _thread.interrupt_main(signal.SIGTERM)
        time.sleep(0.01)

catch_interrupts()
Finalized()
try:
    for _ in range(300):
        time.sleep(0.1)
except KeyboardInterrupt:
    interrupt_taken()
    print(json.dumps(exit_code()), flush=True)
time.sleep(1)  # it does not come once more
"""
    assert elsewhere(code) == [128 + 15]


def test_files_below_folders_are_opened_without_following_links(tmp_path: Path) -> None:
    code = f"""
import json, os
os.chdir({str(tmp_path)!r})
os.makedirs("in/deep")
open("in/deep/a", "w").write("inside")
open("out", "w").write("outside")
os.symlink("../out", "in/link")
from puzzlemc.screens.base.reading import only_below, read_text
from puzzlemc.mc.system import reading
real = os.path.realpath
with only_below([real("in")]):
    print(json.dumps(read_text("in/deep/a", 99, "a text")))
    for name in "in/link", "out", "in/deep/none":
        try: print(json.dumps(read_text(name, 99, "a text")))
        except Exception as error: print(json.dumps(str(error)))
    os.symlink("../../out", "in/deep/late")
    os.path.realpath = lambda path, **more: {str(tmp_path / "in/deep/late")!r}  # a link that comes later
    try: print(json.dumps(read_text("in/deep/late", 99, "a text")))
    except Exception as error: print(json.dumps(str(error)))
"""
    found = elsewhere(code)
    refused = "cannot be read: it is outside of the folders that may be read"
    assert found[0] == "inside"
    assert found[1:3] == [f"in/link: {refused}", f"out: {refused}"]
    assert found[3] == "in/deep/none: cannot be read: No such file or directory"
    assert found[4] == f"in/deep/late: {refused}"


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_is_replaced_while_none_is_open(tmp_path: Path, kept: bool) -> None:
    code = f"""
import json, os
from pathlib import Path
from puzzlemc.reports.output.files import Draft
path = Path({str(tmp_path)!r}, "a")
if {kept}:
    path.write_text("before")
draft = Draft(path)
draft.add(b"new")
print(json.dumps(path.read_text() if path.exists() else None))
draft.move()
draft.add(b", and more")
draft.close()
print(json.dumps([path.read_text(), os.listdir({str(tmp_path)!r})]))
"""
    assert elsewhere(code) == ["before" if kept else None, ["new, and more", ["a"]]]


def test_a_store_has_one_writer(tmp_path: Path) -> None:
    code = f"""
import json, os
from pathlib import Path
from puzzlemc.reports.batch.store import Store, StoreError
path = Path({str(tmp_path)!r}, "a.sqlite")
with Store(path, writing=True):
    try: Store(path, writing=True)
    except StoreError as error: print(json.dumps(str(error).rpartition(": ")[2]))
with Store(path, writing=True):
    pass
print(json.dumps(os.listdir({str(tmp_path)!r})))
"""
    assert elsewhere(code) == ["another batch is writing to this store, expected one at a time", ["a.sqlite"]]


def test_a_program_that_takes_more_than_the_limit_is_found() -> None:
    code = """
import json, subprocess, sys, time
from puzzlemc.mc.system.memory import limit_address_space, within_ceiling
fill = "import time; kept = bytearray(1 << 27); print(flush=True); time.sleep(60)"
with subprocess.Popen([sys.executable, "-c", fill], stdout=subprocess.PIPE) as running:
    running.stdout.readline()
    for limit in 1 << 30, 1 << 26:
        limit_address_space(limit)
        print(json.dumps(within_ceiling(running.pid)))
    running.kill()
    running.wait()
    print(json.dumps(within_ceiling(running.pid)))
"""
    assert elsewhere(code) == [True, False, True]
