"""Why a level has no solution: its smallest infeasible part, with a proof.

The puzzle defines the parts of a level (`encodings/puzzle/explanation.py`). Each is a model, and engines decide
whether the part is feasible. The search for a minimal core (`mc/sat/cores.py`) chooses the parts. The result has a
proof, which is checked like any other. By the theorem of the puzzle it proves that the whole level has no
solution.
"""

from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.explanation import Part, Parts
from puzzlemc.encodings.puzzle.goal_parts import KIND as GOAL
from puzzlemc.encodings.puzzle.goal_parts import goal_parts
from puzzlemc.mc.engines.invariants import Invariant, invariants
from puzzlemc.mc.engines.portfolio import SMALL as SMALL_NODES
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import constant
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.circuit import TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.sums import SumProof
from puzzlemc.mc.proofs.weights import check_sums
from puzzlemc.mc.sat.cores import SMALL, Answer, Core, MinimalCoreSearch
from puzzlemc.mc.symbolic.prover import prove_unreachable
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict, resolved
from puzzlemc.reports.solve.why import Why

SEARCH = 0.75  # the share of the remaining time for the search; the rest is for the proof


def why_unsolvable(
    rules: Puzzle, level: Any, budget: Budget, known: str = "", *, many: bool = False
) -> tuple[str, Why | None]:
    """Why an unsolvable level has no solution, in words, and the part that already has none, if one is found.

    known  a reason that needs no search; what the puzzle's own method says is preferred to it
    many   the level is one of many, so that loading compiled code pays

    Raises Refuted if a proof is wrong, or what limits raise.
    """
    if rules.explanation.words is not None:
        return rules.explanation.words(level, budget) or known, None
    why = explain(rules, level, budget, many=many)
    return known or ("" if why is None else why.words), why


def explain(
    rules: Puzzle, level: Any, budget: Budget, *, many: bool = False, first_kind: bool = False
) -> Why | None:
    """The smallest infeasible part of an unsolvable level that the limits allow to find; None without parts.

    First it searches for a small part of the first kind. If there is none, or only the whole level, it searches
    for a smaller part of each other kind. If no kind has a small part, it searches for one of any size of the
    first kind.

    many        the level is one of many, so that loading compiled code pays
    first_kind  search only for parts of the first kind

    Raises Refuted if a proof is wrong, or if the whole level is feasible.
    """
    known = rules.explanation.kinds or goal_parts(rules, level)
    kinds = [each for each in known if each.objects(level)]
    first: tuple[Parts, MinimalCoreSearch[str]] | None = None
    small: tuple[Parts, Core[str]] | None = None
    for place, parts in enumerate(kinds[:1] if first_kind else kinds):
        most = SMALL if small is None else len(small[1].objects) - 1
        if small is not None and (not most or len(small[1].objects) < len(small[0].objects(level))):
            break
        whole = parts.whole(level)
        search = MinimalCoreSearch(
            parts.objects(level), partial(_is_feasible, parts, level, many=many), is_infeasible=whole
        )
        with nullcontext() if whole else suppress(Refuted):  # all objects of other kinds may be feasible together
            core = search.small(_share(budget, SEARCH / (len(kinds) + 1 - place)), most)
            small = small if core is None else (parts, core)
        first = (parts, search) if first is None and whole else first
    if small is not None:
        return _why(*small, level, budget)
    if first is None:
        return None
    parts, search = first
    find = search.minimal if parts.kind == GOAL else search.any_size
    return _why(parts, find(_share(budget, SEARCH)), level, budget)


def _share(budget: Budget, part: float) -> Budget:
    """A budget with a part of the remaining time."""
    left = budget.left
    return budget.part(replace(budget.limits, seconds=None if left is None else part * left))


def _is_feasible(parts: Parts, level: Any, part: Part, budget: Budget, *, many: bool) -> Answer[str]:
    """Is a part of the level feasible? Raises LimitReached."""
    model = parts.model(level, part)
    if (plainly := constant(model.goal)) is not None:
        return Answer(plainly, part)
    verdict = _decide(model, budget, many=many)
    if isinstance(verdict, Unknown):
        raise LimitReached(verdict.reason)
    if isinstance(verdict, Reachable):
        return Answer(True, parts.satisfied(level, part, verdict.trace.states[-1]))
    return Answer(False, _read(parts, level, part, verdict, budget))


def _read(parts: Parts, level: Any, part: Part, verdict: Verdict, budget: Budget) -> Part:
    """The objects of an infeasible part that its sums read, if these suffice; else all of them."""
    if not isinstance(verdict, Unreachable) or not isinstance(verdict.invariant, Invariant):
        return part
    read = part & verdict.invariant.read
    if not 0 < len(read) < len(part):
        return part
    found = invariants(parts.model(level, read), ANY, budget)
    return read if isinstance(found, Unreachable) else part


def _decide(model: Model, budget: Budget, *, many: bool) -> Verdict:
    """Decide a model by one small symbolic search, which suffices for most parts; then by the portfolio."""
    if model.actions:
        part = budget.part(replace(budget.limits, seconds=budget.left, nodes=SMALL_NODES))
        verdict = engine("forward")(model, ANY, part)
        if not isinstance(verdict, Unknown):
            return verdict
        budget.check()
    return auto(model, ANY, budget, many=many).verdict


def _why(parts: Parts, core: Core[str], level: Any, budget: Budget) -> Why:
    """The core as an explanation. If a limit is reached, it has no proof, or only a general sentence."""
    part, words = frozenset(core.objects), ""
    why = Why(
        kind=parts.kind,
        one=parts.one,
        objects=core.objects,
        of=len(parts.objects(level)),
        words="",
        smallest=core.smallest,
        minimal=core.minimal,
        below=core.lower_bound,
        reason=core.reason,
        checked=False,
        drawn=parts.draw(level, part),
        picture=parts.picture(level, part),
    )
    try:
        words = parts.words(level, part, budget)
        by_sums = _by_sums(parts.model(level, part), budget) if parts.kind == GOAL else None
        if by_sums is not None:
            words = f"{words}: {by_sums.note}" if by_sums.note else words
            why = replace(why, start=by_sums.start)
        if not why.is_whole:
            model = parts.model(level, part)
            if by_sums is not None:
                check_sums(model, by_sums.proof, budget)
                why = replace(why, proof=by_sums.proof, checked=True)
            else:
                proof = _proof(model, budget)
                check_proof(model, proof, budget)
                why = replace(why, proof=proof, checked=True)
    except LIMITS:
        words = words or f"these {len(part)} {parts.kind if len(part) > 1 else parts.one} already cannot be done"
    return replace(why, words=words)


@dataclass(frozen=True)
class _BySums:
    """A proof by sums, in words, and the facts at the start that the sums count."""

    proof: SumProof
    note: str
    start: tuple[str, ...]


def _by_sums(model: Model, budget: Budget) -> _BySums | None:
    """Why no state with the goal can be reached, if sums of facts show that. Raises LimitReached."""
    try:
        verdict = invariants(model, ANY, budget)
    except Unsuitable:
        return None
    if not isinstance(verdict, Unreachable) or not isinstance(verdict.invariant, Invariant):
        budget.check()
        return None
    proof = resolved(verdict.proof)
    if not isinstance(proof, SumProof):
        return None
    return _BySums(proof, verdict.note, verdict.invariant.counted)


def _proof(model: Model, budget: Budget) -> LayeredProof:
    """An invariant that excludes the goal: all states, if the goal is constantly false. Raises LimitReached."""
    if constant(model.goal) is False:
        return LayeredProof(Circuit([str(b) for b in model.bits]), (TRUE,))
    if not model.actions:
        circuit = Circuit([str(b) for b in model.bits])
        return LayeredProof(circuit, (circuit.formula(model.init),))
    return prove_unreachable(model, budget)
