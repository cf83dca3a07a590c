"""One level, from entry to checked result."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.optimisation import BestSolution
from puzzlemc.encodings.puzzle.two_sides import GameOutcome, TwoSides
from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.engines.portfolio import Decision, auto
from puzzlemc.mc.engines.registry import PLAN_FINDER, Option, Variant, engine
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted, Unsuitable, reason_of
from puzzlemc.mc.games.strategy import main_line, prove
from puzzlemc.mc.lexicographic import COMMA, first, second
from puzzlemc.mc.limits import GIB, TIME, Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.bidirectional import Form
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, SOLVABLE, UNKNOWN, UNSOLVABLE, Result, bounded
from puzzlemc.reports.workers.memory import peak_mb, reset_peak
from puzzlemc.reports.workers.worker import next_stage

# Positions that are expanded to improve a trace: some for each level, for each of its moves, and for each so many
# states that the search has seen.
WORK, WORK_A_MOVE, STATES_A_WORK = 200, 5, 64
MOST_WORK = 1 << 16
SOON = 1 << 14  # states of a search for a bound on what some solution costs at least


@dataclass(frozen=True)
class Options:
    """As on the command line: `metric` None is the puzzle's own, `timeout` 0 is none, `memory` is in GiB.

    `count` asks for the number of solutions, `every` for all of them, `draw` for a drawing of the last position,
    `why` for the reason where a level is unsolvable, `given` for what comes of solutions in its file. A win of a
    game may cost `within` at most. `many` says that the level is one of many, for which it pays to load compiled
    code, `prove` that a proof is wanted, `some` that any solution will do, improved by the metric.
    """

    metric: str | None = None
    engine: str = "auto"
    diagrams: str = "auto"
    encoding: str = "compact"
    timeout: float = 60.0
    memory: float = 4.0
    count: bool = False
    every: bool = False
    draw: bool = False
    many: bool = False
    why: bool = False
    within: int | None = None
    prove: bool = False
    given: bool = False
    some: bool = False

    @property
    def limits(self) -> Limits:
        """The limits for an engine."""
        return Limits(self.timeout or None, int(self.memory * GIB))


def solve_entry(
    entry: Entry,
    options: Options,
    report: Callable[[int], None] | None = None,
    better: Callable[[Result], None] | None = None,
    passed: float = 0.0,
) -> Result:
    """Solve one level within its limits; the trace of a solvable one has been replayed by the plain rules.

    The level is built from its text here, so that the limits hold for that, too. Bad input and a refuted trace
    become results with the verdict `error`. `report` gets each bound proved, `better`, which keeps the time from
    outside, each solution that is cheaper than those before. An `unknown` under `any` has the bound 0.
    Of the time, `passed` seconds have passed already.
    """
    result = Result(entry.id, entry.title, entry.puzzle_name)
    started, began = time.process_time(), time.monotonic()
    reset_peak()
    # Under `any` a search counts actions of the model, which are no cost of the puzzle.
    budget = Budget(_left(options.limits, passed), None if options.metric == ANY else report)
    chosen: dict[str, Any] = {}
    try:
        if entry.puzzle_name is not None:
            rules = entry.puzzle
            chosen = choices(rules, options)
        if entry.level is None:
            return replace(result, reason=str(entry.error), exit_code=BAD_INPUT)
        result = replace(result, **chosen)
        if rules.game is not None:
            result = _won(result, rules, rules.game, entry.level, budget, options)
        elif (
            rules.optimisation is not None
            and options.engine == "auto"
            and result.metric != ANY
            and not options.some
        ):
            best = partial(_of_best, result, rules, entry.level, draw=options.draw)
            result = best(
                rules.optimisation.search(entry.level, budget, lambda found: better and better(best(found)))
            )
        else:
            encoded = rules.encodings[options.encoding](entry.level)
            proving = form_of_proof(rules, encoded.model) if options.prove else None
            solutions = _Solutions(rules, entry.level, encoded, replace(result, engine=options.engine), better)
            budget.found = solutions.add
            metric = ANY if options.some else result.metric or ANY
            answer = _answer(
                encoded.model, metric, budget, options, proving=proving, compiled=rules.improve is not None
            )
            result = replace(result, engine=answer.engine, diagrams=answer.diagrams)
            verdict = answer.verdict
            bound: int | None = None
            is_late = False
            if isinstance(verdict, Unknown) and (run := solutions.cheapest(verdict.best)) is not None:
                # A solution is more than a bound alone.
                result = replace(result, reason=verdict.reason)
                bound, is_late = verdict.bound, verdict.reason in TIME
                verdict = replace(run, optimal=False, statistics=verdict.statistics)
            elif options.some and isinstance(verdict, Reachable):
                solutions.add(verdict)
            elif metric == ANY and answer.engine == PLAN_FINDER.name and isinstance(verdict, Reachable):
                metric = rules.metrics[0]
                bound = _bound(encoded.model, metric, budget)
            elif not second(metric):
                bound = budget.bound or None
            elif isinstance(
                verdict, Reachable
            ):  # a bound by the first of two metrics: its cost where that is proved
                bound = budget.bound
            moves = partial(_moves, encoded, verdict)
            if rules.improve is not None and not second(result.metric or ANY) and not is_late:
                if better is not None and not options.some:  # its work is counted: its end is the same in each run
                    next_stage()
                moves = partial(_improved, rules, entry.level, moves, verdict, result.metric or ANY)
            result = _told(result, rules, moves, entry.level, verdict, draw=options.draw)
            is_cost = metric != ANY and rules.proofs.better_than is None  # else quality is not a cost
            if result.verdict == "solvable" and not result.optimal and is_cost and bound is not None:
                result = bounded(result, bound, metric)
            result = _proved(result, rules, answer.verdict, options)
        if options.count or options.every:
            result = _counted(result, rules, entry.level, budget, every=options.every)
        result = _why(result, rules, entry.level, budget, options)
    except MemoryError:
        result = replace(result, **chosen)
        result = replace(result, verdict="unknown", reason="memory", bound=0, exit_code=UNKNOWN)
    except ModelError as error:
        result = replace(result, verdict="error", reason=f"{entry.id}: {error}", exit_code=BAD_INPUT)
    except Refuted as error:
        result = replace(result, verdict="error", reason=f"{entry.id}: refuted: {error}", exit_code=REFUTED)
    seconds, wall = time.process_time() - started, time.monotonic() - began
    return replace(result, seconds=seconds, wall_seconds=wall, peak_mb=peak_mb())


def _left(limits: Limits, passed: float) -> Limits:
    """The limits of a search of which some seconds have passed."""
    return limits if limits.seconds is None else replace(limits, seconds=max(0.0, limits.seconds - passed))


class _Solutions:
    """The solutions that a search finds on its way: each is replayed by the plain rules, the cheapest is kept."""

    def __init__(
        self,
        rules: Puzzle,
        level: object,
        encoded: Encoded,
        result: Result,
        better: Callable[[Result], None] | None,
    ) -> None:
        """`result` is what they have in common; `better` gets each that is cheaper than those before."""
        self._rules = rules
        self._level = level
        self._encoded = encoded
        self._result = result
        self._better = better
        metric = result.metric if result.metric not in (None, ANY) else rules.metrics[0]
        self._metrics = (metric or "").split(COMMA)
        self._best: Reachable | None = None

    def add(self, run: Reachable) -> None:
        """Take a run. Raises Refuted where the plain rules do not confirm it."""
        if self.cheapest(run) is not run:
            return
        self._best = run
        if self._better is not None:
            verdict = replace(run, optimal=False, cost=run.trace.cost(self._metrics[0]))
            moves = partial(_moves, self._encoded, run)
            self._better(_told(self._result, self._rules, moves, self._level, verdict))

    def cheapest(self, other: Reachable | None) -> Reachable | None:
        """The cheaper one of the best so far and another."""
        runs = [run for run in (self._best, other) if run is not None]
        return min(runs, key=lambda run: [run.trace.cost(name) for name in self._metrics], default=None)


def _of_best(result: Result, rules: Puzzle, level: object, found: BestSolution, *, draw: bool) -> Result:
    """The result of a search for the best solution, also while it goes on. Raises Refuted."""
    result = replace(result, engine=found.engine, best=dict(found.measures) or None, note=found.words)
    return _told(result, rules, partial(_listed, found), level, _verdict(found), draw=draw)


def _verdict(found: BestSolution) -> Verdict:
    """The verdict of a search for the best solution. Whether there is one costs nothing to tell."""
    if found.moves is not None:
        return Reachable(Trace((frozenset(),), ()), 0, optimal=found.complete)
    return Unreachable(lambda _: True) if found.complete else Unknown(found.reason or "", 0)


def _bound(model: Model, metric: str, budget: Budget) -> int:
    """What a short search for a cheapest solution proves of its cost."""
    rest = budget.rest()
    try:
        verdict = engine("explicit")(model, metric, rest, most_states=SOON)
    except Unsuitable:
        return 0
    return verdict.cost if isinstance(verdict, Reachable) else rest.bound


def _listed(found: BestSolution) -> list[str]:
    return list(found.moves or ())


def _moves(encoded: Encoded, verdict: Verdict) -> list[str]:
    assert isinstance(verdict, Reachable)
    return encoded.moves(verdict.trace)


def _improved(
    rules: Puzzle, level: object, solution: Callable[[], list[str]], verdict: Verdict, metric: str
) -> list[str]:
    """The moves of a solution, improved by as much work as the search can spare. Raises Refuted.

    How much that is goes by what was counted, never by time, so the moves are the same in each run.
    """
    assert rules.improve is not None
    moves = solution()
    work = WORK + WORK_A_MOVE * len(moves) + (verdict.statistics.states or 0) // STATES_A_WORK
    return rules.improve(level, moves, metric, min(work, MOST_WORK))


def _why(result: Result, rules: Puzzle, level: object, budget: Budget, options: Options) -> Result:
    """The result with the reason, if it was asked for, of a level that is unsolvable. Raises Refuted."""
    if not options.why or result.verdict != "unsolvable":
        return result
    try:
        if rules.explanation.parts is not None:
            from puzzlemc.reports.solve.reasons import explain  # most levels need none

            why = explain(rules, level, budget, many=options.many)
            if why is not None:
                return replace(result, why=why, reason=result.reason or why.words)
        elif rules.explanation.words is not None:
            return replace(result, reason=rules.explanation.words(level, budget) or result.reason)
        if result.reason and rules.game is None:  # a look at the level tells
            return result
        return replace(
            result, note=f"--why: {rules.name} has no parts to leave out, so no smaller reason is known"
        )
    except LIMITS as limit:
        return replace(result, note=f"why was not found: {reason_of(limit)}")


def _won(result: Result, rules: Puzzle, game: TwoSides, level: Any, budget: Budget, options: Options) -> Result:
    """The result of a game: can the side to move force a win? Raises Refuted for a strategy that is wrong."""
    told: dict[str, Any]
    start = game.rules.start(level)
    mover, over = game.rules.turn(level, start), game.over(level, start)
    found = game.decide(level, options.within, budget)
    strategies = () if found.strategy is None else (found.strategy,)
    result = replace(result, engine=found.engine, strategies=strategies)
    if found.winner is None or found.strategy is None or found.turns is None:
        told = {"to_move": game.sides[mover], "winner": None, "turns": None, "refuted": found.refuted}
        result = replace(result, verdict="unknown", reason=found.reason, bound=found.refuted + 1)
        return replace(result, game=told, exit_code=UNKNOWN)
    _confirm(game, level, found)
    line = main_line(game.rules, level, found.strategy)
    told = {"to_move": game.sides[mover], "winner": game.sides[found.winner], "turns": found.turns, "line": line}
    told |= {"over": over} if over else {}
    played = rules.play(level, line)
    if options.draw:
        result = replace(result, drawing=rules.screen.draw(level, played.positions[-1]))
    if found.winner != mover:
        reason = over or f"{game.sides[found.winner]} wins in {counted(found.turns, result.metric or '')}"
        return replace(result, verdict="unsolvable", reason=reason, checked=True, game=told, exit_code=UNSOLVABLE)
    played = rules.replay(level, line)
    told |= {"first_moves": _openings(game, level, found.turns, budget)}
    return replace(
        result,
        verdict="solvable",
        cost=found.turns,
        optimal=True,
        trace=rules.text.write_moves(line),
        costs=dict(played.costs),
        checked=True,
        game=told,
        exit_code=SOLVABLE,
    )


def _confirm(game: TwoSides, level: object, found: GameOutcome) -> None:
    """Raise Refuted unless the strategy wins against every defence, in so many own turns."""
    assert found.strategy is not None
    proved = prove(game.rules, level, [found.strategy])
    if proved.winner != found.winner or found.strategy.own_turns > (found.turns or 0):
        raise Refuted(f"the strategy wins for {proved.winner} in {found.strategy.own_turns}, not as was said")


def _openings(game: TwoSides, level: object, turns: int, budget: Budget) -> list[str] | None:
    """All moves that win as soon as can be; None where a limit was reached."""
    try:
        return sorted(game.openings(level, turns, budget)) if turns else []
    except LIMITS:
        return None


def choices(rules: Puzzle, options: Options) -> dict[str, Any]:
    """Encoding and metric. Raises ModelError for what the puzzle does not have."""
    metric = options.metric or rules.metrics[0]
    if options.count or options.every:
        _need_count(rules, every=options.every)
    if rules.game is not None:
        return _choices_of_game(rules, options, metric)
    if options.within is not None:
        raise ModelError(f"{rules.name} is no game of two sides: how soon one side wins is not asked")
    for what, chosen, known in [
        ("metric", metric, (*rules.metrics, *rules.orders, ANY)),
        ("encoding", options.encoding, tuple(rules.encodings)),
    ]:
        if chosen not in known:
            raise ModelError(f"unknown {what} {chosen!r} of {rules.name}, expected one of {', '.join(known)}")
    return {"metric": metric, "encoding": options.encoding, "costs": dict.fromkeys(rules.metrics)}


def _need_count(rules: Puzzle, *, every: bool) -> None:
    """Raise ModelError where the solutions of a puzzle are not counted, or not listed."""
    if rules.counting is not None:
        if every and rules.counting.each is None:
            what = f"--count says how many there are: {rules.counting.what}"
            raise ModelError(f"the solutions of {rules.name} are counted, but not listed; {what}")
        return
    able = ", ".join(name for name, each in puzzles().items() if each.counting is not None)
    message = f"the solutions of {rules.name} are not counted, those of {able} are"
    if rules.game is not None:
        message += "; how many first moves win stands in the table anyway"
    elif rules.constraint is None:
        message += "; puzzlemc report says how many of the shortest ones there are"
    raise ModelError(message)


def _choices_of_game(rules: Puzzle, options: Options, metric: str) -> dict[str, Any]:
    """The same of a game of two sides, which has neither engines nor encodings to choose from."""
    for what, chosen, known in [
        ("metric", metric, rules.metrics),
        ("engine", options.engine, ("auto",)),
        ("encoding", options.encoding, (Options.encoding,)),
    ]:
        if chosen not in known:
            expected = " or ".join(known)
            raise ModelError(
                f"unknown {what} {chosen!r} of {rules.name}, a game of two sides: expected {expected}"
            )
    return {"metric": metric, "costs": dict.fromkeys(rules.metrics)}


def _answer(
    model: Model, metric: str, budget: Budget, options: Options, *, proving: Form | None, compiled: bool
) -> Decision:
    """The verdict of the engine that the options choose; `compiled` says that compiled code is needed anyway."""
    diagrams = "zdd" if options.diagrams == "auto" else options.diagrams
    if options.engine == "auto":
        return auto(model, metric, budget, diagrams, many=options.many or compiled, proving=proving)
    chosen = engine(options.engine)
    has_diagrams = "diagrams" in chosen.options
    own: dict[str, Option] = {"diagrams": diagrams} if has_diagrams else {}
    if proving and "proving" in chosen.options:
        own["proving"] = proving
    return Decision(Variant(chosen, own)(model, metric, budget), chosen.name, diagrams if has_diagrams else None)


def _proved(result: Result, rules: Puzzle, verdict: Verdict, options: Options) -> Result:
    """The result with the proof that the engine has, if one is wanted. That has the time of the level anew."""
    if not options.prove:
        return result
    next_stage()
    try:
        ends = verdict.ends()
    except MemoryError:
        return result
    return result if ends is None else replace(result, proof=ends)


def form_of_proof(rules: Puzzle, model: Model) -> Form | None:
    """What a proof that lists states has: the positions of a puzzle that checks them, or bits; else None."""
    if rules.proofs.check_bidirectional is not None:
        return "positions"
    return None if model.hints.objects else "bits"


def _counted(result: Result, rules: Puzzle, level: object, budget: Budget, *, every: bool) -> Result:
    """The result with the number of solutions, or a note that a limit was reached.

    Raises Refuted where the number contradicts the verdict.
    """
    found = rules.counting
    assert found is not None
    try:
        traces = tuple(map(rules.text.write_moves, found.each(level, budget))) if every and found.each else None
        number = found.count(level, budget) if traces is None else len(traces)
    except LIMITS as limit:
        reason = reason_of(limit)
        return replace(result, note=f"its solutions were not counted: {reason}")
    if (result.verdict, number > 0) in {("solvable", False), ("unsolvable", True)}:
        raise Refuted(f"{result.verdict}, but with {number} solutions")
    return replace(result, solutions=number, counted=found.what, traces=traces)


def _told(
    result: Result,
    rules: Puzzle,
    solution: Callable[[], list[str]],
    level: object,
    verdict: Verdict,
    *,
    draw: bool = False,
) -> Result:
    """The result of a verdict. Raises Refuted where the plain rules do not confirm a trace or its cost."""
    result = replace(result, statistics=verdict.statistics)
    if isinstance(verdict, Unknown):
        nothing = dict.fromkeys(rules.metrics)
        return replace(
            result,
            verdict="unknown",
            reason=verdict.reason,
            bound=0 if result.metric == ANY else verdict.bound,
            costs=nothing,
            exit_code=UNKNOWN,
        )
    if isinstance(verdict, Unreachable):
        nothing = dict.fromkeys(rules.metrics)
        proof = verdict.proof
        reason = rules.explanation.obvious(level) or None
        return replace(
            result,
            verdict="unsolvable",
            reason=reason,
            costs=nothing,
            exit_code=UNSOLVABLE,
            proof=proof,
        )
    assert isinstance(verdict, Reachable)
    moves = solution()
    played = rules.replay(level, moves)
    tints = rules.display.tints
    metric = first(result.metric or ANY)
    cost = 0 if metric == ANY else played.costs[metric]
    if metric != ANY and (cost > verdict.trace.cost(metric) or (verdict.optimal and cost < verdict.cost)):
        raise Refuted(f"the trace costs {cost} {metric}, not {verdict.cost}")
    return replace(
        result,
        verdict="solvable",
        cost=None if metric == ANY else cost,
        optimal=verdict.optimal,
        trace=rules.text.write_moves(moves),
        costs=dict(played.costs),
        checked=True,
        exit_code=SOLVABLE,
        drawing=rules.screen.draw(level, played.positions[-1]) if draw else None,
        tints=tints(level, played.positions[-1]) if draw and tints is not None else None,
    )
