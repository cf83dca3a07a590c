"""The arguments of public functions: each call checks them, and takes former names of parameters.

A wrong argument raises ModelError before anything begins. The message names the argument, its value, and what was
expected. The annotations of the function say what is expected. A TypedDict declares options that several functions
have; their defaults are those of `Options`.
"""

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from math import isfinite
from numbers import Integral, Real
from reprlib import repr as shortened
from threading import Event
from types import NoneType, UnionType
from typing import (
    Any,
    NamedTuple,
    ParamSpec,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits
from puzzlemc.reports.solve.known import Known
from puzzlemc.reports.solve.options import Options

P = ParamSpec("P")
R = TypeVar("R")

WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    os.PathLike: "a path",
    tuple: "two whole numbers, such as (7, 7)",
    Callable: "a function",
    Event: "an event with is_set()",
    Iterable: "several of them",
    NoneType: "None",
}


class Least(NamedTuple):
    """The least value of a number, and all values from there in words."""

    value: float
    words: str


LEAST = {
    "timeout": Least(0, "a number of seconds, 0 for no limit"),
    "memory": Least(2**-30, "a number of GiB above 0"),
    "jobs": Least(1, "a whole number from 1"),
    "count": Least(1, "a whole number from 1"),
    "plans": Least(0, "a number of plans, 0 for all of the least cost"),
    "max_steps": Least(1, "a whole number from 1"),
}


class CallOptions(TypedDict, total=False):
    """Options of functions about one level: how its path is read, the limits, and what ends the call early."""

    puzzle: str | None
    timeout: float
    memory: float
    cancel: Event | None


class SearchOptions(TypedDict, total=False):
    """Options of `solve` and of `solve_all`. All but `puzzle` are fields of `Options`."""

    puzzle: str | None
    metric: str | None
    engine: str
    encoding: str
    timeout: float
    memory: float
    chance: str


class SolveOptions(SearchOptions, total=False):
    """Options of `solve`."""

    count: bool
    why: bool
    plans: int
    loops: bool


def limits_of(given: CallOptions) -> Limits:
    """The limits of a call."""
    return Limits.of(given.get("timeout", Options.timeout), given.get("memory", Options.memory))


def options_of(given: SearchOptions, known: Known | None = None) -> Options:
    """The options of a search."""
    own: dict[str, Any] = {name: value for name, value in given.items() if name != "puzzle"}
    return Options(**own, known=known)


def public(**renamed: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function so that it checks its arguments. Its signature names each option of a TypedDict.

    renamed  the name of a parameter by its former name, which is taken with a DeprecationWarning
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        expected = _named(signature(function))

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for former, name in renamed.items():
                if former in kwargs:
                    if name in kwargs:
                        raise ModelError(f"{former}: is the former name of {name}, expected one of them")
                    warnings.warn(f"{former} is called {name} now", DeprecationWarning, stacklevel=2)
                    kwargs[name] = kwargs.pop(former)
            hints = _hints(function)
            for name, value in expected.bind(*args, **kwargs).arguments.items():
                several = expected.parameters[name].kind is Parameter.VAR_KEYWORD
                for each, one in value.items() if several else [(name, value)]:
                    if name in hints:  # `self` has none
                        require(each, one, hints[name])
            return function(*args, **kwargs)

        cast(Any, checked).__signature__ = expected
        return checked

    return decorate


def require(name: str, value: object, hint: object) -> None:
    """Raise ModelError unless an argument is of a type of its annotation, and no number below its least value."""
    union = get_origin(hint) in (Union, UnionType)
    types: list[Any] = [get_origin(each) or each for each in (get_args(hint) if union else [hint])]
    least = LEAST.get(name) if int in types or float in types else None
    if any(_is_of(value, each) for each in types):
        number = float(value) if isinstance(value, Real) else None
        if number is None or (isfinite(number) and (least is None or number >= least.value)):
            return
    if os.PathLike in types:
        types.remove(str)
    words = [WORDS.get(each, f"a {each.__name__}") for each in types]
    if least is not None:
        words[0] = least.words
    raise ModelError(f"{name}: found {shortened(value)}, expected {' or '.join(words)}")


def _is_of(value: object, kind: Any) -> bool:
    """Is a value of a type? Numbers may be those of any library, but not True and False."""
    if kind is int or kind is float:
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if kind is tuple:
        return isinstance(value, tuple | list) and len(value) == 2 and all(_is_of(each, int) for each in value)
    if kind is Event:
        return hasattr(value, "is_set")
    return isinstance(value, kind)


def _named(found: Signature) -> Signature:
    """A signature with the options of a TypedDict as the first parameters that need a name."""
    *others, last = found.parameters.values()
    if get_origin(last.annotation) is not Unpack:
        return found
    first = sum(each.kind is not Parameter.KEYWORD_ONLY for each in others)
    defaults = signature(Options).parameters
    options = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            annotation=hint,
            default=defaults[name].default if name in defaults else None,
        )
        for name, hint in _options(last.annotation).items()
    ]
    return found.replace(parameters=[*others[:first], *options, *others[first:]])


def _options(hint: object) -> dict[str, object]:
    """The annotations of an unpacked TypedDict; none of another annotation."""
    return get_type_hints(get_args(hint)[0]) if get_origin(hint) is Unpack else {}


@cache
def _hints(function: Callable[..., object]) -> Mapping[str, object]:
    hints = get_type_hints(function)
    return {**hints, **_options(hints.get("given"))}
