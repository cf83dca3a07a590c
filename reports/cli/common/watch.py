"""`check --watch`: check levels again whenever their files change.

When a file that holds rules changes, the program starts anew: Python cannot forget a module that it has loaded.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Never

import typer

from puzzlemc.reports.cli.common.options import Rules
from puzzlemc.reports.cli.common.session import interruptible
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clear
from puzzlemc.screens.base.source import is_standard_input

if TYPE_CHECKING:
    from puzzlemc.reports.cli.common.remembered import Remembered

SIGNALS = 128  # exit codes from here on are those of programs that a signal has ended
AGAIN = "PUZZLEMC_WATCHES_AGAIN"  # set for a program that a change of rules has started


def watch(
    levels: Sequence[str],
    rules: Rules,
    run: "Callable[[Remembered], None]",
    *,
    as_json: bool,
    quiet: bool,
) -> Never:
    """Run at once, and again whenever the files of the levels or of the rules change, until Ctrl-C.

    `run` shows the levels, and raises typer.Exit. Raises typer.BadParameter if a level cannot be watched.
    """
    from puzzlemc.mc.system.processes import collect_ended, run_instead
    from puzzlemc.reports.cli.common.changes import Alarm, Changed, Files
    from puzzlemc.reports.cli.common.remembered import Remembered

    if any(map(is_standard_input, levels)):
        raise typer.BadParameter(
            "standard input cannot be watched, expected files or folders", param_hint="--watch"
        )
    own = [rules.puzzle] if rules.puzzle is not None and rules.puzzle.endswith(".py") else []
    of_rules = Files(own if rules.domain is None else [*own, str(rules.domain)])
    files = Files((*levels, *of_rules.arguments))
    alarm = Alarm(files)
    remembered = Remembered(alarm)
    seen, seen_rules = files.state(), of_rules.state()
    first = os.environ.pop(AGAIN, None) is None
    if not first:
        collect_ended()
    with interruptible(lambda: "stopped watching"):
        while True:
            changed = False
            try:
                with alarm.on(seen):
                    run(remembered)
            except typer.Exit as end:
                if end.exit_code >= SIGNALS:
                    raise
            except typer.BadParameter as error:
                if first:
                    raise
                print(plain(f"error: {error.format_message()}"), file=sys.stderr)
            except Changed:
                changed = True
            first = False
            if not changed and not quiet and not as_json:
                print("watching for changes; Ctrl-C ends it", file=sys.stderr, flush=True)
            seen = files.settled(seen, changed=changed)
            if not as_json:
                clear()
            if of_rules.state() != seen_rules:
                sys.stdout.flush()
                run_instead(sys.executable, sys.orig_argv, {**os.environ, AGAIN: "1"})
