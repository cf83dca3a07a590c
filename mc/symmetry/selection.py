"""The symmetries of a task by which a search looks at one state for all that are alike."""

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.symmetry.automorphisms import automorphisms
from puzzlemc.mc.symmetry.partition import Partition
from puzzlemc.mc.symmetry.representatives import Symmetries
from puzzlemc.mc.symmetry.task_graph import TaskGraph, size_of
from puzzlemc.mc.tasks.task import State, Task

Image = npt.NDArray[np.int64]

MOST_SIZE, MOST_FACTS = 400_000, 20_000  # of the graph, and of its facts
MOST_WORK = 20_000_000  # steps of refinement, about 50 ns each
MOST_SYMMETRIES = 100
# A state of a search takes as long as about 500 comparisons of values, beside its representative; here it counts
# four times, since of later states more are alike than of the first ones.
STATE_WORK = 2_000
SUCCESSORS = 16  # states that were discovered one after the other count as successors of the first of this many


def choices(task: Task) -> tuple[Symmetries, ...]:
    """Three sets of symmetries, each part of the next: none; generators with their inverses; conjugates, too.

    All are empty for a large task.
    """
    generators = _generators(task)
    known = {image.tobytes(): image for each in generators for image in (each, _inverse(each))}
    return Symmetries(task, []), Symmetries(task, [*known.values()]), Symmetries(task, _with_conjugates(known))


def cheapest(some: Sequence[Symmetries], states: Sequence[State]) -> Symmetries:
    """The symmetries by which a search folds states, if its first ones are like `states`.

    Many make more states one, and take longer for each.
    """
    return min(some, key=lambda each: _work(each, states))


def _work(some: Symmetries, states: Sequence[State]) -> float:
    """How much work a search of these states is, if one is looked at for all that are alike."""
    if not some.count:
        return len(states) * STATE_WORK
    before, found = some.work, set()
    for number, state in enumerate(states):
        if number % SUCCESSORS == 0:
            parent = state
            found.add(some.representative(parent))
        else:
            found.add(some.representative_after(parent, state))
    return len(found) * (STATE_WORK + (some.work - before) / max(1, len(states)))


def _generators(task: Task) -> list[Image]:
    """Symmetries that generate all that are known, each by the images of all facts."""
    facts, first = sum(task.domains), len(task.domains)
    if size_of(task) > MOST_SIZE or facts > MOST_FACTS:
        return []
    every = automorphisms(Partition(*TaskGraph(task).arrays()), MOST_WORK)
    images = (image[first : first + facts].astype(np.int64) - first for image in every)
    return [*islice((image for image in images if (image != np.arange(facts)).any()), MOST_SYMMETRIES)]


def _with_conjugates(known: Mapping[bytes, Image]) -> list[Image]:
    """Symmetries with conjugates of one by another, which change as many variables; about MOST_SYMMETRIES."""
    found = dict(known)
    images = [*found.values()]
    for number, one in enumerate(images):  # which grows
        for other in images[:number]:
            if len(images) >= MOST_SYMMETRIES:
                return images
            for conjugate in (one[other[_inverse(one)]], other[one[_inverse(other)]]):
                if conjugate.tobytes() not in found:
                    found[conjugate.tobytes()] = conjugate
                    images.append(conjugate)
    return images


def _inverse(image: Image) -> Image:
    return np.argsort(image)
