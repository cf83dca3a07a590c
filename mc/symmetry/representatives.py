"""A representative of all states that symmetries make of one (orbit space search; Domshlak, Katz and Shleyfman
2015).

As long as one of the symmetries makes the state smaller in lexical order, it is applied. The state that this leads
to need not be the smallest of all: then states that are alike have different ones, and no plan is lost.

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
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers


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
    work         the number of values that were compared
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
    work: Index  # readonly

    def __init__(self, task: Task, images: Sequence[npt.NDArray[np.int64]]) -> None:
        """`images` has for each symmetry the image of each fact; facts are numbered by variable and value."""
        facts = sum(task.domains)
        self.work = 0
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
        self.values, self.changed = (view(np.zeros(len(task.domains), np.int64)) for _ in range(2))

    def representative(self, state: Sequence[int]) -> tuple[int, ...]:
        """The representative of a state; its derived variables have values that mean nothing."""
        np.asarray(self.values)[:] = state
        represent(self)
        return tuple(np.asarray(self.values).tolist())


def represent(symmetries: Symmetries) -> None:  # public
    """Replace the state by its representative."""
    number: Index = 0
    in_vain: Index = 0
    while in_vain < symmetries.count:
        in_vain += 1
        if _improve(symmetries, number):
            in_vain = 0
        number += 1
        if number == symmetries.count:
            number = 0


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
        symmetries.values[symmetries.target[k]] = symmetries.changed[k - first]
    symmetries.work += last - first
    return True
