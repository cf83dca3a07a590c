"""The page of a report: its content, and its behaviour in a browser with mouse, keys and fingers."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from strategies import levels
from tug import GAME

from examples import examples
from puzzlemc.encodings.puzzles import Entry, colours, load, puzzle, puzzles
from puzzlemc.mc.graph.analysis import analyse, unexplored
from puzzlemc.mc.graph.layers import layered
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.output.look import icon
from puzzlemc.reports.page import graph_picture
from puzzlemc.reports.page import report as reports
from puzzlemc.reports.page.board import arrow, ringed
from puzzlemc.reports.page.game import game_html, game_report
from puzzlemc.reports.page.html import Group, groups, html
from puzzlemc.reports.page.report import make
from puzzlemc.reports.page.terms import TERMS, Terms
from puzzlemc.reports.page.written import FORMATS
from puzzlemc.reports.solve.options import Options
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.picture import Box

ODD = "<script>alert(1)</script> & 'x' \"y\" \u05e9\u05dc\u05d5\u05dd \u202e " + "long" * 40
LEVELS = {
    "sokoban": f"#########\n#   # . #\n# @ *   #\n#   # $ #\n##### # #\n    #   #\n    #####\nTitle: {ODD}\n",
    "folding": f"Title: {ODD}\n1 0 0 0\n0 0 0 0\n2 0 0 0\n",
    "tetravex": f"Title: {ODD}\nTetravex 2\n3 0 1 2\n7 7 8 1\n0 5 4 6\n7 9 2 4\nPut\n0 0\n0 0\n",
    "fabrik": f"Title: {ODD}\nFabrik 4 3 black\n. . . .\n. O . .\n. . O #\n# X . X\n",
    "puzzlescript": f"{GAME}\nmessage {ODD}\n\n#######\n#.o.ps#\n#.....#\n#######\n",
    "factorio": f"Title: {ODD}\nFactorio\nin A: iron-plate\nout Z: iron-plate\nA...\n....\n....\n...Z\n",
    "pddl": f"; {ODD}\n(define (problem {'long' * 40}) (:domain d) (:init) (:goal (and (p) (not (q)))))\n"
    "(define (domain d) (:predicates (p) (q)) (:action set :effect (and (p) (q)))"
    " (:action clear :precondition (p) :effect (not (q))) (:action end :effect (and (not (p)) (q))))\n",
}


class Pages(dict[str, Path]):
    """The page of a small level of each puzzle, with an odd title; each is made when a test first asks for it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, name: str) -> Path:
        (level,) = puzzle(name).screen.parse(LEVELS[name], name)
        if name == "pddl":  # names in it are never odd
            level = replace(level, title=ODD)
        entry = Entry(f"{name}#1", level.title, puzzle(name), level, None)
        if entry.puzzle.game is not None:
            content = game_html(game_report(entry, reports.solved(entry, Options())))
        else:
            content = html(make(entry, Options()))
        self[name] = self._folder / f"{name}.html"
        self[name].write_text(content, encoding="utf-8")
        return self[name]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The pages: processes that share these tests need few of them."""
    return Pages(tmp_path_factory.mktemp("pages"))


class Outline(HTMLParser):
    """The elements of a page, each with the check that it is closed in its place."""

    VOID = frozenset({"meta", "link", "input", "br", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def page_data(path: Path, name: str) -> Any:
    """The data that a page gives to its script."""
    text = path.read_text(encoding="utf-8")
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# The content of the page


@pytest.mark.parametrize("name", puzzles())
def test_every_page_is_complete_and_harmless(pages: Pages, name: str) -> None:
    text = pages[name].read_text(encoding="utf-8")
    elements = Outline(text).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in elements:
        for what in ("popovertarget", "aria-labelledby", "aria-controls", "for", "data-copy"):
            assert attributes.get(what, ids[0]) in ids, (tag, attributes)
        assert not any(attribute.startswith("on") for attribute in attributes)
        assert attributes.get("src", icon()) == icon()
        for link in (attributes.get("href", "#"), attributes.get("xlink:href", "#")):
            assert link.startswith("#") or link == icon(), link
        if tag == "svg":
            assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label"), attributes
        if tag == "button":
            assert attributes["type"] == "button"
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert "&lt;script&gt;alert(1)" in text
    # Only a text about keys is a hint: telephones do not show hints.
    assert all("<kbd>" in hint for hint in re.findall(r'<p class="hint">(.*?)</p>', text, re.DOTALL))
    assert '<h1 dir="auto" class="long">' in text


@pytest.mark.parametrize("name", ["sokoban", "folding", "tetravex", "fabrik"])
def test_each_move_leads_to_its_step(pages: Pages, name: str) -> None:
    text = pages[name].read_text(encoding="utf-8")
    moves = page_data(pages[name], "replay")["moves"]
    links = re.findall(r'<a href="#step=(\d+)"[^>]*>([^<]*)</a>', text)
    assert [(int(step), unescape(move)) for step, move in links] == list(enumerate(moves, 1))


def test_moves_are_grouped_by_push() -> None:
    sums = [0, 0, 1, 2, 2, 2, 3]
    made = groups("rRRudL", {"pushes": sums, "moves": list(range(7))})
    assert [(["".join(move for _, move, _ in group.moves)], group.title) for group in made] == [
        (["rRR"], "pushes 1 to 2"),
        (["udL"], "push 3"),
    ]
    assert [paid for group in made for _, _, paid in group.moves] == [False, True, True, False, False, True]
    walks = groups("rRud", {"pushes": [0, 0, 1, 1, 1]})
    assert [group.title for group in walks] == ["push 1", ""]
    (one,) = groups(["1D", "2R"], {"moves": [0, 1, 2]})
    assert one == Group(((1, "1D", False), (2, "2R", False)), "")
    assert groups((), {"moves": [0]}) == []


@given(st.lists(st.booleans(), max_size=30))
def test_groups_lose_no_move_and_end_with_a_push(pushes: list[bool]) -> None:
    sums = [sum(pushes[:n]) for n in range(len(pushes) + 1)]
    made = groups(["x"] * len(pushes), {"pushes": sums})
    assert [step for group in made for step, _, _ in group.moves] == list(range(1, len(pushes) + 1))
    assert all(group.moves[-1][2] for group in made[:-1])


@pytest.mark.parametrize(
    ("name", "caption"), [("folding", "colour 1"), ("tetravex", "tile 3"), ("sokoban", "box")]
)
def test_captions_explain_numbers(pages: Pages, name: str, caption: str) -> None:
    text = pages[name].read_text(encoding="utf-8")
    assert re.search(rf"<figcaption>{caption}\b", text)
    assert not re.search(r"<figcaption>\d", text)
    assert text.count('class="scale"') == text.count('aria-label="Heat map of ')


def test_the_scale_of_a_heat_map_has_the_least_and_greatest_share() -> None:
    """In a room with one box, the player is almost equally often on all cells: colours show the difference."""
    page = html(make(level_of("sokoban", SHIPPED / "sokoban" / "first_steps.xsb", 1), Options()))
    player, box = re.findall(
        r'<svg[^>]*aria-label="Heat map.*?</svg></div>\s*<p class="scale">.*?</p>', page, re.DOTALL
    )
    cells = dict(re.findall(r'class="heat h(\d)"[^/]*/><text class="share"[^>]*>([\d.]+)<', player)[::-1])
    assert cells == {"1": "6.6", "9": "7.1"}
    assert re.search(r"<span>6\.6 % <svg.*</svg> 7\.1 %</span>", player)
    # If all shares are equal there is no scale.
    assert "7.7 % everywhere" in box
    assert {*re.findall(r"heat h(\d)", box)} == {"9"}


def test_every_dead_corner_has_a_cross() -> None:
    """Also corners that no box can reach."""
    entry = level_of("sokoban", SHIPPED / "sokoban" / "first_steps.xsb", 1)
    report = make(entry, Options())
    cells, goals = entry.level.cells, entry.level.goals

    def blocked(row: int, column: int, *steps: tuple[int, int]) -> bool:
        return any((row + down, column + across) not in cells for down, across in steps)

    corners = {
        cell
        for cell in set(entry.level.floor) - set(goals)
        if blocked(*cell, (-1, 0), (1, 0)) and blocked(*cell, (0, -1), (0, 1))
    }
    dead = report.dead_places["box"]
    assert (4, 5) in corners
    assert report.analysis.atoms[report.encoded.places["box"][4, 5]].states == 0
    assert corners <= set(dead)
    box = html(report).split("<figcaption>box")[1].split("</figure>")[0]
    assert box.count('class="cross"') == len(dead) + 1  # the legend has one as well


@given(levels())
@settings(max_examples=examples(20, 40))
def test_positions_that_a_puzzle_calls_lost_are_lost(level: Any) -> None:
    encoded = puzzle("sokoban").encodings["compact"](level)
    analysis = analyse(encoded.model, ("pushes",), Budget())
    for family, lost in encoded.lost.items():
        for place in lost:
            assert not analysis.atoms[encoded.places[family][place]].solvable


def test_spare_boxes_may_stand_in_corners() -> None:
    (level,) = puzzle("sokoban").screen.parse("######\n# $  #\n#@ $.#\n######\n", "test")
    assert puzzle("sokoban").encodings["compact"](level).lost["box"] == frozenset()


SHIPPED = ROOT / "screens" / "levels"


def level_of(name: str, path: Path, number: int) -> Entry:
    """A shipped level, by its index in its file from 0."""
    level = puzzle(name).screen.parse(path.read_text(encoding="utf-8"), path.name)[number]
    assert not isinstance(level, LevelError)
    return Entry(f"{path.name}#{number + 1}", level.title, puzzle(name), level, None)


def test_a_complete_tetravex_board_has_no_tray() -> None:
    entry = level_of("tetravex", SHIPPED / "tetravex" / "one_way.tetravex", 1)
    side = entry.level.side
    page = html(make(entry, Options()))
    assert 'id="board"' in page
    boards = re.findall(r'<svg[^>]*class="level" viewBox="0 0 ([\d.]+) [\d.]+"[^>]*aria-label="([^"]*)"', page)
    for width, label in boards:
        assert float(width) == (2 * side + 1 if "chosen in the graph" in label else side), label
    assert {label.split(" of ")[0] for _, label in boards} >= {"The level", "Heat map"}
    # Each unplaced tile has its place beside the board.
    picture = entry.puzzle.screen.picture
    beside = [
        shape for shape in picture(entry.level, (1, 0, 0, 0)).pieces if isinstance(shape, Box) and shape.x > side
    ]
    assert [shape.colour for shape in beside] == ["line", "ink", "ink", "ink"]
    complete = picture(entry.level, (1, 2, 3, 4))
    assert not [shape for shape in complete.board + complete.pieces if isinstance(shape, Box) and shape.x > side]


def test_the_graph_of_thousands_of_boards_has_coloured_tiles() -> None:
    entry = level_of("tetravex", SHIPPED / "tetravex" / "one_way.tetravex", 3)
    rules = entry.puzzle
    encoded = rules.encode_faithfully(entry.level)
    analysis = analyse(encoded.model, rules.metrics, Budget())
    made = graph_picture.graph_picture(analysis, encoded, rules.metrics[0], (), entry.level, rules)
    assert not isinstance(made, str)
    assert made.nodes > 1000
    assert "<polygon" in made.boards


@pytest.mark.parametrize(("stone", "dark"), [("black", False), ("black", True), ("white", True)])
def test_stones_stand_out_from_the_board(stone: str, dark: bool) -> None:
    """By the contrast of WCAG 2 for graphical objects. On a light board, white stones have a dark rim."""

    def light(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    (level,) = puzzle("fabrik").screen.parse("Fabrik 4 3 black\n. . . .\n. O . .\n. . O #\n# X . X\n", "test")
    shown = puzzle("fabrik").screen.picture(level, puzzle("fabrik").rules.start(level))
    (under,) = {each.colour for each in shown.board if isinstance(each, Box)} - {"line"}
    low, high = sorted(light(colours()[name][dark]) for name in (stone, under))
    assert (high + 0.05) / (low + 0.05) >= 3


# For each row of each grid of figures: the width of the grid, and the width of the row with its gaps.
ROWS = """() => [...document.querySelectorAll(".pair")].flatMap((grid) => {
  const boxes = [...grid.children].map((each) => each.getBoundingClientRect());
  return [...new Set(boxes.map((box) => Math.round(box.top)))].map((top) => {
    const row = boxes.filter((box) => Math.round(box.top) === top);
    const [left, right] = [Math.min(...row.map((b) => b.left)), Math.max(...row.map((b) => b.right))];
    return [grid.getBoundingClientRect().width, right - left];
  });
})"""


def test_rows_of_any_number_of_figures_are_full(page: Any, pages: Pages) -> None:
    page.goto(pages["sokoban"].as_uri())
    for count in range(1, 7):
        page.set_viewport_size({"width": 1300, "height": 900})
        grid = f'<section><div class="pair">{"<figure>x</figure>" * count}</div></section>'
        page.evaluate("(grid) => { document.querySelector('main').innerHTML = grid }", grid)
        rows = page.evaluate(ROWS)
        assert len(rows) == (1 if count <= 3 else 2)
        assert all(abs(wide - taken) < 2 for wide, taken in rows), rows
        page.set_viewport_size({"width": 390, "height": 844})
        assert len(page.evaluate(ROWS)) == count


@pytest.mark.parametrize(
    ("name", "text", "moves", "before", "after"),
    [
        ("sokoban", "######\n#@ $.#\n######", "r", [(1, 1)], [(1, 2)]),
        ("sokoban", "######\n# @$.#\n######", "R", [(1, 3)], [(1, 4)]),
        ("folding", "1 0\n0 2", ["1R"], [(0, 0)], [(0, 1)]),
        ("tetravex", "Tetravex 1\n1 1 1 1\nPut\n0", ["1@1,1"], [(0, 2)], [(0, 0)]),
        ("tetravex", "Tetravex 2\n0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1\nSwap\n1 2\n3 4", None, [(0, 0), (0, 1)], []),
    ],
)
def test_a_step_marks_the_pieces_that_it_moved(name: str, text: str, moves: Any, before: Any, after: Any) -> None:
    rules = puzzle(name)
    (level,) = rules.screen.parse(text, "test")
    start = rules.rules.start(level)
    step = next(each for each in rules.rules.steps(level, start) if moves is None or each.name == moves[0])
    moved = rules.display.moved(level, start, step.position)
    assert sorted(moved.before) == before
    assert sorted(moved.after) == (after or before)


def test_an_arrow_leads_to_the_target_of_a_move() -> None:
    shaft, head = re.findall(r'd="M([-\d.]+) ([-\d.]+)', arrow([(1, 1)], [(1, 2)]))
    assert float(shaft[0]) < 2 < float(head[0]) == 2.5
    assert float(shaft[1]) == float(head[1]) == 1.5
    assert arrow([], [(1, 2)]) == arrow([(0, 0), (0, 1)], [(0, 1), (0, 0)]) == ""
    assert ringed([(2, 3)]).startswith('<rect class="ring" x="3.04" y="2.04"')


def test_the_first_mistake_shows_the_move(pages: Pages) -> None:
    text = pages["sokoban"].read_text(encoding="utf-8")
    mistake = text[text.index('id="mistake"') : text.index('id="heat"')]
    before, after, *_ = mistake.split("<figure>")[1:]  # and the reason
    assert before.count('class="ring"') == after.count('class="ring"') == 1
    assert before.count('class="arrow head"') == 1
    assert "arrow" not in after


def test_terms_are_explained_once_and_escaped() -> None:
    terms = Terms()
    shown = terms.explained("<b> lost, and lost; losing")
    assert shown.count("<button") == 2
    assert shown.startswith("&lt;b&gt; <span")
    assert 'popovertarget="term-lost" title="' in shown
    assert ">lost</button>," in shown
    assert [term for _, term, _ in terms.used()] == ["lost", "lose"]
    assert Terms().explained("nothing") == "nothing"
    assert all(meaning.endswith(".") for meaning in TERMS.values())


def test_a_level_whose_states_cannot_be_listed_has_a_report(pages: Pages) -> None:
    (level,) = puzzle("factorio").screen.parse(LEVELS["factorio"], "test")
    report = make(Entry("factorio#1", "", puzzle("factorio"), level, None), Options())
    assert report.missing == []
    assert report.analysis.states == 0
    notes, data = FORMATS[".md"](report), json.loads(FORMATS[".json"](report))
    page = pages["factorio"].read_text(encoding="utf-8")
    assert "Solved, and no solution is better" in page
    assert "layers of the search" not in page
    assert "Output " in notes
    assert "## What is missing" not in notes
    assert "at least 0" not in notes + page
    assert data["analysis"]["states"] is None
    assert data["result"]["checked"] is True
    assert 'id="graph"' not in page
    assert 'data-copy="as-solution"' in page
    assert unexplored(report.encoded.model, "size").graph.initial == 0


# The layout of the graph


@given(
    st.integers(1, 40).flatmap(lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, 5)), min_size=n))
)
def test_nodes_have_distinct_places(made: list[tuple[int, int]]) -> None:
    depths = [depth for _, depth in made]
    edges = [(node, target) for node, (target, _) in enumerate(made) if node != target]
    place = layered(depths, edges)
    assert place == layered(depths, edges)
    assert len({(round(x), round(y)) for x, y in place}) == len(place)
    for (one, depth), (other, deeper) in pairwise(
        sorted(zip(place, depths, strict=True), key=lambda item: item[1])
    ):
        assert depth == deeper or one[0] < other[0]


def test_the_drawing_of_a_graph_of_thousands_of_nodes_is_small() -> None:
    text = "#######\n#@    #\n# $ $ #\n#     #\n#  .. #\n#######"
    (level,) = puzzle("sokoban").screen.parse(text, "test")
    page = html(make(Entry("test#1", "", puzzle("sokoban"), level, None), Options(metric="moves")))
    assert "3,416 nodes for 3,416 states" in page
    assert len(page.encode()) < 700_000


def test_a_graph_counts_each_state_once_and_marks_the_solution() -> None:
    (level,) = puzzle("sokoban").screen.parse(LEVELS["sokoban"], "test")
    report = make(Entry("test#1", "", puzzle("sokoban"), level, None), Options())
    assert report.played is not None
    drawn = graph_picture.graph_picture(
        report.analysis, report.encoded, "pushes", report.played.run.positions, level, puzzle("sokoban")
    )
    assert not isinstance(drawn, str)
    assert sum(drawn.data["sizes"]) == report.analysis.states == drawn.states
    assert len(drawn.data["boards"]) == len(drawn.data["places"]) == drawn.nodes
    by_depth = [0] * (max(drawn.data["depths"]) + 1)
    for size, depth in zip(drawn.data["sizes"], drawn.data["depths"], strict=True):
        by_depth[depth] += size
    assert tuple(by_depth) == report.analysis.metrics["pushes"].states
    on_path = re.search(r'<path class="node path" d="([^"]*)"', drawn.svg)
    assert on_path is not None
    assert on_path[1].count("M") == report.played.run.costs["pushes"] + 1


def test_a_graph_without_costs_has_layers_of_actions() -> None:
    (level,) = puzzle("tetravex").screen.parse("Tetravex 2\n0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1", "test")
    report = make(Entry("test#1", "", puzzle("tetravex"), level, None), Options())
    drawn = graph_picture.graph_picture(report.analysis, report.encoded, "moves", (), level, puzzle("tetravex"))
    assert not isinstance(drawn, str)
    assert set(drawn.data["depths"]) == {0}
    assert len({x for x, _ in drawn.data["places"]}) >= 5  # the number of tiles on a board of four
    assert drawn.data["metric"] == ""


@pytest.mark.parametrize(
    ("note", "uncertified"), [("output 9 a minute", ""), ("no certificate: timeout", "no certificate: timeout")]
)
def test_a_note_on_the_output_is_not_missing(note: str, uncertified: str) -> None:
    (level,) = puzzle("factorio").screen.parse(LEVELS["factorio"], "test")
    entry = Entry("factorio#1", "", puzzle("factorio"), level, None)
    report = make(entry, Options())
    shown = replace(report, result=replace(report.result, note=note, uncertified=uncertified))
    assert shown.missing == ([f"The proof: {uncertified}."] if uncertified else [])
    assert ("Output 9 a minute." in reports.proof(shown)) == (not uncertified)


def test_boards_with_many_pieces_are_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_picture, "MOST_PIECES", 10)
    (level,) = puzzle("folding").screen.parse("1 0\n0 2", "test")
    encoded = puzzle("folding").encodings["tiles"](level)
    analysis = analyse(encoded.model, ("moves",), Budget())
    drawn = graph_picture.graph_picture(analysis, encoded, "moves", (), level, puzzle("folding"))
    assert not isinstance(drawn, str)
    assert drawn.boards == ""
    assert drawn.data["boards"][drawn.data["start"]] == "1 0\n0 2"


# The behaviour of the page


def frames_shown(page: Any, name: str) -> list[int]:
    found: list[int] = page.eval_on_selector_all(
        f"#{name} > *",
        "shapes => shapes.flatMap((shape, n) => getComputedStyle(shape).visibility === 'visible' ? [n] : [])",
    )
    return found


def comes_to(page: Any, step: int) -> bool:
    """Does the page show this step, at once or as soon as the browser reports the new address?"""
    shown = f"document.getElementById('where').textContent.startsWith('Step {step} of')"
    return bool(page.wait_for_function(shown, timeout=10_000))


@pytest.mark.parametrize("name", ["sokoban", "folding"])
def test_the_step_is_in_the_address(page: Any, pages: Pages, name: str) -> None:
    uri = pages[name].as_uri()
    frames = page_data(pages[name], "replay")["frames"]
    last = len(frames) - 1
    page.goto(f"{uri}#step=1")
    assert comes_to(page, 1)
    assert frames_shown(page, "shapes") == frames[1]
    page.keyboard.press("End")
    page.wait_for_url(f"{uri}#step={last}")  # the page gets the event a moment later
    page.go_back()
    page.wait_for_function("document.getElementById('where').textContent.startsWith('Step 1 ')")
    assert frames_shown(page, "shapes") == frames[1]
    page.go_forward()
    page.wait_for_function(f"document.getElementById('where').textContent.startsWith('Step {last} ')")
    # Single steps add nothing to the history.
    before = page.evaluate("history.length")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"{uri}#step={last - 1}")
    assert page.evaluate("history.length") == before
    for wrong in ("#step=999999", "#step=-1", "#step=x", "#heat"):
        page.goto("about:blank")
        page.goto(uri + wrong)
        assert comes_to(page, last if wrong == "#step=999999" else 0)


def test_a_letter_leads_to_its_step(page: Any, pages: Pages) -> None:
    page.goto(pages["sokoban"].as_uri())
    frames = page_data(pages["sokoban"], "replay")["frames"]
    page.click('#moves a[href="#step=5"]')
    assert comes_to(page, 5)
    assert page.url.endswith("#step=5")
    assert frames_shown(page, "shapes") == frames[5]
    assert page.locator("#moves a[aria-current=step]").count() == 1
    assert page.locator("#moves a.done").count() == 5
    # The letter has the focus, which follows the arrow keys; the tab key stops at one letter only.
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#step=6"
    assert page.locator('#moves a[tabindex="0"]').count() == 1
    page.go_back()
    page.wait_for_function("document.getElementById('where').textContent.startsWith('Step 0 ')")


@pytest.mark.slow
def test_long_solutions_are_folded(page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = puzzle("sokoban").screen.parse("#" * 140 + "\n#@$" + " " * 135 + ".#\n" + "#" * 140, "test")
    path = tmp_path / "long.html"
    monkeypatch.setattr("puzzlemc.reports.page.html.LONG", 100)
    path.write_text(html(make(Entry("test#1", "", puzzle("sokoban"), level, None), Options())), encoding="utf-8")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(path.as_uri())
    height = "document.getElementById('moves').clientHeight < document.getElementById('moves').scrollHeight"
    assert page.evaluate(height)
    page.keyboard.press("End")
    inside = (
        "document.querySelector('#moves [aria-current]').offsetTop - document.getElementById('moves').scrollTop"
    )
    shown = page.evaluate("document.getElementById('moves').clientHeight")
    assert 0 < page.eval_on_selector("#moves", inside) < shown
    page.get_by_role("button", name="All 136 moves").click()
    assert not page.evaluate(height)
    page.get_by_role("button", name="Some lines of them").click()
    assert page.evaluate(height)


@pytest.mark.parametrize(
    ("button", "what", "allowed"),
    [
        ("the solution", "as-solution", True),
        ("the level", "as-level", True),
        ("the command line", "as-command", True),
        ("the solution", "as-solution", False),
    ],
)
def test_buttons_copy_texts(page: Any, pages: Pages, button: str, what: str, allowed: bool) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(pages["sokoban"].as_uri())
    text = page.text_content(f"#{what}")
    assert text
    if not allowed:
        page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject(new Error('no')))")
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_role("button", name="Copied", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == text
    assert page.inner_text("#copied") == f"Copied: {button}"


def test_copied_texts_are_right(pages: Pages, tmp_path: Path) -> None:
    page = pages["sokoban"].read_text(encoding="utf-8")
    parts = {
        name: unescape(text) for name, text in re.findall(r'<pre id="as-(\w+)"[^>]*>(.*?)</pre>', page, re.DOTALL)
    }
    assert parts["solution"] == "".join(page_data(pages["sokoban"], "replay")["moves"])
    assert parts["command"] == "puzzlemc report 'sokoban#1' -o report.html"
    path = tmp_path / "copied.xsb"
    path.write_text(parts["level"], encoding="utf-8")
    (entry,) = load([str(path)])
    assert entry.level.rows == puzzle("sokoban").screen.parse(LEVELS["sokoban"], "test")[0].rows


def chosen(page: Any) -> Any:
    return page.evaluate("[+chosen.getAttribute('cx'), +chosen.getAttribute('cy')]")


def view_of(page: Any) -> list[float]:
    return [float(part) for part in page.get_attribute("#graph-picture", "viewBox").split()]


@pytest.fixture
def graph(page: Any, pages: Pages) -> Any:
    """The data of the graph for its script; the page is open and shows the graph."""
    page.goto(pages["sokoban"].as_uri())
    page.locator("#graph-picture").scroll_into_view_if_needed()
    return page_data(pages["sokoban"], "graph-data")


def click_on(page: Any, place: Sequence[int]) -> None:
    """Click on the point of the screen that shows a point of the picture."""
    x, y = page.evaluate(
        "([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(document.getElementById('graph-picture')"
        ".getScreenCTM()); return [at.x, at.y]; }",
        list(place),
    )
    page.mouse.click(x, y)


def test_a_click_shows_the_board_of_a_state(page: Any, graph: Any) -> None:
    assert chosen(page) == graph["places"][graph["start"]]
    assert page.inner_text("#graph-node").startswith("The start. Can be solved. 0 pushes from the start; ")
    for kind, word in graph["words"].items():
        node = graph["kinds"].index(kind)
        click_on(page, graph["places"][node])
        assert chosen(page) == graph["places"][node]
        assert frames_shown(page, "graph-shapes") == graph["boards"][node]
        assert word in page.inner_text("#graph-node")
    # A click far from all nodes selects nothing.
    left, top, width, _ = view_of(page)
    click_on(page, (left + width / 2, top + 1))
    assert chosen(page) == graph["places"][node]


def test_the_graph_is_zoomed_and_shifted(page: Any, graph: Any) -> None:
    whole = view_of(page)
    assert page.locator("#graph-out").is_disabled()
    page.click("#graph-in")
    near = view_of(page)
    assert near[2] == pytest.approx(whole[2] / 1.5)
    box = page.locator("#graph-picture").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 100, steps=5)
    page.mouse.up()
    shifted = view_of(page)
    assert shifted[0] > near[0]
    assert shifted[2:] == near[2:]
    before = chosen(page)
    assert before == graph["places"][graph["start"]], "a drag is not a click"
    # After the picture gets the focus, the wheel zooms around the mouse.
    page.focus("#graph-picture")
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        f"+document.getElementById('graph-picture').getAttribute('viewBox').split(' ')[2] < {near[2] - 1}"
    )
    page.click("#graph-fit")
    assert view_of(page) == pytest.approx(whole)


def test_keys_control_the_graph(page: Any, graph: Any) -> None:
    page.focus("#graph-picture")
    before = chosen(page)
    page.keyboard.press("ArrowRight")
    after = chosen(page)
    assert after[0] > before[0]
    assert page.evaluate("location.hash") == "", "the replay must not take the key as well"
    page.keyboard.press("Home")
    assert chosen(page) == graph["places"][graph["start"]]
    whole = view_of(page)
    page.keyboard.press("+")
    assert view_of(page)[2] < whole[2]
    page.keyboard.press("0")
    assert view_of(page) == pytest.approx(whole)


def test_fingers_control_the_graph(browser: Any, pages: Pages) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(pages["sokoban"].as_uri())
    page.locator("#graph-picture").scroll_into_view_if_needed()
    whole = view_of(page)
    box = page.locator("#graph-picture").bounding_box()
    session = context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind: str, apart: float) -> None:
        points = (
            [] if kind == "touchEnd" else [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        )
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for apart in (30, 45, 60, 80):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    assert view_of(page)[2] < whole[2] / 2
    assert page.evaluate("getComputedStyle(document.getElementById('graph-picture')).touchAction") == "none"
    graph = page_data(pages["sokoban"], "graph-data")
    page.locator("#graph-fit").tap()
    node = graph["kinds"].index("solved")
    at = page.evaluate(
        "([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(document.getElementById('graph-picture')"
        ".getScreenCTM()); return [at.x, at.y]; }",
        graph["places"][node],
    )
    page.touchscreen.tap(*at)
    assert "Solved" in page.inner_text("#graph-node")
    context.close()


def test_terms_open_by_click_and_close_by_escape(page: Any, pages: Pages) -> None:
    page.goto(pages["sokoban"].as_uri())
    page.locator("button.term", has_text="plain rules").first.click()
    assert page.locator("#term-plain-rules").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#term-plain-rules").is_visible()


@pytest.mark.slow
@pytest.mark.parametrize("name", puzzles())
@pytest.mark.parametrize("width", [390, 1300])
def test_pages_fit_every_screen(browser: Any, pages: Pages, name: str, width: int) -> None:
    """Nothing is wider than the page, no text is too small or too faint, and telephones show no hints of keys.

    On a wide page, no row of figures is half empty.
    """
    mobile = width < 600
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme="light", is_mobile=mobile, has_touch=mobile
    )
    page = context.new_page()
    page.goto(pages[name].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll("text, h1, h2, p, td, th, dd, dt, figcaption, button, summary")]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.textContent.trim())
        .map((each) => {
          const scale = !each.ownerSVGElement ? 1
            : Math.hypot(each.getScreenCTM().a, each.getScreenCTM().b);
          return [each.textContent, scale * parseFloat(getComputedStyle(each).fontSize)];
        }).filter(([, size]) => size < 7)"""
    )
    assert small == []
    assert [hint for hint in page.query_selector_all(".hint") if hint.is_visible()] == [] or not mobile
    if not mobile:
        rows = page.evaluate(ROWS)
        assert all(abs(wide - taken) < 2 for wide, taken in rows), rows
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(CONTRAST) == [], scheme
    context.close()


# Texts of the page, except in pictures, with too little contrast to their background (WCAG 2, level AA).
CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = numbers(colour).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0.5) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = "h1, h2, p, a, td, th, dd, dt, figcaption, summary, .badge, li, button:not(:disabled)";
  return [...document.querySelectorAll(texts)]
    .filter((each) => each.checkVisibility() && each.textContent.trim())
    .map((each) => {
      const [one, other] = [light(getComputedStyle(each).color), light(behind(each))];
      return [each.textContent.trim().slice(0, 40), (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)];
    }).filter(([, ratio]) => ratio < 4.5);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", puzzles())
def test_a_printed_page_has_no_controls(page: Any, pages: Pages, name: str) -> None:
    """On paper there are no controls, every picture is there, and the colours are light."""
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(pages[name].as_uri())
    for gone in (
        ".controls",
        ".copies",
        ".hint",
        "#seek",
        "#where",
        ".tools",
        ".meaning",
        ".node-board",
        ".texts",
    ):
        assert not any(each.is_visible() for each in page.query_selector_all(gone)), gone
    assert any(each.is_visible() for each in page.query_selector_all(".replay .level"))
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 25, 29)"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


@pytest.mark.parametrize("document", ["docs/guides/designer.md", "docs/architecture.md"])
def test_documents_name_the_size_limit_of_the_graph(document: str) -> None:
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    assert f"{graph_picture.MOST_STATES:,}" in text
    assert f"{graph_picture.MOST_NODES:,} nodes" in text
    others = [f"{number:,} nodes" for number in (graph_picture.MOST_STATES, 10_000, 1_000)]
    assert not [each for each in others if f" {each}" in text]
