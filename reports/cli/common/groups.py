"""Options in groups: a parameter that is a NamedTuple stands for one option for each of its fields.

Typer makes an option of each parameter of a function. So it gets a function whose signature has the fields in
place of the groups. Groups are NamedTuples because each start of the program makes them: a frozen dataclass takes
eight times as long to make.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, cast


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command as typer takes it: a function with one parameter for each option."""

    @wraps(command)
    def with_options(**options: object) -> None:
        _called(command, options)

    parameters = list(_options(command))
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    cast(Any, with_options).__signature__ = Signature(parameters)
    return with_options


def _options(function: Callable[..., object]) -> Iterator[Parameter]:
    """The parameters of a function, with those of a group in its place."""
    for each in signature(function, eval_str=True).parameters.values():
        if _is_group(each.annotation):
            yield from _options(each.annotation)
        else:
            yield each.replace(kind=Parameter.KEYWORD_ONLY)


def _called(function: Callable[..., Any], options: Mapping[str, object]) -> Any:
    """The result of a function or a group, whose parameters are found by their names."""
    return function(
        **{
            each.name: _called(each.annotation, options) if _is_group(each.annotation) else options[each.name]
            for each in signature(function, eval_str=True).parameters.values()
        }
    )


def _is_group(annotation: object) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "_fields")
