"""A batch: reads a stream of levels, has a crew solve the new ones, and writes the answers to a store.

One thread reads names and texts, looks them up in the store, hands out the rest in chunks, and writes answers as
they come. It holds only as many levels as keep the crew busy for a moment. It reports answers after they are
committed: all that a killed run has reported is in the store, and is not solved again.
"""

import contextlib
import json
import queue
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.earlier import certificate_name, contradiction, is_enough, merged, says_more
from puzzlemc.reports.batch.measuring import is_measured, keep_measures
from puzzlemc.reports.batch.orders import Listener, Named, Orders, Progress
from puzzlemc.reports.batch.rows import answer, earlier_answer, symmetric_answer
from puzzlemc.reports.batch.store import IN_STORE, Store, StoreError
from puzzlemc.reports.crew.identity import Identity, of_text
from puzzlemc.reports.crew.jobs import Answer, Answers, Broken, ChunkCrew, CrewError, Done, Job, SymmetricResult
from puzzlemc.reports.output.files import write
from puzzlemc.reports.solve.known import Known
from puzzlemc.reports.solve.options import has_costs
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, Result, unreadable
from puzzlemc.reports.workers.interrupt import interrupt_taken

COMMIT_SECONDS = 0.25  # between two commits, while answers come
IDENTIFIED = 64  # levels that are identified in one call of a worker
STEPS = 256  # names to read before answers are taken
AHEAD = 2  # chunks per slot of the crew, so that no worker waits
NO_CERTIFICATE = ""  # in the store: a certificate was wanted, and there is none


@dataclass(frozen=True)
class Crews:
    """The processes of a batch.

    solver   solves levels, and `reader` identifies them
    answers  the queue of both
    """

    solver: ChunkCrew
    reader: ChunkCrew
    answers: Answers


def run(
    entries: Iterable[Entry],
    store: Store,
    orders: Orders,
    crews: Crews,
    arguments: list[str],
    listener: Listener | None = None,
) -> tuple[Progress, int]:
    """Solve the levels that have no answer in the store yet; returns the progress and the number of the run.

    Raises StoreError, OutputError and CrewError; the answers until then are kept if the store can be written.
    """
    if orders.measured:
        store.run(sql.MAKE_MEASURES)
    batch = _Batch(entries, store, orders, crews, listener or Listener(), store.begin(arguments))
    try:
        batch.run()
        store.end(batch.number)
        batch.commit()
    except StoreError:
        raise  # what was not written is not reported
    except BaseException:
        interrupt_taken()
        with contextlib.suppress(StoreError):
            batch.interrupted()
            batch.commit()
        raise
    return batch.progress, batch.number


@dataclass(frozen=True)
class _Wanted:
    """A level to solve; `again` if the store has an answer that is not enough."""

    entry: Entry
    level: int
    choice: int
    again: bool


class _Batch:
    def __init__(
        self,
        entries: Iterable[Entry],
        store: Store,
        orders: Orders,
        crews: Crews,
        listener: Listener,
        number: int,
    ) -> None:
        self.progress = Progress()
        self.number = number
        self._entries: Iterator[Entry] | None = iter(entries)
        self._store = store
        self._orders = orders
        self._crew = crews.solver
        self._reader = crews.reader
        self._answers = crews.answers
        self._listener = listener
        self._choices: dict[Puzzle, int | None] = {}
        self._jobs = 0
        self._unread: list[tuple[Entry, bytes]] = []  # levels to identify
        self._reading: dict[int, tuple[Entry, bytes]] = {}
        self._ready: deque[tuple[_Wanted, SymmetricResult | None]] = deque()
        self._solving: dict[int, tuple[_Wanted, SymmetricResult | None]] = {}  # by job
        self._better: dict[int, Result] = {}  # by job, the best solution so far
        self._wanted: set[int] = set()  # levels that are ready, or being solved, or wait for a symmetric level
        # Shapes that are being solved, each with the levels that wait for the result.
        self._shapes: dict[tuple[bytes, int], list[_Wanted]] = {}
        self._waiting: dict[int, list[Entry]] = {}  # names of levels that are measured first
        self._unmeasured: deque[int] = deque()  # those of them that no worker has yet
        self._measuring: dict[int, int] = {}  # by job, the level that is measured
        self._chunks: set[int] = set()  # chunks in work, by their first jobs
        self._seconds: float | None = None  # per level, moving average
        self._now: list[Named] = []  # names whose answers are not committed yet
        self._next = Progress()  # with those answers
        self._committed = time.monotonic()

    def run(self) -> None:
        while True:
            self._read()
            self._hand_out()
            waits = self._reading or self._solving or self._measuring
            if self._entries is None and not (waits or self._unread or self._ready or self._unmeasured):
                return
            if waits:
                self._listen()
            if time.monotonic() > self._committed + COMMIT_SECONDS:
                self.commit()

    def interrupted(self) -> None:
        """Take the answers in the queue, and the best solutions of levels whose search has not ended."""
        with contextlib.suppress(queue.Empty):
            while True:
                message = self._answers.get_nowait()
                if isinstance(message, Broken | Done) or message.identity is not None:
                    continue
                if message.measures is not None:
                    self._keep_measures(message)
                else:
                    self._take_answer(message)
        for number, better in list(self._better.items()):
            self._solved(Answer(number, result=better))

    def commit(self) -> None:
        """Commit the answers, then report them."""
        self._store.commit()
        named, self._now = self._now, []
        self.progress = replace(self._next, verdicts=self._next.verdicts.copy(), codes=set(self._next.codes))
        self._committed = time.monotonic()
        self._listener.committed(self.progress, named)

    # Reading

    def _read(self) -> None:
        """Read names for a moment, as long as the queues have room for their levels."""
        window = 2 * AHEAD * self._crew.slots * self._crew.most
        for _ in range(STEPS):
            if self._entries is None or len(self._unread) >= IDENTIFIED or self._busy >= window:
                break
            entry = next(self._entries, None)
            if entry is None:
                self._entries = None
            else:
                self._take(entry)
        if self._unread and not self._reading:
            jobs = []
            for entry, digest in self._unread:
                self._jobs += 1
                self._reading[self._jobs] = entry, digest
                jobs.append(Job(self._jobs, entry, None))
            self._unread = []
            self._reader.submit(jobs)

    @property
    def _busy(self) -> int:
        """The number of levels that are measured or solved, or wait for that."""
        return len(self._wanted) + len(self._waiting)

    def _take(self, entry: Entry) -> None:
        if entry.text is None:
            self._unreadable(entry)
        elif self._choice(entry.puzzle) is None:
            self._next.problems += 1
        else:
            self._listener.read(entry)
            digest = of_text(entry)
            level = self._store.level_of_text(digest)
            if level is None:
                self._unread.append((entry, digest))
            else:
                self._named(entry, level)

    def _unreadable(self, entry: Entry) -> None:
        self._next.named += 1
        self._next.verdicts["error"] += 1
        self._next.codes.add(BAD_INPUT)
        self._listener.unread(unreadable(entry))

    def _choice(self, rules: Puzzle) -> int | None:
        """The number of the options in the store; None if the puzzle does not have them."""
        if rules not in self._choices:
            try:
                choice = self._store.choice(rules, self._orders.options)
                self._choices[rules] = self._next.choices[rules.name] = choice
            except ModelError as error:
                self._choices[rules] = None
                self._next.codes.add(BAD_INPUT)
                self._listener.problem(str(error), BAD_INPUT)
        return self._choices[rules]

    def _named(self, entry: Entry, level: int) -> None:
        """Take a name of a level: have it measured, report the answer that it has, or have it solved."""
        if not self._store.name(entry.id, level, entry.title, self.number):
            return
        self._next.named += 1
        options = self._orders.options
        if level in self._waiting:
            self._waiting[level].append(entry)
        elif self._orders.measured and not is_measured(self._store, level, options.timeout, options.memory):
            self._waiting[level] = [entry]
            self._unmeasured.append(level)
        else:
            self._measured(entry, level)

    def _measured(self, entry: Entry, level: int) -> None:
        """Report the answer that a level has, or have it solved."""
        choice = self._choice(entry.puzzle)
        assert choice is not None
        if level in self._wanted:
            return
        earlier = self._store.earlier((level, choice))
        if earlier is not None and is_enough(earlier, self._orders, self._count_tried):
            self._report([Named(entry.id, entry.title, level, choice)])
        else:
            self._want(_Wanted(entry, level, choice, again=earlier is not None))

    def _count_tried(self) -> None:
        self._next.tried += 1

    # Solving

    def _want(self, wanted: _Wanted) -> None:
        """Have a level solved, or wait for the result of a symmetric level that is being solved."""
        self._wanted.add(wanted.level)
        symmetric = None
        if self._orders.symmetry and wanted.entry.puzzle.symmetry is not None:
            shape, _ = self._store.shape(wanted.level)
            symmetric = symmetric_answer(self._store, (wanted.level, wanted.choice))
            waiting = self._shapes.get((shape, wanted.choice))
            if symmetric is None and waiting is not None:
                waiting.append(wanted)
                return
            if symmetric is None:
                self._shapes[shape, wanted.choice] = []
        self._ready.append((wanted, symmetric))

    def _hand_out(self) -> None:
        """Give chunks to the crew until each slot has enough; what is measured is solved before others are."""
        slots = self._crew.slots
        while self._ready and len(self._chunks) < AHEAD * slots:
            size = self._crew.least
            if self._seconds is not None:
                size = int(self._crew.chunk_seconds / max(self._seconds, 1e-4))
            if self._entries is None:  # near the end: a share for each slot
                size = min(size, len(self._ready) // (AHEAD * slots))
            jobs = []
            for _ in range(max(1, min(size, self._crew.most, len(self._ready)))):
                wanted, symmetric = self._ready.popleft()
                self._jobs += 1
                self._solving[self._jobs] = wanted, symmetric
                options = replace(self._orders.options, known=self._known(wanted))
                jobs.append(Job(self._jobs, wanted.entry, options, symmetric, self._orders.certified))
            self._chunks.add(jobs[0].number)
            self._crew.submit(jobs)
        while self._unmeasured and len(self._chunks) < AHEAD * slots:
            jobs = []
            for _ in range(max(1, min(self._crew.least, len(self._unmeasured) // (AHEAD * slots)))):
                level = self._unmeasured.popleft()
                self._jobs += 1
                self._measuring[self._jobs] = level
                limits = self._orders.options.limits
                jobs.append(Job(self._jobs, self._waiting[level][0], None, measured=limits))
            self._chunks.add(jobs[0].number)
            self._crew.submit(jobs)

    def _known(self, wanted: _Wanted) -> Known | None:
        """The solution in the store, if the level is solved again and its solution may be improved."""
        rules, options = wanted.entry.puzzle, self._orders.options
        if not wanted.again or not has_costs(rules, options.metric or rules.metrics[0]):
            return None
        old = earlier_answer(self._store, (wanted.level, wanted.choice))
        return None if old is None or old.trace is None else Known(json.dumps({"trace": old.trace}), "store")

    def _listen(self) -> None:
        """Wait for the next message, and take those that are there."""
        wait = COMMIT_SECONDS
        for _ in range(STEPS):
            try:
                message = self._answers.get(timeout=wait) if wait else self._answers.get_nowait()
            except queue.Empty:
                return
            wait = 0.0
            if isinstance(message, Broken):
                raise CrewError(message.reason)
            if isinstance(message, Done):
                self._chunks.discard(message.first)
            elif message.identity is not None:
                self._identified(message.number, message.identity)
            elif message.measures is not None:
                level = self._keep_measures(message)
                for entry in self._waiting.pop(level, ()):
                    self._measured(entry, level)
            else:
                self._take_answer(message)

    def _take_answer(self, answer: Answer) -> None:
        if answer.better is None:
            self._solved(answer)
        elif answer.number in self._solving:
            self._better[answer.number] = answer.better

    def _keep_measures(self, answer: Answer) -> int:
        """Write the measures of a level; return its number."""
        level = self._measuring.pop(answer.number)
        options = self._orders.options
        keep_measures(self._store, level, answer.measures or {}, options.timeout, options.memory)
        return level

    def _identified(self, number: int, identity: Identity) -> None:
        if number in self._reading:
            entry, digest = self._reading.pop(number)
            self._named(entry, self._store.level(digest, identity, entry.puzzle.name, entry.id))

    def _solved(self, answer: Answer) -> None:
        if answer.number not in self._solving:
            return  # it was answered before
        wanted, symmetric = self._solving.pop(answer.number)
        self._better.pop(answer.number, None)
        result = answer.result
        assert result is not None
        seconds = result.effort.seconds
        self._seconds = seconds if self._seconds is None else 0.9 * self._seconds + 0.1 * seconds
        kept = self._keep(wanted, result, symmetric, answer.certificate)
        self._listener.warned(result.warnings)
        self._next.solved += 1
        self._next.turned += symmetric is not None
        self._wanted.discard(wanted.level)
        names = self._store.query(sql.NAMES_IN_RUN, wanted.level, self.number)
        self._report([Named(id, title, wanted.level, wanted.choice) for id, title in names], kept)
        self._wake(wanted, result)

    def _keep(
        self, wanted: _Wanted, result: Result, symmetric: SymmetricResult | None, certificate: bytes | None
    ) -> Result | None:
        """Write the answer, and return it; return None, and leave the earlier answer, if that says more."""
        store, key = self._store, (wanted.level, wanted.choice)
        place, data = self._placed(wanted, certificate)
        if wanted.again and (old := earlier_answer(store, key)) is not None:
            if against := contradiction((old.verdict, old.cost, bool(old.optimal)), result):
                self._contradicted(wanted, against)
                return None
            if says_more(old, result):
                store.set_certificate(key, place)
                return None
            try:
                result = merged(old, result, is_cost=wanted.entry.puzzle.optimisation is None)
            except Refuted as error:
                self._contradicted(wanted, str(error))
                return None
        options = self._orders.options
        turned_from = None if symmetric is None else symmetric.level
        store.add(key, self.number, result, options, turned_from=turned_from, certificate=place, data=data)
        return result

    def _placed(self, wanted: _Wanted, certificate: bytes | None) -> tuple[str | None, bytes | None]:
        """Write a certificate to its file; returns its place, and the data to keep in the store."""
        orders = self._orders
        if not orders.certified:
            return None, None
        if certificate is None:
            return NO_CERTIFICATE, None
        if orders.certificates is None:
            return IN_STORE, certificate
        content = self._store.content(wanted.level)
        path = orders.certificates / certificate_name(wanted.entry.id, content, certificate)
        write(path, certificate)
        return str(path), None

    def _contradicted(self, wanted: _Wanted, against: str) -> None:
        """Report that an answer contradicts an earlier one, which is kept."""
        self._next.codes.add(REFUTED)
        self._listener.problem(f"{wanted.entry.id}: refuted: {against}", REFUTED)

    def _wake(self, wanted: _Wanted, result: Result) -> None:
        """Give the result to the levels that wait for this symmetric level."""
        if not self._orders.symmetry or wanted.entry.puzzle.symmetry is None:
            return
        shape, turn = self._store.shape(wanted.level)
        for each in self._shapes.pop((shape, wanted.choice), []):
            if result.verdict == "error":
                self._want(each)
                continue
            _, own_turn = self._store.shape(each.level)
            self._ready.append((each, SymmetricResult(result, turn, own_turn, wanted.level)))

    def _report(self, names: Sequence[Named], kept: Result | None = None) -> None:
        """Count names of a level that has an answer now, and report them after the next commit.

        `kept` is this answer, if it is known; else it is read from the store.
        """
        if names:
            result = kept or answer(self._store, (names[0].level, names[0].choice))
            if result.verdict == "error":
                names = [replace(each, reason=result.reason or "") for each in names]
            self._now += names
            self._next.verdicts[result.verdict] += len(names)
            self._next.unproved += result.is_unproved * len(names)
            self._next.codes.add(result.exit_code)
