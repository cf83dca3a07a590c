"""What the page offers for levels of a puzzle, and why not."""

from puzzlemc.encodings.puzzle import Puzzle


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
    """The wishes that a puzzle knows, by their names."""
    from puzzlemc.reports.suggest.suggest import ANSWERS

    return [] if rules.changes is None else list(ANSWERS)
