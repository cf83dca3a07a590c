"""The towers of Hanoi: discs move one by one, and none lies on a smaller one."""

from puzzlemc.modelling import All, System, numbers, puzzle


def hanoi(level):
    """Move the top disc of a peg to another one, never on a smaller disc. All discs must come to the last peg."""
    s = System()
    discs, pegs = range(1, level[0][0] + 1), range(1, level[0][1] + 1)
    peg = s.numbers("disc", dict.fromkeys(discs, 1), low=1, high=len(pegs))
    for disc in discs:
        for start in pegs:
            for end in pegs:
                smaller = [(peg[other] != start) & (peg[other] != end) for other in range(1, disc)]
                if start != end:
                    s.action(
                        f"disc {disc} from {start} to {end}", All(peg[disc] == start, *smaller), {peg[disc]: end}
                    )
    s.goal = All(one == len(pegs) for one in peg.values())
    return s


PUZZLE = puzzle("hanoi", hanoi, numbers())  # discs and pegs

LEVELS = """
Title: Five discs
5 3

Title: Six discs, four pegs
6 4

Title: Two pegs
2 2
"""
