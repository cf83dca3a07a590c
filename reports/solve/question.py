"""A question about a level, and the steps that all kinds of question share.

Each kind of question has a strategy: a function from a `Question` to its `Result`, in a file of its own.
`solve.py` picks the strategy.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.portfolio import Decision, auto
from puzzlemc.mc.engines.registry import Option, Variant, engine
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.proof import Form, Proof
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict, extracted
from puzzlemc.reports.solve.options import Choice, Options
from puzzlemc.reports.solve.result import Drawing, Result, Search, Solution
from puzzlemc.reports.workers.worker import next_stage


@dataclass
class Question:
    """A level, and the options of the question about it.

    choice  the metric and the encoding
    better  gets each solution that is better than those before, as a result; None: only the last one is wanted
    known   the result so far; if an error stops the strategy, it becomes the answer
    """

    entry: Entry
    options: Options
    choice: Choice
    budget: Budget
    better: Callable[[Result], None] | None = None
    known: Result = field(init=False)

    def __post_init__(self) -> None:
        self.known = self.result("unknown")

    @property
    def rules(self) -> Puzzle:
        """The puzzle."""
        return self.entry.puzzle

    @property
    def level(self) -> Any:
        """The level, built from its text on first use."""
        return self.entry.level

    @property
    def metric(self) -> str:
        """The metric that the answer is about."""
        return self.choice.metric

    def encoded(self) -> Encoded:
        """The level as a model."""
        return self.rules.encodings[self.options.encoding](self.level)

    def searched(self, engine: str | None, diagrams: str | None = None, verdict: Verdict | None = None) -> Search:
        """The search that gave a verdict."""
        return Search(engine, diagrams, self.choice.encoding, None if verdict is None else verdict.statistics)

    def result(self, verdict: str, **parts: Any) -> Result:
        """The result with this verdict; `parts` are other fields of a result."""
        entry, metrics = self.entry, tuple(self.rules.metrics)
        parts.setdefault("search", self.searched(None))
        return Result(entry.id, entry.title, entry.puzzle_name, verdict, self.metric, metrics, **parts)


def decide(question: Question, model: Model, metric: str) -> Decision:
    """Decide reachability of the model's goal by the engine that the options choose."""
    options, rules, budget = question.options, question.rules, question.budget
    diagrams = "zdd" if options.diagrams == "auto" else options.diagrams
    proving = form_of_proof(rules, model) if options.prove else None
    if options.engine == "auto":
        # Improving solutions needs compiled code anyway.
        many = options.many or rules.improve is not None
        decision = auto(model, metric, budget, diagrams, many=many, proving=proving)
    else:
        chosen = engine(options.engine)
        has_diagrams = "diagrams" in chosen.options
        own: dict[str, Option] = {"diagrams": diagrams} if has_diagrams else {}
        if proving and "proving" in chosen.options:
            own["proving"] = proving
        verdict = Variant(chosen, own)(model, metric, budget)
        decision = Decision(verdict, chosen.name, diagrams if has_diagrams else None)
    question.known = replace(question.known, search=question.searched(decision.engine, decision.diagrams))
    return decision


def form_of_proof(rules: Puzzle, model: Model) -> Form | None:
    """The form of the states that a proof may list: positions, if the puzzle checks them, or bits; else None."""
    if rules.proofs.check_bidirectional is not None:
        return "positions"
    return None if model.hints.objects else "bits"


def conclude(
    question: Question,
    verdict: Verdict,
    search: Search,
    moves: Callable[[], Sequence[str]],
    *,
    draw: bool = True,
    **parts: Any,
) -> Result:
    """Turn a verdict on a model into the result for the level.

    moves  gives the moves of the trace to a reachable goal
    draw   draw the last position, if the user asked for it
    parts  other fields of the result

    Raises Refuted if the plain rules do not confirm the trace or its cost.
    """
    match verdict:
        case Unknown():
            bound = 0 if question.metric == ANY else verdict.bound
            return question.result("unknown", reason=verdict.reason, bound=bound, search=search, **parts)
        case Unreachable():
            reason = question.rules.explanation.obvious(question.level) or None
            return question.result("unsolvable", reason=reason, search=search, **parts)
        case Reachable():
            run = moves()
            played = question.rules.replay(question.level, run)
            parts["solution"] = _solution(question, verdict, run, played.costs)
            if draw and question.options.draw:
                parts["drawing"] = _drawing(question, played.positions[-1])
            return question.result("solvable", checked=True, search=search, **parts)


def _solution(question: Question, verdict: Reachable, moves: Sequence[str], costs: Mapping[str, int]) -> Solution:
    """The solution with the costs of its replay. Raises Refuted if they are not those of the verdict."""
    metric = first(question.metric)
    cost = 0 if metric == ANY else costs[metric]
    if metric != ANY and (cost > verdict.trace.cost(metric) or (verdict.optimal and cost < verdict.cost)):
        raise Refuted(f"the trace costs {cost} {metric}, not {verdict.cost}")
    trace = question.rules.text.write_moves(moves)
    return Solution(trace, None if metric == ANY else cost, verdict.optimal, dict(costs))


def _drawing(question: Question, position: Hashable) -> Drawing:
    """The drawing of a position with its colours, if the puzzle has any."""
    rules, level = question.rules, question.level
    tints = rules.display.tints
    return Drawing(rules.screen.draw(level, position), None if tints is None else tints(level, position))


def evidence(question: Question, verdict: Verdict) -> Proof | None:
    """The proof of a verdict. A lazy proof is taken out of the search only if the user wants one.

    This has the whole time limit of the level again. None if there is no proof, or not enough memory for it.
    """
    if not question.options.prove:
        return None if callable(verdict.proof) else verdict.proof
    next_stage()
    try:
        return extracted(verdict.proof)
    except MemoryError:
        return None
