"""What the page offers for levels of a puzzle, and why not."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.reports.measures.measure import measures
from puzzlemc.reports.suggest.request import HARDER, INTENDED, LEAN, ONLY, THROUGH, UNIQUE
from puzzlemc.reports.suggest.suggest import ANSWERS

NEEDS = {UNIQUE: "solution_sets", HARDER: "box_changes"}  # the measures that wishes are about


def without(rules: Puzzle) -> str:
    """Why there is no level like another one; empty if there is."""
    if rules.game is not None:
        return "positions of a game of two sides are not generated: no search says how hard one is"
    if rules.optimisation is not None:
        return "levels with a best solution are not generated: to find how good that is takes too long"
    if rules.drawing is None and rules.signs is None and (rules.tiling is None or rules.generation is None):
        return "levels of this puzzle are texts: there are no cells to put elsewhere"
    return ""


def wishes(rules: Puzzle) -> list[str]:
    """The wishes for changes of a level that a puzzle can answer, by their names."""
    if rules.changes is None or rules.game is not None or rules.optimisation is not None:
        return []
    able = {each.name for each in measures(rules)} | ({NEEDS[UNIQUE]} if rules.counting is not None else set())
    closes = rules.changes().closing is not None
    return [
        name
        for name in ANSWERS
        if NEEDS.get(name, "") in {"", *able} and (closes or name not in (INTENDED, ONLY, THROUGH, LEAN))
    ]
