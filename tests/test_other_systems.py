"""What other systems do otherwise: ends of lines, the default encoding, names of folders, links."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest
from command import CORNERED, MAIN, ONE_PUSH
from places import ROOT

TITLE = "Ça va → 漢"
# The strictest default encoding, and a terminal like that of Windows in Western Europe.
LATIN = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}


def run(folder: Path, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; what it writes is read as cp1252."""
    return subprocess.run(
        [sys.executable, "-c", MAIN, *shlex.split(line)],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        encoding="cp1252",
        check=False,
    )


def test_a_folder_of_any_name_under_another_encoding(tmp_path: Path) -> None:
    """Levels with other letters and ends of lines are solved, proved, stored and reported."""
    folder = tmp_path / "mes niveaux (été) #1"
    folder.mkdir()
    levels = f"{ONE_PUSH.replace('One push', TITLE)}\n{CORNERED}".replace("\n", "\r\n")
    (folder / "deux niveaux.xsb").write_text(levels, encoding="utf-8", newline="")
    lines = (
        "check 'deux niveaux.xsb' --certificate preuves",
        "verify preuves/deux%20niveaux.xsb-1.cert preuves/deux%20niveaux.xsb-2.cert",
        "batch . --store données.db",
        "report 'deux niveaux.xsb#1' -o page.html",
        "check 'deux niveaux.xsb' --json",
    )
    done = [run(folder, line, **LATIN) for line in lines]
    assert [(each.returncode, each.stderr) for each in done] == [(1, ""), (0, ""), (1, ""), (0, ""), (1, "")]
    assert r"Ça va \u2192 \u6f22  solvable" in done[0].stdout
    assert "2 of 2 valid" in done[1].stdout
    assert TITLE in (folder / "page.html").read_text(encoding="utf-8")


def test_no_file_is_opened_with_the_default_encoding(tmp_path: Path) -> None:
    """Python warns of it, also in workers; packages of others may do it."""
    (tmp_path / "one.xsb").write_text(f"{ONE_PUSH}\n{CORNERED}", encoding="utf-8")
    variables = {"PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "always::EncodingWarning"}
    for line in (
        "check . --certificate proofs",
        "batch . --store store",
        "report one.xsb#2 -o page.html",
        "doctor",
    ):
        done = run(tmp_path, line, **variables)
        seen = [each for each in done.stderr.splitlines() if "EncodingWarning" in each]
        assert [each for each in seen if "site-packages" not in each] == []
    # The warning itself is on: this line of a test has it.
    program = "open('one.xsb').close()"
    warned = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "EncodingWarning" in warned.stderr


def test_a_checkout_has_the_same_bytes_everywhere(tmp_path: Path) -> None:
    """Git on Windows changes ends of lines at a checkout, unless a repository says otherwise."""
    clone = tmp_path / "with blanks"
    command = ["git", "clone", "-q", "--no-checkout", "-c", "core.autocrlf=true", str(ROOT), str(clone)]
    subprocess.run(command, check=True)
    (clone / ".git" / "info").mkdir(exist_ok=True)
    shown = (
        ".gitattributes",
        "Makefile",
        "shell/puzzlemc",
        "docs/pictures/workbench.png",
        "screens/levels/sokoban",
    )
    subprocess.run(["git", "checkout", "-q", "HEAD", "--", *shown], cwd=clone, check=True)
    for path in clone.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            assert path.read_bytes() == (ROOT / path.relative_to(clone)).read_bytes(), path


def test_sources_are_copied_where_links_are_not_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows. Copies have the age of the sources, so that nothing is translated again."""

    def refused(self: Path, target: str) -> None:
        raise OSError("A required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refused)
    (tmp_path / "root" / "mc").mkdir(parents=True)
    source = tmp_path / "root" / "mc" / "plain.py"
    source.write_text('"""A module."""\n', encoding="utf-8")
    os.utime(source, (1_000_000_000, 1_000_000_000))
    build_tree = run_path(str(ROOT / "tools" / "headers.py"))["build_tree"]
    for text in ('"""A module."""\n', '"""Another one."""\n'):
        source.write_text(text, encoding="utf-8")
        os.utime(source, (1_000_000_000, 1_000_000_000))
        build_tree(tmp_path / "root", ("mc",), tmp_path / "tree")
        copy = tmp_path / "tree" / "mc" / "plain.py"
        assert copy.read_text(encoding="utf-8") == text
        assert copy.stat().st_mtime == 1_000_000_000
        assert not copy.is_symlink()
