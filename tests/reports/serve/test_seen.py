"""What a person sees of the positions of a level: words, heat maps, the graph, a solution's forced moves."""

import re
from importlib.resources import files
from typing import Any

from workbench import paste, says

from puzzlemc.reports.serve.app import _static

ROOM = "########\n#   #  #\n#  $ . #\n# # $  #\n#  @ . #\n########"


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
