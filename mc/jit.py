"""Code that numba compiles, kept on disk and trusted only as it was written.

numba reads its files as they are: a truncated one ends the program, or lets it crash later. And it keeps code into
which it has compiled a function of another file when that file changes. So beside them stands a list of their
checksums and one of all sources, and what does not fit is removed before numba looks: then it is compiled again.

Compiling takes seconds, which no limit of a level should pay for. A process that is told to ask first raises
NotCompiled where code is wanted that is not there; whoever runs it has it compiled then, and asks again.
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

import numpy as np

ask_first = False  # raise NotCompiled, instead of compiling in the middle of something


class NotCompiled(Exception):
    """Code is wanted that is not compiled yet. `warm_up` is a function that leads through all of it."""

    def __init__(self, warm_up: Callable[[], object], *modules: str) -> None:
        super().__init__(warm_up, *modules)
        self.warm_up = warm_up
        self.modules = modules


class _Kept:
    """The files that numba keeps of one module, and the list of their checksums.

    is_whole  all of the module's code is there as it was written
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
        """Count the function among those of the module."""
        self._functions.append(function)

    def check(self) -> None:
        """Remove the files that are not as they were written."""
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
        """List the checksums of the files, if there are new ones; `complete` says that these are all."""
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
        """Within it, no other process compiles or removes the files."""
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
        """What the files are good for: these sources, these libraries, this processor."""
        import llvmlite.binding
        import numba

        processor = f"{llvmlite.binding.get_host_cpu_name()}"
        return [_digest(self._source), numba.__version__, np.__version__, processor]


@cache
def _digest(source: Path) -> str:
    """A digest of all files whose code may be compiled into the code of `source`; numba checks that file alone.

    These are the files beside it, every file of its package or of this one that uses this module, and this module.
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
    """Hold the lock of a folder, unless that is held elsewhere and one does not wait; gives whether it is held."""
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
    """Like `numba.njit(cache=True)`, for functions of modules whose files are to be checked.

    They are called from Python and from each other, never from C, so they have no third entry.
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
    """Compile a function for integers where numba would do so for each number written at a call."""
    from numba.core import types

    any_number: Callable[[Any], Any] = types.unliteral
    return template(tuple(map(any_number, arguments)), {name: any_number(named[name]) for name in named})


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Like `cached`, for functions that make no arrays: those that they are given are not counted as references.

    Counting, which is atomic, may take a third of the time of a short function with many arrays.
    """
    return cached(_nrt=False, **options)


@cache
def _spare_folder() -> str:
    """A folder for temporary files that is the user's own: code of somebody else must not be loaded from it."""
    folder = Path(tempfile.gettempdir(), f"puzzlemc-{os.getuid()}")
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        told = folder.lstat()
        if stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid() and not told.st_mode & 0o022:
            return str(folder)
    return tempfile.mkdtemp(prefix="puzzlemc-")


def ready(warm_up: Callable[[], object], *modules: str) -> None:
    """Say that the code of these modules is wanted, all of which are imported.

    Raises NotCompiled where some of it is not there, in a process that asks first.
    """
    if ask_first and not all(_kept[name].is_whole for name in modules):
        raise NotCompiled(warm_up, *modules)


def is_compiled(*modules: str) -> bool:
    """Is the code of these modules there? Another process may just be compiling it: then this waits for it."""
    for name in modules:
        importlib.import_module(name)
        with _kept[name].locked():
            if not _kept[name].is_whole:
                _kept[name].check()
    return all(_kept[name].is_whole for name in modules)


def compile_now(warm_up: Callable[[], object], *modules: str) -> None:
    """Compile the code of these modules, all that is not there, and keep it."""
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
    """List what was compiled since it was listed last, as after a call with types that were not seen before."""
    for kept in _kept.values():
        with suppress(OSError):
            kept.seal()
