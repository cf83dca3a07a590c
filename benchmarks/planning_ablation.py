"""Ablation of optimal planning: the same tasks with each part switched off alone, and with each search alone.

    python benchmarks/planning_ablation.py FILES… [--seconds 10] [--rows portfolio,patterns]

FILES are tasks in the format of planners' translators, as `tasks.py` writes them. Each task is solved in a process
of its own, which may take that much processor time. A row has the number of tasks that were solved and their
processor time, then the time for those that all rows solved. A process that runs out of time counts in full.
The exit code is 1 if answers contradict each other.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch
from puzzlemc.mc.planning.portfolio import Portfolio
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Condition, Effect, Task, TaskVariable
from puzzlemc.reports.formats import sas

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from task_reference import check_plan

UNKNOWN, UNSOLVABLE = "unknown", "unsolvable"


@dataclass(frozen=True)
class Row:
    """A search, a change of the task, and attributes that switch parts off: their names with other values."""

    search: Callable[[Task, Budget], Any]
    change: Callable[[Task], Task] = lambda task: task
    off: tuple[tuple[str, Any], ...] = ()


def without_mutexes(task: Task) -> Task:
    """The task without its mutex groups."""
    return replace(task, mutexes=())


def one_hot(task: Task) -> Task:
    """The task with a variable of two values for each value of a variable that is not derived."""
    first = [0]
    for size in task.domains:
        first.append(first[-1] + size)
    names = ("no", "yes")
    variables = tuple(
        TaskVariable(f"{variable.name}={value}", names) for variable in task.variables for value in variable.values
    )
    initial = tuple(
        int(v == value) for v, size in zip(task.initial, task.domains, strict=True) for value in range(size)
    )

    def condition(given: Condition) -> dict[int, int]:
        return {first[variable] + value: 1 for variable, value in given.items()}

    def split(effect: Effect) -> Iterator[Effect]:
        for value in range(task.domains[effect.variable]):
            yield Effect(first[effect.variable] + value, int(value == effect.value), condition(effect.condition))

    operators = tuple(
        replace(
            operator,
            precondition=condition(operator.precondition),
            effects=tuple(part for effect in operator.effects for part in split(effect)),
        )
        for operator in task.operators
    )
    if task.axioms:
        raise Unsuitable("it has axioms")
    groups = tuple(tuple((first[variable] + value, 1) for variable, value in group) for group in task.mutexes)
    return Task(variables, initial, condition(task.goal), operators, (), groups)


def given_order(task: Task) -> list[int]:
    """The variables that are not derived, as the task lists them."""
    derived = set(task.derived)
    return [variable for variable in range(len(task.variables)) if variable not in derived]


def never(*_: object) -> Iterator[None]:
    """The turns of a search that is switched off."""
    raise LimitReached("off")
    yield


PATTERNS, DIAGRAMS = "puzzlemc.mc.planning", "puzzlemc.mc.tasks.symbolic"
PREPARATION = f"{PATTERNS}.preparation.Preparation"
ROWS = {
    "portfolio": Row(Portfolio),
    "portfolio, no diagrams": Row(Portfolio, off=((f"{DIAGRAMS}.search.SymbolicSearch.turns", never),)),
    "portfolio, no patterns": Row(Portfolio, off=((f"{PATTERNS}.optimal.PatternSearch.turns", never),)),
    "portfolio, one-hot variables": Row(Portfolio, one_hot),
    "patterns": Row(PatternSearch),
    "patterns, one partitioning": Row(
        PatternSearch, off=((f"{PATTERNS}.optimal.STAGES", tuple(replace(each, samples=0) for each in STAGES)),)
    ),
    "patterns, none grown": Row(PatternSearch, off=((f"{PREPARATION}._grow", lambda *_: None),)),
    "patterns, none systematic": Row(PatternSearch, off=((f"{PREPARATION}._systematic", lambda *_: {}),)),
    "patterns, no mutex groups": Row(PatternSearch, without_mutexes),
    "diagrams": Row(SymbolicSearch),
    "diagrams, order as given": Row(
        SymbolicSearch,
        off=((f"{DIAGRAMS}.search.variable_order", given_order),),
    ),
    "diagrams, not merged": Row(SymbolicSearch, off=((f"{DIAGRAMS}.relations.MERGED_NODES", 0),)),
}  # fmt: skip


def answer(row: Row, task: Task) -> str:
    """The cost of a cheapest plan in words, UNSOLVABLE, or UNKNOWN."""
    with ExitStack() as stack:
        for name, value in row.off:
            stack.enter_context(patch(name, value))
        try:
            search = row.search(row.change(task), Budget())
            for _ in search.turns():
                pass
            plan = search.plan()
        except (*LIMITS, Unsuitable):
            return UNKNOWN
    return UNSOLVABLE if plan is None else str(check_plan(task, plan))


def send(connection: Connection, row: Row, task: Task, seconds: int) -> None:
    """Send the answer and its processor time to the parent process."""
    spent = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # of this process, which is new
    connection.send((answer(row, task), time.process_time() - spent))


def measured(row: Row, task: Task, seconds: int) -> tuple[str, float]:
    """The answer and the processor time of a process of its own."""
    ours, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send, args=(other, row, task, seconds))
    process.start()
    other.close()
    try:
        found: tuple[str, float] = ours.recv()
        return found
    except EOFError:
        return UNKNOWN, seconds
    finally:
        process.kill()
        process.join()


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rows", help="the beginnings of their names, with commas between them")
    options = parser.parse_args()
    wanted = options.rows.split(",") if options.rows else [""]
    rows = {name: row for name, row in ROWS.items() if any(name.startswith(part) for part in wanted)}
    found: dict[str, list[tuple[str, float]]] = {name: [] for name in rows}
    split = 0
    for path in options.files:
        task = sas.read(path.read_text(), str(path))
        task = replace(task, mutexes=tuple(map(tuple, inductive_groups(task))))
        for name, row in rows.items():
            found[name].append(measured(row, task, options.seconds))
        last = {name: results[-1] for name, results in found.items()}
        print(path.name, *(f"{verdict} {spent:.2f}" for verdict, spent in last.values()), sep=", ", flush=True)
        if len({verdict for verdict, _ in last.values()} - {UNKNOWN}) > 1:
            print(f"{path.name}: contradiction: {last}", file=sys.stderr)
            split = 1
    common = [n for n in range(len(options.files)) if all(row[n][0] != UNKNOWN for row in found.values())]
    print(f"\n{'':30} solved   seconds   on {len(common)} common tasks")
    for name, results in found.items():
        solved = sum(verdict != UNKNOWN for verdict, _ in results)
        total, shared = sum(spent for _, spent in results), sum(results[n][1] for n in common)
        print(f"{name:30} {solved:6} {total:9.2f} {shared:9.2f}")
    return split


if __name__ == "__main__":
    sys.exit(main())
