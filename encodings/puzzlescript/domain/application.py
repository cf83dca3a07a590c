"""The application of rules to a board: a rule, and groups of rules with their loops.

A rule finds all matches of all its rows first. Then it changes each combination of these matches, one for each
row, that still matches. A match that the rule itself makes has to wait for the next repetition of its group.
"""

from collections.abc import Container
from itertools import product
from typing import TypeAlias

from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.effects import Effect, apply
from puzzlemc.encodings.puzzlescript.domain.matching import Match, matches, still_matches
from puzzlemc.encodings.puzzlescript.domain.rulebook import Group, Phase, Rule

REPETITIONS = 200  # the most of a group; the most that a phase goes back to the start of a loop

Commands: TypeAlias = frozenset[str]


def apply_phase(board: Board, phase: Phase, queue: Commands, banned: Container[int] = ()) -> Commands:
    """Apply the groups in order, without the rigid groups whose numbers are banned. Returns the queue of commands.

    After the last group of a loop the phase goes back to the first one, if any group has changed anything since
    the phase began or since it last went back. If it goes back too often, the rest of the phase is left out.
    """
    number = loops = 0
    changed = False
    while number < len(phase.groups) and loops <= REPETITIONS:
        group = phase.groups[number]
        if not (group.rigid and group.rigid in banned):
            done, queue = apply_group(board, group, queue)
            changed |= done
        if changed and number in phase.loops:
            number = phase.loops[number]
            loops += 1
            changed = False
        else:
            number += 1
    return queue


def apply_group(board: Board, group: Group, queue: Commands) -> tuple[bool, Commands]:
    """Apply the rules of a group until they change nothing. Returns whether anything changed, and the queue."""
    changed = False
    for _ in range(REPETITIONS):
        again = False
        for rule in group.rules:
            done, queue = apply_rule(board, rule, group.rigid, queue)
            again |= done
        if not again:
            break
        changed = True
    return changed, queue


def apply_rule(board: Board, rule: Rule, rigid: int, queue: Commands) -> tuple[bool, Commands]:
    """Apply a rule of a group with this rigid number. Returns whether anything changed, and the queue of commands.

    Of the combinations, the match of the first row varies fastest. The commands are queued if each row has a
    match, even if the rule changes nothing.
    """
    found: list[list[Match]] = []
    for row in rule.rows:
        found.append(matches(board, row))
        if not found[-1]:
            return False, queue
    changed = False
    if rule.effects:
        first = True
        for backwards in product(*reversed(found)):
            combination = backwards[::-1]
            # The first one holds as it was found, so only the others can have been spoilt since.
            if first or all(still_matches(board, *each) for each in zip(rule.rows, combination, strict=True)):
                for effects, match in zip(rule.effects, combination, strict=True):
                    for done, cell in zip(effects, match, strict=True):
                        changed |= apply(board, cell, done)
                        if rule.rigid:
                            changed |= mark(board, cell, done, rigid)
            first = False
    return changed, queued(queue, rule.commands)


def queued(queue: Commands, commands: Commands) -> Commands:
    """The queue after more commands.

    `cancel` and `restart` empty the queue. After `cancel` it takes no command, after `restart` only a rule with
    `cancel`.
    """
    if "cancel" in queue or ("restart" in queue and "cancel" not in commands):
        return queue
    if commands & {"cancel", "restart"}:
        return commands
    return queue | commands


def mark(board: Board, cell: int, done: Effect, rigid: int) -> bool:
    """Note that a rigid rule has set movements of a cell. Returns whether one of the layers had no such note.

    If one of the layers has the note of another group, the note becomes the bitwise or of both numbers: so does
    the original, and thus bans a third group or none.
    """
    keys = [(cell, layer) for layer, _ in done.become]
    if all(key in board.rigid for key in keys):
        return False
    for key in keys:
        board.rigid[key] = board.rigid.get(key, 0) | rigid
    return True
