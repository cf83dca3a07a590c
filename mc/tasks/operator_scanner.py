"""Reads the operators of a task into arrays. Compiled: see `mc/words.py`."""

import cython
import numpy as np

from puzzlemc.mc.tasks.operators import ArrayOperators, OperatorArrays
from puzzlemc.mc.tasks.scanner import PartialState, Scanner
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.tasks.scanner import (
        BEFORE,
        BEGIN_OPERATOR,
        EFFECT,
        END,
        END_OPERATOR,
        NAME,
        NONE,
        SECOND,
        check,
        clear,
        expect,
        fail,
        next_line,
        put,
        read_condition,
        read_count,
        read_number,
        read_numbers,
    )
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Numbers2


class OperatorScanner:
    """Operators so far, in the arrays of `OperatorArrays` and `ArrayOperators`, with room for all.

    begin, end      the words around an operator
    given           the precondition of the operator
    effect_given    the condition of the effect
    """

    precondition_first: Numbers
    precondition: Numbers2
    effect_first: Numbers
    effect: Numbers2
    condition_first: Numbers
    condition: Numbers2
    costs: Numbers
    names: Bytes
    name_first: Numbers
    begin: Bytes
    end: Bytes
    given: PartialState
    effect_given: PartialState

    def __init__(self, scanner: Scanner, count: int) -> None:
        """Room for `count` operators in the lines that are left: a line adds a fact or an effect at most."""
        lines = scanner.lines - scanner.line
        self.precondition_first, self.effect_first = (view(np.zeros(count + 1, np.int64)) for _ in range(2))
        self.precondition, self.effect = (view(np.empty((lines, 2), np.int64)) for _ in range(2))
        self.condition_first = view(np.zeros(lines + 1, np.int64))
        self.condition = view(np.empty((scanner.conditions, 2), np.int64))
        self.costs, self.name_first = view(np.zeros(count, np.int64)), view(np.zeros(count + 1, np.int64))
        self.names = view(np.empty(scanner.text.shape[0] - scanner.at, np.uint8))
        self.begin, self.end = (
            view(np.frombuffer(bytearray(word), np.uint8)) for word in (b"begin_operator", b"end_operator")
        )
        self.given, self.effect_given = (PartialState(scanner.domains.shape[0]) for _ in range(2))


def read_operators(scanner: Scanner, count: int, *, has_costs: bool) -> ArrayOperators | None:
    """Read `count` operators. None if the text is wrong."""
    found = OperatorScanner(scanner, count)
    if not _read_all(found, scanner, count, has_costs):
        return None
    precondition_first, effect_first = np.asarray(found.precondition_first), np.asarray(found.effect_first)
    effects = int(effect_first[count])
    condition_first = np.asarray(found.condition_first)[: effects + 1].copy()
    arrays = OperatorArrays(
        precondition_first,
        np.asarray(found.precondition)[: precondition_first[count]].copy(),
        effect_first,
        np.asarray(found.effect)[:effects].copy(),
        condition_first,
        np.asarray(found.condition)[: condition_first[effects]].copy(),
        np.asarray(found.costs),
    )
    name_first = np.asarray(found.name_first)
    return ArrayOperators(arrays, np.asarray(found.names)[: name_first[count]].tobytes(), name_first)


def _read_all(found: OperatorScanner, s: Scanner, count: Index, has_costs: Flag) -> Flag:
    number: Index
    for number in range(count):
        if not _read_operator(found, s, number):
            return False
        found.costs[number] = s.numbers[0] if has_costs else 1
        if not expect(s, found.end, END_OPERATOR):
            return False
    return True


def _read_operator(found: OperatorScanner, s: Scanner, number: Index) -> Flag:
    """Read an operator up to its cost."""
    i: Index
    if not expect(s, found.begin, BEGIN_OPERATOR):
        return False
    if not next_line(s):
        return fail(s, END, 0, NAME)
    at: Index = found.name_first[number]
    for i in range(s.first, s.last):
        found.names[at] = s.text[i]
        at += 1
    found.name_first[number + 1] = at
    if not read_condition(s, found.given) or not read_count(s, 0):
        return False
    effect: Index = found.effect_first[number]
    left: Index = s.numbers[0]
    while left:
        left -= 1
        if not _read_effect(found, s, effect):
            return False
        effect += 1
    found.effect_first[number + 1] = effect
    at = found.precondition_first[number]
    for i in range(found.given.count):
        found.precondition[at, 0] = found.given.facts[i, 0]
        found.precondition[at, 1] = found.given.facts[i, 1]
        at += 1
    found.precondition_first[number + 1] = at
    return read_number(s, 0, NONE)


def _read_effect(found: OperatorScanner, s: Scanner, effect: Index) -> Flag:
    """Read an effect: its condition, its variable, the value before or -1, the value after."""
    i: Index
    if not read_numbers(s):
        return False
    if s.count < 4 or s.count != 2 * s.numbers[0] + 4:
        return fail(s, EFFECT, s.count, 0)
    clear(found.effect_given)
    for i in range(1, s.count - 3, 2):
        if not check(s, s.numbers[i], s.numbers[i + 1]):
            return False
        if not put(found.effect_given, s.numbers[i], s.numbers[i + 1]):
            return fail(s, SECOND, s.numbers[i], 0)
    variable: Index = s.numbers[s.count - 3]
    before: Index = s.numbers[s.count - 2]
    if not check(s, variable, s.numbers[s.count - 1]):
        return False
    if before != -1:
        if not check(s, variable, before):
            return False
        if not put(found.given, variable, before):
            return fail(s, BEFORE, variable, 0)
    at: Index = found.condition_first[effect]
    for i in range(found.effect_given.count):
        found.condition[at, 0] = found.effect_given.facts[i, 0]
        found.condition[at, 1] = found.effect_given.facts[i, 1]
        at += 1
    found.condition_first[effect + 1] = at
    found.effect[effect, 0] = variable
    found.effect[effect, 1] = s.numbers[s.count - 1]
    return True
