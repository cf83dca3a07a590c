"""Functions and values whose module is imported when they are first asked for.

A `puzzle.py` is imported by every command. With `later`, only the commands that search import the searches; with
`later_value`, only the workbench imports what it draws.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(target: str) -> Callable[..., Any]:
    """The function `package.module:name`; its module is imported when the function is called."""
    function = later_value(target)

    def call(*arguments: Any, **named: Any) -> Any:
        return function()(*arguments, **named)

    return call


def later_value(target: str) -> Callable[[], Any]:
    """A function that returns `package.module:name`; its module is imported at the first call."""
    module, _, name = target.partition(":")
    return lambda: getattr(import_module(module), name)
