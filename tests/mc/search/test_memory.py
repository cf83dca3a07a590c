"""Most of the memory limit of a search is for its states: no array is there twice while it grows."""

import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.patterns.database import Abstracted
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.search import Search, advance
from puzzlemc.mc.planning.stubborn_sets import StubbornSets
from puzzlemc.mc.symmetry.representatives import Symmetries
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

LIMIT = 1 << 21
BITS = 24
STATE = 8 + 4 * 4 + 8 + 8  # bytes: a word, the node info, an entry of the queue, and two slots of the hash table


def test_optimal_search_uses_its_memory_for_states() -> None:
    bits = tuple(TaskVariable(f"b{i}", ("0", "1")) for i in range(BITS))
    steps = tuple(Operator(f"set{i}", {i: 0}, (Effect(i, 1),)) for i in range(BITS))
    task = Task(bits, (0,) * BITS, dict.fromkeys(range(BITS), 1), steps)
    abstracted = Abstracted(task)
    blind = Partitionings(abstracted, [], lambda: None, 0).estimate()
    search = Search(
        PackedTask(task, abstracted.operators),
        blind,
        initial_state(task),
        Symmetries(task, []),
        StubbornSets(task, is_on=False),
    )
    with pytest.raises(LimitReached):
        advance(search, LIMIT, 1 << BITS)
    assert search.bytes <= LIMIT
    assert search.used * STATE > 0.8 * LIMIT
