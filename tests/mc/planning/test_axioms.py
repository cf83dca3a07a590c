"""Derived variables have the values that follow from the others, layer by layer."""

import random

import numpy as np

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.tasks.semantics import completed
from puzzlemc.mc.tasks.task import Axiom, Task, TaskVariable


def random_axioms(rnd: random.Random) -> Task:
    """A task with derived variables in three layers, which read each other within a layer."""
    sizes = [rnd.randint(1, 3) for _ in range(4)]
    layers = sorted(rnd.randint(0, 2) for _ in range(rnd.randint(1, 9)))
    defaults = [rnd.randint(0, 1) for _ in layers]
    variables = [TaskVariable(f"v{i}", tuple(map(str, range(size)))) for i, size in enumerate(sizes)]
    variables += [TaskVariable(f"d{i}", ("no", "yes"), layer) for i, layer in enumerate(layers)]
    axioms = []
    for _ in range(2 * len(layers)):
        head = rnd.randrange(len(layers))
        facts = [(variable, value) for variable, size in enumerate(sizes) for value in range(size)]
        for other, layer in enumerate(layers):
            facts += [(len(sizes) + other, 1 - defaults[other])] if layer <= layers[head] else []
            facts += [(len(sizes) + other, defaults[other])] if layer < layers[head] else []
        axioms.append(Axiom(dict(rnd.sample(facts, rnd.randint(0, 2))), len(sizes) + head, 1 - defaults[head]))
    order = rnd.sample(range(len(variables)), len(variables))  # derived variables between others
    place = {old: new for new, old in enumerate(order)}
    axioms = [Axiom({place[v]: x for v, x in a.condition.items()}, place[a.variable], a.value) for a in axioms]
    initial = [0] * len(sizes) + defaults
    task = Task(tuple(variables[v] for v in order), tuple(initial[v] for v in order), {0: 0}, (), tuple(axioms))
    task.validate()
    return task


def test_derived_variables_are_those_of_the_reference() -> None:
    seen = set()
    for seed in range(300):
        rnd = random.Random(seed)
        task = random_axioms(rnd)
        packed = PackedTask(task, Operators(task))
        for _ in range(4):
            state = completed(task, [rnd.randrange(size) for size in task.domains])
            assert packed.unpack(packed.pack(state)) == state
            assert np.asarray(packed.after).tolist() == [*state]
            seen |= {(task.variables[v].layer, state[v] == task.initial[v]) for v in task.derived}
    assert len(seen) == 6


def test_a_chain_of_derived_variables_is_derived_from_its_end() -> None:
    """The last axiom of the chain comes first."""
    length = 50
    variables = (
        TaskVariable("switch", ("off", "on")),
        *(TaskVariable(f"lamp {n}", ("no", "yes"), 0) for n in range(length)),
    )
    axioms = tuple(Axiom({n: 1}, n + 1, 1) for n in reversed(range(length)))
    task = Task(variables, (0,) * (length + 1), {length: 1}, (), axioms)
    packed = PackedTask(task, Operators(task))
    assert [packed.unpack(packed.pack((on,) * (length + 1))) for on in (1, 0)] == [
        (on,) * (length + 1) for on in (1, 0)
    ]
