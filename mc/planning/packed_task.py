"""A task for compiled search: packed states, a successor generator, effects and axioms.

A packed state has a bit field for the value of each variable, but for derived variables, which follow from the
others.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.decision_tree import DecisionTree
from puzzlemc.mc.tasks.operators import facts, starts
from puzzlemc.mc.tasks.task import Axiom, State, Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.planning.decision_tree import find
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Numbers2, Word, Words, Words2, left

WORD = 64


class PackedTask:
    """The task in arrays, and scratch space for a state and one of its successors.

    words            the number of words of a packed state
    word, shift      (variables,): the place of the field of each variable; word -1 for a derived one
    mask             (variables,): its bits, before the shift
    goal             (facts, 2): the goal
    tree             finds the applicable operators
    layers           (layers + 1,): where the axioms of each layer start
    is_recursive     (layers,): whether an axiom of the layer reads what a later one may change
    axiom_first      (axioms + 1,): where the condition of each axiom starts
    axiom_condition  (facts, 2)
    heads            (axioms, 2): the fact that each axiom makes true
    defaults         (derived variables, 2): their default values
    before           (variables,): the values of a state
    after            (variables,): the values of its successor; the same as `before` while there is none. Its
                     derived variables have the values of `before`
    changed          (variables,): the variables in which they differ, first
    changed_count    the number of these
    stamps           (variables,): the number of the last successor in which each variable was among these
    stamp            the number of the successor
    applicable       (operators,): the applicable operators; no state has more
    """

    operators: Operators  # readonly
    words: Index  # readonly
    word: Numbers  # readonly
    shift: Numbers  # readonly
    mask: Words  # readonly
    goal: Numbers2  # readonly
    tree: DecisionTree  # readonly
    layers: Numbers  # readonly
    is_recursive: Bytes  # readonly
    axiom_first: Numbers  # readonly
    axiom_condition: Numbers2  # readonly
    heads: Numbers2  # readonly
    defaults: Numbers2  # readonly
    before: Numbers  # readonly
    after: Numbers  # readonly
    changed: Numbers  # readonly
    changed_count: Index  # readonly
    stamps: Numbers
    stamp: Index
    applicable: Numbers  # readonly

    def __init__(self, task: Task, operators: Operators) -> None:
        count = len(task.variables)
        fields = _fields(task)
        self.operators = operators
        self.words = max((word + 1 for word, _, _ in fields), default=1) or 1
        self.word, self.shift = (view(np.array([field[part] for field in fields], np.int64)) for part in range(2))
        self.mask = view(np.array([(1 << bits) - 1 for _, _, bits in fields], np.uint64))
        self.goal = view(np.array(sorted(task.goal.items()), np.int64).reshape(-1, 2))
        self.tree = DecisionTree(operators, np.array(task.domains, np.int64))
        self.applicable = view(np.zeros(self.tree.most + 1, np.int64))
        layers = _ordered_axioms(task)
        axioms = [axiom for layer, _ in layers for axiom in layer]
        self.layers = view(starts(len(layer) for layer, _ in layers))
        self.is_recursive = view(np.array([recursive for _, recursive in layers], np.uint8))
        self.axiom_first = view(starts(len(axiom.condition) for axiom in axioms))
        self.axiom_condition = view(facts([fact for axiom in axioms for fact in axiom.condition.items()]))
        self.heads = view(facts([(axiom.variable, axiom.value) for axiom in axioms]))
        self.defaults = view(
            np.array([(variable, task.initial[variable]) for variable in task.derived], np.int64).reshape(-1, 2)
        )
        self.before, self.after = (view(np.array(task.initial, np.int64)) for _ in range(2))
        self.changed, self.changed_count = view(np.zeros(count, np.int64)), 0
        self.stamps, self.stamp = view(np.zeros(count, np.int64)), 0

    def pack(self, state: Sequence[int]) -> npt.NDArray[np.uint64]:
        """The packed state, shape (words,)."""
        packed = np.zeros(self.words, np.uint64)
        words, shifts = np.asarray(self.word), np.asarray(self.shift)
        for value, word, shift in zip(state, words, shifts, strict=True):
            if word >= 0:
                packed[word] |= np.uint64(value << int(shift))
        return packed

    def unpack(self, packed: npt.NDArray[np.uint64]) -> State:
        """The state of a packed state of shape (words,), with the values of derived variables."""
        read_state(self, view(np.ascontiguousarray(packed).reshape(1, -1)), 0)
        return tuple(int(value) for value in np.asarray(self.before))


def _fields(task: Task) -> list[tuple[int, int, int]]:
    """The word, the shift and the number of bits of each variable; word -1 for a derived one."""
    derived = set(task.derived)
    fields = [(-1, 0, 0)] * len(task.variables)
    used: list[int] = []  # bits in each word
    bits = [(size - 1).bit_length() for size in task.domains]
    for variable in sorted(range(len(bits)), key=lambda each: -bits[each]):
        if variable in derived:
            continue
        word = next((word for word, full in enumerate(used) if full + bits[variable] <= WORD), len(used))
        if word == len(used):
            used.append(0)
        fields[variable] = word, used[word], bits[variable]
        used[word] += bits[variable]
    return fields


def _ordered_axioms(task: Task) -> list[tuple[list[Axiom], bool]]:
    """The axioms of each layer, and whether they depend on each other; else what an axiom reads comes first."""
    layers: dict[int, dict[int, list[Axiom]]] = {}  # the axioms of each derived variable
    for axiom in task.axioms:
        layer = layers.setdefault(task.variables[axiom.variable].layer or 0, {})
        layer.setdefault(axiom.variable, []).append(axiom)
    found = []
    for _, layer in sorted(layers.items()):
        reads = {head: {v for each in axioms for v in each.condition} for head, axioms in layer.items()}
        try:
            order, recursive = [*TopologicalSorter(reads).static_order()], False
        except CycleError:
            order, recursive = [*layer], True
        found.append(([axiom for head in order for axiom in layer.get(head, ())], recursive))
    return found


def read_state(task: PackedTask, rows: Words2, i: Index) -> None:
    """Take the state of row i as the parent of successors."""
    variable: Index
    for variable in range(task.word.shape[0]):
        if task.word[variable] >= 0:
            value: Index = rows[i, task.word[variable]] >> task.shift[variable] & task.mask[variable]
            task.before[variable] = value
            task.after[variable] = value
    task.changed_count = 0
    complete(task)


def write_successor(task: PackedTask, rows: Words2, parent: Index, i: Index) -> None:
    """Write the successor to row i; `parent` is the row of the state."""
    k: Index
    for k in range(task.words):
        rows[i, k] = rows[parent, k]
    for k in range(task.changed_count):
        variable: Index = task.changed[k]
        difference: Word = task.before[variable] ^ task.after[variable]
        rows[i, task.word[variable]] ^= left(difference, task.shift[variable])


def write_values(task: PackedTask, rows: Words2, values: Numbers, i: Index) -> None:
    """Write the state with these values to row i."""
    k: Index
    variable: Index
    for k in range(task.words):
        rows[i, k] = 0
    for variable in range(task.word.shape[0]):
        if task.word[variable] >= 0:
            value: Word = values[variable]
            rows[i, task.word[variable]] |= left(value, task.shift[variable])


def complete(task: PackedTask) -> None:
    """Compute the values of derived variables of the state."""
    layer: Index
    i: Index
    for i in range(task.defaults.shape[0]):
        task.before[task.defaults[i, 0]] = task.defaults[i, 1]
    for layer in range(task.layers.shape[0] - 1):
        is_changed: Flag = True
        while is_changed:
            is_changed = False
            for i in range(task.layers[layer], task.layers[layer + 1]):
                if task.before[task.heads[i, 0]] != task.heads[i, 1] and _agrees(
                    task.axiom_condition, task.axiom_first[i], task.axiom_first[i + 1], task.before
                ):
                    task.before[task.heads[i, 0]] = task.heads[i, 1]
                    is_changed = task.is_recursive[layer] != 0
    for i in range(task.defaults.shape[0]):
        task.after[task.defaults[i, 0]] = task.before[task.defaults[i, 0]]


def is_goal(task: PackedTask) -> Flag:
    """Does the state satisfy the goal?"""
    return _agrees(task.goal, 0, task.goal.shape[0], task.before)


def find_applicable(task: PackedTask) -> Index:
    """Find the operators that are applicable in the state; return their number."""
    return find(task.tree, task.before, task.applicable)


def apply(task: PackedTask, operator: Index) -> None:
    """Compute the successor by an applicable operator. There must be no successor."""
    i: Index
    count: Index = 0
    task.stamp += 1
    for i in range(task.operators.effect_first[operator], task.operators.effect_first[operator + 1]):
        if not _agrees(
            task.operators.condition,
            task.operators.condition_first[i],
            task.operators.condition_first[i + 1],
            task.before,
        ):
            continue
        variable: Index = task.operators.effect[i, 0]
        value: Index = task.operators.effect[i, 1]
        # An effect before this one may have changed the variable, and another one undone it.
        if value != task.before[variable] and task.stamps[variable] != task.stamp:
            task.stamps[variable] = task.stamp
            task.changed[count] = variable
            count += 1
        task.after[variable] = value
    task.changed_count = count


def enter_successor(task: PackedTask) -> None:
    """Make the successor the state."""
    k: Index
    for k in range(task.changed_count):
        task.before[task.changed[k]] = task.after[task.changed[k]]
    task.changed_count = 0
    complete(task)


def is_applicable(task: PackedTask, operator: Index) -> Flag:
    """Is the operator applicable in the state?"""
    return _agrees(
        task.operators.precondition,
        task.operators.precondition_first[operator],
        task.operators.precondition_first[operator + 1],
        task.before,
    )


def forget_successor(task: PackedTask) -> None:
    """Make the values of the successor those of the state again."""
    k: Index
    for k in range(task.changed_count):
        task.after[task.changed[k]] = task.before[task.changed[k]]
    task.changed_count = 0


def _agrees(facts: Numbers2, first: Index, last: Index, values: Numbers) -> Flag:
    """Do the values agree with the facts from `first` to before `last`?"""
    i: Index = first
    while i < last and values[facts[i, 0]] == facts[i, 1]:
        i += 1
    return i == last
