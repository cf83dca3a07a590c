"""Arguments that start with a dash and are no options: `-#3`, the third level of standard input, `-/a.xsb#3`."""

from typing import Any

from typer.core import TyperCommand

_LEVELS = ("-#", "-/")
_GUARD = "\0"  # no argument of a program can hold it


class Command(TyperCommand):
    """A command that takes the ids of levels of standard input as arguments, as they are printed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, with a guard before what would be taken for options."""
        rest = super().parse_args(ctx, [_GUARD + arg if arg.startswith(_LEVELS) else arg for arg in args])
        ctx.params = {name: _unguarded(value) for name, value in ctx.params.items()}
        return rest


def _unguarded(value: Any) -> Any:
    if isinstance(value, str):
        return value.removeprefix(_GUARD)
    if isinstance(value, list | tuple):
        return type(value)(map(_unguarded, value))
    return value
