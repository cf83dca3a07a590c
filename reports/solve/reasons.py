"""Why a level has no solution: the smallest part of it that already cannot be done, with a proof.

Each question is about a part of the level, as its puzzle has them (`encodings/puzzle/parts.py`): a model of its
own, which engines decide. Which part is asked about next, `mc/sat/cores.py` says. The part that is found gets a
proof that is checked like any other; by the theorem of the puzzle it proves that the whole level has no solution.
"""

from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.parts import Part, Parts
from puzzlemc.mc.engines.portfolio import SMALL as SMALL_NODES
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import constant
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.circuit import TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.sat.cores import SMALL, Answer, Core, MinimalCoreSearch
from puzzlemc.mc.symbolic.prover import prove_unreachable
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict
from puzzlemc.reports.solve.why import Why

SEARCH = 0.75  # of the time that is left: the rest is for the proof


def explain(
    rules: Puzzle, level: Any, budget: Budget, *, many: bool = False, first_kind: bool = False
) -> Why | None:
    """The smallest part of an unsolvable level that cannot be done, as far as limits allow; None without parts.

    A small part of the first kind is looked for, and unless it is a proper part, a smaller one of another kind;
    then larger ones of the first kind. `first_kind` leaves out the others.

    Raises Refuted where a proof is wrong, or all of the level can be done.
    """
    kinds = [each for each in rules.explanation.kinds if each.objects(level)]
    first: tuple[Parts, MinimalCoreSearch[str]] | None = None
    small: tuple[Parts, Core[str]] | None = None
    for place, parts in enumerate(kinds[:1] if first_kind else kinds):
        most = SMALL if small is None else len(small[1].objects) - 1
        if small is not None and (not most or len(small[1].objects) < len(small[0].objects(level))):
            break
        whole = parts.whole(level)
        search = MinimalCoreSearch(
            parts.objects(level), partial(_asked, parts, level, many=many), is_infeasible=whole
        )
        with nullcontext() if whole else suppress(Refuted):  # elsewhere all of them may be possible
            core = search.small(_share(budget, SEARCH / (len(kinds) + 1 - place)), most)
            small = small if core is None else (parts, core)
        first = (parts, search) if first is None and whole else first
    if small is not None:
        return _told(*small, level, budget)
    if first is None:
        return None
    parts, search = first
    return _told(parts, search.any_size(_share(budget, SEARCH)), level, budget)


def _share(budget: Budget, part: float) -> Budget:
    """A budget over a part of the time that is left."""
    left = budget.left
    return budget.part(replace(budget.limits, seconds=None if left is None else part * left))


def _asked(parts: Parts, level: Any, part: Part, budget: Budget, *, many: bool) -> Answer[str]:
    """Can a part of the level be done? Raises LimitReached."""
    model = parts.model(level, part)
    if (plainly := constant(model.goal)) is not None:
        return Answer(plainly, part)
    verdict = _decided(model, budget, many=many)
    if isinstance(verdict, Unknown):
        raise LimitReached(verdict.reason)
    if isinstance(verdict, Reachable):
        return Answer(True, parts.satisfied(level, part, verdict.trace.states[-1]))
    return Answer(False, part)


def _decided(model: Model, budget: Budget, *, many: bool) -> Verdict:
    """Most questions are small: of those, one engine is enough, whose answers are always the same."""
    if model.actions:
        part = budget.part(replace(budget.limits, seconds=budget.left, nodes=SMALL_NODES))
        verdict = engine("forward")(model, ANY, part)
        if not isinstance(verdict, Unknown):
            return verdict
        budget.check()
    return auto(model, ANY, budget, many=many).verdict


def _told(parts: Parts, core: Core[str], level: Any, budget: Budget) -> Why:
    """The core with its proof and its words, as far as there is time for these."""
    part = frozenset(core.objects)
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
        if not why.is_whole:
            model = parts.model(level, part)
            proof = _proof(model, budget)
            check_proof(model, proof, budget)
            why = replace(why, proof=proof, checked=True)
        words = parts.words(level, part, budget)
    except LIMITS:
        words = f"these {len(part)} {parts.kind if len(part) > 1 else parts.one} already cannot be done"
    return replace(why, words=words)


def _proof(model: Model, budget: Budget) -> LayeredProof:
    """An invariant without the goal: where there is plainly none, all states. Raises LimitReached."""
    if constant(model.goal) is False:
        return LayeredProof(Circuit([str(b) for b in model.bits]), (TRUE,))
    return prove_unreachable(model, budget)
