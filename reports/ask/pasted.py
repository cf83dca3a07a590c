"""A solution as a person pastes it: in any spelling that the rules can make sense of.

Two readings are tried. The first is that of the formats which this project writes. The second goes by the legal
moves: a word is a move whatever its case, `3r` and `3 right` are three moves, and of moves that are directions,
letters and arrows in a row are several. The reading under which more moves are legal is the one that is meant, so
an error is about the move that is wrong, not about its spelling.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.encodings.puzzle.text import MAX_MOVES, Move
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.rules.plain import Step
from puzzlemc.reports.formats.plans import moves_of_plan
from puzzlemc.reports.solve.given import read
from puzzlemc.screens.base.errors import LevelError

MOST_LISTED = 1000  # legal moves of a position that a word is compared with
MOST_SAID = 8  # legal moves that an error names
DIGITS = 7  # of a count that are read
DIRECTIONS = {"l": "left", "u": "up", "r": "right", "d": "down", "x": "action"}
ARROWS = dict(zip("←↑→↓", "lurd", strict=True))
_DIRECTED = {*DIRECTIONS, *DIRECTIONS.values()}
_LETTERS = re.compile(rf"(?:\d*[{''.join(DIRECTIONS)}{''.join(ARROWS)}])+", re.IGNORECASE)
_RUN = re.compile(r"(\d*)(\D)")
_COUNTED = re.compile(r"(\d+)(\D.*)")


Spellings: TypeAlias = Callable[[str], Sequence[str]]


class Judged(NamedTuple):
    """The judgement of a pasted solution by the plain rules.

    moves   the legal moves before the first wrong one, by their names; without those that changed nothing
    costs   of these moves, by metric
    read    the number of moves in the text, up to the first wrong one
    solved  do they solve the level?
    since   the number of the first of these moves after which the level is solved; None if there is none
    fault   which move is wrong, and why; None if none is
    """

    moves: list[str]
    costs: dict[str, int]
    read: int
    solved: bool
    since: int | None
    fault: LevelError | None


def judged(entry: Entry, text: str, source: str) -> Judged:
    """The judgement of a text. Raises LevelError for one that cannot be read, Refuted, and what LIMITS names."""
    done = _read(entry, text, source)
    if done.solved:
        entry.puzzle.replay(entry.level, done.moves)
    return done


def _read(entry: Entry, text: str, source: str) -> Judged:
    """The judgement under the reading that is meant."""
    try:
        moves = moves_of_plan(entry, text, source) or read(entry, text, source)
    except LevelError as error:
        spoken = _spoken(entry, _words(text), source)
        if not spoken.read:
            raise error from None
        return spoken
    written = _written(entry, moves, source)
    if written.fault is None:
        return written
    spoken = _spoken(entry, moves, source)
    return spoken if spoken.read > written.read else written


class _Game:
    """A game by the plain rules, as far as it has been played."""

    def __init__(self, entry: Entry) -> None:
        self._rules, self._level = entry.puzzle, entry.level
        self._plain: Any = entry.puzzle.rules if entry.puzzle.game is None else entry.puzzle.game.rules
        self._positions = [self._plain.start(entry.level)]
        self._costs = [dict.fromkeys(entry.puzzle.metrics, 0)]
        self._moves: list[str] = []
        self.read = 0

    @property
    def position(self) -> object:
        """The position after all moves."""
        return self._positions[-1]

    def reply(self, name: str) -> Step | None:
        """The legal move of this name."""
        step: Step | None = self._plain.reply(self._level, self.position, name)
        return step

    def legal(self) -> list[str]:
        """The names of legal moves, not more than can be listed."""
        try:
            return [step.name for step in islice(self._plain.steps(self._level, self.position), MOST_LISTED)]
        except LIMITS:
            return []

    def play(self, step: Step) -> None:
        """Play a move."""
        self._moves.append(step.name)
        self._positions.append(step.position)
        self._costs.append({metric: cost + step.costs[metric] for metric, cost in self._costs[-1].items()})
        self.read += 1

    def go_back(self, position: object) -> bool:
        """Take back all moves after a position; False if the game did not pass through it."""
        for number in range(len(self._moves), -1, -1):
            if self._positions[number] == position:
                del self._positions[number + 1 :], self._costs[number + 1 :], self._moves[number:]
                self.read += 1
                return True
        return False

    def judged(self, wrong: Move | None, source: str) -> Judged:
        """The judgement of the game; `wrong` is the move at which it ends."""
        solved = wrong is None and self._is_solved(self.position)
        since = next((number for number, each in enumerate(self._positions) if self._is_solved(each)), None)
        fault = None
        if wrong is not None:
            message = f"move {self.read + 1}, {wrong.name[:40]}, is not legal: {self._why(wrong.name)}"
            fault = LevelError(message, source=source, line=wrong.line, column=wrong.column)
        return Judged(self._moves, self._costs[-1], self.read, solved, since, fault)

    def _is_solved(self, position: object) -> bool:
        return bool(self._rules.rules.solved(self._level, position))

    def _why(self, name: str) -> str:
        """Why a move is not legal."""
        text, game = self._rules.text, self._rules.game
        if game is not None and (over := game.over(self._level, self.position)):
            return over
        if text.refusal is not None:
            return text.refusal(self._level, self.position, name)
        if self._is_solved(self.position):
            return "the level is solved before it"
        legal = self.legal()
        more = ", …" if len(legal) > MOST_SAID else ""
        return f"legal moves are {', '.join(legal[:MOST_SAID])}{more}" if legal else "no move is legal here"


def _written(entry: Entry, moves: Sequence[Move], source: str) -> Judged:
    """The judgement of moves by their names; of a recorded play, also of keys that are no moves, such as undo."""
    game, recorded = _Game(entry), entry.puzzle.text.play
    inputs = None if recorded is None else recorded(entry.level, [move.name for move in moves])
    for move in moves:
        step = game.reply(move.name)
        found = step if inputs is None else next(inputs)
        if found is None:
            return game.judged(move, source)
        if step is not None and step.position == found.position:
            game.play(step)
        elif not game.go_back(found.position):  # a checkpoint that no move leads to
            message = f"move {game.read + 1}, {move.name[:40]}, leads to a position that no moves lead to"
            raise LevelError(message, source=source, line=move.line, column=move.column)
    return game.judged(None, source)


def _spoken(entry: Entry, words: Iterable[Move], source: str) -> Judged:
    """The judgement of words and letters, each of which is compared with the legal moves."""
    if entry.puzzle.text.play is not None:  # a key that does nothing is no legal move
        return _written(entry, list(_keys(words)), source)
    game, spellings, count = _Game(entry), entry.puzzle.text.spellings, 1
    for word in words:
        if word.name.isdecimal() and game.reply(word.name) is None:  # the count of the next word
            count = int(word.name[:DIGITS])
            continue
        for move, times in _meanings(game, word, spellings):
            for _ in range(times * count):
                step = _step(game, move.name, spellings)
                if step is None or game.read == MAX_MOVES:
                    return game.judged(move, source)
                game.play(step)
        count = 1
    return game.judged(None, source)


def _words(text: str) -> Iterator[Move]:
    """The words of a text with their places; a comma at the end of a word only separates it."""
    for number, row in enumerate(text.split("\n"), 1):
        for part in re.finditer(r"[^\s;]+", row):
            if word := part[0].rstrip(","):
                yield Move(word, number, part.start() + 1)


def _keys(words: Iterable[Move]) -> Iterator[Move]:
    """The keys that words and letters stand for. Of too many, those up to the limit."""
    count, room = 1, MAX_MOVES
    for word in words:
        name = word.name.lower()
        if name.isdecimal():
            count = int(name[:DIGITS])
            continue
        counted = _COUNTED.fullmatch(name)
        if _LETTERS.fullmatch(name):
            found = [
                (letter._replace(name=DIRECTIONS[ARROWS.get(letter.name, letter.name)]), times)
                for letter, times in _letters(word._replace(name=name))
            ]
        elif counted is None:
            found = [(word._replace(name=name), 1)]
        else:
            found = [(word._replace(name=counted[2]), int(counted[1][:DIGITS]))]
        for key, times in found:
            yield from [key] * min(times * count, room)
            room -= min(times * count, room)
        count = 1


def _letters(word: Move) -> list[tuple[Move, int]]:
    """The letters of a word, each with its place and its count."""
    return [
        (word._replace(name=part[2], column=word.column + part.start(2)), int(part[1][:DIGITS] or 1))
        for part in _RUN.finditer(word.name)
    ]


def _meanings(game: _Game, word: Move, spellings: Spellings) -> Sequence[tuple[Move, int]]:
    """The moves that a word stands for, each with a count."""
    if _step(game, word.name, spellings) is not None:
        return [(word, 1)]
    if _LETTERS.fullmatch(word.name) and any(name.lower() in _DIRECTED for name in game.legal()):
        return _letters(word)
    counted = _COUNTED.fullmatch(word.name)
    if counted is not None and _step(game, counted[2], spellings) is not None:
        return [(word._replace(name=counted[2]), int(counted[1][:DIGITS]))]
    return [(word, 1)]


def _step(game: _Game, word: str, spellings: Spellings) -> Step | None:
    """The legal move that a word means."""
    for name in (word, *spellings(word)):
        if (step := game.reply(name)) is not None:
            return step
    meant = word.lower().rstrip(",")
    way = DIRECTIONS.get(ARROWS.get(meant, meant), meant)
    names = {meant, way, *(letter for letter, name in DIRECTIONS.items() if name == way)}
    found = [name for name in game.legal() if name.lower() in names]
    return game.reply(found[0]) if len(found) == 1 else None
