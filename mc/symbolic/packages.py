"""The packages of decision diagrams by name: each is imported when it is first used."""

from importlib import import_module
from typing import Any

from puzzlemc.mc.bdd import has_cudd
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.symbolic.diagrams import Diagrams

_CLASSES = {"cudd": "puzzlemc.mc.symbolic.cudd:Cudd", "zdd": "puzzlemc.mc.symbolic.zdd:Zdd"}

PACKAGES: tuple[str, ...] = tuple(_CLASSES)


def diagram_class(name: str) -> type[Diagrams[Any]]:
    """The class of a diagram package, imported on demand. Raises ModelError as `check_name`."""
    check_name(name)
    module, attribute = _CLASSES[name].split(":")
    found: type[Diagrams[Any]] = getattr(import_module(module), attribute)
    return found


def installed_packages() -> tuple[str, ...]:
    """The names of those that are installed."""
    return tuple(name for name in PACKAGES if name != "cudd" or has_cudd())


def check_name(name: str) -> None:
    """Raise ModelError unless a diagram package of this name is installed."""
    if name not in PACKAGES or (name == "cudd" and not has_cudd()):  # to look for CUDD takes long
        found = "dd, which is installed without CUDD" if name in PACKAGES else f"unknown diagrams {name!r}"
        raise ModelError(f"found {found}, expected one of {', '.join(installed_packages())}")
