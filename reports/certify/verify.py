"""Checks certificates: parses the level again, encodes it again, replays the trace, checks the proof.

It imports no engine. What it trusts: the parser and the plain rules, the encoding, and what checks proofs.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pysat.formula import CNF

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.repair_proof import RepairProof
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.goal_parts import KIND as GOAL
from puzzlemc.encodings.puzzle.goal_parts import goal_parts
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted, words_of
from puzzlemc.mc.lexicographic import COMMA, first, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import Clauses
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.checker import check_form, check_proof
from puzzlemc.mc.proofs.clauses import drup
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.positions import check_positions
from puzzlemc.mc.proofs.potentials import check_tables
from puzzlemc.mc.proofs.proof import Listing, Proof
from puzzlemc.mc.proofs.states import check_states
from puzzlemc.mc.proofs.sums import SumProof
from puzzlemc.mc.proofs.tables import TableProof
from puzzlemc.mc.proofs.weights import check_sums
from puzzlemc.reports.certify.about import is_about, known_puzzles, level_of, named_puzzle
from puzzlemc.reports.certify.certificate import Certificate, read
from puzzlemc.reports.certify.check_strategies import check_strategies
from puzzlemc.reports.certify.strategies import is_strategies
from puzzlemc.reports.certify.strategies import read as read_strategies
from puzzlemc.reports.output.files import write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import cost_in_words, counted
from puzzlemc.screens.base.errors import CertificateError, LevelError

CODES = {"valid": 0, "unreadable": 2, "unchecked": 2, "refuted": 4, "crashed": 4}

BAD_OUTPUT = 2
BY_RULES = "plain rules"


@dataclass(frozen=True)
class Verification:
    """The result of checking one certificate.

    status     `valid`, `refuted`, `unreadable`, `crashed`, or `unchecked`: a limit stopped the check, or the level
               has no model
    reason     why it is not valid
    note       why another file that the user asked for could not be written
    by         the checker of the proof: `sat`, `diagrams`, `plain rules`, `compiled rules` of the puzzle, `steps`
               of the model, `sums` that its actions keep, `tables` that
               they do not lower by more than they cost, or `rules` that followed strategies; None if there was
               no proof
    made_by    the program whose model of the level the proof is about, in words; empty if the puzzle's own rules
               or encoding are all that is trusted
    compared   solutions of the puzzle are compared by more than their costs
    shown      the costs, by one metric or by two in order, that the listed states show to be a lower bound
    asked      the question about chance that it answers
    repairs    what it says about the repairs of an unsolvable level, in words; empty if nothing
    seconds    of processor time
    """

    path: str
    status: str
    certificate: Certificate | None = None
    by: str | None = None
    made_by: str = ""
    reason: str | None = None
    seconds: float = 0.0
    note: str = ""
    compared: bool = False
    shown: tuple[int, ...] | None = None
    asked: str | None = None
    repairs: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of a program that checks this certificate alone."""
        return CODES[self.status] or (BAD_OUTPUT if self.note else 0)

    def as_text(self) -> str:
        """A row for people."""
        certificate = self.certificate
        if self.status != "valid" or certificate is None:
            reason = self.reason or ""
            for status in ("refuted", "not checked"):  # the row begins with the status already
                reason = reason.replace(f"{self.path}: {status}: ", f"{self.path}: ", 1)
            return plain(f"{self.status}: {reason}")
        cost = f"  {self.repairs}" if self.repairs else ""
        if certificate.verdict == "unknown" and self.shown:
            cost = f"  no solution below {_in_order(self.shown, certificate.metric)}"
        elif certificate.cost is not None and certificate.optimal:
            cost = f"  {_in_order(self.shown or (certificate.cost,), certificate.metric)} (optimal)"
        elif certificate.cost is not None:
            bound = self.shown[0] if self.shown else None
            cost = f"  {cost_in_words(certificate.cost, certificate.metric, least=False, bound=bound)}"
        how = "replayed" if self.by is None else f"proof checked by {self.by}"
        if certificate.part is not None:
            kind, objects = certificate.part
            how = f"proof about a part ({kind} {' '.join(objects)}) checked by {self.by}"
        if certificate.optimal and self.compared:
            how = f"proof that none is better checked by {self.by}"
        if self.made_by:
            how += f", on the model by {self.made_by}"
        asked = f" ({self.asked})" if self.asked is not None else ""
        return plain(f"valid  {certificate.id}  {certificate.verdict}{asked}{cost}  {how}  {self.seconds:.3f} s")

    def as_json(self) -> dict[str, object]:
        """One flat object."""
        certificate = self.certificate
        part = certificate.part if certificate else None
        fields = ("id", "puzzle", "verdict", "metric", "cost", "optimal")
        return {
            "path": self.path,
            "status": self.status,
            **{name: certificate and getattr(certificate, name) for name in fields},
            "checked_by": self.by,
            **({"model_by": self.made_by} if self.made_by else {}),
            **({"chance": self.asked} if self.asked is not None else {}),
            **({"part": {"kind": part[0], "objects": part[1]}} if part else {}),
            **({"repairs": self.repairs} if self.repairs else {}),
            "reason": self.reason,
            "seconds": round(self.seconds, 4),
        }


def verify(
    path: Path,
    levels: Sequence[Entry] = (),
    refutation: Path | None = None,
    budget: Budget | None = None,
    own: Puzzle | None = None,
) -> Verification:
    """Check the certificate in a file.

    levels      the certificate must be about one of these levels, if there are any
    refutation  let a SAT solver check the proof, however long it takes, and write its clauses and its refutation
                to this path with the suffixes .cnf and .drat
    own         the certificate must be about a level of this puzzle

    Raises OutputError if the refutation cannot be written.
    """
    started = time.process_time()
    done = Verification(str(path), "valid")
    known = known_puzzles(levels, own)
    try:
        if is_strategies(path):
            file = read_strategies(path)
            done = replace(done, asked=file.asked)
            certificate = check_strategies(file, str(path), levels, known, budget or Budget())
            done = replace(done, certificate=certificate, by=BY_RULES)
            no_drat = "strategies are no clauses"
        else:
            certificate = read(path)
            is_compared = certificate.puzzle in known and known[certificate.puzzle].proofs.better_than is not None
            done = replace(done, certificate=certificate, compared=is_compared, shown=_shown(certificate.proof))
            done = replace(done, repairs=_of_repairs(certificate.proof))
            by, made_by = _check(certificate, str(path), levels, known, refutation, budget or Budget())
            done = replace(done, by=by, made_by=made_by)
            no_drat = "" if isinstance(certificate.proof, LayeredProof | None) else "its proof is no circuit"
        if refutation is not None and no_drat:
            done = replace(done, note=f"no DRAT: {no_drat}")
    except LevelError as error:
        done = replace(done, status="unreadable", reason=str(error))
    except Refuted as error:
        done = replace(done, status="refuted", reason=f"{path}: refuted: {error}")
    except LIMITS as limit:
        done = replace(done, status="unchecked", reason=f"{path}: not checked: {words_of(limit)}")
    except ModelError as error:
        done = replace(done, status="unchecked", reason=f"{path}: not checked: the level has no model: {error}")
    return replace(done, seconds=time.process_time() - started)


def _reopen(certificate: Certificate, source: str, known: Mapping[str, Puzzle]) -> tuple[Puzzle, Any]:
    """The puzzle and the level that a certificate is about. Raises LevelError if its fields are not valid."""
    rules = named_puzzle(certificate.puzzle, source, known)
    if rules.game is not None:
        message = f"puzzle: found {certificate.puzzle!r}, a game of two sides, whose certificates are strategies"
        raise CertificateError(message, source=source)
    for what, found, choices in [
        ("encoding", certificate.encoding, tuple(rules.encodings) or ("",)),
        ("metric", certificate.metric, (*rules.metrics, *rules.orders, ANY)),
        ("verdict", certificate.verdict, ("solvable", "unsolvable", "unknown")),
    ]:
        if found not in choices:
            message = f"{what}: found {found!r}, expected one of {', '.join(choices)}"
            raise CertificateError(message, source=source)
    return rules, level_of(rules, certificate.level, source)


def model_of(certificate: Certificate, source: str, own: Puzzle | None = None) -> Encoded:
    """The model that a certificate is about. Raises LevelError if its fields are not valid."""
    rules, level = _reopen(certificate, source, known_puzzles((), own))
    rules.need_model("a witness")
    encoded = rules.encodings[certificate.encoding](level)
    if certificate.part is None:
        return encoded
    return replace(encoded, model=part_of(rules, level, *certificate.part))


def part_of(rules: Puzzle, level: Any, kind: str, objects: Sequence[str]) -> Model:
    """The model of a part of a level. If its goal cannot be reached, the level has no solution.

    Raises Refuted if the level has no such part, LimitReached if that part is too large for a model.
    """
    known = rules.explanation.kinds or (goal_parts(rules, level) if kind == GOAL else ())
    of_kind = [each for each in known if each.kind == kind]
    if not of_kind:
        raise Refuted(f"levels of {rules.name} have no parts that are {kind!r}")
    if len(set(objects)) < len(objects) or not set(objects) <= set(of_kind[0].objects(level)):
        raise Refuted(f"{' '.join(objects)[:80]!r} are not some of the {kind} of the level")
    return of_kind[0].model(level, frozenset(objects))


@dataclass(frozen=True)
class _Claim:
    """A certificate with the level that it is about.

    costs  of its trace, by metric; empty without a trace
    """

    certificate: Certificate
    rules: Puzzle
    level: Any
    costs: Mapping[str, int]

    @property
    def model(self) -> Model:
        """The model of the whole level. Raises ModelError for rules alone."""
        self.rules.need_model("its proof")
        return self.rules.encodings[self.certificate.encoding](self.level).model

    @property
    def part(self) -> Model:
        """The model of the part of the level that the proof is about, else of the whole level."""
        part = self.certificate.part
        return self.model if part is None else part_of(self.rules, self.level, *part)


def _check(
    certificate: Certificate,
    source: str,
    levels: Sequence[Entry],
    known: Mapping[str, Puzzle],
    refutation: Path | None,
    budget: Budget,
) -> tuple[str | None, str]:
    """Check a certificate; return the checker of its proof, None without a proof, and what has made its model.

    Raises Refuted, LevelError, or what limits raise.
    """
    rules, level = _reopen(certificate, source, known)
    if levels and not any(is_about(certificate, level, entry) for entry in levels):
        raise Refuted("the certificate is about another level")
    is_invariant = isinstance(certificate.proof, LayeredProof | SumProof)
    if certificate.part is not None and not (certificate.verdict == "unsolvable" and is_invariant):
        raise Refuted("a proof about a part of a level must be an invariant, and the verdict unsolvable")
    claim = _Claim(certificate, rules, level, _check_trace(certificate, rules, level))
    is_about_model = isinstance(certificate.proof, LayeredProof | SumProof | TableProof)
    return _check_claim(claim, refutation, budget), rules.proofs.made_by(level) if is_about_model else ""


def _check_claim(claim: _Claim, refutation: Path | None, budget: Budget) -> str | None:
    """Check the proof of a claim; return the checker, None without a proof. Raises what `_check` does."""
    certificate, rules, level = claim.certificate, claim.rules, claim.level
    match certificate.proof:
        case None:
            # Nothing costs less than no moves.
            is_least = not certificate.trace and rules.proofs.better_than is None
            if certificate.verdict == "solvable" and (is_least or not certificate.optimal):
                return None
            shows = " that no trace costs less" if certificate.optimal else ""
            raise Refuted(f"there is no proof{shows}")
        case LayeredProof() as layers:
            return _check_layers(claim, layers, refutation, budget)
        case SumProof() as sums:
            if certificate.verdict != "unsolvable":
                raise Refuted(f"sums show no bound, and no proof that a level is {certificate.verdict}")
            check_sums(claim.part, sums, budget)
            return "sums"
        case TableProof() as tables:
            _check_bound(claim, tables)
            check_tables(claim.model, tables, budget)
            return "tables"
        case ListedStates() as listed:
            _check_bound(claim, listed)
            if rules.proofs.check_listed is not None:
                return rules.proofs.check_listed(level, listed, budget)
            encoded = rules.encodings[certificate.encoding](level)
            if encoded.model.has_formulas:
                check_states(encoded.model, listed, budget)
                return "steps"
            check_positions(rules.rules, level, encoded.model.bits, encoded.decode, listed, budget)
            return "plain rules"
        case RepairProof() as repairs:
            if certificate.verdict != "unsolvable":
                raise Refuted("only an unsolvable level has repairs")
            if rules.proofs.check_repairs is None:
                raise Refuted(f"{rules.name} has no proofs about repairs")
            rules.proofs.check_repairs(level, repairs, budget)
            return "plain rules"
        case BidirectionalProof() as positions:
            _check_bound(claim, positions)
            if rules.proofs.check_bidirectional is None:
                raise Refuted(f"{rules.name} has no proofs that list positions")
            rules.proofs.check_bidirectional(level, positions, budget)
            return "plain rules"


def _check_trace(certificate: Certificate, rules: Puzzle, level: Any) -> Mapping[str, int]:
    """Check that the trace solves the level at the stated cost; return its costs by metric. Raises Refuted."""
    if certificate.verdict != "solvable":
        if certificate.trace is not None or certificate.cost is not None or certificate.optimal:
            raise Refuted(f"an {certificate.verdict} level has no trace, no cost and no optimum")
        if certificate.verdict == "unknown" and second(certificate.metric):
            raise Refuted(f"a bound must be on a single metric, not on {certificate.metric}")
        return {}
    if certificate.trace is None:
        raise Refuted("there is no trace")
    costs = rules.replay(level, list(certificate.trace)).costs
    if certificate.metric == ANY:
        if certificate.cost is not None or certificate.optimal:
            raise Refuted("under the metric any there is no cost, and no trace is optimal")
    elif costs[first(certificate.metric)] != certificate.cost:
        found = counted(costs[first(certificate.metric)], certificate.metric)
        raise Refuted(f"the trace costs {found}, not {certificate.cost}")
    return costs


def _check_bound(claim: _Claim, proof: Listing | TableProof) -> None:
    """Check that the bound of listed states is the one that the certificate needs. Raises Refuted."""
    certificate, rules, below = claim.certificate, claim.rules, proof.below
    if certificate.optimal:
        if rules.proofs.better_than is not None:
            raise Refuted(f"a bound on costs does not show that no solution of {rules.name} is better")
        if (_shown(proof) or (0,)) != tuple(claim.costs[name] for name in certificate.metric.split(COMMA)):
            raise Refuted(f"a bound of {below} does not show that none costs less than {certificate.cost}")
    elif certificate.verdict == "solvable":
        if below is None or certificate.cost is None or rules.proofs.better_than is not None:
            raise Refuted("found a proof, but no claim that it could prove")
        if second(certificate.metric):
            raise Refuted(f"a bound must be on a single metric, not on {certificate.metric}")
        if below > certificate.cost:
            solution = counted(certificate.cost, certificate.metric)
            raise Refuted(f"a solution of {solution}, and a bound of {below}")
    if (below is None) != (certificate.verdict == "unsolvable"):
        raise Refuted(f"a bound of {below} is no proof that a level is {certificate.verdict}")


def _check_layers(claim: _Claim, proof: LayeredProof, refutation: Path | None, budget: Budget) -> str:
    """Check a circuit; return its checker. Raises Refuted, or what limits raise."""
    certificate, rules, level = claim.certificate, claim.rules, claim.level
    if certificate.verdict == "unknown":
        raise Refuted("a bound needs a proof that lists states")
    if certificate.verdict == "unsolvable":
        return _check_circuit(claim.part.in_formulas, proof, refutation, budget)
    if not certificate.optimal:
        raise Refuted("found a proof, but no claim that it could prove")
    if second(certificate.metric):
        raise Refuted("two metrics in order need a bidirectional proof")
    if rules.proofs.better_than is not None:
        better = rules.proofs.better_than(level, list(certificate.trace or ()), budget).model
        return _check_circuit(better, proof, refutation, budget)
    bounded = replace(proof, metric=certificate.metric, below=certificate.cost)
    return _check_circuit(claim.model, bounded, refutation, budget)


def _check_circuit(model: Model, proof: LayeredProof, refutation: Path | None, budget: Budget) -> str:
    if isinstance(model.goal, Clauses) and model.goal.violated is not None:
        from puzzlemc.mc.sat.refinement import written_out  # most models have no lazy constraints

        model = written_out(model, budget)
    if refutation is None:
        return check_proof(model, proof, budget)
    check_form(model, proof)
    clauses, lines = drup(model, proof)
    question = CNF(from_clauses=clauses, by_ref=True)
    write(refutation.with_name(refutation.name + ".cnf"), f"{question.to_dimacs()}\n")
    write(refutation.with_name(refutation.name + ".drat"), "".join(line + "\n" for line in lines))
    return "sat"


def _of_repairs(proof: Proof | RepairProof | None) -> str:
    """What a proof says about repairs, in words; empty for other proofs."""
    if not isinstance(proof, RepairProof):
        return ""
    kept = f", without a change of {len(proof.keep)} cells" if proof.keep else ""
    return f"no repair of fewer than {counted(proof.least, 'edits')} ({', '.join(proof.edits)}{kept})"


def _shown(proof: Proof | RepairProof | None) -> tuple[int, ...] | None:
    """The costs that listed states show to be a lower bound: one, or two by metrics in order; None: no costs."""
    if proof is None or isinstance(proof, RepairProof) or proof.below is None:
        return None
    scale = proof.scale if isinstance(proof, BidirectionalProof) else None
    return divmod(proof.below, scale) if scale else (proof.below,)


def _in_order(costs: Sequence[int], metric: str) -> str:
    """Costs by a metric, or by two in order, in words."""
    return " and ".join(counted(cost, name) for cost, name in zip(costs, metric.split(COMMA), strict=False))
