"""Coins as a model: a move turns several neighbours in a circle of coins. All must show heads.

python examples/coins.py
"""

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean


def model(coins: int, turned: int, tails: int) -> Model:
    """A circle of coins, the first of which show tails."""
    variables = [boolean("heads", number) for number in range(coins)]
    heads = [variable.bits[0] for variable in variables]
    actions = []
    for first in range(coins):
        some = [heads[(first + number) % coins] for number in range(turned)]
        actions.append(Action(f"from {first + 1}", {}, {coin: negation(coin) for coin in some}, {"turns": 1}))
    start = {coin: number >= tails for number, coin in enumerate(heads)}
    return Model(tuple(variables), start, tuple(actions), dict.fromkeys(heads, True))


if __name__ == "__main__":
    print(auto(model(60, 4, 3), "any", Budget()).verdict.note)
