"""The disk cache of code compiled by numba, verified by checksums.

numba does not verify its cache files: a truncated file ends the program, at once or later. It also keeps code that
contains an inlined function of another file after that file has changed. So a list beside the files has their
checksums and the digest of all sources; files that do not match are removed before numba reads them, and compiled
again.

Compilation takes seconds, which must not count against the time limit of a level. In a process with `ask_first`, a
demand for missing code raises NotCompiled; the caller then compiles the code and repeats the request.
"""

import atexit
import fcntl
import hashlib
import importlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

ask_first = False  # raise NotCompiled instead of compiling


class NotCompiled(Exception):
    """Code is demanded that is not compiled yet. Calling `warm_up` compiles all of it."""

    def __init__(self, warm_up: Callable[[], object], *modules: str) -> None:
        super().__init__(warm_up, *modules)
        self.warm_up = warm_up
        self.modules = modules


class _Kept:
    """The cache files of one module, and the list of their checksums.

    is_whole  whether all code of the module is in the cache and unchanged
    """

    def __init__(self, source: str, folder: str) -> None:
        self._source = Path(source)
        self._folder = Path(folder)
        self._list = self._folder / f"{self._source.stem}.sums.json"
        self._functions: list[Any] = []
        self._misses = 0
        self.is_whole = False
        with _locked(self._folder, wait=False) as locked:
            if locked:
                self.check()

    def add(self, function: Any) -> None:
        """Register a compiled function of the module."""
        self._functions.append(function)

    def check(self) -> None:
        """Remove the files whose checksums differ from the list."""
        try:
            record = json.loads(self._list.read_text(encoding="utf-8"))
            fits = record["for"] == self._for()
            sums = record["sums"] if fits else {}
            good = {name for name in sums if self._sum(name) == sums[name]}
            self.is_whole = fits and record["complete"] and len(good) == len(sums)
        except (OSError, ValueError, TypeError, KeyError):
            good, self.is_whole = set(), False
        for path in self._files():
            if path.name not in good:
                path.unlink(missing_ok=True)

    def seal(self, *, complete: bool = False) -> None:
        """Write the list of checksums if there are new files; `complete` says that all code is compiled."""
        misses = sum(sum(function.stats.cache_misses.values()) for function in self._functions)
        if misses == self._misses and (self.is_whole or not complete):
            return
        self._misses = misses
        self.is_whole = self.is_whole or complete
        record = {
            "for": self._for(),
            "complete": self.is_whole,
            "sums": {path.name: self._sum(path.name) for path in self._files()},
        }
        draft = self._list.with_name(f"{self._list.name}.{os.getpid()}.part")
        try:
            draft.write_text(json.dumps(record), encoding="utf-8")
            draft.replace(self._list)
        finally:
            draft.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the folder: no other process compiles or removes the files."""
        with _locked(self._folder, wait=True):
            yield

    def _files(self) -> list[Path]:
        return [path for path in self._folder.glob(f"{self._source.stem}.*.nb[ic]") if path.is_file()]

    def _sum(self, name: str) -> str | None:
        try:
            return hashlib.sha256((self._folder / name).read_bytes()).hexdigest()
        except OSError:
            return None

    def _for(self) -> list[object]:
        """The key of the cache: the digest of the sources, the versions of the libraries, the processor."""
        import llvmlite.binding
        import numba
        import numpy as np

        processor = f"{llvmlite.binding.get_host_cpu_name()}"
        return [_digest(self._source), numba.__version__, np.__version__, processor]


@cache
def _digest(source: Path) -> str:
    """A digest of all files whose functions may be inlined into the code of `source`; numba checks only `source`.

    These are the files in its folder, every file of its package or of this package that uses this module, and this
    module.
    """
    digest = hashlib.sha256()
    package = source.parent
    while (package.parent / "__init__.py").exists():
        package = package.parent
    compiled = _compiled_in(package), _compiled_in(Path(__file__).parent)
    for path in sorted({*source.parent.glob("*.py"), *compiled[0], *compiled[1]}):
        digest.update(_digest_of_one(path))
    return digest.hexdigest()


@cache
def _compiled_in(package: Path) -> list[Path]:
    name, own = __name__.encode(), Path(__file__)
    return [path for path in package.rglob("*.py") if path == own or name in path.read_bytes()]


@cache
def _digest_of_one(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


_kept: dict[str, _Kept] = {}  # by name of the module


@contextmanager
def _locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock of a folder; yields whether it is held. Without `wait`, do not wait for another process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "compiled.lock").open("w")
    except OSError:
        yield False
        return
    with file:
        held = True
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held = False
        yield held


def cached(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Like `numba.njit(cache=True)`, with verified cache files.

    The functions are called from Python and from each other, never from C, so no C wrapper is compiled.
    """
    from numba import config, njit

    kept = {"cache": True, "no_cfunc_wrapper": True, **options}

    def decorated(function: Callable[..., Any]) -> Any:
        try:
            compiled = njit(**kept)(function)
        except RuntimeError:  # neither beside the source nor in the user's own folder can files be written
            setattr(config, "CACHE_DIR", _spare_folder())  # noqa: B010, numba sets its own by such names
            compiled = njit(**kept)(function)
        compiled.get_call_template = partial(_of_any_number, compiled.get_call_template)
        name = function.__module__
        if name not in _kept:
            _kept[name] = _Kept(function.__code__.co_filename, compiled.stats.cache_path)
        _kept[name].add(compiled)
        return compiled

    return decorated


def _of_any_number(template: Callable[..., Any], arguments: Iterable[Any], named: Mapping[str, Any]) -> Any:
    """Compile one version for all integers; by default, numba compiles one for each integer literal at a call."""
    from numba.core import types

    any_number: Callable[[Any], Any] = types.unliteral
    return template(tuple(map(any_number, arguments)), {name: any_number(named[name]) for name in named})


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Like `cached`, for functions that allocate no arrays: their arguments are not reference-counted.

    Reference counting is atomic; it can take a third of the time of a short function with many arrays.
    """
    return cached(_nrt=False, **options)


@cache
def _spare_folder() -> str:
    """A temporary folder that only the user can write to: it must not contain code of somebody else."""
    folder = Path(tempfile.gettempdir(), f"puzzlemc-{os.getuid()}")
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022:
            return str(folder)
    return tempfile.mkdtemp(prefix="puzzlemc-")


def ready(warm_up: Callable[[], object], *modules: str) -> None:
    """Demand the code of these modules, which must be imported.

    Raises NotCompiled if some of it is missing, in a process with `ask_first`.
    """
    if ask_first and not all(_kept[name].is_whole for name in modules):
        raise NotCompiled(warm_up, *modules)


def is_compiled(*modules: str) -> bool:
    """Is the code of these modules in the cache? Waits for another process that is compiling it."""
    for name in modules:
        importlib.import_module(name)
        with _kept[name].locked():
            if not _kept[name].is_whole:
                _kept[name].check()
    return all(_kept[name].is_whole for name in modules)


def compile_now(warm_up: Callable[[], object], *modules: str) -> None:
    """Compile the missing code of these modules, and store it in the cache."""
    global ask_first
    for name in modules:
        importlib.import_module(name)
    before, ask_first = ask_first, False
    try:
        with _kept[modules[0]].locked():
            for name in modules:
                _kept[name].check()
            warm_up()
            for name in modules:
                _kept[name].seal(complete=True)
    finally:
        ask_first = before


@atexit.register
def seal() -> None:
    """Update the lists of checksums: calls with new argument types may have compiled more code."""

    for kept in _kept.values():
        with suppress(OSError):
            kept.seal()
