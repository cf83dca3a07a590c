"""A store: one SQLite file with every level once, where it was found, and its answers by options.

Many may read, one writes: who writes holds a lock on a file beside the store, which goes with the process
however that ends. Answers are written ahead (SQLite's WAL), so a process killed at any moment leaves all that
was committed, and nothing half. The form of the tables has a version; a later version is refused, not guessed
at.
"""

import contextlib
import fcntl
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Generator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from puzzlemc.reports.crew.identity import Identity
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import Options

APPLICATION = 0x707A6D63  # in the head of the file
VERSION = 1
CACHE_KIB = 32 << 10  # digests come in no order: few of their pages should have to be read again
BUSY_SECONDS = 30.0  # a reader may hold up a commit for a moment

_TABLES = """
CREATE TABLE levels (
    id INTEGER PRIMARY KEY,
    content BLOB NOT NULL UNIQUE,
    shape BLOB NOT NULL,
    turn INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    drawing TEXT NOT NULL,
    first TEXT NOT NULL
);
CREATE INDEX level_by_shape ON levels (shape);
CREATE TABLE texts (digest BLOB PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE names (
    id TEXT PRIMARY KEY,
    level INTEGER NOT NULL,
    title TEXT NOT NULL,
    run INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX name_by_level ON names (level);
CREATE TABLE choices (id INTEGER PRIMARY KEY, told TEXT NOT NULL UNIQUE);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, began REAL NOT NULL, ended REAL, arguments TEXT NOT NULL
);
CREATE TABLE results (
    level INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    metric TEXT,
    cost INTEGER,
    optimal INTEGER,
    trace TEXT,
    costs TEXT NOT NULL,
    engine TEXT,
    diagrams TEXT,
    encoding TEXT,
    checked INTEGER NOT NULL,
    bound INTEGER,
    reason TEXT,
    seconds REAL NOT NULL,
    peak_mb REAL,
    states INTEGER,
    best TEXT,
    game TEXT,
    note TEXT NOT NULL,
    code INTEGER NOT NULL,
    timeout REAL NOT NULL,
    memory REAL NOT NULL,
    turned_from INTEGER,
    certificate TEXT,
    PRIMARY KEY (level, choice)
) WITHOUT ROWID;
CREATE TABLE certificates (
    level INTEGER NOT NULL, choice INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (level, choice)
) WITHOUT ROWID;
"""
IN_STORE = "store"  # where a certificate is, instead of the name of a file
MOST = 2**63 - 1  # what SQLite takes for a number


class StoreError(Exception):
    """A store that cannot be read or written; says which, and why."""


class Store:
    """A store that is open for reading, or, by `writing`, for writing, too.

    new  it was not there, and was made
    """

    def __init__(self, path: Path, *, writing: bool = False) -> None:
        """Open a store; for writing, make it where there is none. Raises StoreError."""
        self.path = path
        self.new = False
        self._lock: IO[str] | None = None
        self._leaves = False  # files of SQLite beside the store, which were not there
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
            raise StoreError(_told(path, error)) from None
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
        """Close the file, without a commit, and let others write."""
        if connection := getattr(self, "_connection", None):
            with contextlib.suppress(sqlite3.Error):
                connection.close()
                if self._leaves:
                    self._tidy()
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._lock.name)
            self._lock.close()
            self._lock = None

    def _tidy(self) -> None:
        """Have SQLite remove what it has made beside the store, unless others use it: a reader may not do so."""
        self._leaves = False
        with contextlib.closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=rw", uri=True)) as last:
            last.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def discard(self) -> None:
        """Close the file without a commit, and remove it."""
        self._connection.close()
        self.path.unlink(missing_ok=True)
        self.close()

    def commit(self) -> None:
        """Write what was added since. Raises StoreError; then it was not written."""
        self._do(self._connection.commit)

    def query(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a statement, which this program has written. Raises StoreError."""
        found: list[tuple[Any, ...]] = self._do(lambda: self._connection.execute(text, values).fetchall())
        return found

    def each(self, text: str, *values: object) -> Generator[tuple[Any, ...], None, None]:
        """The same, a row at a time."""
        try:
            # `yield from` would hand the end of this generator on to the cursor, which refuses it once the store
            # is closed.
            for row in self._connection.execute(text, values):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise StoreError(_told(self.path, error)) from None

    def run(self, text: str, *values: object) -> None:
        """Run a statement that changes something, which this program has written. Raises StoreError."""
        self._add(text, *values)

    # What a run asks and adds

    def begin(self, arguments: list[str]) -> int:
        """The number of a new run."""
        return self._add("INSERT INTO runs (began, arguments) VALUES (?, ?)", time.time(), json.dumps(arguments))

    def end(self, run: int) -> None:
        """Note that a run has come to its end."""
        self._add("UPDATE runs SET ended = ? WHERE id = ?", time.time(), run)

    def choice(self, told: Mapping[str, object]) -> int:
        """The number of some options."""
        text = json.dumps(told, sort_keys=True)
        self._add("INSERT OR IGNORE INTO choices (told) VALUES (?)", text)
        return int(self.query("SELECT id FROM choices WHERE told = ?", text)[0][0])

    def level_of_text(self, digest: bytes) -> int | None:
        """The level that a text is known to be."""
        found = self.query("SELECT level FROM texts WHERE digest = ?", digest)
        return int(found[0][0]) if found else None

    def level(self, digest: bytes, what: Identity, puzzle: str, id: str) -> int:
        """The number of a level, which is added where it is new, with the text that it is."""
        found = self.query("SELECT id FROM levels WHERE content = ?", what.content)
        if found:
            number = int(found[0][0])
        else:
            number = self._add(
                "INSERT INTO levels (content, shape, turn, puzzle, drawing, first) VALUES (?, ?, ?, ?, ?, ?)",
                what.content,
                what.shape,
                what.turn,
                puzzle,
                _storable(what.drawing),
                _storable(id),
            )
        self._add("INSERT OR REPLACE INTO texts (digest, level) VALUES (?, ?)", digest, number)
        return number

    def content(self, level: int) -> bytes:
        """The digest of a level."""
        return bytes(self.query("SELECT content FROM levels WHERE id = ?", level)[0][0])

    def name(self, id: str, level: int, title: str, run: int) -> bool:
        """Note that a level goes by that name; was it not there in this run yet?"""
        text = (
            "INSERT INTO names (id, level, title, run) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "level = excluded.level, title = excluded.title, run = excluded.run "
            "WHERE run != excluded.run OR level != excluded.level"
        )
        values = _storable(id), level, _storable(title), run
        return bool(self._do(lambda: self._connection.execute(text, values).rowcount))

    def add(
        self,
        level: int,
        choice: int,
        run: int,
        result: Result,
        options: Options,
        *,
        turned_from: int | None = None,
        certificate: str | None = None,
        data: bytes | None = None,
    ) -> None:
        """Keep the answer for a level in the place of an earlier one."""
        states = None if result.statistics is None else result.statistics.states
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
            "engine": result.engine,
            "diagrams": result.diagrams,
            "encoding": result.encoding,
            "checked": result.checked,
            "bound": _number(result.bound),
            "reason": result.reason and _storable(result.reason),
            "seconds": round(result.seconds, 4),
            "peak_mb": result.peak_mb,
            "states": _number(states),
            "best": result.best and json.dumps(dict(result.best)),
            "game": result.game and json.dumps(dict(result.game)),
            "note": _storable(result.note),
            "code": result.exit_code,
            "timeout": options.timeout,
            "memory": options.memory,
            "turned_from": turned_from,
            "certificate": certificate,
        }
        if data is not None:  # first: a result that speaks of a certificate has one, wherever this is cut off
            packed = zlib.compress(data, 6)
            self._add("INSERT OR REPLACE INTO certificates VALUES (?, ?, ?)", level, choice, packed)
        marks = ", ".join("?" * len(values))
        self._add(f"INSERT OR REPLACE INTO results ({', '.join(values)}) VALUES ({marks})", *values.values())

    def certificate(self, level: int, choice: int) -> bytes | None:
        """The certificate that is kept in the store."""
        found = self.query("SELECT data FROM certificates WHERE level = ? AND choice = ?", level, choice)
        return zlib.decompress(found[0][0]) if found else None

    # Opening

    def _add(self, text: str, *values: object) -> int:
        return int(self._do(lambda: self._connection.execute(text, values).lastrowid) or 0)

    def _do(self, action: Any) -> Any:
        try:
            return action()
        except sqlite3.Error as error:
            raise StoreError(_told(self.path, error)) from None

    def _open(self, uri: str) -> None:
        self._connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)

    def _open_to_read(self) -> None:
        uri = self.path.absolute().as_uri()
        self._leaves = not self.path.with_name(f"{self.path.name}-wal").exists()
        self._open(f"{uri}?mode=ro")
        try:
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            # A folder in which nothing may be written: then nobody else does either.
            self._connection.close()
            self._open(f"{uri}?immutable=1")

    def _make(self) -> None:
        """Make a store without levels beside its place, and move it there: nobody ever sees half of one."""
        beside = self.path.with_name(f".puzzlemc-{token_hex(8)}.part")
        try:
            with contextlib.closing(sqlite3.connect(beside)) as connection:
                text = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                connection.executescript(f"BEGIN; {_TABLES} {text} COMMIT;")
            beside.rename(self.path)
        finally:
            beside.unlink(missing_ok=True)
        self.new = True

    def _open_to_write(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        # A process that is killed loses nothing by this; a machine that loses its power, the last moment.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def _check(self) -> None:
        is_empty = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            if is_empty:
                expected = "expected a store that `batch` has written"
                raise StoreError(f"{self.path}: found an empty database, {expected}")
            raise StoreError(f"{self.path}: found a database of something else, expected a store")
        if version > VERSION:
            message = f"found a store of version {version}, expected at most {VERSION}: a newer puzzlemc wrote it"
            raise StoreError(f"{self.path}: {message}")


def _require_store(path: Path, *, new: bool) -> None:
    """Raise StoreError unless the path is a file with something in it, or, for a new store, no file yet."""
    expected = "expected a store that `batch` has written" + (", or the name of a new file" if new else "")
    if path.is_dir():
        raise StoreError(f"{path}: found a folder, {expected}")
    if not path.exists():
        if not new:
            raise StoreError(f"{path}: found no such file, {expected}")
    elif not path.is_file():
        raise StoreError(f"{path}: found no regular file, {expected}")
    elif not path.stat().st_size:
        raise StoreError(f"{path}: found an empty file, {expected}")


def _locked(path: Path) -> IO[str]:
    """The lock of a store. Raises StoreError where another process writes, or the file is one of somebody else."""
    beside = path.with_name(f"{path.name}.lock")
    while True:
        file = beside.open("a")
        if os.fstat(file.fileno()).st_size:  # a lock is empty; it is removed when the store is closed
            file.close()
            raise StoreError(f"{beside}: found a file that is no lock, expected none beside the store")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise StoreError(f"{path}: another batch is writing to this store, expected one at a time") from None
        try:
            if os.path.samestat(os.fstat(file.fileno()), beside.stat()):
                return file
        except FileNotFoundError:
            pass
        file.close()  # whoever had it has just removed it


def _told(path: Path, error: sqlite3.Error) -> str:
    """An error of SQLite with the name of the file."""
    if "not a database" in str(error):
        return f"{path}: found a file that is no database, expected a store"
    return f"{path}: {error}"


def _storable(text: str) -> str:
    """The text as SQLite takes it: names of files are any bytes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _number(value: int | None) -> int | None:
    """A number that SQLite takes, None where it is none."""
    return None if value is None or value > MOST else value


def contradiction(old: tuple[str, int | None, bool], new: Result) -> str:
    """Why an earlier answer (verdict, cost, optimal) and a new one cannot both be true; empty where they can."""
    verdict, cost, optimal = old
    if {verdict, new.verdict} == {"solvable", "unsolvable"}:
        return f"found {new.verdict}, but {verdict} before"
    if verdict != "solvable" or new.verdict != verdict or cost is None or new.cost is None:
        return ""
    if (optimal and new.cost < cost) or (new.optimal and new.cost > cost):
        return f"found a cost of {new.cost}, but {cost} before, and the least is claimed to be known"
    return ""
