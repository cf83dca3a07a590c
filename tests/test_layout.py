"""The imports between rooms (folders): each room imports only what it may, and there is no cycle."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import networkx as nx

from puzzlemc.encodings.puzzles import OWN

ROOT = Path(__file__).parents[1]
TOP = ("mc", "screens", "encodings", "reports")
# Each room, and the other rooms that its files may import. The room of a puzzle may import those of PUZZLES.
MODEL = {"mc", "mc/model"}
BASE = "screens/base"  # the room of a puzzle that imports it also imports the reader of that puzzle
LEVELS = MODEL | {BASE, "encodings/puzzle", "encodings/puzzle/design"}
FESS = [f"encodings/sokoban/fess/{room}" for room in ("domain", "features", "deadlocks", "search", "portfolio")]
FACTORIO = ("domain", "flow", "model")
PUZZLESCRIPT = ("encodings/puzzlescript/domain", "encodings/puzzlescript/patterns")
SOLVING = {"mc/engines", "reports/output", "reports/solve", "reports/workers"}
ROOMS = {
    "mc": set(),
    "mc/system": set(),
    "mc/model": {"mc"},
    "mc/rules": {"mc", "mc/system"},
    "mc/tasks": {"mc"},
    "mc/tasks/symbolic": MODEL | {"mc/symbolic", "mc/system", "mc/tasks", "mc/verdict"},
    "mc/passes": MODEL | {"mc/proofs", "mc/tasks"},
    "mc/proofs": MODEL | {"mc/rules"},
    "mc/verdict": MODEL | {"mc/proofs"},
    "mc/symbolic": MODEL | {"mc/passes", "mc/proofs", "mc/verdict"},
    "mc/packed": MODEL,
    "mc/search": {"mc", "mc/packed", "mc/system"},
    "mc/invariants": MODEL | {"mc/passes", "mc/proofs", "mc/tasks"},
    "mc/patterns": {"mc", "mc/packed", "mc/search", "mc/tasks"},
    "mc/symmetry": {"mc", "mc/tasks"},
    "mc/planning": {"mc", "mc/packed", "mc/patterns", "mc/proofs", "mc/tasks", "mc/tasks/symbolic", "mc/verdict"}
    | {"mc/invariants", "mc/passes", "mc/search", "mc/symmetry"},
    "mc/planning/satisficing": {"mc", "mc/packed", "mc/patterns", "mc/planning", "mc/search", "mc/tasks"},
    "mc/heuristics": MODEL | {"mc/packed", "mc/search"},
    "mc/astar": MODEL
    | {"mc/heuristics", "mc/packed", "mc/passes", "mc/proofs", "mc/search", "mc/verdict"}
    | {"mc/system"},
    "mc/sat": MODEL | {"mc/passes", "mc/proofs", "mc/verdict"},
    "mc/steps": MODEL | {"mc/packed", "mc/proofs", "mc/search", "mc/verdict"},
    "mc/engines": MODEL
    | {"mc/astar", "mc/heuristics", "mc/invariants", "mc/packed", "mc/planning", "mc/proofs", "mc/sat", "mc/steps"}
    | {"mc/passes", "mc/planning/satisficing", "mc/search", "mc/symbolic", "mc/tasks", "mc/tasks/symbolic"}
    | {"mc/verdict"},
    "mc/graph": MODEL | {"mc/packed", "mc/rules", "mc/sat", "mc/search", "mc/steps", "mc/symbolic", "mc/system"},
    "mc/games": MODEL | {"mc/graph", "mc/packed", "mc/rules", "mc/symbolic", "mc/verdict"},
    "mc/temporal": MODEL | {"mc/graph", "mc/packed", "mc/symbolic"},
    "encodings/puzzle": MODEL
    | {"mc/games", "mc/passes", "mc/proofs", "mc/rules", BASE, "encodings/puzzle/design"},
    "encodings/puzzle/design": {"mc", "mc/proofs"},
    "encodings/sokoban/domain": LEVELS | {"mc/rules"},
    "encodings/sokoban/board": {"mc", BASE, "encodings/sokoban/domain"},
    "encodings/sokoban/proof": LEVELS | {"mc/proofs", "encodings/sokoban/domain"},
    "encodings/sokoban/generate": LEVELS | {"encodings/sokoban/board", "encodings/sokoban/domain", "mc/search"},
    "encodings/sokoban/changes": LEVELS
    | {"encodings/sokoban/board", "encodings/sokoban/domain", "encodings/sokoban/generate"}
    | {"encodings/sokoban/measures", "mc/proofs", "mc/sat", "mc/search"},
    "encodings/sokoban/measures": LEVELS
    | {"encodings/sokoban/board", "encodings/sokoban/generate", "mc/graph", "mc/search"},
    "encodings/sokoban/improve": LEVELS | {"encodings/sokoban/board", "encodings/sokoban/fess/portfolio"},
    "encodings/sokoban/model": LEVELS
    | {"encodings/sokoban/board", "encodings/sokoban/domain", "encodings/sokoban/improve"},
    "encodings/sokoban/fess": set(),
    "encodings/sokoban/fess/domain": {"mc", "encodings/sokoban/board", "encodings/sokoban/domain"},
    "encodings/sokoban/fess/features": {"mc", "encodings/sokoban/board", "encodings/sokoban/fess/domain"},
    "encodings/sokoban/fess/deadlocks": {"mc", "encodings/sokoban/board", *FESS[:2]},
    "encodings/sokoban/fess/search": {"mc", "encodings/sokoban/board", *FESS[:3]},
    "encodings/sokoban/fess/portfolio": {"mc", BASE, "encodings/sokoban/board", *FESS[:4]},
    "encodings/factorio/flow": LEVELS | {"mc/temporal"},
    "encodings/factorio/domain": LEVELS | {"mc/rules", "encodings/factorio/flow"},
    "encodings/factorio/model": LEVELS,
    "encodings/factorio/planner": LEVELS
    | {"mc/proofs", "mc/sat", *(f"encodings/factorio/{each}" for each in FACTORIO)},
    "encodings/pddl/numeric": MODEL | {BASE, "mc/tasks"},
    "encodings/pddl/soft": {BASE, "mc/rules", "mc/tasks"},
    "encodings/puzzlescript/domain": LEVELS | {"mc/rules", "screens/puzzlescript"},
    "encodings/puzzlescript/cells": LEVELS
    | {"mc/proofs", "mc/search", "encodings/puzzlescript/domain", "screens/puzzlescript"},
    "encodings/puzzlescript/patterns": {"screens/puzzlescript"},
    "encodings/puzzlescript/circuit": LEVELS | {"mc/proofs", "mc/sat", *PUZZLESCRIPT, "screens/puzzlescript"},
    "encodings/puzzlescript/planes": LEVELS
    | {"mc/packed", "mc/search", "mc/steps", "mc/verdict", *PUZZLESCRIPT, "screens/puzzlescript"},
    "encodings/puzzlescript/draws": {"mc/rules", "mc/search", "encodings/puzzlescript/planes", *PUZZLESCRIPT}
    | {"mc", "screens/puzzlescript"},
    "encodings/puzzlescript/lint": {BASE, "encodings/puzzlescript/planes", *PUZZLESCRIPT, "screens/puzzlescript"},
    "encodings/modelling/boards": LEVELS | {"mc/rules", "screens/modelling"},
    "encodings/modelling/language": {"mc", "mc/rules", "encodings/puzzle"},
    "encodings/modelling/model": LEVELS
    | {"mc/graph", "mc/proofs", "mc/rules", "mc/sat", "mc/symbolic", "encodings/modelling/language"},
    "encodings/modelling": LEVELS
    | {f"encodings/modelling/{room}" for room in ("boards", "language", "model")}
    | {"mc/games", "mc/graph", "mc/proofs", "mc/rules", "screens/modelling"},
    "screens/modelling": {"mc", BASE},
    "encodings": {
        "mc",
        "mc/temporal",
        BASE,
        "encodings/puzzle",
        *(f"{top}/{name}" for top in ("encodings", "screens") for name in OWN),
    },
    "reports/output": MODEL,
    "reports/workers": {"reports/output"},
    "reports/solve": {"mc/engines", "mc/games", "mc/sat", "mc/symbolic", "reports/output", "reports/workers"},
    "reports/certify": SOLVING | {"mc/games", "mc/sat", "mc/symbolic"},
    "reports/ask": SOLVING | {"mc/games", "mc/invariants", "mc/temporal", "reports/certify", "reports/formats"},
    "reports/generate": SOLVING | {"reports/certify", "reports/suggest"},
    "reports/crew": SOLVING | {"reports/certify", "reports/measures"},
    "reports/batch": SOLVING | {"reports/certify", "reports/crew", "reports/measures"},
    "reports/findings": SOLVING | {"reports/batch"},
    "reports/pytest_plugin": SOLVING | {"reports/batch", "reports/crew", "reports/findings"},
    "reports/formats": SOLVING | {"mc/graph", "mc/passes", "mc/sat", "mc/tasks", "reports/certify"},
    "reports/play": SOLVING | {"mc/games", "mc/graph", "mc/invariants", "mc/packed"},
    "reports/documents": {"reports/output"},
    "reports/serve": SOLVING
    | {"mc/graph", "reports/measures", "reports/suggest"}
    | {f"reports/{each}" for each in ("ask", "batch", "certify", "crew", "documents", "formats", "page")}
    | {"reports/play", "reports/share"},
    "reports/serve/design": SOLVING
    | {"mc/graph", "reports/documents", "reports/formats", "reports/serve", "reports/suggest"},
    "reports/serve/suite": SOLVING | {"reports/ask", "reports/crew", "reports/documents", "reports/serve"},
    "reports/positions": {"mc/graph", "reports/formats"},
    "reports/oracle": {"mc/astar", "mc/graph", "reports/output", "reports/positions", "reports/workers"},
    "reports/share": SOLVING | {"mc/graph", "reports/formats", "reports/positions"},
    "reports/page": SOLVING
    | {"mc/games", "mc/graph", "mc/invariants", "mc/passes", "mc/tasks", "mc/verdict"}
    | {"reports/batch", "reports/certify", "reports/crew", "reports/formats", "reports/measures"},
    "reports/api": SOLVING
    | {"mc/temporal"}
    | {f"reports/{each}" for each in ("ask", "certify", "crew", "formats", "generate", "page", "suggest")}
    | {"reports/measures"},
    "reports/gym": SOLVING | {"mc/graph", "reports/api", "reports/formats", "reports/positions"},
    "reports/mcp": SOLVING
    | {f"reports/{each}" for each in ("api", "ask", "documents", "formats", "generate", "suggest")},
    "reports/measures": SOLVING | {"mc/graph"},
    "reports/suggest": SOLVING | {"mc/sat", "reports/ask", "reports/certify", "reports/measures"},
    "reports/starter": {"reports/output"},
    "reports/public": {
        "encodings/modelling",
        "encodings/modelling/language",
        "screens/modelling",
        "reports/api",
        "reports/certify",
        "reports/cli",
        "reports/gym",
        "reports/output",
        "reports/workers",
    },
    "reports/cli/common": SOLVING
    | {"mc/symbolic", "reports/ask", "reports/crew", "reports/findings", "reports/formats", "reports/generate"}
    | {"reports/starter", "reports/suggest"},
    "reports/cli/commands": SOLVING
    | {"mc/games", "mc/symbolic", "mc/temporal", "reports/cli/common", "reports/measures"}
    | {f"reports/{each}" for each in ("ask", "batch", "certify", "crew", "formats", "generate", "page")}
    | {"reports/findings", "reports/mcp", "reports/oracle", "reports/play", "reports/serve", "reports/share"}
    | {"reports/starter"}
    | {"reports/suggest"},
    "reports/cli": {
        "reports/cli/commands",
        "reports/cli/common",
        "reports/output",
        "reports/solve",
        "reports/workers",
    },
}
PUZZLES = MODEL | {
    "mc/games",
    "mc/graph",
    "mc/passes",
    "mc/proofs",
    "mc/rules",
    "mc/sat",
    "mc/system",
    "mc/tasks",
    "mc/temporal",
    BASE,
    "encodings/puzzle",
    "encodings/puzzle/design",
}  # and rooms inside these
REPORTS = MODEL | {"mc/proofs", "mc/rules", "mc/system", "mc/verdict", BASE, "encodings", "encodings/puzzle"}
REPORTS |= {"encodings/puzzle/design"}
FORMATS = {"pddl"}  # puzzles that are called like a format, which models of all puzzles are exported to
APART = {"mc/verdict"}  # a file that is a room by itself: it imports rooms of its folder

TEMPLATES = Path("reports/starter/templates")  # what users begin with: no modules of the program
MODULES = sorted(
    path
    for folder in TOP
    for file in (ROOT / folder).rglob("*.py")
    if not (path := file.relative_to(ROOT)).is_relative_to(TEMPLATES)
)


def may_import(room: str) -> set[str]:
    top, _, inner = room.partition("/")
    puzzle = inner.partition("/")[0]
    if top == "screens":
        return {BASE, "mc", "mc/system"} - {room}
    if puzzle not in OWN:
        return ROOMS[room] | (REPORTS if top == "reports" else set())
    inside = {each for each in ROOMS if each.startswith(f"{room}/")}
    rooms = PUZZLES | inside if inner == puzzle else ROOMS[room]
    return rooms | {f"screens/{puzzle}"} if BASE in rooms else rooms


@cache
def imported(path: Path) -> list[str]:
    """The names that a module imports: at its top, inside a function, or by a string in a registry."""
    names: list[str] = []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names += ("." * node.level + f"{node.module or ''}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"puzzlemc(\.\w+)+:\w+", str(node.value)):
            names.append(str(node.value).partition(":")[0])
    if path.as_posix() == "encodings/puzzles.py":  # it imports a puzzle by its name in `OWN`
        names += (
            f"puzzlemc.{module}" for name in OWN for module in (f"encodings.{name}.puzzle", f"screens.{name}")
        )
    return names


def room_of(name: str) -> str:
    """The room of a module, or of a name defined in it."""
    parts = name.split(".")[1:]
    folders = ("/".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next(folder for folder in folders if folder in APART or (ROOT / folder).is_dir())


def room_with(path: Path) -> str:
    """The room that a file belongs to."""
    alone = path.with_suffix("").as_posix()
    return alone if alone in APART else path.parent.as_posix()


def rooms_imported(path: Path) -> set[str]:
    return {room_of(name) for name in imported(path) if name.startswith("puzzlemc.")} - {room_with(path)}


def broken_by(path: Path) -> Iterator[str]:
    """Yield the imports of a module that the rules forbid."""
    for name in imported(path):
        head = name.partition(".")[0]
        if not head:
            yield f"{path} has a relative import"
        elif head in {*TOP, "tests", "benchmarks"} - {"encodings"}:
            yield f"{path} imports {name}"
        elif name == "puzzlemc":
            yield f"{path} imports the whole of puzzlemc"
    if path.parent.as_posix() != "reports":
        yield from (f"{path} imports {room}" for room in rooms_imported(path) - may_import(room_with(path)))


def test_imports_follow_the_table() -> None:
    assert [fault for path in MODULES for fault in broken_by(path)] == []


def rooms() -> nx.DiGraph:
    """The folders, and the folders that each imports."""
    graph = nx.DiGraph()
    for path in MODULES:
        graph.add_edges_from((room_with(path), room) for room in rooms_imported(path))
    return graph


def files() -> nx.DiGraph:
    """The modules, and the modules that each imports."""
    names = {
        ".".join(["puzzlemc", *path.with_suffix("").parts]).removesuffix(".__init__"): path for path in MODULES
    }
    graph = nx.DiGraph()
    for path in MODULES:
        for name in imported(path):
            other = names.get(name) or names.get(name.rpartition(".")[0])  # a module, or a name defined in one
            if other is not None and other != path:
                graph.add_edge(path.as_posix(), other.as_posix())
    return graph


def drawing(graph: nx.DiGraph) -> str:
    """The graph for Graphviz, without edges that follow from others."""
    edges = sorted(nx.transitive_reduction(graph).edges)
    lines = ["// Folders and what they import: arrows that follow from others are left out."]
    lines += ["digraph rooms {", "  rankdir=BT", "  node [shape=box, fontname=sans]"]
    return "\n".join([*lines, *(f'  "{one}" -> "{other}"' for one, other in edges), "}", ""])


def test_rooms_have_no_import_cycle() -> None:
    graph = rooms()
    assert graph.number_of_edges() > 40
    assert list(nx.simple_cycles(graph)) == []


def test_modules_have_no_import_cycle() -> None:
    graph = files()
    assert graph.number_of_edges() > 1000
    assert list(nx.simple_cycles(graph)) == []


def test_the_drawing_is_up_to_date() -> None:
    """To update it, write `drawing(rooms())` to that file."""
    assert (ROOT / "docs" / "rooms.dot").read_text(encoding="utf-8") == drawing(rooms())


def test_the_picture_is_that_of_the_drawing() -> None:
    """To update it: `dot -Tsvg docs/rooms.dot -o docs/pictures/rooms.svg`. `make docs` compares it, too."""
    picture = (ROOT / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    titles = {unescape(title) for title in re.findall("<title>(.*?)</title>", picture)}
    arrows = {line.strip().replace('"', "") for line in drawing(rooms()).splitlines() if "->" in line}
    assert {title for title in titles if "->" in title} == {arrow.replace(" -> ", "->") for arrow in arrows}


def test_every_room_has_a_docstring() -> None:
    for room in sorted({path.parent.as_posix() for path in MODULES} - {"encodings"}):
        opening = ROOT / room / "__init__.py"
        assert ast.get_docstring(ast.parse(opening.read_text(encoding="utf-8"))), room


def test_no_file_names_a_puzzle_of_another_room() -> None:
    own = re.compile("|".join(OWN.keys() - FORMATS), re.IGNORECASE)
    named = []
    for path in MODULES:
        if own.search(path.as_posix()) or path.as_posix() == "encodings/puzzles.py":
            continue
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            # An example in a help text must name one.
            if own.search(line) and not line.startswith("puzzlemc "):
                named.append(f"{path}:{number}: {line}")
    assert named == []
