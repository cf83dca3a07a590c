"""The number of landmarks that a path must still reach, or reach again (Richter and Westphal 2010).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.planning.satisficing.landmark_graph import LandmarkGraph
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Numbers, Numbers2, Words2, bit


class LandmarkCount:
    """A landmark graph in arrays. Which landmarks a path has reached is a row of bits.

    facts            (landmarks, 2)
    before_first     (landmarks + 1,): where those that come before each landmark start
    before           landmarks
    necessary_first  (landmarks + 1,): where those start for which each landmark is greedy-necessary
    necessary        landmarks
    is_goal          (landmarks,)
    words            of a row
    """

    facts: Numbers2  # readonly
    before_first: Numbers  # readonly
    before: Numbers  # readonly
    necessary_first: Numbers  # readonly
    necessary: Numbers  # readonly
    is_goal: Bytes  # readonly
    words: Index  # readonly

    def __init__(self, task: Task, graph: LandmarkGraph) -> None:
        count = len(graph.facts)
        self.facts = view(np.array(graph.facts or [(0, 0)], np.int64).reshape(-1, 2)[:count])
        self.before_first = view(starts(map(len, graph.before)))
        self.before = view(np.array([each for some in graph.before for each in some], np.int64))
        self.necessary_first = view(starts(map(len, graph.necessary)))
        self.necessary = view(np.array([each for some in graph.necessary for each in some], np.int64))
        self.is_goal = view(np.array([task.goal.get(v) == value for v, value in graph.facts], np.uint8))
        self.words = max(1, (count + 63) // 64)


def has_reached(reached: Words2, row: Index, landmark: Index) -> Flag:
    """Is the bit of a landmark set in a row?"""
    return reached[row, landmark >> 6] & bit(landmark & 63) != 0


def count_landmarks(count: LandmarkCount, reached: Words2, parent: Index, row: Index, values: Numbers) -> Index:
    """Write to a row what a successor of the parent (-1: the start) has reached; return the number left."""
    w: Index
    i: Index
    for w in range(count.words):
        reached[row, w] = 0 if parent < 0 else reached[parent, w]
    landmark: Index
    for landmark in range(count.is_goal.shape[0]):
        if values[count.facts[landmark, 0]] != count.facts[landmark, 1] or has_reached(reached, row, landmark):
            continue
        is_early: Flag = False
        for i in range(count.before_first[landmark], count.before_first[landmark + 1]):
            is_early = is_early or parent < 0 or not has_reached(reached, parent, count.before[i])
        if not is_early:
            reached[row, landmark >> 6] |= bit(landmark & 63)
    left: Index = 0
    for landmark in range(count.is_goal.shape[0]):
        left += not has_reached(reached, row, landmark) or _is_needed_again(count, reached, row, landmark, values)
    return left


def _is_needed_again(count: LandmarkCount, reached: Words2, row: Index, landmark: Index, values: Numbers) -> Flag:
    """Must a landmark that was reached be reached again?"""
    if values[count.facts[landmark, 0]] == count.facts[landmark, 1]:
        return False
    if count.is_goal[landmark]:
        return True
    i: Index
    for i in range(count.necessary_first[landmark], count.necessary_first[landmark + 1]):
        if not has_reached(reached, row, count.necessary[i]):
            return True
    return False
