"""Reports agree with the analysis, and the page opens and plays in a browser without a network."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from command import puzzlemc, write
from tug import GAME

from examples import examples
from puzzlemc.encodings.puzzle.encoded import placed
from puzzlemc.encodings.puzzles import Entry, load, puzzle, puzzles
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.graph.analysis import Visits, analyse
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import counted, number, share
from puzzlemc.reports.page import graph_picture
from puzzlemc.reports.page import report as reports
from puzzlemc.reports.page.game import GameReport, game_html, game_report
from puzzlemc.reports.page.heat import percent_in_cell
from puzzlemc.reports.page.html import html
from puzzlemc.reports.page.report import Report, make, proof
from puzzlemc.reports.page.written import FORMATS
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result, Search, Solution

LEVELS = {
    "solvable": "#########\n#   # . #\n# @ *   #\n#   # $ #\n##### # #\n    #   #\n    #####\n"
    "Title: <Out & back>\n",
    "unsolvable": "#####\n#$  #\n#.@ #\n#   #\n#####\nTitle: Cornered\n",
    "solved": "#####\n#@* #\n#####\nTitle: Done\n",
}
# The smallest level of each puzzle that has moves to play.
SMALL = {
    "sokoban": LEVELS["solvable"],
    "folding": "1 0\n0 2\n",
    "tetravex": "Tetravex 2\n3 0 1 2\n7 7 8 1\n0 5 4 6\n7 9 2 4\nPut\n0 0\n0 0\n",
    "fabrik": "Fabrik 4 3 black\n. . . .\n. O . .\n. . O #\n# X . X\n",
    "puzzlescript": f"{GAME}\n\n#######\n#.o.ps#\n#.....#\n#######\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    folder = tmp_path_factory.mktemp("levels")
    found = {}
    for name, text in LEVELS.items():
        (entry,) = load([str(write(folder / f"{name}.xsb", text))])
        found[name] = make(entry, Options())
    return found


@pytest.fixture(scope="module")
def pages(made: dict[str, Report]) -> dict[str, str]:
    return {name: html(report) for name, report in made.items()}


def entry_of(name: str) -> Entry:
    """A small level of a puzzle."""
    if name not in SMALL:
        pytest.skip(f"there is no small level of {name} here")
    (level,) = puzzle(name).screen.parse(SMALL[name], name)
    return Entry(f"{name}#1", "", puzzle(name), level, None)


def test_json_has_the_analysis(made: dict[str, Report]) -> None:
    report = made["solvable"]
    data = json.loads(FORMATS[".json"](report))
    analysis = data["analysis"]
    assert data["result"]["checked"] is True
    assert data["missing"] == []
    assert analysis["states"] == report.analysis.states == sum(analysis["metrics"]["moves"]["states"])
    assert analysis["solvable"] + analysis["dead"] == analysis["states"]
    assert analysis["metrics"]["pushes"]["solutions"]["cost"] == data["result"]["cost"] == 6
    assert list(analysis["metrics"]) == ["pushes", "moves"]
    lost = analysis["metrics"]["pushes"]["losing"]["first"]
    assert lost[-1].isupper()
    assert [2, 2] in analysis["dead_places"]["box"]
    assert "player" not in analysis["dead_places"]
    assert analysis["atoms"]["box@(2,2)"]["solvable"] == 0


def test_markdown_has_the_numbers(made: dict[str, Report]) -> None:
    text = FORMATS[".md"](made["solvable"])
    assert text.startswith("# &lt;Out &amp; back&gt;\n")
    assert "**Solvable in 6 pushes**" in text
    assert f"| reachable states | {made['solvable'].analysis.states:,} |" in text
    assert "## The first mistake" in text
    assert "## What is missing" not in text


def test_an_unsolvable_level_has_no_dead_places_and_no_mistake(made: dict[str, Report]) -> None:
    report = made["unsolvable"]
    assert report.can_be_lost
    assert report.dead_places == {}
    assert report.mistake is None
    assert "was checked by code that knows no engine" in reports.proof(report)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A level with more states than a search lists within a few seconds."""
    board = ["#" * 14, "#@" + " " * 11 + "#", *["# $ $ $ $ $  #", "#" + " " * 12 + "#"] * 2]
    board += ["#..........  #", "#" * 14]
    return write(tmp_path / "large.xsb", "\n".join(board) + "\n")


@pytest.mark.slow
def test_a_level_that_is_too_large_gets_a_report(tmp_path: Path, large: Path) -> None:
    """The limit is long: it includes drawing the page, also on a busy machine."""
    out = tmp_path / "out.html"
    done = puzzlemc("report", large, "-o", out, "--timeout", "8")
    assert done.returncode == 3, done.stderr
    assert "time ran out first" in done.stderr
    page = out.read_text()
    assert "time ran out first" in page
    assert "at least " in page
    # The results of the analysis up to its limit are kept.
    assert re.search(r"the share of the [0-9,]{5,} states seen before time ran out", page)


@pytest.mark.parametrize("suffix", [".html", ".json", ".md"])
def test_the_report_of_a_level_that_is_too_large_names_what_is_missing(large: Path, suffix: str) -> None:
    (entry,) = load([str(large)])
    result = Result(entry.id, verdict="unknown", reason="timeout", bound=1, metric="pushes")
    text = FORMATS[suffix](reports.gather(entry, Options(), result, "timeout"))
    assert "time ran out first" in text
    assert "at least " in text or suffix == ".json"


HEAT = "Where each thing can be"


def cut_short(level: Path, seconds: float, met: int = 0) -> Report:
    """A report on a level that cannot be decided; its analysis ends after this number of seconds."""
    (entry,) = load([str(level)])
    statistics = Statistics(states=met) if met else None
    result = Result(
        entry.id, verdict="unknown", reason="timeout", metric="pushes", search=Search(statistics=statistics)
    )
    return reports.gather(entry, Options(timeout=seconds), result, None if seconds else "timeout")


def test_too_few_states_give_no_heat_maps_or_plots(large: Path) -> None:
    report = cut_short(large, 0)
    assert report.analysis.states == 1
    page = html(report)
    assert HEAT not in page
    assert "By moves" not in page
    why = "only 1 state could be analysed, fewer than 1,000"
    assert why in page
    assert why in FORMATS[".md"](report)
    assert "## By moves" not in FORMATS[".md"](report)
    assert any(why in missing for missing in json.loads(FORMATS[".json"](report))["missing"])


def test_a_small_share_of_the_found_states_gives_no_heat_maps(large: Path) -> None:
    enough = cut_short(large, 1)
    states = enough.analysis.states
    assert states >= 1000
    assert HEAT in html(enough)
    assert "By moves" in html(enough)
    few = cut_short(large, 1, 10**12)
    assert HEAT not in html(few)
    assert re.search(r"only [0-9,]+ of the 1,000,000,000,000 states met could be analysed", html(few))
    met = replace(enough.analysis.graph, met=1000 * states + 1)
    assert replace(enough, analysis=replace(enough.analysis, graph=met)).too_few
    met = replace(met, met=1000 * states)
    assert not replace(enough, analysis=replace(enough.analysis, graph=met)).too_few


def test_a_small_complete_state_space_has_heat_maps(made: dict[str, Report]) -> None:
    report = made["unsolvable"]
    assert report.analysis.states < 1000
    assert HEAT in html(report)
    # A limit after the last state does not change that.
    assert HEAT in html(replace(report, analysis=replace(report.analysis, reason="timeout")))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.xsb", "-o", "out.pdf"], "expected a name that ends with .html, .json or .md"),
        (["a.xsb", "-o", "none/out.md"], "none/out.md"),
        (["missing.xsb", "-o", "out.md"], "no such file"),
        (["a.xsb", "-o", "out.md", "--metric", "folds"], "unknown metric 'folds' of sokoban"),
    ],
)
def test_bad_usage_is_an_error(tmp_path: Path, arguments: list[str], message: str) -> None:
    path = write(tmp_path / "a.xsb", LEVELS["unsolvable"])
    paths = [
        str(path) if name == "a.xsb" else str(tmp_path / name) if "out." in name else name for name in arguments
    ]
    done = puzzlemc("report", *paths)
    assert done.returncode == 2
    assert message in " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.stderr).split())


@pytest.mark.parametrize(
    "wrong", [{"verdict": "unsolvable"}, {"verdict": "solvable", "solution": Solution("", 5, True, {})}]
)
def test_an_engine_that_contradicts_the_analysis_is_refuted(wrong: dict[str, Any]) -> None:
    entry = entry_of("sokoban")
    analysis = analyse(puzzle("sokoban").encodings["compact"](entry.level).model, ("pushes",), Budget())
    reports._compare(
        Result(entry.id, verdict="solvable", metric="pushes", solution=Solution("", 6, True, {})), analysis
    )
    with pytest.raises(Refuted):
        reports._compare(Result(entry.id, metric="pushes", **wrong), analysis)


def test_atoms_are_grouped_into_families() -> None:
    here, nowhere = Visits(3, 1), Visits(0, 0)
    atoms = {"solved": here, "box@(2,3)": here, "box@(4,5)": nowhere, "player@(1,11)": here}
    places = {"box": placed("box", [(1, 2), (3, 4)]), "player": placed("player", [(0, 10)])}
    assert reports.families(places, atoms) == {"box": {(1, 2): here}, "player": {(0, 10): here}}


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0"), (1234567, "1,234,567"), (12345 * 10**20, "1.23 × 10^24"), (10**400, "1.00 × 10^400")],
)
def test_numbers_are_readable(value: int, written: str) -> None:
    assert number(value) == written


@pytest.mark.parametrize(
    ("part", "whole", "written"),
    [
        (0, 5, "0 %"),
        (5, 5, "100 %"),
        (1, 10**6, "0.1 %"),
        (10**6 - 1, 10**6, "99.9 %"),
        (1, 3, "33.3 %"),
        (0, 0, "0 %"),
    ],
)
def test_shares_are_rounded(part: int, whole: int, written: str) -> None:
    assert share(part, whole) == written


# The page.


def test_the_page_loads_nothing_and_escapes_texts_of_levels(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert not re.search(r'(?:src|href)="(?!#|data:)', page.replace('xlink:href="#', 'href="#'))
        assert "url(http" not in page
        assert "@import" not in page
        ids = re.findall(r'\bid="([^"]*)"', page)
        assert len(ids) == len(set(ids))
    assert "&lt;Out &amp; back&gt;" in pages["solvable"]
    assert "<Out" not in pages["solvable"]


def visible(page: Any) -> list[int]:
    found: list[int] = page.eval_on_selector_all(
        "#shapes > *",
        "shapes => shapes.flatMap((shape, n) => getComputedStyle(shape).visibility === 'visible' ? [n] : [])",
    )
    return found


@pytest.mark.parametrize("name", LEVELS)
def test_the_page_opens(page: Any, pages: dict[str, str], tmp_path: Path, name: str) -> None:
    path = tmp_path / "out.html"
    path.write_text(pages[name])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        assert page.title().endswith("puzzlemc")
        assert page.locator("h1").is_visible()
        assert page.locator("#play").count() == (name == "solvable")
        # The page fits a telephone.
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible()


def report_of(name: str) -> tuple[Report | GameReport, str]:
    """The report on a small level of a puzzle, and its page."""
    entry = entry_of(name)
    if entry.puzzle.game is not None:
        game = game_report(entry, reports.solved(entry, Options()))
        return game, game_html(game)
    report = make(entry, Options())
    return report, html(report)


@pytest.mark.parametrize("name", puzzles())
def test_the_replay_runs(page: Any, tmp_path: Path, name: str) -> None:
    report, text = report_of(name)
    path = tmp_path / "out.html"
    path.write_text(text)
    page.goto(path.as_uri())
    assert report.played is not None
    replay = json.loads(page.inner_text("#replay") or page.text_content("#replay"))
    last = len(report.played.moves)
    assert last == len(replay["frames"]) - 1 > 0

    def at(step: int) -> None:
        costs = ", ".join(counted(sums[step], metric) for metric, sums in replay["costs"].items())
        where = page.inner_text("#where")
        assert where.startswith(f"Step {step} of {last}")
        assert where.endswith(costs)
        assert visible(page) == sorted(replay["frames"][step])

    at(0)
    page.click("#forth")
    at(1)
    page.keyboard.press("ArrowLeft")
    at(0)
    page.keyboard.press("End")
    at(last)
    page.keyboard.press("Home")
    at(0)
    page.locator("#seek").fill(str(last))
    at(last)
    page.select_option("#speed", "16")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")  # starts again, and plays to the end
    expect = pytest.importorskip("playwright.sync_api").expect
    expect(page.locator("#where")).to_have_text(re.compile(f"Step {last} of"), timeout=20_000)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    at(last)
    assert replay["costs"] | report.played.run.costs == {
        metric: sums if metric not in report.played.run.costs else sums[-1]
        for metric, sums in replay["costs"].items()
    }


@pytest.mark.corpus
def test_pages_of_the_corpus_stay_small(corpus: Path) -> None:
    for place in (1, 3)[examples(1, 0) :]:
        (entry,) = load([f"{corpus / 'sokoban' / 'microban1.xsb'}#{place}"])
        assert len(html(make(entry, Options())).encode()) < 1_000_000


TILES = "0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1"


def written(name: str, text: str, **options: Any) -> tuple[Report, str, str]:
    """The report of a level as Markdown, and as a page."""
    (level,) = puzzle(name).screen.parse(text, "test")
    report = make(Entry("test#1", "", puzzle(name), level, None), Options(**options))
    page = re.sub(r"<(style|script).*?</\1>", "", html(report), flags=re.DOTALL)
    return report, FORMATS[".md"](report), page


def test_the_report_of_a_constraint_has_no_moves() -> None:
    report, notes, page = written("tetravex", f"Tetravex 2\n{TILES}")
    for text in (notes, re.sub(r"<[^>]*>", "", page)):
        assert not re.search(r"\b(moves?|costs?|[Ss]teps?|losing|mistake|deepest|shortest)\b", text), text
        assert "The solution was checked by the plain rules." in text
        assert "boards that can be completed" in text
    assert "4 1 3 2" in notes
    assert report.draw((4, 1, 3, 2)) in notes
    assert "Tiles in reading order: 4 1 3 2" in page
    assert 'id="seek"' not in page


def test_a_level_that_starts_solved_has_a_report_without_moves() -> None:
    assert "It is solved as it stands." in written("tetravex", f"Tetravex 2\n{TILES}\nSwap\n4 1\n3 2")[1]


def test_the_report_counts_solutions_that_differ_in_order() -> None:
    _, notes, page = written("tetravex", f"Tetravex 2\n{TILES}\nPut\n0 0\n0 0")
    assert "| shortest solutions, other orders counted apart | 24 |" in notes
    assert "| positions in which these end | 1 |" in notes
    assert "other orders counted apart; they end in 1 position" in page


ROOM = "\n".join(
    ["#" * 12, "#@         #", "#   $  $   #", "#    $     #", "#          #", "#.   ..    #", "#" * 12]
)


def test_states_found_before_a_limit_are_not_called_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis ends early, but the search does not."""

    def cut(model: Any, metrics: Any, budget: Budget) -> Any:
        return analyse(model, metrics, Budget(Limits(memory=1 << 22)))

    monkeypatch.setattr(reports, "analyse", cut)
    report, notes, page = written("sokoban", ROOM, timeout=60)
    assert report.analysis.graph.reason == "memory"
    assert report.result.verdict == "solvable"
    for text in (notes, page):
        assert "memory ran out first" in text
        assert "all reachable states" not in text.lower()
        assert "All states</h2>" not in text
        assert "## All states" not in text
        assert "at least 0" not in text
        assert "deepest" not in text
        assert "the lost ones among them" not in text
        assert "analysis of all states" not in text
    assert "| solved states | at least 1 |" in notes
    assert f"the share of the {report.analysis.states:,} states seen before memory ran out" in page
    assert "It is not drawn: not all of its states are known." in page
    # The missing parts come last.
    assert notes.index("## What is missing") > max(notes.index(f"\n{mark} ") for mark in ("##",))
    assert page.index("What is missing") > page.index("The state graph")


def test_a_graph_that_is_too_large_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_picture, "MOST_NODES", 400)
    _, _, page = written("sokoban", "#######\n#@    #\n# $ $ #\n#     #\n#  .. #\n#######", metric="moves")
    assert re.search(r"It is not drawn: it has [0-9,]+ nodes, more than the 400 that a picture can show\.", page)


def test_numbers_in_heat_maps_grow_with_the_share() -> None:
    def value(text: str) -> float:
        return float(text[1:]) + (0.001 if text[0] == ">" else -0.001) if text[0] in "<>" else float(text)

    for whole, most in [(1000, 999), (1000, 1000), (1000, 100), (1000, 99), (10**6, 10**4), (10**6, 999_999)]:
        texts = [percent_in_cell(part, most, whole) for part in range(1, most + 1, max(1, most // 997))]
        assert [value(text) for text in texts] == sorted(value(text) for text in texts)
        assert "0" not in texts
        assert "0.0" not in texts
    assert percent_in_cell(1, 1000, 1000) == "<1"
    assert percent_in_cell(1, 50, 10_000) == "<.1"
    assert percent_in_cell(999, 999, 1000) == ">99"
    assert percent_in_cell(1000, 1000, 1000) == "100"


@pytest.mark.parametrize(
    ("bound", "message"),
    [(0, "time ran out first."), (1, "time ran out first. No solution costs less than 1 push.")],
)
def test_an_unknown_verdict_has_a_reason(made: dict[str, Report], bound: int, message: str) -> None:
    result = Result("a#1", verdict="unknown", reason="timeout", bound=bound, metric="pushes")
    assert proof(replace(made["solvable"], result=result)) == f"Whether it can be solved is not known: {message}"


# A folder of reports.

MIXED = (
    "#####\n#@$.#\n#####\nTitle: One | <b>push</b>\n",
    "#####\n#$.$#\n#####\n",
    "#####\n#$  #\n#.@ #\n#####\nTitle: Cornered\n",
)


def test_several_levels_are_a_folder_with_an_index(tmp_path: Path, page: Any) -> None:
    first = write(tmp_path / "a.xsb", *MIXED)
    (tmp_path / "b").mkdir()
    second = write(tmp_path / "b" / "a.xsb", LEVELS["solvable"])
    out = tmp_path / "reports"
    third = write(tmp_path / "c.tetravex", "Tetravex 1\n0 0 0 0\n")
    done = puzzlemc("report", first, second, third, "-o", f"{out}/")
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("error: ") == 1
    assert f"error: {first}:" in done.stderr
    pages = {path.name for path in out.iterdir()} - {"index.html"}
    assert len(pages) == 4
    page.goto((out / "index.html").as_uri())
    rows = [row.inner_text().split("\t") for row in page.query_selector_all("tbody tr")]
    assert [row[0] for row in rows] == [f"{first}#1", f"{first}#2", f"{first}#3", f"{second}#1", f"{third}#1"]
    assert [row[3] for row in rows] == ["solvable", "error", "unsolvable", "solvable", "solvable"]
    assert rows[4][4:7] == ["-", "2", "0 %"]  # filling a board costs no moves
    assert rows[0][1] == "One | <b>push</b>"
    assert rows[0][4:7] == ["1 push", "3", "0 %"]
    assert rows[3][4:7] == ["6 pushes", "5,315", "89.1 %"]
    assert "found no player" in rows[1][7]
    links = [link.get_attribute("href") for link in page.query_selector_all("tbody a")]
    assert {unquote(link) for link in links} == pages
    page.query_selector_all("tbody a")[0].click()
    assert "Solvable in 1 push" in page.inner_text("header")


@pytest.mark.parametrize("form", ["json", "md"])
def test_the_index_can_be_json_or_markdown(tmp_path: Path, form: str) -> None:
    level = write(tmp_path / "a.xsb", *MIXED)
    out = tmp_path / "reports"
    out.mkdir()  # it exists, so it needs no slash
    done = puzzlemc("report", level, "-o", out, "--format", form)
    assert done.returncode == 2, done.stderr
    assert {path.name for path in out.iterdir()} == {f"{name}.{form}" for name in ("a.xsb-1", "a.xsb-3", "index")}
    index = (out / f"index.{form}").read_text()
    if form == "md":
        assert "[" + str(level).replace("_", r"\_") + r"\#1](a.xsb-1.md)" in index
        assert r"One \| &lt;b&gt;push&lt;/b&gt;" in index
        return
    rows = json.loads(index)
    assert [row["file"] for row in rows] == ["a.xsb-1.json", None, "a.xsb-3.json"]
    assert [row["result"]["verdict"] for row in rows] == ["solvable", "error", "unsolvable"]
    assert [(row["states"], row["complete"]) for row in rows] == [(3, True), (None, False), (5, True)]
    assert rows[2]["dead"] == 5


def test_one_level_may_go_into_a_folder_and_exit_codes_agree(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", LEVELS["unsolvable"])
    done = puzzlemc("report", level, "-o", f"{tmp_path / 'v1.2'}/")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in (tmp_path / "v1.2").iterdir()) == ["a.xsb-1.html", "index.html"]


def test_several_levels_cannot_be_one_file(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", LEVELS["unsolvable"])
    done = puzzlemc("report", level, level, "-o", tmp_path / "out.html")
    assert done.returncode == 2
    assert "-o FOLDER/" in done.stderr
    assert not (tmp_path / "out.html").exists()


def test_the_index_marks_an_incomplete_report(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "reports"
    done = puzzlemc("report", large, "-o", f"{out}/", "--timeout", "2", "--format", "json")
    assert done.returncode == 3, done.stderr
    (row,) = json.loads((out / "index.json").read_text())
    assert row["complete"] is False
    assert row["missing"]
    assert row["dead"] is None


@pytest.mark.parametrize("name", ["lr", "lr.pdf"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_name_without_a_known_suffix_may_be_meant_as_a_folder(tmp_path: Path, name: str, count: int) -> None:
    level = write(tmp_path / "level.xsb", LEVELS["solved"])
    done = puzzlemc("report", *[level] * count, "-o", tmp_path / name)
    assert done.returncode == 2
    message = (
        f"found '{tmp_path / name}', expected a name that ends with .html, .json or .md, or a folder: {name}/"
    )
    assert re.sub(r"\s+", "", message) in re.sub(r"[│\s]+", "", done.stderr)
    assert not (tmp_path / name).exists()


def test_several_levels_in_one_file_are_refused(tmp_path: Path) -> None:
    level = write(tmp_path / "level.xsb", LEVELS["solved"])
    done = puzzlemc("report", level, level, "-o", tmp_path / "lr.html")
    assert done.returncode == 2
    assert "expected one level, or -o FOLDER/" in re.sub(r"[│\s]+", " ", done.stderr)
