"""Missionaries and cannibals cross a river: on no bank may cannibals outnumber missionaries."""

from puzzlemc.modelling import All, System, fields, puzzle


def river(level):
    """Row people to the other bank. Where missionaries are, cannibals must not outnumber them."""
    s = System()
    good = s.number("missionaries", 0, level.couples, level.couples)  # on the first bank
    bad = s.number("cannibals", 0, level.couples, level.couples)
    here = s.flag("boat", True)
    safe = (good == 0) | (good == level.couples) | (good == bad)
    for m in range(level.seats + 1):
        for k in range(level.seats + 1 - m):
            if m + k and (m >= k or not m):
                crowd = f"{m} and {k}"
                s.action(
                    f"{crowd} over",
                    here & safe & (good >= m) & (bad >= k),
                    {good: good - m, bad: bad - k, here: False},
                )
                back = ~here & safe & (good + m <= level.couples) & (bad + k <= level.couples)
                s.action(f"{crowd} back", back, {good: good + m, bad: bad + k, here: True})
    s.goal = All(good == 0, bad == 0)
    return s


PUZZLE = puzzle("river", river, fields(couples=int, seats=int), metrics="trips")

LEVELS = """
couples: 3
seats: 2

couples: 4
seats: 2

couples: 5
seats: 3
"""
