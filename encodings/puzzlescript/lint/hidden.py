"""Rules that an earlier rule leaves nothing to do.

A group is applied until it changes nothing. So a rule just behind an equal one has nothing left, but where the
first one stops at the limit of repetitions.

The other proof needs no such limit. Let rule A come before rule B in one phase, such that each match of B
contains a match of A, and no rule from the group of A up to that of B can make a match of A. Then each match of A
that there is when B is tried was there when A was applied last, and A has changed it. So B can never apply if A
ends its own matches; and B changes nothing if A makes all its changes, and no rule in between undoes one.
"""

from collections.abc import Iterator
from itertools import pairwise, product

from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark
from puzzlemc.encodings.puzzlescript.patterns.rules import Cell, Plane, Planes, Rule, Term
from puzzlemc.encodings.puzzlescript.planes.independence import (
    Known,
    Place,
    at_once,
    feeds,
    known_after,
    places,
    reads,
)

MOST_PAIRS = 500_000  # of concrete rules that are compared

At = tuple[int, int, int]  # a cell of a rule: the numbers of its row, part and place in the part


class Prepared:
    """A rule, its cells, and what they are known to have; `single` are the planes that some cell surely has."""

    def __init__(self, rule: Rule, game: Knowledge) -> None:
        """Prepare a rule of a game."""
        self.rule = rule
        self.places = places(rule, game.names, game.possible)
        self.at = {place.at: place for place in self.places}
        self.at_once = at_once(self.places)
        self.single = frozenset[Plane]().union(*(place.before.has for place in self.places))

    @property
    def ends_matches(self) -> bool:
        """Does no match of the rule hold any more once it was changed?"""
        return any(_after(place).excludes(place.before) for place in self.places if place.changes)

    def feeds(self, other: "Prepared") -> bool:
        """May the rule give another one a match that it did not have?"""
        if self.at_once or len({place.at[0] for place in self.places if place.changes}) < 2:
            return feeds(self.places, other.places)
        return any(
            reads(place, plane, comes)
            for one, place in product(self.places, other.places)
            for plane, comes in one.changes.items()
        )

    def undoes(self, other: "Prepared") -> bool:
        """May the rule take back a change of another one?"""
        return any(
            one.changes.get(plane, comes) != comes
            for one, place in product(self.places, other.places)
            for plane, comes in place.changes.items()
        )


def hidden_rules(game: Knowledge) -> Iterator[Remark]:
    """Yield each line whose rules have nothing left to do behind those of another line."""
    if any(game.rules[number].rigid or game.rules[number].draws for number in game.used):
        return
    for late, groups in enumerate(game.groups):
        alive = [[number for number in group if number in game.used] for group in groups]
        loops = game.game.late_loops if late else game.game.loops
        found = dict(_repeated(game, alive, [first for first, _ in loops]))
        if not loops:
            found = dict(_covered(game, [group for group in alive if group])) | found
        for line, words in sorted(found.items()):
            if not game.sounds(line):
                yield Remark(*game.at(line), words)


def _repeated(game: Knowledge, groups: list[list[int]], starts: list[int]) -> Iterator[tuple[int, str]]:
    """Yield each line that is a group just behind one with all its rules, unless a loop begins with the line."""
    alive = [number for number, group in enumerate(groups) if group]
    for before, number in pairwise(alive):
        known = {_compared(game.rules[each]): game.rules[each].line for each in groups[before]}
        rules = [game.rules[each] for each in groups[number]]
        is_start = any(before < start <= number for start in starts)
        if is_start or any("message" in rule.commands for rule in rules) or len({rule.line for rule in rules}) > 1:
            continue
        lines = [known.get(_compared(rule)) for rule in rules]
        if None not in lines:
            words = f"rule repeats that of line {lines[0]}, which was applied until it changed nothing"
            yield rules[0].line, words


def _compared(rule: Rule) -> tuple[object, ...]:
    """Equal for rules that do the same: the direction counts only if a row has several cells."""
    is_directed = any(len(row) > 1 or len(row[0]) > 1 for row in rule.rows)
    cells = tuple(
        tuple(tuple((cell.terms, frozenset(cell.changes.items())) for cell in part) for part in row)
        for row in rule.rows
    )
    return rule.direction if is_directed else "", cells, rule.replaces, rule.commands


def _covered(game: Knowledge, groups: list[list[int]]) -> Iterator[tuple[int, str]]:
    """Yield each line all of whose rules are behind rules of one other line that leave them nothing to do."""
    group_of = {number: n for n, group in enumerate(groups) for number in group}
    if len(group_of) ** 2 > 2 * MOST_PAIRS:
        return
    rules = {number: Prepared(game.rules[number], game) for number in sorted(group_of)}

    def is_kept(before: int, behind: int) -> tuple[bool, bool]:
        """Are the matches of a rule not made anew, and its changes not undone, until another rule is tried?"""
        others = [rules[n] for group in groups[group_of[before] : group_of[behind] + 1] for n in group]
        one = rules[before]
        if any(each.feeds(one) for each in others):
            return False, False
        return one.ends_matches, not any(each.undoes(one) for each in others)

    lines: dict[int, list[int]] = {}
    for number in rules:
        lines.setdefault(game.rules[number].line, []).append(number)
    for line, numbers in lines.items():
        hiding: dict[int, set[bool]] | None = None  # line -> does it keep the rules from applying at all?
        for number in numbers:
            found: dict[int, set[bool]] = {}
            for other, one in rules.items():
                if other >= number:
                    break
                if one.rule.line == line or (hiding is not None and one.rule.line not in hiding):
                    continue
                pairs = _inside(one, rules[number], game.possible)
                if pairs is None:
                    continue
                ends, keeps = is_kept(other, number)
                if ends or (keeps and _adds_nothing(one, rules[number], pairs)):
                    found.setdefault(one.rule.line, set()).add(ends)
            hiding = {each: found[each] | (hiding or {}).get(each, set()) for each in found}
            if not hiding:
                break
        if hiding:
            first = min(hiding)
            if hiding[first] == {True}:
                yield line, f"rule can never apply: the rule of line {first} leaves none of its matches"
            else:
                yield line, f"rule changes nothing: the rule of line {first} has done it before"


def _inside(one: Prepared, other: Prepared, possible: Planes) -> list[tuple[At, At]] | None:
    """Each cell of a rule with a cell of another rule, of which each match contains a match of the first one.

    None if no such cells are found.
    """
    if not one.single <= other.single:
        return None
    found: list[tuple[At, At]] = []
    for r in range(len(one.rule.rows)):
        pairs = next(
            filter(None, (_row_inside(one, r, other, s, possible) for s in range(len(other.rule.rows)))), None
        )
        if pairs is None:
            return None
        found += pairs
    return found


def _row_inside(one: Prepared, r: int, other: Prepared, s: int, possible: Planes) -> list[tuple[At, At]] | None:
    """The cells of `_inside` for row `r` of the first rule and row `s` of the other one."""
    row, target = one.rule.rows[r], other.rule.rows[s]
    is_directed = len(row) > 1 or len(row[0]) > 1
    if is_directed and one.rule.direction != other.rule.direction:
        return None
    if len(row) > 1:
        ways = [[(p, 0) for p in range(len(row))]] if [*map(len, row)] == [*map(len, target)] else []
    else:
        ways = [[(p, shift)] for p, part in enumerate(target) for shift in range(len(part) - len(row[0]) + 1)]
    for way in ways:
        pairs = [((r, p, c), (s, q, c + shift)) for p, (q, shift) in enumerate(way) for c in range(len(row[p]))]
        if all(_implied(one.at[a], other.at[b], possible) for a, b in pairs):
            return pairs
    return None


def _implied(one: Place, other: Place, possible: Planes) -> bool:
    """Does a cell that meets the terms of one place meet those of the other?"""
    return all(_holds(term, other.before, possible) for term in one.cell.terms)


def _holds(term: Term, known: Known, possible: Planes) -> bool:
    if not term.holds:
        return term.planes & possible <= known.lacks
    return not term.planes.isdisjoint(known.has) or any(planes & possible <= term.planes for planes in known.some)


def _adds_nothing(one: Prepared, other: Prepared, pairs: list[tuple[At, At]]) -> bool:
    """Has a rule made all changes of another one, and queued all its commands, where both match?"""
    if "message" in other.rule.commands or not other.rule.commands <= one.rule.commands:
        return False
    done = {(b, plane, comes) for a, b in pairs for plane, comes in one.at[a].changes.items()}
    return all(
        (place.at, plane, comes) in done for place in other.places for plane, comes in place.changes.items()
    )


def _after(place: Place) -> Known:
    return known_after(Cell(place.cell.terms, place.changes, ()), place.before)
