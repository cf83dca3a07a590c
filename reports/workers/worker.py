"""A process that runs one function after another, each under limits of time and memory that hold.

Engines look at the clock and count their memory by themselves, but not inside one long call of a library, nor
while a level is read or encoded. So the parent looks, too, some twenty times a second: at the clock, and at the
resident memory of the process. Past a limit the process is killed, and the next function gets a new one. A process
that dies otherwise was killed by somebody else or has crashed, and that is what is told.
"""

import contextlib
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzles import fault_of
from puzzlemc.mc import jit
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.workers.memory import limit_address_space
from puzzlemc.screens.base.errors import LevelError

LOOK_SECONDS = 0.05  # between two looks at a process
GRACE_SECONDS = 0.5  # a function looks at the clock by itself; after this much more its process is killed
END_SECONDS = 5.0  # for a process that was killed to be gone, at most
LIBRARY_BYTES = 192 << 20  # resident: numba with LLVM, and matplotlib, which come while a function runs
SPARE_BYTES = 4 << 30  # of addresses, for libraries beside what a function may fill
ADDRESSES = 3  # times the memory: arrays that grow are there twice for a moment, and not all is used
KEPT = 4  # one part in so many of the memory may be left over from functions before
PART, SINCE, BOUND = range(3)  # places of what a worker marks
PAGE = resource.getpagesize()
TICK = os.sysconf("SC_CLK_TCK")

# What a function may raise.
_raised = (ModelError, FormulaError, Refuted, LevelError, LimitReached, OutputError, OSError)
_pipe: Any = None  # in a worker: to its parent
_mark: Any = None  # in a worker: which part it is at, since when; its parent sees that, too
_most: int | None = None  # in a worker: resident bytes with which the next function begins, at most
_began = 0.0  # in a worker: since when its parent counts the time of the function, or of its part or stage
_server = threading.Lock()  # the server that forks, and what it tells of the dead, are shared by all threads
_compiling = threading.Lock()


class WorkerDied(Exception):
    """The process of a function was killed by somebody else, or has crashed: says how.

    killed  by SIGKILL, as the system does where memory is short
    """

    def __init__(self, reason: str, *, killed: bool = False) -> None:
        super().__init__(reason)
        self.killed = killed


class Crashed(WorkerDied):
    """A function has raised what it may not: so it will each time."""


class Worker:
    """A process for functions, started when it is first needed.

    `memory` is in bytes of what functions take; what the interpreter and its libraries need comes on top.
    `preload` names the modules that processes have from the start; the first Worker of a program decides. `notify`
    is told, in words, what makes a function wait; it may be set anew.

    seconds  of processor time that the last function has taken
    """

    def __init__(
        self, memory: int, preload: tuple[str, ...] = (), notify: Callable[[str], None] | None = None
    ) -> None:
        self.seconds = 0.0
        self._memory = memory
        self._left_over = LIBRARY_BYTES + memory // KEPT  # bytes, at most, when the next function begins
        self._preload = ["puzzlemc.reports.workers.worker", *preload]
        self.notify = notify
        self._process: Any = None
        self._connection: Any = None
        self._mark: Any = [0.0, 0.0, 0.0]
        self._base = 0  # resident bytes of a process that has done nothing yet
        self._busy = False
        self._stopped = False

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
        """What the function returns, under a limit of wall clock; `receive` gets what it says by `tell` meanwhile.

        `look` is called some twenty times a second with the seconds of the limit that have passed; if it raises
        LimitReached, the process is killed.

        Raises what the function raises of what it may raise, LimitReached past a limit, and WorkerDied where the
        process is gone for another reason. Where the function needs code that is not compiled yet, that is done
        first, under no limit.
        """
        compiled: set[tuple[str, ...]] = set()
        while True:
            try:
                return self._run(function, arguments, seconds, self._memory, receive, look)
            except jit.NotCompiled as lack:
                if lack.modules in compiled:
                    raise
                compiled.add(lack.modules)
                self._compile(lack, receive)

    def _compile(self, lack: jit.NotCompiled, receive: Callable[[Any], None]) -> None:
        if self._run(jit.is_compiled, lack.modules, None, None, receive):  # it need only be loaded
            self._run(jit.compile_now, (lack.warm_up, *lack.modules), None, None, receive)
            return
        with _compiling:
            if self.notify is not None and not self._run(jit.is_compiled, lack.modules, None, None, receive):
                self.notify("compiling code, which may take a minute, once; no limit runs meanwhile")
            self._run(jit.compile_now, (lack.warm_up, *lack.modules), None, None, receive)

    @property
    def part(self) -> int:
        """The number that the last function has marked last; 0 where it has marked none."""
        return int(self._mark[PART])

    def bound(self, part: int) -> int:
        """The bound that was marked last in that part; 0 where there was none, or where another part has begun."""
        bound = int(self._mark[BOUND])
        return bound if self.part == part else 0

    @property
    def resident(self) -> int:
        """Bytes of resident memory of the process; 0 where there is none."""
        process = self._process
        return 0 if process is None else _resident(process.pid) or 0

    @property
    def spare(self) -> int:
        """Bytes that the interpreter and its libraries may take, beside the memory of a function."""
        return self._base + LIBRARY_BYTES

    @property
    def stopped(self) -> bool:
        """Has it been ended for good?"""
        return self._stopped

    def stop(self) -> None:
        """End the process, whatever it does, for good."""
        self._stopped = True
        if not self._busy:
            self._kill()
        elif self._process is not None:  # the thread that waits for it sees its end
            self._process.kill()

    def _run(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float | None,
        memory: int | None,
        receive: Callable[[Any], None],
        look: Callable[[float], None] = lambda _: None,
    ) -> Any:
        self.seconds = 0.0
        if self._process is not None and memory is not None:
            resident = _resident(self._process.pid)
            if resident is None or resident > self._base + self._left_over:
                self._kill()
        if self._process is None:
            self._start()
        self._busy = True
        try:
            kind, value = self._answer((function, arguments), seconds, memory, receive, look)
        except (EOFError, ConnectionError):
            raise self._death() from None
        except BaseException:
            self._kill()  # what the function answers must not be taken for the answer of the next one
            raise
        finally:
            self._busy = False
        if kind == "failed":
            raise Crashed(value)
        if kind == "raised":
            raise value
        return value

    def _answer(
        self,
        call: tuple[Any, Any],
        seconds: float | None,
        memory: int | None,
        receive: Callable[[Any], None],
        look: Callable[[float], None],
    ) -> tuple[str, Any]:
        """What the process says at the end of a call. Raises LimitReached, or EOFError if it is gone."""
        process, connection = self._process, self._connection
        ceiling = None if memory is None else self._base + LIBRARY_BYTES + memory
        spent = _processor_seconds(process.pid)
        started, allowed = time.monotonic(), seconds
        looked = started
        self._mark[:] = [0.0, 0.0, 0.0]
        connection.send((*call, started))
        while True:
            kind, value = connection.recv() if connection.poll(LOOK_SECONDS) else ("busy", None)
            now = time.monotonic()
            if kind in {"done", "raised", "failed"}:
                self.seconds = max(self.seconds, _processor_seconds(process.pid) - spent)
                return kind, value
            if kind == "stage":
                started = now
                allowed = None if seconds is None else max(seconds, float(value or 0))
            elif kind == "told":
                receive(value)
            if now - looked < LOOK_SECONDS:  # it may tell more often than one need look
                continue
            looked = now
            if self._mark[SINCE] > started:
                started, allowed = self._mark[SINCE], seconds
            self.seconds = max(self.seconds, _processor_seconds(process.pid) - spent)
            reached = None
            if allowed is not None and now - started > allowed + GRACE_SECONDS:
                reached = LimitReached("timeout")
            elif ceiling is not None and self.resident > ceiling:
                reached = LimitReached("memory")
            if reached is None:
                look(now - started)
            elif not connection.poll():  # else it has said something meanwhile, perhaps the answer
                raise reached

    def _start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        mine, its = context.Pipe()
        addresses = ADDRESSES * self._memory + SPARE_BYTES
        with _server:
            context.set_forkserver_preload(self._preload)
            _start_server()
            self._mark = context.RawArray("d", 3)
            arguments = (its, os.getpid(), addresses, self._left_over, self._mark)
            process = context.Process(target=_serve, args=arguments, daemon=True)
            process.start()
        its.close()
        self._process, self._connection = process, mine
        try:
            self._base = mine.recv()
        except (EOFError, ConnectionError):
            raise self._death() from None
        if self._stopped:
            self._kill()
            raise WorkerDied("the worker was stopped")

    def _kill(self) -> None:
        process = self._process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._gone()

    def _gone(self) -> int | None:
        """Wait for the process to be gone; returns its exit code."""
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
        """How the process ended."""
        code = self._gone()
        if self._stopped or code is None:
            return WorkerDied("the worker was stopped")
        if code >= 0:
            return WorkerDied(f"the worker ended with exit code {code}")
        name = signal.Signals(-code).name
        return WorkerDied(f"the worker was killed by signal {-code} ({name})", killed=-code == signal.SIGKILL)


def tell(what: Any) -> None:
    """In a worker: tell the parent something while the function goes on. Elsewhere it does nothing."""
    if _pipe is not None:
        _pipe.send(("told", what))


def next_stage(at_least: float = 0.0) -> None:
    """In a worker: what follows has the time of the function anew, or more seconds. Elsewhere it does nothing."""
    global _began
    if _pipe is not None:
        _pipe.send(("stage", at_least))
        _began = time.monotonic()


def mark(number: int) -> None:
    """In a worker: begin a part of that number, which has the function's time anew. Elsewhere it does nothing.

    It costs next to nothing: the parent looks at it where it would look at the clock.
    """
    global _began
    if _mark is not None:
        # The number comes last: a parent that looks in between must not take what the part before has left for
        # what this one has.
        _mark[BOUND] = 0
        _mark[SINCE] = _began = time.monotonic()
        _mark[PART] = number


def mark_bound(bound: int) -> None:
    """In a worker: leave a bound behind that was proved in this part. Elsewhere it does nothing."""
    if _mark is not None:
        _mark[BOUND] = bound


def elapsed() -> float:
    """In a worker: seconds of the time of the function, or of its part or stage, that have passed. Elsewhere 0.

    They count from when the parent asked, as the parent counts them: loading code is part of them.
    """
    return time.monotonic() - _began if _pipe is not None else 0.0


def is_full() -> bool:
    """In a worker: is so much left over that the next function will have another process? Elsewhere it is not."""
    return _most is not None and (_resident(os.getpid()) or 0) > _most


def _resident(pid: int) -> int | None:
    """Bytes of resident memory; None where the process is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return None


def _processor_seconds(pid: int) -> float:
    """Processor time of a process so far; 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except (OSError, IndexError):
        return 0.0


def _start_server() -> None:
    """Start the process that forks workers, deaf to Ctrl-C: that is for the parent, which ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        forkserver.ensure_running()
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)


def _serve(pipe: Any, parent: int, addresses: int, left_over: int, marked: Any) -> None:
    """What a worker does: functions, one after the other, until nobody asks any more."""
    global _pipe, _mark, _most, _began
    _pipe, _mark = pipe, marked
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_address_space(addresses)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    jit.ask_first = True
    base = _resident(os.getpid()) or 0
    _most = base + left_over
    try:
        pipe.send(base)
        while True:
            function, arguments, _began = pipe.recv()
            pipe.send_bytes(_outcome(function, arguments))
    except (EOFError, ConnectionError):  # the parent is gone, and has perhaps not read all
        return


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """What came of a call, as the parent reads it."""
    try:
        return pickle.dumps(("done", function(*arguments)))
    except MemoryError:
        return pickle.dumps(("raised", LimitReached("memory")))
    except (*_raised, jit.NotCompiled) as error:
        fault = fault_of(error) if isinstance(error, OSError) else None
        return pickle.dumps(("raised", fault or error.with_traceback(None)))
    except BaseException as error:  # workers ignore Ctrl-C, so sys.exit and the like are mistakes, too
        fault = fault_of(error)
        if fault is not None:
            return pickle.dumps(("raised", fault))
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error}"
        return pickle.dumps(
            ("failed", f"the worker crashed: {reason} ({Path(where.filename).name}:{where.lineno})")
        )
    finally:
        sys.stdout.flush()
        jit.seal()


def _follow(parent: int) -> None:
    """End this worker when its parent is gone, however that went."""
    while True:
        time.sleep(1)
        try:
            os.kill(parent, 0)
        except ProcessLookupError:
            os._exit(1)
