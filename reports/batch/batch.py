"""The entry point of a batch: starts the crews, runs, and closes them however that ends."""

import os
import queue
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice

from puzzlemc.encodings.puzzles import walk
from puzzlemc.reports.batch.orders import Listener, Orders, Progress
from puzzlemc.reports.batch.run import Crews, run
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.crew.in_order import MANY
from puzzlemc.reports.crew.jobs import Answers, ChunkCrew
from puzzlemc.reports.crew.local import LocalCrew
from puzzlemc.screens.base.source import STREAM, is_standard_input


def batch(
    levels: Sequence[str],
    store: Store,
    orders: Orders,
    *,
    puzzle: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    listener: Listener | None = None,
) -> tuple[Progress, int]:
    """Solve the levels that have no answer in the store; returns the progress and the number of the run.

    `workers` is by default the number of cores; `cluster` is the address of a Dask scheduler, or `local`. Raises
    StoreError, OutputError, CrewError.
    """
    answers: Answers = queue.SimpleQueue()
    size = workers or os.cpu_count() or 1
    entries = walk(levels, puzzle, STREAM)
    first = list(islice(entries, MANY + 1))
    many = orders.options.engine == "auto" and (len(first) > MANY or cluster is not None)
    options = replace(orders.options, many=many)
    seconds = options.timeout or None
    with ExitStack() as stack:
        crew: ChunkCrew
        if cluster is not None:
            from puzzlemc.reports.crew.cluster import ClusterCrew

            crew = ClusterCrew(answers, cluster, size, options.memory, seconds)
        else:
            crew = LocalCrew(answers, size, options.memory, seconds, warm=options.many)
        stack.callback(crew.close)
        reader = LocalCrew(answers, 1, options.memory, seconds, warm=False)
        stack.callback(reader.close)
        orders = replace(orders, options=options)
        crews = Crews(crew, reader, answers)
        return run(chain(first, entries), store, orders, crews, list(levels), listener)


def count(levels: Sequence[str], puzzle: str | None = None) -> int | None:
    """The number of levels, including unreadable ones; None if the levels can be read only once."""
    if any(map(is_standard_input, levels)):
        return None
    return sum(1 for _ in walk(levels, puzzle, STREAM))
