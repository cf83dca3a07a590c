"""What rules with chance may make of a board: states with weights, in which equal states are merged.

A draw is independent of all others, and uniform. So the states after a match, a rule, a pass, or a group, with
their probabilities, depend on the states before it, however each of them is reached. Where only the set of states
is asked for, each weight is 1. Groups without chance are applied as `application` does.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple, TypeAlias, TypeVar

from puzzlemc.encodings.puzzlescript.domain.application import (
    REPETITIONS,
    Combination,
    Commands,
    apply_group,
    apply_rule,
    change,
    combinations,
    queued,
    still_match,
)
from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.rulebook import Group, Phase, Rule
from puzzlemc.mc.errors import LimitReached

T = TypeVar("T", bound=Hashable)

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


Weight: TypeAlias = Fraction | int  # a probability; 1 for each state if only the set of states is asked for


class Shares(NamedTuple):
    """What a pass makes of a state: numbers of states, with shares of a total instead of weights."""

    total: int
    changed: tuple[tuple[int, int], ...]
    settled: tuple[tuple[int, int], ...]


class Ends(NamedTuple):
    """The states at which passes end, with shares of a total; in `first`, no pass has changed anything."""

    total: int
    first: Mapping[int, int]
    later: Mapping[int, int]


class Drawing:
    """Applies rules with chance to boards of one size, and counts the work."""

    def __init__(self, width: int, height: int, *, weighs: bool = False) -> None:
        """With `weighs`, weights are probabilities."""
        self._size = width, height
        self._weighs = weighs
        self._work = 0

    def _share(self, weight: Weight, choices: int) -> Weight:
        """The weight of each of several choices, of which one is drawn."""
        return Fraction(weight, choices) if self._weighs else weight

    def add(self, into: dict[T, Weight], what: T, weight: Weight) -> None:
        """Merge a weighted value into others."""
        into[what] = into[what] + weight if self._weighs and what in into else weight

    def board(self, state: State) -> Board:
        """The board of a state. Raises TooManyDraws if those so far have more than MOST_WORK cells."""
        self._work += len(state.cells)
        if self._work > MOST_WORK:
            raise TooManyDraws()
        board = Board(state.cells, *self._size)
        board.movements, board.rigid = dict(state.movements), dict(state.rigid)
        return board

    def apply_phase(
        self, states: Mapping[State, Weight], phase: Phase, banned: frozenset[int]
    ) -> dict[State, Weight]:
        """The states after the groups of a phase without the banned rigid ones, as `application.apply_phase`."""
        done: dict[State, Weight] = {}
        known: dict[tuple[int, State], dict[Changed, Weight]] = {}  # what a group makes of a state
        starts = {0: {(state, False): weight for state, weight in states.items()}}  # by group
        for _ in range(REPETITIONS + 1):
            back: dict[int, dict[Changed, Weight]] = {}  # states that go back to the start of a loop
            reached = {number: dict(each) for number, each in starts.items()}
            for number, group in enumerate(phase.groups):
                here = reached.get(number, {})
                is_banned = group.rigid and group.rigid in banned
                after = here if is_banned else self._after_group(here, number, group, known)
                for (state, changed), weight in after.items():
                    if changed and number in phase.loops:
                        self.add(back.setdefault(phase.loops[number], {}), (state, False), weight)
                    else:
                        self.add(reached.setdefault(number + 1, {}), (state, changed), weight)
            for (state, _), weight in reached.get(len(phase.groups), {}).items():
                self.add(done, state, weight)
            if back in (starts, {}):  # all further passes through the loops are like this one
                break
            starts = back
        for each in back.values():
            for (state, _), weight in each.items():
                self.add(done, state, weight)
        return done

    def _after_group(
        self,
        states: Mapping[Changed, Weight],
        number: int,
        group: Group,
        known: dict[tuple[int, State], dict[Changed, Weight]],
    ) -> dict[Changed, Weight]:
        found: dict[Changed, Weight] = {}
        for (state, changed), weight in states.items():
            if (number, state) not in known:
                known[number, state] = self.apply_group(state, group)
            for (after, again), part in known[number, state].items():
                self.add(found, (after, changed or again), weight * part)
                _check(found, group.rules[0])
        return found

    def apply_group(self, state: State, group: Group) -> dict[Changed, Weight]:
        """The states after a group, and whether it has changed anything."""
        if not group.draws:
            board = self.board(state)
            changed, queue = apply_group(board, group, state.queue)
            return {(state_of(board, queue), changed): 1}
        if group.random:
            return self._one_match(state, group)
        return self._passes(state, group)

    def _passes(self, state: State, group: Group) -> dict[Changed, Weight]:
        """The states after passes through a group, until a pass changes nothing."""
        numbers, passed = {state: 0}, list[Shares]()
        for _ in range(REPETITIONS):
            new = list(numbers)[len(passed) :]
            _check(new, group.rules[0])
            passed += [_shares(self._pass(each, group), numbers) for each in new]
            if not new:
                break
        states, ends = list(numbers), _ends(tuple(passed), weighs=self._weighs)
        shares = {(states[each], False): share for each, share in ends.first.items()}
        shares |= {(states[each], True): share for each, share in ends.later.items()}
        return {each: Fraction(share, ends.total) if self._weighs else 1 for each, share in shares.items()}

    def _pass(self, state: State, group: Group) -> dict[Changed, Weight]:
        """The states after each rule of a group is applied once, in order."""
        passed: dict[Changed, Weight] = {(state, False): 1}
        for rule in group.rules:
            following: dict[Changed, Weight] = {}
            for (each, made), weight in passed.items():
                for (after, changed), part in self._apply_rule(each, rule, group.rigid).items():
                    self.add(following, (after, made or changed), weight * part)
            passed = following
            _check(passed, rule)
        return passed

    def _one_match(self, state: State, group: Group) -> dict[Changed, Weight]:
        """The states after one match of one rule, any of all that there are."""
        found: dict[Changed, Weight] = {}
        board = self.board(state)
        choices = [(rule, combination) for rule in group.rules for combination in combinations(board, rule)]
        for rule, combination in choices:
            queue = queued(state.queue, rule.commands)
            for (after, changed), weight in self._apply(state, rule, combination, group.rigid):
                self.add(found, (after._replace(queue=queue), changed), self._share(weight, len(choices)))
            _check(found, rule)
        return found or {(state, False): 1}

    def _apply_rule(self, state: State, rule: Rule, rigid: int) -> dict[Changed, Weight]:
        """The states after a rule is applied to all its matches, with a draw of its own at each."""
        board = self.board(state)
        if not rule.drawn:
            changed, queue = apply_rule(board, rule, rigid, state.queue)
            return {(state_of(board, queue), changed): 1}
        found: dict[Changed, Weight] = {(state, False): 1}
        is_matched = False
        for combination in combinations(board, rule):
            after: dict[Changed, Weight] = {}
            for (each, made), weight in found.items():
                if is_matched and not still_match(self.board(each), rule, combination):
                    self.add(after, (each, made), weight)
                    continue
                for (new, done), part in self._apply(each, rule, combination, rigid):
                    self.add(after, (new, made or done), weight * part)
                _check(after, rule)
            found, is_matched = after, True
        if not is_matched:
            return found
        queue = queued(state.queue, rule.commands)
        return {(each._replace(queue=queue), made): weight for (each, made), weight in found.items()}

    def _apply(
        self, state: State, rule: Rule, combination: Combination, rigid: int
    ) -> Iterator[tuple[Changed, Weight]]:
        """Yield the states after one application of a rule, one for each draw, with their weights."""
        drawn = [each.effects for each in rule.drawn] or [(done,) for done in rule.effects]
        weight = self._share(1, prod(map(len, drawn)))
        for effects in product(*drawn):
            board = self.board(state)
            changed = change(board, rule, combination, effects, rigid)
            yield (state_of(board, state.queue), changed), weight


def state_of(board: Board, queue: Commands) -> State:
    """A board as a value."""
    return State(tuple(board.cells), frozenset(board.movements.items()), frozenset(board.rigid.items()), queue)


def _shares(states: Mapping[Changed, Weight], numbers: dict[State, int]) -> Shares:
    """The shares of states. A state without a number gets the next one."""
    total = lcm(*(weight.denominator for weight in states.values()))
    shares = [
        (numbers.setdefault(state, len(numbers)), changed, int(weight * total))
        for (state, changed), weight in states.items()
    ]
    changed = tuple((number, share) for number, is_changed, share in shares if is_changed)
    return Shares(total, changed, tuple((number, share) for number, is_changed, share in shares if not is_changed))


@lru_cache(maxsize=32)
def _ends(passed: tuple[Shares, ...], *, weighs: bool) -> Ends:
    """Where passes end that begin at state 0 and go on as long as they change something.

    `passed` has what a pass makes of each state. Without `weighs`, each share is 1. Answers are kept: equal draws
    come again in most positions, and shares after REPETITIONS passes are long numbers.
    """
    live, total = {0: 1}, 1
    first, later = dict[int, int](), dict[int, int]()
    for number in range(REPETITIONS):
        factor = lcm(*(passed[each].total for each in live))
        later = {each: factor * share for each, share in later.items()}
        first = {each: factor * share for each, share in first.items()}
        following: dict[int, int] = {}
        for each, share in live.items():
            part = share * (factor // passed[each].total)
            for after, of in passed[each].changed:
                following[after] = following.get(after, 0) + part * of
            for after, of in passed[each].settled:
                found = later if number else first
                found[after] = found.get(after, 0) + part * of
        total *= factor
        before, live = live, following if weighs else dict.fromkeys(following, 1)
        if not live or (number and live == {each: factor * share for each, share in before.items()}):
            break  # all further passes are like this one
    for each, share in live.items():
        later[each] = later.get(each, 0) + share
    return Ends(total, first, later)


def _check(states: Collection[Any], rule: Rule) -> None:
    if len(states) > MOST_STATES:
        raise TooManyDraws(rule.line)
