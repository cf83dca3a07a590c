"""Strategies of a game, or of a level with chance, as a file: text, a line a node.

    puzzlemc-strategies 1
    id "heaps#1"
    puzzle "nim"
    level ["1 1"]
    positions each
    strategy second wins 4
    moves ["take 1 of 1", "take 1 of 2"]
    2 1 2
    1 m1 3
    1 m0 3
    0
    end

`positions` are `each`, or `like` if a position stands for all positions that are symmetric to it. The file of a
level with chance has version 2, and the line `chance lucky` or `chance surely` instead: the strategies are those
of the game of this question, see `mc/games/chance.py`.
`strategy` has the side, the claim (`wins` or `survives`) and the number of nodes. A node is its number of turns
(`-`: none), the number of the side's own move in `moves`, and the numbers of the next nodes, counted from 0. If
only some replies have a node, the node has instead `fN` for each move of `moves` that finishes against the others,
and `rN:M` for each reply of `moves` with its next node M; see `mc/games/strategy.py`. Both versions stay
readable. A file with anything else is refused.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from puzzlemc.mc.games.chance import QUESTIONS
from puzzlemc.mc.games.strategy import SIDE_NAMES, Node, Strategy
from puzzlemc.reports.output.files import write as write_file
from puzzlemc.screens.base.errors import CertificateError, LevelError
from puzzlemc.screens.base.reading import read_bytes, read_text

FORMAT = "puzzlemc-strategies"
OF_GAME, OF_CHANCE = f"{FORMAT} 1", f"{FORMAT} 2"  # the first lines
EACH, LIKE = "positions each", "positions like"
ASKED = {f"chance {asked}": asked for asked in QUESTIONS}  # by their lines
MOST_BYTES = 1 << 28
MOST_STRATEGIES = 4  # each side may win or survive

_STRATEGY = re.compile(rf"strategy ({'|'.join(SIDE_NAMES)}) (wins|survives) ([0-9]{{1,9}})")
_NODE = re.compile(
    r"(-|[0-9]{1,9})"
    r"(?:( m[0-9]{1,9})?((?: [0-9]{1,9})*)|((?: f[0-9]{1,9})*)((?: r[0-9]{1,9}:[0-9]{1,9})*))"
)


@dataclass(frozen=True)
class StrategyFile:
    """The content of a file: strategies for a level, which nothing has checked yet.

    level  as text in the puzzle's own format
    like   a position stands for all positions that are symmetric to it
    asked  the question about chance; None: the strategies are those of a game
    """

    id: str
    puzzle: str
    level: str
    strategies: tuple[Strategy, ...]
    like: bool = False
    asked: str | None = None


def write(file: StrategyFile, path: Path) -> None:
    """Write strategies to a file. Raises OutputError."""
    write_file(path, "".join(line + "\n" for line in lines(file)))


def lines(file: StrategyFile) -> Iterator[str]:
    """The lines of a file."""
    yield OF_GAME if file.asked is None else OF_CHANCE
    yield f"id {json.dumps(file.id)}"
    yield f"puzzle {json.dumps(file.puzzle)}"
    yield f"level {json.dumps(file.level.split(chr(10)))}"
    yield f"chance {file.asked}" if file.asked is not None else LIKE if file.like else EACH
    for strategy in file.strategies:
        kind = "wins" if strategy.wins else "survives"
        yield f"strategy {SIDE_NAMES[strategy.side]} {kind} {len(strategy.nodes)}"
        moves = sorted({name for node in strategy.nodes for name in _names(node)})
        number = {move: place for place, move in enumerate(moves)}
        yield f"moves {json.dumps(moves)}"
        for node in strategy.nodes:
            turns = "-" if node.turns is None else str(node.turns)
            if node.replies is not None:
                behind = zip(node.replies, node.after, strict=True)
                some = [f"f{number[name]}" for name in node.finishes]
                some += [f"r{number[name]}:{after}" for name, after in behind]
                yield " ".join([turns, *some])
                continue
            move = [] if node.move is None else [f"m{number[node.move]}"]
            yield " ".join([turns, *move, *map(str, node.after)])
    yield "end"


def _names(node: Node) -> Iterator[str]:
    """The moves that a node mentions."""
    yield from () if node.move is None else (node.move,)
    yield from node.replies or ()
    yield from node.finishes


def is_strategies(path: Path) -> bool:
    """Can the file be read, and does it begin with the format of strategies?"""
    try:
        return path.is_file() and read_bytes(path, len(FORMAT), "", whole=False) == FORMAT.encode()
    except LevelError:
        return False


def asked_in(data: bytes) -> str | None:
    """The question about chance of a file that `write` has written; None: its strategies are those of a game."""
    return next((asked for line, asked in ASKED.items() if line.encode() in data.split(b"\n", 5)[:5]), None)


def read(path: Path) -> StrategyFile:
    """Read strategies. Raises CertificateError for a file that does not hold any, or of another version."""
    source = str(path)
    try:
        text = read_text(path, MOST_BYTES, "strategies")
    except LevelError as error:
        raise CertificateError(error.message, source=source, line=error.line, column=error.column) from None
    return _Reader(text, source).content()


class _Reader:
    """Takes the lines of a text one by one."""

    def __init__(self, text: str, source: str) -> None:
        self._lines = text.split("\n")
        self._source = source
        self._next = 0

    def content(self) -> StrategyFile:
        """Read the whole text. Raises CertificateError."""
        version = self._take()
        if version not in (OF_GAME, OF_CHANCE):
            raise self._unexpected(f"{OF_GAME} or {OF_CHANCE}, the versions that this program knows")
        id, puzzle = self._text("id"), self._text("puzzle")
        level = "\n".join(self._texts("level"))
        known = (EACH, LIKE) if version == OF_GAME else tuple(ASKED)
        if (kind := self._take()) not in known:
            raise self._unexpected(" or ".join(f"`{each}`" for each in known))
        strategies = list[Strategy]()
        while (line := self._take()) != "end":
            if len(strategies) == MOST_STRATEGIES:
                raise self._unexpected("`end`")
            strategies.append(self._strategy(line))
        if self._take() or self._next < len(self._lines):
            raise self._unexpected("nothing behind `end`")
        return StrategyFile(id, puzzle, level, tuple(strategies), kind == LIKE, ASKED.get(kind))

    def _strategy(self, line: str) -> Strategy:
        match = _STRATEGY.fullmatch(line)
        if match is None:
            raise self._unexpected("`strategy first wins N`, or `second`, or `survives`; or `end`")
        side, kind, count = match.groups()
        moves = self._texts("moves")
        nodes = tuple(
            self._node(moves) for _ in range(int(count))
        )  # a false count ends with the last line, because `_take` raises
        return Strategy(SIDE_NAMES.index(side), kind == "wins", nodes)

    def _node(self, moves: list[str]) -> Node:
        match = _NODE.fullmatch(self._take())
        if match is None:
            raise self._unexpected("a node: its turns, `mN` for a move of its own, and the nodes behind it")
        left = None if match[1] == "-" else int(match[1])
        if not match[4] and not match[5]:
            own = None if match[2] is None else self._move(moves, match[2])
            return Node(left, own, tuple(map(int, (match[3] or "").split())))
        finishes = tuple(self._move(moves, word) for word in match[4].split())
        behind = [word.partition(":") for word in match[5].split()]
        replies = tuple(self._move(moves, word) for word, _, _ in behind)
        return Node(left, None, tuple(int(after) for _, _, after in behind), replies, finishes)

    def _move(self, moves: list[str], word: str) -> str:
        """The move of a word such as `m3`."""
        number = int(word.lstrip(" mfr"))
        if number >= len(moves):
            raise self._unexpected(f"one of {len(moves)} moves")
        return moves[number]

    def _text(self, name: str) -> str:
        value = self._json(name, "a text in JSON")
        if not isinstance(value, str):
            raise self._unexpected("a text in JSON")
        return value

    def _texts(self, name: str) -> list[str]:
        value = self._json(name, "a list of texts in JSON")
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise self._unexpected("a list of texts in JSON")
        return value

    def _json(self, name: str, expected: str) -> object:
        word, _, rest = self._take().partition(" ")
        try:
            if word == name:
                found: object = json.loads(rest)
                return found
        except (ValueError, RecursionError):
            pass
        raise self._unexpected(f"`{name}` and {expected}")

    def _take(self) -> str:
        """The next line."""
        self._next += 1
        if self._next > len(self._lines):
            raise CertificateError("found the end of the file, expected `end`", source=self._source)
        return self._lines[self._next - 1]

    def _unexpected(self, expected: str) -> CertificateError:
        """The error about the last line that was taken."""
        found = ascii(self._lines[self._next - 1])
        found = found if len(found) <= 60 else found[:57] + "..."
        return CertificateError(f"found {found}, expected {expected}", source=self._source, line=self._next)
