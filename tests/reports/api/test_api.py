"""`import puzzlemc`: its names, and what its functions do beyond those of the command line."""

import doctest
import inspect
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

import puzzlemc
from puzzlemc.mc.errors import PuzzlemcError

ROOT = Path(__file__).parents[3]
WRITTEN = ROOT / "tests" / "compatibility" / "0.1"
TEXT = "######\n#@ $.#\n######"
PATH = "str | PathLike[str]"
LIMITS = "timeout: float = 60.0, memory: float = 4.0"
SEARCH = (
    f"metric: str | None = None, engine: str = 'auto', encoding: str = 'compact', {LIMITS}, chance: str = 'lucky'"
)
CANCEL = "cancel: Event | None = None"
CALL = f"puzzle: str | None = None, {LIMITS}, {CANCEL}"
SIGNATURES = {
    "generate": "(puzzle: str, *, size: tuple[int, int] | None = None, count: int = 1, seed: int = 0,"
    f" unique: bool = False, want: str | Sequence[str] = (), unsolvable: bool = False, {LIMITS},"
    f" certificate: {PATH} | None = None, progress: Callable[[Level], None] | None = None, {CANCEL},"
    " **options: int) -> list[Level]",
    "load": f"(paths: {PATH} | Iterable[{PATH}] | None = None, puzzle: str | None = None) -> list[Level]",
    "measure": f"(level: Level | {PATH}, *, {CALL}, names: Iterable[str] = ()) -> dict[str, int | float]",
    "query": f"(level: Level | {PATH}, formula: str, *, {CALL}, engine: str = 'auto') -> Answer",
    "report": f"(level: Level | {PATH}, output: {PATH}, *, puzzle: str | None = None, metric: str | None = None,"
    f" chance: str = 'lucky', {LIMITS}, progress: Callable[[str], None] | None = None, {CANCEL}) -> list[str]",
    "solve": f"(level: Level | {PATH}, *, puzzle: str | None = None, {SEARCH}, count: bool = False,"
    f" why: bool = False, plans: int = 1, loops: bool = False, improve: str | None = None,"
    f" certificate: {PATH} | None = None,"
    f" progress: Callable[[str], None] | None = None, {CANCEL}) -> Result",
    "solve_all": f"(levels: Iterable[Level | {PATH}] | {PATH}, *, puzzle: str | None = None, {SEARCH},"
    f" jobs: int | None = None, certificate: {PATH} | None = None,"
    f" progress: Callable[[Result], None] | None = None, {CANCEL}) -> Results",
    "suggest": f"(level: Level | {PATH}, want: str = 'solvable', *, {CALL}, edits: Iterable[str] = (),"
    " keep: Iterable[tuple[int, int]] = (), most: int = 3, by: str = 'changes', count: int = 10,"
    f" certificate: {PATH} | None = None) -> Suggestions",
    "verify": f"(certificate: {PATH}, *, level: str | None = None, puzzle: str | None = None,"
    f" timeout: float = 0.0, memory: float = 4.0, {CANCEL}) -> Verification",
}
AWAITED = {f"a{name}" for name in SIGNATURES if name != "load"}
MEMBERS = {
    "Answer": "formula holds moves reason to_dict trace",
    "Level": "id model neighbours puzzle start text title",
    "Position": "cells neighbours solved svg text value",
    "Result": "bound cost costs level moves optimal plans positions reason seconds to_dict trace verdict",
    "Results": "to_dicts to_frame",
    "Suggestion": "after before best kind level result words",
    "Suggestions": "found least reached reason to_dict total words",
}
OTHERS = {
    *("FormulaError", "LevelError", "LimitReached", "ModelError", "OutputError"),
    *("PuzzlemcError", "Refuted", "WorkerDied"),
    *("Model", "Puzzle", "Verification"),
}


def signature(function: object) -> str:
    """The signature, with types named by their last words."""
    return re.sub(r"[a-z]\w*\.(?:\w+\.)*(\w+)", r"\1", str(inspect.signature(function)))


def test_the_public_names_and_their_signatures() -> None:
    assert set(puzzlemc.__all__) == set(dir(puzzlemc)) == {*SIGNATURES, *AWAITED, *MEMBERS, *OTHERS}
    assert {name: signature(getattr(puzzlemc, name)) for name in SIGNATURES} == SIGNATURES
    level = puzzlemc.Level(TEXT, "sokoban")
    values = {
        "Answer": puzzlemc.Answer("", None, None, None, {}, ""),
        "Level": level,
        "Position": level.start,
        "Result": puzzlemc.solve(level),
        "Results": puzzlemc.Results(),
    }
    for name, value in values.items():
        assert type(value) is getattr(puzzlemc, name)
        assert {each for each in dir(value) if each[0] != "_"} - set(dir(list)) == set(MEMBERS[name].split())


def test_another_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sovle'"):
        _ = puzzlemc.sovle


def test_a_level_with_chance_is_asked_one_of_the_questions(tmp_path: Path) -> None:
    level = f"{ROOT / 'tests' / 'chance_games' / 'goose.txt'}#2"
    assert [puzzlemc.solve(level, chance=asked).cost for asked in ("lucky", "surely")] == [2, 5]
    assert puzzlemc.report(level, tmp_path / "report.md", chance="surely") == []
    assert "Solvable whatever is drawn in 5 turns" in (tmp_path / "report.md").read_text()
    with pytest.raises(puzzlemc.ModelError, match="unknown question about chance 'sure', expected one of"):
        puzzlemc.report(level, tmp_path / "report.md", chance="sure")
    assert puzzlemc.solve(level, chance="surely").to_dict()["strategy"]["first"] == {"start": 0}
    with pytest.raises(puzzlemc.ModelError, match=r"'surly', expected one of .*surely"):
        puzzlemc.solve(level, chance="surly")


def test_errors_are_one_tree() -> None:
    errors = {getattr(puzzlemc, name) for name in OTHERS - {"Model", "Puzzle", "Verification"}}
    assert len(errors) == 8
    assert all(issubclass(error, PuzzlemcError) for error in errors)


def test_the_documentation_has_the_output_of_its_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").replace("```", "")
    parsed = doctest.DocTestParser().get_doctest(text, {}, "api.md", "api.md", 0)
    assert len(parsed.examples) > 15
    assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0


def test_a_script_without_a_guard_is_run_once(tmp_path: Path) -> None:
    """Also in a thread: a worker imports neither the script nor what the script has begun."""
    script = tmp_path / "script.py"
    script.write_text(f"""
import threading, puzzlemc
print("begun")
level = puzzlemc.Level({TEXT!r}, "sokoban")
thread = threading.Thread(target=lambda: print(puzzlemc.solve(level)))
thread.start()
thread.join()
""")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["begun", "<result text#1: solvable, 1 push, 2 moves>"], done.stderr


def test_the_import_is_cheap() -> None:
    program = "import sys, puzzlemc; print([name for name in sys.modules if name.startswith('puzzlemc')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['puzzlemc']\n"


def test_cancelling_ends_a_running_search() -> None:
    cancel = threading.Event()
    board = "\n".join(
        ["#" * 16, "#@" + " " * 13 + "#", *(["#" + " $" * 7 + "#", "#" + " ." * 7 + "#"] * 3), "#" * 16]
    )
    timer = threading.Timer(0.5, cancel.set)
    timer.start()
    results = puzzlemc.solve_all([puzzlemc.Level(board, "sokoban")] * 30, jobs=1, timeout=50, cancel=cancel)
    timer.join()
    assert {(each.verdict, each.reason) for each in results} == {("unknown", "cancelled")}


def test_results_as_a_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = ModuleType("columns")
    library.DataFrame = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "columns", library)
    path = tmp_path / "bad.xsb"
    path.write_text("###\n#?#\n###\n", encoding="utf-8")
    good, (bad,) = puzzlemc.Level(TEXT, "sokoban"), puzzlemc.load(path)
    frame = puzzlemc.solve_all([good, bad]).to_frame("columns")
    assert frame["verdict"] == ["solvable", "error"]
    assert frame["trace"] == ["rR", None]
    assert frame["pushes"] == [1, None]
    assert {len(column) for column in frame.values()} == {2}
    with pytest.raises(puzzlemc.LevelError, match=r"bad\.xsb:2:2: found '\?'"):
        puzzlemc.solve(bad)


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_frame_of_a_real_library(name: str) -> None:
    pytest.importorskip(name)
    frame = puzzlemc.solve_all([puzzlemc.Level(TEXT, "sokoban")] * 2).to_frame(name)
    assert type(frame).__module__.startswith(name)
    assert (frame.shape[0], list(frame["pushes"]), list(frame["trace"])) == (2, [1, 1], ["rR", "rR"])


def test_pictures_for_notebooks() -> None:
    level = puzzlemc.Level(TEXT, "sokoban")
    still, replay = level._repr_html_(), puzzlemc.solve(level)._repr_html_()
    assert still.startswith('<img alt="text#1" src="data:image/svg+xml;base64,')
    assert len(replay) > len(still)
    assert replay.endswith("<p>text#1, solvable, 1 push, 2 moves</p>")


@pytest.mark.parametrize("own", [{"boxes": 1, "size": (6, 7)}, {"colours": 2, "size": (3, 3)}])
def test_levels_are_generated(own: dict[str, int]) -> None:
    puzzle = "sokoban" if "boxes" in own else "folding"
    (level,) = puzzlemc.generate(puzzle, seed=1, **own)
    assert level.puzzle.name == puzzle
    rows = [row for row in str(level).splitlines() if row and ":" not in row]
    assert len(rows) >= own["size"][0]
    with pytest.raises(puzzlemc.ModelError, match="unknown option 'pegs'"):
        puzzlemc.generate(puzzle, pegs=1)


def test_too_little_time_for_levels_is_a_timeout() -> None:
    with pytest.raises(puzzlemc.LimitReached, match=r"no new level within 0\.2 s") as caught:
        puzzlemc.generate("sokoban", boxes=1, min_pushes=1000, size=(6, 6), timeout=0.2)
    assert caught.value.reason == "timeout"


def test_a_report_is_written(tmp_path: Path) -> None:
    assert puzzlemc.report(puzzlemc.Level(TEXT, "sokoban"), tmp_path / "report.md") == []
    assert "Solvable in 1 push" in (tmp_path / "report.md").read_text(encoding="utf-8")
    with pytest.raises(puzzlemc.ModelError, match=r"ends with \.html"):
        puzzlemc.report(puzzlemc.Level(TEXT, "sokoban"), tmp_path / "report.txt")


def test_a_missing_certificate_is_an_error() -> None:
    with pytest.raises(puzzlemc.LevelError, match="found no such file"):
        puzzlemc.verify("missing.cert")


def test_a_folder_is_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(puzzlemc.LevelError, match="found a folder, expected a certificate"):
        puzzlemc.verify(tmp_path)


def test_an_option_with_a_hyphen_is_a_keyword_with_an_underscore() -> None:
    (level,) = puzzlemc.generate("sokoban", size=(6, 6), boxes=1, min_pushes=5)
    assert (puzzlemc.solve(level).cost or 0) >= 5
    (level,) = puzzlemc.generate("sokoban", size=(6, 6), boxes=1, want=["shorter=3", "unique"])
    assert (puzzlemc.solve(level).cost or 9) <= 3
    assert len(puzzlemc.generate("tetravex", size=(2, 2), want="unique")) == 1
    with pytest.raises(puzzlemc.ModelError, match="found the wish 'longer', expected unique"):
        puzzlemc.generate("tetravex", want="longer")
    with pytest.raises(puzzlemc.ModelError, match="'min_push' of sokoban, expected some of boxes, min_pushes"):
        puzzlemc.generate("sokoban", min_push=5)


def test_a_dead_worker_is_no_failed_check(tmp_path: Path) -> None:
    path = tmp_path / "deadly.py"
    text = (WRITTEN / "glide.py").read_text(encoding="utf-8")
    path.write_text(
        f"{text}\n\nimport os\nfrom dataclasses import replace\n\n"
        "PUZZLE = replace(PUZZLE, encodings={'compact': lambda level: os.kill(os.getpid(), 9)})\n",
        encoding="utf-8",
    )
    (level, *_) = puzzlemc.load(WRITTEN / "levels.glide", puzzle=str(path))
    with pytest.raises(puzzlemc.WorkerDied, match="killed by signal 9"):
        puzzlemc.solve(level)


def test_a_model_of_a_file_is_checked_before_it_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "negative.py"
    text = (WRITTEN / "glide.py").read_text(encoding="utf-8")
    path.write_text(text.replace('update, {"slides": 1,', 'update, {"slides": -1,'), encoding="utf-8")
    (level, *_) = puzzlemc.load(WRITTEN / "levels.glide", puzzle=str(path))
    with pytest.raises(puzzlemc.ModelError, match=r"negative\.py: .*cost -1 of slides is negative"):
        puzzlemc.solve(level)


LEVEL = puzzlemc.Level(TEXT, "sokoban")
WRONG = {
    "timeout: found 'x', expected a number of seconds, 0 for no limit": lambda: puzzlemc.solve(LEVEL, timeout="x"),
    "timeout: found nan, expected a number": lambda: puzzlemc.solve(LEVEL, timeout=float("nan")),
    "timeout: found -1, expected a number": lambda: puzzlemc.query(LEVEL, "solved", timeout=-1),
    "timeout: found True, expected a number": lambda: puzzlemc.verify("x.cert", timeout=True),
    "memory: found 0, expected a number of GiB above 0": lambda: puzzlemc.report(LEVEL, "x.html", memory=0),
    "level: found None, expected a Level or a path": lambda: puzzlemc.solve(None),
    "level: found [<level text#1 of sokoban>], expected a Level or a path": lambda: puzzlemc.solve([LEVEL]),
    "level: found ['a.xsb'], expected a Level or a path": lambda: puzzlemc.query(["a.xsb"], "solved"),
    "found '#####', the text of a level, expected a path, or Level(text, puzzle)": lambda: puzzlemc.solve("#####"),
    "the text of a level": lambda: puzzlemc.load(TEXT),
    "levels: found None, expected several of them or a path": lambda: puzzlemc.solve_all(None),
    "levels: found 3, expected a Level or a path": lambda: puzzlemc.solve_all([3]),
    "paths: found 3, expected a path": lambda: puzzlemc.load([3]),
    "puzzle: found 3, expected a text or None": lambda: puzzlemc.load("a.xsb", puzzle=3),
    "found no paths, expected files or folders, or puzzle='FILE.py'": lambda: puzzlemc.load(puzzle="sokoban"),
    "text: found None, expected a text": lambda: puzzlemc.Level(None, "sokoban"),
    "jobs: found 0, expected a whole number from 1 or None": lambda: puzzlemc.solve_all([LEVEL], jobs=0),
    "jobs: found 1.5, expected a whole number from 1 or None": lambda: puzzlemc.solve_all([LEVEL], jobs=1.5),
    "count: found 'yes', expected True or False": lambda: puzzlemc.solve(LEVEL, count="yes"),
    "count: found 0, expected a whole number from 1": lambda: puzzlemc.generate("tetravex", count=0),
    "size: found '7x7', expected two whole numbers": lambda: puzzlemc.generate("tetravex", size="7x7"),
    "size: found (1, 2, 3), expected two whole": lambda: puzzlemc.generate("tetravex", size=(1, 2, 3)),
    "seed: found 'x', expected a whole number": lambda: puzzlemc.generate("sokoban", seed="x"),
    "boxes: found 'x', expected a whole number": lambda: puzzlemc.generate("sokoban", boxes="x"),
    "improve: found 3, expected a text or None": lambda: puzzlemc.solve(LEVEL, improve=3),
    "certificate: found 3, expected a path or None": lambda: puzzlemc.solve(LEVEL, certificate=3),
    "progress: found 3, expected a function or None": lambda: puzzlemc.solve(LEVEL, progress=3),
    "cancel: found 3, expected an event with is_set() or None": lambda: puzzlemc.solve(LEVEL, cancel=3),
    "output: found None, expected a path": lambda: puzzlemc.report(LEVEL, None),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_argument_is_named(message: str) -> None:
    with pytest.raises(puzzlemc.ModelError, match=re.escape(message)):
        WRONG[message]()


def test_a_bad_text_fails_at_once() -> None:
    with pytest.raises(puzzlemc.LevelError, match="text:1: found no player"):
        puzzlemc.Level("####", "sokoban")


def test_numbers_of_other_libraries_are_numbers() -> None:
    np = pytest.importorskip("numpy")
    assert puzzlemc.solve(LEVEL, timeout=np.float32(9), memory=np.int64(1)).verdict == "solvable"


def test_former_names_work_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="workers is called jobs now"):
        (result,) = puzzlemc.solve_all([LEVEL], workers=1)
    with pytest.warns(DeprecationWarning, match="certificates is called certificate now"):
        puzzlemc.solve(LEVEL, certificates=tmp_path)
    assert len(list(tmp_path.glob("*.cert"))) == 1
    with pytest.warns(DeprecationWarning, match="number is called count now"):
        assert len(puzzlemc.generate("tetravex", size=(2, 2), number=2)) == 2
    with pytest.warns(DeprecationWarning, match=r"Result\.moves is called trace now"):
        assert result.moves == ["r", "R"]
    answer = puzzlemc.query(LEVEL, "EF solved")
    with pytest.warns(DeprecationWarning, match=r"Answer\.moves is called trace now"):
        assert (answer.moves, answer.trace) == (["r", "R"], "rR")
    with pytest.raises(puzzlemc.ModelError, match="workers: is the former name of jobs"):
        puzzlemc.solve_all([LEVEL], workers=1, jobs=1)


def test_the_trace_is_that_of_the_dictionary() -> None:
    folding = puzzlemc.load(ROOT / "screens" / "levels" / "folding")[0]
    for result in puzzlemc.solve_all([LEVEL, folding]):
        assert result.trace == result.to_dict()["trace"]
