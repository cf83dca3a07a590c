"""What rules with chance may make of a board: sets of states, in which equal ones are merged.

A draw is independent of all others. So the states after a match, a rule, a pass, or a group are a set that depends
on the set before it, however often a state is reached. Groups without chance are applied as `application` does.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from puzzlemc.encodings.puzzlescript.domain.application import (
    REPETITIONS,
    Commands,
    apply_group,
    apply_rule,
    mark,
    queued,
)
from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.effects import apply
from puzzlemc.encodings.puzzlescript.domain.matching import Match, matches, still_matches
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.rulebook import Group, Phase, Rule
from puzzlemc.mc.errors import LimitReached

T = TypeVar("T")

MOST_STATES = 4_096  # of a set
MOST_WORK = 1_000_000  # cells of the states to which rules are applied, in a turn


class TooManyDraws(LimitReached):
    """The outcomes of a turn are too many to list."""

    def __init__(self, line: int = 0) -> None:
        at = f"the rule of line {line} draws" if line else "the rules draw"
        super().__init__("bound", f"{at} more than can be listed: the outcomes of a turn are not known")


class State(NamedTuple):
    """A board within a round as a value, and the queue of commands. The fields are those of `Board`."""

    cells: Cells
    movements: frozenset[tuple[tuple[int, int], str]]
    rigid: frozenset[tuple[tuple[int, int], int]]
    queue: Commands


Changed: TypeAlias = tuple[State, bool]  # a state, and whether anything has changed on the way to it


class Drawing:
    """Applies rules with chance to boards of one size, and counts the work."""

    def __init__(self, width: int, height: int, sample: Random | None = None) -> None:
        """With `sample`, one outcome of each draw is taken."""
        self._size = width, height
        self._sample = sample
        self._work = 0

    def _drawn(self, choices: list[T]) -> list[T]:
        """The choices of a draw that are followed: all of them, or a sample."""
        return choices if self._sample is None or not choices else [self._sample.choice(choices)]

    def board(self, state: State) -> Board:
        """The board of a state. Raises TooManyDraws if those so far have more than MOST_WORK cells."""
        self._work += len(state.cells)
        if self._work > MOST_WORK:
            raise TooManyDraws()
        board = Board(state.cells, *self._size)
        board.movements, board.rigid = dict(state.movements), dict(state.rigid)
        return board

    def apply_phase(self, states: Iterable[State], phase: Phase, banned: frozenset[int]) -> set[State]:
        """The states after the groups of a phase without the banned rigid ones, as `application.apply_phase`."""
        done = set[State]()
        starts: dict[int, set[Changed]] = {0: {(state, False) for state in states}}  # by group
        for _ in range(REPETITIONS + 1):
            back: dict[int, set[Changed]] = {}  # states that go back to the start of a loop
            reached = {number: set(each) for number, each in starts.items()}
            for number, group in enumerate(phase.groups):
                here = reached.get(number, set())
                after = here if group.rigid and group.rigid in banned else self._after_group(here, group)
                for state, changed in after:
                    if changed and number in phase.loops:
                        back.setdefault(phase.loops[number], set()).add((state, False))
                    else:
                        reached.setdefault(number + 1, set()).add((state, changed))
            done |= {state for state, _ in reached.get(len(phase.groups), set())}
            if back in (starts, {}):  # all further passes through the loops are like this one
                break
            starts = back
        return done | {state for each in back.values() for state, _ in each}

    def _after_group(self, states: Iterable[Changed], group: Group) -> set[Changed]:
        found = set[Changed]()
        for state, changed in states:
            for after, again in self.apply_group(state, group):
                found.add((after, changed or again))
                _check(found, group.rules[0])
        return found

    def apply_group(self, state: State, group: Group) -> set[Changed]:
        """The states after a group, and whether it has changed anything."""
        if not group.draws:
            board = self.board(state)
            changed, queue = apply_group(board, group, state.queue)
            return {(state_of(board, queue), changed)}
        if group.random:
            return self._one_match(state, group)
        done, live = set[Changed](), {state}
        known: dict[State, set[Changed]] = {}  # what a pass makes of a state
        for number in range(REPETITIONS):
            following = set[State]()
            for each in live:
                if each not in known:
                    known[each] = self._pass(each, group)
                following |= {after for after, made in known[each] if made}
                done |= {(after, number > 0) for after, made in known[each] if not made}
            _check(following, group.rules[0])
            before, live = live, following
            if live in (before, set()):  # all further passes are like this one
                break
        return done | {(each, True) for each in live}

    def _pass(self, state: State, group: Group) -> set[Changed]:
        """The states after each rule of a group is applied once, in order."""
        passed: set[Changed] = {(state, False)}
        for rule in group.rules:
            passed = {
                (after, made or changed)
                for each, made in passed
                for after, changed in self._apply_rule(each, rule, group.rigid)
            }
            _check(passed, rule)
        return passed

    def _one_match(self, state: State, group: Group) -> set[Changed]:
        """The states after one match of one rule, any of all that there are."""
        found, board = set[Changed](), self.board(state)
        choices = [(rule, combination) for rule in group.rules for combination in _combinations(board, rule)]
        for rule, combination in self._drawn(choices):
            queue = queued(state.queue, rule.commands)
            for after, changed in self._apply(state, rule, combination, group.rigid):
                found.add((after._replace(queue=queue), changed))
            _check(found, rule)
        return found or {(state, False)}

    def _apply_rule(self, state: State, rule: Rule, rigid: int) -> set[Changed]:
        """The states after a rule is applied to all its matches, with a draw of its own at each."""
        board = self.board(state)
        if not rule.drawn:
            changed, queue = apply_rule(board, rule, rigid, state.queue)
            return {(state_of(board, queue), changed)}
        found: set[Changed] = {(state, False)}
        combinations = _combinations(board, rule)
        if not combinations:
            return found
        for number, combination in enumerate(combinations):
            after = set[Changed]()
            for each, made in found:
                if number and not self._holds(each, rule, combination):
                    after.add((each, made))
                else:
                    after |= {(new, made or done) for new, done in self._apply(each, rule, combination, rigid)}
                _check(after, rule)
            found = after
        queue = queued(state.queue, rule.commands)
        return {(each._replace(queue=queue), made) for each, made in found}

    def _holds(self, state: State, rule: Rule, combination: Sequence[Match]) -> bool:
        board = self.board(state)
        return all(still_matches(board, *each) for each in zip(rule.rows, combination, strict=True))

    def _apply(self, state: State, rule: Rule, combination: Sequence[Match], rigid: int) -> Iterator[Changed]:
        """Yield the states after one application of a rule, one for each draw."""
        cells = [cell for match in combination for cell in match]
        usual = [done for effects in rule.effects for done in effects]
        drawn = [each for row in rule.drawn for each in row] or [(done,) for done in usual]
        for effects in product(*(self._drawn(list(each)) for each in drawn)):
            board, changed = self.board(state), False
            for cell, done, base in zip(cells, effects, usual, strict=False):
                changed |= apply(board, cell, done)
                if rule.rigid:
                    changed |= mark(board, cell, base, rigid)
            yield state_of(board, state.queue), changed


def state_of(board: Board, queue: Commands) -> State:
    """A board as a value."""
    return State(tuple(board.cells), frozenset(board.movements.items()), frozenset(board.rigid.items()), queue)


def _combinations(board: Board, rule: Rule) -> list[tuple[Match, ...]]:
    """The combinations of matches of a rule, one for each row. The match of the first row varies fastest."""
    found = [matches(board, row) for row in rule.rows]
    return [backwards[::-1] for backwards in product(*reversed(found))]


def _check(states: Collection[Any], rule: Rule) -> None:
    if len(states) > MOST_STATES:
        raise TooManyDraws(rule.line)
