"""Changed files of strategies of levels with chance: is what they still show true? See `mutants.py`."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.games.chance import LUCKY, SURELY
from puzzlemc.mc.games.lucky import lucky
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.games.surely import surely
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.certificate import Certificate
from puzzlemc.reports.certify.strategies import StrategyFile, lines
from puzzlemc.screens.base.errors import LevelError

Change = Callable[[StrategyFile, random.Random], StrategyFile]


def changed_node(file: StrategyFile, chance: random.Random, change: Callable[[Node, int], Node]) -> StrategyFile:
    """The file with a node changed, by a function that also gets the number of nodes."""
    which = chance.randrange(len(file.strategies))
    nodes = list(file.strategies[which].nodes)
    at = chance.randrange(len(nodes))
    nodes[at] = change(nodes[at], len(nodes))
    return with_strategy(file, which, replace(file.strategies[which], nodes=tuple(nodes)))


def with_strategy(file: StrategyFile, which: int, *strategies: Strategy) -> StrategyFile:
    """The file with other strategies in the place of one."""
    return replace(file, strategies=(*file.strategies[:which], *strategies, *file.strategies[which + 1 :]))


def turns(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """Another number of turns of a node, or none."""
    by = chance.choice([None, -2, -1, 1, 2])

    def changed(node: Node, _: int) -> Node:
        return replace(node, turns=None if by is None else max(0, (node.turns or 0) + by))

    return changed_node(file, chance, changed)


def all_turns(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """All numbers of turns of a strategy higher or lower, or none in any node: another claim."""
    which = chance.randrange(len(file.strategies))
    strategy, by = file.strategies[which], chance.choice([None, -2, -1, 1, 2])

    def shifted(node: Node) -> Node:
        here = 0 if node.turns is None else node.turns
        return replace(node, turns=None if by is None else max(0, here + by))

    return with_strategy(file, which, replace(strategy, nodes=tuple(map(shifted, strategy.nodes))))


def move(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """Another move of a node, or none."""
    names = sorted({node.move for each in file.strategies for node in each.nodes if node.move is not None})
    name = chance.choice([*names, None])
    return changed_node(file, chance, lambda node, _: replace(node, move=name))


def follower(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """Another node behind a node, one less, or one more."""
    kind = chance.randrange(4)

    def changed(node: Node, count: int) -> Node:
        after = list(node.after)
        if kind == 0 or not after:
            after.insert(chance.randint(0, len(after)), chance.randrange(count))
        elif kind == 1:
            del after[chance.randrange(len(after))]
        else:
            after[chance.randrange(len(after))] = chance.randrange(count + 1)
        return replace(node, after=tuple(after))

    return changed_node(file, chance, changed)


def exchanged(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """Two nodes behind a node exchanged."""

    def changed(node: Node, _: int) -> Node:
        return replace(node, after=tuple(chance.sample(node.after, len(node.after))))

    return changed_node(file, chance, changed)


def node_lost(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """A node less; the numbers of the others may be put right."""
    which = chance.randrange(len(file.strategies))
    nodes = list(file.strategies[which].nodes)
    at, is_right = chance.randrange(len(nodes)), chance.random() < 0.5
    del nodes[at]
    if is_right:
        nodes = [
            replace(node, after=tuple(n - (n > at) for n in node.after if n != at or chance.random() < 0.5))
            for node in nodes
        ]
    return with_strategy(file, which, replace(file.strategies[which], nodes=tuple(nodes)))


def strategy_lost(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """A strategy less."""
    return with_strategy(file, chance.randrange(len(file.strategies)))


def other_order(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """The strategies in another order, or one of them twice."""
    return replace(file, strategies=tuple(chance.choices(file.strategies, k=2)))


def claim(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """The other side, or wins instead of survives."""
    which = chance.randrange(len(file.strategies))
    strategy, kind = file.strategies[which], chance.randrange(3)
    side = strategy.side if kind == 0 else 1 - strategy.side
    return with_strategy(file, which, replace(strategy, side=side, wins=strategy.wins != (kind != 1)))


def question(file: StrategyFile, _: random.Random) -> StrategyFile:
    """The other question."""
    return replace(file, asked=LUCKY if file.asked == SURELY else SURELY)


def row(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """A line of the level less, twice, or in another place."""
    rows = file.level.split("\n")
    at, kind = chance.randrange(len(rows)), chance.randrange(3)
    taken = rows[at] if kind == 0 else rows.pop(at)
    if kind < 2:
        rows.insert(chance.randint(0, len(rows)), taken)
    return replace(file, level="\n".join(rows))


def cell(file: StrategyFile, chance: random.Random) -> StrategyFile:
    """Another thing in a cell of the level."""
    rows = file.level.split("\n")
    first = rows.index("LEVELS") + 1
    at = chance.choice([n for n in range(first, len(rows)) if rows[n]])
    column = chance.randrange(len(rows[at]))
    rows[at] = rows[at][:column] + chance.choice("".join(rows[first:])) + rows[at][column + 1 :]
    return replace(file, level="\n".join(rows))


CHANGES: list[Change] = [
    turns,
    all_turns,
    move,
    follower,
    exchanged,
    node_lost,
    strategy_lost,
    other_order,
    claim,
    question,
    row,
    cell,
]


def mutants(file: StrategyFile, count: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The kind and the text of changed files that are not the same."""
    text = "".join(line + "\n" for line in lines(file))
    for change in CHANGES:
        for _ in range(count):
            try:
                changed = change(file, chance)
            except (IndexError, ValueError):  # there is no such thing in it
                break
            if changed != file:
                yield change.__name__, "".join(line + "\n" for line in lines(changed))
    for _ in range(count):
        at = chance.randrange(len(text))
        other = text[:at] + chance.choice('0123456789 -m[]",\n') + text[at + 1 :]
        if other != text:
            yield "character", other


def judged(file: StrategyFile, shown: Certificate, original: StrategyFile) -> str:
    """Is what a valid file shows true? By another search, which knows nothing of strategies."""
    if replace(file, id=original.id) == original:
        return "same"
    least = searched(puzzle(file.puzzle), file.level, file.asked or "")
    if least is None or shown.cost is None:
        return "sound" if least is shown.cost is None else "WRONG"
    is_true = shown.cost == least if shown.optimal else shown.cost >= least
    return "sound" if is_true else "WRONG"


@lru_cache(maxsize=256)
def searched(rules: Puzzle, text: str, asked: str) -> int | None:
    """The least number of inputs by a search; None if there is no solution."""
    (level,) = rules.screen.parse(text, "mutant")
    assert not isinstance(level, LevelError)
    chance = rules.chance(level)
    assert chance is not None
    found = (lucky if asked == LUCKY else surely)(chance.rules, level, Budget())
    assert found.reason is None
    return None if found.moves is None else found.turns
