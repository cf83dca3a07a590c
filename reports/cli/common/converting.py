"""The conversion of values on the command line: most are right as they are.

Typer converts by pydantic, which takes as long to load as all else that a command loads before its first level.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any


def convert_simply(params: Iterable[Any]) -> None:
    """Let parameters use typer's conversion only for the values that need one."""
    for param in params:
        by_typer = getattr(param, "get_runtime_param", None)
        if by_typer is not None and not isinstance(by_typer, partial):
            param.get_runtime_param = partial(_Conversion, by_typer)


class _Conversion:
    """The conversion of a parameter's values, in place of typer's."""

    def __init__(self, by_typer: Callable[[], Any]) -> None:
        self._by_typer = by_typer

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value in the type of the parameter. Raises typer.BadParameter."""
        kind, several = param.type_descriptor.annotation, param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if kind is str and isinstance(value, str):
            return value
        if kind == list[str] and several and isinstance(value, list | tuple):
            return list(value)
        if value is param.default and isinstance(value, int | float) and type(value) is kind:
            return value
        return self._by_typer().coerce(value, param=param, ctx=ctx)
