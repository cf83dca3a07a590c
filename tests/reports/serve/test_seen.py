"""What a person sees of the positions of a level: words, heat maps, the graph, a solution's forced moves."""

import re
from importlib.resources import files

from puzzlemc.reports.serve.app import _static


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
