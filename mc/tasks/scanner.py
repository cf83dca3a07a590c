"""Reads lines with numbers, facts and conditions. Compiled: see `mc/words.py`.

A function that reads returns False where the text is wrong. Then `problem` says how, and `line` where.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Numbers2

    # Problems: `found` and `wanted` are numbers of the message.
    END = 1  # the text ends; `wanted` is what was expected
    WORD = 2  # another word than `wanted`
    NO_NUMBER = 3  # the word from `first` to `last` is no number
    WORDS = 4  # a number of words
    TOO_SMALL = 5
    TOO_LARGE = 6  # or too small: `wanted` is the least number, `most` the largest
    LINES = 7  # more things than lines that are left
    VARIABLE = 8
    VALUE = 9
    SECOND = 10  # a second value of a variable
    EFFECT = 11  # a number of words that no effect has
    BEFORE = 12  # a second value of a variable before an operator

    # What is expected at the end of the text, or in place of another word.
    NUMBERS = 0
    NAME = 1
    BEGIN_OPERATOR = 2
    END_OPERATOR = 3

    NONE = -1  # no largest number
    DIGITS = 18  # of a number, at most
    LINE_FEED = 10
    BLANK = 32
    MINUS = 45
    ZERO = 48
    NINE = 57


class PartialState:
    """The values of some variables: a condition.

    facts   (variables, 2): its facts, first
    count   the number of its facts
    values  (variables,): the values of variables that have one
    stamps  (variables,): `stamp` if the variable has a value
    """

    facts: Numbers2  # readonly
    count: Index  # readonly
    values: Numbers
    stamps: Numbers
    stamp: Index

    def __init__(self, variables: int) -> None:
        self.facts, self.count = view(np.zeros((variables + 1, 2), np.int64)), 0
        self.values, self.stamps = (view(np.zeros(variables, np.int64)) for _ in range(2))
        self.stamp = 1


class Scanner:
    """A text, and how far it is read.

    text        its bytes; each line has a line feed at its end
    at          where the next line starts
    first, last the line that was read last is from `first` to before `last`
    line        its number, from 1
    lines       the number of lines
    conditions  no more facts than this are in lines with several facts
    numbers     (numbers,): the numbers of the line
    count       the number of these
    domains     (variables,): the number of values of each variable
    """

    text: Bytes
    at: Index  # readonly
    first: Index  # readonly
    last: Index  # readonly
    line: Index  # readonly
    lines: Index  # readonly
    conditions: Index  # readonly
    numbers: Numbers  # readonly
    count: Index  # readonly
    domains: Numbers  # public
    problem: Index  # readonly
    found: Index  # readonly
    wanted: Index  # readonly
    most: Index  # readonly

    def __init__(self, text: bytearray) -> None:
        self.text, self.domains = view(np.frombuffer(text, np.uint8)), view(np.zeros(0, np.int64))
        self.at = self.first = self.last = self.line = self.lines = self.conditions = self.count = 0
        self.problem = self.found = self.wanted = self.most = 0
        self.numbers = view(np.zeros(_measure(self), np.int64))


def clear(state: PartialState) -> None:
    """Forget all values."""
    state.stamp += 1
    state.count = 0


def put(state: PartialState, variable: Index, value: Index) -> Flag:
    """Add a fact; False if the variable has another value."""
    if state.stamps[variable] == state.stamp:
        return state.values[variable] == value
    state.stamps[variable] = state.stamp
    state.values[variable] = value
    state.facts[state.count, 0] = variable
    state.facts[state.count, 1] = value
    state.count += 1
    return True


def _measure(s: Scanner) -> Index:
    """Count the lines and the facts of conditions; return a number of numbers that no line exceeds."""
    i: Index
    most: Index = 0
    blanks: Index = 0
    for i in range(s.text.shape[0]):
        if s.text[i] == LINE_FEED:
            s.lines += 1
            s.conditions += max(0, blanks - 3) // 2
            most = max(most, blanks)
            blanks = 0
        elif _is_blank(s.text[i]):
            blanks += 1
    return most + 1


def _is_blank(character: Index) -> Flag:
    """Is it white space, and no line feed?"""
    return character == BLANK or 9 <= character <= 13 or 28 <= character <= 31


def fail(s: Scanner, problem: Index, found: Index, wanted: Index) -> Flag:
    """Note a problem; return False."""
    s.problem = problem
    s.found = found
    s.wanted = wanted
    return False


def next_line(s: Scanner) -> Flag:  # public
    """Read a line; False at the end of the text."""
    if s.line == s.lines:
        return False
    s.first = s.at
    while s.text[s.at] != LINE_FEED:
        s.at += 1
    s.last = s.at
    s.at += 1
    s.line += 1
    return True


def expect(s: Scanner, word: Bytes, wanted: Index) -> Flag:
    """Read a line with one word."""
    i: Index
    if not next_line(s):
        return fail(s, END, 0, wanted)
    while s.first < s.last and _is_blank(s.text[s.first]):
        s.first += 1
    while s.first < s.last and _is_blank(s.text[s.last - 1]):
        s.last -= 1
    if s.last - s.first != word.shape[0]:
        return fail(s, WORD, 0, wanted)
    for i in range(word.shape[0]):
        if s.text[s.first + i] != word[i]:
            return fail(s, WORD, 0, wanted)
    return True


def read_numbers(s: Scanner) -> Flag:  # public
    """Read a line of numbers."""
    if not next_line(s):
        return fail(s, END, 0, NUMBERS)
    i: Index = s.first
    s.count = 0
    while True:
        while i < s.last and _is_blank(s.text[i]):
            i += 1
        if i == s.last:
            return True
        begin: Index = i
        sign: Index = 1
        value: Index = 0
        if s.text[i] == MINUS:
            sign = -1
            i += 1
        digits: Index = i
        while i < s.last and ZERO <= s.text[i] <= NINE and i < digits + DIGITS:
            value = 10 * value + (s.text[i] - ZERO)
            i += 1
        if i == digits or (i < s.last and not _is_blank(s.text[i])):
            while i < s.last and not _is_blank(s.text[i]):
                i += 1
            s.first = begin
            s.last = i
            return fail(s, NO_NUMBER, 0, 0)
        s.numbers[s.count] = sign * value
        s.count += 1


def read_some(s: Scanner, count: Index) -> Flag:  # public
    """Read a line of `count` numbers."""
    if not read_numbers(s):
        return False
    return True if s.count == count else fail(s, WORDS, s.count, count)


def read_number(s: Scanner, least: Index, most: Index) -> Flag:  # public
    """Read a line with one number, from `least` to `most`, which may be NONE."""
    if not read_some(s, 1):
        return False
    if s.numbers[0] >= least and (most == NONE or s.numbers[0] <= most):
        return True
    s.most = most
    return fail(s, TOO_SMALL if most == NONE else TOO_LARGE, s.numbers[0], least)


def read_count(s: Scanner, least: Index) -> Flag:  # public
    """Read a number of things to follow, each in a line of its own."""
    if not read_number(s, least, NONE):
        return False
    return True if s.numbers[0] <= s.lines - s.line else fail(s, LINES, s.numbers[0], s.lines - s.line)


def check(s: Scanner, variable: Index, value: Index) -> Flag:  # public
    """Does the fact exist?"""
    if not 0 <= variable < s.domains.shape[0]:
        return fail(s, VARIABLE, variable, s.domains.shape[0])
    if not 0 <= value < s.domains[variable]:
        return fail(s, VALUE, value, s.domains[variable])
    return True


def read_fact(s: Scanner) -> Flag:  # public
    """Read a fact."""
    return read_some(s, 2) and check(s, s.numbers[0], s.numbers[1])


def read_condition(s: Scanner, state: PartialState) -> Flag:  # public
    """Read a number of facts, and these."""
    clear(state)
    if not read_count(s, 0):
        return False
    left: Index = s.numbers[0]
    while left:
        left -= 1
        if not read_fact(s):
            return False
        if not put(state, s.numbers[0], s.numbers[1]):
            return fail(s, SECOND, s.numbers[0], 0)
    return True
