"""The verdicts of a collection that a store of `batch` has, those that are added to it, and records of players.

The options are those of a plain `puzzlemc batch`, so that each finds the answers of the other. What a short search
has not decided is not written: a batch would not try it again.
"""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.earlier import DECIDED, merged
from puzzlemc.reports.batch.rows import as_result, earlier_answer
from puzzlemc.reports.batch.store import MOST, Store, StoreError
from puzzlemc.reports.crew.identity import Identity, of_text
from puzzlemc.reports.serve.answers import QUICK, brief
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result


class StoredVerdicts:
    """An open store, for the levels of one server."""

    def __init__(self, store: Store, entries: Sequence[Entry]) -> None:
        """Record a run with the names of the levels that the store knows. Raises StoreError."""
        self._store = store
        self._run = store.begin(["serve"])
        store.run(sql.MAKE_RECORDS)
        for entry in entries:
            level = None if entry.text is None else store.level_of_text(of_text(entry))
            if level is not None:
                store.name(entry.id, level, entry.title, self._run)
        store.commit()

    def end(self) -> None:
        """Record the end of the run, if the store can still be written; remove a new one that has nothing else."""
        with suppress(StoreError):
            self._store.end(self._run)
            self._store.commit()
            if self._store.new and self._store.is_empty and not self._store.query(sql.ANY_RECORD):
                self._store.discard()

    def find(self, entry: Entry) -> dict[str, Any] | None:
        """The verdict on a level, as the page lists it; None if the store has none. Raises StoreError."""
        level = self._store.level_of_text(of_text(entry))
        if level is None:
            return None
        found = self._store.query(sql.RESULT, level, self._choice(entry))
        if not found or found[0][1] not in DECIDED:
            return None
        puzzle, *values = found[0]
        return brief(as_result(values, puzzle))

    def add(self, entry: Entry, result: Result, identity: Identity) -> str:
        """Write a verdict, if it is decided and proved. Returns why that failed; empty if it did not.

        A solution that costs less than the store's bound is not written.
        """
        if result.verdict not in DECIDED or result.is_unproved:
            return ""
        try:
            self._write(entry, result, identity)
        except StoreError as error:
            return str(error)
        except Refuted as error:
            return f"{entry.id}: refuted: {error}"
        return ""

    def record(self, level: str, costs: Mapping[str, int], moves: Sequence[str]) -> dict[str, Any]:
        """The least costs of a player on a level, by metric, each with its moves; or why that failed.

        `level` is its digest. `costs` and `moves` are those of a solution that the plain rules have replayed. It
        is kept where it costs less.
        """
        content, text = bytes.fromhex(level), json.dumps(list(moves))
        try:
            for metric, cost in costs.items():
                if cost <= MOST:
                    self._store.run(sql.ADD_RECORD, content, metric, cost, text, time.time())
            self._store.commit()
            found = self._store.query(sql.RECORDS_OF_LEVEL, content)
        except StoreError as error:
            return {"failed": str(error)}
        return {metric: {"cost": cost, "moves": json.loads(played)} for metric, cost, played in found}

    def _write(self, entry: Entry, result: Result, identity: Identity) -> None:
        level = self._store.level(of_text(entry), identity, entry.puzzle.name, entry.id)
        self._store.name(entry.id, level, entry.title, self._run)
        key = level, self._choice(entry)
        earlier = earlier_answer(self._store, key)
        if earlier is None or earlier.verdict not in DECIDED:
            if earlier is not None:
                result = merged(earlier, result, is_cost=entry.puzzle.optimisation is None)
            self._store.add(key, self._run, result, QUICK)
        self._store.commit()

    def _choice(self, entry: Entry) -> int:
        """The number of the options of a plain batch in the store."""
        return self._store.choice(entry.puzzle, Options())
