"""The examples of documents: commands after `$` in blocks of code, and files in blocks with a title.

A line `…` of an output stands for any lines, `…` in a line for any text. Numbers with a decimal point stand for
any such numbers, and blanks for any blanks: they are measurements, and the widths of columns depend on them.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from command import puzzlemc, script

ANY = "…"
BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'title="([^"]+)"')


@dataclass
class Example:
    """A command, the lines that it prints, and the line of the document."""

    words: list[str]
    line: int
    output: list[str] = field(default_factory=list)


@dataclass
class Written:
    """A file that the document shows."""

    name: str
    text: str


def parts(text: str) -> Iterator[Example | Written]:
    """The files and the commands of a document, in its order."""
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start()) + 2
        title = TITLE.search(block["info"])
        if title:
            yield Written(title[1], block["text"])
            continue
        example = None
        for number, line in enumerate(block["text"].splitlines(), first):
            if line.startswith("$ "):
                if example is not None:
                    yield example
                example = Example(shlex.split(line[2:]), number)
            elif example is not None:
                example.output.append(line)
        if example is not None:
            yield example


def printed(words: list[str], last: int) -> tuple[str, int]:
    """What a command prints in the current folder, and its exit code; `last` is the code of the one before."""
    name, *rest = words
    if words == ["echo", "$?"]:
        return str(last), 0
    if name == "cat":
        return "\n".join(Path(each).read_text(encoding="utf-8") for each in rest), 0
    if name == "python":
        done = script(Path(rest[0]), *rest[1:])
    elif name == "pytest":
        done = subprocess.run([sys.executable, "-m", "pytest", *rest], capture_output=True, text=True)
    else:
        assert name == "puzzlemc", name
        done = puzzlemc(*(each for word in rest for each in globbed(word)))
    return done.stdout + done.stderr, done.returncode


def globbed(word: str) -> list[str]:
    """The files of a pattern, as a shell finds them, or the word itself."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


def alike(expected: list[str], found: str) -> bool:
    """Is this the output, but for measurements?"""
    lines = [plain(line) for line in expected]
    while lines and not lines[-1]:
        lines.pop()
    pattern = "".join(
        r"(?:.*\n)*?" if line == ANY else re.escape(line).replace(ANY, ".*") + r"\n" for line in lines
    )
    text = "".join(f"{plain(line)}\n" for line in found.splitlines())
    return re.fullmatch(pattern, text.rstrip("\n") + "\n" if text else "") is not None


def plain(line: str) -> str:
    """A line without measurements."""
    return re.sub(r"\b\d+\.\d+\b(?!\.)", "0.0", " ".join(line.split()))
