"""The application of rules to a board of literals: a rule, and a group until it changes nothing.

The matches of a rule are those of the board before it. Each combination of them, in the order of the language, is
applied where it still matches. A group is unrolled: after each pass, SAT decides whether another pass can change
any position.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from math import prod

from puzzlemc.encodings.puzzlescript.circuit.board import Board
from puzzlemc.encodings.puzzlescript.circuit.graph import Prover
from puzzlemc.encodings.puzzlescript.patterns.rules import Row, Rule
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.proofs.circuit import FALSE

COMMANDS = ("cancel", "restart", "win", "checkpoint", "message")
MOST_PASSES = 50  # of a group, or of movement
MOST_COMBINATIONS = 20_000  # of matches of a rule

Match = tuple[int, ...]


class Queue:
    """The literals of the commands that are queued."""

    def __init__(self) -> None:
        self.queued = dict.fromkeys(COMMANDS, FALSE)

    def add(self, board: Board, matched: int, commands: frozenset[str]) -> None:
        """Queue the commands of a rule where it matches.

        `cancel` and `restart` empty the queue. After `cancel` it is closed, after `restart` open for a rule with
        `cancel` only.
        """
        graph, queued = board.graph, self.queued
        closed = [queued["cancel"]] if "cancel" in commands else [queued["cancel"], queued["restart"]]
        fires = graph.conj([matched, *(literal ^ 1 for literal in closed)])
        empties = not commands.isdisjoint(("cancel", "restart"))
        for name in COMMANDS:
            if name in commands:
                queued[name] = graph.disj([queued[name], fires])
            elif empties:
                queued[name] = graph.both(queued[name], fires ^ 1)


def apply_group(board: Board, rules: Sequence[Rule], queue: Queue, prover: Prover) -> int:
    """Apply the rules of a group until they change nothing; return the number of passes.

    Raises Unsuitable if more than MOST_PASSES may be needed.
    """
    for passes in range(MOST_PASSES + 1):
        before = board.copy()
        changed = board.graph.disj([apply_rule(board, rule, queue) for rule in rules])
        if not prover.is_possible(changed):
            board.cells = before.cells  # equal, and smaller; the commands of this pass count
            return passes
    raise Unsuitable(f"the rules of line {rules[0].line} may change a position in more than {MOST_PASSES} passes")


def apply_rule(board: Board, rule: Rule, queue: Queue) -> int:
    """Apply a rule; return the literal: it has changed something. Raises Unsuitable for too many combinations."""
    graph = board.graph
    found = [list(row_matches(board, row, rule.direction)) for row in rule.rows]
    if not all(found):
        return FALSE
    matched = graph.conj([graph.disj([literal for _, literal in matches]) for matches in found])
    changes = []
    if any(cell.changes for cell in rule.cells):
        if (count := prod(map(len, found))) > MOST_COMBINATIONS:
            raise Unsuitable(f"the rule in line {rule.line} has {count} combinations of matches")
        touched = set[int]()
        for backwards in product(*reversed(found)):
            when = graph.conj([literal for _, literal in backwards])
            places = [
                (cell, wanted)
                for row, (match, _) in zip(rule.rows, reversed(backwards), strict=True)
                for cell, wanted in zip(match, chain(*row), strict=True)
            ]
            now = [board.matches(cell, wanted) for cell, wanted in places if cell in touched]
            when = graph.conj([when, *now])
            if when == FALSE:
                continue
            for cell, wanted in places:
                if wanted.changes:
                    changes.append(board.change(cell, wanted, when))
                    touched.add(cell)
    if not rule.commands.isdisjoint(COMMANDS):
        queue.add(board, matched, rule.commands)
    return graph.disj(changes)


def row_matches(board: Board, parts: Row, direction: str) -> Iterator[tuple[Match, int]]:
    """Yield the cells of each match of a row and its literal, in the order of the language."""
    known: dict[tuple[int, int, int], int] = {}

    def literal(part: int, number: int, cell: int) -> int:
        key = part, number, cell
        if key not in known:
            known[key] = board.matches(cell, parts[part][number])
        return known[key]

    def on_line(part: int, line: range) -> Iterator[tuple[Match, int]]:
        """The matches of the parts from this one on, which begins at the start of the line."""
        here, beyond = line[: len(parts[part])], line[len(parts[part]) :]
        if len(here) < len(parts[part]):
            return
        found = []
        for number, cell in enumerate(here):
            found.append(literal(part, number, cell))
            if found[-1] == FALSE:
                return
        holds = board.graph.conj(found)
        if holds == FALSE:
            return
        if part + 1 == len(parts):
            yield tuple(here), holds
            return
        for gap in range(len(beyond) + 1):
            for match, rest in on_line(part + 1, beyond[gap:]):
                if (both := board.graph.both(holds, rest)) != FALSE:
                    yield (*here, *match), both

    ahead = board.lines.ahead[direction]
    for cell in board.lines.order(direction):
        yield from on_line(0, ahead[cell])
