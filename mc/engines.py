"""The registry of engines: name -> function of model, metric, watch and diagrams, imported on demand.

Where an engine cannot take a model, it is told which ones can.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.formula import literals
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.verdict import Verdict

Engine: TypeAlias = Callable[[Model, str, Watch, str], Verdict]

_FUNCTIONS = {
    "forward": "puzzlemc.mc.forward:forward",
    "backward": "puzzlemc.mc.backward:backward",
    "bidirectional": "puzzlemc.mc.bidirectional:bidirectional",
    "best-first": "puzzlemc.mc.best_first:best_first",
    "explicit": "puzzlemc.mc.compiled:explicit",
    "bmc": "puzzlemc.mc.bmc:bmc",
    "k-induction": "puzzlemc.mc.k_induction:k_induction",
    "ic3": "puzzlemc.mc.ic3:ic3",
}

ENGINES: tuple[str, ...] = tuple(_FUNCTIONS)

WITHOUT_DIAGRAMS = frozenset(["best-first", "explicit", "bmc", "k-induction", "ic3"])
NOT_OPTIMAL = frozenset(["best-first", "bmc", "k-induction", "ic3"])  # a trace may cost more than the least

FOR_SOME_MODELS = frozenset(["best-first", "explicit"])  # the others take any

AUTO_DIAGRAMS = "zdd"  # what `auto` stands for


def engine(name: str) -> Engine:
    """The engine of that name; where it raises Unsuitable, the message names the engines that can take the model.

    Raises ModelError for an unknown name.
    """
    try:
        module, attribute = _FUNCTIONS[name].split(":")
    except KeyError:
        raise ModelError(f"unknown engine {name!r}, expected one of {', '.join(ENGINES)}") from None
    found: Engine = getattr(import_module(module), attribute)
    if name not in FOR_SOME_MODELS:
        return found

    def told(model: Model, metric: str, watch: Watch, diagrams: str) -> Verdict:
        try:
            return found(model, metric, watch, diagrams)
        except Unsuitable as error:
            able = ", ".join(able_to_take(model, name))
            raise Unsuitable(f"{name} cannot take this model: {error}; expected one of {able}") from None

    return told


def able_to_take(model: Model, other_than: str) -> list[str]:
    """The engines that can take a model for sure, without one that cannot."""
    able = [name for name in ENGINES if name not in FOR_SOME_MODELS]
    if other_than != "explicit" and len(literals(model.init) or ()) == len(model.bits):
        able.append("explicit")  # it takes any model with one initial state
    return ["auto", *able]
