"""Makes the certificate of a result, writes it, and checks what was written.

A proof travels with its verdict, and is written as it is. A verdict without one, such as that of a search for any
solution or of a symmetric level, is proved by another search: in compiled code, which lists the states that it
sees, else with decision diagrams.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from puzzlemc.encodings.puzzle.questions import WithChance
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.registry import PLANNER, Variant, engine
from puzzlemc.mc.engines.uniform_cost import uniform_cost
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, Refuted, Unsuitable, words_of
from puzzlemc.mc.games.chance import LUCKY, QUESTIONS, SURELY, ChanceProof
from puzzlemc.mc.games.strategy import GameProof
from puzzlemc.mc.lexicographic import first, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.layered import proof_by_counting
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.proof import Proof
from puzzlemc.mc.proofs.tables import TableProof
from puzzlemc.mc.sat.refinement import written_out
from puzzlemc.mc.symbolic.prover import prove_bound, prove_unreachable
from puzzlemc.mc.verdict import Unknown, Verdict, resolved
from puzzlemc.reports.certify.certificate import Certificate, write
from puzzlemc.reports.certify.file_names import OF_CHANCE, STRATEGIES, WHY
from puzzlemc.reports.certify.strategies import StrategyFile
from puzzlemc.reports.certify.strategies import write as write_strategies
from puzzlemc.reports.certify.verify import Verification, verify
from puzzlemc.reports.output.words import no_solution_below
from puzzlemc.reports.solve.chance import proof_with_draws
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.reachability import form_of_proof
from puzzlemc.reports.solve.result import REFUTED, Result
from puzzlemc.reports.solve.why import Why
from puzzlemc.reports.workers.worker import next_stage

LISTING_SECONDS = 2.0  # for a list of all positions, of a level that counting shows to be unsolvable
FIRST_SECONDS = 5.0  # for a proof of a whole unsolvable level, before parts of it are tried
PART_SECONDS = 60.0  # for a part that has no solution, without a time limit
PROOF_SHARE = 0.8  # of the time, for a proof that nothing is better
WITHOUT_STRATEGIES = "its strategies were not made within the limits"
WITHOUT_CERTIFICATES = "a probability has none, unless all draws win or none does"
TRACE_SECONDS = 5.0  # at least, for a certificate of a trace alone, after a limit
FOR_RULES_SECONDS = 5.0  # for a search whose proof plain rules check, where another proof is at hand
LISTING = ("best-first", "explicit", PLANNER.name)  # engines for models whose states can be listed


def certify(entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """Write the certificate of a result, and check it. The new result is `checked` if the certificate is valid.

    Proof and check have the limits of the search again. If a proof of an unsolvable level takes long, that of a
    part without a solution stands in for it. For a trace that is not proved optimal, the certificate shows the
    bound, if the search has a proof of it. If a limit is reached, `note` says so: the certificate of a solvable
    level shows its trace then, and a bound if one is proved; there may be none of an unsolvable level. Raises
    OutputError if writing fails.
    """
    if not needs_certificate(result) or entry.level is None:
        return result
    try:
        entry.puzzle.screen.draw(entry.level)
    except ModelError as error:  # a position in which no text begins
        return result.without_certificate(f"no certificate: {error}")
    budget, proof = Budget(options.limits), result.proof
    if isinstance(proof, GameProof | ChanceProof):
        return _certify_strategies(entry, result, proof, path, budget)
    if (chance := entry.puzzle.chance(entry.level)) is not None:
        strategies, why_none = _against_draws(entry, options, result, chance, budget)
        if strategies is None:
            return result.without_certificate(f"no certificate: {why_none}")
        return _certify_strategies(entry, result, strategies, path, budget)
    is_bound = result.verdict == "solvable" and not result.optimal
    is_in_order = bool(second(result.metric or ""))
    part: tuple[str, tuple[str, ...]] | None = None
    if is_bound:
        proof = proof if proof is not None and proof.below and not is_in_order else None
    else:
        if proof is not None and result.cost is not None and not is_in_order and proof.below != result.cost:
            proof = None  # a search may prove more than it can list
        try:
            if not (is_in_order or isinstance(result.proof, ListedStates)):
                proof = _for_rules(entry, options, result) or proof
            if proof is None and result.verdict == "unsolvable":
                proof, of_part = _unsolvable(entry, options, result, budget)
                part = None if of_part is None else (of_part.kind, of_part.objects)
                if options.why and result.why is None and of_part is not None:
                    result = replace(result, why=of_part, reason=result.reason or of_part.words)
            if proof is None and not _is_at_start(entry, result):
                proof = _prove(entry, options, result, budget)
        except LIMITS as limit:
            return _certify_bound(entry, options, result, path, words_of(limit))
        except Refuted as error:
            return replace(result, checked=False).failed(f"{result.id}: refuted: {error}", REFUTED)
    done = _written(entry, replace(certificate_of(entry, result, proof), part=part), path, budget)
    if done.status == "unchecked" and result.verdict == "solvable" and proof is not None:
        why = f"its proof was not checked: {(done.reason or '').rpartition('not checked: ')[2]}"
        return _certify_bound(entry, options, result, path, why, tried=proof)
    is_less = (is_bound or result.verdict == "unknown") and proof is not None and proof.below != result.bound
    certified = _outcome(result, done)
    return replace(certified, checked=certified.checked and not is_less)


def _certify_bound(
    entry: Entry, options: Options, result: Result, path: Path, why: str, *, tried: Proof | None = None
) -> Result:
    """Write a certificate with the proof of the search, which may show less than the result, or else the trace.

    why    there is no other certificate that shows the result
    tried  a proof whose check has reached a limit

    The check of the proof has the limits again.
    """
    proof, metric = result.proof, result.metric or ""
    has_bounds = result.cost is not None and not second(metric) and entry.puzzle.proofs.better_than is None
    if (
        has_bounds
        and isinstance(proof, BidirectionalProof | ListedStates | TableProof)
        and proof is not tried
        and proof.below
    ):
        next_stage()
        is_whole = proof.below == result.cost
        certificate = replace(certificate_of(entry, result, proof), optimal=bool(result.optimal) and is_whole)
        done = _written(entry, certificate, path, Budget(options.limits))
        if done.status != "unchecked":
            certified = _outcome(result, done)
            if done.status != "valid" or is_whole:
                return certified
            shown = no_solution_below(proof.below, metric)
            return certified.without_certificate(
                f"the certificate shows {shown}, not that the trace is optimal: {why}"
            )
    return certify_trace(entry, result, path, why)


def certify_trace(entry: Entry, result: Result, path: Path, why: str) -> Result:
    """Write a certificate that shows the trace of a result alone, and check it. It needs no search.

    `why` is there no certificate that shows the result? There is none at all for a result without a trace, and
    for a level whose certificates are strategies. Raises OutputError if writing fails.
    """
    if (
        result.verdict != "solvable"
        or entry.puzzle.game is not None
        or entry.puzzle.chance(entry.level) is not None
    ):
        return result.without_certificate(f"no certificate: {why}")
    next_stage(TRACE_SECONDS)
    try:
        certificate = certificate_of(entry, result, None)
    except ModelError as error:  # a position in which no text begins
        return result.without_certificate(f"no certificate: {error}")
    certified = _outcome(result, _written(entry, certificate, path, Budget()))
    if result.optimal and not certificate.optimal:
        return certified.without_certificate(f"the certificate does not show that the trace is optimal: {why}")
    return (
        certified.without_certificate(f"the certificate does not show the bound: {why}")
        if result.bound
        else certified
    )


def _against_draws(
    entry: Entry, options: Options, result: Result, chance: WithChance, budget: Budget
) -> tuple[ChanceProof | None, str]:
    """The strategies for a result whose search has made none, or why there are none.

    What wins whatever is drawn wins with probability 1, and what no draw wins does so with probability 0. A search
    that has left out draws, which decide nothing, has the answer to all questions.
    """
    if result.verdict == "unknown" or (chance.decides and options.chance in QUESTIONS):
        return None, WITHOUT_STRATEGIES  # a search that looks at all draws makes them, within the limits
    asked = options.chance if options.chance in QUESTIONS else SURELY if result.verdict == "solvable" else LUCKY
    known = result.probability
    if known is not None and known.low < 1 and known.high > 0:
        return None, WITHOUT_CERTIFICATES
    # Under `almost` and `probability`, the file is the one that the question of its name has.
    metric = result.metric or ANY if options.chance in QUESTIONS else entry.puzzle.metrics[0]
    found = proof_with_draws(asked, chance, entry.level, metric, budget)
    if found is None:
        return None, WITHOUT_STRATEGIES
    if chance.decides and found.wins != (result.verdict == "solvable"):
        return None, WITHOUT_CERTIFICATES
    return found, ""


def _certify_strategies(
    entry: Entry, result: Result, proof: GameProof | ChanceProof, path: Path, budget: Budget
) -> Result:
    """Write the file of strategies of a result beside the path of its certificate, and check it."""
    level = entry.puzzle.screen.draw(entry.level)
    strategies, asked = proof.strategies, proof.asked if isinstance(proof, ChanceProof) else None
    path = path.with_suffix(STRATEGIES if asked is None else OF_CHANCE[asked])
    write_strategies(StrategyFile(entry.id, entry.puzzle.name, level, strategies, asked=asked), path)
    return _outcome(result, verify(path, [entry], budget=budget))


def _is_at_start(entry: Entry, result: Result) -> bool:
    """Is the level solved at its start? Then no proof is needed: nothing costs less than no moves."""
    return result.verdict == "solvable" and not result.trace and entry.puzzle.proofs.better_than is None


def certificate_of(entry: Entry, result: Result, proof: Proof | None) -> Certificate:
    """The certificate of a result on a level."""
    return Certificate(
        id=entry.id,
        title=entry.title,
        puzzle=entry.puzzle.name,
        level=entry.puzzle.screen.draw(entry.level),
        encoding=result.search.encoding or "",
        # A bound is on the first of two metrics.
        metric=first(result.metric or "") if result.verdict == "unknown" else result.metric or "",
        verdict=result.verdict,
        cost=result.cost,
        optimal=bool(result.optimal)
        and result.verdict == "solvable"
        and (proof is not None or _is_at_start(entry, result)),
        trace=result.trace,
        proof=proof,
    )


def certify_part(entry: Entry, options: Options, result: Result, path: Path) -> Result:
    """Write the certificate of the infeasible part beside the certificate of its level, and check it.

    Raises OutputError if writing fails.
    """
    why = result.why
    if why is None or why.proof is None:
        return result
    part = replace(certificate_of(entry, result, why.proof), part=(why.kind, why.objects))
    path = path.with_suffix(WHY)
    return _outcome(result, _written(entry, part, path, Budget(options.limits)))


def needs_certificate(result: Result) -> bool:
    """Is there something to certify? For an unknown level, this is a bound with a proof."""
    if result.verdict == "unknown":
        proof = result.proof
        return proof is not None and not isinstance(proof, GameProof | ChanceProof) and bool(proof.below)
    return result.verdict in {"solvable", "unsolvable"}


def _written(entry: Entry, certificate: Certificate, path: Path, budget: Budget) -> Verification:
    """Write a certificate, and check what was written. Raises OutputError."""
    write(certificate, path)
    return verify(path, [entry], budget=budget)


def _outcome(result: Result, done: Verification) -> Result:
    """The result with the outcome of the check of its certificate."""
    if done.status == "unchecked":
        unchecked = result.without_certificate(f"its certificate was not checked: {done.reason}")
        return replace(unchecked, certificate=done.path)
    if done.status != "valid":
        return replace(result, checked=False).failed(done.reason, REFUTED)
    if done.asked is not None and done.certificate is not None and not _shows(done.certificate, result):
        return replace(result, checked=False).failed(f"{result.id}: refuted: {done.as_text()}", REFUTED)
    return replace(result, checked=True, certificate=done.path)


def _shows(certificate: Certificate, result: Result) -> bool:
    """Does a certificate made of strategies, which has no claims of its own, show the result?"""
    if certificate.verdict != result.verdict:
        return False
    if result.cost is None or result.optimal:
        return result.cost in (None, certificate.cost) and (certificate.optimal or not result.optimal)
    return certificate.cost is not None and certificate.cost <= result.cost


def _model(entry: Entry, result: Result) -> Model:
    """The model that the result is about."""
    return entry.puzzle.encodings[result.search.encoding or ""](entry.level).model


def _proof_of(
    search: Callable[[Model, str, Budget], Verdict], model: Model, metric: str, budget: Budget
) -> Proof | None:
    """The proof of the verdict of a search; None if it has none, or cannot take the model."""
    try:
        verdict = search(model, metric, budget)
    except Unsuitable:
        return None
    return None if isinstance(verdict, Unknown) else resolved(verdict.proof)


def _for_rules(entry: Entry, options: Options, result: Result) -> Proof | None:
    """A proof that plain rules check, of a verdict on the model of another program; None if it takes long."""
    if not entry.puzzle.proofs.made_by(entry.level) or not options.prove:
        return None
    limits = replace(options.limits, seconds=min(FOR_RULES_SECONDS, options.timeout or FOR_RULES_SECONDS))
    search = partial(uniform_cost, proving=True)
    return _proof_of(search, _model(entry, result), result.metric or ANY, Budget(limits))


def _unsolvable(entry: Entry, options: Options, result: Result, budget: Budget) -> tuple[Proof | None, Why | None]:
    """A proof of an unsolvable level, with the part that it is about if it is a part; None if both take long."""
    why = result.why
    if (why is None or why.proof is None) and entry.puzzle.explanation.kinds:
        left, model = budget.left, _model(entry, result)
        counted = proof_by_counting(model) if model.has_formulas else None
        most = FIRST_SECONDS if counted is None else min(FIRST_SECONDS, LISTING_SECONDS)
        try:
            seconds = most if left is None else min(most, left / 3)
            return _prove(entry, options, result, _part_of(budget, seconds)), None
        except LIMITS:
            budget.check()
        from puzzlemc.reports.solve.reasons import explain  # slow to load, and seldom needed

        left = budget.left
        with suppress(*LIMITS):
            why = explain(entry.puzzle, entry.level, _part_of(budget, PART_SECONDS if left is None else left / 2))
        if counted is not None and (why is None or why.proof is None):
            return counted, None
    return (None, None) if why is None else (why.proof, None if why.proof is None else why)


def _part_of(budget: Budget, seconds: float) -> Budget:
    """A budget with some seconds of the time."""
    return budget.part(replace(budget.limits, seconds=seconds))


def _prove(entry: Entry, options: Options, result: Result, budget: Budget) -> Proof:
    """Prove a verdict that came without a proof, by another search. Raises LimitReached."""
    if entry.puzzle.alone is not None:
        why = "two metrics in order" if second(result.metric or "") else "not all positions were listed"
        raise LimitReached("bound", f"{why}, of rules alone")
    model, metric = _model(entry, result), result.metric or ANY
    is_solvable, better_than = result.verdict == "solvable", entry.puzzle.proofs.better_than
    if not is_solvable:
        metric = first(metric)  # either of two metrics shows that there is no solution
    form = form_of_proof(entry.puzzle, model) if options.prove else None
    can_list = form == "positions" if second(metric) else result.search.engine in LISTING
    if form is not None and can_list:
        explicit = Variant(engine("explicit"), {"proving": form, "compiled_only": form != "bits"})
        planner = Variant(PLANNER, {"proving": form})
        for search in (planner, explicit) if result.search.engine == PLANNER.name else (explicit,):
            if (proof := _proof_of(search, model, metric, budget)) is not None:
                return proof
    if second(metric) or not model.has_formulas:
        raise LimitReached("bound")  # no circuit proves it
    if is_solvable and better_than is None:
        assert result.cost is not None
        return prove_bound(model, metric, result.cost, budget)
    if is_solvable and better_than is not None:
        # At its limit, there is time left to write a certificate that shows only the trace.
        budget = budget if budget.left is None else _part_of(budget, PROOF_SHARE * budget.left)
        model = better_than(entry.level, list(result.trace or ()), budget).model
    return prove_unreachable(written_out(model, budget), budget)
