"""What the workbench writes to a store does not contradict it."""

from dataclasses import replace
from pathlib import Path

import pytest
from command import ONE_PUSH

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.batch.rows import rows
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.crew.identity import identify, of_text
from puzzlemc.reports.serve.answers import QUICK
from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts
from puzzlemc.reports.solve.solve import solve_entry


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
