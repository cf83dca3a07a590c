"""Tasks as text, in the format `output.sas`, version 3, which planners based on Fast Downward read and write.

The text is a sequence of lines (https://www.fast-downward.org/latest/documentation/translator-output-format).
Under `metric 0` each operator costs 1, whatever is written.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.tasks.operator_scanner import read_operators
from puzzlemc.mc.tasks.scanner import (
    BEFORE,
    BEGIN_OPERATOR,
    EFFECT,
    END,
    END_OPERATOR,
    LINES,
    NAME,
    NO_NUMBER,
    NONE,
    NUMBERS,
    SECOND,
    TOO_LARGE,
    TOO_SMALL,
    VALUE,
    VARIABLE,
    WORD,
    WORDS,
    PartialState,
    Scanner,
    check,
    next_line,
    read_condition,
    read_count,
    read_fact,
    read_number,
    read_some,
)
from puzzlemc.mc.tasks.task import Axiom, Condition, Fact, Operator, Task, TaskVariable
from puzzlemc.mc.words import view

VERSION = 3
LARGEST = 10**18  # no number has more than 18 digits
MOST_BYTES = 1 << 29  # of a file: a task of 500 MB has millions of operators
EXPECTED = {
    NUMBERS: "numbers",
    NAME: "the name of an operator",
    BEGIN_OPERATOR: "begin_operator",
    END_OPERATOR: "end_operator",
}
PROBLEMS = {
    END: "found the end of the text, expected {1}",
    WORD: "found {word}, expected {1}",
    NO_NUMBER: "found {word}, expected a number",
    WORDS: "found {0} words, expected {1} numbers",
    TOO_SMALL: "found {0}, expected at least {1}",
    TOO_LARGE: "found {0}, expected {1} to {most}",
    LINES: "found {0}, expected no more than the {1} lines left",
    VARIABLE: "found variable {0}, expected less than {1}",
    VALUE: "found value {0}, expected less than {1}",
    SECOND: "found a second value of variable {0}, expected one",
    EFFECT: "found {0} numbers, expected those of an effect",
    BEFORE: "found two values that variable {0} must have before the operator",
}


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
    sizes = [len(variable.values) for variable in variables]
    lines.begin_facts(sizes)
    mutexes = []
    for _ in range(lines.count()):
        with lines.section("mutex_group"):
            mutexes.append(tuple(lines.fact() for _ in range(lines.count())))
    with lines.section("state"):
        initial = tuple(lines.number(0, size - 1) for size in sizes)
    with lines.section("goal"):
        goal = lines.condition()
    operators = lines.operators(lines.count(), has_costs=has_costs)
    axioms = [_axiom(lines) for _ in range(lines.count())]
    lines.end()
    task = Task(tuple(variables), initial, goal, operators, tuple(axioms), tuple(mutexes))
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


def _axiom(lines: "_Lines") -> Axiom:
    with lines.section("rule"):
        condition = lines.condition()
        head = lines.numbers(3)
        lines.check(head[0], head[1])
        lines.check(head[0], head[2])
        return Axiom(condition, head[0], head[2])


class _Lines:
    """The lines of a text from the first to the last. Each method reads one line or more; all raise TextError."""

    def __init__(self, text: str) -> None:
        lines = text.rstrip().replace("\r\n", "\n")
        self._text = bytearray(lines.encode("utf-8", "surrogatepass"))
        self._text += b"\n"
        self._scanner = Scanner(self._text)

    def begin_facts(self, sizes: Sequence[int]) -> None:
        """The next lines are facts; `sizes` are the numbers of values of the variables."""
        self._scanner.domains = view(np.array(sizes, np.int64))
        self._condition = PartialState(len(sizes))

    def error(self, message: str) -> TextError:
        """An error in the line that was read last."""
        return TextError(message, self._scanner.line)

    def text(self, expected: str) -> str:
        """The next line."""
        if not next_line(self._scanner):
            raise self.error(f"found the end of the text, expected {expected}")
        return self._line()

    @contextmanager
    def section(self, kind: str) -> Iterator[None]:
        """What is between `begin_kind` and `end_kind`."""
        self._expect(f"begin_{kind}")
        yield
        self._expect(f"end_{kind}")

    def numbers(self, count: int) -> list[int]:
        """The numbers in a line, as many as `count`."""
        self._check(read_some(self._scanner, count))
        return [self._scanner.numbers[place] for place in range(count)]

    def number(self, least: int = -LARGEST, most: int = NONE) -> int:
        """The only number in a line."""
        self._check(read_number(self._scanner, least, most))
        return self._scanner.numbers[0]

    def count(self, least: int = 0) -> int:
        """A number of things to follow, each in a line of its own."""
        self._check(read_count(self._scanner, least))
        return self._scanner.numbers[0]

    def fact(self) -> Fact:
        """A fact."""
        self._check(read_fact(self._scanner))
        return self._scanner.numbers[0], self._scanner.numbers[1]

    def condition(self) -> dict[int, int]:
        """A number of facts, and these."""
        self._check(read_condition(self._scanner, self._condition))
        facts = self._condition.facts
        return {facts[place, 0]: facts[place, 1] for place in range(self._condition.count)}

    def operators(self, count: int, *, has_costs: bool) -> Sequence[Operator]:
        """Operators."""
        found = read_operators(self._scanner, count, has_costs=has_costs)
        self._check(found is not None)
        assert found is not None
        return found

    def check(self, variable: int, value: int) -> None:
        """Raise TextError unless the fact exists."""
        self._check(check(self._scanner, variable, value))

    def end(self) -> None:
        """Raise TextError unless all lines were read."""
        if next_line(self._scanner):
            raise self.error(f"found {self._line()[:40]!r}, expected the end of the text")

    def _line(self) -> str:
        """The line that was read last, or the word of it that is wrong."""
        found = self._text[self._scanner.first : self._scanner.last]
        return found.decode("utf-8", "surrogatepass")

    def _expect(self, word: str) -> None:
        found = self.text(word)
        if found != word and (found := found.strip()) != word:
            raise self.error(f"found {found[:40]!r}, expected {word}")

    def _check(self, is_right: bool) -> None:
        """Raise TextError unless the scanner has read what it expects."""
        if not is_right:
            s = self._scanner
            word = repr(self._line()[:40])
            expected = EXPECTED[s.wanted] if s.problem in (END, WORD) else s.wanted
            raise self.error(PROBLEMS[s.problem].format(s.found, expected, most=s.most, word=word))
