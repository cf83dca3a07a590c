"""A finished position from a file, judged by the puzzle: does it solve a level?

The plain rules judge it at once. If the puzzle also checks the flow of items, that check runs apart: it may
take long, and a limit that ends it does not change the verdict of the rules.
"""

import json
from dataclasses import dataclass, replace

from puzzlemc.encodings.puzzle.questions import Assessment
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.solve.result import UNKNOWN
from puzzlemc.screens.base.reading import read_text

MOST_BYTES = 1 << 22
MOST_FAULTS = 20  # that are shown to people

VALID, REFUTED = 0, 4


@dataclass(frozen=True)
class Judgement:
    """The verdict on the position in the file `path`, a `text`: by the rules, and by the flow of items.

    `flow` is None for a puzzle without this check, and before the check is done.
    """

    id: str
    title: str
    puzzle: str
    path: str
    text: str
    judged: Assessment
    flow: Assessment | None = None

    @property
    def faults(self) -> tuple[str, ...]:
        """All faults of the position."""
        moving = () if self.flow is None else self.flow.faults
        return (*self.judged.faults, *(f"flow: {fault}" for fault in moving))

    @property
    def reason(self) -> str | None:
        """The limit that ended the check."""
        return None if self.flow is None else self.flow.reason

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return REFUTED if self.faults else VALID if self.reason is None else UNKNOWN

    def as_json(self) -> dict[str, object]:
        """One object."""
        status = {VALID: "valid", REFUTED: "refuted", UNKNOWN: "unknown"}[self.exit_code]
        data = {
            "id": self.id,
            "title": self.title,
            "puzzle": self.puzzle,
            "layout": self.path,
            "status": status,
            "rules": "refuted" if self.judged.faults else "valid",
            "faults": list(self.faults),
            **self.judged.measures,
        }
        if self.flow is not None:
            data |= {"flow": self._flow(self.flow), "reason": self.reason}
        return data

    def as_text(self) -> str:
        """The verdict of the rules, and the position, for people."""
        if self.judged.faults:
            lines = [plain(f"{self.path}: refuted"), *_indented(self.judged.faults)]
        else:
            lines = [plain(f"{self.path}: valid: {self.judged.words}")]
        return "\n".join([*lines, self.judged.drawing])

    def flow_as_text(self) -> str:
        """The flow of items, for people; empty without this check."""
        if self.flow is None:
            return ""
        overruled = self.judged.faults and not self.flow.faults
        words = f"{self._flow(self.flow)}{'; the rules decide: refuted' if overruled else ''}"
        return "\n".join([plain(f"flow: {words}"), *_indented(self.flow.faults)])

    @staticmethod
    def _flow(flow: Assessment) -> str:
        if flow.reason is None:
            return "refuted" if flow.faults else flow.words
        return f"refuted; not all checked: {flow.reason}" if flow.faults else f"not checked: {flow.reason}"


def _indented(faults: tuple[str, ...]) -> list[str]:
    lines = [f"  {plain(fault)}" for fault in faults[:MOST_FAULTS]]
    return lines if len(faults) <= MOST_FAULTS else [*lines, f"  and {len(faults) - MOST_FAULTS} more"]


def judge(entry: Entry, path: str) -> Judgement:
    """Judge the position in a file for a level, by the plain rules.

    Raises LevelError if the file holds no position, ModelError if the puzzle has no such files.
    """
    puzzle = entry.puzzle
    assess = None if puzzle.optimisation is None else puzzle.optimisation.assess
    if assess is None:
        raise ModelError(f"{entry.id}: no layouts of {puzzle.name} are read")
    text = _layout(read_text(path, MOST_BYTES, "a layout"))
    return Judgement(entry.id, entry.title, puzzle.name, path, text, assess(entry.level, text, path))


def judge_flow(entry: Entry, judgement: Judgement, limits: Limits) -> Judgement:
    """The judgement with the flow of items added. Raises LevelError."""
    optimisation = entry.puzzle.optimisation
    if optimisation is None or optimisation.simulate is None:
        return judgement
    return replace(
        judgement, flow=optimisation.simulate(entry.level, judgement.text, judgement.path, Budget(limits))
    )


def stopped(judgement: Judgement, reason: str) -> Judgement:
    """The judgement after a limit has ended `judge_flow`."""
    return replace(judgement, flow=Assessment((), "", {}, reason=reason))


def _layout(text: str) -> str:
    """The layout in a JSON text that `solve` wrote: the only move of its trace. Other texts stay as they are."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    trace = content.get("trace") if isinstance(content, dict) else None
    return trace[0] if isinstance(trace, list) and len(trace) == 1 and isinstance(trace[0], str) else text
