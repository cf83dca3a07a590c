"""The work of `puzzlemc verify` in a worker: it checks a certificate and writes the requested files."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.certify.strategies import is_strategies
from puzzlemc.reports.certify.verify import Verification, verify
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.workers.single import read


def checked(
    path: Path,
    levels: tuple[list[str], bytes | None],
    named: str | None,
    refutation: Path | None,
    circuits: Mapping[str, Path],
    stem: str,
    limits: Limits,
) -> Verification:
    """Check a certificate and write the requested files; return the result without the certificate's large parts.

    levels    names of levels, and the contents of standard input
    named     the puzzle of the certificate, or None for any
    circuits  folders for circuits by format, `aiger` and `btor2`; the names of files begin with `stem`

    Raises LevelError for a level that cannot be read, ModelError for a puzzle that cannot be loaded.
    """
    own = None if named is None else puzzle(named)
    done = Verification(str(path), "unchecked", reason=f"{path}: not checked")
    try:
        done = verify(path, known(*levels, named), refutation, Budget(limits), own)
        if circuits and done.status == "valid" and done.certificate is not None:
            if is_strategies(path):
                raise ModelError("strategies are no circuits")
            from puzzlemc.reports.formats.export import write_witness

            for form, folder in circuits.items():
                write_witness(done.certificate, form, folder, stem, own)
    except OutputError as error:
        done = replace(done, note=str(error))
    except ModelError as error:
        done = replace(done, note=f"no circuit: {error}")
    if done.certificate is None:
        return done
    return replace(done, certificate=replace(done.certificate, level="", trace=None, proof=None))


def find(named: str) -> None:
    """Load a puzzle by its name or file. Raises ModelError."""
    puzzle(named)


def known(names: list[str], data: bytes | None, named: str | None = None) -> list[Entry]:
    """The levels of these names, read once. Raises LevelError for one that cannot be read."""
    return _known(tuple(names), data, named)


@functools.lru_cache(maxsize=1)
def _known(names: tuple[str, ...], data: bytes | None, named: str | None) -> list[Entry]:
    entries = read(list(names), named, data)
    for entry in entries:
        if entry.error is not None:
            raise entry.error
    return entries
