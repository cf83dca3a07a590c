"""The phases of a level with soft goals, and the names of the steps between them.

The first phase is open: actions are applied. Where the goal holds, `end` closes it: from then on no action is
applicable. Then the preferences are settled one after another, in the order of the text: `collect(p)` where `p`
holds, which costs nothing, or `forgo(p)` where it does not, which costs the penalty. After the last one the level
is solved (Keyder and Geffner 2009, *Soft goals can be compiled away*).

Each phase is a fact. Of these facts, exactly one holds in a position.
"""

from functools import lru_cache
from typing import NamedTuple

from puzzlemc.screens.pddl.conditions import fact
from puzzlemc.screens.pddl.level import RESERVED, Level, Preference

OPEN = f"{RESERVED}open"
SETTLED = f"{RESERVED}settled-"  # and the number of preferences that are settled


class Names(NamedTuple):
    """The names of the steps that close a level: other ones than those of its actions."""

    end: str
    collect: str
    forgo: str


@lru_cache(maxsize=8)
def phases(level: Level) -> tuple[str, ...]:
    """The facts of the phases, in their order."""
    return (OPEN, *(f"{SETTLED}{number}" for number in range(len(level.preferences) + 1)))


@lru_cache(maxsize=8)
def step_names(level: Level) -> Names:
    """The names of the steps; one that an action has gets a hyphen at its end."""
    known = {action.name for action in level.domain.actions}
    found = []
    for name in Names._fields:
        while name in known:
            name += "-"
        found.append(name)
    return Names(*found)


def named(head: str, preference: Preference) -> str:
    """The name of a step that settles a preference."""
    return fact(head, preference.terms)


def first(level: Level) -> str:
    """The phase that a level starts in."""
    known = frozenset(phases(level))
    return next((atom.name for atom in level.init if atom.name in known), OPEN)
