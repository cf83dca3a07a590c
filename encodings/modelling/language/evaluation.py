"""The plain rules of a system: its expressions evaluated at positions.

A position is the tuple of the values of all variables. An expression becomes a Python function of it, compiled
from generated text at its first use. Actions are found by the value of the variable that most guards compare.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.encodings.modelling.language.expressions import (
    OTHER,
    TRUTH,
    Choice,
    Constant,
    Expression,
    Fold,
    Junction,
    Not,
    Operation,
    Variable,
    postorder,
    test_of,
)
from puzzlemc.encodings.modelling.language.system import Action, System
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step, Stuck, Transition

Position: TypeAlias = tuple[Hashable, ...]
Function: TypeAlias = Callable[[Position], Any]
DEEPEST = 60  # levels of one generated function: the parser of Python takes 200 parentheses
LONGEST = 10_000  # characters of one: a part that stands in several places is written in each
LITERALS = (bool, int, str, type(None))


def function(expression: Expression) -> Function:
    """The value of an expression at a position, as a Python function."""
    names: dict[str, Any] = {}
    texts: dict[int, tuple[str, int]] = {}  # of each part: its Python, and how deep that is
    for part in postorder(expression):
        found = [texts[id(each)] for each in part.parts]
        text, depth = _text(part, [each for each, _ in found], names), 1 + max((n for _, n in found), default=0)
        if depth > DEEPEST or (depth > 1 and len(text) > LONGEST):
            text, depth = f"{_named(_compiled(text, names), names)}(p)", 1
        texts[id(part)] = text, depth
    return _compiled(texts[id(expression)][0], names)


def _compiled(text: str, names: dict[str, Any]) -> Function:
    return eval(f"lambda p: {text}", names)  # type: ignore[no-any-return]


def _named(value: object, names: dict[str, Any]) -> str:
    """A new name for a function or a constant of the generated Python."""
    name = f"n{len(names)}"
    names[name] = value
    return name


def _text(expression: Expression, parts: Sequence[str], names: dict[str, Any]) -> str:
    """Python for an expression at the position `p`, from that of its parts."""
    match expression:
        case Constant(value):
            return repr(value) if type(value) in LITERALS else _named(value, names)
        case Variable(number):
            return f"p[{number}]"
        case Operation(sign=sign) if sign:
            return f"({parts[0]} {sign} {parts[1]})"
        case Operation(applied):
            return f"{_named(applied, names)}({', '.join(parts)})"
        case Fold(word) if word == "sum":
            return f"({' + '.join(parts)})" if len(parts) > 1 else f"(0 + {parts[0]})"
        case Fold(word):
            return f"{word}(({', '.join(parts)},))"
        case Not():
            return f"(not {parts[0]})"
        case Junction(is_conjunction):
            return f"({(' and ' if is_conjunction else ' or ').join(parts)})" if parts else str(is_conjunction)
        case Choice():
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
    raise TypeError(f"found {expression!r}, expected an expression")


class _Rule(NamedTuple):
    """An action for evaluation.

    tests   variables and the values that they must have
    guard   what else must hold; None for nothing
    sets    variables and constants that they get
    gives   variables, the functions of their new values, and the values of their domains by what they equal; None
            if these need no check
    """

    action: Action
    number: int
    tests: tuple[tuple[int, Hashable], ...]
    guard: Function | None
    sets: tuple[tuple[int, Hashable], ...]
    gives: tuple[tuple[Variable, Function, Mapping[Any, Hashable] | None], ...]


class Evaluation:
    """A system with the functions of its expressions: start, steps, solved."""

    def __init__(self, system: System) -> None:
        self.system = system
        own = [{value: value for value in variable.domain} for variable in system.variables]
        self.start: Position = tuple(values[start] for values, start in zip(own, system.start, strict=True))
        self._rules = [_rule(number, action, own) for number, action in enumerate(system.actions)]
        self._pivot, self._by_value, self._others = _indexed(self._rules)
        self._functions: dict[int, Function] = {}

    def starting_at(self, position: Position) -> "Evaluation":
        """The same system with another start."""
        found = copy(self)
        found.start = position
        return found

    def holds(self, expression: Expression, position: Position) -> bool:
        """Is a truth value true at a position? Raises ModelError if it is no truth value there."""
        found = self.value(expression, position)
        if found is not True and found is not False:
            raise ModelError(f"found {found!r} at {self.words(position)}, expected True or False: {expression!r}")
        return found

    def value(self, expression: Expression, position: Position) -> Any:
        """The value of an expression at a position. Raises ModelError for an exception in an author's function."""
        known = self._functions.get(id(expression))
        if known is None:
            known = self._functions[id(expression)] = function(expression)
        try:
            return known(position)
        except LIMITS:
            raise
        except Exception as error:
            raise self._failed(repr(expression), position, error) from error

    def successors(self, position: Position) -> Iterator[tuple[Action, Position]]:
        """Yield the enabled actions of a position with the positions that they lead to. Raises ModelError."""
        found = self._others
        if self._pivot is not None:
            found = self._by_value.get(position[self._pivot], self._others)
        for rule in found:
            for number, value in rule.tests:
                if position[number] != value:
                    break
            else:
                if rule.guard is None or self._allows(rule, position):
                    after = self._after(rule, position)
                    if after is not None:
                        yield rule.action, after

    def words(self, position: Position) -> str:
        """A position for people: `jug 1 = 3, jug 2 = 0`."""
        named = zip(self.system.variables, position, strict=True)
        return ", ".join(f"{variable.name} = {value}" for variable, value in named)

    def _allows(self, rule: _Rule, position: Position) -> bool:
        assert rule.guard is not None
        try:
            found = rule.guard(position)
        except LIMITS:
            raise
        except Exception as error:
            raise self._failed(f"action {rule.action.name}: the guard", position, error) from error
        if found is not True and found is not False:
            where = f"action {rule.action.name}: the guard is {found!r} at {self.words(position)}"
            raise ModelError(f"{where}, expected True or False")
        return found

    def _after(self, rule: _Rule, position: Position) -> Position | None:
        """The position after an action; None if a value outside its domain disables it. Raises ModelError."""
        after = list(position)
        for number, value in rule.sets:
            after[number] = value
        for variable, give, own in rule.gives:
            try:
                value = give(position)
            except LIMITS:
                raise
            except Exception as error:
                what = f"action {rule.action.name}: {variable.name}"
                raise self._failed(what, position, error) from error
            if own is not None:
                given, value = value, _within(value, variable, own)
                if value is _OUTSIDE:
                    if rule.action.disables:
                        return None
                    what = f"action {rule.action.name}: found {given!r} for {variable.name}"
                    raise ModelError(f"{what}, expected {_shown(variable.domain)}, at {self.words(position)}")
            after[variable.number] = value
        return tuple(after)

    def _failed(self, what: str, position: Position, error: Exception) -> ModelError:
        described = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return ModelError(f"{what}: found {described}, at {self.words(position)}")


def _rule(number: int, action: Action, own: Sequence[Mapping[Any, Hashable]]) -> _Rule:
    """An action for evaluation. `own` has the values of each variable, by what they equal."""
    guard, tests, others = action.guard, list[tuple[int, Hashable]](), list[Expression]()
    for part in guard.parts if isinstance(guard, Junction) and guard.is_conjunction else (guard,):
        tested = test_of(part)
        if tested is None:
            others.append(part)
        else:
            tests.append(tested)
    if isinstance(guard, Constant):  # it is true: `System.action` drops the others
        others = []
    rest = others[0] if len(others) == 1 else Junction(True, parts=tuple(others))
    sets = [
        (variable.number, own[variable.number][new.value])
        for variable, new in action.updates
        if isinstance(new, Constant)
    ]
    gives = [
        (variable, function(new), None if _fits(new, variable) else own[variable.number])
        for variable, new in action.updates
        if not isinstance(new, Constant)
    ]
    return _Rule(action, number, tuple(tests), function(rest) if others else None, tuple(sets), tuple(gives))


def _fits(new: Expression, variable: Variable) -> bool:
    """Is each value that an expression may have in the domain of a variable, and of its kind?

    A disjunction is a truth value only if its parts are: of an author's function that is not known. The least of
    truth values is one, and True equals 1; so do values of several kinds.
    """
    if new.kind != variable.kind or new.kind == OTHER or new.values is None:
        return False
    for part in postorder(new):
        if part.kind is None or (isinstance(part, Fold) and any(each.kind == TRUTH for each in part.parts)):
            return False
    return new.values <= frozenset(variable.domain)


_OUTSIDE: Any = object()


def _within(value: object, variable: Variable, own: Mapping[Any, Hashable]) -> Any:
    """The value of a domain that equals a value, as 1 equals True; `_OUTSIDE` if there is none.

    Numbers are no truth values, and a value without a hash is in no domain.
    """
    try:
        found = own.get(value, _OUTSIDE)
    except TypeError:
        return _OUTSIDE
    return _OUTSIDE if variable.kind == TRUTH and not isinstance(value, bool) else found


def _shown(domain: Sequence[Hashable]) -> str:
    if isinstance(domain, range):
        return f"{domain[0]} to {domain[-1]}"
    words = [repr(value) for value in domain]
    return f"one of {', '.join(words[:8])}{', …' if len(words) > 8 else ''}"


def _indexed(rules: list[_Rule]) -> tuple[int | None, dict[Hashable, list[_Rule]], list[_Rule]]:
    """Rules by the value that they need of one variable, those for all other values, and that variable."""
    counts = Counter(number for rule in rules for number in dict(rule.tests))
    values: dict[int, set[Hashable]] = {}
    for rule in rules:
        for number, value in rule.tests:
            values.setdefault(number, set()).add(value)
    best = max(counts, key=lambda number: counts[number] * (len(values[number]) - 1), default=None)
    if best is None:
        return None, {}, rules
    others = list[_Rule]()
    by_value: dict[Hashable, list[_Rule]] = {value: [] for value in values[best]}
    for rule in rules:
        needed = dict(rule.tests).get(best, _OUTSIDE)
        if needed is _OUTSIDE:
            others.append(rule)
        for found in by_value.values() if needed is _OUTSIDE else (by_value[needed],):
            found.append(rule)
    return best, by_value, others


def transition(built: Callable[[Any], Evaluation], metrics: Sequence[str]) -> Transition:
    """The plain rules of levels that are systems; `built` gives the evaluation of a level."""

    def start(level: Any) -> Hashable:
        return built(level).start

    def steps(level: Any, position: Any) -> Iterator[Step]:
        evaluation, names = built(level), set[str]()
        for action, after in evaluation.successors(position):
            if action.name in names:
                raise Refuted(f"two actions called {action.name} can be done at {evaluation.words(position)}")
            names.add(action.name)
            yield Step(action.name, after, {metric: action.cost(metric) for metric in metrics})

    def solved(level: Any, position: Any) -> bool:
        evaluation = built(level)
        return evaluation.holds(evaluation.system.goal, position)

    def lost(level: Any, position: Any) -> bool:
        evaluation = built(level)
        return evaluation.holds(evaluation.system.lost, position)

    return Transition(start, steps, solved, lost=lost)


def game(built: Callable[[Any], Evaluation], metrics: Sequence[str], stuck: Stuck) -> Game:
    """The plain rules of levels that are games of two sides: the first variable is the side to move."""

    def steps(level: Any, position: Any) -> Iterator[Step]:
        evaluation = built(level)
        own = position[0] == evaluation.start[0]  # a turn of the side to move at the start costs one
        for action, after in evaluation.successors(position):
            yield Step(action.name, after, {metric: int(own) for metric in metrics})

    def winner(level: Any, position: Any) -> int | None:
        evaluation = built(level)
        first, second = (evaluation.holds(won, position) for won in evaluation.system.winner)
        if first and second:
            raise ModelError(f"winner: found that both sides have won, at {evaluation.words(position)}")
        return FIRST if first else SECOND if second else None

    return Game(lambda level: built(level).start, lambda level, position: int(position[0]), steps, winner, stuck)
