"""Plays recorded PuzzleScript games with the turns of this project, and compares the last boards.

    python benchmarks/plays.py ../shared/puzzlescript/plays.jsonl [--turns planes]

A recorded play is a line of JSON: `game` (its text), `level` (counted from 0, with messages), `inputs` and
`expected`, the last board. An input is 0 up, 1 left, 2 down, 3 right, 4 action, "undo", "restart", or "tick", a
turn without a movement. A play goes on after a win, in the next level; after the last level, and at a message, it
goes on with the same board, which cannot be won any more.

`seed` is the seed of the draws, null if it was not recorded. The plain rules draw as the original engine does from
this seed, so a play with draws has to end with the same board, too. A play whose draws are not known passes if it
ends so by some draws, and is refused otherwise. Where something is drawn, `planes` takes the turn of the plain
rules, which has to be one of the outcomes that compiled code lists; `cells` and `circuit` refuse it.

`--turns` selects the implementation: `plain` interprets the rules by names, `planes` and `cells` are compiled,
`circuit` evaluates the formulas of a level and refuses levels without them. The output is a line for each play
that did not pass, and the numbers of those that passed, failed, and were refused, with reasons. Exit code 1: a
play failed.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.encodings.puzzlescript.cells import encoding as by_cells
from puzzlemc.encodings.puzzlescript.circuit import encoding as by_circuit
from puzzlemc.encodings.puzzlescript.domain.application import Choose, certain
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, TICK, Cells, Position
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome, turn
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import drawn_turns
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.rules.chance import Turn
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript import Level, parse
from puzzlemc.screens.puzzlescript.lines import read

# A turn on a level, from cells, with a movement or "", whether it is the one at the start, and draws.
Played: TypeAlias = Callable[[Level, Cells, str, bool, Choose], Outcome]


class NotListed(Exception):
    """What the plain rules draw is no outcome by compiled code."""


def plain(level: Level, cells: Cells, movement: str, begins: bool, choose: Choose) -> Outcome:
    """A turn by the plain rules."""
    choose = choose if level.game.has_chance else certain
    return turn(level, cells, movement, begins=begins, choose=choose)


def planes(level: Level, cells: Cells, movement: str, begins: bool, choose: Choose) -> Outcome:
    """A turn by compiled code. If something is drawn, the turn by the plain rules, if compiled code lists it.

    Raises TooManyDraws, and NotListed.
    """
    try:
        return board(level).turn(cells, movement, begins=begins)
    except Unsuitable:
        found = plain(level, cells, movement, begins, choose)
    listed, turns = Turn(()), drawn_turns(level)
    if not begins:
        listed = turns.turn(Position(cells, won=False), movement or TICK)
    after = Position(found.cells, found.ending is Ending.WON)
    if found.ending is Ending.RESTARTED:
        is_listed = listed.restarts
    else:
        is_listed = after in (turns.first if begins else [step.position for step in listed.steps])
    if not is_listed:
        raise NotListed(written(Board(level, found.cells)))
    return found


def cells(level: Level, before: Cells, movement: str, begins: bool, _: Choose) -> Outcome:
    """A turn by the compiled code that checks certificates. Raises Unsuitable if something is drawn."""
    return by_cells.turn(level, before, movement, begins=begins)


def circuit(level: Level, before: Cells, movement: str, begins: bool, _: Choose) -> Outcome:
    """A turn by the circuit of the level. Raises Unsuitable for a level without one."""
    return by_circuit.turn(level, before, movement, begins=begins)


TURNS: Mapping[str, Played] = {"plain": plain, "planes": planes, "cells": cells, "circuit": circuit}


class Course(NamedTuple):
    """A game as a play goes through it: its levels, errors in place of bad ones, and None for each message."""

    items: Sequence[Level | LevelError | None]
    may_undo: bool
    may_restart: bool


class Board(NamedTuple):
    """A board of a level."""

    level: Level
    cells: Cells


def course(text: str) -> Course:
    """The course of a game. Raises LevelError for a game that is refused."""
    written = read(text)
    levels = parse(text, "game")
    if len(levels) != len(written.levels):
        raise next(level for level in levels if isinstance(level, LevelError))
    items: list[tuple[int, Level | LevelError | None]] = [
        (each.rows[0][0], level) for each, level in zip(written.levels, levels, strict=True)
    ]
    for number, line in enumerate(text.split("\n"), start=1):
        if number > written.head and line.strip().lower().startswith("message"):
            items.append((number, None))
    items.sort(key=lambda item: item[0])
    return Course(
        [item for _, item in items], "noundo" not in written.metadata, "norestart" not in written.metadata
    )


class Play:
    """A play: the item of the course, the board, earlier boards for undo, and the board for restart.

    `over` is True at a message and after the last level: the board cannot be won.
    """

    def __init__(self, course: Course, number: int, turn: Played, choose: Choose) -> None:
        self.course = course
        self.turn, self.choose = turn, choose
        self.restarting = False
        self.board: Board
        self.show(number)

    def show(self, number: int) -> None:
        """Go to an item of the course. Raises LevelError for a level that is refused."""
        item = self.course.items[number]
        if isinstance(item, LevelError):
            raise item
        self.number, self.over = number, item is None
        if item is not None:
            self.board = self.target = Board(item, item.cells)
            self.earlier: list[Board] = []
            self.begin()

    def begin(self) -> None:
        """Take the turn at the start of a level, if the game has one."""
        if self.board.level.game.run_rules_on_level_start:
            self.take_turn("", begins=True)

    def take_turn(self, movement: str, begins: bool = False) -> None:
        """Take a turn, and go on to the next item if it wins."""
        level, before = self.board
        played = unwinnable(level) if self.over else level
        ending, after, checkpoint = self.turn(played, before, movement, begins, self.choose)
        if checkpoint is not None:
            self.target = Board(level, checkpoint)
        if movement and before != after:
            self.earlier.append(self.board)
        self.board = Board(level, after)
        if ending is Ending.RESTARTED:
            self.go_back()
        elif ending is Ending.WON and self.number + 1 < len(self.course.items):
            self.show(self.number + 1)
        elif ending is Ending.WON:
            self.over = True

    def go_back(self) -> None:
        """Go back to the start of the level or to its last checkpoint. A restart within a restart does nothing."""
        if not self.restarting:
            self.restarting = True
            self.board = self.target
            self.begin()
            self.restarting = False

    def input(self, given: int | str) -> None:
        """Take one input of a recorded play."""
        match given:
            case "undo":
                while self.course.may_undo and self.earlier and self.earlier[-1].cells == self.board.cells:
                    self.earlier.pop()
                if self.course.may_undo and self.earlier:
                    self.board = self.earlier.pop()
            case "restart":
                if self.course.may_restart:
                    self.earlier.append(self.board)
                    self.go_back()
            case "tick":
                self.take_turn("")
            case _:
                self.take_turn(MOVES[int(given)])


@lru_cache(maxsize=8)
def unwinnable(level: Level) -> Level:
    """The level with nothing that wins."""
    rules = tuple(
        replace(rule, commands=tuple(command for command in rule.commands if command != "win"))
        for rule in level.game.rules
    )
    return replace(level, game=replace(level.game, rules=rules, wins=()))


def written(board: Board) -> str:
    """A board as the recordings have it: each new set of objects is written out with its number.

    The recordings number the cells by columns, but take cell x + y * width for the one in column x, row y. So
    lines of their text are no lines of the board, unless it has one row.
    """
    level, cells = board
    numbers: dict[str, int] = {}
    text = ""
    for number in range(len(cells)):
        column, row = divmod(number, level.height)
        objects = " ".join(sorted(cells[row * level.width + column]))
        if objects not in numbers:
            numbers[objects] = len(numbers)
            text += f"{objects}:"
        text += f"{numbers[objects]},"
        if number % level.width == level.width - 1:
            text += "\n"
    return text


class Draws:
    """The draws of the original engine from a seed: the stream cipher RC4 with the seed as its key.

    `count` is the number of draws so far.
    """

    def __init__(self, seed: str) -> None:
        self.count = 0
        self._state = list(range(256))
        self._i = self._j = 0
        key = seed.encode("ascii")
        for i in range(256):
            self._j = (self._j + self._state[i] + key[i % len(key)]) % 256
            self._swap(i, self._j)
        self._j = 0

    def choose(self, choices: int) -> int:
        """Draw a number below this one: a product with 56 bits between 0 and 1, rounded down."""
        self.count += 1
        fraction = 0.0
        for _ in range(7):
            fraction = 256 * fraction + self._byte()
        return int(fraction / (2**56 - 1) * choices)

    def _byte(self) -> int:
        self._i = (self._i + 1) % 256
        self._j = (self._j + self._state[self._i]) % 256
        self._swap(self._i, self._j)
        return self._state[(self._state[self._i] + self._state[self._j]) % 256]

    def _swap(self, i: int, j: int) -> None:
        self._state[i], self._state[j] = self._state[j], self._state[i]


def last_board(recorded: Mapping[str, Any], turn: Played, choose: Choose = certain) -> str:
    """Play a recorded play, and return the last board as text. Raises LevelError and Unsettled."""
    play = Play(course(recorded["game"].replace("\r\n", "\n")), int(recorded["level"]), turn, choose)
    for given in recorded["inputs"]:
        play.input(given)
    return written(play.board)


def results(recorded: Sequence[Mapping[str, Any]], turn: Played) -> Iterator[tuple[str, str]]:
    """Yield for each play `passed`, `failed` or `refused`, and the reason or the board found."""
    for each in recorded:
        draws = Draws(each.get("seed") or "0")
        try:
            found = last_board(each, turn, draws.choose)
        except (LevelError, LimitReached, Unsuitable) as error:
            yield "refused", str(error)
            continue
        except NotListed as error:
            yield "failed", f"a turn that is not listed, to\n{error}"
            continue
        if found == each["expected"]:
            yield "passed", ""
        elif draws.count and not each.get("seed"):
            yield "refused", "its draws are not recorded"
        else:
            yield "failed", found


def main() -> None:
    """Play the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--turns", choices=sorted(TURNS), action="append", help="all by default")
    chosen = parser.parse_args()
    recorded = [
        json.loads(line) for path in chosen.files for line in path.read_text().splitlines() if line.strip()
    ]
    failed = False
    for name in chosen.turns or sorted(TURNS):
        started = time.process_time()
        counts: Counter[str] = Counter()
        for each, (result, reason) in zip(recorded, results(recorded, TURNS[name]), strict=True):
            counts[result] += 1
            if result == "failed":
                print(f"{name}: failed: {each['name']}\nexpected:\n{each['expected']}\nfound:\n{reason}")
            elif result == "refused":
                print(f"{name}: refused: {each['name']}: {reason}")
        seconds = time.process_time() - started
        numbers = ", ".join(f"{counts[result]} {result}" for result in ("passed", "failed", "refused"))
        print(f"{name}: {numbers}, in {seconds:.1f} s of processor time")
        failed |= counts["failed"] > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
