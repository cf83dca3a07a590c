"""Cases of the hunt with damaged and hostile files for each parser and each command.

A case of `bytes` is one file or formula, read by the parsers in this process. They must raise documented errors
only, what they accept must survive drawing and reading again, and a small text must take little time and memory. A
case of `commands` is one run of the program on such a file with small limits, with its output going to a pipe, a
pseudo-terminal, a full device or a closed pipe. It must not print a traceback or a foreign control character, not
exceed its limits, and end with a documented exit code.
"""

import contextlib
import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

from hunt_levels import certified
from odd_levels import PUZZLES, dressed, odd_level, odd_text
from outcome import DISAGREEMENT, EXIT_CODE, OUTPUT, OVERRUN, TRACEBACK, Failure, Outcome, crash, shrink

from puzzlemc.encodings.puzzles import Entry, load, puzzles
from puzzlemc.mc.errors import FormulaError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.system.memory import peak_mb, reset_peak
from puzzlemc.mc.temporal.parser import parse as parse_formula
from puzzlemc.reports.certify.verify import verify

MOST_BYTES = 1 << 16
PARSE_SECONDS = 5.0  # processor time to read a file four times
PARSE_MB = 300  # memory to read a file
TIMEOUT, MEMORY = 1.0, 0.25  # seconds and GiB, as limits for commands
START_SECONDS, START_MB = 6.0, 400  # for interpreter, libraries and workers, on a busy machine
SHRINK_SECONDS = 10.0  # to reduce an input
HANGS = 90.0  # seconds after which a command is killed
SHIPPED = Path(__file__).parents[1] / "screens" / "levels"
BITS = [
    "\x1b]0;x\x07",
    "\x1b[5m",
    "\x9b31m",
    "\x00",
    "\x08",
    "\x0c",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\r",
    "\r\n",
    "\n\n",
]
BITS += [
    "9" * 5000,
    "99999999999",
    "-1",
    "1e999",
    "NaN",
    "1000000#",
    "|" * 500,
    "(" * 300,
    "[" * 3000,
    '{"a":' * 2000,
]
BITS += [
    "\ud800",
    "\udcff",
    "\\ud800",
    "\\u0000",
    "é" * 200,
    "#" * 2000,
    "$" * 1500,
    "@",
    "<script>",
    "]]>",
    "&",
    "%",
]
BITS += [
    "Title: ",
    "Comment:",
    "Comment-End:",
    "; ",
    "Tetravex 3",
    "Put",
    "Swap",
    "N = 5;",
    "array2d(1..N*N, 1..4, [",
    "]);",
]
BITS += [
    "!" * 400,
    "AG " * 150,
    "solved <-> " * 30,
    "A[true U " * 40,
    "E[",
    "] U",
    "box@(2,3)",
    "player@(2,2)",
    "1@(2,2)",
]
BITS += ["\n1000#" + "|#998-#" * 997 + "|#@$." + "994-" + "#|1000#\n"]  # a few kilobytes, a million cells
FORMULAS = [
    "AG EF solved",
    "EF (stuck & !solved)",
    "E[!box@(2,3) U solved]",
    "A[true U (stuck or solved)]",
    "AG (solved -> AX solved) <-> EF EG !stuck",
]
# The control sequences that rich and the frames of solutions write to a terminal.
OWN_CODES = re.compile(
    r"\x1b\[(?:0|1|2|[39][0-7]|[34]8;[0-9;]+|1;[39][0-7]|0;[39][0-7])?m|\x1b\[[0-9]*[ABKJG]|\x1b\[\?25[lh]"
)


def bytes_case(choice: random.Random, seed: int) -> Outcome:
    """Read one damaged file or formula with the parsers."""
    outcome = Outcome()
    kind = choice.choice(["level"] * 6 + ["certificate", "certificate", "formula", "formula"])
    data, suffix = damaged(choice, seed, kind)
    outcome.failures += [Failure(*failure, data, suffix) for failure in parsed(kind, data, suffix, outcome)]
    return outcome


def parsed(kind: str, data: bytes, suffix: str, outcome: Outcome) -> list[tuple[str, str, str]]:
    """Yield the failures of reading a file, each as kind, short description and detail."""
    reset_peak()
    before, started = peak_mb(), time.process_time()
    wrong = list(CHECKS[kind](data, suffix, outcome))
    if (took := time.process_time() - started) > PARSE_SECONDS:
        wrong.append((OVERRUN, f"{kind}{suffix} time", f"{took:.1f} s for {len(data)} bytes"))
    if (more := peak_mb() - before) > PARSE_MB:
        wrong.append((OVERRUN, f"{kind}{suffix} memory", f"{more:.0f} MiB for {len(data)} bytes"))
    return wrong


def smaller(failure: Failure) -> bytes:
    """A smaller file that fails in the same way, found within SHRINK_SECONDS."""
    kind = {".cert": "certificate", ".json": "certificate", ".ctl": "formula"}.get(failure.suffix, "level")

    def fails(data: bytes) -> bool:
        return any(what == failure.what for _, what, _ in parsed(kind, data, failure.suffix, Outcome()))

    return shrink(failure.data, fails, SHRINK_SECONDS)


def as_level(data: bytes, suffix: str, outcome: Outcome) -> Iterator[tuple[str, str, str]]:
    """Read a file with `load`, by suffix or content, and with the parser of each puzzle."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"odd{suffix}"
        path.write_bytes(data)
        for name in (None, *puzzles()):
            try:
                entries = list(load([str(path)], name))
            except Exception as error:
                yield TRACEBACK, f"load {name} {crash(error)}", repr(error)
                continue
            for entry in entries:
                outcome.answers["level" if entry.level is not None else "refused"] += 1
                with_error = entry.level is None and not str(entry.error).startswith(str(path))
                if with_error:
                    yield DISAGREEMENT, f"load {name}: an error without its file", str(entry.error)
            for entry in entries[: 20 if name is None else 2]:
                if entry.level is not None:
                    yield from drawn_again(entry)


def drawn_again(entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Check that levels can be drawn, read again, and shown as pictures."""
    module = entry.puzzle.screen
    try:
        text = module.draw(entry.level)
        if len(text) > MOST_BYTES:
            return
        again = module.parse(text, "again")
        if len(again) != 1 or isinstance(again[0], Exception) or module.draw(again[0]) != text:
            yield DISAGREEMENT, f"{entry.puzzle.name}: a drawing is not the level", f"{text}\n\n{again}"
        if len(text) < 2000:
            module.picture(entry.level, entry.puzzle.rules.start(entry.level))
    except Exception as error:
        yield TRACEBACK, f"draw {entry.puzzle.name} {crash(error)}", repr(error)


def as_certificate(data: bytes, suffix: str, outcome: Outcome) -> Iterator[tuple[str, str, str]]:
    """Read a file with `verify`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd.cert"
        path.write_bytes(data)
        try:
            verification = verify(path, budget=Budget(Limits(TIMEOUT)))
            outcome.answers[verification.status] += 1
            row = verification.as_text()
            json.dumps(verification.as_json())
        except Exception as error:
            yield TRACEBACK, f"verify {crash(error)}", repr(error)
            return
        if not row.isprintable():
            yield OUTPUT, "verify: a row that is not printable", repr(row)


def as_formula(data: bytes, suffix: str, outcome: Outcome) -> Iterator[tuple[str, str, str]]:
    """Read a formula, write it, and read it again."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        formula = parse_formula(text)
    except FormulaError:
        outcome.answers["refused"] += 1
        return
    except Exception as error:
        yield TRACEBACK, f"formula {crash(error)}", repr(error)
        return
    outcome.answers["formula"] += 1
    try:
        if parse_formula(str(formula)) != formula:
            yield DISAGREEMENT, "a formula that is written is another one", str(formula)[:200]
    except FormulaError as error:
        yield DISAGREEMENT, "a formula that is written cannot be read", f"{error}"[:300]
    except Exception as error:
        yield TRACEBACK, f"formula, written {crash(error)}", repr(error)


CHECKS: dict[str, Callable[[bytes, str, Outcome], Iterator[tuple[str, str, str]]]] = {
    "level": as_level,
    "certificate": as_certificate,
    "formula": as_formula,
}


def damaged(choice: random.Random, seed: int, kind: str) -> tuple[bytes, str]:
    """A file of this kind, mostly a valid one with random changes, and its suffix."""
    suffix = {"certificate": ".cert", "formula": ".ctl"}.get(kind) or choice.choice(
        [".xsb", ".sok", ".fold", ".tetravex", ".dzn", ".txt"]
    )
    if choice.random() < 0.05:
        return choice.randbytes(choice.choice([0, 1, 10, 1000])), suffix
    if kind == "formula":
        data = choice.choice(FORMULAS).encode()
    elif kind == "certificate":
        data = (certified(seed, choice.randrange(4)) or "{}").encode()
    else:
        data = level_file(choice, suffix)
    for _ in range(choice.choice([0, 1, 1, 2, 4, 10])):
        data = change(choice, data, level_file(choice, suffix) if kind == "level" else data)
    return data[:MOST_BYTES], suffix


def level_file(choice: random.Random, suffix: str) -> bytes:
    """A valid collection: a shipped one, or unusual levels."""
    name = {
        ".fold": "folding",
        ".tetravex": "tetravex",
        ".dzn": "tetravex",
        ".txt": choice.choice(PUZZLES),
    }.get(suffix, "sokoban")
    if choice.random() < 0.3:
        files = sorted(path for path in (SHIPPED / name).iterdir() if path.suffix != ".tsv")
        return choice.choice(files).read_bytes()
    number = 1 if suffix == ".dzn" else choice.choice([1, 1, 2, 5])
    return "\n\n".join(dressed(choice, name, odd_level(choice, name)) for _ in range(number)).encode()


def change(choice: random.Random, data: bytes, other: bytes) -> bytes:
    """One change: a flipped bit, a cut, a piece repeated or from another file, hostile bytes, or line ends."""
    at, to = sorted(choice.randint(0, len(data)) for _ in range(2))
    way = choice.randrange(9)
    if way == 0 and data:
        at = choice.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << choice.randrange(8)]) + data[at + 1 :]
    if way == 1:
        return data[:at] + data[to:]
    if way == 2:
        return data[:at]
    if way == 3:
        return data[:to] + data[at:to] * choice.choice([1, 2, 50]) + data[to:]
    if way == 4:
        start, end = sorted(choice.randint(0, len(other)) for _ in range(2))
        return data[:at] + other[start:end] + data[to:]
    if way == 5:
        return data.replace(b"\n", choice.choice([b"\r", b"\r\n", b"\n\r", b"\n\n", b"\x0b", b"\xc2\x85"]))
    if way == 6 and data:
        return bytes(choice.choice(data) if choice.random() < 0.05 else byte for byte in data)
    number = re.compile(rb"\d+")
    if way == 7 and (found := list(number.finditer(data))):
        spot = choice.choice(found)
        return (
            data[: spot.start()]
            + choice.choice([b"0", b"-1", b"1001", b"9" * 30, b"9" * 5000])
            + data[spot.end() :]
        )
    return data[:at] + choice.choice(BITS).encode("utf-8", "surrogatepass") + data[at:]


# --- Commands


ALLOWED = {
    "check": {0, 1, 2, 3},
    "solve": {0, 1, 2, 3},
    "compare": {0, 2},
    "query": {0, 1, 2, 3},
    "report": {0, 2, 3},
    "export": {0, 2, 3},
    "verify": {0, 2, 4},
    "generate": {0, 2, 3},
    "puzzles": {0, 2},
}


def command(choice: random.Random, name: str, path: str, folder: Path) -> tuple[list[str], float]:
    """The arguments of a command on a file, and the number of time limits that it may use."""
    limits = ["--timeout", str(TIMEOUT), "--memory", str(MEMORY)]
    one = path if name in {"check", "solve", "compare"} else f"{path}#{choice.choice([1, 1, 1, 2, 9])}"
    out = str(folder / "out")
    some = choice.choice([[], ["--puzzle", choice.choice([*puzzles()])]])
    if name in {"check", "solve"}:
        rest = choice.choice(
            [[], ["--json"], ["--quiet"], ["--engine", choice.choice(["bmc", "ic3", "explicit"])]]
        )
        times = 1.0
        if choice.random() < 0.3:
            rest, times = [*rest, "--certificate", f"{out}-certificates"], 3.0
        elif name == "solve" and "--json" not in rest and choice.random() < 0.5:
            form = choice.choice(["lurd", "moves", "frames", "json", "svg"])
            rest = [*rest, "--format", form, *choice.choice([[], ["-o", f"{out}-traces"]])]
        elif choice.random() < 0.2:
            rest = [*rest, "--draw", "--verbose"]
        return [one, *some, *rest, *limits], times
    if name == "compare":
        return [one, *some, "--method", "A*", "--method", "auto", "--method", "breadth-first", *limits], 3.0
    if name == "query":
        formula = choice.choice(
            [*FORMULAS, change(choice, choice.choice(FORMULAS).encode(), b"").decode("utf-8", "replace")]
        )
        formula = formula.replace("\0", "")[:20_000]
        return [one, *some, *choice.choice([[], ["--json"]]), *limits, "--", formula], 2.0
    if name == "report":
        return [one, *some, "-o", out + choice.choice([".html", ".json", ".md"]), *limits], 4.0
    if name == "export":
        form = choice.choice(["aiger", "btor2", "dimacs", "dot", "graphml", "minizinc", "pddl", "sas", "smv"])
        return [one, *some, "--to", form, "-o", out, *choice.choice([[], ["--bound", "3"]])], 2.0
    if name == "verify":
        return [path, *choice.choice([[], ["--json"], ["--drat", out], ["--aiger", out]]), *limits], 2.0
    if name == "generate":
        size = choice.choice(["3", "4x6", "0", "9999", "12", "-1", "3x"])
        colours = str(choice.choice([1, 3, 8, 0, 10**6]))
        made = [choice.choice(["folding", "tetravex", "sokoban"]), "--size", size, "--colours", colours]
        return [*made, "--seed", str(choice.randrange(99)), *choice.choice([[], ["--unique"]]), *limits], 2.0
    return [choice.choice([*puzzles(), odd_text(choice).replace("\0", "")])], 1.0


def commands(choice: random.Random, seed: int) -> Outcome:
    """Run the program once."""
    outcome = Outcome()
    name = choice.choice(
        ["check", "check", "solve", "solve", "compare", "query", "report", "export", "verify", "generate"]
    )
    name = "puzzles" if choice.random() < 0.02 else name
    data, suffix = damaged(choice, seed, "certificate" if name == "verify" else "level")
    if name != "verify" and choice.random() < 0.5:
        data = level_file(choice, suffix)
    data = data[:8000]
    where = choice.choice(["pipe", "pipe", "pipe", "terminal", "terminal", "full", "gone"])
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        stem = choice.choice(["odd", "odd", "odd", "o dd\x1b[5m", "é" * 60, "a\nb", "-x", "o#1"])
        path = folder / f"{stem}{suffix}"
        path.write_bytes(data)
        given = str(path)
        if name in {"check", "solve", "compare"}:  # these also read standard input and folders
            given = choice.choice([given] * 8 + ["-", str(folder)])
        arguments, times = command(choice, name, given, folder)
        ran = run([name, *arguments], where, folder, {"LC_ALL": "C"} if choice.random() < 0.2 else {}, path)
        what_ran = f"{where}: puzzlemc {name} {' '.join(map(ascii, arguments))}\n{ran.errors[-2000:]}"

        def fail(kind: str, what: str, detail: str = "") -> None:
            shown = f"{detail}\n{what_ran}".replace(base, "DIR")
            outcome.failures.append(Failure(kind, what.replace(base, "DIR"), shown, data, suffix))

        outcome.answers[f"{name} {ran.code}"] += 1
        allowed = ALLOWED[name] | ({141} if where == "gone" else set()) | ({2} if where == "full" else set())
        if ran.code not in allowed:
            fail(EXIT_CODE, f"{name}: exit code {ran.code}, output to {where}")
        if "Traceback (most recent call last)" in ran.errors + ran.output:
            last = (ran.errors + ran.output).strip().splitlines()[-1]
            fail(TRACEBACK, f"{name}: {re.sub('[0-9]+', 'N', last)[:80]}")
        levels = 1 if name not in {"check", "solve", "compare"} else max(1, ran.rows)
        if ran.late(START_SECONDS + levels * (times * TIMEOUT + 1)):
            fail(
                OVERRUN,
                f"{name}: time",
                f"{ran.seconds:.1f} s, {ran.busy:.1f} s of processor time, {levels} levels",
            )
        if ran.peak_mb > START_MB + 1.3 * 1024 * MEMORY:
            fail(OVERRUN, f"{name}: memory", f"{ran.peak_mb:.0f} MiB")
        for stream, text in (("standard output", ran.output), ("standard error", ran.errors)):
            if raw := unprintable(text, terminal=where == "terminal"):
                fail(OUTPUT, f"{name}: control characters on {stream}", f"{raw!r}")
        if "--json" in arguments and where == "pipe" and ran.code != 2:
            for line in ran.output.splitlines():
                try:
                    json.loads(line)
                except ValueError:
                    fail(OUTPUT, f"{name}: a line that is no JSON", line[:200])
        for file in folder.rglob("*.svg"):
            try:
                ElementTree.parse(file)
            except ElementTree.ParseError as error:
                fail(OUTPUT, f"{name}: an SVG that is no XML", str(error))
    return outcome


def unprintable(text: str, *, terminal: bool) -> str:
    """The characters that a terminal may interpret as control characters."""
    if terminal:
        text = OWN_CODES.sub("", text).replace("\r", "")
    return "".join(sorted({c for c in text if not (c.isprintable() or c == "\n")}))


class Ran:
    """The result of a run of the program."""

    def __init__(self) -> None:
        self.code = 0
        self.output = self.errors = ""
        self.seconds = self.busy = self.peak_mb = 0.0

    def late(self, seconds: float) -> bool:
        """Did it exceed the time? Processor time counts, because the machine may be busy, unless the run hangs."""
        return self.seconds > HANGS or min(self.seconds, self.busy) > seconds

    @property
    def rows(self) -> int:
        """A lower bound on the number of levels in the output."""
        return len(re.findall(r"solvable|unknown|error", self.output + self.errors))


def run(
    arguments: list[str], where: str, folder: Path, environment: dict[str, str], given: Path | None = None
) -> Ran:
    """Run the program, its standard output to `where`; standard error is a terminal where that is one.

    `given` is standard input.
    """
    ran = Ran()
    program = [sys.executable, "-c", "from puzzlemc.reports.cli.app import main; main()", *arguments]
    errors = folder / ".errors"
    master = slave = -1
    with contextlib.ExitStack() as stack:
        error_file = stack.enter_context(errors.open("wb"))
        if where == "terminal":
            master, slave = pty.openpty()
            out = err = slave
        else:
            err = error_file.fileno()
            if where == "full":
                out = stack.enter_context(open("/dev/full", "wb")).fileno()
            elif where == "gone":
                reader, out = os.pipe()
                os.close(reader)
            else:
                out = stack.enter_context((folder / ".output").open("wb")).fileno()
        started = time.perf_counter()
        process = subprocess.Popen(
            program,
            stdin=stack.enter_context(open(given or os.devnull, "rb")),
            stdout=out,
            stderr=err,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "", **environment},
            start_new_session=True,
        )
        if where == "gone":
            os.close(out)
        if slave >= 0:
            os.close(slave)
            os.set_blocking(master, False)
        seen = bytearray()
        used: dict[int, float] = {}  # processor time by process
        while process.poll() is None:
            time.sleep(0.02)
            ran.peak_mb = max(ran.peak_mb, watched(process.pid, used))
            if master >= 0:
                seen += drained(master)
            if time.perf_counter() - started > HANGS:
                os.killpg(process.pid, signal.SIGKILL)
        ran.seconds, ran.busy = time.perf_counter() - started, sum(used.values())
        ran.code = process.returncode
        if master >= 0:
            seen += drained(master)
            os.close(master)
    encoding = ("utf-8", "backslashreplace")
    ran.errors = errors.read_bytes().decode(*encoding)
    ran.output = seen.decode(*encoding) if seen or master >= 0 else ""
    if where == "pipe":
        ran.output = (folder / ".output").read_bytes().decode(*encoding)
    return ran


def drained(terminal: int) -> bytes:
    """The bytes available at the other side of a terminal."""
    parts = b""
    with contextlib.suppress(OSError):  # nothing available, or the terminal is closed
        while part := os.read(terminal, 65536):
            parts += part
    return parts


def watched(leader: int, used: dict[int, float]) -> float:
    """The largest resident memory of a process of a session so far, in MiB; write processor times to `used`."""
    most = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                used[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                found = re.search(r"VmHWM:\s+(\d+)", stat.with_name("status").read_text())
                most = max(most, int(found[1]) if found else 0)
    return most / 1024
