"""Do the win conditions of a game hold on a board?"""

from collections.abc import Sequence

from puzzlemc.screens.puzzlescript.game import Game, Win


def won(game: Game, cells: Sequence[frozenset[str]]) -> bool:
    """Do all win conditions hold? A game without any is won by the command `win` only."""
    return bool(game.wins) and all(_holds(win, cells) for win in game.wins)


def _holds(win: Win, cells: Sequence[frozenset[str]]) -> bool:
    """Does a win condition hold? `all` of no cells is true."""
    on = [
        win.on is None or _has(here, win.on, win.on_all)
        for here in cells
        if _has(here, win.subject, win.subject_all)
    ]
    match win.quantifier:
        case "all":
            return all(on)
        case "some":
            return any(on)
        case _:
            return not any(on)


def _has(here: frozenset[str], objects: frozenset[str], all_of_them: bool) -> bool:
    return objects <= here if all_of_them else not objects.isdisjoint(here)
