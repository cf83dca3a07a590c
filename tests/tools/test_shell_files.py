"""The man page and the completion scripts in the wheel are those of the program's options."""

import runpy
import shutil
import subprocess
from typing import Any

import pytest
import typer
from places import ROOT

from puzzlemc.reports.cli.app import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "shell_files.py"))


def test_the_files_are_up_to_date(tool: dict[str, Any]) -> None:
    """`make shell` writes them again."""
    expected = tool["files"]()
    written = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "shell").iterdir()}
    assert written == expected


@pytest.mark.parametrize("name", COMMANDS)
def test_the_man_page_has_each_command_with_its_options(name: str) -> None:
    page = (ROOT / "shell" / "puzzlemc.1").read_text(encoding="utf-8").replace("\\-", "-")
    section = page.partition(f".SS puzzlemc {name} ")[2].partition("\n.S")[0]
    for param in COMMANDS[name].params:
        assert param.opts[-1] in section or param.metavar in section, param.name


def test_texts_mean_nothing_to_roff(tool: dict[str, Any]) -> None:
    text = tool["_text"]
    assert text(".SH is no heading") == "\\&.SH is no heading"
    assert text("'quoted' \\fB --all\n of it") == "\\(aqquoted\\(aq \\(rsfB \\-\\-all of it"


@pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
def test_man_shows_the_page() -> None:
    command = ["man", "--warnings", "-l", str(ROOT / "shell" / "puzzlemc.1")]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "puzzlemc new-puzzle [OPTIONS] NAME" in done.stdout


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_finds_the_command_of_its_file() -> None:
    first = (ROOT / "shell" / "_puzzlemc").read_text(encoding="utf-8").partition("\n")[0]
    assert first == "#compdef puzzlemc"
    assert subprocess.run(["zsh", "-n", str(ROOT / "shell" / "_puzzlemc")], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_loads_its_file() -> None:
    file = ROOT / "shell" / "puzzlemc"
    done = subprocess.run(
        ["bash", "-c", f"source '{file}'; complete -p puzzlemc"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "complete -o default -F _puzzlemc_completion puzzlemc\n"
