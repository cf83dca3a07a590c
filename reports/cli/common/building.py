"""The options for build servers, checked: the report on standard output, and which answers fail."""

from typing import TYPE_CHECKING

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import Build, Shown
from puzzlemc.reports.cli.common.session import require
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import change_errors

if TYPE_CHECKING:
    from puzzlemc.reports.findings.report import Report


def report_of(build: Build, shown: Shown) -> "Report | None":
    """The report that is asked for. Raises typer.BadParameter."""
    if build.form is None:
        return None
    require("--format", build.form, values.FINDING_FORMATS)
    if shown.as_json:
        message = "findings and --json cannot share standard output, expected one of them"
        raise typer.BadParameter(message, param_hint="--format")
    from puzzlemc.reports.findings.github import no_command
    from puzzlemc.reports.findings.report import GITHUB, Report

    if build.form == GITHUB:  # the runner reads both streams
        change_errors(no_command)
    return Report(build.form)


def failing_of(build: Build) -> frozenset[str]:
    """The words of `--fail-on`. Raises typer.BadParameter."""
    from puzzlemc.reports.findings.failing import EVERY, NONE, WORDS, UnknownWord, words_of

    if build.fail_on is None:
        return EVERY
    try:
        return words_of(build.fail_on)
    except UnknownWord as error:
        message = f"found {plain(repr(str(error)))}, expected {NONE}, or some of {', '.join(WORDS)} with commas"
        raise typer.BadParameter(message, param_hint="--fail-on") from None
