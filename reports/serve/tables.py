"""What the page needs to know of the puzzles at first: their colours, brushes, and first levels.

`tools/workbench_tables.py` writes both into the static files: to import all puzzles takes longer than a
browser needs to open.
"""

import re
from importlib.resources import as_file, files
from typing import Any

from puzzlemc.encodings.puzzles import OWN, load, puzzles
from puzzlemc.reports.documents.levels import SOURCE
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.reports.output.look import variables
from puzzlemc.reports.serve.offers import wishes, without
from puzzlemc.reports.serve.questions import MOST_TEXT
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.picture import COLOURS
from puzzlemc.screens.base.reading import read_text


def palette() -> str:
    """The colours of pictures of the program's own puzzles by name, for light and dark pages."""
    known = dict(COLOURS)
    for name in OWN:
        known |= puzzles()[name].display.palette
    return variables({f"c-{name.replace(' ', '-')}": both for name, both in sorted(known.items())})


def about() -> dict[str, Any]:
    """The puzzles of the page: their metrics, brushes, and first levels."""
    from puzzlemc.reports.formats.export import formats  # slow to load, and only some servers need it

    found: dict[str, Any] = {}
    for name, rules in puzzles().items():
        each: dict[str, Any] = {
            "metrics": rules.metrics,
            "sides": None if rules.game is None else rules.game.sides,
            "bots": [] if rules.game is None else list(rules.game.bots),
            "without": without(rules),
            "points": "" if rules.pointing is None else rules.pointing().words,
            "taps": rules.pointing is not None and rules.pointing().taps,
            "wishes": wishes(rules),
            "kinds": [] if rules.changes is None else list(rules.changes().kinds),
            "how": rules.how_to_play,
            "optimises": rules.optimisation is not None,
            "signs": rules.signs is not None,
            "first": _first(name),
            "suffix": next(iter(rules.level_formats)),
            "exports": sorted(formats(rules)) if rules.game is None else [],
        }
        if rules.tiling is not None:
            tiling = rules.tiling()
            each["tiling"] = {"heading": tiling.heading, "sides": tiling.sides, "games": tiling.games}
        if rules.drawing is not None:
            drawing = rules.drawing()
            each |= {
                "brushes": [[b.sign, b.name, b.key, shapes(b.shapes)] for b in drawing.brushes],
                "first": drawing.first,
                "sheet": None if (sheet := drawing.sheet(drawing.first)) is None else sheet._asdict(),
                "between": drawing.between,
                "hollow": drawing.hollow,
                "outside": drawing.outside,
                "enclosed": drawing.enclosed,
                "other": drawing.other,
                "onto": drawing.onto,
                "single": [drawing.single] if isinstance(drawing.single, dict) else drawing.single,
                "sized": drawing.sized,
                "letters": drawing.letters,
            }
        found[name] = each
    return found


def _first(name: str) -> str:
    """The text of the first level that ships with a puzzle; empty if none does."""
    if name not in OWN:
        return ""
    with as_file(files("puzzlemc.screens").joinpath("levels", name)) as folder:
        found = load(str(folder))
        whole = read_text(found[0].part.source, MOST_TEXT, "levels") if found[0].part is not None else ""
    first = next(iter(puzzles()[name].screen.cut(whole, SOURCE)), None)
    # A file with several levels is one text, unless a level needs another file: then it names that file's place.
    if isinstance(first, Part) and first.text == found[0].text:
        return whole
    return re.sub(r"^;domain .*\n", "", found[0].text or "", flags=re.MULTILINE)
