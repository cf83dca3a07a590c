"""A process that runs one function after another, each under limits of time and memory that hold.

Engines check the clock and their memory by themselves, but not inside one long call of a library, nor while a
level is read or encoded. So twenty times a second the parent also checks the clock and the resident memory of the
process. If a limit is exceeded, it kills the process, and the next function gets a new one. A process that dies
for another reason has crashed, or something else has killed it; the parent raises `WorkerDied`. Where the system
can limit the address space, an allocation beyond all limits fails at once.

A process is forked from the fork server of `multiprocessing`: a copy of a program with threads can hang, since it
has locks without the threads that hold them. The start of the server takes as long as a small level. So a command
forks its first processes itself, before it starts a thread (`fork_ahead`). Where processes cannot be copied safely
(`mc/system/processes.py`), each is a new interpreter.
"""

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzles import fault_of
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, PuzzlemcError, Refuted
from puzzlemc.mc.system.memory import limit_address_space, own_resident, processor_seconds, resident
from puzzlemc.mc.system.processes import COPIES, METHOD, wait_for_end_of_parent
from puzzlemc.mc.system.signals import HANDLED, KILL, held_back, let_through
from puzzlemc.reports.output.files import OutputError
from puzzlemc.screens.base.errors import LevelError

LOOK_SECONDS = 0.05  # between two checks of a process
GRACE_SECONDS = 0.5  # between the time limit, which functions check by themselves, and the end by force
END_SECONDS = 5.0  # the longest wait for the end of a killed process
LIBRARY_BYTES = 64 << 20  # resident memory of libraries that functions load: numpy, and dd with networkx
SPARE_BYTES = 4 << 30  # address space of libraries, beside that of functions
PAUSES = (0.05, 0.5, 0.0)  # after attempts to use a fork server that ends: a killed one seems alive for a moment
ADDRESSES = 3  # address space per byte of memory: an array that grows exists twice for a moment
KEPT = 4  # a process is replaced if earlier functions have left more than 1/KEPT of the memory in use
PART, SINCE, SPENT, BOUND = range(4)  # indices of the array that `mark` and `mark_bound` write
SAFE_PATH = "PYTHONSAFEPATH"  # set: Python does not search the folder of a script, nor the current one
# Libraries with threads, locks or tables of their own: a process that has loaded one is not forked.
STATEFUL = frozenset(["dd", "matplotlib", "numpy", "oxidd", "pyarrow", "pysat", "sqlite3", "textual"])

# The errors that a function may raise; any other one is a crash.
_raised = (ModelError, FormulaError, Refuted, LevelError, LimitReached, OutputError, OSError)
_pipe: Any = None  # in a worker: the connection to its parent
_mark: Any = None  # in a worker: an array in shared memory, from which the parent reads the current part
_most: int | None = None  # in a worker: with more resident bytes, it is replaced before the next function
_began = 0.0  # in a worker: the time from which its parent counts the seconds of the function, part or stage
_server = threading.Lock()  # all threads share the fork server, and read exit codes from it
_ahead: list["_Process"] = []  # from `fork_ahead`, not in use yet


class WorkerDied(PuzzlemcError):
    """The process of a function has crashed, or something else than its parent has killed it.

    killed  by force, as by a system that runs out of memory
    """

    def __init__(self, reason: str, *, killed: bool = False) -> None:
        super().__init__(reason)
        self.killed = killed


class Crashed(WorkerDied):
    """A function has raised an error that it may not raise: a bug, so trying again is of no use."""


class _Process(NamedTuple):
    """A process, the connection to it, and the array of its marks."""

    process: Any
    connection: Any
    mark: Any


class Worker:
    """A process for functions, started when it is first needed.

    memory   the limit for functions, in bytes; the memory of the interpreter and its libraries comes on top
    preload  modules that processes have from the start
    seconds  of processor time that the last function, or its current part, has taken
    """

    def __init__(self, memory: int, preload: tuple[str, ...] = ()) -> None:
        self.seconds = 0.0
        self._memory = memory
        self._left_over = LIBRARY_BYTES + memory // KEPT  # bytes beyond `_base` with which a process is kept
        self._preload = ("puzzlemc.reports.workers.worker", *preload)
        self._process: Any = None
        self._connection: Any = None
        self._mark: Any = [0.0] * 4
        self._base = 0  # resident bytes of the process before its first function
        self._busy = False  # then only the thread of `run` waits for the end of the process
        self._stopped = False
        self._state = threading.RLock()  # of `_busy` and `_stopped`

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def run(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = None,
        receive: Callable[[Any], None] = lambda _: None,
        look: Callable[[float], None] = lambda _: None,
    ) -> Any:
        """Call the function in the process, and return its result.

        seconds  the limit of wall clock; None: no limit
        receive  gets the messages that the function sends by `tell`
        look     is called twenty times a second with the seconds of the limit that have passed; if it raises
                 LimitReached, the process is killed

        Raises the error of the function if it is one of `_raised`, Crashed for any other error, LimitReached if a
        limit is exceeded, and WorkerDied if the process dies for another reason, or if none can be started.
        """
        self.seconds = 0.0
        with self._state:
            if self._stopped:
                raise WorkerDied("the worker was stopped")
            self._busy = True
        try:
            self._prepare()
            kind, value = self._answer((function, arguments), seconds, receive, look)
        except (EOFError, ConnectionError):
            raise self._death() from None
        except BaseException:
            self._kill()  # a late answer of this function must not become the answer of the next one
            raise
        finally:
            with self._state:
                self._busy = False
                if self.stopped:
                    self._kill()
        if kind == "failed":
            raise Crashed(value)
        if kind == "raised":
            raise value
        return value

    @property
    def part(self) -> int:
        """The last number that the function has passed to `mark`; 0 if there is none."""
        return int(self._mark[PART])

    def bound(self, part: int) -> int:
        """The last bound of that part from `mark_bound`; 0 if there is none, or if another part has begun."""
        bound = int(self._mark[BOUND])
        return bound if self.part == part else 0

    @property
    def resident(self) -> int:
        """Bytes of resident memory of the process; 0 without a process."""
        process = self._process
        return 0 if process is None else resident(process.pid) or 0

    @property
    def spare(self) -> int:
        """Bytes that the interpreter and its libraries may take, beside the memory of a function."""
        return self._base + LIBRARY_BYTES

    @property
    def stopped(self) -> bool:
        """Was `stop` called?"""
        return self._stopped

    def stop(self) -> None:
        """Kill the process, even in the middle of a function. No other process follows it."""
        with self._state:
            self._stopped = True
            process = self._process
            if not self._busy:
                self._kill()
            elif process is not None:  # the thread that waits for the answer handles its end
                process.kill()

    def _answer(
        self,
        call: tuple[Any, Any],
        seconds: float | None,
        receive: Callable[[Any], None],
        look: Callable[[float], None],
    ) -> tuple[str, Any]:
        """The kind and the value of the answer to a call. Raises LimitReached, or EOFError if the process dies."""
        process, connection = self._process, self._connection
        ceiling = self.spare + self._memory
        spent = processor_seconds(process.pid)
        started, allowed = time.monotonic(), seconds
        looked = started
        self._mark[:] = [0.0] * 4
        connection.send((*call, started))
        while True:
            kind, value = connection.recv() if connection.poll(LOOK_SECONDS) else ("busy", None)
            now = time.monotonic()
            if self._mark[SINCE] > started:
                started, allowed = self._mark[SINCE], seconds
                spent, self.seconds = self._mark[SPENT], 0.0
            if kind in {"done", "raised", "failed"}:
                self.seconds = max(self.seconds, processor_seconds(process.pid) - spent)
                return kind, value
            if kind == "stage":
                started = now
                allowed = None if seconds is None else max(seconds, float(value or 0))
            elif kind == "message":
                receive(value)
            if now - looked < LOOK_SECONDS:  # messages may come more often than checks are needed
                continue
            looked = now
            self.seconds = max(self.seconds, processor_seconds(process.pid) - spent)
            reached = None
            if allowed is not None and now - started > allowed + GRACE_SECONDS:
                reached = LimitReached("timeout")
            elif self.resident > ceiling:
                reached = LimitReached("memory")
            if reached is None:
                look(now - started)
            elif not connection.poll():  # otherwise something has arrived meanwhile, perhaps the answer
                raise reached

    def _prepare(self) -> None:
        """Start a process if there is none, or if the present one has too little memory left. Raises EOFError."""
        if self._process is not None:
            size = resident(self._process.pid)
            if size is None or size > self._base + self._left_over:
                self._kill()
        if self._process is None:
            with _server:
                self._process, self._connection, self._mark = _ahead.pop() if _ahead else _new(self._preload)
            self._base = self._connection.recv()
            self._connection.send((ADDRESSES * self._memory + SPARE_BYTES, self._left_over))
        if self._stopped:
            raise WorkerDied("the worker was stopped")

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._gone()

    def _gone(self) -> int | None:
        """Wait for the end of the process; return its exit code, None if it did not end in END_SECONDS."""
        process, self._process = self._process, None
        deadline = time.monotonic() + END_SECONDS
        while True:
            with _server:
                process.join(LOOK_SECONDS)
                code: int | None = process.exitcode
            if code is not None or time.monotonic() > deadline:
                self._connection.close()
                return code

    def _death(self) -> WorkerDied:
        """The error that describes how the process ended."""
        code = self._gone()
        if self._stopped or code is None:
            return WorkerDied("the worker was stopped")
        if code >= 0:
            return WorkerDied(f"the worker ended with exit code {code}")
        name = signal.Signals(-code).name
        return WorkerDied(f"the worker was killed by signal {-code} ({name})", killed=-code == KILL)


def tell(what: Any) -> None:
    """In a worker: send a message to the parent while the function goes on. Elsewhere it does nothing."""
    if _pipe is not None:
        _pipe.send(("message", what))


def next_stage(at_least: float = 0.0) -> None:
    """In a worker: restart the clock of the function's time limit. Elsewhere it does nothing.

    at_least  seconds that the rest of the function has, even if its limit is shorter
    """
    global _began
    if _pipe is not None:
        _pipe.send(("stage", at_least))
        _began = time.monotonic()


def mark(number: int) -> None:
    """In a worker: begin the part of that number, and restart the clock. Elsewhere it does nothing.

    It writes to shared memory, which the parent reads at its next check: much cheaper than `next_stage`.
    """
    global _began
    if _mark is not None:
        # The number comes last: a parent that reads in between must not take the bound of the previous part for
        # one of this part.
        _mark[BOUND] = 0
        _mark[SPENT] = time.process_time()
        _mark[SINCE] = _began = time.monotonic()
        _mark[PART] = number


def mark_bound(bound: int) -> None:
    """In a worker: let the parent read a bound that was proved in this part. Elsewhere it does nothing."""
    if _mark is not None:
        _mark[BOUND] = bound


def elapsed() -> float:
    """In a worker: seconds since the function, or its part or stage, began. Elsewhere 0.

    As for the parent, a function begins when the parent sends it: the time to load its code is included.
    """
    return time.monotonic() - _began if _pipe is not None else 0.0


def is_full() -> bool:
    """In a worker: is resident memory so high that the process must be replaced? Elsewhere False."""
    return _most is not None and own_resident() > _most


def fork_ahead(count: int, preload: Sequence[str]) -> None:
    """Fork processes for the first `count` Workers of this program from this process, with these modules.

    It does nothing where processes are not copied, nor if a copy of this process could hang: if there are other
    threads, or STATEFUL libraries.
    """
    if not COPIES or threading.active_count() > 1 or not STATEFUL.isdisjoint(sys.modules):
        return
    with _server:
        while len(_ahead) < count:
            with held_back(*HANDLED):  # until `_serve` has its own handlers
                _ahead.append(_started(multiprocessing.get_context("fork"), preload))


def _new(preload: Sequence[str]) -> _Process:
    """A new process. A fork server imports the modules that its first process needs."""
    context = multiprocessing.get_context(METHOD)
    if COPIES:
        context.set_forkserver_preload(list(preload))
    main, path = sys.modules["__main__"], os.environ.get(SAFE_PATH)
    # A worker needs nothing of the program, which it would import: a script that solves levels would begin anew.
    sys.modules["__main__"] = ModuleType("__main__")
    # Interpreters are started by `python -c`, which searches the current folder first.
    os.environ[SAFE_PATH] = "1"
    try:
        for pause in PAUSES:
            with contextlib.suppress(EOFError, ConnectionError):
                if COPIES:
                    _start_server()
                    return _started(context, preload)
                if os.name == "posix":
                    resource_tracker.ensure_running()  # which lets the signal through after its start
                with held_back(signal.SIGINT):
                    return _started(context, preload)
            time.sleep(pause)
        raise WorkerDied("no worker can be started: the fork server has ended")
    except OSError as error:
        raise WorkerDied(f"no worker can be started: {error}") from None
    finally:
        sys.modules["__main__"] = main
        os.environ.pop(SAFE_PATH)
        if path is not None:
            os.environ[SAFE_PATH] = path


def _started(context: Any, preload: Sequence[str]) -> _Process:
    mine, its = context.Pipe()
    mark = context.RawArray("d", 4)
    # Ends of pipes that a forked process inherits, and must close: a pipe ends when all have closed it.
    inherited = [mine, *(each.connection for each in _ahead)] if context.get_start_method() == "fork" else []
    arguments = (its, os.getpid(), mark, preload, inherited)
    process = context.Process(target=_serve, args=arguments, daemon=True)
    process.start()
    its.close()
    return _Process(process, mine, mark)


def _start_server() -> None:
    """Start the process that forks workers. It ignores Ctrl-C: the parent ends its workers itself."""
    # The signal is blocked until the process ignores it; a thread other than the main one can only block signals.
    resource_tracker.ensure_running()  # which unblocks the signal after its start
    with held_back(signal.SIGINT):
        forkserver.ensure_running()


def _serve(pipe: Any, parent: int, marked: Any, preload: Sequence[str], inherited: Sequence[Any]) -> None:
    """The main loop of a worker: call functions one after another, until the parent closes the pipe.

    inherited  connections of the parent, to close
    """
    global _pipe, _mark, _most, _began
    for number in HANDLED:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    let_through(*HANDLED)
    for connection in inherited:
        connection.close()
    _ahead.clear()
    _pipe, _mark = pipe, marked
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    for name in preload:
        import_module(name)
    gc.freeze()  # a full collection would search all preloaded modules, and copy their pages
    base = own_resident()
    try:
        pipe.send(base)
        addresses, left_over = pipe.recv()
        limit_address_space(addresses)
        _most = base + left_over
        while True:
            function, arguments, _began = pipe.recv()
            pipe.send_bytes(_outcome(function, arguments))
    except (EOFError, ConnectionError):  # the parent has ended
        return


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """Call the function; return the kind of the answer and its value, pickled."""
    try:
        return pickle.dumps(("done", function(*arguments)))
    except MemoryError:
        return pickle.dumps(("raised", LimitReached("memory")))
    except _raised as error:
        fault = fault_of(error) if isinstance(error, OSError) else None
        return pickle.dumps(("raised", fault or error.with_traceback(None)))
    except BaseException as error:  # workers ignore Ctrl-C, so sys.exit and the like are mistakes, too
        fault = fault_of(error)
        if fault is not None:
            return pickle.dumps(("raised", fault))
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        return pickle.dumps(("failed", f"the worker crashed: {reason}"))
    finally:
        sys.stdout.flush()


def _follow(parent: int) -> None:
    """End this worker within a second after the end of its parent."""
    if wait_for_end_of_parent(parent):
        os._exit(1)
