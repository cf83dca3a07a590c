"""`verify`: check certificates."""

import json
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from puzzlemc.reports.certify.file_names import short_name
from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    ASKED,
    LIMITS,
    OUTPUT,
    Json,
    Memory,
    Quiet,
    option,
)
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible
from puzzlemc.reports.output.files import make_folder
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import progress

if TYPE_CHECKING:
    from collections.abc import Sequence


SUFFIXES = (".cert", ".strategies", ".json")  # of the files in a folder; certificates were once called .json

EXAMPLES = """
puzzlemc verify proofs/level.xsb-1.cert
puzzlemc verify proofs/level.xsb-1.cert --level level.xsb
puzzlemc verify proofs/level.xsb-1.cert --timeout 60 --json
puzzlemc verify lamps --puzzle own_puzzle.py
"""


class _About(NamedTuple):
    """What certificates must be about."""

    level: Annotated[
        list[str] | None,
        option(
            ASKED,
            "LEVELS",
            "The levels that they must be about, as for check. Repeatable.",
            autocompletion=values.levels,
        ),
    ] = None
    puzzle: Annotated[
        str | None,
        option(
            ASKED,
            "NAME",
            "The puzzle that they must be about, or a Python file with one.",
            autocompletion=values.puzzles,
            show_default="what the certificate says",
        ),
    ] = None


def verify(
    certificates: Annotated[
        list[Path], typer.Argument(metavar="CERT", help="Certificates, as --certificate writes, or folders.")
    ],
    *,
    about: _About,
    drat: Annotated[
        Path | None,
        option(OUTPUT, "DIR", "Check by SAT alone, and write question (.cnf) and refutation (.drat) there."),
    ] = None,
    aiger: Annotated[
        Path | None,
        option(OUTPUT, "DIR", "Write the models and witnesses of valid ones there, in AIGER's formats."),
    ] = None,
    btor2: Annotated[
        Path | None, option(OUTPUT, "DIR", "The same in the format BTOR2, whose witnesses are runs (.wit).")
    ] = None,
    timeout: Annotated[
        float, option(LIMITS, "SECONDS", "Seconds of wall clock for each; 0 = no limit.", min=0)
    ] = 0.0,
    memory: Memory = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check certificates without any engine.

    Ends with 0: all are valid, 2: some unreadable, 4: some refuted.
    """
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.certify.verify import Verification
    from puzzlemc.reports.formats.checked import checked, find, known
    from puzzlemc.reports.workers.single import standard_input
    from puzzlemc.reports.workers.worker import WorkerDied

    circuits = {form: folder for form, folder in (("aiger", aiger), ("btor2", btor2)) if folder is not None}
    for folder in (drat, *circuits.values()):
        if folder is not None:
            make_folder(folder)
    certificates = _files(certificates)
    level, puzzle = about.level or [], about.puzzle
    levels = (level, standard_input(level))
    limits = Limits.of(timeout, memory)
    done: list[Verification] = []
    with (
        interruptible(lambda: f"interrupted after {len(done)} of {len(certificates)} certificates"),
        in_worker(memory, "puzzlemc.reports.formats.checked") as worker,
    ):
        if puzzle is not None:
            with bad_usage("--puzzle"):
                worker.run(find, puzzle, seconds=limits.seconds)
        if level:
            with bad_usage("--level", levels=True):
                worker.run(known, *levels, puzzle, seconds=limits.seconds)
        with progress(len(certificates), "certificates", shown=not quiet) as advance:
            for path, stem in zip(certificates, _stems(certificates), strict=True):
                refutation = drat / stem if drat is not None else None
                try:
                    asked = (path, levels, puzzle, refutation, circuits, stem, limits)
                    done.append(worker.run(checked, *asked, seconds=limits.seconds))
                except LimitReached as limit:
                    reason = f"{path}: not checked: {limit.reason}"
                    done.append(Verification(str(path), "unchecked", reason=reason, seconds=worker.seconds))
                except WorkerDied as death:
                    reason = f"{path}: {death}"
                    done.append(Verification(str(path), "crashed", reason=reason, seconds=worker.seconds))
                print(json.dumps(done[-1].as_json()) if as_json else done[-1].as_text(), flush=True)
                if done[-1].note:
                    print(plain(f"{path}: {done[-1].note}"), file=sys.stderr)
                advance()
        if not as_json:
            print(
                f"{sum(one.status == 'valid' for one in done)} of {len(done)} valid; "
                f"{sum(one.seconds for one in done):.2f} s of processor time"
            )
    codes = {one.exit_code for one in done}
    raise typer.Exit(next(code for code in (4, 2, 0) if code in codes))


def _files(paths: "Sequence[Path]") -> list[Path]:
    """The certificates that paths name: a folder stands for all certificates in it."""
    found: list[Path] = []
    for path in paths:
        within = path.rglob("*") if path.is_dir() else ()
        inside = sorted(file for file in within if file.suffix in SUFFIXES) if path.is_dir() else [path]
        if not inside:
            message = plain(f"{path}: found no certificate in this folder, expected {', '.join(SUFFIXES)}")
            raise typer.BadParameter(message, param_hint="CERT")
        found += inside
    return found


def _stems(paths: "Sequence[Path]") -> list[str]:
    """A name for the output of each file: its own without suffix, with a number if that is taken."""
    stems: list[str] = []
    for path in paths:
        stem = short_name(path.stem)
        names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        stems.append(next(name for name in names if name not in stems))
    return stems
