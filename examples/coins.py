"""Coins in a circle: a move turns several neighbours; all must show heads."""

from puzzlemc.modelling import All, System, fields, puzzle


def coins(level):
    """Turn some coins that lie beside each other. All must show heads."""
    s = System()
    heads = s.flags("heads", {n: n > level.tails for n in range(1, level.coins + 1)})
    for first in heads:
        turned = [heads[(first + n - 1) % level.coins + 1] for n in range(level.turned)]
        s.action(f"from {first}", True, {coin: ~coin for coin in turned})
    s.goal = All(heads.values())
    return s


PUZZLE = puzzle("coins", coins, fields(coins=int, turned=int, tails=int), metrics="turns")

LEVELS = """
Title: An even number of tails
coins: 9
turned: 4
tails: 2

Title: Always an even number is turned
coins: 60
turned: 4
tails: 3

Title: Three at a time
coins: 10
turned: 3
tails: 1
"""
