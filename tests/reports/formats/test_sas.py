"""The format of planning tasks: the texts of the writer and of a translator are read; errors have a line."""

import random
import subprocess
import sys

import pytest
from task_reference import uniform_cost

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Axiom, Effect, Operator, Task, TaskVariable
from puzzlemc.reports.formats import sas
from puzzlemc.screens.base.errors import LevelError

# Three blocks on a table, with axioms for `clear`, conditional effects and costs.
DOMAIN = """(define (domain towers) (:requirements :adl :derived-predicates :action-costs)
 (:predicates (on ?x ?y) (table ?x) (clear ?x) (red ?x)) (:functions (total-cost))
 (:derived (clear ?x) (not (exists (?y) (on ?y ?x))))
 (:action move :parameters (?x ?y) :precondition (and (clear ?x) (clear ?y) (not (= ?x ?y)) (table ?x))
  :effect (and (on ?x ?y) (not (table ?x)) (when (red ?y) (not (red ?y))) (increase (total-cost) 2)))
 (:action drop :parameters (?x ?y) :precondition (and (clear ?x) (on ?x ?y))
  :effect (and (table ?x) (not (on ?x ?y)) (increase (total-cost) 1))))"""
PROBLEM = """(define (problem three) (:domain towers) (:objects a b c)
 (:init (on c a) (table a) (table b) (red a) (red b) (red c) (= (total-cost) 0))
 (:goal (and (on a b) (on b c) (not (red c)))) (:metric minimize (total-cost)))"""


@pytest.fixture(scope="module")
def towers(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The task as the translator of Fast Downward writes it."""
    folder = tmp_path_factory.mktemp("towers")
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "problem.pddl").write_text(PROBLEM)
    command = [sys.executable, "-m", "fast_downward.translate", "domain.pddl", "problem.pddl"]
    subprocess.run([*command, "--sas-file", "out.sas"], cwd=folder, check=True, capture_output=True, timeout=60)
    return (folder / "out.sas").read_text()


def random_task(seed: int) -> Task:
    """A task with everything that the format has."""
    rng = random.Random(seed)
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 5))]
    variables = [TaskVariable(f"v{n}", tuple(f"Atom {n} {v}" for v in range(s))) for n, s in enumerate(sizes)]
    variables.append(TaskVariable("derived", ("no", "yes"), 0))

    def condition(most: int) -> dict[int, int]:
        chosen = rng.sample(range(len(sizes)), min(most, len(sizes)))
        return {variable: rng.randrange(sizes[variable]) for variable in chosen}

    operators = []
    for number in range(rng.randint(0, 8)):
        changed = rng.sample(range(len(sizes)), rng.randint(1, len(sizes)))
        effects = [Effect(v, rng.randrange(sizes[v]), condition(rng.randint(0, 2))) for v in changed]
        operators.append(Operator(f"o{number} x", condition(2), tuple(effects), rng.randint(0, 3)))
    axioms = tuple(Axiom(condition(2), len(sizes), 1) for _ in range(rng.randint(0, 2)))
    initial = (*(rng.randrange(size) for size in sizes), 0)
    mutexes = (((0, 0), (len(sizes), 1)),) if rng.random() < 0.5 else ()
    return Task(tuple(variables), initial, condition(3), tuple(operators), axioms, mutexes)


@pytest.mark.parametrize("seed", range(50))
def test_a_written_task_is_read_again(seed: int) -> None:
    task = random_task(seed)
    assert sas.read(sas.write(task), "task.sas") == task


def test_the_output_of_a_translator_is_read(towers: str) -> None:
    task = sas.read(towers, "out.sas")
    assert task.derived
    assert not task.is_plain
    found = uniform_cost(task, Budget())
    assert found.plan is not None
    assert found.bound == 5  # c from a, b on c, a on b
    assert sas.read(sas.write(task), "again.sas") == task
    assert sas.read(towers.replace("\n", "\r\n"), "out.sas") == task


def test_without_a_metric_each_operator_costs_1(towers: str) -> None:
    task = sas.read(towers.replace("begin_metric\n1", "begin_metric\n0"), "out.sas")
    assert {operator.cost for operator in task.operators} == {1}


TASK = sas.write(
    Task(
        (TaskVariable("a", ("no", "yes")), TaskVariable("b", ("no", "yes", "maybe"))),
        (0, 0),
        {0: 1},
        (Operator("go", {1: 0}, (Effect(0, 1, {1: 0}),), 1),),
    )
).split("\n")
WRONG = [
    (1, "two", 2, "found 'two', expected a number"),
    (1, "4", 2, "found version 4, expected 3"),
    (4, "2", 5, "found 2, expected 0 to 1"),
    (3, "begin_metrics", 4, "found 'begin_metrics', expected begin_metric"),
    (6, "99", 7, "found 99, expected no more than the"),
    (6, "-1", 7, "found -1, expected at least 0"),
    (TASK.index("begin_state") + 2, "3", TASK.index("begin_state") + 3, "found 3, expected 0 to 2"),
    (TASK.index("begin_goal") + 2, "0 2", TASK.index("begin_goal") + 3, "found value 2, expected less than 2"),
    (TASK.index("begin_goal") + 2, "2 0", TASK.index("begin_goal") + 3, "found variable 2, expected less than 2"),
    (
        TASK.index("end_operator") - 2,
        "1 1 0 0 -1",
        TASK.index("end_operator") - 1,
        "found 5 numbers, expected those of",
    ),
    (TASK.index("end_operator") - 2, "0 1 1 0", TASK.index("end_operator") - 1, "two values that variable 1"),
    (TASK.index("end_operator") - 1, "-1", TASK.index("end_operator"), "found -1, expected at least 0"),
    (
        TASK.index("begin_operator"),
        "begin",
        TASK.index("begin_operator") + 1,
        "found 'begin', expected begin_operator",
    ),
    (TASK.index("end_operator"), "over", TASK.index("end_operator") + 1, "found 'over', expected end_operator"),
    (TASK.index("begin_operator") + 2, "-1", TASK.index("begin_operator") + 3, "found -1, expected at least 0"),
    (
        TASK.index("begin_operator") + 2,
        "99",
        TASK.index("begin_operator") + 3,
        "found 99, expected no more than the",
    ),
    (TASK.index("begin_operator") + 3, "1", TASK.index("begin_operator") + 4, "found 1 words, expected 2 numbers"),
    (
        TASK.index("begin_operator") + 3,
        "1 -1",
        TASK.index("begin_operator") + 4,
        "found value -1, expected less than 3",
    ),
    (
        TASK.index("end_operator") - 2,
        "1 1 x 0 -1 1",
        TASK.index("end_operator") - 1,
        "found 'x', expected a number",
    ),
    (
        TASK.index("end_operator") - 2,
        "1 2 0 0 -1 1",
        TASK.index("end_operator") - 1,
        "found variable 2, expected less",
    ),
    (
        TASK.index("end_operator") - 2,
        "2 1 0 1 1 0 -1 1",
        TASK.index("end_operator") - 1,
        "a second value of variable 1",
    ),
    (TASK.index("end_operator") - 2, "-2 0", TASK.index("end_operator") - 1, "found 2 numbers, expected those of"),
    (
        TASK.index("end_operator") - 1,
        "9" * 19,
        TASK.index("end_operator"),
        f"found '{'9' * 19}', expected a number",
    ),
]


@pytest.mark.parametrize(("at", "line", "place", "message"), WRONG)
def test_an_error_has_its_line(at: int, line: str, place: int, message: str) -> None:
    sas.read("\n".join(TASK), "task.sas")
    with pytest.raises(LevelError, match=message) as raised:
        sas.read("\n".join([*TASK[:at], line, *TASK[at + 1 :]]), "task.sas")
    assert raised.value.line == place


def test_a_cut_or_a_longer_text_is_an_error() -> None:
    for length in range(len(TASK) - 1):
        with pytest.raises(LevelError):
            sas.read("\n".join(TASK[:length]), "task.sas")
    with pytest.raises(LevelError, match="expected the end of the text"):
        sas.read("\n".join([*TASK, "more"]), "task.sas")


def test_names_do_not_break_lines() -> None:
    task = Task((TaskVariable("a\nb", ("c\rd",)),), (0,), {}, ())
    assert sas.read(sas.write(task), "task.sas").variables == (TaskVariable("a b", ("c d",)),)


@pytest.mark.parametrize(
    ("value", "atom"),
    [
        ("box[1,2]", "Atom box(1, 2)"),
        ("not player[0]", "NegatedAtom player(0)"),
        ("lamp", "Atom lamp()"),
        ("a[0] b[1,2]", "Atom a_0_b_1_2()"),
        ("Atom on(a, b)", "Atom on(a, b)"),
        ("NegatedAtom on(a, b)", "NegatedAtom on(a, b)"),
        ("<none of those>", "<none of those>"),
    ],
)
def test_facts_are_named_as_translators_name_them(value: str, atom: str) -> None:
    task = Task((TaskVariable("v", (value, "x")),), (0,), {0: 1}, (), (), ())
    assert sas.for_planners(task).variables[0].values == (atom, "Atom x()")
