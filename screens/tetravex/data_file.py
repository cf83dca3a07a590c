r"""Reads MiniZinc data files of Tetravex: the number of rows N, and the colours of the tiles, by a grammar.

The grammar checks the syntax. A loop over the tokens checks each value when it is read, so that a large file is
refused as soon as it exceeds a limit. MiniZinc allows comments `% …` and `/* … */`, and a comma after the last
number.
"""

import re
from functools import cache
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.tetravex.level import MAX_COLOUR, MAX_SIDE, Level, Tile, checked_side, wrong_number_of_tiles

# SIDE and COLOUR match the same texts, and so do N and KEY_N: the contextual lexer knows which one can occur.
GRAMMAR = r"""
    start: (item (";" item)* ";"?)?
    item: KEY_N "=" SIDE | PUZZLE "=" array
    array: ARRAY2D "(" ONE RANGE rows "," ONE RANGE FOUR "," "[" (COLOUR ("," COLOUR)* ","?)? "]" ")"
         | BARS (COLOUR (_between COLOUR)* _between?)? END_BARS
    rows: UPPER | N "*" N
    _between: "," | "|"

    KEY_N: /N(?![A-Za-z_0-9])/
    N: /N(?![A-Za-z_0-9])/
    PUZZLE: /puzzle(?![A-Za-z_0-9])/
    RANGE: ".."
    BARS: "[|"
    END_BARS: "|]"
    ARRAY2D: /array2d(?![A-Za-z_0-9])/
    ONE: /1(?![0-9])/
    FOUR: /4(?![0-9])/
    UPPER: /[0-9]{1,10}(?![0-9])/
    SIDE: /[0-9]+/
    COLOUR: /[0-9]+/
    %ignore /[ \t\n\f]+/
    %ignore /%[^\n]*/
    %ignore /\/\*.*?\*\//s
"""

MAX_NUMBERS = 4 * MAX_SIDE**2

_NUMBER = f"a number from 0 to {MAX_COLOUR}"
# How an error names the expected terminals, in this order. It names no closing bracket next to a colour.
_EXPECTED = {
    "KEY_N": "N = …",
    "PUZZLE": "puzzle = …",
    "SIDE": f"the number of rows: {_NUMBER}",
    "COLOUR": f"a colour: {_NUMBER}",
    "ARRAY2D": "array2d",
    "N": "N",
    "UPPER": "a number",
    "ONE": "1",
    "FOUR": "4",
    "EQUAL": "=",
    "SEMICOLON": ";",
    "STAR": "*",
    "LPAR": "(",
    "RANGE": "..",
    "COMMA": ",",
    "VBAR": "|",
    "LSQB": "[",
    "RSQB": "]",
    "BARS": "[|",
    "END_BARS": "|]",
    "RPAR": ")",
}
_CLOSING = {"RSQB", "END_BARS"}
_END = "the end of the text"
_FOUND = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|[0-9]+|\.\.|\[\||\|\]|.", re.DOTALL)


def read(text: str, source: str) -> Level:
    """Read a data file. Raises LevelError."""
    side: Token | None = None
    puzzle: Token | None = None
    colours: list[Token] = []
    reader: Any = _parser().parse_interactive(text)  # some of its methods have no annotations
    try:
        for token in reader.iter_parse():
            if (token.type == "KEY_N" and side) or (token.type == "PUZZLE" and puzzle):
                raise _error(f"found {token.value!r}, expected each of N and puzzle once", token, source)
            if token.type in ("SIDE", "COLOUR"):
                if len(token) > len(str(MAX_COLOUR)) or int(token) > MAX_COLOUR:
                    raise _error(f"found {token.value[:20]!r}, expected {_EXPECTED[token.type]}", token, source)
                if len(colours) == MAX_NUMBERS:
                    message = f"found more than {MAX_NUMBERS} numbers, expected four for each tile of a board"
                    raise _error(f"{message} with at most {MAX_SIDE} rows", token, source)
            if token.type == "SIDE":
                side = token
            elif token.type == "PUZZLE":
                puzzle = token
            elif token.type == "COLOUR":
                colours.append(token)
        reader.feed_eof()
    except (UnexpectedCharacters, UnexpectedToken) as error:
        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        place = len(text) if at_end or error.pos_in_stream is None else error.pos_in_stream
        raise _unexpected(text, place, reader.accepts(), source) from None
    if side is None or puzzle is None:
        missing = "N = …, the number of rows" if side is None else "puzzle = …, the tiles"
        raise _missing(text, missing, source)
    return _level(side, puzzle, colours, source)


def _level(side: Token, puzzle: Token, colours: list[Token], source: str) -> Level:
    """Build the level. Raises LevelError if the number of colours does not fit the number of rows."""
    rows = checked_side(int(side), source, side.line, side.column)
    wanted = 4 * rows * rows
    if len(colours) % 4:
        message = f"found {len(colours)} numbers, expected {wanted}: four for each of {rows * rows} tiles"
        raise _error(message, colours[-1], source)
    if len(colours) != wanted:
        place = colours[wanted] if len(colours) > wanted else puzzle
        raise wrong_number_of_tiles(len(colours) // 4, rows, source, place.line, place.column)
    values = [int(colour) for colour in colours]
    return Level("", "", rows, tuple(Tile(*values[i : i + 4]) for i in range(0, wanted, 4)))


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr")


def _error(message: str, token: Token, source: str) -> LevelError:
    return LevelError(message, source=source, line=token.line, column=token.column)


def _unexpected(text: str, place: int, accepted: set[str], source: str) -> LevelError:
    """Return the error for the text at a place where the grammar accepts other terminals."""
    names = accepted - _CLOSING if "COLOUR" in accepted else accepted
    expected = " or ".join(name for terminal, name in _EXPECTED.items() if terminal in names)
    found = _FOUND.match(text, place)
    shown = repr(found[0][:20]) if found else _END
    return LevelError(f"found {shown}, expected {expected}", source=source, **_line_and_column(text, place))


def _missing(text: str, expected: str, source: str) -> LevelError:
    place = _line_and_column(text, len(text))
    return LevelError(f"found {_END}, expected {expected}", source=source, **place)


def _line_and_column(text: str, place: int) -> dict[str, int]:
    return {"line": 1 + text.count("\n", 0, place), "column": place - text.rfind("\n", 0, place)}
