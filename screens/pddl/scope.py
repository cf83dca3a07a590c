"""The names that conditions may use, and the reader of conditions and effects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from puzzlemc.screens.pddl.conditions import (
    TRUE,
    And,
    Atom,
    Comparison,
    Condition,
    Effect,
    Equal,
    NumericEffect,
    Or,
    Parameters,
    Quantified,
    negation,
)
from puzzlemc.screens.pddl.expressions import Block, Expression, Source, Word, shown
from puzzlemc.screens.pddl.level import OBJECT
from puzzlemc.screens.pddl.numbers import CHANGES, DIGITS, Fluent, Number, Numeric, Operation, Value, read_number

TOTAL_COST = "total-cost"
COMPARED = frozenset(["<", "<=", ">", ">="])
OPERATIONS = ("+", "-", "*", "/")


@dataclass(frozen=True)
class Scope:
    """The declared names, and where they are read.

    derived    predicates that no effect may change
    variables  the variables that are bound here
    """

    source: Source
    types: Mapping[str, str]
    objects: Mapping[str, str]
    predicates: Mapping[str, tuple[str, ...]]
    functions: Mapping[str, tuple[str, ...]]
    derived: frozenset[str] = frozenset()
    variables: frozenset[str] = field(default_factory=frozenset)

    def with_variables(self, parameters: Parameters) -> "Scope":
        """The scope in which these variables are bound, too."""
        return replace(self, variables=self.variables | {name for name, _ in parameters})

    def condition(self, item: Expression) -> Condition:
        """Read a condition. Raises LevelError."""
        block = self.source.block(item, "a condition in parentheses")
        parts = block.items[1:]
        if not block.items:
            return TRUE
        match block.head:
            case "and":
                return And(tuple(map(self.condition, parts)))
            case "or":
                return Or(tuple(map(self.condition, parts)))
            case "not":
                (part,) = self._parts(block, 1)
                return negation(self.condition(part))
            case "imply":
                one, other = self._parts(block, 2)
                return Or((negation(self.condition(one)), self.condition(other)))
            case "forall" | "exists" as kind:
                bound, part = self._parts(block, 2)
                variables = self.parameters(bound)
                return Quantified(kind == "forall", variables, self.with_variables(variables).condition(part))
            case "preference":
                message = "found a preference, expected a condition: preferences are read in goals alone"
                raise self.source.error(block, message)
            case "=":
                one, other = self._parts(block, 2)
                if isinstance(one, Block) or isinstance(other, Block):
                    return Comparison("=", self.numeric(one), self.numeric(other))
                return Equal(self.term(one), self.term(other))
            case head if head in COMPARED:
                one, other = self._parts(block, 2)
                return Comparison(head, self.numeric(one), self.numeric(other))
        return self.atom(block)

    def numeric(self, item: Expression) -> Numeric:
        """Read an expression over numbers and functions. Raises LevelError."""
        if isinstance(item, Word):
            return Number(self.number(item))
        if item.head not in OPERATIONS:
            function = self.function(item)
            if function.name == TOTAL_COST:
                raise self.source.error(item, f"found ({TOTAL_COST}), expected that nothing reads the cost")
            return Fluent(function.name, function.terms)
        least, most = (2, None) if item.head in "+*" else (1 if item.head == "-" else 2, 2)
        count = len(item.items) - 1
        if count < least or (most is not None and count > most):
            wanted = f"{least}" if least == most else f"{least} to {most}" if most else f"{least} or more"
            raise self.source.error(item, f"found {count} parts of {item.head!r}, expected {wanted}")
        first, *rest = map(self.numeric, item.items[1:])
        if not rest:
            return Operation("-", Number(0), first)
        for each in rest:
            first = Operation(item.head, first, each)
        return first

    def number(self, item: Expression) -> Value:
        """Read a number. Raises LevelError."""
        value = read_number(self.source.word(item, "a number"))
        if value is None:
            message = f"found {shown(item)}, expected a number: at most {DIGITS} digits, before and after a point"
            raise self.source.error(item, message)
        return value

    def atom(self, block: Block) -> Atom:
        """Read an atom of a predicate. Raises LevelError."""
        return self._atom(block, self.predicates, "predicate")

    def function(self, block: Block) -> Atom:
        """Read a function with its arguments. Raises LevelError."""
        return self._atom(block, self.functions, "function")

    def _atom(self, block: Block, known: Mapping[str, tuple[str, ...]], kind: str) -> Atom:
        if not block.items:
            raise self.source.error(block, f"found '()', expected a {kind}")
        name = self.source.word(block.items[0], f"the name of a {kind}")
        if name not in known:
            raise self.source.error(block.items[0], f"found {name!r}, expected a {kind} that is declared")
        if (count := len(block.items) - 1) != (wanted := len(known[name])):
            arguments = f"{wanted} argument{'s' * (wanted != 1)}"
            raise self.source.error(block, f"found {shown(block)} with {count}, expected {arguments} of {name!r}")
        return Atom(name, tuple(map(self.term, block.items[1:])))

    def term(self, item: Expression) -> str:
        """Read an object or a variable that is bound. Raises LevelError."""
        name = self.source.word(item, "an object or a variable")
        if name not in (self.variables if name.startswith("?") else self.objects):
            kind = "a variable that is bound here" if name.startswith("?") else "an object that is declared"
            raise self.source.error(item, f"found {shown(item)}, expected {kind}")
        return name

    def parameters(self, item: Expression, *, distinct: bool = True) -> Parameters:
        """Read a list of variables with their types; in some lists, one may stand twice. Raises LevelError."""
        block = self.source.block(item, "variables in parentheses")
        found = typed(self.source, block.items, is_variable=True)
        names = set[str]()
        for word, kind in found:
            if distinct and word.text in names:
                raise self.source.error(word, f"found {word.text!r} twice, expected each variable once")
            names.add(word.text)
            if kind.text != OBJECT and kind.text not in self.types:
                raise self.source.error(kind, f"found type {kind.text!r}, expected one that is declared")
        return tuple((word.text, kind.text) for word, kind in found)

    def effects(self, item: Expression) -> tuple[list[Effect], list[NumericEffect], list[Block]]:
        """Read an effect: the facts and the functions that it changes, and the costs in it. Raises LevelError."""
        found: list[Effect] = []
        numeric: list[NumericEffect] = []
        costs: list[Block] = []
        self._effects(item, (), TRUE, found, numeric, costs)
        return found, numeric, costs

    def _effects(
        self,
        item: Expression,
        bound: Parameters,
        when: Condition,
        found: list[Effect],
        numeric: list[NumericEffect],
        costs: list[Block],
    ) -> None:
        block = self.source.block(item, "an effect in parentheses")
        if not block.items:
            return
        match block.head:
            case "and":
                for part in block.items[1:]:
                    self._effects(part, bound, when, found, numeric, costs)
            case "forall":
                variables, part = self._parts(block, 2)
                read = self.parameters(variables)
                if any(name in self.variables for name, _ in read):
                    message = f"found a variable of {shown(variables)} a second time, expected another name"
                    raise self.source.error(variables, message)
                inner = self.with_variables(read)
                inner._effects(part, (*bound, *read), when, found, numeric, costs)
            case "when":
                condition, part = self._parts(block, 2)
                read_condition = self.condition(condition)
                both = read_condition if when == TRUE else And((when, read_condition))
                self._effects(part, bound, both, found, numeric, costs)
            case head if head in CHANGES:
                target, amount = self._parts(block, 2)
                changed = self.function(self.source.block(target, "a function in parentheses"))
                if changed.name == TOTAL_COST:
                    if bound or when != TRUE:
                        raise self.source.error(block, "found a conditional cost, expected one cost of an action")
                    costs.append(block)
                    return
                numeric.append(
                    NumericEffect(
                        bound,
                        when,
                        head,
                        Fluent(changed.name, changed.terms),
                        self.numeric(amount),
                        (self.source.name, *self.source.place(block)),
                    )
                )
            case "not":
                (part,) = self._parts(block, 1)
                found.append(Effect(bound, when, self._changed(part), False))
            case _:
                found.append(Effect(bound, when, self._changed(block), True))

    def _changed(self, item: Expression) -> Atom:
        block = self.source.block(item, "an atom in parentheses")
        atom = self.atom(block)
        if atom.name in self.derived:
            raise self.source.error(block, f"found an effect on {atom.name!r}, expected none: it is derived")
        return atom

    def _parts(self, block: Block, count: int) -> Sequence[Expression]:
        if len(block.items) != count + 1:
            part = f"{count} part{'s' * (count > 1)}"
            raise self.source.error(
                block, f"found {len(block.items) - 1} parts of {block.head!r}, expected {part}"
            )
        return block.items[1:]


def typed(source: Source, items: Sequence[Expression], *, is_variable: bool) -> list[tuple[Word, Word]]:
    """Read `a b - type c`: names, each with its type, `object` where none is written. Raises LevelError."""
    found: list[tuple[Word, Word]] = []
    waiting: list[Word] = []
    rest = iter(apart(items))
    for item in rest:
        word = source.word(item, "a variable" if is_variable else "a name")
        if word != "-":
            source.name_of(Word(word.removeprefix("?") if is_variable else word, item.at), "a name")
            if is_variable and not word.startswith("?"):
                raise source.error(item, f"found {shown(item)}, expected a variable, which begins with ?")
            waiting.append(Word(word, item.at))
            continue
        kind = next(rest, None)
        if kind is None:
            raise source.error(item, "found '-' at the end, expected a type after it")
        if isinstance(kind, Block):
            raise source.error(kind, f"found {shown(kind)}, expected the name of a type: unions are not read")
        found += ((each, kind) for each in waiting)
        waiting = []
    return found + [(each, Word(OBJECT, each.at)) for each in waiting]


def apart(items: Sequence[Expression]) -> Iterator[Expression]:
    """Yield the items of a typed list, with the `-` of `a -t` and `a- t` as a word of its own.

    Names may end in `-`: in `a- t - u`, no type can stand before the second `-`, so `a-` is a name.
    """
    for item, after, then in zip_longest(items, items[1:], items[2:]):
        if not isinstance(item, Word) or item.text == "-":
            yield item
        elif item.text.startswith("-"):
            yield Word("-", item.at)
            yield Word(item.text[1:], item.at + 1)
        elif item.text.endswith("-") and _is_type(after) and not (isinstance(then, Word) and then.text[0] == "-"):
            yield Word(item.text[:-1], item.at)
            yield Word("-", item.at + len(item.text) - 1)
        else:
            yield item


def _is_type(item: Expression | None) -> bool:
    return isinstance(item, Word) and not item.text.startswith(("-", "?"))
