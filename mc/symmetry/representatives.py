"""A representative of all states that symmetries make of one (orbit space search; Domshlak, Katz and Shleyfman
2015).

As long as one of the symmetries makes the state smaller in lexical order, it is applied. The state that this leads
to need not be the smallest of all: then states that are alike have different ones, and no plan is lost.

The representatives of all successors of a state are found from its own: the symmetries that lead to that are
applied to what a step has changed, and then only those are tried that change one of these variables.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers, Numbers2

MOST_APPLIED = 1000  # symmetries that lead to the representative of a state, which then is no smaller


class Symmetries:
    """Symmetries in arrays. Derived variables follow from the others, and are left out.

    count        of the symmetries
    first        (symmetries + 1,): where the variables that each of them changes start
    target       variables, in ascending order for each symmetry
    source       the variable whose values are mapped to those of the target
    image_first  where the images of the values of each source start
    image        values of the target
    values       (variables,): a state, or its representative
    changed      (variables,): new values of targets
    images       (symmetries, facts): the image of each fact
    table        the same
    fact_first   (variables + 1,): the first fact of each variable
    owner        (facts,): the variable of each fact
    touch_first  (variables + 1,): where the symmetries that change each variable start
    touching     symmetries
    is_open      (symmetries,): may it make the state smaller?
    open         the number of these
    parent       (variables,): the representative of the state whose successors are met
    applied      (MOST_APPLIED,): the symmetries that have led to it
    length       the number of them
    work         the number of values that were compared, and of facts that were mapped
    """

    count: Index  # readonly
    first: Ints
    target: Ints
    source: Ints
    image_first: Ints
    image: Ints
    values: Numbers  # readonly
    changed: Numbers
    images: npt.NDArray[np.int64]  # interpreted
    table: Numbers2
    fact_first: Numbers
    owner: Ints
    touch_first: Numbers
    touching: Ints
    is_open: Bytes
    open: Index
    parent: Numbers
    applied: Ints
    length: Index
    work: Index  # readonly

    def __init__(self, task: Task, images: Sequence[npt.NDArray[np.int64]]) -> None:
        """`images` has for each symmetry the image of each fact; facts are numbered by variable and value."""
        facts = sum(task.domains)
        self.work = self.open = self.length = 0
        self.count, self.images = len(images), np.array(images, np.int64).reshape(len(images), facts)
        fact_first = starts(task.domains)
        owner = np.repeat(np.arange(len(task.domains)), task.domains)
        sizes, targets, sources, tables = [0], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], []
        for image in self.images:
            source = np.setdiff1d(owner[image != np.arange(facts)], np.array(task.derived, np.int64))
            target = owner[image[fact_first[source]]]
            order = np.argsort(target)
            targets.append(target[order])
            sources.append(source[order])
            sizes.append(len(source))
            for v, w in zip(source[order], target[order], strict=True):
                tables.append(image[fact_first[v] : fact_first[v + 1]] - fact_first[w])
        self.first = view(np.cumsum(sizes).astype(np.int32))
        self.target = view(np.concatenate(targets).astype(np.int32))
        self.source = view(np.concatenate(sources).astype(np.int32))
        self.image_first = view(starts(len(table) for table in tables).astype(np.int32))
        self.image = view(np.concatenate([np.zeros(0, np.int64), *tables]).astype(np.int32))
        self.values, self.changed, self.parent = (view(np.zeros(len(task.domains), np.int64)) for _ in range(3))
        self.table, self.fact_first, self.owner = view(self.images), view(fact_first), view(owner.astype(np.int32))
        touched = np.concatenate(targets)
        order, owners = np.argsort(touched, kind="stable"), np.repeat(np.arange(self.count), sizes[1:])
        self.touch_first = view(starts(np.bincount(touched, minlength=len(task.domains))))
        self.touching = view(owners[order].astype(np.int32))
        self.is_open, self.applied = view(np.zeros(self.count, np.uint8)), view(np.zeros(MOST_APPLIED, np.int32))

    def representative(self, state: Sequence[int]) -> tuple[int, ...]:
        """The representative of a state; its derived variables have values that mean nothing."""
        np.asarray(self.values)[:] = state
        represent(self)
        return tuple(np.asarray(self.values).tolist())

    def representative_after(self, parent: Sequence[int], state: Sequence[int]) -> tuple[int, ...]:
        """The representative of a successor of `parent`, the last state whose own was found.

        It depends on the parent which of the states that are alike it is.
        """
        begin_successor(self)
        for variable, value in enumerate(state):
            if parent[variable] != value:
                change(self, variable, value)
        represent_successor(self)
        return tuple(np.asarray(self.values).tolist())


def represent(symmetries: Symmetries) -> None:  # public
    """Replace the state by its representative, from which those of its successors follow."""
    variable: Index
    number: Index
    symmetries.length = 0
    symmetries.open = symmetries.count
    for number in range(symmetries.count):
        symmetries.is_open[number] = True
    number = 0
    while symmetries.open:
        if _improves(symmetries, number):
            symmetries.applied[symmetries.length] = number
            symmetries.length += 1
            if symmetries.length == symmetries.applied.shape[0]:
                _close(symmetries)
        number = _next(symmetries, number)
    for variable in range(symmetries.values.shape[0]):
        symmetries.parent[variable] = symmetries.values[variable]


def begin_successor(symmetries: Symmetries) -> None:  # public
    """Begin with the representative of the parent."""
    variable: Index
    for variable in range(symmetries.values.shape[0]):
        symmetries.values[variable] = symmetries.parent[variable]


def change(symmetries: Symmetries, variable: Index, value: Index) -> None:  # public
    """Change the state as a step does that gives a variable of the parent a new value."""
    i: Index
    fact: Index = symmetries.fact_first[variable] + value
    for i in range(symmetries.length):
        fact = symmetries.table[symmetries.applied[i], fact]
    symmetries.work += symmetries.length
    variable = symmetries.owner[fact]
    symmetries.values[variable] = fact - symmetries.fact_first[variable]
    _touch(symmetries, variable)


def represent_successor(symmetries: Symmetries) -> None:  # public
    """Replace the successor of the parent, after all its changes, by its representative."""
    number: Index = 0
    while symmetries.open:
        _improves(symmetries, number)
        number = _next(symmetries, number)


def _next(symmetries: Symmetries, number: Index) -> Index:
    """The number that follows, in a ring."""
    return number + 1 if number + 1 < symmetries.count else 0


def _close(symmetries: Symmetries) -> None:
    """Try no more symmetries."""
    number: Index
    symmetries.open = 0
    for number in range(symmetries.count):
        symmetries.is_open[number] = False


def _touch(symmetries: Symmetries, variable: Index) -> None:
    """Open the symmetries that change the variable."""
    i: Index
    for i in range(symmetries.touch_first[variable], symmetries.touch_first[variable + 1]):
        number: Index = symmetries.touching[i]
        if not symmetries.is_open[number]:
            symmetries.is_open[number] = True
            symmetries.open += 1
    symmetries.work += symmetries.touch_first[variable + 1] - symmetries.touch_first[variable]


def _improves(symmetries: Symmetries, number: Index) -> Flag:
    """Close one of the symmetries if it is open, and apply it if that makes the state smaller."""
    if not symmetries.is_open[number]:
        return False
    symmetries.is_open[number] = False
    symmetries.open -= 1
    return _improve(symmetries, number)


def _improve(symmetries: Symmetries, number: Index) -> Flag:
    """Apply one of the symmetries if that makes the state smaller."""
    value: Index = 0
    first: Index = symmetries.first[number]
    last: Index = symmetries.first[number + 1]
    k: Index = first
    while k < last:
        value = symmetries.image[symmetries.image_first[k] + symmetries.values[symmetries.source[k]]]
        if value != symmetries.values[symmetries.target[k]]:
            break
        k += 1
    symmetries.work += 1 + k - first
    if k == last or value > symmetries.values[symmetries.target[k]]:
        return False
    for k in range(first, last):
        symmetries.changed[k - first] = symmetries.image[
            symmetries.image_first[k] + symmetries.values[symmetries.source[k]]
        ]
    for k in range(first, last):
        if symmetries.values[symmetries.target[k]] != symmetries.changed[k - first]:
            symmetries.values[symmetries.target[k]] = symmetries.changed[k - first]
            _touch(symmetries, symmetries.target[k])
    symmetries.work += last - first
    return True
