"""The reachability report of one level: the verdict with its proof, and the analysis of all its states.

`make` gathers everything; `written.py` writes it. The report leaves out a fact that a limit has kept unknown, and
lists it as missing.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzle.encoded import Encoded, Place
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable
from puzzlemc.mc.graph.analysis import Analysis, ByMetric, Visits, analyse, unexplored, with_known_dead
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.formats.traces import Played, play
from puzzlemc.reports.output.words import counted, number, share
from puzzlemc.reports.page.dead_by_sums import dead_by_sums
from puzzlemc.reports.page.reasons import Reason, lost_by_sums, reasons
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.reasons import explain
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.why import Why
from puzzlemc.reports.workers.worker import WorkerDied

LEAST_STATES = 1000  # after a limit, heat maps and plots need this number of analysed states
LEAST_SHARE = 1000  # and one analysed state in this number of known ones
REASON_SECONDS = 10.0  # for a sum that shows why a level has no solution, even after a shorter time limit
# For dead states by sums, if there was no time to find all: seconds, and the share of the time that is left.
DEAD_SECONDS, DEAD_SHARE = 2.0, 0.2
TOO_MANY = "size"  # the reason for no analysis: even the initial states are too many to list


@dataclass(frozen=True)
class Mistake:
    """The cheapest mistake: moves that end with a losing one, and the positions before and after each of them.

    why    an infeasible part of the last position; None if it is unknown
    words  why the last position is lost, by a sum of facts; empty if no sum shows that
    """

    moves: tuple[str, ...]
    positions: tuple[Hashable, ...]
    why: Why | None = None
    words: str = ""


@dataclass(frozen=True)
class Report:
    """The known facts about a level.

    result     the verdict; `checked` if its certificate was checked
    metric     the metric that comes first in the report
    played     the shortest known solution; None without one
    encoded    by the faithful encoding, which has the states and steps of the plain rules
    analysis   of all its states, or of those within the limits
    mistake    None if no action loses, or if no losing action is known
    measures   how hard the level is, by name; empty if nobody asked
    sums       that no action changes, and that show that the level has no solution
    """

    entry: Entry
    rules: Puzzle
    encoded: Encoded
    result: Result
    metric: str
    played: Played | None
    analysis: Analysis
    mistake: Mistake | None
    sums: Sequence[Reason] = ()
    measures: Mapping[str, Number] = field(default_factory=dict)

    def draw(self, position: Hashable) -> str:
        """A position as text."""
        return self.entry.puzzle.screen.draw(self.entry.level, position)

    @property
    def missing(self) -> list[str]:
        """The unknown facts, one sentence for each."""
        sentences = []
        if self.result.verdict == "unknown":
            sentences.append(f"Whether the level can be solved: {ran_out(self.result.reason)} first.")
        if self.result.note and not self.note_is_quality and not self.sums:
            sentences.append(f"The proof: {self.result.note}.")
        if not self.is_listed:
            return sentences  # no larger limit would help
        if self.analysis.reason is not None and self.is_constraint:
            partial, _ = self.rules.display.partial
            what = f"which {partial} can be completed" if self.has_all_states else f"all other {partial}"
            sentences.append(f"{what[0].upper()}{what[1:]}: {ran_out(self.analysis.reason)} first.")
        elif self.analysis.reason is not None:
            sentences += [
                f"{what[0].upper()}{what[1:]}: {ran_out(self.analysis.reason)} first."
                for what in self.analysis.missing
            ]
        if self.too_few:
            sentences.append(f"Heat maps, and plots by depth: {self.too_few}.")
        return sentences

    @property
    def too_few(self) -> str:
        """The reason why too few states are known for an analysis; empty if enough are known.

        A search stores fewer states than it could reach, so its count is a lower bound of the states met.
        """
        if self.has_all_states or not self.is_listed:
            return ""
        known, searched = (
            self.analysis.states,
            self.result.search.statistics and self.result.search.statistics.states,
        )
        met = max(known, self.analysis.graph.met, searched or 0)
        what = self.rules.display.partial[0] if self.is_constraint else "states"
        if known < LEAST_STATES:
            return f"only {counted(known, what)} could be analysed, fewer than {number(LEAST_STATES)}"
        if known * LEAST_SHARE < met:
            return f"only {number(known)} of the {number(met)} {what} met could be analysed, fewer than 1 ‰"
        return ""

    @property
    def is_constraint(self) -> bool:
        """Is the level a constraint, whose states are parts of solutions?"""
        return isinstance(self.rules.question(self.entry.level), Constraint)

    @property
    def has_all_states(self) -> bool:
        """Does the analysis know all reachable states?"""
        return self.analysis.graph.reason is None

    @property
    def is_listed(self) -> bool:
        """Can its states be listed within the limits?"""
        return self.analysis.reason != TOO_MANY

    @property
    def note_is_quality(self) -> bool:
        """Does the note describe the quality of the solution, rather than an error of its certificate?"""
        return self.result.best is not None and not self.result.uncertified

    @property
    def known_states(self) -> int:
        """A lower bound on the number of reachable states, from the analysis or the solution."""
        return max(self.analysis.states, len(set(self.played.run.positions)) if self.played else 0)

    @property
    def can_be_lost(self) -> bool | None:
        """Is a lost state reachable? None if it is unknown."""
        return None if self.analysis.dead is None else self.analysis.dead > 0

    @property
    def dead_places(self) -> dict[str, list[tuple[int, int]]]:
        """For each family of atoms, the places at which the atom holds only in dead states.

        They include places in no reachable state that are dead by the puzzle's rules (`Encoded.lost`). Empty if
        every state is dead.
        """
        if self.analysis.solvable == 0:
            return {}
        found = {}
        for family, places in families(self.encoded.places, self.analysis.atoms).items():
            dead = {place for place, visits in places.items() if visits.is_dead}
            if dead := dead | self.encoded.lost.get(family, frozenset()):
                found[family] = sorted(dead)
        return found


def make(entry: Entry, options: Options) -> Report:
    """Solve and analyse a level, each within the limits of the options.

    Raises ModelError for an option that the puzzle does not have, Refuted if engine and analysis contradict.
    """
    return gather(entry, options, solved(entry, options))


def solved(
    entry: Entry,
    options: Options,
    heard: Callable[[str], None] = lambda _: None,
    cancelled: Event | None = None,
) -> Result:
    """The result of a level with a checked certificate. Raises ModelError, Refuted or WorkerDied."""
    # A puzzle without explanations would only add a note about that to the report.
    why = entry.puzzle_name is not None and entry.puzzle.explanation.needs_search
    with TemporaryDirectory() as folder:
        paths = {entry.id: Path(folder, "level.cert")}
        (result,) = solve_all([entry], replace(options, why=why), 1, paths, heard, cancelled=cancelled)
        # The file of the certificate is temporary, so its name is left out.
        note, why_none = (each.replace(f"{paths[entry.id]}: ", "") for each in (result.note, result.uncertified))
        result = replace(result, note=note, uncertified=why_none, certificate=None)
    if result.verdict == "error":
        raise (WorkerDied if result.died else Refuted)(result.reason or "")
    return result


def gather(entry: Entry, options: Options, result: Result, reason: str | None = None) -> Report:
    """The report on a result. With a `reason` (a limit), states are not analysed."""
    budget = Budget(options.limits if reason is None else replace(options.limits, seconds=0))
    rules = entry.puzzle
    encoded = rules.encode_faithfully(entry.level)
    metric = options.metric if options.metric in rules.metrics else rules.metrics[0]
    ordered = sorted(rules.metrics, key=lambda name: name != metric)
    sums = reasons(entry, encoded, result, Budget(replace(options.limits, seconds=REASON_SECONDS)))
    try:
        analysis = analyse(encoded.model, ordered, budget)
    except Unsuitable:
        analysis = unexplored(encoded.model, TOO_MANY)
    if reason is not None and analysis.reason is not None:
        analysis = replace(analysis, reason=reason)
    _compare(result, analysis)
    if reason is None and analysis.solvable is None and result.verdict != "unsolvable":
        left = budget.left
        seconds = DEAD_SECONDS if left is None else min(DEAD_SECONDS, DEAD_SHARE * left)
        dead = dead_by_sums(analysis.graph, Budget(replace(options.limits, seconds=seconds)))
        if dead is not None and dead.any():
            analysis = with_known_dead(analysis, dead)
    played = play(entry, result) if result.trace is not None else None
    return Report(
        entry,
        rules,
        encoded,
        result,
        metric,
        played,
        analysis,
        _mistake(analysis, encoded, metric, rules, entry.level, budget),
        sums,
    )


def _compare(result: Result, analysis: Analysis) -> None:
    """Raise Refuted if the engine and the analysis, which share no search, contradict each other."""
    if result.verdict == "unsolvable" and analysis.goals:
        raise Refuted(f"{result.id}: {result.search.engine} says unsolvable, and the analysis finds solved states")
    if analysis.graph.reason is not None:
        return
    if result.verdict == "solvable" and not analysis.goals:
        raise Refuted(f"{result.id}: {result.search.engine} says solvable, and the analysis finds no solved state")
    profile = analysis.metrics.get(result.metric or "")
    if (
        result.optimal
        and profile is not None
        and profile.solutions is not None
        and profile.solutions.cost != result.cost
    ):
        raise Refuted(
            f"{result.id}: the least cost is {result.cost}, or, by the analysis, {profile.solutions.cost}"
        )


def _mistake(
    analysis: Analysis, encoded: Encoded, metric: str, rules: Puzzle, level: object, budget: Budget
) -> Mistake | None:
    profile = analysis.metrics.get(metric)
    if (
        isinstance(rules.question(level), Constraint)
        or profile is None
        or profile.losing is None
        or profile.losing.first is None
    ):
        return None
    names = encoded.moves(profile.losing.first)
    positions = rules.play(level, names).positions
    why: Why | None = None
    if rules.starting_at is not None:
        with suppress(*LIMITS):
            why = explain(rules, rules.starting_at(level, positions[-1]), budget, first_kind=True)
    words = "" if why is not None else lost_by_sums(encoded, profile.losing.first.states[-1], budget)
    return Mistake(tuple(names), positions, why, words)


def ran_out(reason: str | None) -> str:
    """A limit in plain words."""
    return {"timeout": "time ran out", "memory": "memory ran out"}.get(reason or "", f"{reason} came")


def families(
    places: Mapping[str, Mapping[Place, str]], atoms: Mapping[str, Visits]
) -> dict[str, dict[Place, Visits]]:
    """For each family of atoms about places (`Encoded.places`), the visits of each place.

    Places at which the atom holds in no reachable state are left out.
    """
    speaks_of = {name: (what, place) for what, names in places.items() for place, name in names.items()}
    visits_of: dict[str, dict[Place, Visits]] = {}
    for name, visits in atoms.items():
        if visits.states and name in speaks_of:
            what, place = speaks_of[name]
            visits_of.setdefault(what, {})[place] = visits
    return visits_of


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """The named numbers of the analysis for tables; none if states cannot be listed."""
    if not report.is_listed:
        return
    analysis = report.analysis
    partial, _ = report.rules.display.partial
    states, solved = (partial, "solutions") if report.is_constraint else ("reachable states", "solved states")
    if report.has_all_states:
        yield states, number(analysis.states)
        yield solved, number(analysis.goals)
    else:
        yield states, f"at least {number(report.known_states)}"
        if goals := max(analysis.goals, int(report.result.verdict == "solvable")):
            yield solved, f"at least {number(goals)}"
        else:
            yield solved, "none" if report.result.verdict == "unsolvable" else "none seen"
    if analysis.edges is not None and not report.is_constraint:
        yield "actions between them", number(analysis.edges)
    if analysis.solvable is not None and analysis.dead is not None:
        can = f"{partial} that can be completed" if report.is_constraint else "states that can still be solved"
        yield can, f"{number(analysis.solvable)} ({share(analysis.solvable, analysis.states)})"
        dead = f"{partial} that cannot" if report.is_constraint else "lost states"
        yield dead, f"{number(analysis.dead)} ({share(analysis.dead, analysis.states)})"
    elif analysis.known_dead:
        yield "of the states seen, lost by sums of facts", number(analysis.known_dead)
    if analysis.stuck is not None and not report.is_constraint:
        yield "states without any action", number(analysis.stuck)
        if analysis.lost is not None:
            yield "states without any action that are lost", number(analysis.lost)


def metrics(report: Report) -> dict[str, ByMetric]:
    """The analysis by metric; empty for a constraint, which has no costs, and if too few states are known."""
    return {} if report.is_constraint or report.too_few else dict(report.analysis.metrics)


def scope(report: Report) -> str:
    """The subject of the analysis: all states, or the seen states."""
    what = report.rules.display.partial[0] if report.is_constraint else "states"
    if report.has_all_states:
        return f"all {what}" if report.is_constraint else f"all reachable {what}"
    one = counted(report.analysis.states, what)
    return f"the {one} seen before {ran_out(report.analysis.graph.reason)}"


def states_title(report: Report) -> str:
    """The heading of the numbers of states."""
    if report.is_constraint:
        partial, made = report.rules.display.partial
        return f"{partial.capitalize()} {made}"
    return "All states" if report.has_all_states else "The states seen"


def paid_steps(trace: Trace, metric: str) -> int:
    """The number of steps of a trace that cost something."""
    return sum(action.costs[metric] > 0 for action in trace.actions)


def facts_by_metric(report: Report, metric: str) -> Iterator[tuple[str, str]]:
    """The named numbers that depend on the metric, for tables."""
    profile = report.analysis.metrics[metric]
    if report.has_all_states:
        yield "deepest state", counted(profile.diameter, metric)
    else:
        yield "all states are known up to depth", counted(profile.diameter, metric)
    # Free steps are not counted: if all steps are free, there is nothing to show.
    if (shortest := profile.solutions) is not None and shortest.cost:
        yield "shortest solution", counted(shortest.cost, metric)
        apart = "" if shortest.is_unique else ", other orders counted apart"
        yield f"shortest solutions{apart}", f"{number(shortest.count)}{' (unique)' if shortest.is_unique else ''}"
        if not shortest.is_unique:
            yield "positions in which these end", number(shortest.ends)
        yield "forced first steps", f"{shortest.forced} of {paid_steps(shortest.trace, metric)}"
        yield "states on some, on all shortest solutions", f"{number(shortest.on_some)}, {number(shortest.on_all)}"
    if (losing := profile.losing) is not None:
        yield "losing actions", number(sum(losing.by_depth))
        yield (
            "first losing action at depth",
            "none" if losing.earliest is None else counted(losing.earliest, metric),
        )
        yield "losing actions beside shortest solutions", number(losing.on_shortest)


def proof(report: Report) -> str:
    """The evidence of the verdict, in a sentence."""
    result, analysis = report.result, report.analysis
    if result.verdict == "unknown":
        first = f"Whether it can be solved is not known: {ran_out(result.reason)} first."
        if not result.bound or result.metric in (None, ANY):
            return first
        return f"{first} No solution costs less than {counted(result.bound, result.metric or '')}."
    if result.verdict == "unsolvable" and report.is_constraint:
        first = "The proof that there is no solution was "
        first += "checked by code that knows no engine." if result.checked else "not checked."
        return first + (f" None of {scope(report)} is solved." if report.has_all_states else "")
    if result.verdict == "unsolvable":
        first = "An inductive invariant excludes every solved state"
        first += ", and was checked by code that knows no engine." if result.checked else "; it was not checked."
        return first + (f" None of {scope(report)} is solved." if report.has_all_states else "")
    if report.is_constraint:
        note = f" {result.note[0].upper()}{result.note[1:]}." if report.note_is_quality and result.note else ""
        return f"The solution was checked by the plain rules.{note}"
    first = "The solution was replayed by the plain rules."
    if not result.optimal or result.metric == ANY:
        return f"{first} There may be shorter ones."
    if result.checked and not result.note:
        return f"{first} The proof that none costs less was checked by code that knows no engine."
    profile = analysis.metrics.get(result.metric or "")
    if profile is not None and profile.solutions is not None:
        return f"{first} The analysis of all states finds none that costs less."
    return f"{first} The engine found none that costs less; the proof of that was not checked."


def written(moves: Sequence[str]) -> str:
    """Moves in a line: letters without separators, names separated by blanks."""
    return "".join(moves) if not between(moves) else joined(moves)


def between(moves: Sequence[str]) -> str:
    """The separator of moves in a line."""
    return "" if all(len(move) == 1 and move.isalpha() for move in moves) else " "


def headline(report: Report) -> str:
    """The verdict in a few words."""
    result = report.result
    if result.verdict == "solvable" and result.cost is not None and (result.cost or not result.trace):
        return f"Solvable in {result.cost_in_words(first(result.metric or ''))}"
    if result.verdict == "solvable" and result.optimal and report.rules.proofs.better_than is not None:
        return "Solved, and no solution is better"
    return result.verdict.capitalize()


def engine_facts(result: Result) -> Iterator[tuple[str, str]]:
    """The engine that found the verdict, and its time and memory."""
    search, effort = result.search, result.effort
    yield "engine", search.engine or "none"
    if search.diagrams:
        yield "diagrams", search.diagrams
    if search.encoding:
        yield "encoding", search.encoding
    for name in ("layers", "states", "nodes"):
        value = getattr(search.statistics, name, None)
        if value is not None and (value or name != "layers"):
            yield f"{name} of the search", number(value)
    yield "processor time", f"{effort.seconds:.2f} s"
    if effort.peak_mb is not None:
        yield "most memory", f"{effort.peak_mb:.0f} MB"
