"""A level with what is asked of it, and what the kinds of question have in common.

Each kind of question is a strategy: one function from a `Question` to its `Result`, in a file of its own, which
`solve.py` picks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from puzzlemc.reports.solve.result import Result, Search, Solution
from puzzlemc.reports.workers.worker import next_stage


@dataclass(frozen=True)
class Question:
    """A level and what is asked of it.

    choice  the metric and the encoding
    better  gets each solution that is better than those before, as a result; None: nobody wants them
    """

    entry: Entry
    options: Options
    choice: Choice
    budget: Budget
    better: Callable[[Result], None] | None = None

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
        return auto(model, metric, budget, diagrams, many=many, proving=proving)
    chosen = engine(options.engine)
    has_diagrams = "diagrams" in chosen.options
    own: dict[str, Option] = {"diagrams": diagrams} if has_diagrams else {}
    if proving and "proving" in chosen.options:
        own["proving"] = proving
    return Decision(Variant(chosen, own)(model, metric, budget), chosen.name, diagrams if has_diagrams else None)


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
            solution = _solution(question, verdict, moves(), draw=draw and question.options.draw)
            return question.result("solvable", solution=solution, checked=True, search=search, **parts)


def _solution(question: Question, verdict: Reachable, moves: Sequence[str], *, draw: bool) -> Solution:
    """Replay moves by the plain rules. Raises Refuted if they do not solve the level at the verdict's cost."""
    rules, level = question.rules, question.level
    played = rules.replay(level, moves)
    metric, tints = first(question.metric), rules.display.tints
    cost = 0 if metric == ANY else played.costs[metric]
    if metric != ANY and (cost > verdict.trace.cost(metric) or (verdict.optimal and cost < verdict.cost)):
        raise Refuted(f"the trace costs {cost} {metric}, not {verdict.cost}")
    return Solution(
        trace=rules.text.write_moves(moves),
        cost=None if metric == ANY else cost,
        optimal=verdict.optimal,
        costs=dict(played.costs),
        drawing=rules.screen.draw(level, played.positions[-1]) if draw else None,
        tints=tints(level, played.positions[-1]) if draw and tints is not None else None,
    )


def evidence(question: Question, verdict: Verdict) -> Proof | None:
    """The proof of a verdict: one at hand, or a lazy one if the user wants it, which has the level's time anew."""
    if not callable(verdict.proof):
        return verdict.proof
    if not question.options.prove:
        return None
    next_stage()
    try:
        return extracted(verdict.proof)
    except MemoryError:
        return None
