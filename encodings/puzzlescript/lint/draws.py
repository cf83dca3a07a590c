"""Draws with one choice: `random` before one object, and random groups that never have more than one match.

A row of a rule fits one place at most if one of its cells needs what the board has once: objects that are one
token at the start of each level, and that no rule makes more of; or if the border and what never moves leave one
place. Two rules of a group cannot match both if they need the same token, in cells that exclude each other.

Such a group is warned of if its changes also give none of its rules a match. Then `random` has no effect: the one
match would be changed once, too, if the group were applied until nothing changes. A group that would go on is left
alone: there, `random` means that it is applied once.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from puzzlemc.encodings.puzzlescript.lint.hidden import Prepared
from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark
from puzzlemc.encodings.puzzlescript.patterns.rules import Planes, Rule
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.encodings.puzzlescript.planes.independence import Place, places
from puzzlemc.encodings.puzzlescript.planes.tokens import tokens, where
from puzzlemc.screens.puzzlescript.game import RANDOM

NO_CHOICE = "random draws nothing: the rule never has more than one match, and is not applied again"


def needless_draws(known: Knowledge) -> Iterator[Remark]:
    """Yield each `random` that has nothing to choose from."""
    drawn = dict.fromkeys(
        (rule.line, frozenset(term.name for term in cell or () if term.movement == RANDOM))
        for rule in known.game.rules
        for row in rule.right
        for cell in row
    )
    for line, names in drawn:
        if len(names) == 1:
            words = f"random {known.spelled(min(names))} draws from one object"
            yield Remark(*known.at(line, "random", behind="->"), words)
    for group in (group for groups in known.groups for group in groups):
        rules = [known.rules[number] for number in group if number in known.used]
        if rules and rules[0].random and not _goes_on(known, rules):
            boards = [board for board in known.boards if not set(group).isdisjoint(board.used)]
            if all(_has_one_match(board, [board.rules[n] for n in group if n in board.used]) for board in boards):
                yield Remark(*known.at(rules[0].line, "random"), NO_CHOICE)


def _goes_on(known: Knowledge, rules: Sequence[Rule]) -> bool:
    """May a change of one of the rules give one of them a match?"""
    prepared = [Prepared(rule, known) for rule in rules]
    return any(one.feeds(other) for one, other in product(prepared, repeat=2))


def _has_one_match(made: Compilation, rules: list[Rule]) -> bool:
    """Is there never more than one match of one of these rules on a level?"""
    needs = [_single(made, rule) for rule in rules]
    return all(_fits_once(made, rule, needed) for rule, needed in zip(rules, needs, strict=True)) and all(
        any(one[1] == other[1] and one[0].before.excludes(other[0].before) for one, other in product(ones, others))
        for ones, others in combinations(needs, 2)
    )


def _single(made: Compilation, rule: Rule) -> list[tuple[Place, Planes]]:
    """The cells of a rule that need one of some objects of which the board has one at most, with these objects."""
    return [
        (place, term.planes)
        for place in places(rule, made.names, made.possible)
        for term in place.cell.terms
        if term.holds and _is_single(made, term.planes)
    ]


def _is_single(made: Compilation, planes: Planes) -> bool:
    """Are planes those of objects of which the board has one at most, at all times? False if it may be drawn."""
    objects = frozenset(plane for plane in planes if isinstance(plane, str))
    drawn = [choice for number in made.used for cell in made.rules[number].cells for choice in cell.drawn]
    if objects != planes or any(choice.get(name) for choice in drawn for name in objects):
        return False
    found = tokens(made, objects)
    at_start = sum(not objects.isdisjoint(here) for here in made.level.cells)
    return at_start <= 1 and found is not None and not found.appear


def _fits_once(made: Compilation, rule: Rule, needed: list[tuple[Place, Planes]]) -> bool:
    """Has the rule one match at most? Each part of it, which is a row or lies between ellipses, has one place."""
    sure = {place.at[:2] for place, _ in needed}
    return all(
        (r, p) in sure or where(made, rule, part).bit_count() <= 1
        for r, row in enumerate(rule.rows)
        for p, part in enumerate(row)
    )
