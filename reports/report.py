"""The reachability report of one level: the verdict with its proof, and what all its states tell.

`make` gathers everything; `report_formats` writes it. What a limit kept from being known is left out and named.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from puzzlemc.encodings import puzzles
from puzzlemc.encodings.puzzles import Encoded, Puzzle, puzzle
from puzzlemc.mc.analysis import Analysis, ByMetric, Visits, analyse
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY
from puzzlemc.mc.verdict import Trace
from puzzlemc.reports.certify import file_names
from puzzlemc.reports.pool import solve_all
from puzzlemc.reports.result import Result
from puzzlemc.reports.solve import Options
from puzzlemc.reports.traces import Played, play
from puzzlemc.reports.words import counted, number
from puzzlemc.screens.source import Entry, screen

_PLACED = re.compile(r"(.+)@\((\d+),(\d+)\)")


@dataclass(frozen=True)
class Mistake:
    """The cheapest way to lose a level for good: the moves, and the positions, the last of which is dead."""

    moves: tuple[str, ...]
    positions: tuple[Hashable, ...]


@dataclass(frozen=True)
class Report:
    """What is known of a level.

    result     the verdict; `checked` where its certificate was checked
    metric     by which the report tells depths first
    played     the shortest solution; None where none is known
    encoded    by the faithful encoding, which has the states and steps of the plain rules
    analysis   of all its states, as far as the limits allowed
    mistake    None where no action loses, or none is known
    """

    entry: Entry
    rules: Puzzle
    encoded: Encoded
    result: Result
    metric: str
    played: Played | None
    analysis: Analysis
    mistake: Mistake | None

    def draw(self, position: Hashable) -> str:
        """A position as text."""
        return screen(self.entry.puzzle).draw(self.entry.level, position)

    @property
    def missing(self) -> list[str]:
        """What is not known, a sentence each."""
        told = []
        if self.result.verdict == "unknown":
            told.append(f"The verdict: {self.result.reason} came first.")
        if self.result.note:
            told.append(f"Of the proof: {self.result.note}.")
        if self.analysis.reason is not None:
            told += [
                f"{what[0].upper()}{what[1:]}: {self.analysis.reason} came first."
                for what in self.analysis.missing
            ]
        return told

    @property
    def can_get_stuck(self) -> bool | None:
        """Is there a dead state that can be reached? None where that is not known."""
        return None if self.analysis.dead is None else self.analysis.dead > 0

    @property
    def dead_places(self) -> dict[str, list[tuple[int, int]]]:
        """By what atoms say of a place: the places where that means that the level is lost.

        None are told where every state is lost, or it is not known which are.
        """
        if not self.analysis.solvable:
            return {}
        return {
            family: dead
            for family, places in families(self.analysis.atoms).items()
            if (dead := [place for place, visits in places.items() if visits.is_dead])
        }


def make(entry: Entry, options: Options) -> Report:
    """Solve and analyse a level, each within the limits of the options.

    Raises ModelError for choices that the puzzle does not have, Refuted where two ways to an answer contradict.
    """
    rules = puzzle(entry.puzzle)
    with TemporaryDirectory() as folder:
        (result,) = solve_all([entry], options, 1, Path(folder))
        # The file of the certificate will be gone: its name tells nothing.
        result = replace(result, note=result.note.replace(f"{folder}/{file_names([entry])[0]}: ", ""))
    if result.verdict == "error":
        raise Refuted(result.reason or "")
    encoded = rules.encodings[rules.faithful](entry.level)
    metric = options.metric if options.metric in rules.metrics else rules.metrics[0]
    ordered = sorted(rules.metrics, key=lambda name: name != metric)
    analysis = analyse(encoded.model, ordered, Watch(options.limits))
    _compare(result, analysis)
    played = play(entry, result) if result.trace is not None else None
    return Report(
        entry,
        rules,
        encoded,
        result,
        metric,
        played,
        analysis,
        _mistake(analysis, encoded, metric, rules, entry.level),
    )


def _compare(result: Result, analysis: Analysis) -> None:
    """Raise Refuted where the engine and the analysis, which share no search, do not agree."""
    if result.verdict == "unsolvable" and analysis.goals:
        raise Refuted(f"{result.id}: {result.engine} says unsolvable, and the analysis finds solved states")
    if analysis.graph.reason is not None:
        return
    if result.verdict == "solvable" and not analysis.goals:
        raise Refuted(f"{result.id}: {result.engine} says solvable, and the analysis finds no solved state")
    told = analysis.metrics.get(result.metric or "")
    if result.optimal and told is not None and told.solutions is not None and told.solutions.cost != result.cost:
        raise Refuted(f"{result.id}: the least cost is {result.cost}, or, by the analysis, {told.solutions.cost}")


def _mistake(analysis: Analysis, encoded: Encoded, metric: str, rules: Puzzle, level: object) -> Mistake | None:
    told = analysis.metrics.get(metric)
    if told is None or told.losing is None or told.losing.first is None:
        return None
    names = moves(encoded, told.losing.first)
    return Mistake(tuple(names), puzzles.play(rules, level, names).positions)


def moves(encoded: Encoded, trace: Trace) -> list[str]:
    """The moves of a run by name."""
    return encoded.moves(trace)


def families(atoms: Mapping[str, Visits]) -> dict[str, dict[tuple[int, int], Visits]]:
    """Atoms that speak of places, such as `box@(1,2)`: by what they say of a place, those of each place.

    Left out is what is so in no reachable state.
    """
    found: dict[str, dict[tuple[int, int], Visits]] = {}
    for name, visits in atoms.items():
        if visits.states and (match := _PLACED.fullmatch(name)):
            found.setdefault(match[1], {})[int(match[2]), int(match[3])] = visits
    return found


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """The numbers of the analysis, with their names, for tables."""
    told = report.analysis
    at_least = "" if told.is_complete else "at least " if told.graph.reason else ""
    yield "reachable states", f"{at_least}{number(told.states)}"
    yield "solved states", f"{at_least}{number(told.goals)}"
    if told.edges is not None:
        yield "actions between them", number(told.edges)
    if told.solvable is not None and told.dead is not None:
        yield "states that can still be solved", f"{number(told.solvable)} ({share(told.solvable, told.states)})"
        yield "dead states", f"{number(told.dead)} ({share(told.dead, told.states)})"
    if told.stuck is not None:
        yield "states without any action", number(told.stuck)
    if told.lost is not None:
        yield "of these, dead", number(told.lost)


def facts_by_metric(told: ByMetric, metric: str) -> Iterator[tuple[str, str]]:
    """The same, of what depends on how runs are measured."""
    whole = told.dead is not None
    yield "deepest state" if whole else "depths known", counted(told.diameter, metric)
    # Steps that cost nothing are not counted: where all are such, there is nothing to tell.
    if (found := told.solutions) is not None and found.cost:
        yield "shortest solution", counted(found.cost, metric)
        yield "shortest solutions", f"{number(found.count)}{' (unique)' if found.is_unique else ''}"
        yield "forced first steps", f"{found.forced} of {found.cost}"
        yield "states on some, on all shortest solutions", f"{number(found.on_some)}, {number(found.on_all)}"
    if (lost := told.losing) is not None:
        yield "losing actions", number(sum(lost.by_depth))
        yield "first losing action at depth", "none" if lost.earliest is None else counted(lost.earliest, metric)
        yield "losing actions beside shortest solutions", number(lost.on_shortest)


def share(part: int, whole: int) -> str:
    """A share in percent, never rounded to none or all."""
    if part in (0, whole) or not whole:
        return "100 %" if part and part == whole else "0 %"
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def proof(report: Report) -> str:
    """Why the verdict should be believed, in a sentence."""
    result, told = report.result, report.analysis
    by_states = told.graph.reason is None
    if result.verdict == "unknown":
        return f"No solution costs less than {result.bound} {result.metric}." if result.bound else ""
    if result.verdict == "unsolvable":
        first = "An inductive invariant excludes every solved state"
        first += ", and was checked by code that knows no engine." if result.checked else "; it was not checked."
        return first + (" None of all reachable states is solved." if by_states else "")
    first = "The solution was replayed by the plain rules."
    if not result.optimal or result.metric == ANY:
        return f"{first} There may be shorter ones."
    if result.checked and not result.note:
        return f"{first} The proof that none costs less was checked by code that knows no engine."
    if by_states:
        return f"{first} The analysis of all states finds none that costs less."
    return f"{first} The engine found none that costs less; the proof of that was not checked."


def written(moves: Sequence[str]) -> str:
    """Moves in a line: letters side by side, names with blanks between them."""
    return between(moves).join(moves)


def between(moves: Sequence[str]) -> str:
    """What stands between moves in a line."""
    return "" if all(len(move) == 1 and move.isalpha() for move in moves) else " "


def headline(report: Report) -> str:
    """The verdict in a few words."""
    result = report.result
    if result.verdict == "solvable" and result.cost is not None and (result.cost or not result.trace):
        return f"Solvable in {counted(result.cost, result.metric or '')}"
    return result.verdict.capitalize()


def engine_facts(report: Report) -> Iterator[tuple[str, str]]:
    """What found the verdict, and what that took."""
    result = report.result
    yield "engine", result.engine or "none"
    if result.diagrams:
        yield "diagrams", result.diagrams
    yield "encoding", result.encoding or "none"
    for name, value in re.findall(r"(\w+)=(\d+)", result.log):
        yield f"{name} of the search", number(int(value))
    yield "processor time", f"{result.seconds:.2f} s"
    if result.peak_mb is not None:
        yield "most memory", f"{result.peak_mb:.0f} MB"
