"""Binary decision diagrams (Bryant 1986): by CUDD through `dd`, or by OxiDD where `dd` was built without CUDD.

`dd` has wheels with CUDD for some systems only; elsewhere it is installed without compiled code.
"""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeAlias

Diagram: TypeAlias = Any  # dd has no types: dd.cudd.Function, or mc.oxidd_bdd.Function
Manager: TypeAlias = Any  # dd.cudd.BDD, or mc.oxidd_bdd.BDD


@cache
def has_cudd() -> bool:
    """Is `dd` installed with CUDD?"""
    return find_spec("dd") is not None and find_spec("dd.cudd") is not None


def new_manager(memory: int, entries: int, estimate: int | None = None) -> Manager:
    """A manager without variables, of a static order.

    memory    the bytes that it may take; an operation beyond them raises an error (`ran_out`)
    entries   of its cache at first
    estimate  the bytes that it is prepared for, by default all
    """
    if has_cudd():
        from dd.cudd import BDD as CuddBdd

        bdd = CuddBdd(memory_estimate=memory if estimate is None else estimate, initial_cache_size=entries)
        bdd.configure(reordering=False, max_memory=memory)  # `dd` turns dynamic reordering on
        return bdd
    from puzzlemc.mc.oxidd_bdd import BDD

    return BDD(memory // 4, entries)  # it reserves the room at once, and others need some


def and_exists(f: Diagram, g: Diagram, names: Iterable[str]) -> Diagram:
    """The intersection, in which the named variables are quantified."""
    if has_cudd():
        from dd import cudd

        return cudd.and_exists(f, g, names)
    return f.bdd.and_exists(f, g, names)


def ran_out(error: Exception) -> bool:
    """Does this exception mean that the memory of a manager is used up?"""
    if isinstance(error, MemoryError):  # that of OxiDD is one
        return True
    return isinstance(error, ValueError | RuntimeError) and ("NULL" in str(error) or "failed" in str(error))
