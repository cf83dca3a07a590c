"""The options of a question about levels, and the metric and encoding that they choose for a puzzle."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import GIB, Limits
from puzzlemc.mc.nearest import nearest

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle
    from puzzlemc.reports.solve.known import Known

EXPLICIT = "explicit"  # the engine
LEAST = 0  # in the place of a number of plans: all of the least cost
LUCKY, SURELY, ALMOST, PROBABILITY = CHANCES = ("lucky", "surely", "almost", "probability")  # questions
RULES_ENGINES = ("auto", EXPLICIT)  # for rules alone
READABLE = "tiles"  # the encoding of a puzzle that a reader can follow


@dataclass(frozen=True)
class Options:
    """The options of the command line that the answer for a level depends on.

    metric   None: the first one of the puzzle
    timeout  seconds; 0: no limit
    memory   GiB
    count    count the solutions
    every    list all solutions
    draw     draw the last position of the solution
    many     the level is one of many, so that loading compiled code pays
    why      explain why a level is unsolvable
    chance   of a level with chance: one of `CHANCES`
    within   the most turns in which a game must be won
    plans    the number of plans, the cheapest first; or LEAST
    loops    of several plans: they may visit a position again
    prove    keep the proof of the verdict
    given    check the solutions in the level's file
    some     accept any solution; improve it by the metric
    measured  with a report: also measure how hard the level is
    known    a solution that is known before the search: the answer is no worse
    """

    metric: str | None = None
    engine: str = "auto"
    diagrams: str = "auto"
    encoding: str = "compact"
    timeout: float = 60.0
    memory: float = 4.0
    count: bool = False
    every: bool = False
    draw: bool = False
    many: bool = False
    why: bool = False
    chance: str = "lucky"
    within: int | None = None
    plans: int = 1
    loops: bool = False
    prove: bool = False
    given: bool = False
    some: bool = False
    known: "Known | None" = None
    measured: bool = False

    @property
    def asks_more(self) -> bool:
        """Is more asked for than the verdict and a solution?"""
        return self.why or self.count or self.every or self.plans != Options.plans

    @property
    def limits(self) -> Limits:
        """The limits for an engine."""
        return Limits(self.timeout or None, int(self.memory * GIB))


@dataclass(frozen=True)
class Choice:
    """The metric and the encoding that options choose for a puzzle; a game of two sides has no encoding."""

    metric: str
    encoding: str | None = None


def choices(rules: "Puzzle", options: Options) -> Choice:
    """Choose metric and encoding. Raises ModelError for an option that the puzzle does not have."""
    from puzzlemc.mc.model.action import ANY

    metric = options.metric or rules.metrics[0]
    if options.chance not in CHANCES:
        expected = f"expected one of {', '.join(CHANCES)}{nearest(options.chance, CHANCES)}"
        raise ModelError(f"unknown question about chance {options.chance!r}, {expected}")
    if options.count or options.every:
        _need_count(rules, every=options.every)
    if options.known is not None:
        _need_costs(rules, metric)
    if options.plans != Options.plans:
        _need_plans(rules, metric)
    elif options.loops:
        raise ModelError("--loops says which plans are listed, expected it with --plans 0 or --plans 2 or more")
    if rules.game is not None:
        return _choices_of_game(rules, options, metric)
    if options.within is not None:
        raise ModelError(f"{rules.name} is no game of two sides: --within is an option for such games")
    if rules.alone is not None:
        if options.engine not in RULES_ENGINES:
            rules.need_model(f"the engine {options.engine}")
        if options.encoding != Options.encoding:
            rules.need_model(f"the encoding {options.encoding}")
    encodings = tuple(rules.encodings) if rules.alone is None else (Options.encoding,)
    for what, chosen, known in [
        ("metric", metric, (*rules.metrics, *rules.orders, ANY)),
        ("encoding", options.encoding, encodings),
    ]:
        if chosen not in known:
            expected = f"expected one of {', '.join(known)}{nearest(chosen, known)}"
            raise ModelError(f"unknown {what} {chosen!r} of {rules.name}, {expected}")
    return Choice(metric, options.encoding if rules.alone is None else None)


def wrong_choices(asked: "Iterable[Puzzle]", options: Options) -> dict[str, str]:
    """Why puzzles lack a metric or an encoding, by the name of the puzzle. Raises ModelError if all of them do."""
    wrong: dict[str, str] = {}
    is_right = False
    for each in asked:
        try:
            choices(each, options)
            is_right = True
        except ModelError as error:
            wrong[each.name] = str(error)
    if wrong and not is_right:
        raise ModelError("; ".join(wrong.values()))
    return wrong


def has_costs(rules: "Puzzle", metric: str) -> bool:
    """Is there a cost by which a known solution of the puzzle can be improved?"""
    from puzzlemc.mc.model.action import ANY

    return rules.game is None and rules.optimisation is None and metric != ANY


def _need_costs(rules: "Puzzle", metric: str) -> None:
    """Raise ModelError if there is no cost by which a known solution of the puzzle could be improved."""
    if has_costs(rules, metric):
        return
    if rules.game is not None or rules.optimisation is not None:
        raise ModelError(f"the solutions of {rules.name} are not compared by their moves: --improve is not for it")
    raise ModelError(f"--improve needs a metric, expected one of {', '.join((*rules.metrics, *rules.orders))}")


def formulas_elsewhere(rules: "Puzzle", encoding: str) -> str:
    """The end of an error about an encoding without formulas: the encoding to try, empty if there is no other."""
    return f", or --encoding {READABLE}" if READABLE in rules.encodings and encoding != READABLE else ""


def _need_count(rules: "Puzzle", *, every: bool) -> None:
    """Raise ModelError if the solutions of a puzzle cannot be counted or, with `every`, cannot be listed."""
    if rules.counting is not None:
        if every and rules.counting.each is None:
            what = f"--count says how many there are: {rules.counting.what}"
            raise ModelError(f"the solutions of {rules.name} are counted, but not listed; {what}")
        return
    able = ", ".join(name for name, each in puzzles().items() if each.counting is not None)
    message = f"the solutions of {rules.name} are not counted, those of {able} are"
    if rules.game is not None:
        message += "; how many first moves win stands in the table anyway"
    elif rules.constraint is None:
        message += "; puzzlemc report says how many of the shortest ones there are"
    raise ModelError(message)


def _need_plans(rules: "Puzzle", metric: str) -> None:
    """Raise ModelError if a puzzle or a metric has no list of best plans."""
    if rules.game is not None or rules.optimisation is not None or rules.alone is not None:
        raise ModelError(f"the solutions of {rules.name} are no plans of a model: --plans is not for it")
    if metric not in rules.metrics:
        raise ModelError(f"--plans needs one metric, expected one of {', '.join(rules.metrics)}")


def _choices_of_game(rules: "Puzzle", options: Options, metric: str) -> Choice:
    """The choice for a game of two sides, which has neither engines nor encodings."""
    for what, chosen, known in [
        ("metric", metric, rules.metrics),
        ("engine", options.engine, ("auto",)),
        ("encoding", options.encoding, (Options.encoding,)),
    ]:
        if chosen not in known:
            expected = " or ".join(known)
            raise ModelError(
                f"unknown {what} {chosen!r} of {rules.name}, a game of two sides: expected {expected}"
            )
    return Choice(metric)
