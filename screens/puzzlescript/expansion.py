"""Makes the written rules of a game concrete.

The order of the result is the order of application. The steps are:

1. without a `no` on the right that stands in the same cell on the left;
2. a rule for each of its directions, with absolute movements (`movements`);
3. objects in the place of aggregates and synonyms;
4. a rule for each choice of ambiguous movements (`movements`);
5. a rule for each choice of objects of properties (`properties`);
6. `stationary` for objects that appear in a layer of which the cell on the left says nothing;
7. of equal rules of a line, the last one stays;
8. rules that cannot match are left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from puzzlemc.screens.puzzlescript.game import RANDOM, Cell, Row, Rule, Term, crowded
from puzzlemc.screens.puzzlescript.movements import Overflow, Sides, directed, expand_movements, is_ambiguous
from puzzlemc.screens.puzzlescript.names import Names
from puzzlemc.screens.puzzlescript.properties import expand_properties
from puzzlemc.screens.puzzlescript.source import Faults
from puzzlemc.screens.puzzlescript.written_rules import WrittenRule

MAX_RULES = 50_000  # of a game, concrete ones
MAX_TERMS = 5_000_000  # of all concrete rules of a game


class _Impossible(Exception):
    """A rule cannot match. The text says why."""


class _Excluded(_Impossible):
    """A cell asks for an object and excludes it."""


def concrete_rules(rules: list[WrittenRule], names: Names, faults: Faults, most: int = MAX_RULES) -> list[Rule]:
    """Return the concrete rules in the order of the text. Faults are added to `faults`. Raises nothing.

    A game with more than MAX_RULES is a fault; for a smaller `most`, the first ones suffice.
    """
    found: list[Rule] = []
    terms = 0
    for written in rules:
        line = written.rule.line
        try:
            expanded = _expanded(written, names, faults, most - len(found))
        except Overflow:
            if most < MAX_RULES:
                return found
            faults.error(line, 0, f"found more than {MAX_RULES} concrete rules, expected at most that in a game")
            return found
        possible, reasons = list[Rule](), list[_Impossible]()
        for rule in expanded:
            try:
                _check(rule, names)
                possible.append(rule)
            except _Impossible as reason:
                reasons.append(reason)
        for rule in possible:
            for name, other in _meeting(rule.right, names):
                found_names = f"found {name!r} and {other!r} in a cell on the right"
                faults.error(line, 0, f"{found_names}, expected at most one object of a layer")
            for name, other in _drawn_before(rule.right, names):
                found_names = f"found random {name!r} before {other!r} of its layer in a cell on the right"
                faults.error(line, 0, f"{found_names}, expected at most one object of a layer")
            for name, other in crowded(rule, names.layer):
                found_names = f"found {name!r} beside random {other!r} of its layer in a cell on the right"
                faults.warn(line, 0, f"{found_names}: if it is drawn, the cell has both")
            for name in _excluded(rule.right):
                faults.error(
                    line, 0, f"found {name!r} and no {name!r} in a cell on the right, expected one of both"
                )
        if reasons and not possible:
            # The original leaves out what a cell excludes before it looks for two objects of a layer.
            meeting = [reason for reason in reasons if not isinstance(reason, _Excluded)]
            text = f"{(meeting or reasons)[0]}, expected a cell that can exist"
            (faults.error if meeting else faults.warn)(line, 0, text)
        found += possible
        terms += sum(_size(rule) for rule in possible)
        if terms > MAX_TERMS:
            faults.error(line, 0, f"found more than {MAX_TERMS} objects in concrete rules, expected at most that")
            return found
    return found


def _size(rule: Rule) -> int:
    return sum(1 + len(cell or ()) for row in chain(rule.left, rule.right) for cell in row)


def _expanded(written: WrittenRule, names: Names, faults: Faults, most: int) -> list[Rule]:
    """Return the concrete rules of a written rule, with those that cannot match. Raises Overflow."""
    found: list[Rule] = []
    line = written.rule.line
    size = max(1, _size(written.rule))
    simple = _without_repeated_absence(written.rule)
    for direction in written.directions:
        rule = directed(simple, direction)
        sides = _with_objects(rule.left, names, faults, line), _with_objects(rule.right, names, faults, line)
        room = min(most, MAX_TERMS // size) - len(found)
        for moved in expand_movements(sides, room):
            kind = is_ambiguous(moved[1])
            if kind:
                text = f"found {kind!r} on the right, expected a movement that is certain from the left side"
                faults.error(line, 0, text)
                return []
            chosen, uncertain = expand_properties(moved, names, room - len(found))
            if uncertain:
                text = f"found {uncertain!r} on the right, expected an object that is certain from the left side"
                faults.error(line, 0, text)
                return []
            found += (_with_sides(rule, sides, names) for sides in chosen)
            if len(found) > room:
                raise Overflow
    return _without_repetitions(found)


def _without_repeated_absence(rule: Rule) -> Rule:
    """Return a rule without each `no` of a cell on the right that stands in the same cell on the left.

    It matters: where two rows match one cell, the object that the first row adds there stays. As in the original,
    whatever stands behind a `no` that is left out is not looked at, and stays.
    """

    def changed(cell: Cell, before: Cell) -> Cell:
        if cell is None or before is None:
            return cell
        kept, is_left_out = [], False
        for term in cell:
            is_left_out = not is_left_out and term.movement == "no" and term in before
            if not is_left_out:
                kept.append(term)
        return tuple(kept)

    right = tuple(
        tuple(changed(cell, other) for cell, other in zip(row, before, strict=True))
        for row, before in zip(rule.right, rule.left, strict=False)
    )
    return replace(rule, right=right)


def _with_sides(rule: Rule, sides: Sides, names: Names) -> Rule:
    left, right = sides
    if not rule.late:
        right = tuple(
            tuple(_standing(cell, other, names) for cell, other in zip(row, after, strict=True))
            for row, after in zip(left, right, strict=False)
        )
    return replace(rule, left=left, right=right)


def _with_objects(rows: tuple[Row, ...], names: Names, faults: Faults, line: int) -> tuple[Row, ...]:
    """Return rows without aggregates and synonyms. The further objects of aggregates go to the end of a cell."""

    def changed(cell: Cell) -> Cell:
        if cell is None:
            return None
        first, others = [], []
        for movement, name in cell:
            members = names.aggregates.get(name)
            if members is None:
                first.append(Term(movement, names.synonyms.get(name, name)))
                continue
            if movement == "no":
                text = f"found no of {name!r}, which is several objects, expected an object or a property"
                faults.error(line, 0, text)
            first.append(Term(movement, members[0]))
            others += [Term(movement, member) for member in members[1:]]
        return (*first, *others)

    return tuple(tuple(changed(cell) for cell in row) for row in rows)


def _standing(cell: Cell, other: Cell, names: Names) -> Cell:
    """Return a cell of the right side in which objects of layers new to the cell are stationary."""
    if cell is None or other is None:
        return other
    there = {member for term in cell for member in names.members(term.name)}
    layers = {names.layer[member] for member in there if member in names.layer}
    return tuple(
        Term("stationary", name)
        if not movement and name in names.layer and name not in there and names.layer[name] not in layers
        else Term(movement, name)
        for movement, name in other
    )


def _without_repetitions(rules: list[Rule]) -> list[Rule]:
    """Return rules of one line; of equal ones the last. The direction counts only if a row has several cells."""
    kept: dict[tuple[str, tuple[Row, ...], tuple[Row, ...]], Rule] = {}
    for rule in reversed(rules):
        direction = rule.direction if any(len(row) > 1 for row in rule.left) else ""
        kept.setdefault((direction, rule.left, rule.right), rule)
    return list(kept.values())[::-1]


def _check(rule: Rule, names: Names) -> None:
    """Raise _Impossible if a cell on the left cannot exist."""
    for name in _excluded(rule.left):
        raise _Excluded(f"found {name!r} and no {name!r} in a cell")
    for name, other in _meeting(rule.left, names):
        raise _Impossible(f"found {name!r} and {other!r} of one layer in a cell")


def _excluded(rows: tuple[Row, ...]) -> Iterator[str]:
    """Yield each object that a cell asks for and excludes."""
    for row in rows:
        for cell in row:
            present = {term.name for term in cell or () if term.movement not in ("no", RANDOM)}
            yield from (term.name for term in cell or () if term.movement == "no" and term.name in present)


def _drawn_before(rows: tuple[Row, ...], names: Names) -> Iterator[tuple[str, str]]:
    """Yield each object that a cell may draw, with an object or a property of its layer that stands behind it."""
    for row in rows:
        for cell in row:
            drawn = dict[int, str]()
            for term in cell or ():
                layer = names.layer_of(term.name)
                if layer is None or term.movement == "no":
                    continue
                if term.movement == RANDOM:
                    drawn.setdefault(layer, term.name)
                elif layer in drawn:
                    yield drawn[layer], term.name


def _meeting(rows: tuple[Row, ...], names: Names) -> Iterator[tuple[str, str]]:
    """Yield each two objects, or properties, of one layer that a cell asks for."""
    for row in rows:
        for cell in row:
            used: dict[int, str] = {}
            for term in cell or ():
                layer = names.layer_of(term.name)
                if term.movement in ("no", RANDOM) or layer is None:
                    continue
                if layer in used:
                    yield used[layer], term.name
                used[layer] = term.name
