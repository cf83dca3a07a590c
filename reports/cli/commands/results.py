"""`results`: the content of a store, as a table, for programs, or as a page."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.cells import cell_len, set_cell_size

from puzzlemc.mc.lexicographic import first
from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import ASKED, LIMITS, OUTPUT, Json, Quiet, flag, option
from puzzlemc.reports.cli.common.session import interruptible, refuse_inputs, require
from puzzlemc.reports.measures.names import ALL_RANKS, CURVES, DIFFICULTY, RANKS, UP
from puzzlemc.reports.output.files import make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import STYLES, show, width
from puzzlemc.reports.output.words import counted, no_solution_below, number, verdict_counted

if TYPE_CHECKING:
    from puzzlemc.reports.batch.against import Difference
    from puzzlemc.reports.batch.rows import Row
    from puzzlemc.reports.batch.store import Store

MOST_ID, OWN_ID, LEAST_TITLE, MOST_TITLE, STATES = 60, 6, 8, 24, 11  # cells
FEW_RANKS = 16  # cells of a difficulty such as `100.0 (3 of 8)`
EXAMPLES = """
puzzlemc results levels.sqlite
puzzlemc results levels.sqlite --where 'pushes > 2' --csv
puzzlemc results levels.sqlite --sort -pushes --limit 10
puzzlemc results levels.sqlite --report collection.html --single 1
puzzlemc results levels.sqlite --solutions solved.sok
puzzlemc results measured.sqlite --order difficulty -o curve.xsb
"""
CHANGED = 1  # the exit code where two stores differ


class _Asked(NamedTuple):
    """Which rows are shown."""

    verdict: Annotated[
        list[str] | None,
        option(
            ASKED,
            "VERDICT",
            "Only these: solvable, unsolvable, unknown, error. Repeatable.",
            autocompletion=values.one_of(*STYLES),
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        option(
            ASKED,
            "CONDITION",
            "Only rows for which it holds, such as 'pushes > 100 and not title ~ easy': fields as in --json, "
            "= != < <= > >=, ~ for contains, in any case; and, or, not, ( ); `optimal` alone. "
            "Repeatable: all of them hold.",
        ),
    ] = None


class _Output(NamedTuple):
    """How rows are shown, and what is written of them."""

    as_csv: Annotated[bool, flag(OUTPUT, "--csv", "Rows with commas, a head first.")] = False
    as_json: Json = False
    parquet: Annotated[
        Path | None, option(OUTPUT, "FILE", "Write the rows as a Parquet file (extra: parquet).")
    ] = None
    report: Annotated[
        Path | None, option(OUTPUT, "FILE", "Write a page about the collection, which opens from disk: .html.")
    ] = None
    single: Annotated[
        int,
        option(
            OUTPUT, "N", "With --report: also the reports of the N hardest levels, beside it.", min=0, max=1000
        ),
    ] = 0
    timeout: Annotated[
        float | None,
        option(
            LIMITS,
            "SECONDS",
            "With --single: seconds of wall clock for each of those reports; 0 = no limit.",
            min=0,
            show_default="that of the batch",
        ),
    ] = None
    sort: Annotated[
        str | None,
        option(
            OUTPUT,
            "FIELD",
            "The order of rows: by a field as in --json, or with - before it from the greatest down.",
            show_default="as the levels came",
        ),
    ] = None
    limit: Annotated[int | None, option(OUTPUT, "N", "Only the first N rows.", min=1)] = None
    measures: Annotated[
        bool, flag(OUTPUT, "--measures", "In the table, also how hard each level is, as `batch --measures` found.")
    ] = False
    solutions: Annotated[
        Path | None,
        option(
            OUTPUT,
            "FILE",
            "Write the solved levels with their solutions, in the format of the suffix, such as .sok.",
        ),
    ] = None
    order: Annotated[
        str | None,
        option(
            OUTPUT,
            "ORDER",
            "`difficulty`: the solvable levels in the order of their ranks by what `batch --measures` found.",
            autocompletion=values.one_of(DIFFICULTY),
        ),
    ] = None
    curve: Annotated[
        str | None,
        option(
            OUTPUT,
            "CURVE",
            "With --order: easy-to-hard, or hard-to-easy.",
            autocompletion=values.one_of(*CURVES),
            show_default=UP,
        ),
    ] = None
    collection: Annotated[
        Path | None,
        option(
            OUTPUT,
            "FILE",
            "With --order: write the levels in this order, in the format of the suffix, such as .xsb.",
            "--output",
            "-o",
        ),
    ] = None
    certificate: Annotated[
        Path | None, option(OUTPUT, "DIR", "Write the certificates that are in the store there.")
    ] = None


def results(
    store: Annotated[Path, typer.Argument(metavar="FILE", help="A store that `puzzlemc batch` has written.")],
    *,
    asked: _Asked,
    output: _Output,
    against: Annotated[
        Path | None, option(ASKED, "OLD", "Compare with another store. Ends with 1 where an answer has changed.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Show the content of a store, which is only read.

    Ends with 0, 1: --against found a change, 2: bad usage, or no store, 3: --single wrote an incomplete report.
    """
    from puzzlemc.mc.errors import FormulaError, ModelError
    from puzzlemc.reports.batch.against import differences
    from puzzlemc.reports.batch.difficulty import difficulties, in_a_curve, twins, with_difficulty
    from puzzlemc.reports.batch.measuring import has_measures, measure_names
    from puzzlemc.reports.batch.rows import fields, ordered, rows
    from puzzlemc.reports.batch.store import Store, StoreError
    from puzzlemc.reports.batch.tables import csv_lines, write_parquet
    from puzzlemc.reports.batch.where import condition
    from puzzlemc.reports.solve.result import BAD_INPUT

    for each in asked.verdict or ():
        require("--verdict", each, tuple(STYLES))
    if output.as_csv and output.as_json:
        raise typer.BadParameter("expected one of --csv and --json", param_hint="--csv")
    if output.report is not None:
        require("--report", output.report.suffix, (".html",))
    elif output.single:
        raise typer.BadParameter("expected --report, beside which they are written", param_hint="--single")
    elif output.timeout is not None and not output.single:
        raise typer.BadParameter("expected --single, whose reports it limits", param_hint="--timeout")
    if output.order is not None:
        require("--order", output.order, (DIFFICULTY,))
        require("--curve", output.curve or UP, CURVES)
        if output.sort is not None:
            raise typer.BadParameter("expected one of --order and --sort", param_hint="--order")
    elif output.curve is not None or output.collection is not None:
        hint = "--curve" if output.curve is not None else "--output"
        raise typer.BadParameter("expected --order difficulty with it", param_hint=hint)
    written = (output.report, output.parquet, output.solutions, output.collection)
    refuse_inputs(filter(None, written), filter(None, (store, against)))
    code = 0
    spoken = sys.stderr if output.as_csv or output.as_json else sys.stdout
    try:
        with Store(store) as kept, interruptible():
            columns = fields(kept)
            if (output.measures or output.order) and not has_measures(kept):
                raise StoreError(f"{store}: found no measures, expected a store of batch --measures")
            conditions: list[Callable[[Row], object]] = [condition(each, columns) for each in asked.where or ()]
            if asked.verdict:
                conditions.append(lambda row: row["verdict"] in (asked.verdict or ()))
            if output.sort is not None:
                require("--sort", output.sort.removeprefix("-"), columns)

            def chosen() -> "Iterator[Row]":
                return (row for row in rows(kept) if all(holds(row) for holds in conditions))

            keys, difficulty = None, difficulties(chosen() if output.order is not None else ())
            if output.order is not None:
                keys = in_a_curve(difficulty, output.curve or UP)[: output.limit]
                columns += [DIFFICULTY, RANKS, ALL_RANKS]
            elif output.sort is not None:
                keys = ordered(chosen(), output.sort)[: output.limit]

            def found() -> "Iterator[Row]":
                some = islice(chosen(), output.limit) if keys is None else rows(kept, keys)
                return some if output.order is None else with_difficulty(some, difficulty)

            if against is not None:
                with Store(against) as old:
                    difference = differences(kept, old)
                _compared(difference, as_json=output.as_json)
                raise typer.Exit(CHANGED if difference.changed else 0)
            if output.certificate is not None:
                _write_certificates(kept, found(), output.certificate, quiet=quiet)
            if output.solutions is not None:
                count = _write_solutions(kept, found(), output.solutions)
                if not quiet:
                    words = f"{output.solutions}: {number(count)} solved level{'s' * (count != 1)}"
                    print(plain(words), file=spoken)
            if output.collection is not None:
                count = _write_collection(kept, found(), output.collection)
                if not quiet:
                    words = f"{output.collection}: {number(count)} level{'s' * (count != 1)}, {output.curve or UP}"
                    print(plain(words), file=spoken)
                    left = sum(row["verdict"] == "solvable" for row in chosen()) - len(difficulty)
                    more = [f"{number(left)} more with a solution: not measured"] * (left > 0)
                    for line in [*twins(found()), *more]:
                        print(plain(line), file=sys.stderr)
            if output.parquet is not None:
                write_parquet(found(), columns, output.parquet)
            if output.report is not None:
                from puzzlemc.reports.page.collection import write_collection

                text = None if quiet else _say
                reports = output.report, output.single, output.timeout
                code = write_collection(kept, found, store.name, *reports, text)
                if not quiet:
                    print(plain(str(output.report)), file=spoken)
            if output.as_csv:
                for line in csv_lines(found(), columns):
                    print(line, end="")
            elif output.as_json:
                for row in found():
                    print(json.dumps(row))
            elif not any((*written, output.certificate)):
                shown = measure_names(kept) if output.measures else []
                shown += [DIFFICULTY] if output.order is not None else []
                _table(kept, found(), columns, measures=shown)
    except (StoreError, ModelError) as error:
        print(plain(f"error: {error}"), file=sys.stderr)
        code = BAD_INPUT
    except FormulaError as error:
        raise typer.BadParameter(plain(str(error)), param_hint="--where") from None
    raise typer.Exit(code)


def _say(text: str) -> None:
    print(plain(text), file=sys.stderr, flush=True)


def _compared(difference: "Difference", *, as_json: bool) -> None:
    """Write the differences between two stores."""
    for id, before, now in difference.changed:
        if as_json:
            print(json.dumps({"id": id, "before": asdict(before), "now": asdict(now)}))
        else:
            show(f"{id}: {now}, before {before}")
    if not as_json:
        show(difference.summary)
    if difference.apart:
        levels = counted(difference.apart, "levels")
        message = f"{levels} of both stores not compared, because their options (engine, metric, …) differ"
        print(f"warning: {message}; batch --expect compares across options", file=sys.stderr)


def _write_certificates(store: "Store", found: "Iterable[Row]", folder: Path, *, quiet: bool) -> None:
    """Write the certificates that are in the store."""
    from puzzlemc.reports.batch.earlier import certificate_name
    from puzzlemc.reports.batch.store import IN_STORE

    make_folder(folder)
    count = 0
    for row in found:
        if row["certificate"] == IN_STORE and (data := store.certificate(row.key, row["choice"])) is not None:
            write(folder / certificate_name(row["id"], store.content(row.key), data), data)
            count += 1
    if not quiet:
        print(f"{number(count)} certificates in {plain(str(folder))}", file=sys.stderr)


def _write_solutions(store: "Store", found: "Iterable[Row]", path: Path) -> int:
    """Write the solved levels with their solutions; return their number.

    Raises ModelError if there is none, or the format cannot hold them.
    """
    from puzzlemc.encodings.puzzle.text import joined
    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.ask.convert import Target, written
    from puzzlemc.reports.batch.rows import stored_level
    from puzzlemc.screens.base.part import Solution

    entries: dict[int, Entry] = {}
    for row in found:
        if row["verdict"] == "solvable" and row["trace"] is not None:
            entry = entries.get(row.key) or stored_level(store, row)
            if entry is None or entry.part is None:
                raise ModelError(f"{row['id']}: its puzzle {row['puzzle']!r} is not known here")
            part = entry.part
            trace = joined(row["trace"])
            # No format has a solution without moves, of a level that is solved at its start.
            added = (Solution(trace, row.result.costs_in_words),) if trace else ()
            part = part._replace(solutions=(*part.solutions, *added))
            entries[row.key] = Entry(entry.id, entry.title, entry.puzzle, part=part)
    if not entries:
        raise ModelError("found no solved level, expected one to write")
    done = written(list(entries.values()), Target.of(str(path), None), solutions=True)
    assert done.data is not None
    write(path, done.data)
    return done.levels


def _write_collection(store: "Store", found: "Iterable[Row]", path: Path) -> int:
    """Write levels, each once, with the solutions of their files; return their number. Raises ModelError."""
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.reports.ask.convert import Target, written
    from puzzlemc.reports.batch.difficulty import marked_levels

    entries = marked_levels(store, found)
    if not entries:
        raise ModelError("found no measured level with a solution, expected one to write")
    done = written(entries, Target.of(str(path), None))
    assert done.data is not None
    write(path, done.data)
    return done.levels


def _table(store: "Store", found: "Iterable[Row]", columns: Sequence[str], *, measures: Sequence[str]) -> None:
    """Write the rows for people, and a summary."""
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.model.action import ANY
    from puzzlemc.reports.batch.difficulty import marked
    from puzzlemc.reports.batch.rows import asked
    from puzzlemc.reports.cli.common.table import (
        CLAIMED,
        COST,
        SECONDS,
        VERDICT,
        file_of,
        fitting,
        number_of,
        shortened,
    )

    found_costs = columns[columns.index("trace") + 1 : columns.index("engine")]
    order = [metric for each in puzzles().values() for metric in each.metrics]  # a puzzle's own comes first
    metrics = sorted(found_costs, key=lambda name: order.index(name) if name in order else len(order))
    own = {each.metrics[0] for each in puzzles().values()} | set(metrics).difference(order)
    claimed = {first(options["metric"]) for options in store.all_options()}
    claimed |= own if ANY in claimed else set()
    costs = {name: CLAIMED if name in claimed else COST for name in metrics}
    options, words = asked(store)
    option_width = max(map(cell_len, (options, *words.values()))) + 2 if options else 0
    id_width, title_width = store.widest_name()
    id_width, title_width = min(id_width or 5, MOST_ID), min(max(title_width or 0, 5), MOST_TITLE)
    names = [*costs, *measures, "states", "CPU s"]
    cells = [FEW_RANKS if name == DIFFICULTY else len(name) + 2 for name in measures]
    wide = [*costs.values(), *cells, STATES, SECONDS]

    def in_columns(texts: "Iterable[str]") -> str:
        return "".join(f"{text:>{cells}}" for text, cells in zip(texts, wide, strict=False))

    most, indent, file = None, "", None
    if sys.stdout.isatty():  # a file is named once there, and rows are no wider than the terminal
        most, indent, id_width = width(), "  ", OWN_ID
        room = most - len(indent) - id_width - 2 - VERDICT
        if options and option_width + sum(wide) + LEAST_TITLE + 2 > room:  # it becomes a remark
            options, option_width = "", 0
        wide = wide[: fitting(wide, room - option_width)]
        room -= option_width + sum(wide) + 2
        title_width = min(title_width, room) if room >= LEAST_TITLE else 0
    rest = f"{options:{option_width}}{'verdict':{VERDICT}}{in_columns(names)}"
    title = f"{'title':{title_width}}  " if title_width else ""
    show((f"{indent}{'level':{id_width}}  {title}{rest}", "bold"), cut=True)
    verdicts: Counter[str] = Counter()
    unproved, seconds = 0, 0.0
    levels = set()
    for row in found:
        verdicts[row["verdict"]] += 1
        unproved += row.result.is_unproved
        seconds += row["seconds"]
        levels.add(row.key)
        id = plain(row["id"])
        if most is not None:
            if file_of(id) != file:
                file = file_of(id)
                show(file)
            id = number_of(id)
        id = id if len(id) <= MOST_ID else "…" + id[1 - MOST_ID :]
        title = f"{shortened(row['title'], title_width)}  " if title_width else ""
        place = f"{indent}{set_cell_size(id, id_width)}  {title}"
        place += f"{words.get(row['choice'], ''):{option_width}}" if options else ""
        states = "-" if row["states"] is None else str(row["states"])
        numbers = ("-" if row[name] is None else str(row[name]) for name in measures if name != DIFFICULTY)
        hard = [marked(row, "-")] if DIFFICULTY in measures else []  # the last column of them
        text = in_columns(
            [*map(row.result.cost_in_digits, costs), *numbers, *hard, states, f"{row['seconds']:.3f}"]
        )
        remark = _remark(row)
        if words and not options:
            remark = f"  {words[row['choice']]}{remark and ';'}{remark[1:]}"
        fits = most is None or cell_len(place) + VERDICT + len(text) + cell_len(remark) <= most
        show(place, (f"{row['verdict']:{VERDICT}}", STYLES[row["verdict"]]), text + remark * fits, cut=True)
        if not fits and remark:
            show(f"{indent}{remark}")
    text = ", ".join(verdict_counted(verdicts[each], each, unproved) for each in STYLES if verdicts[each])
    total = f"{number(len(levels))} level{'s' * (len(levels) != 1)}"
    if verdicts.total() > len(levels):
        total += f", {number(verdicts.total())} answers"
    show(f"{total}{text and ': '}{text}; {seconds:.2f} s of processor time")
    if waiting := store.unanswered:
        show(f"{number(waiting)} more have no answer yet: run the batch again to go on with it")


def _remark(row: "Row") -> str:
    """The remark on a level, beside its numbers."""
    known = row.result.probability
    parts = [] if known is None else [f"probability {known}"]
    if row["verdict"] == "unknown":
        parts += [row["reason"], no_solution_below(row["bound"] or 0, row["metric"] or "")]
    elif row["reason"]:
        parts.append(row["reason"])
    if row["also"]:
        parts.append(f"also {row['also'][0]}" + (f" and {len(row['also']) - 1} more" if row["also"][1:] else ""))
    if row["gone"]:
        parts.append("no longer there")
    return "".join(f"  {plain(part)}" for part in ["; ".join(filter(None, parts))] if part)
