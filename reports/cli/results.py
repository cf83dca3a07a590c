"""`results`: what a store holds, as a table, for programs, or as a page."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len, set_cell_size

from puzzlemc.reports.cli.options import ASKED, OUTPUT, Json, Quiet
from puzzlemc.reports.cli.session import interruptible, require
from puzzlemc.reports.output.files import make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import STYLES, show, width
from puzzlemc.reports.output.words import no_solution_below, number

if TYPE_CHECKING:
    from puzzlemc.reports.batch.against import Difference
    from puzzlemc.reports.batch.rows import Row
    from puzzlemc.reports.batch.store import Store

MOST_ID, OWN_ID, LEAST_TITLE, MOST_TITLE = 60, 6, 8, 24  # cells
EXAMPLES = """
puzzlemc results levels.sqlite
puzzlemc results levels.sqlite --where 'pushes > 2' --csv
puzzlemc results levels.sqlite --report collection.html --single 1
"""
CHANGED = 1  # the exit code where two stores differ


def results(
    store: Annotated[Path, typer.Argument(metavar="FILE", help="A store that `puzzlemc batch` has written.")],
    verdict: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VERDICT",
            rich_help_panel=ASKED,
            help="Only these: solvable, unsolvable, unknown, error. Repeatable.",
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            rich_help_panel=ASKED,
            help="Only rows for which it holds, such as 'pushes > 100 and not title ~ easy': "
            "fields as in --json, = != < <= > >=, ~ for contains; and, or, not, ( ).",
        ),
    ] = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", rich_help_panel=OUTPUT, help="Rows with commas, a head first.")
    ] = False,
    as_json: Json = False,
    parquet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="Write the rows as a Parquet file (puzzlemc[parquet]).",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="Write a page about the collection, which opens from disk: .html.",
        ),
    ] = None,
    single: Annotated[
        int,
        typer.Option(
            min=0,
            max=1000,
            metavar="N",
            rich_help_panel=OUTPUT,
            help="With --report: also the reports of the N hardest levels, beside it.",
        ),
    ] = 0,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            rich_help_panel=OUTPUT,
            help="Write the certificates that are in the store there.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD",
            rich_help_panel=ASKED,
            help="Compare with another store. Ends with 1 where an answer has changed.",
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Show what a store holds; it is only read.

    Ends with 0, or with 2: bad usage, or no store.
    """
    from puzzlemc.mc.errors import FormulaError, ModelError
    from puzzlemc.reports.batch.against import differences
    from puzzlemc.reports.batch.rows import fields, rows
    from puzzlemc.reports.batch.store import Store, StoreError
    from puzzlemc.reports.batch.tables import csv_lines, write_parquet
    from puzzlemc.reports.batch.where import condition
    from puzzlemc.reports.run.result import BAD_INPUT

    for each in verdict or ():
        require("--verdict", each, tuple(STYLES))
    if as_csv and as_json:
        raise typer.BadParameter("expected one of --csv and --json", param_hint="--csv")
    if report is not None:
        require("--report", report.suffix, (".html",))
    elif single:
        raise typer.BadParameter("expected --report, beside which they are written", param_hint="--single")
    code = 0
    try:
        with Store(store) as kept, interruptible(lambda: "interrupted"):
            columns = fields(kept)
            holds = None if where is None else condition(where, columns)

            def found() -> "Iterator[Row]":
                for row in rows(kept):
                    if (not verdict or row["verdict"] in verdict) and (holds is None or holds(row)):
                        yield row

            if against is not None:
                with Store(against) as old:
                    difference = differences(kept, old)
                _compared(difference, as_json=as_json)
                raise typer.Exit(CHANGED if difference.changed else 0)
            if certificate is not None:
                _write_certificates(kept, found(), certificate, quiet=quiet)
            if parquet is not None:
                write_parquet(found(), columns, parquet)
            if report is not None:
                from puzzlemc.reports.page.collection import write_collection

                write_collection(kept, found, store.name, report, single, None if quiet else _say)
                if not quiet:
                    print(plain(str(report)), file=sys.stderr if as_csv or as_json else sys.stdout)
            if as_csv:
                for line in csv_lines(found(), columns):
                    print(line, end="")
            elif as_json:
                for row in found():
                    print(json.dumps(row))
            elif parquet is None and report is None and certificate is None:
                _table(kept, found(), columns)
    except (StoreError, ModelError) as error:
        print(plain(f"error: {error}"), file=sys.stderr)
        code = BAD_INPUT
    except FormulaError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="--where") from None
    raise typer.Exit(code)


def _say(text: str) -> None:
    print(plain(text), file=sys.stderr, flush=True)


def _compared(difference: "Difference", *, as_json: bool) -> None:
    """Write what differs between two stores."""
    for id, before, now in difference.changed:
        if as_json:
            print(json.dumps({"id": id, "before": vars(before), "now": vars(now)}))
        else:
            show(f"{id}: {now}, before {before}")
    if not as_json:
        show(difference.summary)


def _write_certificates(store: "Store", found: "Iterable[Row]", folder: Path, *, quiet: bool) -> None:
    """Write the certificates that are in the store."""
    from puzzlemc.reports.batch.run import certificate_name
    from puzzlemc.reports.batch.store import IN_STORE

    make_folder(folder)
    count = 0
    for row in found:
        if row["certificate"] == IN_STORE and (data := store.certificate(row["level"], row["choice"])) is not None:
            write(folder / certificate_name(row["id"], store.content(row["level"]), data), data)
            count += 1
    if not quiet:
        print(f"{number(count)} certificates in {plain(str(folder))}", file=sys.stderr)


def _table(store: "Store", found: "Iterable[Row]", columns: list[str]) -> None:
    """Write the rows for people, and a summary."""
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.reports.cli.table import file_of, number_of

    found_costs = columns[columns.index("trace") + 1 : columns.index("engine")]
    order = [metric for each in puzzles().values() for metric in each.metrics]  # a puzzle's own comes first
    metrics = sorted(found_costs, key=lambda name: order.index(name) if name in order else len(order))
    widest = "SELECT max(length(id)), max(length(title)) FROM names"
    ((id_width, title_width),) = store.query(widest)
    id_width, title_width = min(id_width or 5, MOST_ID), min(max(title_width or 0, 5), MOST_TITLE)
    heads = "".join(f"{name:>8}" for name in metrics)
    rest = f"{'verdict':10}{heads}  {'states':>9}  {'seconds':>8}"
    most, indent, file = None, "", None
    if sys.stdout.isatty():  # a file is named once there, and rows are no wider than the terminal
        most, indent, id_width = width(), "  ", OWN_ID
        title_width = max(LEAST_TITLE, min(title_width, most - len(indent) - id_width - len(rest) - 4))
    show((f"{indent}{'level':{id_width}}  {'title':{title_width}}  {rest}", "bold"))
    verdicts: Counter[str] = Counter()
    seconds = 0.0
    for row in found:
        verdicts[row["verdict"]] += 1
        seconds += row["seconds"]
        id = plain(row["id"])
        if most is not None:
            if file_of(id) != file:
                file = file_of(id)
                show(file)
            id = number_of(id)
        id = id if len(id) <= MOST_ID else "…" + id[1 - MOST_ID :]
        place = f"{indent}{set_cell_size(id, id_width)}  {set_cell_size(plain(row['title']), title_width)}  "
        costs = "".join(f"{_cost(row, name):>8}" for name in metrics)
        states = "-" if row["states"] is None else str(row["states"])
        told, remark = f"{costs}  {states:>9}  {row['seconds']:8.3f}", _remark(row)
        fits = most is None or cell_len(place) + 10 + len(told) + cell_len(remark) <= most
        show(place, (f"{row['verdict']:10}", STYLES[row["verdict"]]), told + remark * fits)
        if not fits:
            show(f"{indent}{remark}")
    told = ", ".join(f"{number(verdicts[each])} {each}" for each in STYLES if verdicts[each])
    total = verdicts.total()
    show(f"{number(total)} level{'s' * (total != 1)}{told and ': '}{told}; {seconds:.2f} s of processor time")
    ((waiting,),) = store.query("SELECT count(*) FROM levels WHERE id NOT IN (SELECT level FROM results)")
    if waiting:
        show(f"{number(waiting)} more have no answer yet: run the batch again to go on with it")


def _remark(row: "Row") -> str:
    """What is to be said of a level beside its numbers."""
    parts = []
    if row["verdict"] == "unknown":
        parts += [row["reason"], no_solution_below(row["bound"] or 0, row["metric"] or "")]
    elif row["reason"]:
        parts.append(row["reason"])
    if row["also"]:
        parts.append(f"also {row['also'][0]}" + (f" and {len(row['also']) - 1} more" if row["also"][1:] else ""))
    if row["gone"]:
        parts.append("no longer there")
    return "".join(f"  {part}" for part in ["; ".join(filter(None, parts))] if part)


def _cost(row: "Row", name: str) -> str:
    if name not in row:
        return ""
    return "-" if row[name] is None else str(row[name])
