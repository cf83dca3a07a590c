"""Nim: heaps of counters; a turn takes any number of them from one heap, and who cannot take any loses.

The known answer (Bouton 1901): the side to move wins unless the exclusive or of the heaps is 0. A level is the
tuple of the heaps. Run it:    python examples/nim.py 1 2 3
"""

import sys
from collections.abc import Hashable, Iterator
from functools import reduce
from operator import xor
from typing import Any

from puzzlemc.mc.games.explicit import arena_of_rules, explicit
from puzzlemc.mc.games.model import GameModel, Winning
from puzzlemc.mc.games.strategies import strategies_for
from puzzlemc.mc.games.strategy import prove
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step, Stuck

Level = tuple[int, ...]


def steps(_: Any, position: Any) -> Iterator[Step]:
    """Every take: the move `take K of H` takes K counters from heap H, counted from 1."""
    heaps, turn = position
    for number, heap in enumerate(heaps):
        for taken in range(1, heap + 1):
            after = (*heaps[:number], heap - taken, *heaps[number + 1 :])
            yield Step(f"take {taken} of {number + 1}", (after, 1 - turn), {"turns": 1})


def start(level: Level) -> Hashable:
    """The heaps, and whose turn it is."""
    return level, FIRST


RULES = Game(start, lambda _, position: position[1], steps, lambda _level, _position: None, Stuck.LOSES)


def model(level: Level) -> GameModel:
    """A variable for each heap, and a bit that says whose turn it is."""
    second = boolean("second").bits[0]
    heaps = [binary("heap", range(size + 1), number) for number, size in enumerate(level, 1)]
    actions = [
        Action(
            f"take {heap - left} of {number}",
            {**variable.literals(heap), second: bool(turn)},
            {**variable.literals(left), second: not turn},
            {"turns": 1},
        )
        for number, variable in enumerate(heaps, 1)
        for heap in variable.values
        for left in range(int(str(heap)))
        for turn in (FIRST, SECOND)
    ]
    init = {second: False}
    for size, variable in zip(level, heaps, strict=True):
        init |= variable.literals(size)
    variables = (boolean("second"), *heaps)
    return GameModel(Model(variables, init, tuple(actions), FALSE), ~second, (FALSE, FALSE), Stuck.LOSES)


def known(level: Level) -> int:
    """Who wins, as is known."""
    return FIRST if reduce(xor, level, 0) else SECOND


def main() -> None:
    """Say who wins with the heaps of the command line."""
    level = tuple(map(int, sys.argv[1:])) or (3, 4, 5)
    verdict = explicit(model(level), Budget())
    assert isinstance(verdict, Winning)
    print(f"heaps {level}: {('first', 'second')[verdict.winner]} wins in {verdict.turns} turns")
    strategies = strategies_for(RULES, level, arena_of_rules(RULES, level, Budget()).value)
    assert prove(RULES, level, strategies)[:3] == (verdict.winner, verdict.turns, True)
    print(f"proved by the strategies of both sides, with {sum(len(each.nodes) for each in strategies)} nodes")


if __name__ == "__main__":
    main()
