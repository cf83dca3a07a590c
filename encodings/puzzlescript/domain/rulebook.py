"""The rules of a game, prepared for turns: the conditions and effects of their cells, in groups."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from puzzlemc.encodings.puzzlescript.domain.effects import Drawn, Effect, draws, effect
from puzzlemc.encodings.puzzlescript.domain.matching import Names, Pattern, pattern
from puzzlemc.screens.puzzlescript import game as screen


@dataclass(frozen=True)
class Rule:
    """A rule.

    rows      the rows of its left side
    effects   the effects on the cells of its matches, row by row; () if the rule has no right side
    drawn     what is drawn for each of these cells; () if the rule draws nothing
    commands  the commands that it queues
    rigid     whether it is rigid
    """

    rows: tuple[Pattern, ...]
    effects: tuple[Effect, ...]
    drawn: tuple[Drawn, ...]
    commands: frozenset[str]
    rigid: bool
    line: int


@dataclass(frozen=True)
class Group:
    """Rules that are repeated together; if the group is `random`, one match of one of them is applied instead.

    `rigid` numbers groups with a rigid rule from 1; it is 0 for others.
    """

    rules: tuple[Rule, ...]
    rigid: int
    random: bool = False

    @property
    def draws(self) -> bool:
        """May the group draw anything?"""
        return self.random or any(rule.drawn for rule in self.rules)


@dataclass(frozen=True)
class Phase:
    """The groups of early or of late rules. `loops` has the first group of each loop, by its last group."""

    groups: tuple[Group, ...]
    loops: Mapping[int, int]


@dataclass(frozen=True)
class Rulebook:
    """The prepared rules of a game, the layer of each object in order, and the objects of each layer."""

    layer: Mapping[str, int]
    layers: tuple[frozenset[str], ...]
    early: Phase
    late: Phase


@lru_cache(maxsize=16)
def rulebook(game: screen.Game) -> Rulebook:
    """The prepared rules of a game."""
    layers = tuple(map(frozenset, game.layers))
    layer = {name: number for number, members in enumerate(game.layers) for name in members}
    members = {name: frozenset((name,)) for name in layer}
    named = dict(layer)
    for name, objects in game.properties.items():
        if name not in layer and len({layer[each] for each in objects}) == 1:  # terms name no other properties
            members[name] = objects
            named[name] = layer[min(objects)]
    names = Names(members, named, layers)
    early = [rule for rule in game.rules if not rule.late]
    late = [rule for rule in game.rules if rule.late]
    return Rulebook(
        layer,
        layers,
        early=Phase(_groups(early, names), {last: first for first, last in game.loops}),
        late=Phase(_groups(late, names), {last: first for first, last in game.late_loops}),
    )


def _groups(rules: Iterable[screen.Rule], names: Names) -> tuple[Group, ...]:
    groups: list[Group] = []
    rigid_groups = 0
    for _, members in groupby(rules, key=lambda rule: rule.group):
        group = list(members)
        prepared = tuple(_rule(rule, names) for rule in group)
        rigid = any(rule.rigid for rule in prepared)
        rigid_groups += rigid
        groups.append(Group(prepared, rigid_groups if rigid else 0, group[0].random))
    return tuple(groups)


def _rule(rule: screen.Rule, names: Names) -> Rule:
    cells = [
        (left, right or ())
        for left_row, right_row in zip(rule.left, rule.right, strict=bool(rule.right))
        for left, right in zip(left_row, right_row, strict=True)
        if left is not None
    ]
    effects = tuple(effect(left, right, names) for left, right in cells)
    rows = tuple(pattern(row, rule.direction, names) for row in rule.left)
    drawn: tuple[Drawn, ...] = ()
    if rule.draws:
        drawn = tuple(draws(done, right, names) for done, (_, right) in zip(effects, cells, strict=True))
    return Rule(rows, effects, drawn, frozenset(rule.commands), rule.rigid, rule.line)
