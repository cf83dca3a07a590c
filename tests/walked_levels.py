"""Random PuzzleScript levels whose solutions take several turns, of games of many kinds of rules.

The targets of a level are where crates are after a random walk, so solutions are long more often than in levels
that are drawn. The games have what rules can do short of loops: pushes, pulls, swaps, changes of objects, late
rules, several rows, ellipses, and commands.
"""

import random
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import NamedTuple

from small_games import game, rule, win

from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Game, Level, Rule

LAYERS = "target / player crate wall / gem"


def each_way(left: str, right: str | None, group: int, **more: str | bool) -> list[Rule]:
    """A rule for each direction, `>` and `<` being that direction and the opposite one."""
    back = dict(zip(DIRECTIONS, ("down", "up", "right", "left"), strict=True))
    found = []
    for direction in DIRECTIONS:
        sides = [
            None if side is None else side.replace(">", direction).replace("<", back[direction])
            for side in (left, right)
        ]
        assert sides[0] is not None
        found.append(rule(direction, sides[0], sides[1], group=group, **more))  # type: ignore[arg-type]
    return found


PUSH = each_way("> player | crate", "> player | > crate", 1)
KINDS: dict[str, list[Rule]] = {
    "push": PUSH,
    "push all": [*PUSH, *each_way("> crate | crate", "> crate | > crate", 1)],
    "pull": each_way("< player | crate", "< player | < crate", 1),
    "push one of a pair": [*PUSH, *each_way("> crate | crate", None, 2, commands="cancel")],
    "swap": each_way("> player | crate", "crate | player", 1),
    "eat": [*PUSH, *each_way("player gem", "player", 3, late=True)],
    "melt": [*PUSH, *each_way("crate target", "target", 3, late=True)],
    "far": [*PUSH, *each_way("> player | ... | gem", "> player | ... | > gem", 2)],
    "rows": [*PUSH, rule("right", "player gem ; crate", "player ; crate gem", group=3, late=True)],
    "pits": [*PUSH, *each_way("player gem", "player gem", 3, late=True, commands="restart")],
    "slow": [*PUSH, *each_way("crate gem", "crate gem", 3, late=True, commands="cancel")],
    "spread": [*PUSH, *each_way("gem | crate", "gem | crate gem", 3, late=True)],
    "marks": [*PUSH, *each_way("crate gem", "crate", 3, late=True, commands="checkpoint")],
}


class Drawn(NamedTuple):
    """A level, and the kind of its rules."""

    level: Level
    kind: str


def drawn_levels(seed: int, count: int) -> Iterator[Drawn]:
    """Yield random levels, of each kind in turn."""
    chance = random.Random(seed)
    for number in range(count):
        kind = sorted(KINDS)[number % len(KINDS)]
        level = None
        while level is None:
            level = _level(_game(kind, chance), chance)
        yield Drawn(level, kind)


def _game(kind: str, chance: random.Random) -> Game:
    return game(
        LAYERS,
        *KINDS[kind],
        wins=[
            win("all", "target", "crate"),
            *chance.choice([(), (win("no", "gem"),), (win("some", "crate", "gem"),)]),
        ],
        require_player_movement=chance.random() < 0.3,
        has_action=chance.random() < 0.2,
    )


def _level(made: Game, chance: random.Random) -> Level | None:
    """A level in which crates have targets where a random walk moves them. None if each target has a crate."""
    width, height = chance.choice([(3, 3), (4, 3), (3, 4), (5, 2), (4, 4)])
    size = width * height
    cells = [{"ground"} for _ in range(size)]
    for cell in chance.sample(range(size), chance.randint(0, size // 8)):
        cells[cell].add("wall")
    free = [cell for cell in range(size) if "wall" not in cells[cell]]
    player, *others = chance.sample(free, min(len(free), chance.randint(2, 3)))
    cells[player].add("player")
    for cell in others:
        cells[cell].add("crate")
    for cell in chance.sample(free, chance.choice([0, 1, 1, 2])):
        cells[cell].add("gem")
    level = Level(replace(made, wins=()), 1, "", width, height, tuple(map(frozenset, cells)))
    position = RULES.start(level)
    targets = crates(position)
    for _ in range(40):
        following = [step.position for step in RULES.steps(level, position)]
        if not following:
            break
        position = chance.choice(following)
        if len(crates(position) - crates(RULES.start(level))) >= len(targets - crates(RULES.start(level))):
            targets = crates(position)
    if chance.random() < 0.2:
        targets = set(chance.sample(free, min(len(others), len(free))))
    if targets <= crates(RULES.start(level)):
        return None
    marked = (here | {"target"} if cell in targets else here for cell, here in enumerate(level.cells))
    return replace(level, game=made, cells=tuple(marked))


def crates(position: Hashable) -> set[int]:
    """The cells with crates."""
    assert isinstance(position, Position)
    return {cell for cell, here in enumerate(position.cells) if "crate" in here}
