"""A plan without redundant operators (action elimination; Nakhost and Müller 2010). Compiled: see `mc/words.py`.

An operator is removed together with those that are not applicable without it, if a plan is left.
"""

from collections.abc import Callable, Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.planning.packed_task import (
        apply,
        enter_successor,
        is_applicable,
        is_goal,
        read_state,
        write_successor,
    )
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Words2

    STEP = 20  # work to apply an operator, in units of about two nanoseconds, beside axioms


def without_redundant(
    task: PackedTask, initial: Sequence[int], plan: Sequence[int], work: int, check: Callable[[], None]
) -> tuple[list[int], int]:
    """A part of a plan that is a plan, and the work that it took: about `work` at most."""
    operators = view(np.array(plan, np.int64))
    kept, rest = np.ones(len(plan), np.uint8), np.ones(len(plan), np.uint8)
    rows = np.zeros((2, task.words), np.uint64)
    rows[0] = task.pack(initial)
    step, left = STEP + task.axiom_condition.shape[0], work
    for at in range(len(plan)):
        if left <= 0:
            break
        left -= step * (len(plan) - at)
        check()
        if not kept[at]:
            continue
        rest[:] = kept
        rest[at] = False
        if _is_plan(task, view(rows), operators, view(rest), at):
            kept[:] = rest
        else:
            _step(task, view(rows), operators[at])
            rows[0] = rows[1]
    return [operator for operator, is_kept in zip(plan, kept, strict=True) if is_kept], work - left


def _is_plan(task: PackedTask, rows: Words2, operators: Numbers, rest: Bytes, start: Index) -> Flag:
    """Does the rest lead from row 0 to the goal, without the operators that are not applicable?"""
    i: Index
    read_state(task, rows, 0)
    for i in range(start, operators.shape[0]):
        if rest[i] and is_applicable(task, operators[i]):
            apply(task, operators[i])
            enter_successor(task)
        else:
            rest[i] = False
    return is_goal(task)


def _step(task: PackedTask, rows: Words2, operator: Index) -> None:
    """Write the successor of row 0 to row 1."""
    read_state(task, rows, 0)
    apply(task, operator)
    write_successor(task, rows, 0, 1)
