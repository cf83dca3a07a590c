"""The packages of decision diagrams by name: each is imported when it is first used."""

from importlib import import_module
from typing import Any

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.symbolic.diagrams import Diagrams

_CLASSES = {"cudd": "puzzlemc.mc.symbolic.cudd:Cudd", "zdd": "puzzlemc.mc.symbolic.zdd:Zdd"}

DIAGRAMS: tuple[str, ...] = tuple(_CLASSES)


def diagram_class(name: str) -> type[Diagrams[Any]]:
    """The class of a diagram package, imported on demand. Raises ModelError for an unknown name."""
    try:
        module, attribute = _CLASSES[name].split(":")
    except KeyError:
        raise ModelError(f"unknown diagrams {name!r}, expected one of {', '.join(DIAGRAMS)}") from None
    found: type[Diagrams[Any]] = getattr(import_module(module), attribute)
    return found
