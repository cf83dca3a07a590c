"""In a worker: a certificate or a report to download, the check of a certificate, and formulas about a level."""

from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, FormulaError, ModelError, Refuted, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.serve.answers import Send
from puzzlemc.reports.serve.levels import entry
from puzzlemc.reports.serve.questions import Ask, Make, Verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

SECONDS = 30.0
MEMORY = 1.0  # GiB


def make(asked: Make, send: Send, wanted: Event) -> None:
    """Answer with a file: the certificate of a level, or its report."""
    from puzzlemc.reports.certify.certify import certify
    from puzzlemc.reports.certify.file_names import file_names
    from puzzlemc.reports.page.written import write

    try:
        found = entry(asked.puzzle, asked.text, asked.level)
        if asked.what == "blueprint":
            _blueprint(found, send)
            return
        with TemporaryDirectory(prefix="puzzlemc-") as folder:
            explained = asked.what == "report" and found.puzzle.explanation.needs_search
            options = Options(timeout=SECONDS, memory=MEMORY, many=True, prove=True, why=explained)
            result = solve_entry(found, options, cancelled=wanted)
            if asked.what == "report":
                path = Path(folder, "report.html")
                write(found, options, result, path)
            else:
                path = Path(folder, file_names([found])[0])
                result = certify(found, options, result, path)
            made = next(iter(Path(folder).iterdir()), None)
            if made is None:
                send({"kind": "file", "failed": result.note or result.reason or "there is no proof yet"})
            else:
                send({"kind": "file", "failed": "", "name": made.name, "data": made.read_bytes()})
    except (LevelError, ModelError, Refuted, *LIMITS) as error:
        send({"kind": "file", "failed": str(error)})


def _blueprint(found: Entry, send: Send) -> None:
    """Answer with the best layout as a text that the game takes, of its newest version."""
    export = found.puzzle.text.exports.get("blueprint")
    if export is None:
        send({"kind": "file", "failed": "levels of this puzzle have no layout"})
    else:
        send({"kind": "file", "failed": "", "text": next(iter(export(found.level).values())).strip()})


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
