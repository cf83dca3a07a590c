"""A given solution of a level: is it legal, does it solve it, how far is it from the best, which move lost?

A position is lost if the level that starts in it has no solution. Every position after a lost one is lost, too,
since it can be reached from it. So bisection finds the losing move: an engine decides positions, the
trace of each position that is not lost is replayed, and code that shares nothing with the engine checks the proof
that the first lost position is lost.
"""

import tempfile
import textwrap
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from puzzlemc.encodings.puzzle.questions import Assessment
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Constraint, Transition
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.formats.plans import moves_of_plan
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.given import Followed, costs_of, follow, read, respelled
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import BAD_INPUT, SOLVABLE, UNSOLVABLE, Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

SOLVES, UNSOLVED, INVALID = SOLVABLE, UNSOLVABLE, BAD_INPUT
INDENT = 4 * " "  # of what continues a line, as of remarks in tables


@dataclass(frozen=True)
class Lost:
    """When a level was lost.

    move    the number of the first move after which it is lost, from 1; 0: lost at the start; None: not lost, or
            not known
    after   if not known: it is not lost before this move
    before  if not known: it is lost after this move; None if that is not known either
    proved  the proof that it is lost was checked
    reason  why it is not known
    """

    move: int | None = None
    after: int = 0
    before: int | None = None
    proved: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Replayed:
    """What is known of a solution of a level.

    is_whole  the solution is one position, such as a layout, not a sequence of moves
    measure   the quality of such a position, in words, if the puzzle gives one
    note      that the moves are right but for their spelling
    over      why the game is over after it, and who has won
    way       the numbers of the positions that lead to the last one without a return to an earlier position
    """

    id: str
    title: str
    puzzle: str
    metric: str | None
    names: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    costs: dict[str, int]
    solved: bool
    fault: str
    is_game: bool
    is_whole: bool = False
    measure: str = ""
    note: str = ""
    over: str = ""
    drawing: str = ""
    best: Result | None = None
    lost: Lost | None = None
    way: tuple[int, ...] = ()

    @property
    def status(self) -> str:
        """The verdict in one word."""
        if self.fault:
            return "invalid"
        if self.solved:
            return "solves"
        return "lost" if self.lost is not None and self.lost.move is not None else "unsolved"

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return INVALID if self.fault else SOLVES if self.solved else UNSOLVED

    @property
    def _least(self) -> tuple[str, int | None, int | None]:
        """The metric, the least cost, and the proved bound if the least cost is not known."""
        metric, best = first(self.metric or ""), self.best
        if best is None or metric == ANY:
            return metric, None, None
        known = best.verdict == "solvable" and best.optimal
        return metric, best.costs.get(metric) if known else None, best.bound

    def as_json(self) -> dict[str, object]:
        """One object."""
        metric, least, bound = self._least
        lost: dict[str, object] | None = None
        if self.lost is not None:
            lost = {"move": self.lost.move, "after": self.lost.after, "before": self.lost.before}
            lost |= {"proved": self.lost.proved, "reason": self.lost.reason or None}
            if self.lost.move:
                line, column = self.places[self.lost.move - 1]
                lost |= {"name": self.names[self.lost.move - 1], "line": line, "column": column}
        return {
            "id": self.id,
            "title": self.title,
            "puzzle": self.puzzle,
            "status": self.status,
            "reason": self.fault or None,
            "length": len(self.names),
            **dict(sorted(self.costs.items())),
            "metric": metric,
            "best": least,
            "bound": bound,
            "above": None if least is None or not self.solved else self.costs[metric] - least,
            "lost": lost,
        }

    def as_text(self, width: int | None = None) -> str:
        """For people. A `width` in columns folds lines at words and indents their continuation."""
        lines = self._words.split("\n")
        if width is not None:
            lines = [textwrap.fill(line, width, subsequent_indent=INDENT) for line in lines]
        return "\n".join([*lines, *filter(None, [self.drawing])])

    @property
    def _words(self) -> str:
        """The text without the drawing."""
        name = " · ".join(filter(None, (self.id, self.title)))
        costs = ", ".join(counted(cost, metric) for metric, cost in self.costs.items())
        if self.fault:
            legal = (
                f"\n{counted(len(self.names), 'moves')} before it: {costs}"
                if self.names and not self.is_whole
                else ""
            )
            return f"{plain(f'{name}: invalid')}\n{plain(self.fault)}{legal}"
        if self.over and not self.names:
            return plain(f"{name}: {self.over}")
        if self.solved:
            solves = ", ".join(filter(None, ["solves the level", self.note]))
            return plain(f"{name}: {solves}: {self.measure or costs_of(self.costs, *self._least)}")
        end = "the side that begins has not won" if self.is_game else "the level is not solved"
        end = self.over or end
        if not self.names:
            return plain(f"{name}: no moves are given, and {end}") + self._when
        legal = (
            f"all {counted(len(self.names), 'moves')} are legal" if len(self.names) != 1 else "the move is legal"
        )
        return plain(f"{name}: {legal}, but {end}: {costs}") + self._when

    @property
    def _when(self) -> str:
        """When it was lost, in words."""
        if self.lost is None:
            return ""
        lost = self.lost
        if lost.move is None:
            if not lost.reason:
                return "\nit is not lost: there is a solution from here on"
            if lost.before is None:
                return f"\nit is not known whether it is lost: {lost.reason}"
            when = f"lost by one of the moves {lost.after + 1} to {lost.before}; which one is not known"
            return f"\n{when}: {lost.reason}"
        proved = (
            "proved, and the proof was checked" if lost.proved else f"proved{lost.reason and '; '}{lost.reason}"
        )
        if lost.move == 0:
            return f"\nlost from the start: the level has no solution ({proved})"
        line, column = self.places[lost.move - 1]
        where = f"move {lost.move}, {plain(self.names[lost.move - 1])} in line {line}, column {column},"
        return f"\n{where} loses it: after it there is no solution ({proved})"


@lru_cache(maxsize=1)
def _followed(entry: Entry, text: str, source: str) -> Followed:
    moves = moves_of_plan(entry, text, source) or read(entry, text, source)
    done = follow(entry.puzzle, entry.level, moves, source)
    return done if done.fault is None else respelled(entry.puzzle, entry.level, moves, source) or done


def replayed(entry: Entry, text: str, source: str, metric: str | None) -> Replayed:
    """The verdict of the plain rules. Raises LevelError for a text that holds no moves."""
    rules = entry.puzzle
    done = _followed(entry, text, source)
    end = "" if done.solved or not done.positions else rules.screen.draw(entry.level, done.positions[-1])
    judged = _judged(entry, done, source)
    return Replayed(
        id=entry.id,
        title=entry.title,
        puzzle=rules.name,
        metric=metric or rules.metrics[0],
        names=tuple(move.name for move in done.moves),
        places=tuple((move.line, move.column) for move in done.moves),
        costs=dict(done.costs),
        solved=done.solved,
        fault="" if done.fault is None else str(done.fault),
        is_game=rules.game is not None,
        over=rules.game.over(entry.level, done.positions[-1]) if rules.game is not None and done.positions else "",
        is_whole=isinstance(rules.question(entry.level), Constraint),
        measure=judged.words,
        note=done.note,
        drawing=end if done.solved else end or judged.drawing,
        way=_way(done.positions),
    )


def _way(positions: Sequence[Hashable]) -> tuple[int, ...]:
    """The numbers of distinct positions to the last one, each a step from the last; of equal ones, the later."""
    way: list[int] = []
    places: dict[Hashable, int] = {}  # of the positions in `way`
    for number, position in enumerate(positions):
        place = places.setdefault(position, len(way))
        for dropped in way[place:]:
            if positions[dropped] != position:
                del places[positions[dropped]]
        way[place:] = [number]
    return tuple(way)


def _judged(entry: Entry, done: Followed, source: str) -> Assessment:
    """The puzzle's judgement of a finished position; empty if the puzzle has none or cannot read the position."""
    nothing = Assessment((), "", {})
    optimisation = entry.puzzle.optimisation
    if optimisation is None or optimisation.assess is None:
        return nothing
    try:
        return optimisation.assess(entry.level, "".join(move.name for move in done.moves), source)
    except LevelError:
        return nothing  # the plain rules have said why


def drawn(entry: Entry, text: str, source: str, number: int) -> str:
    """The position after this number of moves."""
    return entry.puzzle.screen.draw(entry.level, _followed(entry, text, source).positions[number])


def has_steps(entry: Entry) -> bool:
    """Are the positions of the level levels themselves, so that best solutions and lost positions are defined?"""
    rules = entry.puzzle
    return isinstance(rules.question(entry.level), Transition) and rules.starting_at is not None


def best(entry: Entry, options: Options) -> Result:
    """The best known solution of the level."""
    return solve_entry(entry, options).light


def decided(entry: Entry, text: str, source: str, number: int, options: Options) -> Result:
    """Whether a solution exists after this number of moves; with `prove`, with a checked proof."""
    rules = entry.puzzle
    position = _followed(entry, text, source).positions[number]
    assert rules.starting_at is not None
    level = rules.starting_at(entry.level, position) if number else entry.level
    there = Entry(entry.id, entry.title, rules, level)
    result = solve_entry(there, replace(options, metric=ANY))
    if result.verdict != "unsolvable" or not options.prove:
        return result.light
    with tempfile.TemporaryDirectory() as folder:
        return certify(there, options, result, Path(folder, "proof.cert")).light


def completed(
    done: Replayed, best: Callable[[], Result], decide: Callable[[int, bool], Result], draw: Callable[[int], str]
) -> Replayed:
    """Add what only searches know: the best solution of a solved level, or the move that lost it.

    best    finds the best solution; it is not called under the metric `any`
    decide  decides a position by the number of moves before it, and proves it if asked
    draw    draws such a position
    """
    if done.solved:
        return done if done.metric == ANY else replace(done, best=best())
    done = replace(done, lost=first_lost_on(done.way, decide))
    assert done.lost is not None
    return done if done.lost.move is None else replace(done, drawing=draw(done.lost.move))


def first_lost_on(way: Sequence[int], decide: Callable[[int, bool], Result]) -> Lost:
    """The first losing move on a way through positions, of which `way` has the numbers: see `first_lost`."""
    found = first_lost(len(way) - 1, lambda number, prove: decide(way[number], prove))

    def move(place: int | None) -> int | None:
        """The move that leaves the position before a place for the last time."""
        return way[place - 1] + 1 if place else place

    return replace(found, move=move(found.move), after=way[found.after], before=move(found.before))


def first_lost(length: int, decide: Callable[[int, bool], Result]) -> Lost:
    """The first losing move, if any. `decide` decides a position by its number, and proves it if asked."""
    last = decide(length, False)
    if last.verdict != "unsolvable":
        return Lost(reason="" if last.verdict == "solvable" else last.reason or last.verdict)
    alive, lost = -1, length  # the start may be lost, too
    while lost - alive > 1:
        middle = (alive + lost) // 2
        found = decide(middle, False)
        if found.verdict == "solvable":
            alive = middle
        elif found.verdict == "unsolvable":
            lost = middle
        else:
            return Lost(after=max(alive, 0), before=lost, reason=found.reason or found.verdict)
    proof = decide(lost, True)
    return Lost(move=lost, proved=proof.checked, reason=proof.note)
