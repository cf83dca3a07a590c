"""What the workbench refuses to read, and what is left of it when it is killed."""

import asyncio
import json
import logging
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from processes import are_gone, wait_until

from puzzlemc.reports.serve.listening import Address, listen
from puzzlemc.reports.serve.questions import MOST_MOVES, MOST_TEXT, read
from puzzlemc.reports.serve.server import server


def test_a_server_that_is_killed_leaves_no_process() -> None:
    program = """
import asyncio
from puzzlemc.reports.serve.bench import Bench
from puzzlemc.reports.serve.questions import Open

async def main():
    bench = Bench(1, 1)
    await bench.run(Open(1, "sokoban", ""), lambda _: None, asyncio.Event())
    print(*(seat.worker._process.pid for seat in bench._seats), flush=True)
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
        "import sys, importlib, puzzlemc.reports.serve.answering;"
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


def test_what_the_end_of_the_server_cuts_off_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with listen("127.0.0.1", 0) as listening:
        server(Address(listening, "127.0.0.1"))
    log = logging.getLogger("uvicorn.error")
    log.error("Cancel %s running task(s), timeout graceful shutdown exceeded", 1)
    for error in (asyncio.CancelledError("timeout graceful shutdown exceeded"), ValueError("a fault")):
        log.error("Exception in ASGI application\n", exc_info=error)
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["a fault"]
    assert len(caplog.records) == 1
