"""Writes what a shell needs beside the program: scripts for completion, and the man page.

    python tools/shell_files.py [FOLDER]

All are made from the commands and options that the program declares. FOLDER is shell/ if it is not given. The
wheel has the files, and installing it puts them where man, bash, zsh and fish look for them.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.completion import get_completion_script

from puzzlemc.reports.cli.app import app
from puzzlemc.reports.cli.common.completing import VARIABLE
from puzzlemc.reports.cli.common.helping import grouped, summary, usage

ROOT = Path(__file__).parents[1]
NAMES = {"bash": "puzzlemc", "zsh": "_puzzlemc", "fish": "puzzlemc.fish"}
PAGE = "puzzlemc.1"
CODES = {
    "0": "every level is solvable; the formula holds; the certificate is valid",
    "1": "a level is unsolvable; the formula does not hold",
    "2": "bad usage or bad input; the other levels are done all the same",
    "3": "a level is unknown: a limit of time or memory came first",
    "4": "a trace or a proof was refuted, or a worker crashed: a bug",
    "130": "Ctrl-C",
    "141": "the reader of standard output has closed it",
}


def completion(shell: str) -> str:
    """The script that a shell loads for completion."""
    script = get_completion_script(prog_name="puzzlemc", complete_var=VARIABLE, shell=shell).strip() + "\n"
    # zsh loads the file when a first word is to be completed, and expects that it completes it.
    return f'{script}\n_puzzlemc_completion "$@"\n' if shell == "zsh" else script


def man_page() -> str:
    """The man page in the macros of man(7)."""
    return "\n".join(_lines(typer.main.get_command(app))) + "\n"


def _lines(program: Any) -> Iterator[str]:
    yield '.TH PUZZLEMC 1 "" "puzzlemc" "User Commands"'
    yield from (".SH NAME", f"puzzlemc \\- {_text(_lowered(program.help))}")
    yield from (".SH SYNOPSIS", ".B puzzlemc", "\\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIARGUMENTS\\fR")
    yield from (".SH DESCRIPTION", _text(program.help))
    yield _text("Results go to standard output, everything else to standard error. Each command has its own help:")
    yield "\\fBpuzzlemc\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR."
    yield ".SH COMMANDS"
    for name, command in program.commands.items():
        with command.make_context(name, [], resilient_parsing=True) as context:
            params = [param for param in command.get_params(context) if param.name != "help"]
        words = " ".join(usage(params))
        yield f".SS puzzlemc {_text(name)} {_text(words)}"
        yield _text(" ".join((command.help or "").split()))
        yield from _options(params)
    yield ".SH EXIT STATUS"
    for code, meaning in CODES.items():
        yield from (".TP", f"\\fB{code}\\fR", _text(meaning))
    yield ".SH EXAMPLES"
    yield ".nf"
    for command in program.commands.values():
        yield _text(command.epilog.strip().splitlines()[0])
    yield ".fi"


def _options(params: Sequence[Any]) -> Iterator[str]:
    """The arguments and options of a command, in their groups."""
    for group, rows in grouped(params).items():
        if rows:
            yield from (".PP", f"\\fI{_text(group)}\\fR")
        for name, purpose in rows:
            yield from (".TP", f"\\fB{_text(name)}\\fR", _text(purpose))


def _lowered(text: str) -> str:
    """The first sentence without its full stop, to follow a name and a dash."""
    first = summary(text).rstrip(".")
    return first[0].lower() + first[1:]


def _text(text: str) -> str:
    """A text on one line, whose characters mean nothing to roff."""
    line = " ".join(text.split()).replace("\\", "\\(rs").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{line}" if line.startswith(".") else line


def files() -> dict[str, str]:
    """The text of each file, by its name."""
    return {name: completion(shell) for shell, name in NAMES.items()} | {PAGE: man_page()}


def main() -> None:
    """Write the files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "shell"
    folder.mkdir(exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
