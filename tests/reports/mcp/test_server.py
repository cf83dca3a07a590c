"""`puzzlemc mcp` as a client sees it: the SDK's own client starts the program, which all tests share."""

import base64
import json
import math
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from command import CORNERED, MAIN, ONE_PUSH, hard, script, write
from jsonschema import Draft202012Validator, validate
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, ImageContent, TextContent
from PIL import Image
from places import ROOT
from processes import wait_until, workers_of

from puzzlemc.encodings.puzzles import OWN
from puzzlemc.reports.mcp.arguments import MOST_TEXT
from puzzlemc.reports.mcp.server import MOST_ANSWER
from puzzlemc.reports.mcp.transport import MOST_LINE
from puzzlemc.reports.starter.writing import write_puzzle

SLACK = 15.0  # seconds, for a busy machine
ROOM = "#######\n#     #\n# $@. #\n#     #\n#######"
TETRAVEX = "Tetravex 2\n3 0 1 2\n7 7 8 1\n0 5 4 6\n7 9 2 4\n"
DOMAIN = "(define (domain d) (:predicates (p)) (:action a :parameters () :effect (p)))"
PROBLEM = "(define (problem q) (:domain d) (:init) (:goal (p)))"


@dataclass(frozen=True)
class Asking:
    """A client, and the thread in which it lives.

    folder  the folder that the server may read; `secret.xsb` lies beside it
    log     what the server has written to standard error
    """

    portal: BlockingPortal
    client: Client
    folder: Path
    log: Path
    pid: int

    def ask(self, tool: str, **arguments: Any) -> CallToolResult:
        """The result of a call."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def told(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call, which must not fail."""
        found = self.ask(tool, **arguments)
        assert not found.is_error, words(found)
        assert json.loads(words(found)) == found.structured_content
        return dict(found.structured_content)

    def refused(self, tool: str, **arguments: Any) -> str:
        """The words of a call that fails."""
        found = self.ask(tool, **arguments)
        assert found.is_error, found.structured_content
        return words(found)


def words(found: CallToolResult) -> str:
    """The text of a result."""
    first = found.content[0]
    assert isinstance(first, TextContent)
    return first.text


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """A server that may read one folder, with a puzzle of one's own that writes to standard output."""
    place = tmp_path_factory.mktemp("mcp")
    folder = place / "levels"
    folder.mkdir()
    write(folder / "one.xsb", ONE_PUSH)
    write(folder / "two.sok", f"{ONE_PUSH}\n{CORNERED}")
    write(place / "secret.xsb", CORNERED)
    write(folder / "odd.text", "good morning")
    (folder / "link.xsb").symlink_to(place / "secret.xsb")
    (folder / "outside").symlink_to(place)
    for name, domain in (("near", "near.pddl"), ("far", "far.pddl")):
        (folder / name).mkdir()
        write(folder / name / "problem.pddl", PROBLEM)
        write((folder / name if name == "near" else place) / domain, DOMAIN)
    (folder / "far" / "domain.pddl").symlink_to(place / "far.pddl")
    write_puzzle("coins", "grid", place / "own")
    own = place / "own" / "coins.py"
    write(own, own.read_text() + "\nprint('the puzzle speaks')\n")
    log = place / "log"
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", MAIN, "mcp", str(folder), "--puzzle", str(own), "--timeout", "20", "--memory", "1"],
    )
    with start_blocking_portal() as portal, log.open("w") as errors:
        before = set(workers_of(os.getpid())) | set(_children())
        with portal.wrap_async_context_manager(Client(stdio_client(server, errlog=errors))) as client:
            (pid,) = set(_children()) - before
            yield Asking(portal, client, folder, log, pid)


def _children() -> list[int]:
    found = []
    for task in Path("/proc/self/task").iterdir():
        found += [int(each) for each in (task / "children").read_text().split()]
    return found


# What it offers


def test_the_schemas_are_json_schemas_whose_fields_are_explained(asking: Asking) -> None:
    tools = asking.portal.call(asking.client.list_tools).tools
    assert {"check", "solve", "explain", "suggest", "replay", "count", "generate", "render"} < {
        each.name for each in tools
    }
    for each in tools:
        for schema in (each.input_schema, each.output_schema):
            assert schema is not None
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        assert each.input_schema["additionalProperties"] is False
        assert len(each.description or "") > 40
        assert each.annotations is not None
        assert each.annotations.read_only_hint


CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "list_levels": ({}, {"more": False, "levels": []}),
    "check": ({"text": ONE_PUSH}, {"verdict": "solvable", "cost": 1, "optimal": True, "checked": True}),
    "solve": (
        {"file": "two.sok", "number": 1, "metric": "moves", "certify": True},
        {"trace": "R", "costs": {"pushes": 1, "moves": 1}, "title": "One push"},
    ),
    "explain": ({"text": CORNERED}, {"verdict": "unsolvable", "checked": True}),
    "suggest": ({"text": CORNERED, "edits": ["boxes"], "most": 1, "count": 2}, {"least": 1, "reached": False}),
    "replay": ({"text": ROOM, "solution": "uU"}, {"status": "invalid", "length": 1}),
    "count": ({"text": TETRAVEX}, {"puzzle": "tetravex", "solutions": 1}),
    "generate": ({"puzzle": "tetravex", "rows": 2, "columns": 2, "seed": 3}, {"reason": None}),
    "render": ({"text": ONE_PUSH, "moves": "R"}, {"moves": 1, "solved": True, "drawing": "#####\n# @*#\n#####"}),
}


@pytest.mark.parametrize("tool", CALLS)
def test_each_tool_answers_as_its_schema_says(asking: Asking, tool: str) -> None:
    arguments, expected = CALLS[tool]
    found = asking.told(tool, **arguments)
    assert {name: found[name] for name in expected} == expected
    tools = asking.portal.call(asking.client.list_tools).tools
    schema = next(each.output_schema for each in tools if each.name == tool)
    assert schema is not None
    validate(found, schema, Draft202012Validator)


def test_a_core_and_a_repair_of_it(asking: Asking) -> None:
    core = asking.told("explain", text=CORNERED)["core"]
    assert (core["objects"], core["checked"]) == (["2,2"], True)
    found = asking.told("suggest", text=CORNERED, count=3)["suggestions"]
    assert {each["kind"] for suggested in found for each in suggested["edits"]} == {"boxes", "goals"}
    for each in found:
        assert each["level"] != CORNERED.strip()
        assert asking.told("check", text=each["level"], puzzle="sokoban")["cost"] == each["cost"]


def test_a_replay_names_the_move_that_loses_and_the_least_cost(asking: Asking) -> None:
    lost = asking.told("replay", text=ROOM, solution="dlUr")
    assert (lost["status"], lost["lost"]["move"], lost["lost"]["name"]) == ("lost", 3, "U")
    assert lost["lost"]["proved"]
    assert lost["drawing"].split("\n")[1] == "# $   #"
    not_lost = asking.told("replay", text=ROOM, solution="u")
    assert (not_lost["status"], not_lost["lost"]["move"]) == ("unsolved", None)
    solved = asking.told("replay", text=ROOM, solution="ulldRR")
    assert (solved["status"], solved["best"], solved["above"]) == ("solves", 2, 0)


def test_the_cheapest_solutions_are_counted_where_all_are_not(asking: Asking) -> None:
    found = asking.told("count", text=ROOM)
    assert found["what"] == "cheapest solutions by pushes, as sets of pushes"
    assert (found["solutions"], found["reason"]) == (1, None)
    assert asking.told("count", text=CORNERED)["solutions"] == 0


def test_the_picture_is_a_png_of_the_position(asking: Asking) -> None:
    start, end = (asking.ask("render", text=ONE_PUSH, moves=moves) for moves in ("", "R"))
    images = []
    for found in (start, end):
        (picture,) = (each for each in found.content if isinstance(each, ImageContent))
        assert picture.mime_type == "image/png"
        image = Image.open(BytesIO(base64.b64decode(picture.data)))
        assert image.format == "PNG"
        assert image.size == (found.structured_content["width"], found.structured_content["height"])
        images.append(image.tobytes())
    assert images[0] != images[1]
    assert math.isclose(start.structured_content["width"] / start.structured_content["height"], 5 / 3)


def test_resources_explain_each_puzzle_and_its_format(asking: Asking) -> None:
    found = [str(each.uri) for each in asking.portal.call(asking.client.list_resources).resources]
    assert "puzzlemc://puzzles/coins" in found
    texts = {uri: asking.portal.call(asking.client.read_resource, uri).contents[0].text for uri in found}  # type: ignore[union-attr]
    assert all(len(text) > 60 for text in texts.values())
    assert "cannot pull" in texts["puzzlemc://puzzles/sokoban"]
    assert "min_pushes" in texts["puzzlemc://puzzles/sokoban"]
    assert "pick up all coins" in texts["puzzlemc://puzzles"]
    assert "(* wall *)" in texts["puzzlemc://formats/sokoban"]
    for uri in ("puzzlemc://formats/../../etc/passwd", "file:///etc/passwd", "puzzlemc://puzzles/nine"):
        with pytest.raises(MCPError, match="expected one that resources/list names"):
            asking.portal.call(asking.client.read_resource, uri)


def test_a_puzzle_of_ones_own_that_was_allowed(asking: Asking) -> None:
    found = asking.told("solve", text=".@...\n.#.#o\n...o.\n", puzzle="coins")
    assert found["cost"] == len(found["trace"]) == 6
    assert "the puzzle speaks" in asking.log.read_text()  # on standard error, not between two messages


# What it refuses

HOSTILE: dict[str, tuple[str, dict[str, Any], str]] = {
    "parent": ("check", {"file": "../secret.xsb"}, "which is outside of"),
    "absolute": ("check", {"file": "/etc/passwd"}, "which is outside of"),
    "missing outside": ("check", {"file": "../nothing.xsb"}, "which is outside of"),
    "link": ("check", {"file": "link.xsb"}, "which is outside of"),
    "folder link": ("solve", {"file": "outside/secret.xsb"}, "which is outside of"),
    "sign": ("check", {"file": "one.xsb#1/../../secret.xsb"}, "which is outside of"),
    "domain by a link": ("check", {"file": "far/problem.pddl"}, "outside of the folders that may be read"),
    "process": ("check", {"file": "/proc/self/environ"}, "which is outside of"),
    "folder": ("check", {"file": "."}, "found no file . below"),
    "nul": ("check", {"file": "one.xsb\0"}, r"found one.xsb\x00, which no file can be called"),
    "line feed": ("check", {"file": "a\nb.xsb"}, r"found no file a\nb.xsb below"),
    "long name": ("check", {"file": "a" * 5000}, "length <= 4096"),
    "long text": ("check", {"text": "#" * 300_000}, "length <= 262144"),
    "python": ("check", {"text": ONE_PUSH, "puzzle": "evil.py"}, "expected one of sokoban,"),
    "unknown puzzle": ("check", {"text": ONE_PUSH, "puzzle": "sokobann"}, "nearest: sokoban"),
    "puzzle with a line feed": ("check", {"text": ONE_PUSH, "puzzle": "a\nb\0"}, r"found 'a\nb\x00'"),
    "python to generate": ("generate", {"puzzle": "evil.py"}, "expected one of sokoban,"),
    "type": ("check", {"text": 5}, "Expected `str | null`, got `int` - at `$.text`"),
    "type of a number": ("check", {"text": ONE_PUSH, "number": "1"}, "Expected `int | null`, got `str`"),
    "truth": ("check", {"text": ONE_PUSH, "certify": 1}, "Expected `bool`, got `int`"),
    "list": ("suggest", {"text": CORNERED, "keep": [[1]]}, "length 2"),
    "unknown argument": ("check", {"text": ONE_PUSH, "level": 1}, "found the argument 'level'"),
    "neither": ("check", {}, "found neither of text and file"),
    "both": ("check", {"text": ONE_PUSH, "file": "one.xsb"}, "found both of text and file"),
    "which": ("check", {"file": "two.sok"}, "expected number: which of them"),
    "which of a text": ("check", {"text": f"{ONE_PUSH}\n{CORNERED}"}, "found several levels"),
    "no such level": ("check", {"text": ONE_PUSH, "number": 7}, "found 1 levels of sokoban, expected 7"),
    "time": ("check", {"text": ONE_PUSH, "timeout": 1000}, "expected at most 20"),
    "no time": ("check", {"text": ONE_PUSH, "timeout": 0}, "> 0"),
    "bad level": ("check", {"text": "###\n#@#\n#?#\n###"}, "text:3:2"),
    "no level": ("check", {"text": "good morning"}, "found no level that is recognised"),
    "metric": ("solve", {"text": ONE_PUSH, "metric": "jumps"}, "unknown metric 'jumps'"),
    "wish": ("suggest", {"text": CORNERED, "want": "nicer"}, "found the wish 'nicer'"),
    "moves": ("render", {"text": ONE_PUSH, "moves": "l"}, "is not legal"),
    "size": ("generate", {"puzzle": "sokoban", "rows": 5}, "found one of rows and columns"),
    "option": ("generate", {"puzzle": "sokoban", "options": {"jobs": 3}}, "unknown option 'jobs'"),
    "option of another kind": ("generate", {"puzzle": "sokoban", "options": {"timeout": 3}}, "found 'timeout'"),
    "no domain": ("check", {"text": PROBLEM}, "expected the domain in the same text\n"),
    "odd file": ("check", {"file": "odd.text"}, "coins; or puzzle NAME\n"),
    "lean": ("suggest", {"text": CORNERED, "want": "lean"}, "; want solvable changes it\n"),
    "wide": (
        "render",
        {"text": f"{'#' * 1300}\n#@$.{' ' * 1295}#\n{'#' * 1300}"},
        "a row of more than 1000 cells",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_bad_call_is_an_error_that_says_what_is_wrong(asking: Asking, case: str) -> None:
    tool, arguments, expected = HOSTILE[case]
    said = asking.refused(tool, **arguments)
    assert expected in f"{said}\n"
    assert " --" not in said, "a client has no command line"
    assert "\n" not in said.replace("\\n", "") or case in {"bad level", "wide"}
    assert "Traceback" not in said
    assert "secret" not in said or "secret" in str(arguments)


def test_an_unknown_tool_is_an_error_of_the_protocol(asking: Asking) -> None:
    with pytest.raises(MCPError, match="found the tool 'chek', expected one of list_levels, check"):
        asking.ask("chek")


def test_a_domain_inside_the_folder_is_read(asking: Asking) -> None:
    assert asking.told("list_levels", file="near/problem.pddl")["levels"][0]["title"] == "q"


def test_files_outside_are_not_listed(asking: Asking) -> None:
    found = [each["file"] for each in asking.told("list_levels")["files"]]
    assert set(found) == {"near/problem.pddl", "far/problem.pddl", "one.xsb", "two.sok"}
    levels = asking.told("list_levels", file="two.sok")["levels"]
    assert [each["title"] for each in levels] == ["One push", "Cornered"]


def test_the_solution_of_a_constraint_is_drawn(asking: Asking) -> None:
    level = (ROOT / "screens" / "levels" / "factorio" / "first_belts.factorio").read_text()
    trace = asking.told("solve", text=level, number=1, puzzle="factorio")["trace"]
    found = asking.told("render", text=level, number=1, puzzle="factorio", moves="\n".join(trace))
    start = asking.told("render", text=level, number=1, puzzle="factorio")
    assert (found["solved"], start["solved"]) == (True, False)
    assert found["drawing"] != start["drawing"]
    assert "are not counted" in asking.refused("count", text=level, number=1, puzzle="factorio")


# Limits


def test_a_client_that_asks_for_progress_gets_it_before_the_result(asking: Asking) -> None:
    said: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        said.append((progress, message or ""))

    async def ask() -> CallToolResult:
        arguments = {"text": ROOM, "certify": True}
        return await asking.client.call_tool("check", arguments, progress_callback=hear)

    assert asking.portal.call(ask).structured_content["cost"] == 2
    assert said[-1] == (len(said), "text#1: solvable; its certificate")
    assert [number for number, _ in said] == list(range(1, len(said) + 1))


def test_a_call_ends_at_its_limit_with_what_is_known(asking: Asking) -> None:
    began = time.monotonic()
    found = asking.told("check", text=hard(40), timeout=2)
    assert (found["verdict"], found["reason"]) == ("unknown", "timeout")
    assert time.monotonic() - began < 2 + SLACK
    _is_at_rest(asking)


def test_a_cancelled_call_ends_its_processes(asking: Asking) -> None:
    async def cancelled() -> None:
        with anyio.move_on_after(60):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(asking.client.call_tool, "check", {"text": hard(40), "timeout": 20})
                while not _busy(asking.pid):
                    await anyio.sleep(0.05)
                tasks.cancel_scope.cancel()

    began = time.monotonic()
    asking.portal.call(cancelled)
    _is_at_rest(asking)
    assert time.monotonic() - began < 20 + SLACK
    assert asking.told("check", text=ONE_PUSH)["cost"] == 1


def _busy(server: int) -> bool:
    """Does a process of a server use the processor?"""
    return any(_ticks(each) > 20 for each in workers_of(server))


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11])


def _is_at_rest(asking: Asking) -> None:
    """Wait until the server has no workers."""
    wait_until(lambda: not workers_of(asking.pid))


# The page about it


def test_the_conversation_of_the_page_is_what_the_server_answers(asking: Asking) -> None:
    page = (ROOT / "docs" / "assistants.md").read_text(encoding="utf-8").partition("## A conversation")[2]
    blocks = [json.loads(each) for each in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    calls, results = blocks[::2], blocks[1::2]
    assert len(calls) == len(results) >= 5
    for call, result in zip(calls, results, strict=True):
        _is_part(result, asking.told(call["tool"], **call["arguments"]))


def _is_part(shown: Any, found: Any) -> None:
    """Are the fields that are shown those that were found? A list has all its items."""
    if isinstance(shown, dict):
        assert shown.keys() <= found.keys()
        for name, value in shown.items():
            _is_part(value, found[name])
    elif isinstance(shown, list):
        assert len(shown) == len(found)
        for one, other in zip(shown, found, strict=True):
            _is_part(one, other)
    else:
        assert shown == found


def test_the_page_names_each_tool_and_the_limits(asking: Asking) -> None:
    page = (ROOT / "docs" / "assistants.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert named == [each.name for each in asking.portal.call(asking.client.list_tools).tools]
    assert f"{MOST_TEXT:,} characters, a message {MOST_LINE >> 20} MiB, a result {MOST_ANSWER >> 20} MiB" in page


def test_the_formats_are_those_of_the_pages(tmp_path: Path) -> None:
    script(ROOT / "tools" / "format_texts.py", tmp_path)
    written = ROOT / "reports" / "mcp" / "formats"
    assert {each.name for each in tmp_path.iterdir()} == {each.name for each in written.iterdir()}
    for each in tmp_path.iterdir():
        assert each.read_text("utf-8") == (written / each.name).read_text("utf-8")
    assert {each.stem for each in written.iterdir()} == set(OWN)
