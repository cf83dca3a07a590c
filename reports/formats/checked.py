"""What `verify` does with a certificate in a worker: it checks it, and writes what is asked for beside that."""

import functools
from dataclasses import replace
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.ends import Ends
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits, Watch
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.run.single import read
from puzzlemc.reports.run.verify import BY_RULES, Verification, verify


def checked(
    path: Path,
    levels: tuple[list[str], bytes | None],
    refutation: Path | None,
    circuits: Path | None,
    stem: str,
    limits: Limits,
) -> Verification:
    """Check a certificate, as `verify`, and write what is asked for. It is told without its large parts.

    `levels` are names, and what stands on standard input; `circuits` is the folder for AIGER, where files get the
    name `stem`. Raises LevelError for a level that cannot be read.
    """
    done = Verification(str(path), "unchecked", reason=f"{path}: not checked")
    try:
        done = verify(path, known(*levels), refutation, Watch(limits))
        if circuits is not None and done.status == "valid" and done.certificate is not None:
            if done.by == BY_RULES:
                raise ModelError("strategies are no circuits")
            from puzzlemc.reports.formats.export import write_witness

            write_witness(done.certificate, circuits, stem)
    except OutputError as error:
        done = replace(done, note=str(error))
    except ModelError as error:
        done = replace(done, note=f"no AIGER: {error}")
    if done.certificate is None:
        return done
    proof = done.certificate.proof
    claim = replace(proof, forward=(), backward=()) if isinstance(proof, Ends) else None
    return replace(done, certificate=replace(done.certificate, level="", trace=None, proof=claim))


def known(names: list[str], data: bytes | None) -> list[Entry]:
    """The levels of these names, read once. Raises LevelError for one that cannot be read."""
    return _known(tuple(names), data)


@functools.lru_cache(maxsize=1)
def _known(names: tuple[str, ...], data: bytes | None) -> list[Entry]:
    entries = read(list(names), None, data)
    for entry in entries:
        if entry.error is not None:
            raise entry.error
    return entries
