"""Hides from puzzlemc what Linux has and other systems lack, in each process whose PYTHONPATH names this folder.

    PYTHONPATH=tests/elsewhere .venv/bin/pytest tests/reports/workers

Modules below `puzzlemc` find no `fcntl`, no `resource` and no /proc; `os`, `signal` and others lack what Windows
lacks; processes can be spawned only. An open file can be neither moved nor removed. The standard library, other
libraries and tests find all: Python on Linux could not run without it.
"""

import builtins
import errno
import io
import os
import sys
from types import ModuleType
from typing import Any

MISSING = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
LACKS = {
    "ctypes": {"CDLL"},
    "mmap": {"MADV_HUGEPAGE", "MAP_ANONYMOUS", "MAP_PRIVATE"},
    "os": {
        "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG", "chown", "execve", "fchmod",
        "fchown", "fork", "forkpty", "geteuid", "getpgid", "getuid", "kill", "killpg", "mkfifo", "nice", "openpty",
        "sched_getaffinity", "set_blocking", "setsid", "sysconf", "wait", "wait4", "waitpid",
    },
    "select": {"POLLIN", "epoll", "poll"},
    "signal": {
        "ITIMER_REAL", "SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIG_BLOCK", "SIG_SETMASK",
        "SIG_UNBLOCK", "alarm", "pthread_kill", "pthread_sigmask", "setitimer",
    },
}  # fmt: skip
PROC = "/proc/"


_open_number, _replace_file, _unlink_file = os.open, os.replace, os.unlink


class _Partial(ModuleType):
    """A module that lacks some names."""

    def __init__(self, whole: ModuleType, **others: Any) -> None:
        super().__init__(whole.__name__, whole.__doc__)
        vars(self)["_whole"] = whole
        vars(self).update(others)

    def __getattr__(self, name: str) -> Any:
        whole = vars(self)["_whole"]
        if name in LACKS.get(whole.__name__, ()):
            raise AttributeError(f"module {whole.__name__!r} has no attribute {name!r} elsewhere")
        return getattr(whole, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            vars(self)[name] = value
        else:
            setattr(vars(self)["_whole"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["_whole"], name)


def _is_ours(name: object) -> bool:
    return isinstance(name, str) and name.startswith("puzzlemc.")


def _is_hidden(path: object) -> bool:
    return isinstance(path, str) and path.startswith(PROC)


def _none(path: object) -> OSError:
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def _require_closed(path: Any) -> None:
    """Raise PermissionError if this process has the file open, as Windows does."""
    try:
        wanted = os.stat(path, follow_symlinks=False)
    except OSError:
        return
    for number in os.listdir("/proc/self/fd"):
        try:
            found = os.fstat(int(number))
        except OSError:
            continue
        if os.path.samestat(found, wanted):
            raise PermissionError(errno.EACCES, "the process has this file open", path)


def _open(path: Any, *arguments: Any, **options: Any) -> int:
    if _is_hidden(path):
        raise _none(path)
    return _open_number(path, *arguments, **options)


def _exists(path: Any) -> bool:
    return not _is_hidden(path) and os.path.exists(path)


def _replace(source: Any, target: Any) -> None:
    _require_closed(source)
    _require_closed(target)
    _replace_file(source, target)


def _unlink(path: Any) -> None:
    _require_closed(path)
    _unlink_file(path)


def _start_methods() -> list[str]:
    return ["spawn"]


def _get_context(method: str | None = None) -> Any:
    from multiprocessing import get_context

    if method not in {None, "spawn"}:
        raise ValueError(f"cannot find context for {method!r}")
    return get_context("spawn")


OTHERS: dict[str, dict[str, Any]] = {
    "multiprocessing": {"get_all_start_methods": _start_methods, "get_context": _get_context},
    "os": {"open": _open, "path": _Partial(os.path, exists=_exists), "replace": _replace, "unlink": _unlink},
}
_partial: dict[str, ModuleType] = {}
_import, _open_file = builtins.__import__, builtins.open


def _imported(
    name: str, globals: Any = None, locals: Any = None, fromlist: tuple[str, ...] | None = (), level: int = 0
) -> Any:
    ours = globals is not None and _is_ours(globals.get("__name__"))
    if ours and name in MISSING:
        raise ModuleNotFoundError(f"No module named {name!r} elsewhere", name=name)
    found = _import(name, globals, locals, fromlist or (), level)
    if name == "asyncio":
        loop = getattr(sys.modules.get("asyncio.unix_events"), "SelectorEventLoop", None)
        if loop is not None:
            loop.add_signal_handler = _refuse
    if not ours or (name not in LACKS and name not in OTHERS):
        return found
    if name not in _partial:
        _partial[name] = _Partial(found, **OTHERS.get(name, {}))
    return _partial[name]


def _refuse(loop: object, *arguments: object) -> None:
    """What event loops of Windows do if they are given a handler of a signal."""
    raise NotImplementedError


def _opened(file: Any, *arguments: Any, **options: Any) -> Any:
    if _is_hidden(file) and _is_ours(sys._getframe(1).f_globals.get("__name__")):
        raise _none(file)
    return _open_file(file, *arguments, **options)


builtins.__import__ = _imported
builtins.open = _opened
io.open = _opened  # type: ignore[assignment]
