"""What goes between a batch and its crew: jobs in chunks on one side, answers on a queue on the other.

A crew puts what it has on the queue in any order: an `Answer` for each job, `Done` for each chunk, and `Broken` if
it cannot go on.
"""

import queue
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.limits import Limits
from puzzlemc.reports.crew.identity import Identity
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result


@dataclass(frozen=True)
class SymmetricResult:
    """The result of a level that equals the level of the job up to rotation and reflection.

    level     the number of the other level in the store
    turn      the number of the turn that brings the other level into canonical form
    own_turn  the number of the turn that brings the level of the job into canonical form
    """

    result: Result
    turn: int
    own_turn: int
    level: int


@dataclass(frozen=True)
class Job:
    """A level to solve, or, without options, to identify or to measure.

    number     identifies the answer
    symmetric  a result to transform, instead of a search
    certified  also make a certificate
    measured   the limits within which the level is measured, instead of identified
    """

    number: int
    entry: Entry
    options: Options | None
    symmetric: SymmetricResult | None = None
    certified: bool = False
    measured: Limits | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to a job: the identity of the level, or the result, with the certificate if one was made.

    better    instead: the best solution or the bound so far, of a job whose answer follows
    measures  instead: the measures of the level
    """

    number: int
    identity: Identity | None = None
    result: Result | None = None
    certificate: bytes | None = None
    better: Result | None = None
    measures: Mapping[str, Number] | None = None


@dataclass(frozen=True)
class Done:
    """All jobs of a chunk have been answered; `first` is the number of its first job."""

    first: int


@dataclass(frozen=True)
class Broken:
    """The crew cannot go on; says why."""

    reason: str


class CrewError(Exception):
    """A crew that cannot start, or cannot go on; says why."""


Answers = queue.SimpleQueue[Answer | Done | Broken]


class ChunkCrew(Protocol):
    """A crew that works on chunks of jobs, and answers on a queue that it gets when it is made.

    least, most    levels in a chunk; `least` until the time per level is known
    chunk_seconds  the time that a chunk should take
    """

    least: int
    most: int
    chunk_seconds: float

    @property
    def slots(self) -> int:
        """The number of chunks that are worked on at the same time."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Queue a chunk."""

    def close(self) -> None:
        """End all work at once."""
