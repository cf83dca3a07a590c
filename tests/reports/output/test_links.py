"""Links among the files of strangers: nothing is written where they lead."""

from pathlib import Path

import pytest
from command import CORNERED, ONE_PUSH, puzzlemc, write
from starlette.testclient import TestClient

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.app import application

# The link, and what is asked.
CASES = (
    ("out.html", "report a.xsb -o out.html"),
    ("folder/a.xsb-1.html", "report . -o folder/"),
    ("folder/index.html", "report . -o folder/"),
    ("out.dot", "export a.xsb --to dot -o out.dot"),
    ("out.domain.pddl", "export a.xsb --to pddl -o out.pddl"),
    ("out.xsb", "convert a.xsb out.xsb"),
    ("out.xsb", "generate sokoban -o out.xsb"),
    ("proofs/a.xsb-1.cert", "solve a.xsb --certificate proofs"),
    ("proofs/a.xsb-1.fd27342c.cert", "batch a.xsb --store s.sqlite --certificate proofs"),
    ("traces/a.xsb-1.gif", "solve a.xsb --format gif -o traces/"),
    ("models/a.xsb-1.fd27342c.trace", "verify ready --aiger models"),
    ("s.sqlite", "batch a.xsb --store s.sqlite"),
    ("s.sqlite.lock", "batch a.xsb --store s.sqlite"),
    ("s.sqlite-wal", "batch a.xsb --store s.sqlite"),
    ("s.sqlite-shm", "batch a.xsb --store s.sqlite"),
    ("s.sqlite-journal", "batch a.xsb --store s.sqlite"),
    ("found.xml", "batch a.xsb --store s.sqlite --junit found.xml"),
    ("page.html", "results ready.sqlite --report page.html"),
    ("page-levels", "results ready.sqlite --report page.html --single 1"),
    ("out.sok", "results ready.sqlite --solutions out.sok"),
    ("out.parquet", "results ready.sqlite --parquet out.parquet"),
    ("fresh/fresh.py", "new-puzzle fresh"),
)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates and a store."""
    folder = tmp_path_factory.mktemp("ready")
    levels = (write(folder / "a.xsb", ONE_PUSH), write(folder / "u.xsb", CORNERED))
    puzzlemc("batch", *levels, "--store", folder / "ready.sqlite", "--certificate", folder / "ready")
    return folder


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(("link", "asked"), CASES)
def test_no_command_writes_where_a_link_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ready: Path, link: str, asked: str, there: bool
) -> None:
    folder, outside = tmp_path / "levels", tmp_path / "outside"
    folder.mkdir()
    write(folder / "a.xsb", ONE_PUSH)
    for name in ("ready", "ready.sqlite"):
        if name in asked:
            (folder / name).symlink_to(ready / name)
    outside.mkdir()
    target = outside / "target"
    if there:
        target.write_text("mine")
    place = folder / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(target)
    monkeypatch.chdir(folder)
    done = puzzlemc(*asked.split())
    assert "Traceback" not in done.stderr, done.stderr
    assert [each.name for each in outside.iterdir()] == (["target"] if there else [])
    assert not there or target.read_text() == "mine"


@pytest.mark.parametrize("which", ["a.xsb", "a.xsb.bak"])
def test_the_workbench_writes_nothing_outside_of_its_folder(tmp_path: Path, which: str) -> None:
    folder, target = tmp_path / "levels", tmp_path / "target"
    folder.mkdir()
    path, text = folder / "a.xsb", ONE_PUSH + "\n"
    if which == "a.xsb":
        target.write_text(text)
    else:
        path.write_text(text)
    (folder / which).symlink_to(target)
    app = application("secret", entries=load(str(path)), most=1)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        found = client.get("/secret/document/0").json()
        asked = {"text": CORNERED, "form": found["form"], "was": found["was"]}
        failed = client.post("/secret/document/0", json=asked).json()["failed"]
    assert "link" in failed
    assert path.read_text() == text
    assert (target.exists(), (folder / "a.xsb.bak").exists()) == (which == "a.xsb", False)
