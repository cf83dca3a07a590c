"""Expressions in parentheses, with the place of each in its file.

Names are case-insensitive, so all words are lower case. `;` starts a comment up to the end of the line, and `?` a
word: `?from?to` are two. Depth and length are bounded: whatever reads a condition may call itself for each level.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from puzzlemc.screens.base.errors import LevelError

DEEPEST = 100
NAME = re.compile(r"[a-z0-9_][a-z0-9_-]*")
_TOKEN = re.compile(r"[()]|[^\s();][^\s();?]*|;[^\n]*")
_SHOWN = 40  # characters of what was found


class Word(NamedTuple):
    """A word in lower case, and its offset in the text."""

    text: str
    at: int


class Block(NamedTuple):
    """Expressions in parentheses, and the offset of the opening one."""

    items: tuple["Expression", ...]
    at: int

    @property
    def head(self) -> str:
        """The first word, empty if the first item is no word."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""


Expression: TypeAlias = Word | Block


@dataclass(frozen=True)
class Source:
    """A text: the name of its file, and the line of the file in which it begins, from 1."""

    text: str
    name: str
    line: int = 1

    def error(self, where: Expression | int, message: str) -> LevelError:
        """An error at an expression or an offset."""
        line, column = self.place(where)
        return LevelError(message, source=self.name, line=line, column=column)

    def place(self, where: Expression | int) -> tuple[int, int]:
        """The line and the column of an expression or an offset in the file, from 1."""
        at = where if isinstance(where, int) else where.at
        return self.line + self.text.count("\n", 0, at), at - self.text.rfind("\n", 0, at)

    def expression(self) -> Block:
        """The only expression of the text. Raises LevelError."""
        stack: list[list[Expression]] = [[]]
        begins: list[int] = []
        for token in _TOKEN.finditer(self.text):
            text, at = token[0], token.start()
            if text == "(":
                if len(begins) == DEEPEST:
                    raise self.error(at, f"found parentheses deeper than {DEEPEST}, expected at most that")
                begins.append(at)
                stack.append([])
            elif text == ")":
                if not begins:
                    raise self.error(at, "found ')', expected '(' before it")
                items = tuple(stack.pop())
                stack[-1].append(Block(items, begins.pop()))
            elif not text.startswith(";"):
                stack[-1].append(Word(text.lower(), at))
        if begins:
            raise self.error(begins[-1], "found '(' without an end, expected ')' after it")
        found = stack[0]
        if len(found) != 1 or not isinstance(found[0], Block):
            where = next((each for each in found if isinstance(each, Word)), found[1] if len(found) > 1 else 0)
            raise self.error(where, f"found {len(found)} expressions, expected one: (define …)")
        return found[0]

    def block(self, item: Expression, expected: str) -> Block:
        """The expression, which must be in parentheses. Raises LevelError."""
        if isinstance(item, Word):
            raise self.error(item, f"found {shown(item)}, expected {expected}")
        return item

    def word(self, item: Expression, expected: str) -> str:
        """The expression, which must be a word. Raises LevelError."""
        if isinstance(item, Block):
            raise self.error(item, f"found {shown(item)}, expected {expected}")
        return item.text

    def name_of(self, item: Expression, expected: str) -> str:
        """The expression, which must be a name. Raises LevelError."""
        word = self.word(item, expected)
        if not NAME.fullmatch(word):
            found = f"found {shown(item)}, expected {expected}"
            raise self.error(item, f"{found}: letters, digits, - and _ only")
        return word


def shown(item: Expression) -> str:
    """An expression for people; a long one is cut."""
    text = written(item)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def written(item: Expression) -> str:
    """An expression as text, as long as a message can show."""
    if isinstance(item, Word):
        return item.text
    text = ""
    for each in item.items:
        text += f" {written(each)}" if text else written(each)
        if len(text) > _SHOWN:
            break
    return f"({text})"
