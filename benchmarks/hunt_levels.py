"""Cases of the hunt with unusual levels for each engine, and with changed certificates for `verify`.

A case of `levels` is one level, with the true answers from `judge.py`. Each engine solves it once, with random
packages, encodings and metrics, and sometimes with very little memory or time; formulas and counts are checked,
too. In half of the cases, thresholds are lowered for features that engines use on large levels only (larger dead
patterns, restarts, later stages of the portfolio). A case of `certificates` is one changed certificate: if
`verify` accepts it, its statement must be true.
"""

import contextlib
import functools
import json
import random
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import judge
import mutants
from odd_levels import PUZZLES, dressed, odd_level
from outcome import DISAGREEMENT, TRACEBACK, Failure, Outcome, crash

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.symbolic.packages import installed_packages
from puzzlemc.reports.ask.query import ask
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import BAD_INPUT, Result
from puzzlemc.reports.solve.solve import solve_entry

MOST = 20_000  # positions of a level that the judge explores
MOST_ASKED = 600  # positions of a level for which formulas are checked
SECONDS = 3.0  # for an engine, more than enough for these levels
SAT_SECONDS = 0.4  # for engines that do not end on unsolvable levels
LATE = 1.0  # seconds after a limit at which a worker would be killed
REASONS = {"timeout", "memory", "bound"}
EACH = 20  # changes of one certificate
# Thresholds of engines and checkers, as module and name, with low values.
TURNS: list[tuple[str, str, list[object]]] = [
    ("engines.explicit", "PATTERNS", [{1: 1, 2: 2}, {1: 2, 2: 20}]),
    ("astar.space", "STEPS", [1, 7]),
    ("engines.best_first", "PATTERNS", [{1: 1, 2: 2}, {1: 2, 2: 20}]),
    ("proofs.checker", "CONFLICTS", [0, 5]),
    ("proofs.clauses", "CONFLICTS", [1, 50]),
    ("sat.solvers", "CONFLICTS", [1, 50]),
    ("packed.actions", "CHUNK_BYTES", [1 << 7]),
    ("graph.state_graph", "CHUNK_BYTES", [1 << 7]),
    ("symbolic.zdd", "SMALLEST", [1 << 8, 1 << 11]),
]


def opened(name: str, text: str) -> Entry | str:
    """The only level of a text, or the reason why it is refused."""
    parsed = puzzle(name).screen.parse(text, "odd")
    if len(parsed) != 1:
        return f"found {len(parsed)} levels"
    (level,) = parsed
    if isinstance(level, Exception):
        return str(level)
    return Entry("odd#1", level.title, puzzle(name), level, None)


def levels(choice: random.Random, puzzle_name: str | None = None) -> Outcome:
    """Solve one unusual level with all engines."""
    name = puzzle_name or choice.choice(PUZZLES)
    plain = odd_level(choice, name)
    outcome = Outcome()
    text = dressed(choice, name, plain)
    game = judge.game(name, plain)
    graph = judge.explore(game, MOST)
    if graph is None:
        outcome.answers["too large to judge"] += 1
        return outcome

    def fail(kind: str, what: str, detail: str) -> None:
        outcome.failures.append(Failure(kind, what, f"{detail}\n\n{plain}\n", text.encode(), f".{name}"))

    try:
        entry = opened(name, text)
    except Exception as error:
        fail(TRACEBACK, f"parser {crash(error)}", repr(error))
        return outcome
    if isinstance(entry, str):
        outcome.answers["refused"] += 1
        if game.sound:
            fail(DISAGREEMENT, f"{name}: a sound level is refused", entry)
        return outcome
    for options in choices(choice, name):
        if plain.startswith("Tetravex 3") and options.encoding == "compact" and options.diagrams != "auto":
            continue  # 9! boards as a formula keep diagrams busy past their limit: workers are killed then
        with near(choice) as turns:
            for kind, what, detail in answered(entry, options, game, graph, outcome):
                fail(kind, f"{name} {what}", f"{options}, {turns}: {detail}")
    if len(graph.positions) <= MOST_ASKED:
        with near(choice) as turns:
            for what, detail in asked(choice, entry, graph, outcome):
                fail(DISAGREEMENT, f"{name} {what}", f"{turns}: {detail}")
    return outcome


@contextlib.contextmanager
def near(choice: random.Random) -> Iterator[list[str]]:
    """Lower some thresholds in a `with` block, in half of the cases; yield them in words."""
    turns = [turn for turn in TURNS if choice.random() < 0.3] if choice.random() < 0.5 else []
    with contextlib.ExitStack() as stack:
        lowered = []
        for module, name, values in turns:
            target, value = import_module(f"puzzlemc.mc.{module}"), choice.choice(values)
            stack.callback(setattr, target, name, getattr(target, name))
            setattr(target, name, value)
            lowered.append(f"{module}.{name} = {value}")
        yield lowered


def _has_diagrams(name: str) -> bool:
    return name == "auto" or "diagrams" in ENGINES[name].options


def choices(choice: random.Random, name: str) -> Iterator[Options]:
    """Random options for each engine; in one of ten cases, all metrics, encodings and packages of one engine."""
    rules = puzzle(name)
    metrics, encodings = [*rules.metrics, "any"], list(rules.encodings)
    engines = ["auto", *ENGINES]
    for engine in engines:
        timeout, memory = limit(engine), 4.0
        if choice.random() < 0.3:
            timeout = choice.choice([0.0005, 0.002, 0.01, 0.05, timeout])
            memory = choice.choice([1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 4.0])
        yield Options(
            choice.choice(metrics),
            engine,
            choice.choice(list(installed_packages())) if _has_diagrams(engine) else "auto",
            choice.choice(encodings),
            timeout,
            memory,
            count=name != "sokoban" and choice.random() < 0.1,
        )
    if choice.random() < 0.1:
        engine = choice.choice(engines)
        for metric in metrics:
            for encoding in encodings:
                for diagrams in installed_packages() if _has_diagrams(engine) else ["auto"]:
                    yield Options(metric, engine, diagrams, encoding, limit(engine), 4.0)


def limit(engine: str) -> float:
    """The time limit of an engine."""
    return SAT_SECONDS if engine in {"bmc", "k-induction", "ic3"} else SECONDS


def answered(
    entry: Entry, options: Options, game: judge.Game, graph: judge.Graph, outcome: Outcome
) -> Iterator[tuple[str, str, str]]:
    """Yield the failures of an engine's answer, each as kind, short description and detail."""
    started = time.perf_counter()
    try:
        result = solve_entry(entry, options)
        json.dumps(result.as_json())
    except Exception as error:
        yield TRACEBACK, f"{options.engine} {crash(error)}", repr(error)
        return
    took = time.perf_counter() - started
    outcome.answers[result.verdict] += 1
    if took > options.timeout + LATE:
        outcome.answers["late"] += 1  # not a failure: the command line would kill its worker
    if wrong := untrue(result, options, game, graph):
        yield DISAGREEMENT, f"{options.engine} {options.encoding}: {wrong}", f"{result}"
        return
    if result.verdict not in {"solvable", "unsolvable"} or options.memory < 1 or options.timeout < SAT_SECONDS:
        return
    if options.engine not in {"auto", "k-induction", "ic3"}:
        return  # proofs are made of the model, whatever engine was first, but for those two
    with tempfile.TemporaryDirectory() as folder:
        try:
            proved = certify(entry, options, result, Path(folder) / "odd.cert")
        except Exception as error:
            yield TRACEBACK, f"certificate {crash(error)}", repr(error)
            return
        outcome.answers["certificate" if proved.checked else "no certificate"] += 1
        if proved.verdict == "error":
            yield DISAGREEMENT, f"{options.encoding}: a certificate is refuted", f"{proved.reason}"
        elif not proved.checked and not proved.note:
            yield DISAGREEMENT, f"{options.encoding}: a certificate is not checked", f"{proved}"


def untrue(result: Result, options: Options, game: judge.Game, graph: judge.Graph) -> str:
    """What is wrong with a result, in words; empty if it is right."""
    metric = options.metric or ""
    least = None if not graph.solved else 0 if metric == "any" else graph.least(metric)
    if result.verdict == "error":
        # An engine may refuse a model that it does not support; all other errors are bugs.
        return "" if result.exit_code == BAD_INPUT else f"error {result.reason}"
    if result.verdict == "unknown":
        if result.reason not in REASONS or result.bound is None or result.bound < 0:
            return f"unknown for {result.reason} with bound {result.bound}"
        if metric == "any" and result.bound:
            return f"bound {result.bound} without a metric"
        return f"bound above the least cost, metric {metric}" if least is not None and result.bound > least else ""
    if result.verdict == "unsolvable":
        if graph.solved:
            return f"unsolvable, metric {metric}"
        return "unsolvable, but with solutions" if result.count and result.count.number else ""
    if result.trace is None or least is None:
        return f"solvable, metric {metric}"
    costs = judge.play(game, list(result.trace))
    if costs is None:
        return "the trace solves nothing"
    if metric != "any" and (result.cost != costs[metric] or costs[metric] < least):
        return f"the trace does not cost what is said, metric {metric}"
    if any(result.costs[other] != costs[other] for other in result.costs):
        return "the trace costs something else under another metric"
    if result.optimal and (metric == "any" or result.cost != least):
        return f"not optimal, metric {metric}"
    return ""


def asked(choice: random.Random, entry: Entry, graph: judge.Graph, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the failures of the answers to random formulas."""
    text, formula = choice.choice(
        [
            ("AG EF solved", ("AG", ("EF", ("atom", "solved")))),
            ("EF (stuck & !solved)", ("EF", ("and", ("atom", "stuck"), ("not", ("atom", "solved"))))),
            *[ctl(choice, 4)] * 6,
        ]
    )
    truth = graph.where(formula)
    for engine in ("explicit", "symbolic"):
        try:
            asked = ask(entry, text, Limits(SECONDS), engine)
            asked.as_text()
        except ModelError:
            outcome.answers["not for this engine"] += 1
            continue
        except Exception as error:
            yield f"query {engine} {crash(error)}", f"{text}: {error!r}"
            continue
        answer = asked.answer
        outcome.answers["holds" if answer.holds else "unknown" if answer.holds is None else "does not hold"] += 1
        if answer.holds is not None and answer.holds != (0 in truth):
            yield f"query {engine}: a formula's answer", f"{text}: {answer.holds}"
        elif answer.states is not None and (answer.states, answer.satisfying) != (
            len(graph.positions),
            len(truth),
        ):
            found = f"{answer.satisfying} of {answer.states} states"
            yield f"query {engine}: states", f"{text}: {found}, expected {len(truth)} of {len(graph.positions)}"


def ctl(choice: random.Random, depth: int) -> tuple[str, judge.Formula]:
    """A random formula, as text and as a tuple for the judge."""
    if not depth or choice.random() < 0.15:
        name = choice.choice(["solved", "solved", "stuck", "true", "false"])
        return name, ("atom", name)
    op = choice.choice(["EX", "EF", "EG", "AX", "AF", "AG", "EU", "AU", "not", "and", "or", "implies", "iff"])
    one, first = ctl(choice, depth - 1)
    if op in {"not", "EX", "EF", "EG", "AX", "AF", "AG"}:
        return f"{'!' if op == 'not' else op + ' '}({one})", (op, first)
    two, second = ctl(choice, depth - 1)
    if op in {"EU", "AU"}:
        return f"{op[0]}[{one} U {two}]", (op, first, second)
    sign = {"and": "&", "or": "|", "implies": "->", "iff": "<->"}[op]
    return f"({one}) {sign} ({two})", (op, first, second)


def certificates(seed: int, number: int) -> Outcome:
    """Verify one changed certificate. EACH consecutive cases change the same one, some with parts of another."""
    outcome = Outcome()
    choice = random.Random(f"{seed} certificate {number}")
    base, other = (certified(seed, at) for at in (number // EACH, number // EACH + 1))
    if base is None:
        outcome.answers["no certificate"] += 1
        return outcome
    if other is not None and choice.random() < 0.2:
        data, parts = json.loads(base), json.loads(other)
        for field in choice.sample(sorted(data), choice.choice([1, 1, 2])):
            data[field] = parts[field]
        changed = json.dumps(data)
    else:
        changed = mutants.digit(base, choice)
        if choice.random() < 0.8:
            data = json.loads(base)
            for change in choice.sample(mutants.CHANGES, len(mutants.CHANGES))[: choice.choice([3, 5, 9])]:
                with contextlib.suppress(LookupError, TypeError, ValueError):  # the change does not apply
                    change(data, choice)
                    if choice.random() < 0.7:
                        break
            changed = json.dumps(data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.cert"
        path.write_bytes(changed.encode("utf-8", "surrogatepass"))
        started = time.perf_counter()

        def fail(kind: str, what: str, detail: str) -> None:
            outcome.failures.append(Failure(kind, what, detail, path.read_bytes(), ".cert"))

        try:
            verification = verify(path, budget=Budget(Limits(SECONDS)))
            verification.as_text(), json.dumps(verification.as_json())
        except Exception as error:
            fail(TRACEBACK, f"verify {crash(error)}", repr(error))
            return outcome
        outcome.answers["late"] += time.perf_counter() - started > SECONDS + LATE
        outcome.answers[verification.status] += 1
        if verification.status == "valid":
            verdict = false_claim(path)
            if verdict is None:
                outcome.answers["valid, not judged"] += 1
            elif verdict:
                fail(DISAGREEMENT, f"a certificate that lies is valid: {verdict}", verification.as_text())
    return outcome


def false_claim(path: Path) -> str | None:
    """The false statement of a certificate, empty if all are true; None if the judge cannot decide its level."""
    certificate = read(path)
    try:
        game = judge.game(certificate.puzzle, certificate.level)
    except ValueError:
        return None
    graph = judge.explore(game, MOST)
    if graph is None:
        return None
    if certificate.verdict == "unsolvable":
        return "unsolvable" if graph.solved else ""
    costs = judge.play(game, list(certificate.trace or ()))
    if costs is None:
        return "the trace"
    if certificate.metric == "any":
        return "optimal" if certificate.optimal else ""
    if costs[certificate.metric] != certificate.cost:
        return "the cost"
    return "optimal" if certificate.optimal and graph.least(certificate.metric) != certificate.cost else ""


@functools.lru_cache(maxsize=4)
def certified(seed: int, number: int) -> str | None:
    """The certificate of an unusual level; None if it has none."""
    choice = random.Random(f"{seed} certified {number}")
    for _ in range(20):
        name = choice.choice(PUZZLES)
        text = odd_level(choice, name)
        graph = judge.explore(judge.game(name, text), MOST)
        entry = opened(name, text)
        if graph is None or isinstance(entry, str):
            continue
        rules = puzzle(name)
        options = Options(
            choice.choice(rules.metrics), "auto", "auto", choice.choice(list(rules.encodings)), SECONDS
        )
        result = solve_entry(entry, options)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "odd.cert"
            result = certify(entry, options, result, path)
            if result.checked and path.exists():
                return path.read_text(encoding="utf-8")
    return None
