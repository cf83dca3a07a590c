"""Writes and checks the certificate that every repair of an unsolvable level has at least a number of edits."""

from collections.abc import Sequence
from pathlib import Path

from puzzlemc.encodings.puzzle.design.changes import Allowed, Core
from puzzlemc.encodings.puzzle.design.repair_proof import Uncovered, repair_proof
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.certify.certificate import Certificate, write
from puzzlemc.reports.certify.verify import verify

KEPT = "its proofs do not use that no edit puts anything on a cell that is kept"
UNCOVERED = "not all smaller sets of edits have proofs of that form"


def certify_repairs(
    entry: Entry, allowed: Allowed, least: int, cores: Sequence[Core], path: Path, budget: Budget
) -> str:
    """Write the certificate that each repair has at least `least` of the allowed edits, and check it.

    Return why there is none, in words; an empty text if there is one. Raises Refuted if the check refutes a core,
    and OutputError.
    """
    if least < 1:
        return "nothing is known of smaller sets of edits"
    if entry.puzzle.proofs.check_repairs is None:
        return f"levels of {entry.puzzle.name} are solved edit by edit"
    proof = repair_proof(allowed, least, tuple(cores)) if cores else None
    if proof is None:
        return KEPT if allowed.keep else UNCOVERED
    try:
        level = entry.puzzle.screen.draw(entry.level)
    except ModelError as error:  # a position in which no text begins
        return str(error)
    encoding = next(iter(entry.puzzle.encodings), "")
    about = (entry.id, entry.title, entry.puzzle.name, level, encoding, ANY, "unsolvable")
    write(Certificate(*about, cost=None, optimal=False, trace=None, proof=proof), path)
    done = verify(path, [entry], budget=budget)
    if done.status == "unchecked":
        path.unlink(missing_ok=True)
        return f"it was not checked: {done.reason}"
    if done.status != "valid":
        path.unlink(missing_ok=True)
        try:
            entry.puzzle.proofs.check_repairs(entry.level, proof, budget)
        except Uncovered:  # a limit has ended the search for cores
            return UNCOVERED
        except Refuted:
            pass
        raise Refuted(done.reason or f"{path}: {done.status}")
    return ""
