"""Compares puzzlemc with planners, model checkers and Z3 on the same levels, exported by puzzlemc, one at a time.

    python benchmarks/peers.py LEVELS… [--metric pushes] [--timeout 60] [--memory 4] [--first 20]
        [--peers symk,fd-lmcut,…,puzzlemc] [--peer-site DIR] [--json out.json]

    symk       SymK, bidirectional symbolic search, optimal             pip install up-symk
    fd-lmcut   Fast Downward, A* with LM-cut, optimal                   pip install up-fast-downward
    lama       Fast Downward, the first plan of LAMA, any cost
    nusmv      BDDs, breadth first; optimal (*)                         NuSMV on the PATH
    abc-bmc    ABC, bounded model checking by SAT (bmc3); optimal (*)   apt-get install berkeley-abc
    abc-pdr    ABC, property directed reachability, any cost
    z3         Z3, bounded unrolling (`by_z3.py`); optimal (*)          pip install z3-solver
    z3-horn    Z3, Horn clauses by Spacer, no cost
    puzzlemc   `puzzlemc check`, optimal

(*) Where each action costs 1, as by `--metric moves` in Sokoban. An unrolling finds solutions only.

Each peer runs unchanged on one core under the same limits: `--timeout` is wall clock, `--memory` is GiB of address
space, plus one GiB for the program itself. CPU is the processor time of all its processes. `search` is the time
that the peer reports for its search, without start-up and translation; for puzzlemc, it is the time from the
parsed level to the checked verdict. `--peer-site` is the site-packages folder of the peers, if puzzlemc is
installed elsewhere.

Plans are replayed by the plain rules. The exit code is 1 if verdicts differ, if costs of optimal peers differ, if
a plan costs less than the optimum, or if a peer fails for another reason than a limit.
"""

import argparse
import contextlib
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.trace import run_of
from puzzlemc.reports.formats import aiger, pddl, smv

GRACE_SECONDS = 1  # for a program with a time limit of its own, such as puzzlemc, to end
SPARE_BYTES = GIB  # for the program itself, in addition to the limit of its search
ADOPT = 36  # PR_SET_CHILD_SUBREAPER: this process adopts orphaned processes, so that their CPU counts
SOLVED = ("solvable", "unsolvable")
PEERS = ("symk", "fd-lmcut", "lama", "nusmv", "abc-bmc", "abc-pdr", "z3", "z3-horn", "puzzlemc")


@dataclass(frozen=True)
class Answer:
    """The answer of a peer for a level.

    verdict  `solvable`, `unsolvable`, `unknown` (a limit was reached) or `failed`
    cost     None if it is not known
    search   seconds of the search; None if the peer does not report them
    reason   of `unknown` and `failed`
    """

    verdict: str
    cost: int | None = None
    search: float | None = None
    reason: str = ""
    cpu: float = 0.0
    wall: float = 0.0


@dataclass(frozen=True)
class Run:
    """A program that has ended; `code` is None if it was killed at the time limit."""

    code: int | None
    output: str
    errors: str
    cpu: float
    wall: float


@dataclass(frozen=True)
class Task:
    """A level, its model, the metric, and the limits."""

    entry: Entry
    encoded: Encoded
    metric: str
    timeout: float
    memory: float


@dataclass(frozen=True)
class Peer:
    """A program. `command` writes its input to a folder and returns its command line; `read` reads its answer."""

    optimal: bool
    command: Callable[[Task, Path], Sequence[str]]
    read: Callable[[Task, Path, Run], Answer]


# Planners: https://www.fast-downward.org/latest/documentation/exit-codes

PLANNED = (0, 1, 2, 3)
NO_PLAN = (10, 11)
EXHAUSTED = (
    "BOUND: 2147483647 <"  # SymK's output for unsolvable tasks; its exit code is that of an incomplete search
)
LIMITED = {12: "incomplete", 20: "memory", 21: "timeout", 22: "memory", 23: "timeout", 24: "limits"}


def planner(driver: Path, before: Sequence[str], after: Sequence[str], *, optimal: bool) -> Peer:
    """A planner built on Fast Downward: the path of its driver, and options before and after the files."""

    def command(task: Task, folder: Path) -> Sequence[str]:
        domain, problem = pddl.write(task.encoded.model, task.metric, task.entry.id)
        (folder / "domain.pddl").write_text(domain, encoding="ascii")
        (folder / "problem.pddl").write_text(problem, encoding="ascii")
        files = ["--plan-file", "plan", *before, "domain.pddl", "problem.pddl"]
        return [sys.executable, str(driver), *files, *after]

    def read(task: Task, folder: Path, run: Run) -> Answer:
        seconds = re.search(r"Total time: ([0-9.]+)s", run.output)
        search = float(seconds[1]) if seconds else None
        if run.code in PLANNED:
            plan = pddl.read_plan(task.encoded.model, (folder / "plan").read_text(encoding="ascii"))
            costs = played(task, task.encoded.moves(run_of(task.encoded.model, plan)))
            return Answer("solvable", costs[task.metric], search)
        if run.code in NO_PLAN or EXHAUSTED in run.output:
            return Answer("unsolvable", search=search)
        if run.code in LIMITED:
            return Answer("unknown", reason=LIMITED[run.code])
        return failure(run)

    return Peer(optimal, command, read)


def nusmv(program: str) -> Peer:
    """NuSMV: the shortest counterexample to the claim that the goal is unreachable."""

    def command(task: Task, folder: Path) -> Sequence[str]:
        (folder / "model.smv").write_text(smv.write(task.encoded.model), encoding="ascii")
        return [program, "model.smv"]

    def read(task: Task, folder: Path, run: Run) -> Answer:
        if re.search(r"^-- invariant .* is true", run.output, re.MULTILINE):
            return Answer("unsolvable")
        if not re.search(r"^-- invariant .* is false", run.output, re.MULTILINE):
            return failure(run)
        return Answer("solvable", run.output.count("-> State:") - 1 if unit(task) else None)

    return Peer(True, command, read)


def abc(program: str, script: str, *, shortest: bool) -> Peer:
    """ABC, with the commands of a script after the circuit is read."""

    def command(task: Task, folder: Path) -> Sequence[str]:
        (folder / "model.aig").write_bytes(aiger.machine(task.encoded.model).aiger())
        return [program, "-c", f"read model.aig; {script}"]

    def read(task: Task, folder: Path, run: Run) -> Answer:
        seconds = re.search(r"Time = +([0-9.]+) sec", run.output)
        search = float(seconds[1]) if seconds else None
        frame = re.search(r"was asserted in frame (\d+)", run.output)
        if frame:
            return Answer("solvable", int(frame[1]) if shortest and unit(task) else None, search)
        if re.search("Property proved|Explored all reachable states", run.output):
            return Answer("unsolvable", search=search)
        if run.code == -signal.SIGSEGV:  # it does not check whether it gets the memory that it asks for
            return Answer("unknown", reason="memory")
        return failure(run)

    return Peer(shortest, command, read)


def z3(site: Path, way: str) -> Peer:
    """Z3 from a folder of packages, by `by_z3.py`."""

    def command(task: Task, folder: Path) -> Sequence[str]:
        (folder / "model.aig").write_bytes(aiger.machine(task.encoded.model).aiger())
        script = Path(__file__).with_name("by_z3.py")
        return ["env", f"PYTHONPATH={site}", sys.executable, str(script), way, "model.aig"]

    def read(task: Task, folder: Path, run: Run) -> Answer:
        answer = re.fullmatch(r"(reachable|unreachable)(?: (\d+))? ([0-9.]+) s\n", run.output)
        if answer is None:
            return failure(run)
        cost = int(answer[2]) if answer[2] and unit(task) else None
        return Answer("solvable" if answer[1] == "reachable" else "unsolvable", cost, float(answer[3]))

    return Peer(True, command, read)


def unit(task: Task) -> bool:
    """Does each action cost 1? Then a shortest counterexample is a cheapest one."""
    return all(cost_of(action, task.metric) == 1 for action in task.encoded.model.actions)


def puzzlemc() -> Peer:
    """The installed program `puzzlemc` of this interpreter."""

    def command(task: Task, folder: Path) -> Sequence[str]:
        level = os.path.abspath(task.entry.id)
        limits = ["--timeout", str(task.timeout), "--memory", str(task.memory)]
        options = ["--json", "--quiet", "--engine", "auto", "--metric", task.metric, *limits]
        return [sys.executable, "-m", "puzzlemc", "check", level, *options]

    def read(task: Task, folder: Path, run: Run) -> Answer:
        try:
            row = json.loads(run.output)
        except ValueError:
            return failure(run)
        if row["verdict"] == "error":
            return replace(failure(run), reason=str(row["reason"]))
        return Answer(row["verdict"], row["cost"], row["seconds"], row["reason"] or "")

    return Peer(True, command, read)


def failure(run: Run) -> Answer:
    """The answer of a program that ended abnormally: `unknown` if it ran out of memory, else `failed`."""
    last = (run.errors or run.output).strip().splitlines()[-1:]
    text = f"exit code {run.code}: {''.join(last)}"
    memory = run.code == -signal.SIGKILL or re.search("memory|bad_alloc|allocat", text, re.IGNORECASE)
    return Answer("unknown", reason="memory") if memory else Answer("failed", reason=text)


def played(task: Task, moves: Sequence[str]) -> Mapping[str, int]:
    """The costs of a solution by the plain rules. Raises Refuted if it is not a solution."""
    return task.entry.puzzle.replay(task.entry.level, moves).costs


def installed(site: str | None) -> tuple[dict[str, Peer], dict[str, str]]:
    """The installed peers in the order of the table, and the reasons why others are missing."""
    found: dict[str, Peer] = {}
    missing: dict[str, str] = {}
    symk = package_folder("up_symk", site) / "symk" / "fast-downward.py"
    downward = package_folder("up_fast_downward", site) / "downward" / "fast-downward.py"
    for name, driver, before, after, optimal in [
        ("symk", symk, [], ["--search", "sym_bd()"], True),
        ("fd-lmcut", downward, [], ["--search", "astar(lmcut())"], True),
        ("lama", downward, ["--alias", "lama-first"], [], False),
    ]:
        if driver.is_file():
            found[name] = planner(driver, before, after, optimal=optimal)
        else:
            missing[name] = f"there is no {driver}"
    program = shutil.which("NuSMV")
    if program:
        found["nusmv"] = nusmv(program)
    else:
        missing["nusmv"] = "there is no NuSMV on the PATH"
    program = shutil.which("berkeley-abc") or shutil.which("abc")
    if program:
        found["abc-bmc"] = abc(program, "bmc3", shortest=True)
        found["abc-pdr"] = abc(program, "fold; pdr", shortest=False)
    else:
        missing |= dict.fromkeys(("abc-bmc", "abc-pdr"), "there is no berkeley-abc on the PATH")
    folder = package_folder("z3", site)
    if folder.is_dir():
        found["z3"] = z3(folder.parent, "unrolled")
        found["z3-horn"] = z3(folder.parent, "horn")
    else:
        missing |= dict.fromkeys(("z3", "z3-horn"), f"there is no {folder}")
    found["puzzlemc"] = puzzlemc()
    return found, missing


def package_folder(package: str, site: str | None) -> Path:
    """The folder of a package, without importing it; its expected folder if it is not installed."""
    if site is None:
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            return Path(spec.origin).parent
    return Path(site or ".", package).absolute()


def run(command: Sequence[str], folder: Path, timeout: float, memory: float) -> Run:
    """Run a program until it and all its child processes have ended; kill them at the time limit."""

    def limit() -> None:
        ceiling = int(memory * GIB) + SPARE_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (ceiling, ceiling))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before, started = cpu_of_children(), time.perf_counter()
    with open(folder / "output", "w+b") as output, open(folder / "errors", "w+b") as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
            preexec_fn=limit,
        )
        code: int | None
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            with contextlib.suppress(ChildProcessError):
                while True:  # also wait for adopted processes
                    os.waitpid(-1, 0)
        wall = time.perf_counter() - started
        output.seek(0)
        errors.seek(0)
        written, warned = (file.read().decode(errors="replace") for file in (output, errors))
    return Run(code, written, warned, cpu_of_children() - before, wall)


def cpu_of_children() -> float:
    """The CPU seconds of all child processes that have been waited for, and of their children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask(peer: Peer, task: Task) -> Answer:
    """Run a peer on a level."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            command = peer.command(task, folder)
        except ModelError as error:
            return Answer("failed", reason=str(error))
        ran = run(command, folder, task.timeout + GRACE_SECONDS, task.memory)
        try:
            answer = Answer("unknown", reason="timeout") if ran.code is None else peer.read(task, folder, ran)
        except (ModelError, Refuted) as error:
            answer = Answer("failed", reason=str(error))
    return replace(answer, cpu=ran.cpu, wall=ran.wall)


def disagreements(peers: Mapping[str, Peer], answers: Mapping[str, Answer]) -> list[str]:
    """The disagreements between the answers for one level, in words."""
    found = [f"{name} failed: {answer.reason}" for name, answer in answers.items() if answer.verdict == "failed"]
    verdicts = {name: answer.verdict for name, answer in answers.items() if answer.verdict in SOLVED}
    if len(set(verdicts.values())) > 1:
        found.append(f"verdicts differ: {verdicts}")
    costs = {name: answer.cost for name, answer in answers.items() if answer.cost is not None}
    optimal = {name: cost for name, cost in costs.items() if peers[name].optimal}
    if len(set(optimal.values())) > 1:
        found.append(f"optimal costs differ: {optimal}")
    if optimal and min(costs.values()) < min(optimal.values()):
        found.append(f"less than optimal: {costs}")
    return found


def table(names: Sequence[str], rows: Sequence[Mapping[str, Answer]]) -> str:
    """For each peer: solved levels with their CPU and search times.

    Then the same for levels solved by puzzlemc, too.
    """
    lines = [
        f"{'peer':<10}{'solved':>7}{'CPU s':>10}{'search s':>10}   over the levels that puzzlemc solved too\n"
        f"{'':<37}   {'levels':>6}{'CPU s':>10}{'ratio':>8}{'search s':>10}{'ratio':>8}{'cost':>8}{'ratio':>8}"
    ]
    for name in names:
        solved = [row for row in rows if row[name].verdict in SOLVED]
        common = [row for row in solved if "puzzlemc" in row and row["puzzlemc"].verdict in SOLVED]
        line = f"{name:<10}{len(solved):>7}{total(solved, name, 'cpu'):>10}{total(solved, name, 'search'):>10}"
        line += f"   {len(common):>6}"
        for what in ("cpu", "search", "cost"):
            line += f"{total(common, name, what):>{8 if what == 'cost' else 10}}"
            line += f"{ratio(common, name, what):>8}"
        lines.append(line)
    return "\n".join(lines)


def total(rows: Sequence[Mapping[str, Answer]], name: str, what: str) -> str:
    """The sum of a peer's numbers as text; a dash if it reports none."""
    numbers = [getattr(row[name], what) for row in rows]
    known = [number for number in numbers if number is not None]
    return f"{sum(known):.{0 if what == 'cost' else 2}f}" if known else "-"


def ratio(rows: Sequence[Mapping[str, Answer]], name: str, what: str) -> str:
    """The ratio of a peer's sum to puzzlemc's, over the levels for which both report a number."""
    pairs = [(getattr(row[name], what), getattr(row["puzzlemc"], what)) for row in rows]
    known = [(theirs, ours) for theirs, ours in pairs if theirs is not None and ours is not None]
    ours_in_all = sum(ours for _, ours in known)
    return f"{sum(theirs for theirs, _ in known) / ours_in_all:.2f}" if ours_in_all else "-"


def main() -> int:
    """Run, compare, print; return 1 if peers disagree or fail."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--metric", default="pushes", help="the metric of costs")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of wall clock for a level")
    parser.add_argument("--memory", type=float, default=4, help="GiB for a level")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N levels")
    parser.add_argument("--peers", default=",".join(PEERS), help="names separated by commas")
    parser.add_argument("--peer-site", help="the site-packages folder of the planners")
    parser.add_argument("--json", help="a file for all answers")
    options = parser.parse_args()

    found, missing = installed(options.peer_site)
    wanted = options.peers.split(",")
    for name in wanted:
        if name in missing:
            print(f"{name} is skipped: {missing[name]}", file=sys.stderr)
        elif name not in found:
            parser.error(f"unknown peer {name!r}, expected some of {', '.join([*found, *missing])}")
    peers = {name: found[name] for name in wanted if name in found}
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    entries = []
    for entry in load(options.levels):
        if entry.error is None:
            entries.append(entry)
        else:
            print(f"skipped: {entry.error}", file=sys.stderr)
    entries = entries[: options.first]
    if not entries:
        parser.error("there is no level")
    rows: list[dict[str, Answer]] = []
    written = []
    wrong = 0
    for entry in entries:
        encoded = entry.puzzle.encodings["compact"](entry.level)
        encoded = replace(encoded, model=encoded.model.in_formulas)
        task = Task(entry, encoded, options.metric, options.timeout, options.memory)
        row = {name: ask(peer, task) for name, peer in peers.items()}
        rows.append(row)
        written.append({"id": entry.id, "answers": {name: asdict(answer) for name, answer in row.items()}})
        words = [f"{name} {a.reason or a.cost or a.verdict} {a.cpu:.2f}" for name, a in row.items()]
        print(f"{entry.id}: {', '.join(words)}", flush=True)
        for text in disagreements(peers, row):
            wrong += 1
            print(f"DISAGREE {entry.id}: {text}", flush=True)
        if options.json:
            Path(options.json).write_text(
                json.dumps({"options": vars(options), "levels": written}, indent=1), encoding="utf-8"
            )
    print(f"{len(rows)} levels, {options.metric}, {wrong} disagreements")
    print(table(list(peers), rows))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
