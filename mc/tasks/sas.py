"""Tasks as text, in the format `output.sas`, version 3, which planners based on Fast Downward read and write.

The text is a sequence of lines (https://www.fast-downward.org/latest/documentation/translator-output-format).
Under `metric 0` each operator costs 1, whatever is written.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Fact, Operator, Task, TaskVariable

VERSION = 3
MOST_BYTES = 1 << 29  # of a file: a task of 500 MB has millions of operators
NUMBER = re.compile(r"-?[0-9]{1,18}")


class TextError(ModelError):
    """A text is no task. `line` is the place of the error, from 1; None for a contradiction of several lines."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message, line)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


def read(text: str) -> Task:
    """The task of a text. Raises TextError."""
    lines = _Lines(text)
    with lines.section("version"):
        if (version := lines.number()) != VERSION:
            raise lines.error(f"found version {version}, expected {VERSION}")
    with lines.section("metric"):
        has_costs = lines.number(0, 1) == 1
    variables = [_variable(lines) for _ in range(lines.count())]
    lines.domains = [len(variable.values) for variable in variables]
    mutexes = []
    for _ in range(lines.count()):
        with lines.section("mutex_group"):
            mutexes.append(tuple(lines.fact() for _ in range(lines.count())))
    with lines.section("state"):
        initial = tuple(lines.number(0, size - 1) for size in lines.domains)
    with lines.section("goal"):
        goal = lines.condition()
    operators = [_operator(lines, has_costs) for _ in range(lines.count())]
    axioms = [_axiom(lines) for _ in range(lines.count())]
    lines.end()
    task = Task(tuple(variables), initial, goal, tuple(operators), tuple(axioms), tuple(mutexes))
    try:
        task.validate()
    except ModelError as error:
        raise TextError(str(error)) from None
    return task


def write(task: Task) -> str:
    """The text of a task. `read` gives the task back, if no name has a line feed."""
    lines = [*_block("version", VERSION), *_block("metric", 1), str(len(task.variables))]
    for variable in task.variables:
        layer = -1 if variable.layer is None else variable.layer
        names = map(_line, variable.values)
        lines += _block("variable", _line(variable.name), layer, len(variable.values), *names)
    lines.append(str(len(task.mutexes)))
    for group in task.mutexes:
        lines += _block("mutex_group", len(group), *(f"{variable} {value}" for variable, value in group))
    lines += _block("state", *task.initial)
    lines += _block("goal", *_condition(task.goal))
    lines.append(str(len(task.operators)))
    for operator in task.operators:
        lines += _block("operator", _line(operator.name), *_conditions_of(operator), operator.cost)
    lines.append(str(len(task.axioms)))
    for axiom in task.axioms:
        head = f"{axiom.variable} {task.initial[axiom.variable]} {axiom.value}"
        lines += _block("rule", *_condition(axiom.condition), head)
    return "\n".join([*lines, ""])


def _block(kind: str, *parts: object) -> Iterator[str]:
    yield f"begin_{kind}"
    yield from map(str, parts)
    yield f"end_{kind}"


def _condition(condition: Condition) -> list[str]:
    return [str(len(condition)), *(f"{variable} {value}" for variable, value in condition.items())]


def _conditions_of(operator: Operator) -> list[str]:
    """The precondition on unchanged variables; the effects, with the conditions on changed variables."""
    changed = {effect.variable for effect in operator.effects}
    kept = {variable: value for variable, value in operator.precondition.items() if variable not in changed}
    effects = []
    for effect in operator.effects:
        numbers = [len(effect.condition), *(n for fact in effect.condition.items() for n in fact)]
        before = operator.precondition.get(effect.variable, -1)
        effects.append(" ".join(map(str, [*numbers, effect.variable, before, effect.value])))
    return [*_condition(kept), str(len(effects)), *effects]


def _line(name: str) -> str:
    """A name without line feeds."""
    return " ".join(name.split())


def _variable(lines: "_Lines") -> TaskVariable:
    with lines.section("variable"):
        name = lines.text("the name of a variable")
        layer = lines.number(-1)
        values = tuple(lines.text("the name of a value") for _ in range(lines.count(1)))
        return TaskVariable(name, values, None if layer < 0 else layer)


def _operator(lines: "_Lines", has_costs: bool) -> Operator:
    with lines.section("operator"):
        name = lines.text("the name of an operator")
        precondition = lines.condition()
        effects = []
        for _ in range(lines.count()):
            numbers = lines.numbers()
            pairs = numbers[0] if numbers else 0
            if pairs < 0 or len(numbers) != 2 * pairs + 4:
                raise lines.error(f"found {len(numbers)} numbers, expected those of an effect")
            variable, before, after = numbers[-3:]
            condition = lines.joined(zip(numbers[1:-3:2], numbers[2:-3:2], strict=True)) if pairs else {}
            lines.check(variable, after)
            if before != -1:
                lines.check(variable, before)
                if precondition.setdefault(variable, before) != before:
                    raise lines.error(f"found two values that variable {variable} must have before the operator")
            effects.append(Effect(variable, after, condition))
        cost = lines.number(0)
        return Operator(name, precondition, tuple(effects), cost if has_costs else 1)


def _axiom(lines: "_Lines") -> Axiom:
    with lines.section("rule"):
        condition = lines.condition()
        head = lines.numbers(3)
        lines.check(head[0], head[1])
        lines.check(head[0], head[2])
        return Axiom(condition, head[0], head[2])


class _Lines:
    """The lines of a text from the first to the last. Each method reads one line; all raise TextError."""

    def __init__(self, text: str) -> None:
        self._lines = text.rstrip().replace("\r\n", "\n").split("\n")
        self._read = 0
        self._known: dict[str, tuple[int, ...]] = {}  # the numbers of lines: many lines are the same
        self.domains: list[int] = []

    def error(self, message: str) -> TextError:
        """An error in the line that was read last."""
        return TextError(message, self._read)

    def text(self, expected: str) -> str:
        """The next line."""
        if self._read == len(self._lines):
            raise self.error(f"found the end of the text, expected {expected}")
        self._read += 1
        return self._lines[self._read - 1]

    @contextmanager
    def section(self, kind: str) -> Iterator[None]:
        """What is between `begin_kind` and `end_kind`."""
        self._expect(f"begin_{kind}")
        yield
        self._expect(f"end_{kind}")

    def numbers(self, count: int | None = None) -> tuple[int, ...]:
        """The numbers in a line, as many as `count`."""
        line = self.text("numbers")
        found = self._known.get(line)
        if found is None:
            words = line.split()
            for word in words:
                if not NUMBER.fullmatch(word):
                    raise self.error(f"found {word[:40]!r}, expected a number")
            found = self._known[line] = tuple(map(int, words))
        if count is not None and len(found) != count:
            raise self.error(f"found {len(found)} words, expected {count} numbers")
        return found

    def number(self, least: int | None = None, most: int | None = None) -> int:
        """The only number in a line."""
        (found,) = self.numbers(1)
        if (least is not None and found < least) or (most is not None and found > most):
            wanted = f"at least {least}" if most is None else f"{least} to {most}"
            raise self.error(f"found {found}, expected {wanted}")
        return found

    def count(self, least: int = 0) -> int:
        """A number of things to follow, each in a line of its own."""
        found = self.number(least)
        if found > len(self._lines) - self._read:
            raise self.error(
                f"found {found}, expected no more than the {len(self._lines) - self._read} lines left"
            )
        return found

    def fact(self) -> Fact:
        """A fact."""
        variable, value = self.numbers(2)
        self.check(variable, value)
        return variable, value

    def condition(self) -> dict[int, int]:
        """A number of facts, and these."""
        return self.joined(self.fact() for _ in range(self.count()))

    def joined(self, facts: Iterable[Fact]) -> dict[int, int]:
        """The facts as a condition."""
        condition: dict[int, int] = {}
        for variable, value in facts:
            self.check(variable, value)
            if condition.setdefault(variable, value) != value:
                raise self.error(f"found a second value of variable {variable}, expected one")
        return condition

    def check(self, variable: int, value: int) -> None:
        """Raise TextError unless the fact exists."""
        if not 0 <= variable < len(self.domains):
            raise self.error(f"found variable {variable}, expected less than {len(self.domains)}")
        if not 0 <= value < self.domains[variable]:
            raise self.error(f"found value {value}, expected less than {self.domains[variable]}")

    def end(self) -> None:
        """Raise TextError unless all lines were read."""
        if self._read < len(self._lines):
            self._read += 1
            raise self.error(f"found {self._lines[self._read - 1][:40]!r}, expected the end of the text")

    def _expect(self, word: str) -> None:
        found = self.text(word)
        if found != word and (found := found.strip()) != word:
            raise self.error(f"found {found[:40]!r}, expected {word}")
