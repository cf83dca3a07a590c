"""A batch: a stream of levels on one side, a store on the other, and a crew between that solves what is new.

One thread reads names and texts, asks the store what it knows, hands out the rest in chunks, and writes answers
as they come. It holds no more levels than the crew is busy with for a moment. Nothing is told as done before it
is committed; so what a killed run has told is there, and what is there is not solved again.
"""

import contextlib
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.batch.rows import RESULT, answer, as_result
from puzzlemc.reports.batch.store import IN_STORE, Store, StoreError, contradiction
from puzzlemc.reports.certify.certify import CERTIFICATE, STRATEGIES
from puzzlemc.reports.crew.identity import Identity, of_text
from puzzlemc.reports.crew.jobs import Answer, Answers, Broken, ChunkCrew, CrewError, Done, Job, SymmetricResult
from puzzlemc.reports.output.files import short_name, write
from puzzlemc.reports.solve.attempt import INTERRUPTED
from puzzlemc.reports.solve.result import BAD_INPUT, PRECEDENCE, REFUTED, SOLVABLE, Result, bounded
from puzzlemc.reports.solve.solve import Options, choices
from puzzlemc.reports.workers.interrupt import interrupt_taken

COMMIT_SECONDS = 0.25  # between two commits, while answers come
IDENTIFIED = 64  # levels that a worker is asked at a time what they are
STEPS = 256  # names read without a look at what has come
AHEAD = 2  # chunks for each slot of the crew, so that none waits
NO_CERTIFICATE = ""  # in the store: one was wanted, and there is none
DECIDED = {"solvable", "unsolvable"}


@dataclass(frozen=True)
class Orders:
    """What a batch is to do: how levels are solved, and which again.

    retry         verdicts that are no answer: `unknown`, where limits are larger than before, and `error`. What is
                  not proved of a solution counts as unknown
    symmetry      levels that are the same up to rotation and mirror are solved once
    certificates  the folder for certificates
    certified     certificates are made; without a folder they are kept in the store
    """

    options: Options
    retry: frozenset[str] = frozenset()
    symmetry: bool = False
    certificates: Path | None = None
    certified: bool = False


@dataclass
class Progress:
    """How far a run is; all of it is committed.

    named     levels that were named so far, each name once
    verdicts  of how many of them which is known
    unproved  names of solvable levels whose cost is not proved to be least
    solved    levels for which this run has found an answer, and `turned`, of those, by a twin
    tried     unknown levels that were not tried again, since the limits are no larger
    problems  levels whose puzzle does not have the options
    codes     exit codes of what was found
    """

    named: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    unproved: int = 0
    solved: int = 0
    turned: int = 0
    tried: int = 0
    problems: int = 0
    codes: set[int] = field(default_factory=set)

    @property
    def done(self) -> int:
        """Names that have an answer, or can have none."""
        return self.verdicts.total() + self.problems

    @property
    def exit_code(self) -> int:
        """That of the gravest result."""
        return next((code for code in PRECEDENCE if code in self.codes), SOLVABLE)


@dataclass(frozen=True)
class Named:
    """A level that has an answer now, by one of its names. `reason` says what is wrong with a broken one."""

    id: str
    title: str
    level: int
    choice: int
    reason: str = ""


@dataclass
class Listener:
    """Whom a run tells.

    committed  of names that have an answer
    problem    of what is wrong with a name
    unread     of the answer for a name that is no level, or of one that cannot be read; no store has it
    """

    committed: Callable[[Progress, list[Named]], None] = lambda *_: None
    problem: Callable[[str], None] = lambda _: None
    unread: Callable[[Result], None] = lambda _: None


def run(
    entries: Iterable[Entry],
    store: Store,
    orders: Orders,
    crew: ChunkCrew,
    reader: ChunkCrew,
    answers: Answers,
    arguments: list[str],
    listener: Listener | None = None,
) -> tuple[Progress, int]:
    """Solve the levels that have no answer in the store yet; what was found, and the number of the run.

    The crew solves, the reader tells what levels are; both answer on the queue. Raises StoreError, OutputError and
    CrewError; what has come until then is kept as far as the store takes it.
    """
    batch = _Batch(entries, store, orders, crew, reader, answers, listener or Listener(), store.begin(arguments))
    try:
        batch.run()
        store.end(batch.number)
        batch.commit()
    except StoreError:
        raise  # what was not written is not told
    except BaseException:
        interrupt_taken()
        with contextlib.suppress(StoreError):
            batch.interrupted()
            batch.commit()
        raise
    return batch.progress, batch.number


@dataclass(frozen=True)
class _Wanted:
    """A level that is to be solved, maybe again."""

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
        crew: ChunkCrew,
        reader: ChunkCrew,
        answers: Answers,
        listener: Listener,
        number: int,
    ) -> None:
        self.progress = Progress()
        self.number = number
        self._entries: Iterator[Entry] | None = iter(entries)
        self._store = store
        self._orders = orders
        self._crew = crew
        self._reader = reader
        self._answers = answers
        self._listener = listener
        self._choices: dict[Puzzle, int | None] = {}
        self._jobs = 0
        self._unread: list[tuple[Entry, bytes]] = []  # that wait to be told what they are
        self._reading: dict[int, tuple[Entry, bytes]] = {}
        self._ready: deque[tuple[_Wanted, SymmetricResult | None]] = deque()
        self._solving: dict[int, tuple[_Wanted, SymmetricResult | None]] = {}
        self._better: dict[int, Result] = {}  # the best solutions so far of those
        self._wanted: set[int] = set()  # levels that are ready, or solved now, or wait for a twin
        self._shapes: dict[tuple[bytes, int], list[_Wanted]] = {}  # in work, and who waits for the answer
        self._chunks: set[int] = set()  # their first jobs
        self._seconds: float | None = None  # that a level takes, on the average of late
        self._now: list[Named] = []  # that have an answer that is not committed yet
        self._next = Progress()  # how far it is with them
        self._committed = time.monotonic()

    def run(self) -> None:
        while True:
            self._read()
            self._hand_out()
            if self._entries is None and not (self._reading or self._unread or self._ready or self._solving):
                return
            if self._reading or self._solving:
                self._listen()
            if time.monotonic() > self._committed + COMMIT_SECONDS:
                self.commit()

    def interrupted(self) -> None:
        """Take what has come, and the best solutions of levels whose search has not ended."""
        with contextlib.suppress(queue.Empty):
            while True:
                told = self._answers.get_nowait()
                if not isinstance(told, Broken | Done) and told.identity is None:
                    self._take_answer(told)
        for number, better in list(self._better.items()):
            self._solved(Answer(number, result=better))

    def commit(self) -> None:
        """Write what was found, then tell of it."""
        self._store.commit()
        named, self._now = self._now, []
        self.progress = replace(self._next, verdicts=self._next.verdicts.copy(), codes=set(self._next.codes))
        self._committed = time.monotonic()
        self._listener.committed(self.progress, named)

    # Reading

    def _read(self) -> None:
        """Read names as long as there is room for their levels, and no longer than a moment."""
        window = 2 * AHEAD * self._crew.slots * self._crew.most
        for _ in range(STEPS):
            if self._entries is None or len(self._unread) >= IDENTIFIED or len(self._wanted) >= window:
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

    def _take(self, entry: Entry) -> None:
        if entry.text is None:
            self._unreadable(entry)
        elif self._choice(entry.puzzle) is None:
            self._next.problems += 1
        else:
            digest = of_text(entry)
            level = self._store.level_of_text(digest)
            if level is None:
                self._unread.append((entry, digest))
            else:
                self._named(entry, level)

    def _unreadable(self, entry: Entry) -> None:
        reason = str(entry.error)
        self._next.named += 1
        self._next.verdicts["error"] += 1
        self._next.codes.add(BAD_INPUT)
        self._listener.problem(reason)
        self._listener.unread(Result(entry.id, entry.title, entry.puzzle_name, reason=reason))

    def _choice(self, rules: Puzzle) -> int | None:
        """The options, as the store has them; None where the puzzle does not have them, which is told once."""
        if rules not in self._choices:
            options = self._orders.options
            try:
                chosen = choices(rules, options)
            except ModelError as error:
                self._choices[rules] = None
                self._next.codes.add(BAD_INPUT)
                self._listener.problem(str(error))
            else:
                told = {"metric": chosen["metric"], "encoding": chosen.get("encoding"), "why": options.why}
                told |= {"engine": options.engine, "diagrams": options.diagrams}
                self._choices[rules] = self._store.choice(told)
        return self._choices[rules]

    def _named(self, entry: Entry, level: int) -> None:
        """A name of a level: has that an answer, or is it to be solved?"""
        if not self._store.name(entry.id, level, entry.title, self.number):
            return
        self._next.named += 1
        choice = self._choice(entry.puzzle)
        assert choice is not None
        if level in self._wanted:
            return
        text = "SELECT verdict, code, timeout, memory, certificate, optimal, metric, reason FROM results "
        found = self._store.query(text + "WHERE level = ? AND choice = ?", level, choice)
        if found and self._is_enough(*found[0]):
            self._tell([Named(entry.id, entry.title, level, choice)])
        else:
            self._want(_Wanted(entry, level, choice, again=bool(found)))

    def _is_enough(
        self,
        verdict: str,
        code: int,
        timeout: float,
        memory: float,
        certificate: str | None,
        optimal: int | None,
        metric: str | None,
        reason: str | None,
    ) -> bool:
        """Is an answer that is there good enough? One that is not proved to be a cheapest is partly unknown."""
        orders = self._orders
        is_proved = verdict != "solvable" or bool(optimal) or metric == ANY
        if not is_proved and reason == INTERRUPTED:
            return False
        if verdict in DECIDED and orders.certified and certificate is None:
            return False
        if verdict in DECIDED and (is_proved or "unknown" not in orders.retry):
            return True
        if verdict not in DECIDED and verdict not in orders.retry:
            return True
        if verdict == "error":
            return False
        larger = _time(orders.options.timeout) > _time(timeout) or orders.options.memory > memory
        self._next.tried += not larger
        return not larger

    # Solving

    def _want(self, wanted: _Wanted) -> None:
        """Have a level solved, or wait for the answer of a twin that is being solved."""
        self._wanted.add(wanted.level)
        twin = None
        if self._orders.symmetry and wanted.entry.puzzle.symmetry is not None:
            ((shape, turn),) = self._store.query("SELECT shape, turn FROM levels WHERE id = ?", wanted.level)
            twin = self._twin(wanted, shape, turn)
            waiting = self._shapes.get((shape, wanted.choice))
            if twin is None and waiting is not None:
                waiting.append(wanted)
                return
            if twin is None:
                self._shapes[shape, wanted.choice] = []
        self._ready.append((wanted, twin))

    def _twin(self, wanted: _Wanted, shape: bytes, turn: int) -> SymmetricResult | None:
        """A level of the same shape that is decided."""
        found = self._store.query(
            f"SELECT l.id, l.turn, l.puzzle, {RESULT} FROM levels l JOIN results r ON r.level = l.id "
            "WHERE l.shape = ? AND l.id != ? AND r.choice = ? AND r.turned_from IS NULL "
            "AND r.verdict IN ('solvable', 'unsolvable') LIMIT 1",
            shape,
            wanted.level,
            wanted.choice,
        )
        if not found:
            return None
        level, its_turn, puzzle, *values = found[0]
        return SymmetricResult(as_result(values, puzzle), its_turn, turn, level)

    def _hand_out(self) -> None:
        """Give chunks to the crew as long as somebody may wait for one."""
        slots = self._crew.slots
        while self._ready and len(self._chunks) < AHEAD * slots:
            size = self._crew.least
            if self._seconds is not None:
                size = int(self._crew.chunk_seconds / max(self._seconds, 1e-4))
            if self._entries is None:  # near the end everybody has some
                size = min(size, len(self._ready) // (AHEAD * slots))
            jobs = []
            for _ in range(max(1, min(size, self._crew.most, len(self._ready)))):
                wanted, twin = self._ready.popleft()
                self._jobs += 1
                self._solving[self._jobs] = wanted, twin
                options, certified = self._orders.options, self._orders.certified
                jobs.append(Job(self._jobs, wanted.entry, options, twin, certified))
            self._chunks.add(jobs[0].number)
            self._crew.submit(jobs)

    def _listen(self) -> None:
        """Wait for what comes next, and take what is there then."""
        wait = COMMIT_SECONDS
        for _ in range(STEPS):
            try:
                told = self._answers.get(timeout=wait) if wait else self._answers.get_nowait()
            except queue.Empty:
                return
            wait = 0.0
            if isinstance(told, Broken):
                raise CrewError(told.reason)
            if isinstance(told, Done):
                self._chunks.discard(told.first)
            elif told.identity is not None:
                self._identified(told.number, told.identity)
            else:
                self._take_answer(told)

    def _take_answer(self, answer: Answer) -> None:
        if answer.better is None:
            self._solved(answer)
        elif answer.number in self._solving:
            self._better[answer.number] = answer.better

    def _identified(self, number: int, what: Identity) -> None:
        if number in self._reading:
            entry, digest = self._reading.pop(number)
            self._named(entry, self._store.level(digest, what, entry.puzzle.name, entry.id))

    def _solved(self, answer: Answer) -> None:
        if answer.number not in self._solving:
            return  # it has come twice
        wanted, twin = self._solving.pop(answer.number)
        self._better.pop(answer.number, None)
        result = answer.result
        assert result is not None
        self._seconds = result.seconds if self._seconds is None else 0.9 * self._seconds + 0.1 * result.seconds
        self._keep(wanted, result, twin, answer.certificate)
        self._next.solved += 1
        self._next.turned += twin is not None
        self._wanted.discard(wanted.level)
        text = "SELECT id, title FROM names WHERE level = ? AND run = ?"
        names = self._store.query(text, wanted.level, self.number)
        self._tell([Named(id, title, wanted.level, wanted.choice) for id, title in names])
        self._wake(wanted, result)

    def _keep(self, wanted: _Wanted, result: Result, twin: SymmetricResult | None, data: bytes | None) -> None:
        """Write the answer, unless one that is there says more."""
        store, orders, key = self._store, self._orders, (wanted.level, wanted.choice)
        certificate: str | None = None
        if orders.certified:
            certificate = NO_CERTIFICATE
            if data is not None and orders.certificates is not None:
                path = orders.certificates / certificate_name(wanted.entry.id, store.content(wanted.level), data)
                write(path, data)
                certificate, data = str(path), None
            elif data is not None:
                certificate = IN_STORE
        text = f"SELECT {RESULT} FROM results r WHERE r.level = ? AND r.choice = ?"
        if wanted.again and (found := store.query(text, *key)):
            old = as_result(found[0], wanted.entry.puzzle.name)
            against = contradiction((old.verdict, old.cost, bool(old.optimal)), result)
            if against:
                self._contradicted(wanted, against)
                return
            is_more = old.verdict in DECIDED and result.verdict not in DECIDED
            if is_more and (not old.is_unproved or result.verdict == "error"):
                store.run("UPDATE results SET certificate = ? WHERE level = ? AND choice = ?", certificate, *key)
                return
            try:
                result = _both(old, result, is_cost=wanted.entry.puzzle.optimisation is None)
            except Refuted as error:
                self._contradicted(wanted, str(error))
                return
        turned_from = None if twin is None else twin.level
        store.add(
            *key, self.number, result, orders.options, turned_from=turned_from, certificate=certificate, data=data
        )

    def _contradicted(self, wanted: _Wanted, against: str) -> None:
        """Say that an answer contradicts an earlier one, which is kept."""
        self._next.codes.add(REFUTED)
        self._listener.problem(f"{wanted.entry.id}: refuted: {against}")

    def _wake(self, wanted: _Wanted, result: Result) -> None:
        """Let those who waited for the answer of a twin have it, turned."""
        if not self._orders.symmetry or wanted.entry.puzzle.symmetry is None:
            return
        ((shape, turn),) = self._store.query("SELECT shape, turn FROM levels WHERE id = ?", wanted.level)
        for each in self._shapes.pop((shape, wanted.choice), []):
            if result.verdict == "error":
                self._want(each)
                continue
            ((own_turn,),) = self._store.query("SELECT turn FROM levels WHERE id = ?", each.level)
            self._ready.append((each, SymmetricResult(result, turn, own_turn, wanted.level)))

    def _tell(self, names: Sequence[Named]) -> None:
        """Count names of one level, which has an answer now."""
        if names:
            result = answer(self._store, names[0].level, names[0].choice)
            if result.verdict == "error":
                names = [replace(each, reason=result.reason or "") for each in names]
            self._now += names
            self._next.verdicts[result.verdict] += len(names)
            self._next.unproved += result.is_unproved * len(names)
            self._next.codes.add(result.exit_code)


def _both(old: Result, new: Result, *, is_cost: bool) -> Result:
    """The new result with what the old one knows beside it: a cheaper solution, a higher bound.

    `is_cost` says that costs make one solution better than another. Raises Refuted where a solution costs less
    than the other's bound.
    """
    if is_cost and new.verdict == "solvable" and new.cost is not None and old.bound is not None:
        bounded(new, old.bound, new.metric or "")
    if new.verdict == "unsolvable" or (new.verdict == "solvable" and (new.optimal or not is_cost)):
        return new
    bound = max(old.bound or 0, new.bound or 0)
    best = new
    if old.verdict == "solvable" and (new.cost is None or (old.cost is not None and old.cost <= new.cost)):
        best = replace(old, id=new.id, title=new.title, reason=new.reason)
    if best.verdict == "unknown":
        return replace(best, bound=bound)
    return best if best.cost is None or not is_cost else bounded(best, bound, best.metric or "")


def _time(seconds: float) -> float:
    return seconds or float("inf")


def certificate_name(id: str, content: bytes, data: bytes) -> str:
    """The name of a file for this certificate: file and number, and a few digits of what the level is."""
    return file_name(id, content) + (CERTIFICATE if data.startswith(b"{") else STRATEGIES)


def file_name(id: str, content: bytes) -> str:
    """The name of a file about a level, without suffix."""
    name = quote(Path(id).name.encode("utf-8", "surrogateescape"), safe="").replace("%23", "-")
    return f"{short_name(name)}.{content.hex()[:8]}"
