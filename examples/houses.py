"""A logic grid: who lives in which house of a row, with which pet, and drinks what?"""

from puzzlemc.modelling import All, Distinct, System, fields, puzzle


def houses(level):
    """Find the house of each person, pet and drink. The houses have the numbers from 1, from left to right."""
    s = System(constraint=True)
    groups = [level.people, level.pets, level.drinks]
    house = {name: s.number(name, 1, len(group)) for group in groups for name in group}
    for clue in level.clues:
        one, how, other = clue.split("-")
        there = house[other] if other in house else int(other)
        distance = house[one] - there
        s.fact(clue, {"in": distance == 0, "left": distance < 0, "beside": abs(distance) == 1}[how])
    s.goal = All(*(Distinct(house[name] for name in group) for group in groups), *(each.truth for each in s.named))
    return s


PUZZLE = puzzle("houses", houses, fields(people=[str], pets=[str], drinks=[str], clues=[str]))

LEVELS = """
Title: Three houses
people: Ann Bob Cyd
pets: cat dog fish
drinks: tea milk juice
clues: Ann-in-dog Bob-left-Ann cat-beside-tea fish-in-tea Cyd-in-juice Bob-in-2

Title: Contradicting clues
people: Ann Bob Cyd
pets: cat dog fish
drinks: tea milk juice
clues: Ann-in-dog dog-left-cat Ann-in-3 tea-beside-milk
"""
