"""Ablation of planning: the same tasks with each part switched off alone, and with each search alone.

    python benchmarks/planning_ablation.py FILES… [--seconds 10] [--rows 'portfolio|patterns']

FILES are tasks in the format of planners' translators, as `tasks.py` and `planning_problems.py` write them. Each
task is solved in a process of its own, which may take that much processor time, without that for reading. Rows
whose names begin with `some` find some plan, the other ones a cheapest one. A row has the number of tasks that
were solved and their processor time, then the time for those that all rows with a solution solved, and on them the
geometric mean of the ratio of costs to the first row. A process that runs out of time counts in full. The exit
code is 1 if answers contradict each other.
"""

import argparse
import math
import multiprocessing
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest.mock import patch

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.database import Abstracted, Database, database
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch
from puzzlemc.mc.planning.portfolio import Portfolio
from puzzlemc.mc.planning.satisficing.finders import MEMBERS, Member
from puzzlemc.mc.planning.satisficing.improvement import Improvement
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.planning.stubborn_sets import StubbornSets
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.symbolic.search import SymbolicSearch
from puzzlemc.mc.tasks.task import Condition, Effect, Searched, Task, TaskVariable
from puzzlemc.reports.formats import sas

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from task_reference import check_plan

UNKNOWN, UNSOLVABLE, SOLVABLE = "unknown", "unsolvable", "solvable"
Answer = tuple[str, int | None]  # a verdict, and the cost of a plan


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


class SomePlan:
    """The search for some plan."""

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task, self._budget = task, budget
        self._found = Searched(None, 0, 0)

    def turns(self) -> Iterator[None]:
        """Search; there are no turns. Raises LimitReached."""
        self._found = some_plan(self._task, self._budget)
        if self._found.limit is not None:
            raise LimitReached(self._found.limit)
        return iter(())

    def plan(self) -> tuple[int, ...] | None:
        """The plan that was found."""
        return self._found.plan


def given_plan(_: object, __: object, plan: tuple[int, ...], *___: object) -> tuple[int, ...]:
    """The plan as it is, in place of a shorter one."""
    return plan


FINDERS = "puzzlemc.mc.planning.satisficing.finders"


NO_OPTIMUM = ("puzzlemc.mc.planning.satisficing.some._optimal", never)


def portfolio(task: Task, budget: Budget) -> Portfolio:
    """All searches for a cheapest plan."""
    return Portfolio(task, budget, Improvement)


def patterns(task: Task, budget: Budget, *, folds: bool = True) -> PatternSearch:
    """A* with pattern databases, of one state for all that are alike, by operators of stubborn sets."""
    return PatternSearch(task, budget, folds=folds, reduces=True, prunes=True)


def all_operators(task: Task, **_: bool) -> StubbornSets:
    """Stubborn sets that are off."""
    return StubbornSets(task, is_on=False)


def stored_database(abstracted: Abstracted, variables: Sequence[int], most: int, _: int) -> Database | None:
    """A database whose transitions are all stored; None if they are too many."""
    return database(abstracted, variables, most)


PATTERNS, DIAGRAMS = "puzzlemc.mc.planning", "puzzlemc.mc.tasks.symbolic"
PREPARATION = f"{PATTERNS}.preparation.Preparation"
ROWS = {
    "portfolio": Row(portfolio),
    "portfolio, no diagrams": Row(portfolio, off=((f"{DIAGRAMS}.search.SymbolicSearch.turns", never),)),
    "portfolio, no patterns": Row(portfolio, off=((f"{PATTERNS}.optimal.PatternSearch.turns", never),)),
    "portfolio, no cheaper plans": Row(portfolio, off=((f"{PATTERNS}.portfolio.Portfolio._with_plans", never),)),
    "portfolio, one-hot variables": Row(portfolio, one_hot),
    "patterns": Row(patterns),
    "patterns, no symmetries": Row(partial(patterns, folds=False)),
    "patterns, no stubborn sets": Row(patterns, off=((f"{PATTERNS}.optimal.StubbornSets", all_operators),)),
    "patterns, no pairs": Row(patterns, off=((f"{PATTERNS}.optimal.reduction", lambda *_: None),)),
    "patterns, no potential": Row(patterns, off=((f"{PATTERNS}.optimal.potential", lambda *_: None),)),
    "patterns, one partitioning": Row(
        patterns, off=((f"{PATTERNS}.optimal.STAGES", tuple(replace(each, samples=0) for each in STAGES)),)
    ),
    "patterns, none grown": Row(patterns, off=((f"{PREPARATION}._grow", lambda *_: None),)),
    "patterns, none systematic": Row(patterns, off=((f"{PREPARATION}._systematic", lambda *_: {}),)),
    "patterns, no shared steps": Row(patterns, off=((f"{PATTERNS}.preparation.database", stored_database),)),
    "patterns, no mutex groups": Row(patterns, without_mutexes),
    "diagrams": Row(SymbolicSearch),
    "diagrams, order as given": Row(
        SymbolicSearch,
        off=((f"{DIAGRAMS}.search.variable_order", given_order),),
    ),
    "diagrams, not merged": Row(SymbolicSearch, off=((f"{DIAGRAMS}.relations.MERGED_NODES", 0),)),
    "some plan": Row(SomePlan),
    "some plan, no optimal search": Row(SomePlan, off=(NO_OPTIMUM,)),
    "some plan, first one": Row(SomePlan, off=((f"{FINDERS}._cheapest", lambda *given: given[2]),)),
    "some plan, not shortened": Row(SomePlan, off=((f"{FINDERS}.shortened", given_plan),)),
}  # fmt: skip


def named(member: Member) -> str:
    """The function that begins a search, and what it is given."""
    begin, given = member.begin, dict[str, Any]()
    if isinstance(begin, partial):
        begin, given = begin.func, begin.keywords
    return " ".join([begin.__name__.strip("_"), *(f"{name}={value}" for name, value in given.items())])


for each in MEMBERS:
    others = tuple(other for other in MEMBERS if other is not each)
    ROWS[f"some plan, {named(each)} alone"] = Row(SomePlan, off=((f"{FINDERS}.MEMBERS", (each,)), NO_OPTIMUM))
    ROWS[f"some plan, no {named(each)}"] = Row(SomePlan, off=((f"{FINDERS}.MEMBERS", others),))


def answer(row: Row, task: Task) -> Answer:
    """The verdict, and the cost of the plan."""
    with ExitStack() as stack:
        for name, value in row.off:
            stack.enter_context(patch(name, value))
        try:
            search = row.search(row.change(task), Budget())
            for _ in search.turns():
                pass
            plan = search.plan()
        except (*LIMITS, Unsuitable):
            return UNKNOWN, None
    return (UNSOLVABLE, None) if plan is None else (SOLVABLE, check_plan(task, plan))


def send(connection: Connection, row: Row, task: Task, seconds: int) -> None:
    """Send the answer and its processor time to the parent process."""
    spent = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # of this process, which is new
    connection.send((answer(row, task), time.process_time() - spent))


def measured(row: Row, task: Task, seconds: int) -> tuple[Answer, float]:
    """The answer and the processor time of a process of its own."""
    ours, other = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=send, args=(other, row, task, seconds))
    process.start()
    other.close()
    try:
        found: tuple[Answer, float] = ours.recv()
        return found
    except EOFError:
        return (UNKNOWN, None), seconds
    finally:
        process.kill()
        process.join()


def contradicted(answers: Mapping[str, Answer]) -> bool:
    """Do answers to one task contradict each other? Plans of rows whose names begin with `some` may cost more."""
    verdicts = {verdict for verdict, _ in answers.values()} - {UNKNOWN}
    least = {cost for name, (_, cost) in answers.items() if cost is not None and not name.startswith("some")}
    costs = [cost for _, cost in answers.values() if cost is not None]
    return len(verdicts) > 1 or len(least) > 1 or any(min(costs) < each for each in least)


def mean_ratio(costs: Sequence[int], others: Sequence[int]) -> float:
    """The geometric mean of ratios of costs, with one added to each."""
    ratios = [math.log((cost + 1) / (other + 1)) for cost, other in zip(costs, others, strict=True)]
    return math.exp(sum(ratios) / len(ratios)) if ratios else math.nan


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rows", default="", help="a regular expression for the beginnings of their names")
    options = parser.parse_args()
    rows = {name: row for name, row in ROWS.items() if re.match(options.rows, name)}
    found: dict[str, list[tuple[Answer, float]]] = {name: [] for name in rows}
    split = 0
    for path in options.files:
        task = sas.read(path.read_text(), str(path))
        task = replace(task, mutexes=tuple(map(tuple, inductive_groups(task))))
        for name, row in rows.items():
            found[name].append(measured(row, task, options.seconds))
        last = {name: results[-1] for name, results in found.items()}
        words = (f"{verdict if cost is None else cost} {spent:.2f}" for (verdict, cost), spent in last.values())
        print(path.name, *words, sep=", ", flush=True)
        if contradicted({name: each for name, (each, _) in last.items()}):
            print(f"{path.name}: contradiction: {last}", file=sys.stderr)
            split = 1
    solved_by = {
        name: {n for n, ((verdict, _), _) in enumerate(row) if verdict != UNKNOWN} for name, row in found.items()
    }
    common = sorted(set(range(len(options.files))).intersection(*filter(None, solved_by.values())))
    first = next(iter(found.values()))
    with_cost = [n for n in common if first[n][0][1] is not None]
    print(f"\n{'':44} solved   seconds   on {len(common)} common tasks   cost")
    for name, results in found.items():
        solved = len(solved_by[name])
        total, shared = sum(spent for _, spent in results), sum(results[n][1] for n in common)
        costs, others = ([each[n][0][1] or 0 for n in with_cost] for each in (results, first))
        print(f"{name:44} {solved:6} {total:9.2f} {shared:20.2f} {mean_ratio(costs, others):10.3f}")
    return split


if __name__ == "__main__":
    sys.exit(main())
