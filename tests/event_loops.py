"""Event loops for tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_a_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine in an event loop of its own.

    It runs in another thread: a browser of another test may have left its event loop in the main one.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
