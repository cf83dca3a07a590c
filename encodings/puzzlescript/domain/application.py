"""The application of rules to a board: a rule, and groups of rules with their loops.

A rule finds all matches of all its rows first. Then it changes each combination of these matches, one for each
row, that still matches. A match that the rule itself makes has to wait for the next repetition of its group.

Draws come one by one, in the order of the language: the matches of a random group are listed by rules, and at each
application of another rule there is a draw for each `random` and `randomdir` of each cell.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.effects import Effect, apply
from puzzlemc.encodings.puzzlescript.domain.matching import Match, matches, still_matches
from puzzlemc.encodings.puzzlescript.domain.rulebook import Group, Phase, Rule
from puzzlemc.mc.errors import Unsuitable

REPETITIONS = 200  # the most of a group; the most that a phase goes back to the start of a loop

Commands: TypeAlias = frozenset[str]
Combination: TypeAlias = tuple[Match, ...]  # a match of each row of a rule
Choose: TypeAlias = Callable[[int], int]  # of the number of choices: draws one of them, by its number from 0


def certain(choices: int) -> int:
    """The draws of what draws nothing. Raises Unsuitable."""
    raise Unsuitable("its turns may have several outcomes (see `outcomes`)")


def apply_phase(
    board: Board, phase: Phase, queue: Commands, banned: Container[int] = (), choose: Choose = certain
) -> Commands:
    """Apply the groups in order, without the rigid groups whose numbers are banned. Returns the queue of commands.

    After the last group of a loop the phase goes back to the first one, if any group has changed anything since
    the phase began or since it last went back. If it goes back too often, the rest of the phase is left out.
    """
    number = loops = 0
    changed = False
    while number < len(phase.groups) and loops <= REPETITIONS:
        group = phase.groups[number]
        if not (group.rigid and group.rigid in banned):
            done, queue = apply_group(board, group, queue, choose)
            changed |= done
        if changed and number in phase.loops:
            number = phase.loops[number]
            loops += 1
            changed = False
        else:
            number += 1
    return queue


def apply_group(board: Board, group: Group, queue: Commands, choose: Choose = certain) -> tuple[bool, Commands]:
    """Apply the rules of a group until they change nothing. Returns whether anything changed, and the queue."""
    if group.random:
        return _apply_one_match(board, group, queue, choose)
    changed = False
    for _ in range(REPETITIONS):
        again = False
        for rule in group.rules:
            done, queue = apply_rule(board, rule, group.rigid, queue, choose)
            again |= done
        if not again:
            break
        changed = True
    return changed, queue


def _apply_one_match(board: Board, group: Group, queue: Commands, choose: Choose) -> tuple[bool, Commands]:
    """Apply one match of one rule, any of all that there are."""
    found = [(rule, combination) for rule in group.rules for combination in combinations(board, rule)]
    if not found:
        return False, queue
    rule, combination = found[choose(len(found))]
    changed = change(board, rule, combination, _drawn(rule, choose), group.rigid)
    return changed, queued(queue, rule.commands)


def apply_rule(
    board: Board, rule: Rule, rigid: int, queue: Commands, choose: Choose = certain
) -> tuple[bool, Commands]:
    """Apply a rule of a group with this rigid number. Returns whether anything changed, and the queue of commands.

    The commands are queued if each row has a match, even if the rule changes nothing.
    """
    changed = is_matched = False
    for combination in combinations(board, rule):
        # The first one holds as it was found, so only the others can have been spoilt since.
        if not is_matched or still_match(board, rule, combination):
            changed |= change(board, rule, combination, _drawn(rule, choose), rigid)
        is_matched = True
        if not rule.effects:
            break
    return changed, queued(queue, rule.commands) if is_matched else queue


def combinations(board: Board, rule: Rule) -> Iterator[Combination]:
    """Yield the combinations of matches, one for each row of a rule. The match of the first row varies fastest.

    All matches are found before the first combination.
    """
    found: list[list[Match]] = []
    for row in rule.rows:
        found.append(matches(board, row))
        if not found[-1]:
            return
    for backwards in product(*reversed(found)):
        yield backwards[::-1]


def still_match(board: Board, rule: Rule, combination: Combination) -> bool:
    """Do matches of a rule that were found on an earlier board also hold on this one?"""
    return all(still_matches(board, *each) for each in zip(rule.rows, combination, strict=True))


def change(board: Board, rule: Rule, combination: Combination, effects: Iterable[Effect], rigid: int) -> bool:
    """Apply a rule to a combination of matches, with these effects. Returns whether anything changed."""
    changed = False
    cells = [cell for match in combination for cell in match]
    for cell, done in zip(cells, effects, strict=False):  # a rule without a right side has no effects
        changed |= apply(board, cell, done)
    for cell, done in zip(cells, rule.effects if rule.rigid else (), strict=False):
        changed |= mark(board, cell, done, rigid)
    return changed


def _drawn(rule: Rule, choose: Choose) -> Sequence[Effect]:
    """The effects of one application of a rule."""
    if not rule.drawn:
        return rule.effects
    found = []
    for drawn in rule.drawn:
        number = 0
        for choices in drawn.choices:
            number = number * choices + choose(choices)
        found.append(drawn.effects[number])
    return found


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
