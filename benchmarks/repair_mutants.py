"""Changed certificates about the repairs of a level, and whether what a valid one of them says is true."""

import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from puzzlemc.encodings.puzzle.design.changes import Allowed
from puzzlemc.encodings.puzzle.design.repair_proof import ProvedCore, RepairProof
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.proofs.closed import closed_positions
from puzzlemc.reports.certify.certificate import Certificate

Change = Callable[[RepairProof, random.Random], RepairProof]


def some_core(proof: RepairProof, chance: random.Random, *, listed: bool = False) -> int:
    """The number of a core, of one that lists positions if `listed`. Raises IndexError if there is none."""
    return chance.choice([n for n, core in enumerate(proof.cores) if core.positions.blocks or not listed])


def with_core(proof: RepairProof, number: int, **changes: Any) -> RepairProof:
    """The proof with one core changed."""
    cores = list(proof.cores)
    cores[number] = replace(cores[number], **changes)
    return replace(proof, cores=tuple(cores))


def rows_of(core: ProvedCore) -> Any:
    """The positions of a core."""
    return np.concatenate(list(each(core.positions.blocks, core.positions.width)))[:, 1:]


def position_lost(proof: RepairProof, chance: random.Random) -> RepairProof:
    """A position less."""
    number = some_core(proof, chance, listed=True)
    rows = rows_of(proof.cores[number])
    return with_core(proof, number, positions=closed_positions(np.delete(rows, chance.randrange(len(rows)), 0)))


def position_moved(proof: RepairProof, chance: random.Random) -> RepairProof:
    """The player or a box of a position elsewhere."""
    number = some_core(proof, chance, listed=True)
    rows = rows_of(proof.cores[number])
    row = rows[chance.randrange(len(rows))]
    row[chance.randrange(len(row))] = chance.randrange(int(rows.max()) + 2)
    row[1:].sort()
    return with_core(proof, number, positions=closed_positions(rows))


def bit(proof: RepairProof, chance: random.Random) -> RepairProof:
    """A bit of the packed positions flipped."""
    number = some_core(proof, chance, listed=True)
    (block, *others), listed = proof.cores[number].positions.blocks, proof.cores[number].positions
    data = bytearray(zlib.decompress(block.data))
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    changed = (replace(block, data=zlib.compress(bytes(data))), *others)
    return with_core(proof, number, positions=replace(listed, blocks=changed))


def lists_exchanged(proof: RepairProof, chance: random.Random) -> RepairProof:
    """The lists of two cores exchanged."""
    one, two = chance.sample(range(len(proof.cores)), 2)
    lists = proof.cores[one].positions, proof.cores[two].positions
    return with_core(with_core(proof, one, positions=lists[1]), two, positions=lists[0])


def freed(proof: RepairProof, chance: random.Random) -> RepairProof:
    """A kept object freed, with the number of boxes that are needed then, or as it was."""
    number = some_core(proof, chance)
    core = proof.cores[number]
    one = chance.choice(core.kept)
    counts = proof.objects[one].startswith(("box", "goal", "added")) and chance.random() < 0.7
    return with_core(
        proof,
        number,
        kept=tuple(name for name in core.kept if name != one),
        freed=(*core.freed, one),
        needed=max(0, core.needed - counts),
    )


def moved_among(proof: RepairProof, chance: random.Random) -> RepairProof:
    """A freed box placed or removed, or no longer so, with the number of boxes that are needed then."""
    number = some_core(proof, chance)
    core = proof.cores[number]
    one = chance.choice([name for name in core.freed if proof.objects[name].startswith("box")])
    was = one in (*core.placed, *core.removed)
    placed, removed = (tuple(name for name in some if name != one) for some in (core.placed, core.removed))
    now = chance.choice(["placed", "removed", "freed"])
    needed = core.needed + (now != "freed") - was
    placed, removed = placed + (one,) * (now == "placed"), removed + (one,) * (now == "removed")
    return with_core(proof, number, placed=placed, removed=removed, needed=max(0, needed))


def needed(proof: RepairProof, chance: random.Random) -> RepairProof:
    """Another number of boxes that are needed."""
    number = some_core(proof, chance)
    return with_core(proof, number, needed=max(0, proof.cores[number].needed + chance.choice([-1, 1])))


def core_lost(proof: RepairProof, chance: random.Random) -> RepairProof:
    """A core less."""
    number = some_core(proof, chance)
    return replace(proof, cores=(*proof.cores[:number], *proof.cores[number + 1 :]))


def least(proof: RepairProof, chance: random.Random) -> RepairProof:
    """More edits are said to be needed."""
    return replace(proof, least=proof.least + chance.choice([1, 1, 2]))


def more_edits(proof: RepairProof, chance: random.Random) -> RepairProof:
    """One more kind of edit, or a cell less that is kept."""
    if proof.keep and chance.random() < 0.5:
        return replace(proof, keep=tuple(cell for cell in proof.keep if cell != chance.choice(proof.keep)))
    kinds = {"walls", "boxes", "goals", "player", "drop", "add"} - set(proof.edits)
    return replace(proof, edits=tuple(sorted((*proof.edits, chance.choice(sorted(kinds))))))


def names_exchanged(proof: RepairProof, chance: random.Random) -> RepairProof:
    """The names of two objects exchanged, or another name."""
    names = list(proof.objects)
    one, two = chance.sample(range(len(names)), 2)
    names[one], names[two] = names[two], names[one]
    if chance.random() < 0.3:
        names[one] = names[two]
    return replace(proof, objects=tuple(names))


CHANGES: list[Change] = [
    position_lost,
    position_moved,
    bit,
    lists_exchanged,
    freed,
    moved_among,
    needed,
    core_lost,
    least,
    more_edits,
    names_exchanged,
]


def mutants(certificate: Certificate, count: int, chance: random.Random) -> Iterator[tuple[str, Certificate]]:
    """The kind, and a changed certificate."""
    proof = certificate.proof
    assert isinstance(proof, RepairProof)
    for change in CHANGES:
        for _ in range(count):
            try:
                changed = replace(certificate, proof=change(proof, chance))
            except (IndexError, ValueError):  # there is no such thing in it, or not in the core that was chosen
                continue
            if changed.proof != proof:
                yield change.__name__, changed
    for _ in range(count):
        at = chance.choice([place for place, what in enumerate(certificate.level) if what != "\n"])
        level = certificate.level[:at] + chance.choice("# .$*@+") + certificate.level[at + 1 :]
        if level != certificate.level:
            yield "other_cell", replace(certificate, level=level)


def judged(certificate: Certificate) -> str:
    """Is what a valid certificate says true? By a search for repairs that knows nothing of its cores."""
    proof, rules = certificate.proof, puzzle(certificate.puzzle)
    assert isinstance(proof, RepairProof)
    assert rules.changes is not None
    search = rules.changes().repairs
    assert search is not None
    (level,) = rules.screen.parse(certificate.level, "mutant")
    allowed = Allowed(frozenset(proof.edits), frozenset(proof.keep), max(1, proof.least - 1))
    repairs = search(level, allowed, Budget())
    found = min((len(change.edits) for change in repairs.changes), default=proof.least)
    if found < proof.least:
        return "WRONG"
    return "sound" if repairs.least >= proof.least else "not judged"
