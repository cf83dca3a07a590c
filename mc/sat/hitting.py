"""Sets of choices that no core contains, by branching over the cores.

A *choice* touches objects; a *core* is a set of objects such that choices are of no use if they touch only its
objects. So a useful set of choices has, for each core, a choice that touches an object outside it: it is a
hitting set. Cores may be added while the sets are enumerated (implicit hitting sets: Moreno-Centeno and Karp
2013).

Sets of objects are numbers, with a bit for each object. A core is a pair: the objects that choices may touch,
and those that they must touch, so that the core contains them.
"""

from collections.abc import Iterator, Sequence


def hitting_sets(choices: Sequence[int], cores: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[int, ...]]:
    """Yield each set of `size` choices, by their numbers, that touch disjoint objects, not all inside one core.

    A core that is added to `cores` counts for all sets that are not yet yielded.
    """
    return _extended(choices, cores, size, (), 0, range(len(choices)))


def _extended(
    choices: Sequence[int],
    cores: Sequence[tuple[int, int]],
    size: int,
    chosen: tuple[int, ...],
    touched: int,
    able: Sequence[int],
) -> Iterator[tuple[int, ...]]:
    """Yield the sets that have the chosen choices, which touch these objects, and otherwise only able ones."""
    core = next((may for may, must in cores if not touched & ~may and not must & ~touched), None)
    if len(chosen) == size:
        if core is None:
            yield tuple(sorted(chosen))
        return
    tried = set()
    for number in able:
        objects = choices[number]
        if objects & touched or (core is not None and not objects & ~core):
            continue
        tried.add(number)
        rest = [other for other in able if other not in tried]
        yield from _extended(choices, cores, size, (*chosen, number), touched | objects, rest)
