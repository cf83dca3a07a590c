"""What the workbench writes to a store does not contradict it; records of players are kept in it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from command import ONE_PUSH

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.batch.rows import rows
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.crew.identity import identify, of_text
from puzzlemc.reports.serve.answers import QUICK
from puzzlemc.reports.serve.positions import play
from puzzlemc.reports.serve.questions import Play
from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts
from puzzlemc.reports.serve.tab import Lane, Tab
from puzzlemc.reports.solve.solve import solve_entry

ROOM = "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######"


@pytest.mark.parametrize(
    ("bound", "failed", "verdict"), [(1, "", "solvable"), (9, "a proof that none has fewer than 9", "unknown")]
)
def test_a_solution_below_the_bound_of_the_store_is_not_written(
    tmp_path: Path, bound: int, failed: str, verdict: str
) -> None:
    (tmp_path / "a.xsb").write_text(ONE_PUSH)
    (entry,) = load(str(tmp_path / "a.xsb"))
    result, identity = solve_entry(entry, QUICK), identify(entry)
    assert result.cost == 1
    with Store(tmp_path / "store.sqlite", writing=True) as store:
        kept = StoredVerdicts(store, [entry])
        level = store.level(of_text(entry), identity, "sokoban", entry.id)
        unknown = replace(result, verdict="unknown", solution=None, bound=bound, reason="timeout")
        store.add((level, kept._choice(entry)), kept._run, unknown, QUICK)
        said = kept.add(entry, result, identity)
        assert failed in said
        assert bool(said) == bool(failed)
        assert [row["verdict"] for row in rows(store)] == [verdict]


@pytest.mark.parametrize("solved", [False, True])
def test_the_run_ends_and_a_new_store_without_levels_is_removed(tmp_path: Path, solved: bool) -> None:
    path = tmp_path / "store.sqlite"
    (tmp_path / "a.xsb").write_text(ONE_PUSH)
    (entry,) = load(str(tmp_path / "a.xsb"))
    with Store(path, writing=True) as store:
        kept = StoredVerdicts(store, [entry])
        if solved:
            assert not kept.add(entry, solve_entry(entry, QUICK), identify(entry))
        kept.end()
    assert path.exists() == solved
    if solved:
        with Store(path) as store:
            assert store.query("SELECT count(*) FROM runs WHERE ended IS NOT NULL") == [(1,)]


def _record(text: str, moves: str, *, own: bool = True) -> dict[str, Any]:
    """What a worker says of the record of a level."""
    sent: list[dict[str, Any]] = []
    play(Play(1, "sokoban", text, list(moves), advice=False, record=True, own=own), sent.append, Event())
    return next(each for each in sent if each["kind"] == "record")


def test_the_least_costs_of_a_player_are_kept_by_the_identity_of_the_level(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    other = f"\n{ROOM}\n\nTitle: Elsewhere\n"
    with Store(path, writing=True) as store:
        kept = StoredVerdicts(store, [])

        def noted(what: dict[str, Any]) -> dict[str, Any]:
            found = kept.record(what["level"], what.get("costs", {}), what.get("moves", []))
            return {metric: (each["cost"], "".join(each["moves"])) for metric, each in found.items()}

        assert noted(_record(ROOM, "")) == {}
        assert noted(_record(ROOM, "U", own=False)) == {}  # the moves of a search
        assert noted(_record(ROOM, "luR")) == {}  # no solution
        first = {"pushes": (3, "luRdrruLdlU"), "moves": (11, "luRdrruLdlU")}
        assert noted(_record(ROOM, "luRdrruLdlU")) == first
        assert noted(_record(other, "")) == first  # it stands elsewhere, with a name
        better = {"pushes": (1, "lrU"), "moves": (3, "lrU")}
        assert noted(_record(other, "lrU")) == better
        assert noted(_record(ROOM, "luRdrruLdlU")) == better  # worse ones change nothing
        kept.end()
    with Store(path) as store:  # a new store without levels, but with records, stays
        assert store.is_empty
        assert sorted(store.query("SELECT metric, cost FROM records")) == [("moves", 3), ("pushes", 1)]


def test_a_record_is_kept_though_the_page_asks_something_else_at_once(tmp_path: Path) -> None:
    class Pool:
        run = None

    with Store(tmp_path / "store.sqlite", writing=True) as store:
        page: Any = Tab(None, Pool(), None, stored=StoredVerdicts(store, []))  # type: ignore[arg-type]
        dropped = asyncio.Event()
        dropped.set()
        lane = Lane()
        page._hear(lane, lane.number, dropped, _record(ROOM, "lrU"))
        assert lane.answers == {}
        assert sorted(store.query("SELECT metric, cost FROM records")) == [("moves", 3), ("pushes", 1)]
