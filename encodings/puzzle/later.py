"""Functions whose module is imported at the first call.

A `puzzle.py` is imported by every command. With `later`, only the commands that search import the searches.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(target: str) -> Callable[..., Any]:
    """The function `package.module:name`; its module is imported when the function is called."""
    module, _, name = target.partition(":")

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call
