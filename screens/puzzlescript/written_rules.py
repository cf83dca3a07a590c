"""Reads the lines of the section of rules: rules as they are written, and loops."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from puzzlemc.screens.puzzlescript.game import RANDOM, RANDOM_DIRECTION, Row, Rule, Term
from puzzlemc.screens.puzzlescript.source import Faults

RELATIVE = ("^", "v", "<", ">", "parallel", "perpendicular")
ELLIPSIS = "..."
MAX_ELLIPSES = 2  # in a row of cells

ORTHOGONAL = ("up", "down", "left", "right")
_DIRECTIONS = {
    **{each: (each,) for each in ORTHOGONAL},
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "orthogonal": ORTHOGONAL,
}
_MODIFIERS = {*RELATIVE, *_DIRECTIONS, "moving", "stationary", "no", "randomdir", "random", "action"}
_COMMANDS = ("cancel", "restart", "win", "again", "checkpoint", "message")
SOUNDS = tuple(f"sfx{number}" for number in range(11))
_TOKEN = re.compile(r"->|[\[\]|]|(?:(?!->)[^\s\[\]|])+")


class _Token(NamedTuple):
    text: str
    column: int


class Loop(NamedTuple):
    """The lines of a `startloop` and its `endloop`."""

    start: int
    end: int


class WrittenRule(NamedTuple):
    """A rule as it is written, and the directions in which it applies. A cell of an ellipsis is None."""

    directions: tuple[str, ...]
    rule: Rule


def written_rules(
    lines: list[tuple[int, str]], is_name: Callable[[str], bool], faults: Faults, cut: Mapping[int, int]
) -> tuple[list[WrittenRule], list[Loop]]:
    """Read the lines of the rules, each with its number. Faults are added to `faults`. Raises nothing.

    `cut` has the column of the comment behind which a line is not read.
    """
    found: list[WrittenRule] = []
    loops: list[Loop] = []
    start: _Token | None = None
    start_line = 0
    for line, text in lines:
        tokens = [_Token(match[0], match.start() + 1) for match in _TOKEN.finditer(text)]
        words = [token.text for token in tokens]
        if line in cut and "->" not in text:
            message = (
                "found a comment in a rule, expected comments behind rules only: the rule is not read further"
            )
            faults.error(line, cut[line], message)
        elif words == ["startloop"]:
            if start:
                message = f"found a loop in the loop of line {start_line}, expected endloop before"
                faults.error(line, tokens[0].column, message)
            start, start_line = tokens[0], line
        elif words == ["endloop"]:
            if start is None:
                faults.error(line, tokens[0].column, "found endloop, expected startloop before it")
            else:
                loops.append(Loop(start_line, line))
            start = None
        elif tokens:
            previous = found[-1].rule if found else None
            rule = _Line(line, is_name, faults, cut.get(line, 0)).rule(tokens, previous)
            if rule is not None:
                found.append(rule)
    if start:
        faults.error(start_line, start.column, "found startloop without an end, expected endloop")
    return found, loops


def is_directional(rule: Rule) -> bool:
    """Does the direction matter to a rule: has it rows of cells, or relative movements?"""
    terms = (term for side in (rule.left, rule.right) for row in side for cell in row for term in cell or ())
    return any(len(row) > 1 for row in rule.left) or any(term.movement in RELATIVE for term in terms)


class _Line:
    """Reads one rule.

    sides    the rows of cells before and after the arrow
    row      the cells of the current row, and `cell` is the current cell
    movement a movement, or another word before an object, that waits for its object
    """

    def __init__(self, line: int, is_name: Callable[[str], bool], faults: Faults, cut: int) -> None:
        self._cut = cut  # the column of the comment that ends the rule, 0 if there is none
        self._line, self._is_name, self._faults = line, is_name, faults
        self._sides: tuple[list[Row], list[Row]] = ([], [])
        self._ends: list[list[_Token]] = [[], []]  # the closing bracket of each row
        self._row: list[tuple[Term, ...] | None] = []
        self._cell: list[Term] = []
        self._movement: _Token | None = None
        self._inside = self._right = self._late = self._rigid = self._random = False
        self._commands: list[str] = []

    def rule(self, tokens: list[_Token], previous: Rule | None) -> WrittenRule | None:
        """Return the rule, None if there is none. `previous` is the rule before it, to which a `+` joins it."""
        if not any(token.text == "->" for token in tokens):
            self._error(tokens[0], "found a rule without an arrow, expected [ … ] -> [ … ]")
            return None
        group = self._line
        if tokens[0].text.startswith("+"):
            rest = tokens[0].text[1:]
            if previous is None:
                self._error(tokens[0], "found + at the first rule, expected a rule before it")
            else:
                group = previous.group
            tokens = [*([_Token(rest, tokens[0].column + 1)] if rest else []), *tokens[1:]]
        count = next((number for number, token in enumerate(tokens) if token.text == "["), len(tokens))
        directions = self._directions(tokens[:count], joins=group != self._line)
        for token in tokens[count:]:
            if token.text == "message" and self._right:
                self._commands.append("message")
                break
            if not self._read(token):
                return None
        left, right = tuple(self._sides[0]), tuple(self._sides[1])
        if self._late and self._rigid:
            self._error(tokens[0], "found a rule that is late and rigid, expected one of both at most")
        if not left:
            self._error(tokens[0], "found a rule without cells, expected [ … ] -> [ … ]")
            return None
        if not self._fit(left, right, tokens):
            return None
        if previous is not None and group == previous.group and previous.late != self._late:
            self._warn(tokens[0], "found a group of late and other rules, expected them in groups of their own")
        commands = tuple(dict.fromkeys(word for word in self._commands if word in _COMMANDS))
        rule = Rule(self._line, group, "", left, right, self._late, self._rigid, commands, self._random)
        return WrittenRule(directions if is_directional(rule) else directions[:1], rule)

    def _error(self, token: _Token, text: str) -> None:
        self._faults.error(self._line, token.column, text)

    def _warn(self, token: _Token, text: str) -> None:
        self._faults.warn(self._line, token.column, text)

    def _directions(self, tokens: list[_Token], joins: bool) -> tuple[str, ...]:
        """Read the words before the first bracket. Return the directions of the rule, in their order.

        `joins` says that a `+` joins the rule to the one before it.
        """
        found: list[str] = []
        for token in tokens:
            if token.text in _DIRECTIONS:
                found += _DIRECTIONS[token.text]
            elif token.text == "late":
                self._late = True
            elif token.text == "rigid":
                self._rigid = True
            elif token.text == "random":
                self._random = True
                if joins:
                    expected = (
                        "it in the first rule of the group: `random [ … ] -> …`, and `+ [ … ] -> …` below it"
                    )
                    self._error(token, f"found random in a rule with +, expected {expected}")
            elif token.text.startswith("+"):
                self._error(token, "found + within a rule, expected it once, at the beginning of a line")
            else:
                expected = "a direction such as up or horizontal, late, rigid or ["
                self._error(token, f"found {token.text[:20]!r} at the beginning of a rule, expected {expected}")
        return tuple(found) or ORTHOGONAL

    def _read(self, token: _Token) -> bool:
        """Read a word from the first bracket on. Return False if the rule is left out."""
        text = token.text
        if text == "[":
            self._open(token)
        elif text == "]":
            return self._close(token)
        elif text == "|":
            if not self._inside:
                self._warn(token, "found | outside of brackets, expected it between cells")
            else:
                self._end_cell(token)
        elif text == "->":
            return self._arrow(token)
        elif text == ELLIPSIS:
            if self._inside:
                self._cell.append(Term("", ELLIPSIS))
            else:
                self._warn(token, "found an ellipsis outside of brackets, expected it in a cell of its own")
        elif text in _MODIFIERS:
            self._modifier(token)
        elif self._is_name(text):
            self._object(token)
        elif text in _COMMANDS or text in SOUNDS:
            self._command(token)
        else:
            self._error(token, f"found {text[:20]!r}, expected the name of an object, a movement or a command")
            self._movement = None
        return True

    def _open(self, token: _Token) -> None:
        if self._inside and (self._cell or self._movement):
            self._error(token, "found [ in a cell, expected ] before it")
        elif self._inside:
            self._warn(token, "found [ in brackets, expected ] before it")
        self._inside, self._cell = True, []

    def _close(self, token: _Token) -> bool:
        if not self._inside:
            self._warn(token, "found ], expected [ before it; the rule is left out")
            return False
        self._end_cell(token)
        if self._row[0] is None or self._row[-1] is None:
            self._error(token, "found an ellipsis at the end of a row, expected cells on both sides")
        if self._row.count(None) > MAX_ELLIPSES:
            self._error(token, f"found {self._row.count(None)} ellipses in a row, expected at most {MAX_ELLIPSES}")
        self._sides[self._right].append(tuple(self._row))
        self._ends[self._right].append(token)
        self._row, self._inside = [], False
        return True

    def _end_cell(self, token: _Token) -> None:
        if self._movement is not None:
            message = f"found {self._movement.text!r} without an object, expected one after it"
            self._error(self._movement, message)
        if any(term.name == ELLIPSIS for term in self._cell):
            if len(self._cell) > 1:
                self._error(token, "found an ellipsis and an object in a cell, expected the ellipsis alone")
            self._row.append(None)
        else:
            self._row.append(tuple(self._cell))
        self._cell, self._movement = [], None

    def _arrow(self, token: _Token) -> bool:
        if self._inside:
            self._warn(token, "found -> in brackets, expected ] before it")
        elif self._right:
            self._error(token, "found a second ->, expected one in a rule")
            return False
        else:
            self._right = True
        return True

    def _modifier(self, token: _Token) -> None:
        is_drawn = token.text in (RANDOM, RANDOM_DIRECTION)
        if is_drawn and not self._right:
            self._error(token, f"found {token.text!r} before the arrow, expected it behind the arrow only")
        elif self._movement is not None:
            message = f"found {token.text!r} after {self._movement.text!r}, expected the name of an object"
            self._error(token, message)
        elif not self._inside:
            message = f"found {token.text!r} outside of brackets, expected it before [ or in a cell"
            self._warn(token, message)
        elif self._late and token.text not in ("no", RANDOM):
            self._error(token, f"found {token.text!r} in a late rule, expected no movement")
        else:
            self._movement = token

    def _object(self, token: _Token) -> None:
        if not self._inside:
            self._warn(token, f"found {token.text!r} outside of brackets, expected it in a cell")
            return
        movement = self._movement.text if self._movement else ""
        again = [term for term in self._cell if term.name == token.text]
        if again:
            message = f"found {token.text!r} twice in a cell, expected it once"
            (self._warn if movement == "no" == again[0].movement else self._error)(token, message)
        self._cell.append(Term(movement, token.text))
        self._movement = None

    def _command(self, token: _Token) -> None:
        if not self._right:
            self._error(token, f"found {token.text!r} before the arrow, expected commands at the end of a rule")
            return
        if self._inside or self._movement:
            self._warn(token, f"found {token.text!r} in a cell, expected commands at the end of a rule")
        self._commands.append(token.text)

    def _fit(self, left: tuple[Row, ...], right: tuple[Row, ...], tokens: list[_Token]) -> bool:
        """Do both sides have the same rows and cells? A rule with commands may have no right side."""
        if len(left) != len(right):
            if self._commands and not right:
                return True
            counts = f"{len(left)} and {len(right)} rows of cells"
            if self._inside and self._cut:
                message = "found a comment in a cell, where the rule ends; expected comments behind rules only"
                self._faults.warn(self._line, self._cut, f"{message}: the rule is left out", cause=True)
                return False
            self._warn(tokens[0], f"found {counts}, expected as many on both sides; the rule is left out")
            return False
        for number, (before, after) in enumerate(zip(left, right, strict=True)):
            end = self._ends[1][number]
            if len(before) != len(after):
                self._error(end, f"found {len(after)} cells, expected {len(before)} as before the arrow")
            elif [cell is None for cell in before] != [cell is None for cell in after]:
                self._error(end, "found ellipses on one side of a rule, expected them at the same places of both")
        return True
