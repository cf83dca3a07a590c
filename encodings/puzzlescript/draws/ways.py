"""How probable it is to come by a state, from the ways between states: exact, in a common denominator."""

from collections.abc import Iterable
from fractions import Fraction


def probabilities(ways: Iterable[tuple[int, int, int]], count: int) -> list[Fraction] | None:
    """The probability of coming by each of `count` states, of which state 0 is the first; None if ways go round.

    A way is a state, one that may follow it, and the number of equally probable draws of which it is one.
    """
    after = [list[tuple[int, int]]() for _ in range(count)]
    missing = [0] * count  # ways into a state that are not followed yet
    for source, target, draws in ways:
        after[source].append((target, draws))
        missing[target] += 1
    shares, one = [1] + [0] * (count - 1), 1
    waiting = [0]
    for source in waiting:
        for target, draws in after[source]:
            if draws > 1 and shares[source] % draws:
                shares, one = [draws * share for share in shares], draws * one
            shares[target] += shares[source] // draws
            missing[target] -= 1
            if not missing[target]:
                waiting.append(target)
    if len(waiting) < count:
        return None
    return [Fraction(share, one) for share in shares]
