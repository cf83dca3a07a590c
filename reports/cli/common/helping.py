"""The layout of the help of the program and of its commands.

The help of a command is its summary (the first sentence, which the main help shows, too), further text, its
arguments, its options in groups, and examples. Options name their group as `rich_help_panel`, and their value
as `metavar`; examples are the `epilog`, one per line. All lines fit into 80 columns.
"""

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperGroup

from puzzlemc.reports.cli.common.converting import convert_simply

OTHER = "Options"  # the group of options that name none; last
COMMANDS = "Commands"  # the same of commands
_SUMMARY = re.compile(r"(.+?[.?!])(?=\s|$)", re.DOTALL)


class Program(TyperGroup):
    """The program: its commands in groups, each with its whole summary."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options before the name of the command. Raises typer.BadParameter."""
        convert_simply(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, then the options."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            groups.setdefault(command.rich_help_panel or COMMANDS, []).append((name, summary(command.help or "")))
        longest = max(len(name) for rows in groups.values() for name, _ in rows)
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl([(f"{name:{longest}}", text) for name, text in rows])
        write_options(self.get_params(ctx), formatter)
        first = _first_level()
        if first is not None:
            with formatter.section("To begin, with levels that ship"):
                for command in ("solve", "play"):
                    formatter.write(f"  puzzlemc {command} {shlex.quote(f'{first}#3')}\n")
                formatter.write("  puzzlemc doctor\n")


def _first_level() -> str | None:
    """The file of the first levels to try, as short as it can be named; None if it is in an archive."""
    levels = Path(__file__).parents[3] / "screens" / "levels"
    found = next(levels.glob("*/first_steps.[!a]*"), None)
    if found is None:
        return None
    try:
        return min((str(found), os.path.relpath(found)), key=len)
    except ValueError:  # another drive of Windows
        return str(found)


def summary(text: str) -> str:
    """The first sentence."""
    found = _SUMMARY.match(text.strip())
    return " ".join((found[1] if found else text).split())


def usage(params: Iterable[Any]) -> list[str]:
    """The text after the name of a command: its options and arguments."""
    words = ["[OPTIONS]"]
    for param in params:
        if param.param_type_name == "argument":
            words.append(_name(param) if param.required else f"[{_name(param)}]")
    return words


def write_options(params: Sequence[Any], formatter: Any) -> None:
    """Write arguments and options, the options in groups, all with the same width of the first column."""
    groups = grouped(params)
    longest = max((len(name) for rows in groups.values() for name, _ in rows), default=0)
    for group, rows in groups.items():
        with formatter.section(group):
            formatter.write_dl([(f"{name:{longest}}", text) for name, text in rows])


def grouped(params: Sequence[Any]) -> dict[str, list[tuple[str, str]]]:
    """The arguments and options that are shown, by groups: how each is written, and its purpose."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for param in params:
        if getattr(param, "hidden", False):
            continue
        argument = param.param_type_name == "argument"
        group = "Arguments" if argument else getattr(param, "rich_help_panel", None) or OTHER
        row = _name(param) if argument else _spelled(param), _purpose(param)
        groups.setdefault(group, []).append(row)
    groups[OTHER] = groups.pop(OTHER, [])
    return groups


def write_examples(text: str, formatter: Any) -> None:
    """Write examples, one per line."""
    with formatter.section("Examples"):
        for line in text.strip().splitlines():
            formatter.write(f"  {line.strip()}\n")


def _name(argument: Any) -> str:
    return f"{argument.metavar or argument.name.upper()}{'...' if argument.nargs == -1 else ''}"


def _spelled(option: Any) -> str:
    """An option as it is written, with its value; the short form first."""
    names: str = ", ".join(sorted(option.opts, key=len))
    return names if option.is_flag or option.count else f"{names} {option.metavar}"


def _purpose(param: Any) -> str:
    """The purpose of a parameter, its default and its range."""
    notes = []
    default = param.default
    if isinstance(param.show_default, str):
        notes.append(f"default: {param.show_default}")
    elif param.show_default and not callable(default) and default not in (None, False, (), []):
        notes.append(f"default: {default:g}" if isinstance(default, float) else f"default: {default}")
    if bounds := span(param):
        notes.append(bounds)
    if param.required and param.param_type_name == "option":
        notes.append("required")
    return " ".join([param.help or "", *([f"[{'; '.join(notes)}]"] if notes else [])])


def span(param: Any) -> str:
    """The range of a number in words; empty if it has none."""
    low, high = getattr(param, "min", None), getattr(param, "max", None)
    if low is None and high is None:
        return ""
    if high is None:
        return f"at least {low}"
    return f"at most {high}" if low is None else f"{low} to {high}"
