"""Proofs that every repair of a level has at least a number of edits.

Objects are what edits change. A core says that a level stays unsolvable, whatever is done to its freed objects, as
long as its kept objects stay as they are. So each repair touches a kept object of every core. If no set of fewer
than `least` edits does, every repair has at least `least` edits. The puzzle brings the checker.
"""

from dataclasses import dataclass

from puzzlemc.encodings.puzzle.design.changes import Allowed, Cell, Core
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.proofs.closed import ClosedPositions


class Uncovered(Refuted):
    """No core is about some set of edits: the proof may be that of a smaller number of edits."""


@dataclass(frozen=True)
class ProvedCore:
    """A core; objects are numbers, from 0, in the list of the proof.

    kept       the objects that stay as they are
    freed      all others
    placed     freed objects that may stand anywhere, but stay
    removed    freed objects that are gone
    needed     how many of the kept and the placed objects would have to be where they must be
    positions  a search with the kept and the placed objects that has seen everything, and not found this
    """

    kept: tuple[int, ...]
    freed: tuple[int, ...]
    placed: tuple[int, ...]
    removed: tuple[int, ...]
    needed: int
    positions: ClosedPositions


@dataclass(frozen=True)
class RepairProof:
    """A proof that each repair has at least `least` edits.

    edits    the kinds of edits that repairs are made of
    keep     cells that no edit touches
    objects  the names of all objects of the level
    cores    what is checked of the level
    """

    edits: tuple[str, ...]
    keep: tuple[Cell, ...]
    least: int
    objects: tuple[str, ...]
    cores: tuple[ProvedCore, ...]


def repair_proof(allowed: Allowed, least: int, cores: tuple[Core, ...]) -> RepairProof | None:
    """The proof that these cores are; None if one of them has no proof.

    That the level is unsolvable as it is, which is all that `least` 1 says, one core shows that is about no edits.
    """
    if least == 1:
        cores = tuple(core for core in cores if not core.removed)[:1] or cores
    named = dict.fromkeys(name for core in cores for name in (*core.kept, *core.freed))
    number = {name: place for place, name in enumerate(named)}
    proved = []
    for core in cores:
        positions = core.proof() if callable(core.proof) else core.proof
        if positions is None:
            return None
        freed = {number[name] for name in core.freed}
        kept = tuple(place for place in number.values() if place not in freed)
        placed, removed = (tuple(sorted(number[name] for name in names)) for names in (core.placed, core.removed))
        proved.append(ProvedCore(kept, tuple(sorted(freed)), placed, removed, core.needed, positions))
    keep = tuple(sorted(allowed.keep))
    return RepairProof(tuple(sorted(allowed.kinds)), keep, least, tuple(named), tuple(proved))
