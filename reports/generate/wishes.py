"""Wishes for levels that are generated: those of `suggest` that do not speak of a given level."""

from collections.abc import Sequence
from dataclasses import replace

from puzzlemc.encodings.puzzle.design.generation import GenerationRequest
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.suggest.request import HARDER, LONGER, SHORTER, UNIQUE, parsed

SPELLED = {UNIQUE: UNIQUE, HARDER: HARDER, LONGER: f"{LONGER}=N", SHORTER: f"{SHORTER}=N"}


def wished(request: GenerationRequest, wants: Sequence[str], *, fixed: bool) -> GenerationRequest:
    """The request for levels of a series that meet all wishes, too. Raises ModelError for one that none can meet.

    `longer=N` and `shorter=N` are the least and the greatest cost, `unique` is one set of steps, and `harder`
    prefers more changes of object to a greater cost. Unless the least cost of the request is
    `fixed`, what is wished replaces it.
    """
    costs: dict[str, list[int]] = {LONGER: [], SHORTER: []}
    names = set()
    for want in wants:
        wish = parsed(want)
        names.add(wish.name)
        if wish.number is not None:
            costs[wish.name].append(wish.number)
        elif wish.name not in (UNIQUE, HARDER):
            raise _unknown(want, [*SPELLED.values()])
    most = min(costs[SHORTER], default=None)
    least = max([*costs[LONGER], *([request.least] if fixed else [])], default=request.least)
    if most is not None and not fixed and not costs[LONGER]:
        least = max(1, min(least, most))
    return replace(request, least=least, most=most, one_set=UNIQUE in names, harder=HARDER in names)


def is_unique(wants: Sequence[str]) -> bool:
    """Is exactly one solution wished, of levels that are drawn one by one? Raises ModelError for another wish."""
    for want in wants:
        if parsed(want).name != UNIQUE:
            raise _unknown(want, [UNIQUE])
    return bool(wants)


def _unknown(want: str, expected: Sequence[str]) -> ModelError:
    return ModelError(f"found the wish {want!r}, expected {'one of ' * (len(expected) > 1)}{', '.join(expected)}")
