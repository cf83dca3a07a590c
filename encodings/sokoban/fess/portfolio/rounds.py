"""Searches in threads side by side, in rounds of counted work: the answer does not depend on the number of cores.

In a round, each search works up to the limit of the round. After it, the first search in order that has an answer
gives it. So a search waits for those before it, and not for those after it. Each search begins some work after the
one before it: easy levels need the first one only.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Protocol, TypeVar

ROUND = 1 << 24  # work of a round: a third of a second


class Search(Protocol):
    """A search that can pause.

    stopped     once this is set, it pauses soon
    has_answer  whether it has found an answer
    has_ended   whether there is nothing left to search
    """

    stopped: Event
    has_answer: bool
    has_ended: bool

    @property
    def work(self) -> int:
        """The work so far."""
        ...

    def run(self, until: int) -> None:
        """Search until the work reaches `until`, or there is an answer, or the search has ended or is stopped."""
        ...


T = TypeVar("T", bound=Search)


def first_answer(searches: Sequence[T], delay: int, most: int | None = None) -> T | None:
    """The search that gives the answer, or None if there is none within `most` work of all searches together.

    delay  work by which each search is ahead of the next one

    Raises what a search raises, once all have stopped.
    """
    first = searches[0]
    until = delay if most is None else min(delay, most)
    first.run(until)
    if first.has_answer:
        return first
    with ThreadPoolExecutor(len(searches)) as threads:
        while most is None or sum(search.work for search in searches) < most:
            if all(search.has_ended for search in searches):
                break
            until += ROUND
            if (found := _round(searches, threads, until, delay)) is not None:
                return found
    return None


def _round(searches: Sequence[T], threads: ThreadPoolExecutor, until: int, delay: int) -> T | None:
    """Run each search to its limit; the first one in order with an answer, if any."""
    runs = [threads.submit(search.run, until - at * delay) for at, search in enumerate(searches)]
    is_over = True
    try:
        for search, run in zip(searches, runs, strict=True):
            run.result()
            if search.has_answer:
                return search
        is_over = False
    finally:
        if is_over:  # with an answer, or an exception
            for search in searches:
                search.stopped.set()
        for run in runs:
            run.exception()  # waits for its end
    return None
