"""In a worker: files about a level to download, the check of a certificate, and formulas about a level."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, FormulaError, ModelError, Refuted, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.serve.answers import Send
from puzzlemc.reports.serve.questions import Ask, Make, Verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

SECONDS = 30.0
MEMORY = 1.0  # GiB
MOST_STATES = 20_000  # of a state graph
MOST_NAME = 60  # characters of the name of a file


def make(asked: Make, send: Send, wanted: Event) -> None:
    """Answer with a file about a level."""
    from puzzlemc.reports.certify.certify import certify
    from puzzlemc.reports.certify.file_names import CERTIFICATE, file_stems
    from puzzlemc.reports.page.written import write

    try:
        found = entry(asked.puzzle, asked.text, asked.level)
        if asked.what == "blueprint":
            _blueprint(found, send)
            return
        if asked.what == "export":
            _export(found, asked, send)
            return
        if asked.what == "page":
            _page(found, send, wanted)
            return
        with TemporaryDirectory(prefix="puzzlemc-") as folder:
            explained = asked.what == "report" and found.puzzle.explanation.needs_search
            options = Options(timeout=SECONDS, memory=MEMORY, many=True, prove=True, why=explained)
            result = solve_entry(found, options, cancelled=wanted)
            if asked.what == "report":
                path = Path(folder, "report.html")
                write(found, options, result, path)
            else:
                path = Path(folder, file_stems([found.id])[found.id] + CERTIFICATE)
                result = certify(found, options, result, path)
            made = next(iter(Path(folder).iterdir()), None)
            if made is None:
                send({"kind": "file", "failed": result.note or result.reason or "there is no proof yet"})
            else:
                send({"kind": "file", "failed": "", "name": made.name, "data": made.read_bytes()})
    except (LevelError, ModelError, Refuted, *LIMITS) as error:
        send({"kind": "file", "failed": str(error)})


def _page(found: Entry, send: Send, wanted: Event) -> None:
    """Answer with a page that plays, which is called like the level."""
    from puzzlemc.reports.share.page import made

    data = made(found, found.puzzle.metrics[0], SECONDS, MEMORY, wanted).encode()
    name = re.sub(r"[^\w]+", "-", found.title.lower()).strip("-")[:MOST_NAME] or "level"
    send({"kind": "file", "failed": "", "name": f"{name}.html", "data": data})


def _blueprint(found: Entry, send: Send) -> None:
    """Answer with the best layout as a text that the game takes, of its newest version."""
    export = found.puzzle.text.exports.get("blueprint")
    if export is None:
        send({"kind": "file", "failed": "levels of this puzzle have no layout"})
    else:
        send({"kind": "file", "failed": "", "text": next(iter(export(found.level).values())).strip()})


def _export(found: Entry, asked: Make, send: Send) -> None:
    """Answer with a level in a format for another tool; of one with two files, they are in a zip file."""
    from puzzlemc.reports.formats.export import OF_STATES, Job, formats

    rules = found.puzzle
    rules.need_steps()
    if asked.to not in OF_STATES:
        rules.need_model(asked.to)
    if asked.to not in formats(rules):
        send({"kind": "file", "failed": f"there is no format {asked.to!r}"})
        return
    with TemporaryDirectory(prefix="puzzlemc-") as folder:
        place, metric = Path(folder, f"level.{asked.to}"), rules.metrics[0]
        jobs = [Job(found, each, metric, place, asked.bound, MOST_STATES) for each in rules.encodings or ("",)]
        paths = _written(formats(rules)[asked.to], jobs)
        if len(paths) == 1:
            name, data = paths[0].name, paths[0].read_bytes()
        else:
            whole = BytesIO()
            with ZipFile(whole, "w", ZIP_DEFLATED) as archive:
                for path in paths:
                    archive.write(path, path.name)
            name, data = f"level.{asked.to}.zip", whole.getvalue()
        send({"kind": "file", "failed": "", "name": name, "data": data})


def _written(write: Callable[[Any], list[Path]], jobs: Sequence[Any]) -> list[Path]:
    """What the first encoding that a format suits is written to. Raises ModelError if none does."""
    for job in jobs[:-1]:
        with suppress(ModelError):
            return write(job)
    return write(jobs[-1])


def verify(asked: Verify, send: Send, wanted: Event) -> None:
    """Answer whether a certificate is valid, trusting no engine."""
    from puzzlemc.reports.certify.verify import verify as checked

    found = checked(Path(asked.path), budget=Budget(_limits(), None, 0, wanted))
    words = found.as_text().replace(asked.path, "certificate")
    send({"status": found.status, "words": words})


def ask(asked: Ask, send: Send, wanted: Event) -> None:
    """Answer whether a formula holds, with the moves of a witness or a counterexample."""
    from puzzlemc.reports.ask.query import ask as queried

    try:
        result = queried(entry(asked.puzzle, asked.text, asked.level), asked.formula, _limits())
    except (FormulaError, LevelError, ModelError, Refuted) as error:
        send({"kind": "answer", "failed": str(error)})
    except LIMITS as limit:
        send({"kind": "answer", "failed": f"the limit of {reason_of(limit)} was reached"})
    else:
        holds, reason = result.answer.holds, result.answer.reason
        send({"kind": "answer", "failed": "", "holds": holds, "reason": reason, "moves": result.moves})


def _limits() -> Limits:
    return Limits(SECONDS, int(MEMORY * (1 << 30)))
