"""What a person sees of the positions of a level: words, heat maps, the graph, a solution's forced moves."""

import re
from importlib.resources import files
from threading import Event
from typing import Any

from workbench import becomes, box, paste, says

from puzzlemc.reports.serve import positions
from puzzlemc.reports.serve.app import _static
from puzzlemc.reports.serve.questions import Play

ROOM = "########\n#   #  #\n#  $ . #\n# # $  #\n#  @ . #\n########"

FIRST_SOLVED = """path => {  // the place on the page
  const { a, d, e, f } = path.getScreenCTM()
  const [x, y] = path.getAttribute("d").slice(1).split("l")[0].split(" ").map(Number)
  return [x * a + e, (y + 5) * d + f]
}"""


def test_the_page_and_reports_have_one_word_for_lost_positions() -> None:
    pages = dict(_static(files("puzzlemc.reports.serve").joinpath("static")))
    pages |= dict(_static(files("puzzlemc.reports.page")))
    texts = {
        name: data.decode()
        for name, data in pages.items()
        if name.endswith((".js", "index.html", ".jinja")) and ".bundle." not in name
    }
    assert len(texts) > 20
    for name, text in texts.items():
        # Not names of fields and styles: `map.dead`, `"dead"`, `class="node dead"`, `--dead`.
        said = re.sub(r"\{[{%].*?[}%]\}|<[^>]*>|[\w.-]*[-.]dead\b|\"dead\"|`dead`", "", text)
        assert re.findall(r"(?i)\b(?:dead|deadlocks?|stuck)\b", said) == [], name


def test_a_heat_map_has_a_scale_over_what_occurs_and_a_legend(page: Any) -> None:
    says(page, "Solvable")
    paste(page, ROOM)
    says(page, "4 pushes")
    page.locator(".heat-choice select").select_option("player|lost")
    page.locator(".scale", has_text="74 %").wait_for()
    assert "79 %" in page.locator(".scale").inner_text()
    shares = page.locator("#stage .heat text").all_text_contents()
    assert (min(shares), max(shares), len(shares)) == ("74", "79", 22)
    squares = page.locator("#stage .heat rect:not(.ground)").all()
    strengths = [float(each.get_attribute("fill-opacity")) for each in squares]
    assert max(strengths) - min(strengths) > 0.6  # the least share is pale, though it is 74 %
    page.locator(".heat-choice select").select_option("box|lost")
    page.locator(".scale", has_text="All of them are lost").wait_for()
    assert page.locator("#stage .cross").count() == 10
    shares = page.locator("#stage .heat text").all_text_contents()
    assert (min(shares), max(shares)) == ("49", "65")  # crossed squares are no part of the scale
    page.locator(".heat-choice select").select_option("box|visits")
    page.locator(".scale", has_text="158 positions, the percentage").wait_for()
    page.locator(".heat-choice select").select_option("")
    page.locator(".scale").wait_for(state="detached")
    assert page.locator("#stage .heat rect").count() == 0


def test_the_nodes_of_a_graph_are_reached_by_their_moves_and_are_what_they_are_said_to_be() -> None:
    answers: dict[str, Any] = {}

    def play(**more: Any) -> dict[str, Any]:
        answers.clear()
        asked = Play(1, "sokoban", ROOM, explore=True, **more)
        positions.play(asked, lambda each: answers.update({each["kind"]: each}), Event())
        return answers

    graph = play(moves=["r"], graph=True)["graph"]
    assert answers["around"]["path"] == [0, 0]  # a walk costs nothing
    nodes = len(graph["places"])
    assert nodes == len(graph["sizes"]) == len(set(map(tuple, graph["places"]))) == 213
    assert sum(graph["sizes"]) == answers["around"]["states"]
    kinds = set[str]()
    for node in range(0, nodes, 12):
        found = play(moves=["r"], node=node)
        assert found["around"]["path"][-1] == node
        assert found["position"]["costs"]["pushes"] >= graph["depths"][node]
        kind = "solved" if found["position"]["solved"] else "live" if found["advice"]["solvable"] else "lost"
        assert graph["kinds"][node] == kind
        kinds.add(kind)
        for _, _, left, there in found["around"]["ways"]:
            assert (left is None) == (graph["kinds"][there] == "lost")
            assert there == node or [node, there] in graph["edges"]
    assert kinds >= {"live", "lost"}
    assert play(moves=["r"], node=nodes)["position"]["moves"] == ["r"]  # there is none such


def test_the_graph_is_drawn_with_the_path_so_far_zoomed_and_walked_in(page: Any) -> None:
    says(page, "Solvable")
    paste(page, ROOM)
    says(page, "4 pushes")
    page.locator("#play-mode").click()
    says(page, "4 pushes to go")
    page.keyboard.press("e")
    picture = page.locator(".graph > svg")
    picture.wait_for()
    assert page.locator(".graph .edge:not(.way)").first.get_attribute("d").count("M") == 660
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    says(page, "Lost since move 4")
    way = page.locator(".graph > svg .way")
    becomes(page, lambda: way.get_attribute("d").count("M"), 2)  # two pushes
    whole = picture.get_attribute("viewBox")
    place = box(page, picture)
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.wheel(0, -300)
    becomes(page, lambda: float(picture.get_attribute("viewBox").split()[2]) < 0.7 * float(whole.split()[2]), True)
    page.get_by_role("button", name="All", exact=True).click()
    becomes(page, lambda: picture.get_attribute("viewBox"), whole)
    start = box(page, page.locator(".graph .start"))
    page.mouse.click(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    says(page, "0 pushes, 1 move so far")  # back on the path, to the last position there
    page.locator(".timeline", has_text="Move 1 of 4").wait_for()
    at = page.locator(".graph > svg .solved").evaluate(FIRST_SOLVED)
    page.mouse.move(*at)
    page.locator(".graph p", has_text="Solved, 4 pushes from the start").wait_for()
    page.mouse.click(*at)
    says(page, "Solved")
    page.keyboard.press("e")
    page.locator(".graph").wait_for(state="hidden")


def test_the_choices_along_a_solution_are_a_strip_that_leads_to_each_of_them(page: Any) -> None:
    says(page, "Solvable")
    paste(page, ROOM)
    says(page, "4 pushes")
    page.get_by_role("button", name="Watch the solution").click()
    says(page, "Solved")
    steps = page.locator(".strip span")
    becomes(page, steps.count, 4)
    titles = [each.get_attribute("title") for each in steps.all()]
    assert titles[0] == "Step 1, move 6: a branch: 3 steps begin shortest solutions"
    assert titles[3] == "Step 4, move 11: forced in a shortest solution; 4 do not lose"
    steps.nth(2).click()
    page.locator(".timeline", has_text="Move 7 of 11").wait_for()
    page.locator(".strip span:nth-child(3).at").wait_for()
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    says(page, "Lost since move")
    page.locator(".strip .loses").wait_for()
    page.locator(".choices .keys", has_text="loses").wait_for()
    height = box(page, "#stage svg")["height"]
    page.keyboard.press("r")
    page.keyboard.press("ArrowRight")  # a line without a push has no choices, and the board stays where it is
    page.locator(".choices.empty").wait_for(state="attached")
    assert box(page, "#stage svg")["height"] == height
