"""The workbench answers questions about levels, and who may ask them."""

import asyncio
import json
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from command import CORNERED, ONE_PUSH, hard, puzzlemc, start_server
from event_loops import in_a_loop
from places import ROOT, WRITTEN
from processes import are_gone, wait_until
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from puzzlemc.encodings import puzzles as puzzles_module
from puzzlemc.encodings.puzzles import OWN, add, load, puzzles
from puzzlemc.encodings.tetravex.pointing import playable
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.batch.rows import rows
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.documents.edits import Edit, Insert, edit
from puzzlemc.reports.serve import tab
from puzzlemc.reports.serve.app import application
from puzzlemc.reports.serve.questions import Glance, Judge
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts
from puzzlemc.reports.serve.tables import about, palette
from puzzlemc.reports.serve.worker_pool import WorkerPool
from puzzlemc.screens.tetravex.pictures import waiting

HERE = "http://127.0.0.1:8000"
LIVE = "/secret/live"
MINE = {"origin": HERE, "host": "127.0.0.1:8000"}
SMALL = """\
#######
#.$  @#
# #   #
#######"""

ROOM = "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    start_server()
    with TestClient(application("secret", most=2), base_url=HERE) as opened:
        yield opened


@pytest.fixture
def socket(client: TestClient) -> Iterator[Any]:
    with client.websocket_connect(LIVE, headers=MINE) as opened:
        yield opened


def asked(socket: Any, ask: str, number: int = 1, **fields: Any) -> dict[str, Any]:
    """The answers to a question, by kind."""
    socket.send_text(json.dumps({"ask": ask, "n": number, "puzzle": "sokoban", **fields}))
    found: dict[str, Any] = {}
    while "done" not in found:
        answer = socket.receive_json()
        if answer["n"] == number:
            found[answer["kind"]] = answer
    assert found["done"]["failed"] == ""
    return found


def test_a_solvable_level_has_its_cost_its_number_of_solutions_and_dead_squares(socket: Any) -> None:
    found = asked(socket, "judge", text=SMALL)
    assert (found["verdict"]["verdict"], found["verdict"]["cost"]) == ("solvable", 1)
    assert found["verdict"]["checked"]
    assert found["hard"]["shortest"] == 1
    assert [1, 1] not in found["lost"]["cells"]
    assert [2, 1] in found["lost"]["cells"]


def test_an_unsolvable_level_has_a_reason_with_its_cells(socket: Any) -> None:
    found = asked(socket, "judge", text=CORNERED)
    assert found["verdict"]["verdict"] == "unsolvable"
    assert len(found["why"]["cells"]) == 1
    assert "corner" in found["why"]["words"]


def test_changes_are_searched_beside_the_verdict_and_end_with_the_next_question(socket: Any) -> None:
    def ask(ask: str, number: int, text: str, **more: Any) -> None:
        socket.send_text(json.dumps({"ask": ask, "n": number, "puzzle": "sokoban", "text": text, **more}))

    ask("judge", 1, CORNERED)
    ask("suggest", 2, CORNERED, want="solvable")
    kinds: dict[int, set[str]] = {1: set(), 2: set()}
    while any("done" not in each for each in kinds.values()):
        answer = socket.receive_json()
        kinds[answer["n"]].add(answer["kind"])
    assert "verdict" in kinds[1]
    assert kinds[2] == {"suggest", "done"}
    ask("suggest", 3, ROOM, want="harder")
    ask("judge", 4, SMALL)
    numbers = set()
    for number, text in ((4, ""), (5, "nothing")):
        if text:
            time.sleep(0.5)  # in which the first changes were found
            ask("open", number, text)
        while (answer := socket.receive_json())["kind"] != "done" or answer["n"] != number:
            numbers.add(answer["n"])
    assert numbers == {4, 5}
    ask("suggest", 6, ROOM, want="harder")
    socket.send_text(json.dumps({"ask": "stop", "n": 6}))
    while (answer := socket.receive_json())["kind"] != "done":
        pass
    assert (answer["n"], answer["stopped"]) == (6, True)


def test_what_is_no_level_has_faults_with_their_places(socket: Any) -> None:
    (fault,) = asked(socket, "judge", text="#####\n#@$.\n#####")["faults"]["faults"]
    assert (fault["line"], fault["column"]) == (2, 5)
    (fault,) = asked(socket, "judge", text="nothing")["faults"]["faults"]
    assert "expected rows" in fault["message"]


def test_a_pasted_text_becomes_a_level_to_draw_on(socket: Any) -> None:
    found = asked(socket, "open", puzzle="", text="Title: x\r\n4#\r\n#@-$.#\r\n6#")["opened"]
    assert found["puzzle"] == "sokoban"
    assert found["faults"] != []
    found = asked(socket, "open", puzzle="", text="6#|#@-$.#|6#")["opened"]
    assert found["sheet"]["rows"][1] == list("#@ $.#")


def test_keys_and_pointers_play_by_the_rules(socket: Any) -> None:
    played = asked(socket, "play", text=SMALL, moves=[], keys=["left", "left", "up", "left"])
    assert played["position"]["moves"] == ["l", "l", "L"]
    assert played["position"]["solved"]
    walked = asked(socket, "play", text=SMALL, moves=[], pointer=[2, 3, 2, 3])["position"]
    assert (sorted(walked["moves"]), walked["costs"]) == (["d", "l", "l"], {"pushes": 0, "moves": 3})
    dragged = asked(socket, "play", text=SMALL, moves=[], pointer=[1, 2, 1, 1])["position"]
    assert dragged["moves"] == ["l", "l", "L"]
    assert asked(socket, "play", text=SMALL, moves=["u"])["faults"]


def test_advice_says_what_is_left_and_which_move_lost(socket: Any) -> None:
    level = "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######"
    found = asked(socket, "play", text=level, moves=["l"])["advice"]
    assert (found["solvable"], found["left"], found["next"]) == (True, 1, ["r", "U"])
    found = asked(socket, "play", text=level, moves=[*"luurDDlu"])
    lost, why = found["advice"], found["why"]
    assert (lost["solvable"], lost["since"], lost["exact"]) == (False, 6, True)
    assert ("never leave its row" in why["words"], why["cells"]) == (True, [[4, 3]])  # where the box is now


def test_advice_against_chance_is_an_input_and_an_outcome_that_is_drawn(socket: Any) -> None:
    games = ROOT / "tests" / "chance_games"
    goose, pads = ((games / f"{name}.txt").read_text(encoding="utf-8") for name in ("goose", "pads"))
    about: dict[str, Any] = {"puzzle": "puzzlescript", "level": 1}
    drawn = set[str]()
    for number in range(20):
        found = asked(socket, "play", number, text=goose, moves=[], **about)["advice"]
        assert (found["left"], found["optimal"], found["sure"], found["say"]) == (5, True, True, ["go down"])
        assert (found["from"], found["to"]) == ([], [])
        drawn |= set(found["next"])
    assert drawn == {"down:1", "down:2"}
    lucky = asked(socket, "play", text=pads, moves=[], **about)["advice"]
    assert (lucky["left"], lucky["sure"], lucky["next"]) == (3, False, ["right:2"])
    assert asked(socket, "play", text=SMALL, moves=[])["advice"]["sure"] is None


def test_a_newer_question_ends_an_older_one(socket: Any) -> None:
    socket.send_text(json.dumps({"ask": "judge", "n": 1, "puzzle": "sokoban", "text": hard(6)}))
    time.sleep(0.2)
    began = time.monotonic()
    assert asked(socket, "judge", 2, text=ONE_PUSH)["verdict"]["verdict"] == "solvable"
    assert time.monotonic() - began < 5


def test_other_pages_are_not_disturbed(client: TestClient, socket: Any) -> None:
    with client.websocket_connect(LIVE, headers=MINE) as other:
        other.send_text(json.dumps({"ask": "judge", "n": 7, "puzzle": "sokoban", "text": hard(6)}))
        assert asked(socket, "judge", text=ONE_PUSH)["verdict"]["cost"] == 1


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/secret/", {}, 200),
        ("/secret/app/app.js", {}, 200),
        ("/secret/", {"host": "evil.example:8000"}, 421),
        ("/secret/", {"origin": "http://evil.example"}, 403),
        ("/secret/", {"sec-fetch-site": "cross-site"}, 403),
        ("/secret/", {"content-length": "100000000"}, 413),
        ("/secret/verify", {"content-length": "100000000"}, 413),
        ("/secret/verify", {}, 404),
        ("/", {}, 404),
        ("/secre/", {}, 404),
        ("/secret/../pool.py", {}, 404),
        ("/secret/%2e%2e%2fbench.py", {}, 404),
    ],
)
def test_only_the_page_itself_is_served(
    client: TestClient, path: str, headers: dict[str, str], status: int
) -> None:
    got = client.get(path, headers=headers)
    assert got.status_code == status
    if status == 200:
        policy = got.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert got.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        (LIVE, {"host": "127.0.0.1:8000"}),
        (LIVE, MINE | {"origin": "http://evil.example"}),
        (LIVE, MINE | {"host": "evil.example"}),
        (LIVE, {"origin": "http://evil.example", "host": "evil.example"}),
        ("/other/live", MINE),
    ],
)
def test_no_other_page_opens_a_socket(client: TestClient, path: str, headers: dict[str, str]) -> None:
    with (
        pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
        client.websocket_connect(path, headers=headers),
    ):
        pass


@pytest.mark.parametrize(
    "message",
    [
        "{",
        "[]",
        '{"ask":"judge","n":1}',
        '{"ask":"exec","n":1}',
        json.dumps({"ask": "judge", "n": 1, "text": "x" * 200_000}),
    ],
)
def test_what_is_no_question_closes_the_page(socket: Any, message: str) -> None:
    socket.send_text(message)
    with pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    assert closed.value.code == tab.CLOSE_BAD


def test_a_flood_is_shed(socket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "BURST", 5)
    for number in range(100):
        socket.send_text(json.dumps({"ask": "open", "n": number, "puzzle": "sokoban", "text": ""}))
    closed = None
    while closed is None:
        try:
            socket.receive_text()
        except WebSocketDisconnect as error:
            closed = error.code
    assert closed == tab.CLOSE_FLOOD


def test_a_closed_pool_leaves_no_process() -> None:
    start_server()

    async def served() -> list[int]:
        pool, answers = WorkerPool(1, 1), []
        pool.fill()
        asked = asyncio.ensure_future(pool.run(Judge(1, "sokoban", hard(6)), answers.append, asyncio.Event()))
        while not answers:
            await asyncio.sleep(0.01)
        processes = [each.process._process.pid for each in pool._workers if each.process._process is not None]
        pool.close()
        await asyncio.wait([asked], timeout=5)
        return processes

    processes = in_a_loop(served())
    wait_until(lambda: are_gone(processes))


def test_a_page_that_is_closed_before_a_worker_is_warm_leaves_its_room_to_the_next_one() -> None:
    start_server()

    async def answered() -> list[dict[str, Any]]:
        pool, answers = WorkerPool(1, 1), list[dict[str, Any]]()
        pool.fill()
        question = Judge(1, "sokoban", ONE_PUSH)
        closed = asyncio.ensure_future(pool.run(question, answers.append, asyncio.Event()))
        await asyncio.sleep(0)  # it waits for the first worker now
        closed.cancel()
        await asyncio.wait([closed])
        assert closed.cancelled()
        try:
            await asyncio.wait_for(pool.run(question, answers.append, asyncio.Event()), 60)
            await asyncio.sleep(0)
        finally:
            pool.close()
        return answers

    found = in_a_loop(answered())
    assert "verdict" in {each["kind"] for each in found}


def test_every_drawing_reads_its_first_level_and_writes_it_again() -> None:
    for rules in puzzles().values():
        if rules.drawing is None:
            continue
        drawing = rules.drawing()
        sheet = drawing.sheet(drawing.first)
        assert sheet is not None
        written = "\n".join(filter(None, [sheet.above, *map(drawing.between.join, sheet.rows), sheet.below]))
        (level,) = rules.screen.parse(drawing.first, "first")
        (again,) = rules.screen.parse(written, "first")
        assert again == level


def test_the_tables_of_the_page_are_those_of_the_puzzles(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A puzzle from a file, which adds colours, changes none of them."""
    monkeypatch.setitem(puzzles_module._colours, "lamp", ("#000000", "#ffffff"))
    again = "run python tools/workbench_tables.py"
    assert client.get("/secret/about.json").json() == json.loads(json.dumps(about())), again
    assert client.get("/secret/palette.css").text.strip() == palette(), again


def test_the_page_is_small_and_asks_for_nothing_elsewhere() -> None:
    folder = files("puzzlemc.reports.serve").joinpath("static")
    assert isinstance(folder, Path)
    own = [path for path in folder.rglob("*") if path.is_file() and path.name != "editor.bundle.js"]
    static = [path.read_text(encoding="utf-8") for path in own]
    assert sum(map(len, static)) < 400_000
    page = "".join(static).replace("http://www.w3.org/", "")
    assert "https://" not in page
    assert "http://" not in page
    assert "innerHTML" not in page


def test_every_puzzle_that_is_drawn_gets_a_verdict_on_its_first_level(socket: Any) -> None:
    for number, (name, rules) in enumerate(puzzles().items(), 10):
        if rules.drawing is not None:
            found = asked(socket, "judge", number, puzzle=name, text=rules.drawing().first)
            assert found["verdict"]["verdict"] == "solvable", name
            assert ("layout" in found) == (rules.optimisation is not None)


@pytest.fixture
def glide() -> Iterator[str]:
    """The file of a puzzle that is not installed, known in this process for a while."""
    yield add(str(WRITTEN / "glide.py")).origin
    puzzles.cache_clear()


def test_a_puzzle_in_a_file_is_drawn_judged_and_played(glide: str) -> None:
    start_server()
    entries = load(str(WRITTEN / "levels.glide"), glide)
    with TestClient(application("secret", entries=entries, own=(glide,), most=1), base_url=HERE) as client:
        known = client.get("/secret/about.json").json()["glide"]
        assert [brush[1] for brush in known["brushes"]] == ["ice", "wall", "flag", "sledge"]
        assert (known["metrics"], known["points"], known["single"]) == (
            ["slides", "cells"],
            "click or drag on the board",
            [{"@": "."}],
        )
        levels = client.get("/secret/document/0").json()["levels"]
        asked_of = [{"ask": "glance", "n": 0, "puzzle": "glide", "text": each["text"]} for each in levels]
        verdicts = [client.post("/secret/glance", json=each, headers=MINE).json()["verdict"] for each in asked_of]
        assert verdicts == ["solvable", "solvable", "unsolvable"]
        text = "@..!\n....\n...#\n"
        with client.websocket_connect(LIVE, headers=MINE) as socket:
            assert asked(socket, "judge", 1, puzzle="glide", text=text)["verdict"]["cost"] == 1
            faults = asked(socket, "judge", 2, puzzle="glide", text="@x!\n")["faults"]["faults"]
            assert [(each["message"][:9], each["line"], each["column"]) for each in faults] == [
                ("found 'x'", 1, 2)
            ]


def test_a_page_names_no_file() -> None:
    start_server()
    with TestClient(application("secret", most=1), base_url=HERE) as client:
        with client.websocket_connect(LIVE, headers=MINE) as socket:
            found = asked(socket, "judge", 1, puzzle=str(WRITTEN / "glide.py"), text="@.!\n")
        assert found["faults"]["faults"][0]["message"] == "found no such puzzle"


def test_a_puzzle_of_a_known_name_is_refused(tmp_path: Path) -> None:
    text = (WRITTEN / "glide.py").read_text(encoding="utf-8")
    (tmp_path / "other.py").write_text(text.replace('name="glide"', 'name="folding"'))
    with pytest.raises(ModelError, match=r"other\.py: a puzzle called 'folding' is known already"):
        add(str(tmp_path / "other.py"))


def test_a_collection_is_listed_judged_and_saved_with_a_backup(tmp_path: Path) -> None:
    start_server()
    text = f"; one\n\n{ONE_PUSH}\n; two\n\n{CORNERED}\n; three\n\n{ONE_PUSH}"
    path = tmp_path / "a.xsb"
    path.write_text(text)
    app = application("secret", entries=load(str(path)), most=1)
    with TestClient(app, base_url=HERE) as client:

        def posted(place: str, **what: Any) -> Any:
            return client.post(f"/secret/{place}", json=what, headers=MINE)

        (listed,) = client.get("/secret/documents.json").json()
        assert [each["at"] for each in listed["levels"]] == [0, 1, 2]
        found = client.get("/secret/document/0").json()
        assert (found["text"], found["locked"], found["shared"]) == (text, "", False)
        second = found["levels"][1]["text"]
        glance = {"ask": "glance", "n": 0, "puzzle": "sokoban"}
        assert posted("glance", **glance, text=second).json()["verdict"] == "unsolvable"
        for place in ("document/1", "document/1/was"):
            assert client.get(f"/secret/{place}").status_code == 404
        taller = "#######\n#     #\n#@ $ .#\n#     #\n#######"
        rows_of_it = CORNERED.partition("\nTitle")[0]
        changes = [{"change": "replace", "at": 1, "text": second.replace(rows_of_it, taller)}]
        made = posted("edit", puzzle="sokoban", text=text, changes=changes).json()
        form, was = found["form"], found["was"]
        saved = posted("document/0", text=made["text"], form=form, was=was).json()
        assert path.read_text() == made["text"] == text.replace(rows_of_it, taller)
        assert client.get("/secret/document/0/was").json() == saved["was"]
        assert posted("glance", **glance, text=made["levels"][1]["text"]).json()["verdict"] == "solvable"
        path.write_text("changed elsewhere")
        again = posted("document/0", text=text, form=form, was=saved["was"]).json()
        assert (again["was"], again["theirs"]["text"]) == (None, "changed elsewhere")
        path.unlink()
        assert client.get("/secret/document/0/was").json() == ""
        assert posted("document/0", text=text, form=form, was=saved["was"]).json() == {
            "failed": "",
            "was": None,
            "theirs": None,
        }
        lines = posted("compare", one="a\nb", other="a\nc").json()
        assert lines[1:] == [" a", "-b", "+c"]
        opened = client.post("/secret/open?name=b.xsb", content=text.encode("utf-16"), headers=MINE).json()
        assert (opened["puzzle"], opened["text"]) == ("sokoban", text)
        packed = posted("packed", text=opened["text"], form=opened["form"])
        assert packed.content == text.encode("utf-16")
        nothing = client.post("/secret/open?name=b", content=b"what is this?", headers=MINE).json()
        assert nothing["failed"]
    assert (tmp_path / "a.xsb.bak").read_text() == text
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.xsb.bak"]


@pytest.mark.parametrize("place", ["document/0", "edit", "open", "packed", "compare", "glance", "rows"])
def test_documents_are_asked_for_by_the_page_alone_and_strictly(tmp_path: Path, place: str) -> None:
    path = tmp_path / "a.xsb"
    path.write_text(ONE_PUSH)
    with TestClient(application("secret", entries=load(str(path)), most=1), base_url=HERE) as client:
        body = b'{"text": "", "form": {}, "was": ""}'
        evil = MINE | {"origin": "http://evil.example"}
        assert client.post(f"/secret/{place}", content=body, headers=evil).status_code == 403
        if place != "open":
            for bad in (b"{", b'{"text": 1}', b'{"puzzle": "sokoban", "other": ""}'):
                assert client.post(f"/secret/{place}", content=bad, headers=MINE).status_code == 400
        long = MINE | {"content-length": str(1 << 27)}
        assert client.post(f"/secret/{place}", content=body, headers=long).status_code == 413
    assert path.read_text() == ONE_PUSH


def test_all_levels_of_a_text_are_judged_and_each_can_be_played(socket: Any) -> None:
    text = f"{ONE_PUSH}\n\n{CORNERED}\n\n#####\n#@$.#\n###"
    found = asked(socket, "review", text=text)
    assert found["levels"]["titles"] == ["One push", "Cornered", ""]
    assert [found[f"level {number}"]["verdict"] for number in range(3)] == ["solvable", "unsolvable", "error"]
    assert found["level 2"]["faults"][0]["line"] == len(text.split("\n"))
    assert asked(socket, "judge", text=text, level=1)["verdict"]["verdict"] == "unsolvable"
    assert not asked(socket, "play", text=text, level=1, moves=[])["advice"]["solvable"]


def test_a_certificate_is_made_and_checked_and_a_forged_one_is_refuted(client: TestClient, socket: Any) -> None:
    made = asked(socket, "make", text=SMALL, what="certificate")["file"]
    assert made["failed"] == ""
    served = client.get(f"/secret/file/{made['file']}")
    assert served.headers["content-disposition"] == "attachment"
    proof = served.content
    assert client.get("/secret/file/99").status_code == 404
    forged = proof.replace(b'"cost": 1', b'"cost": 2')
    for data, status in ((proof, "valid"), (forged, "refuted"), (b"{" + bytes(1 << 20), "unreadable")):
        assert client.post("/secret/verify", content=data).json()["status"] == status
    corner = asked(socket, "make", text=CORNERED, what="certificate")["file"]
    assert corner["failed"] == ""


def test_a_formula_has_an_answer_with_moves(socket: Any) -> None:
    lost = asked(socket, "ask", text=SMALL, formula="EF dead")["answer"]
    assert (lost["failed"], lost["holds"]) == ("", False)
    won = asked(socket, "ask", text=SMALL, formula="EF solved")["answer"]
    assert (won["holds"], won["moves"]) == (True, ["l", "l", "L"])
    assert "column" in asked(socket, "ask", text=SMALL, formula="EF (")["answer"]["failed"]


def test_a_game_of_two_sides_is_played_against_a_bot_and_the_prover_says_who_wins(socket: Any) -> None:
    game = puzzles()["fabrik"]
    assert game.drawing is not None
    level = {"puzzle": "fabrik", "text": game.drawing().first}
    start = asked(socket, "play", moves=[], **level)["position"]
    cursor, legal, _ = start["marks"]
    assert (cursor, legal, start["turn"], start["over"]) == ([4, 4], [], 0, "")
    # up to D3, pick the worker up; down to D6, put it down
    keys = ["up", "enter", "down", "down", "down", "enter"]
    picked = asked(socket, "play", 2, moves=[], keys=keys, **level)["position"]
    assert picked["moves"] == []
    assert [5, 5] in picked["marks"][1]
    won = asked(socket, "play", 3, moves=[], keys=[*keys, "up", "right", "enter"], **level)["position"]
    assert (won["moves"], won["over"] != "") == (["D3-D6/E5"], True)
    proof = asked(socket, "play", 4, moves=[], prove=True, **level)["proof"]
    assert (proof["winner"], proof["turns"]) == (0, 1)
    assert all(move.endswith("/E5") and said.endswith("stone on E5") for move, said in proof["moves"])
    row, column = next(cell for cell in picked["marks"][1] if cell != [5, 5])
    move = f"D3-D6/{'ABCDEFG'[column - 1]}{row}"
    replied = asked(socket, "play", 5, moves=[move], bot="random", **level)["position"]
    assert len(replied["moves"]) == 2


def test_other_levels_are_like_the_first_one(socket: Any) -> None:
    found = asked(socket, "another", text=ROOM, cost=4, seed=1)["another"]
    assert (found["failed"], found["done"]) == ("", True)
    for each in found["levels"]:
        assert sum(row.count("$") + row.count("*") for row in each["sheet"]["rows"]) == 1
    judged = asked(socket, "judge", 2, text=found["levels"][0]["text"])["verdict"]
    assert judged["verdict"] == "solvable"
    fabrik = asked(socket, "another", 3, puzzle="fabrik", text=". .\n. .")["another"]
    assert fabrik["failed"] != ""


def test_the_best_layout_is_a_blueprint(socket: Any) -> None:
    drawing = puzzles()["factorio"].drawing
    assert drawing is not None
    made = asked(socket, "make", puzzle="factorio", text=drawing().first, what="blueprint")["file"]
    assert made["text"].startswith("0eN")
    assert asked(socket, "make", 2, text=SMALL, what="blueprint")["file"]["failed"] != ""


REFUSED = {  # formats that do not suit a level, with words of the reason
    "factorio": {
        "dot": "initial states",
        "graphml": "initial states",
        "pddl": "initial state",
        "sas": "initial state",
    },
    "puzzlescript": dict.fromkeys(("aiger", "btor2", "dimacs", "pddl", "sas", "smv"), "has the command again"),
}


@pytest.mark.parametrize("name", list(OWN))
def test_every_format_that_the_page_offers_is_a_file_or_has_a_reason(socket: Any, name: str) -> None:
    known = about()[name]
    text = "Tetravex 1\n1 2 3 4" if name == "tetravex" else known["first"]
    why = {}
    for number, to in enumerate(known["exports"]):
        made = asked(socket, "make", number, puzzle=name, text=text, what="export", to=to, bound=2)["file"]
        if made["failed"]:
            why[to] = made["failed"]
        else:
            assert made["name"].startswith(f"level.{to}")
            assert made["data"] > 0
    assert why.keys() == REFUSED.get(name, {}).keys()
    assert all(words in why[to] for to, words in REFUSED.get(name, {}).items())
    assert bool(known["exports"]) == (name != "fabrik")
    assert asked(socket, "make", 99, puzzle=name, text=text, what="export", to="../x")["file"]["failed"]


def test_an_export_has_the_bytes_of_the_command(client: TestClient, socket: Any, tmp_path: Path) -> None:
    level = tmp_path / "level.xsb"
    level.write_text(SMALL)
    puzzlemc("export", str(level), "--to", "aiger", "-o", str(tmp_path / "level.aiger"))
    made = asked(socket, "make", text=SMALL, what="export", to="aiger")["file"]
    got = client.get(f"/secret/file/{made['file']}", headers={"host": HERE.removeprefix("http://")})
    assert got.content == (tmp_path / "level.aiger").read_bytes()


def test_verdicts_of_a_store_are_listed_at_once_and_new_ones_are_written_to_it(tmp_path: Path) -> None:
    start_server()
    levels = tmp_path / "a.xsb"
    levels.write_text(f"; one\n\n{ONE_PUSH}\n; two\n\n{CORNERED}")
    entries = load(str(levels))

    def verdicts(shelf: Shelf) -> list[str | None]:
        (document,) = shelf.listed()
        return [each["found"] and each["found"]["verdict"] for each in document["levels"]]

    def listed(*seen: int) -> list[str | None]:
        async def asked() -> list[str | None]:
            pool = WorkerPool(1, 1)
            with Store(tmp_path / "a.sqlite", writing=True) as store:
                shelf = Shelf(entries, StoredVerdicts(store, entries))
                found = verdicts(shelf)
                known = {"verdict", "cost", "metric", "best", "optimal", "states", "picture", "level"}
                for at in seen:
                    text = shelf.document(0)["levels"][at]["text"]
                    assert set(await shelf.glance(Glance(0, "sokoban", text), pool)) == known
            pool.close()
            return found

        return in_a_loop(asked())

    assert listed(1) == [None, None]
    assert listed(1) == [None, "unsolvable"]
    with Store(tmp_path / "a.sqlite") as store:
        assert [(each["id"], each["verdict"]) for each in rows(store)] == [(f"{levels}#2", "unsolvable")]
    batch = puzzlemc("batch", str(levels), "--store", str(tmp_path / "a.sqlite"))
    assert "solved in this run: 1;" in batch.stdout
    assert listed() == ["solvable", "unsolvable"]
    with Store(tmp_path / "a.sqlite", writing=True) as store:
        shelf = Shelf(entries, StoredVerdicts(store, entries))
        found = shelf.document(0)
        text = edit(Edit("sokoban", found["text"], [Insert(2, CORNERED)])).text
        assert shelf.save(0, text, found["form"], found["was"])["was"]
        assert [each["found"]["verdict"] for each in shelf.document(0)["levels"]] == [
            "solvable",
            "unsolvable",
            "unsolvable",
        ]


def test_the_moves_from_a_position_have_distances_and_lost_ones_are_marked(socket: Any) -> None:
    around = asked(socket, "play", text=ROOM, moves=[*"luur"], explore=True)["around"]
    assert around["states"] > 50
    ways = {name: left for name, _, left, _ in around["ways"]}
    assert ways == {"l": 1, "r": 1, "D": 2}
    lost = asked(socket, "play", 2, text=ROOM, moves=[*"luurD"], explore=True)["around"]
    assert {name: left for name, _, left, _ in lost["ways"]}["D"] is None
    large = asked(socket, "play", 3, text=hard(6), moves=[], explore=True, advice=False)["around"]
    assert large["states"] is None
    assert {left for *_, left, _ in large["ways"]} == {None}


def test_heat_maps_count_positions_and_lost_ones(socket: Any) -> None:
    heat = asked(socket, "judge", text=ROOM)["hard"]["heat"]
    boxes = {(row, column): (states, lost) for row, column, states, lost in heat["box"]}
    assert boxes[1, 3][1] == 0  # the goal
    states, lost = boxes[1, 1]  # a corner
    assert states == lost > 0


def test_a_report_names_its_scripts_and_has_no_origin(client: TestClient, socket: Any) -> None:
    made = asked(socket, "make", text=SMALL, what="report")["file"]
    served = client.get(f"/secret/file/{made['file']}")
    policy = served.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts")
    assert "unsafe" not in policy.partition("script-src")[2].partition(";")[0]
    assert "allow-same-origin" not in policy
    assert "'sha256-" in policy


@pytest.mark.parametrize(
    ("puzzle", "text", "pointer", "moves"),
    [
        ("folding", " 1  0\n 2  2", [0, 0, 0, 1], ["1R"]),
        ("folding", " 1  0\n 2  2", [0, 0, 1, 0], []),
        ("tetravex", "swap", [0, 1, 0, 0], ["1,1-1,2"]),
        ("tetravex", "swap", [0, 0, 0, 9], []),
        ("tetravex", "put", None, None),
    ],
)
def test_a_drag_folds_a_block_puts_a_tile_and_swaps_two(
    socket: Any, puzzle: str, text: str, pointer: list[int] | None, moves: list[str] | None
) -> None:
    if puzzle == "tetravex":
        games = load(str(ROOT / "screens" / "levels" / "tetravex" / "games.tetravex"))
        level = next(each.level for each in games if each.level.rules == text)
        text = puzzles()["tetravex"].screen.draw(level)
        if pointer is None:  # the first legal move, as a drag
            (step, *_) = puzzles()["tetravex"].rules.steps(level, level.start)
            tile, _, cell = step.name.partition("@")
            row, column = (int(part) - 1 for part in cell.split(","))
            pointer, moves = [*waiting(level)[int(tile)], row, column], [step.name]
    found = asked(socket, "play", puzzle=puzzle, text=text, moves=[], pointer=pointer)
    assert found["position"]["moves"] == moves


def test_a_level_of_a_game_says_where_its_rows_are_and_which_signs_they_take(socket: Any) -> None:
    game = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text()
    shown = asked(socket, "judge", puzzle="puzzlescript", text=game, level=1)["picture"]
    rows = game.split("\n")[shown["line"] - 1 :][: shown["picture"]["height"]]
    assert {len(row) - shown["column"] + 1 for row in rows} == {shown["picture"]["width"]}
    signs = {sign: shapes for sign, _, shapes in shown["signs"]}
    assert set("".join(rows)) <= set(signs)
    assert signs["#"] != signs["."]


def test_a_fault_of_a_game_is_the_answer_about_each_of_its_levels(socket: Any) -> None:
    game = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text()
    broken = game.replace("[ > Miner | Soil ]", "[ > Miner | Sol ]")
    line = 1 + broken.split("\n").index("[ > Miner | Sol ] -> [ > Miner | ]")
    for number in range(2):
        (fault,) = asked(socket, "judge", puzzle="puzzlescript", text=broken, level=number)["faults"]["faults"]
        assert ("found 'sol'" in fault["message"], fault["line"]) == (True, line)
    assert asked(socket, "review", puzzle="puzzlescript", text=broken)["levels"]["titles"] == []
    (fault,) = asked(socket, "judge", puzzle="puzzlescript", text=game, level=8)["faults"]["faults"]
    assert fault["message"] == "found 8 levels, expected at least 9"


def test_lint_is_about_all_levels_of_a_game(socket: Any) -> None:
    game = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text()
    idle = "[ > Miner | Soil ] -> [ > Miner | Soil ]"
    faulty = game.replace("[ > Miner | Soil ]", f"{idle}\n[ > Miner | Soil ]", 1)
    line = 1 + faulty.split("\n").index(idle)
    for text, warnings in (
        (game, []),
        (faulty, [{"message": "rule changes nothing, and has no command", "line": line, "column": 1}]),
        (f"{faulty}\n\n?", []),  # a level with an error
    ):
        assert asked(socket, "review", puzzle="puzzlescript", text=text)["lint"]["warnings"] == warnings
    assert asked(socket, "review", text=ONE_PUSH)["lint"]["warnings"] == []


def test_a_click_and_a_swipe_are_turns_of_a_game_and_each_key_says_whether_it_does_something(socket: Any) -> None:
    shaft = {"puzzle": "puzzlescript", "text": (ROOT / "screens/levels/puzzlescript/shaft.txt").read_text()}
    start = asked(socket, "play", moves=[], **shaft)["position"]
    assert start["pad"] == {"up": False, "left": False, "down": False, "right": True}
    assert start["legal"] == []
    for pointer, moves in (
        ([1, 2, 1, 2], ["right"]),  # beside the player
        ([1, 5, 1, 5], ["right"]),  # in its row
        ([1, 1, 1, 1], []),  # the player, without an action
        ([3, 5, 3, 5], []),  # not in line
        ([4, 0, 4, 3], ["right"]),  # a swipe, wherever
        ([3, 3, 0, 3], []),  # up, into the wall
    ):
        assert asked(socket, "play", moves=[], pointer=pointer, **shaft)["position"]["moves"] == moves
    breaks = "[ action Miner | Boulder ] -> [ action Miner | ]\n"
    rule = "[ > Miner | Soil ]"
    shaft["text"] = shaft["text"].replace("noaction\n", "").replace(rule, breaks + rule)
    assert asked(socket, "play", moves=["right"], **shaft)["position"]["pad"]["x"]
    assert asked(socket, "play", moves=["right"], pointer=[1, 2, 1, 2], **shaft)["position"]["moves"] == [
        "right",
        "action",
    ]
    assert asked(socket, "play", text=SMALL, moves=[])["position"]["pad"] == {
        "up": False,
        "left": True,
        "down": True,
        "right": False,
    }


def test_a_hint_is_in_words_with_its_cells(socket: Any) -> None:
    level = "#######\n#  .  #\n#  $  #\n#     #\n#@    #\n#######"
    found = asked(socket, "play", text=level, moves=[])["advice"]
    assert found["say"][-1] == "push up"
    assert sorted(set(found["say"][:-1])) == ["go right", "go up"]
    assert (found["from"], found["to"], found["way"][-1]) == ([[2, 3]], [[1, 3]], [3, 3])
    fold = asked(socket, "play", puzzle="folding", text=" 1  0\n 2  2", moves=[])["advice"]
    assert (fold["say"], fold["from"], fold["to"]) == (["fold 1 right"], [[0, 0]], [[0, 1]])


def test_solutions_of_folding_blocks_are_counted_as_in_its_report(socket: Any) -> None:
    hard = asked(socket, "judge", puzzle="folding", text=" 1  0  0  0\n 0  0  0  0\n 0  0  0  0\n 0  0  2  2")[
        "hard"
    ]
    assert (hard["count"], hard["shortest"], hard["forced"]) == (2, 90, 0)


def test_positions_of_tetravex_are_those_of_the_game_that_is_played(socket: Any) -> None:
    """Without a game in its text, too; there, the order of the moves is no part of a solution."""
    entry = load(str(ROOT / "screens" / "levels" / "tetravex" / "one_way.tetravex"))[1]
    assert entry.part is not None
    text = entry.part.text
    hard = asked(socket, "judge", puzzle="tetravex", text=text)["hard"]
    rules, level = entry.puzzle.rules, playable(entry.level)
    reached, new = {level.start}, [level.start]
    while new:
        new = list({step.position for each in new for step in rules.steps(level, each)} - reached)
        reached |= {*new}
    assert (hard["states"], hard.get("shortest"), hard["count"]) == (len(reached), None, 1)


def test_a_game_and_a_constraint_of_an_author_are_judged_and_played() -> None:
    """A draw is an answer, for the level and for each position."""
    start_server()
    noughts, houses = (add(str(ROOT / "examples" / f"{name}.py")) for name in ("noughts", "houses"))
    try:
        own = (noughts.origin, houses.origin)
        with (
            TestClient(application("secret", own=own, most=1), base_url=HERE) as client,
            client.websocket_connect(LIVE, headers=MINE) as socket,
        ):
            level = {"puzzle": "noughts", "text": "...\n...\n..."}
            verdict = asked(socket, "judge", 1, **level)["verdict"]
            assert (verdict["verdict"], verdict["game"]["winner"], verdict["game"]["draw"]) == (
                "unsolvable",
                None,
                True,
            )
            proof = asked(socket, "play", 2, moves=["2,2"], prove=True, **level)["proof"]
            assert (proof["winner"], proof["draw"], proof["moves"]) == (None, True, [])
            proof = asked(socket, "play", 3, moves=["2,2", "1,2"], prove=True, **level)["proof"]
            assert (proof["winner"], proof["draw"], len(proof["moves"]) > 0) == (0, False, True)
            text = "people: Ann Bob\npets: cat dog\ndrinks: tea milk\nclues: Ann-in-cat"
            found = asked(socket, "judge", 4, puzzle="houses", text=text)
            assert (found["verdict"]["verdict"], found["verdict"]["arranges"]) == ("solvable", "value")
            assert found["hard"]["count"] == 4
    finally:
        puzzles.cache_clear()
