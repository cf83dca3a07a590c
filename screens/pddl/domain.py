"""Reads domains."""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.pddl.conditions import Atom, Comparison, Condition, Equal, Not, Quantified, Rule, Schema
from puzzlemc.screens.pddl.expressions import Block, Expression, Source, Word, shown
from puzzlemc.screens.pddl.level import OBJECT, RESERVED, Bounds, Domain
from puzzlemc.screens.pddl.numbers import CHANGES, Number, Numeric
from puzzlemc.screens.pddl.scope import TOTAL_COST, Scope, apart, typed

# Whether a domain uses what is not read shows where it does.
READ = frozenset(
    (
        ":strips",
        ":typing",
        ":negative-preconditions",
        ":disjunctive-preconditions",
        ":equality",
        ":adl",
        ":existential-preconditions",
        ":universal-preconditions",
        ":quantified-preconditions",
        ":conditional-effects",
        ":derived-predicates",
        ":action-costs",
        ":fluents",
        ":numeric-fluents",
        ":preferences",
    )
)
REFUSED = {
    ":durative-actions": "time",
    ":duration-inequalities": "time",
    ":continuous-effects": "time",
    ":timed-initial-literals": "time",
    ":timed-initial-effects": "time",
    ":time": "time",
    ":object-fluents": "fluents whose values are objects",
    ":constraints": "constraints on plans",
    ":hierarchy": "hierarchies of tasks",
    ":hierachie": "hierarchies of tasks",
    ":method-preconditions": "hierarchies of tasks",
    ":probabilistic-effects": "chance",
    ":rewards": "rewards",
    ":multi-agent": "several agents",
    ":non-deterministic": "chance",
}
SECTIONS = {
    ":durative-action": "time",
    ":process": "time",
    ":event": "time",
    ":constraints": "constraints on plans",
    ":task": "hierarchies of tasks",
    ":method": "hierarchies of tasks",
    ":htn": "hierarchies of tasks",
}
ONCE = (":requirements", ":types", ":constants", ":predicates", ":functions", ":bounds")
KEYWORDS = frozenset(["and", "or", "not", "imply", "forall", "exists", "when", *CHANGES, "preference"])
MOST_PARAMETERS = 20
MOST_PREDICATES = 10_000


@lru_cache(maxsize=8)
def domain(source: Source) -> Domain | LevelError:
    """Read a domain, once for all of its problems; an error in its place."""
    try:
        return _domain(source)
    except LevelError as error:
        return error.with_traceback(None)


def _domain(source: Source) -> Domain:
    sections = list(definition(source, "domain"))
    found: dict[str, Block] = {}
    for section in sections[1:]:
        if section.head in ONCE:
            if section.head in found:
                raise source.error(section, f"found {section.head} twice, expected it once")
            found[section.head] = section
        elif section.head in SECTIONS:
            raise _unread(source, section, section.head, SECTIONS[section.head])
        elif section.head not in (":action", ":derived"):
            raise source.error(section, f"found {shown(section)}, expected {', '.join(ONCE)}, :action or :derived")
    check_requirements(source, found.get(":requirements"))
    types = _types(source, _items(found, ":types"))
    constants = objects(source, _items(found, ":constants"), types)
    bare = Scope(source, types, constants, {}, {})
    predicates = _declared(bare, _items(found, ":predicates"), "predicate")
    functions = _functions(bare, _items(found, ":functions"))
    heads = [section for section in sections if section.head == ":derived"]
    scope = Scope(source, types, constants, predicates, functions, frozenset(_derived(source, heads, predicates)))
    rules = tuple(_rule(scope, section) for section in heads)
    actions: dict[str, Schema] = {}
    for section in sections:
        if section.head == ":action":
            action = _action(scope, section)
            if action.name in actions:
                raise source.error(section, f"found action {action.name!r} twice, expected another name")
            actions[action.name] = action
    strata = _strata(source, heads, rules)
    name = source.name_of(sections[0].items[1], "the name of a domain")
    bounds = dict(_bounds(scope, _items(found, ":bounds")))
    return Domain(name, types, constants, predicates, functions, tuple(actions.values()), rules, strata, bounds)


def definition(source: Source, kind: str) -> Iterator[Block]:
    """Yield the sections of `(define (kind NAME) …)`, from `(kind NAME)` on. Raises LevelError."""
    whole = source.expression()
    if whole.head != "define" or len(whole.items) < 2:
        raise source.error(whole, f"found {shown(whole)}, expected (define ({kind} NAME) …)")
    first = source.block(whole.items[1], f"({kind} NAME)")
    if first.head != kind or len(first.items) != 2:
        raise source.error(first, f"found {shown(first)}, expected ({kind} NAME)")
    for item in whole.items[1:]:
        yield source.block(item, "a section in parentheses")


def check_requirements(source: Source, section: Block | None) -> None:
    """Raise LevelError for a requirement that is not read."""
    for item in section.items[1:] if section is not None else ():
        word = source.word(item, "a requirement")
        if word in REFUSED:
            raise _unread(source, item, word, REFUSED[word])
        if word not in READ:
            raise source.error(item, f"found {word!r}, expected one of {' '.join(sorted(READ))}")


def _unread(source: Source, where: Expression, what: str, meaning: str) -> LevelError:
    return source.error(where, f"found {what}, expected a classical task: {meaning} is not read")


def _items(found: Mapping[str, Block], name: str) -> Sequence[Expression]:
    return found[name].items[1:] if name in found else ()


def _types(source: Source, items: Sequence[Expression]) -> dict[str, str]:
    """Each type with the one above it. Raises LevelError for a cycle."""
    above: dict[str, str] = {}
    places: dict[str, Word] = {}
    for name, kind in typed(source, items, is_variable=False):
        if name.text == OBJECT:
            if kind.text != OBJECT:
                raise source.error(name, f"found {OBJECT!r} below {kind.text!r}, expected it above all types")
            continue
        if above.get(name.text, OBJECT) not in (OBJECT, kind.text):
            message = (
                f"found type {name.text!r} below {above[name.text]!r} and {kind.text!r}, expected one of them"
            )
            raise source.error(name, message)
        if name.text not in above or kind.text != OBJECT:
            above[name.text] = source.name_of(kind, "the name of a type")
        places[name.text] = name
    for parent in list(above.values()):
        if parent != OBJECT:
            above.setdefault(parent, OBJECT)  # a type that stands only behind `-`
    for name in places.values():
        at, steps = name.text, 0
        while at != OBJECT:
            at, steps = above[at], steps + 1
            if steps > len(above):
                raise source.error(name, f"found type {name.text!r} in or below a cycle of types, expected none")
    return above


def objects(source: Source, items: Sequence[Expression], types: Mapping[str, str]) -> dict[str, str]:
    """Read objects with their types. Raises LevelError."""
    found: dict[str, str] = {}
    for name, kind in typed(source, items, is_variable=False):
        if kind.text != OBJECT and kind.text not in types:
            raise source.error(kind, f"found type {kind.text!r}, expected one that is declared")
        if found.setdefault(name.text, kind.text) != kind.text:
            raise source.error(name, f"found {name.text!r} twice, expected each object once")
    return found


def _declared(scope: Scope, items: Sequence[Expression], kind: str) -> dict[str, tuple[str, ...]]:
    """The types of the arguments of each predicate, or of each function. Raises LevelError."""
    source = scope.source
    found: dict[str, tuple[str, ...]] = {}
    for item in items:
        block = source.block(item, f"a {kind} in parentheses")
        if not block.items:
            raise source.error(block, f"found '()', expected a {kind}")
        name = source.name_of(block.items[0], f"the name of a {kind}")
        check_free(source, block.items[0])
        if name in found:
            raise source.error(block, f"found {kind} {name!r} twice, expected it once")
        arguments = scope.parameters(Block(block.items[1:], block.at), distinct=False)  # their names mean nothing
        found[name] = tuple(kind for _, kind in arguments)
    if len(found) > MOST_PREDICATES:
        raise source.error(items[0], f"found {len(found)} {kind}s, expected at most {MOST_PREDICATES}")
    return found


def check_free(source: Source, item: Expression) -> None:
    """Raise LevelError for a name that has a meaning of its own, or that the encoding uses."""
    word = source.word(item, "a name")
    if word in KEYWORDS or word.startswith(RESERVED):
        raise source.error(item, f"found {word!r}, expected another name: this one has a meaning of its own")


def _functions(scope: Scope, items: Sequence[Expression]) -> dict[str, tuple[str, ...]]:
    """The types of the arguments of each function; their own type must be `number`. Raises LevelError."""
    blocks: list[Expression] = []
    rest = iter(apart(items))
    for item in rest:
        if isinstance(item, Word) and item.text == "-":
            kind = next(rest, item)
            if not isinstance(kind, Word) or kind.text != "number":
                message = f"found {shown(kind)}, expected number: fluents whose values are objects are not read"
                raise scope.source.error(kind, message)
        else:
            blocks.append(item)
    return _declared(scope, blocks, "function")


def _bounds(scope: Scope, items: Sequence[Expression]) -> Iterator[tuple[str, Bounds]]:
    """Yield the least and the largest value of functions: `(FUNCTION 0 10)`, `-` for none. Raises LevelError."""
    source = scope.source
    for item in items:
        block = source.block(item, "(FUNCTION LEAST LARGEST)")
        if len(block.items) != 3 or block.head not in scope.functions or block.head == TOTAL_COST:
            message = f"found {shown(block)}, expected (FUNCTION LEAST LARGEST), of a function that is declared"
            raise source.error(block, message)
        least, largest = (
            None if isinstance(each, Word) and each.text == "-" else scope.number(each) for each in block.items[1:]
        )
        if least is not None and largest is not None and least > largest:
            raise source.error(
                block, f"found {shown(block)}, expected a least value that is not above the largest"
            )
        yield block.head, (least, largest)


def _derived(source: Source, heads: Sequence[Block], predicates: Container[str]) -> Iterator[str]:
    """Yield the names of derived predicates. Raises LevelError."""
    for section in heads:
        if len(section.items) != 3:
            raise source.error(section, f"found {shown(section)}, expected (:derived (PREDICATE …) CONDITION)")
        head = source.block(section.items[1], "a predicate with its variables")
        if head.head not in predicates:
            raise source.error(head, f"found {shown(head)}, expected a predicate that is declared")
        yield head.head


def _rule(scope: Scope, section: Block) -> Rule:
    head = scope.source.block(section.items[1], "a predicate with its variables")
    parameters = scope.parameters(Block(head.items[1:], head.at))
    inner = scope.with_variables(parameters)
    inner.atom(Block((head.items[0], *(Word(name, head.at) for name, _ in parameters)), head.at))
    return Rule(head.head, parameters, inner.condition(section.items[2]))


def _action(scope: Scope, section: Block) -> Schema:
    source = scope.source
    if len(section.items) < 2:
        raise source.error(section, "found an action without a name, expected (:action NAME …)")
    name = source.name_of(section.items[1], "the name of an action")
    check_free(source, section.items[1])
    given: dict[str, Expression] = {}
    rest = iter(section.items[2:])
    for item in rest:
        key = source.word(item, ":parameters, :precondition or :effect")
        if key not in (":parameters", ":precondition", ":effect") or key in given:
            message = f"found {shown(item)}, expected :parameters, :precondition and :effect, each at most once"
            raise source.error(item, message)
        value = next(rest, None)
        if value is None:
            raise source.error(item, f"found nothing after {key}, expected what it is")
        given[key] = value
    empty = Block((), section.at)
    parameters = scope.parameters(given.get(":parameters", empty))
    if len(parameters) > MOST_PARAMETERS:
        raise source.error(section, f"found {len(parameters)} parameters, expected at most {MOST_PARAMETERS}")
    inner = scope.with_variables(parameters)
    precondition = inner.condition(given.get(":precondition", empty))
    effects, numeric, costs = inner.effects(given.get(":effect", empty))
    return Schema(name, parameters, precondition, tuple(effects), _cost(inner, costs), tuple(numeric))


def _cost(scope: Scope, increases: Sequence[Block]) -> Numeric:
    """The cost of an action by its increase of `total-cost`, 0 without one. Raises LevelError."""
    if not increases:
        return Number(0)
    block = increases[-1]
    if len(increases) > 1:
        raise scope.source.error(block, "found a second increase, expected one cost of an action")
    if block.head != "increase":
        raise scope.source.error(block, f"found {shown(block)}, expected that ({TOTAL_COST}) only increases")
    value = block.items[2]
    if isinstance(value, Word):
        return Number(number(scope.source, value))
    return scope.numeric(value)


def number(source: Source, item: Expression) -> int:
    """Read a cost: a whole number from 0. Raises LevelError."""
    word = source.word(item, "a number")
    whole, _, part = word.partition(".")
    if not whole.isdecimal() or not whole.isascii() or len(whole) > 9 or part.strip("0"):
        raise source.error(item, f"found {shown(item)}, expected a whole number from 0 to 999999999")
    return int(whole)


def _strata(source: Source, heads: Sequence[Block], rules: Sequence[Rule]) -> dict[str, int]:
    """The stratum of each derived predicate. Raises LevelError if one depends on its own negation."""
    strata = {rule.name: 0 for rule in rules}
    read = [(rule, list(_read(rule.condition, negated=False))) for rule in rules]
    for _ in range(len(strata) + 1):
        changed: Block | None = None
        for head, (rule, atoms) in zip(heads, read, strict=True):
            least = max((strata[name] + negated for name, negated in atoms if name in strata), default=0)
            if least > strata[rule.name]:
                strata[rule.name], changed = least, head
        if changed is None:
            return strata
    raise source.error(changed or 0, f"found {shown(changed or heads[0])}, which depends on its own negation")


def _read(condition: Condition, *, negated: bool) -> Iterator[tuple[str, bool]]:
    """Yield the predicates that a condition reads, and whether under a negation."""
    match condition:
        case Atom(name, _):
            yield name, negated
        case Equal() | Comparison():
            pass
        case Not(part):
            yield from _read(part, negated=not negated)
        case Quantified(_, _, part):
            yield from _read(part, negated=negated)
        case _:
            for part in condition.parts:
                yield from _read(part, negated=negated)
