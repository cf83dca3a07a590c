"""Common to all commands: ids of standard input as arguments, help in groups, errors in words."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand

from puzzlemc.reports.cli.common.converting import convert_simply
from puzzlemc.reports.cli.common.helping import span, summary, usage, write_examples, write_options
from puzzlemc.reports.output.plain import plain

_LEVELS = ("-#", "-/")  # the third level of standard input is `-#3`
OF_LEVELS = ("levels", "level", "arguments")  # names of arguments that are levels
_GUARD = "\0"  # no argument of a program can hold it


class Command(TyperCommand):
    """A command that takes ids of levels of standard input as arguments, in their printed form."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, and guard those that look like options. Raises typer.BadParameter."""
        convert_simply(self.get_params(ctx))
        given = [_GUARD + arg if arg.startswith(_LEVELS) else arg for arg in args]
        try:
            try:
                rest = super().parse_args(ctx, list(given))
            except typer.BadParameter as error:
                if error.message or getattr(error.param, "name", None) not in OF_LEVELS or not (own := _own(args)):
                    raise
                rest = super().parse_args(ctx, [*given, own])  # the levels inside of the puzzle's file
        except typer.BadParameter as error:
            if not error.message and self.epilog:  # a parameter is missing
                error.message = f"For example: {self.epilog.strip().splitlines()[0].strip()}"
            raise _in_words(error) from None
        ctx.params = {name: _unguarded(value) for name, value in ctx.params.items()}
        return rest

    def get_short_help_str(self, limit: int = 45) -> str:
        """The whole summary."""
        return summary(self.help or "")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The text after the name of the command."""
        return usage(self.get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        write_options(self.get_params(ctx), formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        if self.epilog:
            write_examples(self.epilog, formatter)


def _in_words(error: typer.BadParameter) -> typer.BadParameter:
    """An error about a value that a library refused, in the words of this program."""
    cause: Any = error.__cause__
    param: Any = error.param
    if param is None or not hasattr(cause, "errors"):
        return error
    found = cause.errors()[0]["input"]
    kind = "a whole number" if param.type_descriptor.annotation is int else "a number"
    expected = ", ".join(filter(None, (kind, span(param))))
    return typer.BadParameter(f"found {plain(repr(found))}, expected {expected}", ctx=error.ctx, param=param)


def _own(args: Sequence[str]) -> str | None:
    """The Python file that the option --puzzle names, if it does."""
    names = [each for option, each in pairwise(args) if option == "--puzzle"]
    names += [each.removeprefix("--puzzle=") for each in args if each.startswith("--puzzle=")]
    return next((each for each in names if each.endswith(".py")), None)


def _unguarded(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(_GUARD)
    if isinstance(value, list | tuple):
        return type(value)(map(_unguarded, value))
    return value
