"""The readers of oracles in other languages, compiled and called by small programs."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
READERS = ROOT / "reports" / "oracle" / "readers"
DRIVERS = ROOT / "tests" / "reports" / "oracle" / "drivers"
CHECKED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{READERS}")
SAID, BETWEEN = ".said", "\0"


@dataclass(frozen=True)
class Reader:
    """A reader, and the command that asks it."""

    language: str
    command: tuple[str, ...]

    def ask(self, files: Sequence[tuple[Path, Path]], rounds: int = 0) -> list[str]:
        """What it says about each pair of files: keys, and an oracle."""
        command = [*self.command, str(rounds)]
        for pair in files:
            command += [*map(str, pair), str(pair[1].with_suffix(SAID))]
        done = subprocess.run(command, capture_output=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return [pair[1].with_suffix(SAID).read_bytes().decode(errors="replace") for pair in files]


def readers(folder: Path, *, checked: bool = True) -> list[Reader]:
    """The readers that can run here, compiled in a folder; C also with the checks of its compiler if `checked`."""
    found = []
    if (node := shutil.which("node")) is not None:
        found.append(Reader("JavaScript", (node, str(DRIVERS / "ask.mjs"), str(READERS / "oracle.js"))))
    if (gcc := shutil.which("gcc")) is not None:
        sources = (*map(str, (DRIVERS / "ask.c", READERS / "oracle.c")), "-o")
        for language, options in (("C", ("-O2",)), ("C, checked", CHECKED))[: 1 + checked]:
            program = str(folder / language)
            subprocess.run([gcc, *STRICT, *options, *sources, program], check=True)
            found.append(Reader(language, (program,)))
    if (compiler := shutil.which("mcs")) is not None and (mono := shutil.which("mono")) is not None:
        program, sources = str(folder / "Ask.exe"), (str(DRIVERS / "Ask.cs"), str(READERS / "Oracle.cs"))
        options = ("-langversion:6", "-warn:4", "-warnaserror", "-optimize+", f"-out:{program}")
        subprocess.run([compiler, *options, *sources], check=True)
        found.append(Reader("C#", (mono, program)))
    return found


def keys_file(place: Path, keys: Sequence[str]) -> Path:
    """Write keys for the readers; return the path."""
    place.write_bytes("".join(f"{key}{BETWEEN}" for key in keys).encode())
    return place


def answers(text: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """The head of an oracle, and its answers: status, distance, and the names of best moves in order."""
    head, *rest = (part.split("\t") for part in text.split(BETWEEN))
    return head, [(each[0], *each[1:2], *sorted(each[2:])) for each in rest]
