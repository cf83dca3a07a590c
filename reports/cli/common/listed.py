"""Commands in a list: a command's module is imported when the command runs, or when help shows its summary."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, NamedTuple, cast

import typer

from puzzlemc.reports.cli.common.arguments import Command
from puzzlemc.reports.cli.common.groups import ungrouped
from puzzlemc.reports.cli.common.helping import Program


class Listed(NamedTuple):
    """A command that is not imported yet.

    function  `package.module:name`
    group     of the commands in the main help
    help      None: the docstring of the function
    examples  the name of the examples in its module
    kind      the name of its class in its module; empty: `Command`
    """

    function: str
    group: str
    help: str | None = None
    examples: str = "EXAMPLES"
    kind: str = ""


class Commands(Mapping[str, Any]):
    """Typer's commands by name, each made when it is first asked for."""

    def __init__(self, listed: Mapping[str, Listed]) -> None:
        """Hold a list of commands."""
        self._listed = listed
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, self._listed[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._listed

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


def program_of(listed: Mapping[str, Listed]) -> type[Program]:
    """The class of a program with these commands, for `typer.Typer`."""

    class WithCommands(Program):
        """The program."""

        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self.commands = cast(MutableMapping[str, Any], Commands(listed))  # nobody adds to it

    return WithCommands


def _made(name: str, listed: Listed) -> Any:
    """Import a command, and have typer make it."""
    place, _, function = listed.function.partition(":")
    module = import_module(place)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(
        name,
        help=listed.help,
        epilog=getattr(module, listed.examples),
        rich_help_panel=listed.group,
        cls=getattr(module, listed.kind) if listed.kind else Command,
    )(ungrouped(getattr(module, function)))
    return typer.main.get_command(alone)
