"""A store: one SQLite file with every level once, its names, and its answers by options.

Many processes may read, one writes: the writer holds a lock on a file beside the store, which the system releases
however the process ends. SQLite's write-ahead log keeps all that was committed when a process is killed at any
moment, and nothing half. The tables have a version; a later version is refused. The statements are in `sql`.
"""

import contextlib
import errno
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Generator
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, NamedTuple, TypeAlias

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.mc.system.writing import open_no_link
from puzzlemc.reports.batch import sql
from puzzlemc.reports.crew.identity import Identity
from puzzlemc.reports.output.files import leads_away
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.nearest_file import nearest_file

BUSY_SECONDS = 30.0  # a reader may delay a commit for a moment
IN_STORE = "store"  # the place of a certificate that has no file of its own
MOST = 2**63 - 1  # the largest integer of SQLite

Key: TypeAlias = tuple[int, int]  # the number of a level, and that of the options it was solved with


class StoreError(Exception):
    """A store that cannot be read or written; says which, and why."""


class Earlier(NamedTuple):
    """An answer in the store, as far as it matters for solving the level again."""

    verdict: str
    timeout: float
    memory: float
    certificate: str | None
    optimal: int | None
    metric: str | None
    reason: str | None


class Store:
    """An open store.

    new  the file did not exist before
    """

    def __init__(self, path: Path, *, writing: bool = False) -> None:
        """Open a store for reading; with `writing` also for writing, and make it if needed. Raises StoreError."""
        self.path = path
        self.new = False
        self._lock: IO[str] | None = None
        self._leaves = False  # files of SQLite beside the store that did not exist before
        try:
            _require_store(path, new=writing)
            if writing:
                self._lock = _locked(path)
                if not path.exists():
                    self._make()
                self._open(f"{path.absolute().as_uri()}?mode=rw")
                self._check()
                self._open_to_write()
            else:
                self._open_to_read()
                self._check()
        except sqlite3.Error as error:
            self.close()
            raise StoreError(_message(path, error)) from None
        except OSError as error:
            self.close()
            raise StoreError(f"{path}: {error.strerror or error}") from None
        except StoreError:
            self.close()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file without a commit, and release the lock."""
        if connection := getattr(self, "_connection", None):
            with contextlib.suppress(sqlite3.Error):
                connection.close()
                if self._leaves:
                    self._tidy()
        if self._lock is not None:
            is_removed = _is_removed(self._lock.name)
            self._lock.close()
            if not is_removed:  # Windows removes no open file, also none that another process has opened since
                _is_removed(self._lock.name)
            self._lock = None

    def _tidy(self) -> None:
        """Let SQLite remove its files beside the store, unless others use them; a reader cannot do so."""
        self._leaves = False
        with contextlib.closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=rw", uri=True)) as last:
            last.execute(sql.TABLE_COUNT).fetchone()

    def discard(self) -> None:
        """Close the file without a commit, and remove it."""
        self._connection.close()
        self.path.unlink(missing_ok=True)
        self.close()

    def commit(self) -> None:
        """Write all changes since the last commit. Raises StoreError; then nothing was written."""
        self._do(self._connection.commit)

    def query(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement of `sql` finds. Raises StoreError."""
        found: list[tuple[Any, ...]] = self._do(lambda: self._connection.execute(text, values).fetchall())
        return found

    def each(self, text: str, *values: object) -> Generator[tuple[Any, ...], None, None]:
        """Yield the same rows one by one."""
        try:
            # `yield from` would pass the end of this generator to the cursor, which fails on a closed store.
            for row in self._connection.execute(text, values):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise StoreError(_message(self.path, error)) from None

    def run(self, text: str, *values: object) -> int:
        """Run a statement that changes the store; returns the number of the new row. Raises StoreError."""
        return int(self._do(lambda: self._connection.execute(text, values).lastrowid) or 0)

    # Runs and options

    def begin(self, arguments: list[str]) -> int:
        """The number of a new run."""
        return self.run(sql.BEGIN_RUN, time.time(), json.dumps(arguments))

    def end(self, run: int) -> None:
        """Record the end of a run."""
        self.run(sql.END_RUN, time.time(), run)

    def counts_of_last_run(self) -> tuple[int, int, int]:
        """The number of names in the last run, of different levels, and of levels up to symmetry."""
        ((names, levels, shapes),) = self.query(sql.COUNTS_OF_LAST_RUN)
        return names, levels, shapes

    def choice(self, rules: Puzzle, options: Options) -> int:
        """The number of the options as a puzzle takes them; they are added if they are new.

        Raises ModelError if the puzzle does not have them.
        """
        chosen = choices(rules, options)
        stored = {"metric": chosen.metric, "encoding": chosen.encoding, "why": options.why}
        if options.chance != "lucky":
            stored["chance"] = options.chance
        stored |= {"engine": options.engine, "diagrams": options.diagrams}
        text = json.dumps(stored, sort_keys=True)
        self.run(sql.ADD_OPTIONS, text)
        return int(self.query(sql.CHOICE_OF_OPTIONS, text)[0][0])

    def options(self, choice: int) -> dict[str, Any]:
        """The options of a number, by name; limits do not belong to them."""
        return _options(self.query(sql.OPTIONS, choice)[0][0])

    def all_options(self) -> list[dict[str, Any]]:
        """All options that levels were solved with."""
        return [_options(text) for (text,) in self.query(sql.ALL_OPTIONS)]

    # Levels and names

    def level_of_text(self, digest: bytes) -> int | None:
        """The level that a text is known to be."""
        found = self.query(sql.LEVEL_OF_TEXT, digest)
        return int(found[0][0]) if found else None

    def level(self, digest: bytes, what: Identity, puzzle: str, id: str) -> int:
        """The number of a level, which is added if it is new; records its text by digest, too."""
        found = self.query(sql.LEVEL_OF_CONTENT, what.content)
        if found:
            number = int(found[0][0])
        else:
            texts = puzzle, storable(what.drawing), storable(id)
            number = self.run(sql.ADD_LEVEL, what.content, what.shape, what.turn, *texts)
        self.run(sql.ADD_TEXT, digest, number)
        return number

    def content(self, level: int) -> bytes:
        """The digest of a level."""
        return bytes(self.query(sql.CONTENT, level)[0][0])

    def shape(self, level: int) -> tuple[bytes, int]:
        """The digest of the canonical form of a level, and the turn that leads there."""
        ((shape, turn),) = self.query(sql.SHAPE_AND_TURN, level)
        return shape, turn

    def of_shape(self, level: int) -> list[tuple[int, str]]:
        """All levels equal to this one up to symmetry, itself included: the number and the first name."""
        return [(number, str(first)) for number, first in self.query(sql.OF_SHAPE, level)]

    def drawing(self, level: int) -> tuple[str, str]:
        """The puzzle of a level, and the level as text."""
        ((puzzle, text),) = self.query(sql.DRAWING, level)
        return str(puzzle), str(text)

    @property
    def is_empty(self) -> bool:
        """Has it no level?"""
        return not self.query(sql.ANY_LEVEL)

    @property
    def unanswered(self) -> int:
        """The number of levels without an answer."""
        return int(self.query(sql.UNANSWERED)[0][0])

    def name(self, id: str, level: int, title: str, run: int) -> bool:
        """Record a name of a level in a run; is it new in this run?"""
        values = storable(id), level, storable(title), run
        return bool(self._do(lambda: self._connection.execute(sql.ADD_NAME, values).rowcount))

    def names(self) -> Generator[str, None, None]:
        """Yield the names of all levels."""
        return (id for (id,) in self.each(sql.ALL_NAMES))

    def widest_name(self) -> tuple[int | None, int | None]:
        """The length of the longest name and of the longest title; None without any."""
        ((id_width, title_width),) = self.query(sql.WIDEST_NAME)
        return id_width, title_width

    # Results

    def earlier(self, key: Key) -> Earlier | None:
        """The earlier answer for a level and options."""
        found = self.query(sql.EARLIER, *key)
        return Earlier(*found[0]) if found else None

    def add(
        self,
        key: Key,
        run: int,
        result: Result,
        options: Options,
        *,
        turned_from: int | None = None,
        certificate: str | None = None,
        data: bytes | None = None,
    ) -> None:
        """Add an answer, or replace an earlier one.

        `turned_from` is the symmetric level that the result comes from. `certificate` is the place of the
        certificate, and `data` the certificate itself if that place is the store.
        """
        level, choice = key
        search, effort = result.search, result.effort
        states = None if search.statistics is None else search.statistics.states
        values: dict[str, object] = {
            "level": level,
            "choice": choice,
            "run": run,
            "verdict": result.verdict,
            "metric": result.metric,
            "cost": _number(result.cost),
            "optimal": result.optimal,
            "trace": None if result.trace is None else json.dumps(result.trace),
            "costs": json.dumps(dict(result.costs)),
            "engine": search.engine,
            "diagrams": search.diagrams,
            "encoding": search.encoding,
            "checked": result.checked,
            "bound": _number(result.bound),
            "reason": result.reason and storable(result.reason),
            "seconds": round(effort.seconds, 4),
            "peak_mb": effort.peak_mb,
            "states": _number(states),
            "best": _best(result),
            "game": result.game and json.dumps(dict(result.game)),
            "note": storable(result.note),
            "code": result.exit_code,
            "timeout": options.timeout,
            "memory": options.memory,
            "turned_from": turned_from,
            "certificate": certificate,
        }
        if data is not None:  # before the result: a result with a certificate has it, even after an interruption
            self.run(sql.ADD_CERTIFICATE, level, choice, zlib.compress(data, 6))
        names = (*sql.KEY, *sql.COLUMNS, *sql.LIMITS)
        self.run(sql.ADD_RESULT, *(values[name] for name in names))

    def certificate(self, level: int, choice: int) -> bytes | None:
        """The certificate that is kept in the store."""
        found = self.query(sql.CERTIFICATE, level, choice)
        return zlib.decompress(found[0][0]) if found else None

    def set_certificate(self, key: Key, certificate: str | None) -> None:
        """Change the place of the certificate of an answer."""
        self.run(sql.SET_CERTIFICATE, certificate, *key)

    # Opening

    def _do(self, action: Any) -> Any:
        try:
            return action()
        except sqlite3.Error as error:
            raise StoreError(_message(self.path, error)) from None

    def _open(self, uri: str) -> None:
        self._connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)

    def _open_to_read(self) -> None:
        uri = self.path.absolute().as_uri()
        self._leaves = not self.path.with_name(f"{self.path.name}-wal").exists()
        self._open(f"{uri}?mode=ro")
        try:
            self._connection.execute(sql.TABLE_COUNT).fetchone()
        except sqlite3.OperationalError:
            # The folder is read-only: then nobody writes to the store.
            self._connection.close()
            self._open(f"{uri}?immutable=1")

    def _make(self) -> None:
        """Make an empty store beside its place, and move it there: nobody sees an incomplete one."""
        beside = self.path.with_name(f".puzzlemc-{token_hex(8)}.part")
        try:
            with contextlib.closing(sqlite3.connect(beside)) as connection:
                connection.executescript(sql.MAKE)
            beside.rename(self.path)
        finally:
            beside.unlink(missing_ok=True)
        self.new = True

    def _open_to_write(self) -> None:
        for statement in sql.SETTINGS:
            self._connection.execute(statement)

    def _check(self) -> None:
        is_empty = self._connection.execute(sql.TABLE_COUNT).fetchone() == (0,)
        (application,) = self._connection.execute(sql.READ_APPLICATION).fetchone()
        (version,) = self._connection.execute(sql.READ_VERSION).fetchone()
        if application != sql.APPLICATION:
            if is_empty:
                expected = "expected a store that `batch` has written"
                raise StoreError(f"{self.path}: found an empty database, {expected}")
            raise StoreError(f"{self.path}: found a database of another program, expected a store")
        if version > sql.VERSION:
            message = f"found a store of version {version}, expected at most {sql.VERSION}"
            raise StoreError(f"{self.path}: {message}: a newer puzzlemc wrote it")


def _require_store(path: Path, *, new: bool) -> None:
    """Raise StoreError unless the path is a file that is not empty, or, for a new store, no file yet."""
    expected = "expected a store that `batch` has written" + (", or the name of a new file" if new else "")
    if new and leads_away(path):
        raise StoreError(f"{path}: found a link out of its folder, {expected}")
    if path.is_dir():
        raise StoreError(f"{path}: found a folder, {expected}")
    if not path.exists():
        if not new:
            raise StoreError(f"{path}: found no such file, {expected}{nearest_file(path)}")
    elif not path.is_file():
        raise StoreError(f"{path}: found no regular file, {expected}")
    elif not path.stat().st_size:
        raise StoreError(f"{path}: found an empty file, {expected}")


def _locked(path: Path) -> IO[str]:
    """The lock of a store. Raises StoreError if another process writes, or if the file is not a lock."""
    from filelock import lock_descriptor  # readers need no lock

    beside = path.with_name(f"{path.name}.lock")
    while True:
        try:
            file = open(beside, "a", encoding="utf-8", opener=open_no_link)  # noqa: SIM115 - the store closes it
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise StoreError(f"{beside}: found a link, expected no file of this name") from None
        if os.fstat(file.fileno()).st_size:  # a lock is empty; it is removed when the store is closed
            file.close()
            raise StoreError(f"{beside}: found a file that is no lock, expected no file of this name")
        if not lock_descriptor(file.fileno(), blocking=False):
            file.close()
            raise StoreError(f"{path}: another batch is writing to this store, expected one at a time") from None
        try:
            if os.path.samestat(os.fstat(file.fileno()), beside.stat()):
                return file
        except FileNotFoundError:
            pass
        file.close()  # the process that held it has just removed it


def _is_removed(path: str) -> bool:
    """Remove a file, if that is possible."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _message(path: Path, error: sqlite3.Error) -> str:
    """The message of an error of SQLite, with the name of the file."""
    if "not a database" in str(error):
        return f"{path}: found a file that is no database, expected a store"
    return f"{path}: {error}"


def storable(text: str) -> str:
    """The text as SQLite accepts it: file names may hold any bytes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _number(value: int | None) -> int | None:
    """The number, or None if SQLite cannot hold it."""
    return None if value is None or value > MOST else value


def _best(result: Result) -> str | None:
    """The quality of the solution, or the best probability of winning."""
    if result.probability is not None:
        return json.dumps({sql.PROBABILITY: result.probability.as_json()})
    return json.dumps(dict(result.best)) if result.best else None


def _options(text: str) -> dict[str, Any]:
    """Options as they are stored, without those that are not set."""
    found: dict[str, Any] = json.loads(text)
    found.setdefault("chance", "lucky")  # it is stored only if it is another one
    return {name: value for name, value in found.items() if value is not None}
