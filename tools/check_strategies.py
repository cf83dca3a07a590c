#!/usr/bin/env python3
"""Checks strategies of PuzzleScript levels with chance, with Python's standard library and nothing of puzzlemc.

    python3 tools/check_strategies.py FILE...

FILE is a certificate that `solve --chance lucky --certificate DIR` or `--chance surely` has written;
check_certificate.py takes such files as well. What may come of a turn is computed by the rules of the game, which
game_rules.py and game_turns.py beside this file read and play. A game with rigid rules, checkpoints, or another
thing that they do not know is not checked.

docs/certificates.md says what the strategies mean. The program repeats plain rules and a checker of puzzlemc on
purpose and must never import them: an error in one shows as a disagreement.

The exit code is 0 if all files are valid, 4 if one is refuted, and 2 if one cannot be read or was not checked.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # `python -I` leaves it out

from game_rules import Game, NotChecked
from game_turns import Turns

FIRST, SECOND = 0, 1
START, FAILED = "start", "failed"


class Refuted(Exception):
    """The strategies are wrong."""


class Unreadable(Exception):
    """The file holds no strategies of a level with chance."""


class Level:
    """A level as a game of two sides: `first` chooses, and in the question `surely` `second` draws."""

    def __init__(self, game, asked):
        """Keep the rules of the level, and the question."""
        self.game, self.turns, self.is_lucky = game, Turns(game), asked == "lucky"
        self.starts, self.may_hang = [(game.board, False)], False
        if "run_rules_on_level_start" in game.flags:
            settled, won, _, stuck = self.turns.outcomes(game.board, "", starts=True)
            self.starts, self.may_hang = self.ordered(settled, won), stuck and not self.is_lucky
            if not self.starts:
                raise NotChecked("a level that never begins")
        self.start = self.starts[0] if len(self.starts) == 1 and not self.may_hang else START

    def ordered(self, settled, won):
        """The positions after a turn in the order of their numbers."""

        def order(cells):
            return [sorted(name for n, name in enumerate(self.game.objects) if cell >> n & 1) for cell in cells]

        return [(cells, False) for cells in sorted(settled, key=order)] + [
            (cells, True) for cells in sorted(won, key=order)
        ]

    def drawn(self, position, name):
        """The outcomes of an input by their names, and may it fail?"""
        settled, won, restarts, stuck = self.turns.outcomes(position[0], name)
        after, fails = self.ordered(settled, won), restarts or stuck
        if len(after) == 1 and not fails:
            return {name: after[0]}, False
        return {f"{name}:{n}": each for n, each in enumerate(after, start=1)}, fails

    def winner(self, position):
        """The side that has won in a position."""
        if position == FAILED:
            return SECOND
        return FIRST if position[0] != "draw" and position != START and position[1] else None

    def side(self, position):
        """The side to move."""
        return SECOND if not self.is_lucky and (position == START or position[0] == "draw") else FIRST

    def replies(self, position):
        """The steps from a position by their names, in the order of the names."""
        if self.winner(position) is not None:
            return {}
        if position == START:
            found = {f"start:{n}": each for n, each in enumerate(self.starts, start=1)}
            if len(found) == 1:
                found = {"": self.starts[0]}
            if self.may_hang:
                found["the start fails"] = FAILED
        elif position[0] == "draw":
            _, before, name = position
            found, fails = self.drawn(before, name)
            if fails or not found:
                found[f"{name} fails"] = FAILED
        elif self.is_lucky:
            found = {}
            for name in self.game.inputs:
                found |= self.drawn(position, name)[0]
        else:
            found = {name: ("draw", position, name) for name in self.game.inputs}
        return dict(sorted(found.items()))


def followed(level, side, wins, nodes):
    """Check a strategy: follow its nodes by the rules. Returns the positions of the nodes."""
    positions, waiting = {0: level.start}, [0]
    for number in waiting:
        position, (turns, move, after) = positions[number], nodes[number]
        replies, winner = level.replies(position), level.winner(position)
        if turns is None and wins:
            raise Refuted(f"node {number}: a win without a number of turns")
        if not replies and (winner == 1 - side or (wins and winner is None)):
            raise Refuted(f"node {number}: the game has ended without a win")
        if not replies or (turns == 0 and not wins):
            if move is not None or after:
                raise Refuted(f"node {number}: nothing can be behind it")
            continue
        if level.side(position) == side:
            if move not in replies or len(after) != 1:
                raise Refuted(f"node {number}: {move} is not a legal move")
            steps = [replies[move]]
        else:
            steps = list(replies.values())
            if move is not None or len(after) != len(steps):
                raise Refuted(f"node {number}: {len(after)} nodes behind {len(steps)} replies")
        for then, step in zip(after, steps, strict=True):
            if then >= len(nodes):
                raise Refuted(f"node {number}: there is no node {then}")
            left = nodes[then][0]
            falls = left is not None and turns is not None and 0 <= left < turns
            lasts = left is None or (turns is not None and left >= turns - 1)
            if not (falls if wins else lasts):
                raise Refuted(f"node {number}: {in_turns(turns)}, but {left} at node {then}")
            if positions.setdefault(then, step) != step:
                raise Refuted(f"node {number}: two positions come to node {then}")
            if len(positions) > len(waiting):
                waiting.append(then)
    if len(positions) < len(nodes):
        raise Refuted("a node to which no play leads")
    return positions


def inputs_to_win(level, nodes, positions):
    """The largest number of inputs in a checked strategy of `first`, which wins."""
    most = {}
    for number in sorted(range(len(nodes)), key=lambda number: nodes[number][0]):
        own = nodes[number][1] is not None and positions[number] != START
        most[number] = own + max((most[then] for then in nodes[number][2]), default=0)
    return most[0]


def inputs_at_least(level, nodes, positions):
    """The number of inputs that `first` needs at least against a checked strategy of `second`."""
    # Each position has one node, so the least number of inputs to it is found breadth-first.
    least, waiting, found = {0: 0}, [0], []
    for number in waiting:
        position = positions[number]
        if nodes[number][0] == 0 and level.winner(position) is not None:
            continue
        is_input = level.side(position) == FIRST and position != START
        here = least[number] + is_input
        if nodes[number][0] == 0:
            found.append(here)
        for then in nodes[number][2]:
            if then not in least or least[then] > here:
                least[then] = here
                waiting.append(then)
    return min(found, default=0)


def check(path):
    """Check a file; return what it shows, in words."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines[0] == "puzzlemc-strategies 1":
        raise NotChecked("strategies of a game of two sides")
    if lines[0] != "puzzlemc-strategies 2" or lines[-2:] != ["end", ""]:
        raise Unreadable("expected strategies of version 2")
    names = ("id", "puzzle", "level")
    _, puzzle, level = (json.loads(after(line, name)) for line, name in zip(lines[1:4], names, strict=True))
    asked = after(lines[4], "chance")
    if puzzle != "puzzlescript" or asked not in ("lucky", "surely"):
        raise NotChecked(f"{puzzle}, {asked}")
    known, at = [], 5
    while at < len(lines) - 2:
        side, kind, count = after(lines[at], "strategy").split()
        moves = json.loads(after(lines[at + 1], "moves"))
        rows = lines[at + 2 : at + 2 + int(count)]
        if side not in ("first", "second") or kind not in ("wins", "survives") or not rows:
            raise Unreadable(f"line {at + 1}")
        known.append(((side == "second", kind == "wins"), [node(row, moves) for row in rows]))
        at += 2 + int(count)
    if at != len(lines) - 2:
        raise Unreadable("the end of a strategy is not there")
    here = Level(Game(level), asked)
    kinds = [each for each, _ in known]
    if kinds == [(SECOND, False)] and known[0][1][0][0] is None:
        followed(here, SECOND, False, known[0][1])
        return f"{asked}: unsolvable"
    if kinds not in ([(FIRST, True)], [(FIRST, True), (SECOND, False)]):
        raise Refuted("the strategies do not decide the question")
    most = inputs_to_win(here, known[0][1], followed(here, FIRST, True, known[0][1]))
    least = int(here.start != START and here.winner(here.start) is None)
    if len(known) == 2:
        positions = followed(here, SECOND, False, known[1][1])
        least = max(least, inputs_at_least(here, known[1][1], positions))
    return f"{asked}: solvable in {in_turns(most)}" + (", and not in fewer" if least == most else "")


def in_turns(count):
    """A number of turns in words."""
    return f"{count} turn" + ("s" if count != 1 else "")


def after(line, name):
    """What follows a word at the start of a line."""
    word, _, rest = line.partition(" ")
    if word != name:
        raise Unreadable(f"found {line[:40]!r}, expected `{name}`")
    return rest


def node(row, moves):
    """A node: its number of turns, its move, and the nodes behind it."""
    match = re.fullmatch(r"(-|\d+)(?: m(\d+))?((?: \d+)*)", row)
    if not match or (match[2] and int(match[2]) >= len(moves)):
        raise Unreadable(f"found {row[:40]!r}, expected a node")
    move = moves[int(match[2])] if match[2] else None
    return None if match[1] == "-" else int(match[1]), move, tuple(map(int, match[3].split()))


def said(path):
    """Check a file, print a line about it, and return its exit code."""
    try:
        print(f"valid: {path}: {check(path)}", flush=True)
    except Refuted as wrong:
        print(f"refuted: {path}: {wrong}", flush=True)
        return 4
    except (NotChecked, MemoryError) as other:
        print(f"not checked: {path}: {other or 'out of memory'}", flush=True)
        return 2
    except (Unreadable, OSError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as wrong:
        print(f"unreadable: {path}: {type(wrong).__name__}: {wrong}", flush=True)
        return 2
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    codes = {said(path) for path in sys.argv[1:]}
    sys.exit(next(code for code in (4, 2, 0) if code in codes))
