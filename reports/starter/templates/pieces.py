"""my_puzzle: frogs jump to the other side."""

from puzzlemc.modelling import All, System, free, puzzle


def my_puzzle(line):
    """Frogs change sides: each goes its way, to an empty stone beside it or over one frog."""
    s = System()
    stone = s.choices("stone", dict(enumerate(line)), "<.>")
    for here in stone:
        for frog, step in ((">", 1), ("<", -1)):
            for there in (here + step, here + 2 * step):
                if there in stone:
                    over = stone[here + step] != "." if there != here + step else True
                    can = (stone[here] == frog) & (stone[there] == ".") & over
                    s.action(f"{here + 1}-{there + 1}", can, {stone[here]: ".", stone[there]: frog})
    s.goal = All(stone[place] == frog for place, frog in enumerate(reversed(line)))
    return s


PUZZLE = puzzle("my_puzzle", my_puzzle, free(str), metrics="jumps")

LEVELS = """
Title: Two and two
>>.<<

Title: No room
>><<
"""
