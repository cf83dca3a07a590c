"""The registry of engines: name -> function of model, metric, watch and diagrams, imported on demand."""

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.verdict import Verdict

Engine: TypeAlias = Callable[[Model, str, Watch, str], Verdict]

_FUNCTIONS = {
    "forward": "puzzlemc.mc.engines.forward:forward",
    "backward": "puzzlemc.mc.engines.backward:backward",
    "bidirectional": "puzzlemc.mc.engines.bidirectional:bidirectional",
    "best-first": "puzzlemc.mc.engines.best_first:best_first",
    "explicit": "puzzlemc.mc.engines.explicit:explicit",
    "bmc": "puzzlemc.mc.engines.bmc:bmc",
    "k-induction": "puzzlemc.mc.engines.k_induction:k_induction",
    "ic3": "puzzlemc.mc.engines.ic3:ic3",
}

ENGINES: tuple[str, ...] = tuple(_FUNCTIONS)

WITHOUT_DIAGRAMS = frozenset(["best-first", "explicit", "bmc", "k-induction", "ic3"])
NOT_OPTIMAL = frozenset(["best-first", "bmc", "k-induction", "ic3"])  # a trace may cost more than the least

AUTO_DIAGRAMS = "zdd"  # what `auto` stands for


def engine(name: str) -> Engine:
    """The engine of that name. Raises ModelError for an unknown name."""
    try:
        module, attribute = _FUNCTIONS[name].split(":")
    except KeyError:
        raise ModelError(f"unknown engine {name!r}, expected one of {', '.join(ENGINES)}") from None
    found: Engine = getattr(import_module(module), attribute)
    return found
