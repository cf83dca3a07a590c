"""The slice of a game for a level: its rules that can ever apply there, with the objects that can ever occur.

The plain rules play a level of the slice as they play the level. So a rule that is added or changed makes no
difference to a level if its slice stays as it is. What can apply and occur is an upper bound, which forgets places
(`patterns/analysis.py`); with chance, the slice is the whole game.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from puzzlemc.encodings.puzzlescript.domain.content import content
from puzzlemc.encodings.puzzlescript.domain.turn import goes_back
from puzzlemc.encodings.puzzlescript.patterns.analysis import activity
from puzzlemc.encodings.puzzlescript.patterns.rules import patterns
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Cell, Game, Level, Row, Rule, Term, Win

Loops = tuple[tuple[int, int], ...]
Side = tuple[frozenset[str], bool]  # of a win condition: objects, and whether a cell has to have all of them


def content_of_slice(level: Level) -> str:
    """What matters of a level, as a text: equal only for levels with the same positions, turns and wins."""
    return content(sliced(level))


def sliced(level: Level) -> Level:
    """The level with the slice of its game."""
    if level.origin is not None or level.game.has_chance:
        return level
    return replace(level, game=_slice(level.game, frozenset[str]().union(*level.cells)))


@lru_cache(maxsize=64)
def _slice(game: Game, present: frozenset[str]) -> Game:
    """The slice of a game without chance for the levels that have these objects."""
    # What can apply in a round without a movement can apply in one with a movement, too.
    given = (*DIRECTIONS, *(("action",) if game.has_action else ()))
    possible, active = activity(game, patterns(game), range(len(game.rules)), present, given)
    numbers = frozenset[int]().union(*active)
    objects = frozenset(plane for plane in possible if isinstance(plane, str))
    kept = [rule for number, rule in enumerate(game.rules) if number in numbers]
    loops, late_loops = (
        _loops([rule for rule in game.rules if rule.late == late], bounds, kept)
        for late, bounds in ((False, game.loops), (True, game.late_loops))
    )
    if loops is None or late_loops is None or _renumbers(game.rules, kept):
        return game
    names = _Names(game, objects)
    has_players = objects >= game.players if game.players_all else True
    found = replace(
        game,
        objects=tuple(name for name in game.objects if name in objects),
        layers=tuple(filter(None, (tuple(n for n in layer if n in objects) for layer in game.layers))),
        properties={name: members for name, members in names.properties.items() if len(members) > 1},
        players=game.players & objects if has_players else frozenset(),
        players_all=game.players_all and has_players,
        rules=tuple(names.rule(rule) for rule in kept),
        loops=loops,
        late_loops=late_loops,
        wins=tuple(names.win(win) for win in game.wins),
    )
    keeps = any("checkpoint" in rule.commands for rule in kept)
    return game if keeps and goes_back(game) != goes_back(found) else found


def _loops(rules: Sequence[Rule], bounds: Loops, kept: Sequence[Rule]) -> Loops | None:
    """The loops around the groups of a phase that are left; None if a loop has none of them left.

    A loop without groups goes back once, too, and then nothing has changed since: that makes a difference for the
    next loop.
    """
    left = {id(rule) for rule in kept}
    groups = [any(id(rule) in left for rule in group) for _, group in groupby(rules, key=lambda r: r.group)]
    found = []
    for first, last in bounds:
        before, inside = sum(groups[:first]), sum(groups[first : last + 1])
        if not inside:
            return None
        found.append((before, before + inside - 1))
    return tuple(found)


def _renumbers(rules: Iterable[Rule], kept: Sequence[Rule]) -> bool:
    """Would rigid groups have other numbers, which matter in a conflict between them?"""
    rigid = sum(rule.rigid for rule in kept)
    return 0 < rigid < sum(rule.rigid for rule in rules)


class _Names:
    """What names mean if only some objects can occur; a name of a single one stands for this object."""

    def __init__(self, game: Game, objects: frozenset[str]) -> None:
        self._objects = objects
        self.properties = {name: members & objects for name, members in game.properties.items()}
        self._single = {name: min(found) for name, found in self.properties.items() if len(found) == 1}

    def rule(self, rule: Rule) -> Rule:
        """A rule without objects that cannot occur."""
        left, right = (tuple(map(self._row, side)) for side in (rule.left, rule.right))
        return replace(rule, left=left, right=right)

    def _row(self, row: Row) -> Row:
        return tuple(map(self._cell, row))

    def _cell(self, cell: Cell) -> Cell:
        return None if cell is None else tuple(self._terms(cell))

    def _terms(self, cell: Sequence[Term]) -> Iterator[Term]:
        for movement, name in cell:
            found = self._single.get(name, name) if name not in self._objects else name
            if found in self._objects or self.properties.get(found):
                yield Term(movement, found)
            else:
                assert movement == "no", "a rule that can apply names objects that can occur"

    def win(self, win: Win) -> Win:
        """A win condition on objects that can occur."""
        subject, subject_all = self._side(win.subject, win.subject_all)
        on, on_all = (None, win.on_all) if win.on is None else self._side(win.on, win.on_all)
        return replace(win, subject=subject, subject_all=subject_all, on=on, on_all=on_all)

    def _side(self, objects: frozenset[str], whole: bool) -> Side:
        found = objects & self._objects
        return (found, whole) if found == objects or not whole else (frozenset(), False)
