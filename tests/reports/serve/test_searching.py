"""A search that runs: how long, what is known so far, and the button that ends it."""

import json
import os
import time
from pathlib import Path
from typing import Any

from command import ONE_PUSH, hard, start_server
from processes import wait_until, workers_of
from starlette.testclient import TestClient
from workbench import becomes, says

from puzzlemc.reports.serve.app import application

HERE = "http://127.0.0.1:8000"
MINE = {"origin": HERE, "host": "127.0.0.1:8000"}
TICKS = os.sysconf("SC_CLK_TCK")
LOOK = 0.4  # seconds in which the work of a process is measured


def used(process: int) -> float:
    """Seconds of processor time of a process; what an ended one has used does not grow any more."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def work() -> dict[int, float]:
    """The processor time that each worker uses in a moment."""
    before = {each: used(each) for each in workers_of(os.getpid())}
    time.sleep(LOOK)
    return {each: max(0.0, used(each) - spent) for each, spent in before.items()}


def test_a_stopped_search_ends_in_its_worker_and_the_next_question_is_answered() -> None:
    start_server()
    client = TestClient(application("secret", most=2), base_url=HERE)
    with client, client.websocket_connect("/secret/live", headers=MINE) as socket:

        def ask(what: str, number: int, **fields: Any) -> None:
            socket.send_text(json.dumps({"ask": what, "n": number, **fields}))

        ask("judge", 1, puzzle="sokoban", text=hard(6))
        while socket.receive_json()["kind"] != "progress":
            pass
        searching, spent = 0, 0.0
        while spent < 0.1 * LOOK:  # others may need the processor
            searching, spent = max(work().items(), key=lambda each: each[1])
        ask("stop", 7)  # another question than the one that runs
        ask("stop", 1)
        began = time.monotonic()
        while (answer := socket.receive_json())["kind"] != "done":
            pass
        assert (answer["n"], answer["failed"], answer["stopped"]) == (1, "", True)
        assert time.monotonic() - began < 5
        wait_until(lambda: work().get(searching, 0.0) < 0.1 * LOOK, 10)
        ask("judge", 2, puzzle="sokoban", text=ONE_PUSH)
        kinds = {}
        while "done" not in kinds:
            answer = socket.receive_json()
            assert answer["n"] == 2
            kinds[answer["kind"]] = answer
        assert (kinds["verdict"]["cost"], kinds["done"]["stopped"]) == (1, False)


def test_the_page_says_how_long_and_what_is_known_and_keeps_it_when_it_is_stopped(page: Any) -> None:
    asked = list[str]()
    best = {
        "verdict": "solvable",
        "metric": "pushes",
        "cost": 96,
        "costs": {"pushes": 96, "moves": 200},
        "optimal": False,
        "bound": None,
        "moves": ["U"],
    }

    def played(socket: Any) -> None:
        """A server whose search for a verdict does not end by itself."""
        server = socket.connect_to_server()

        def from_page(message: str) -> None:
            question = json.loads(message)
            asked.append(question["ask"])
            if question["ask"] in {"judge", "stop"}:
                answers: list[dict[str, Any]] = [{"kind": "done", "failed": "", "stopped": True}]
                if question["ask"] == "judge":
                    answers = [{"kind": "progress", "bound": 80, "best": 96}, {"kind": "best", **best}]
                for each in answers:
                    socket.send(json.dumps({"n": question["n"], **each}))
            else:
                server.send(message)

        socket.on_message(from_page)

    page.route_web_socket("**/live", played)
    page.reload()
    says(page, "None has fewer than 80 pushes, one of 96 pushes is known.")
    page.locator("#searching", has_text="Searching for 1 s").wait_for()
    page.locator("#searching", has_text="Searching for 2 s").wait_for()
    meanings = [each.get_attribute("title") for each in page.locator("#verdict .term").all()]
    assert [each.partition(":")[0] for each in meanings] == [
        "A lower bound",
        "The best solution so far, checked by the rules",
    ]
    page.locator("#verdict .term").first.click()  # without a pointer, a tap says it
    page.locator("#toast", has_text="A lower bound").wait_for()
    page.get_by_role("button", name="Stop").click()
    says(page, "96 pushes · at least 80 pushes")
    page.locator("#searching").wait_for(state="hidden")
    page.get_by_role("button", name="Watch the solution").wait_for()
    asked.clear()
    page.get_by_role("button", name="Search again").click()
    says(page, "Searching…")
    becomes(page, lambda: asked, ["judge"])
    page.get_by_role("button", name="Stop").wait_for()
