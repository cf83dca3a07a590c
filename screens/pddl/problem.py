"""Reads problems."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from puzzlemc.screens.pddl import preferences as soft
from puzzlemc.screens.pddl.conditions import Atom, Condition, fact
from puzzlemc.screens.pddl.domain import SECTIONS, check_requirements, definition, number, objects
from puzzlemc.screens.pddl.expressions import Block, Source, Word, shown
from puzzlemc.screens.pddl.level import OBJECT, Domain, Preference, Remark, by_type
from puzzlemc.screens.pddl.metric import priced, weights
from puzzlemc.screens.pddl.numbers import Fluent, Value, show_number
from puzzlemc.screens.pddl.preferences import TOTAL_TIME
from puzzlemc.screens.pddl.scope import Scope

READ = (":domain", ":objects", ":init", ":goal", ":metric", ":requirements", ":length")
MOST_OBJECTS = 50_000
MOST_FACTS = 500_000
MOST_WARNINGS = 10


class Problem(NamedTuple):
    """What a problem says, see `Level`. The actions of the domain have the costs of the problem's metric."""

    name: str
    domain: Domain
    objects: Mapping[str, str]
    init: frozenset[Atom]
    values: Mapping[str, Value]
    goal: Condition
    has_costs: bool
    warnings: tuple[Remark, ...]
    preferences: tuple[Preference, ...]
    factor: int


def problem(source: Source, domain: Domain) -> Problem:
    """Read a problem of a domain. Raises LevelError."""
    first, *sections = definition(source, "problem")
    found: dict[str, Block] = {}
    for section in sections:
        if section.head in SECTIONS:
            message = f"found {section.head}, expected a classical task: {SECTIONS[section.head]} is not read"
            raise source.error(section, message)
        if section.head not in READ:
            raise source.error(section, f"found {shown(section)}, expected {', '.join(READ[:5])}")
        if section.head in found:
            raise source.error(section, f"found {section.head} twice, expected it once")
        found[section.head] = section
    for name in (":domain", ":init", ":goal"):
        if name not in found:
            raise source.error(first, f"found no {name}, expected ({name} …) in a problem")
    check_requirements(source, found.get(":requirements"))
    items = found[":objects"].items[1:] if ":objects" in found else ()
    if len(items) > MOST_OBJECTS:
        raise source.error(items[0], f"found {len(items)} words of objects, expected at most {MOST_OBJECTS}")
    named = objects(source, items, domain.types)
    for name, kind in domain.constants.items():
        if named.setdefault(name, kind) != kind:
            raise source.error(found[":objects"], f"found {name!r}, which the domain declares with another type")
    derived = frozenset(domain.strata)
    scope = Scope(source, domain.types, named, domain.predicates, domain.functions, derived)
    is_soft = ":metric" in found and soft.has_violations(found[":metric"])
    steps = {TOTAL_TIME: 1}
    weight = weights(scope, found[":metric"]) if ":metric" in found and not is_soft else steps
    has_costs = weight != steps
    if has_costs:
        domain = priced(domain, weight)
    init, values, warnings = _init(scope, found[":init"], domain)
    if len(found[":goal"].items) != 2:
        raise source.error(found[":goal"], f"found {shown(found[':goal'])}, expected (:goal CONDITION)")
    goal, declared = soft.goal(scope, found[":goal"].items[1])
    name = source.name_of(first.items[1], "the name of a problem")
    if not is_soft:
        warnings += tuple(islice(soft.unread(source, declared, {}), MOST_WARNINGS))
        return Problem(name, domain, named, init, values, goal, has_costs, warnings, (), 1)
    metric = soft.metric(scope, found[":metric"], declared)
    warnings += (*metric.warnings, *islice(soft.unread(source, declared, metric.penalties), MOST_WARNINGS))
    wanted = soft.preferences(source, declared, metric.penalties, by_type(domain.types, named))
    return Problem(name, domain, named, init, values, goal, metric.has_costs, warnings, wanted, metric.factor)


def _init(
    scope: Scope, section: Block, domain: Domain
) -> tuple[frozenset[Atom], dict[str, Value], tuple[Remark, ...]]:
    """The facts and the values of functions at the start, and warnings of wrong types. Raises LevelError."""
    source = scope.source
    if len(section.items) > MOST_FACTS:
        raise source.error(section, f"found {len(section.items) - 1} facts, expected at most {MOST_FACTS}")
    facts = set[Atom]()
    absent: dict[Atom, Block] = {}
    costs = {action.cost.name for action in domain.actions if isinstance(action.cost, Fluent)}
    values: dict[str, Value] = {}
    warnings: list[Remark] = []
    for item in section.items[1:]:
        block = source.block(item, "a fact in parentheses")
        if block.head == "=" and len(block.items) == 3:
            if isinstance(block.items[1], Word):
                raise source.error(block, f"found {shown(block)}, expected (= (FUNCTION …) NUMBER)")
            function = scope.function(block.items[1])
            _warn(scope, block.items[1], function, scope.functions, warnings)
            name = fact(function.name, function.terms)
            value = (
                number(source, block.items[2])
                if function.name in costs - domain.varying
                else scope.number(block.items[2])
            )
            if values.setdefault(name, value) != value:
                raise source.error(block, f"found a second value of {name}, expected one")
            _check_bounds(scope, block, value, domain)
        elif block.head == "not" and len(block.items) == 2:
            absent[scope.atom(source.block(block.items[1], "an atom in parentheses"))] = block
        elif any(isinstance(each, Block) for each in block.items):
            message = f"found {shown(block)}, expected a fact: facts with a time of their own are not read"
            raise source.error(block, message)
        else:
            atom = scope.atom(block)
            if atom.name in scope.derived:
                raise source.error(
                    block, f"found {shown(block)}, expected no fact of {atom.name!r}: it is derived"
                )
            _warn(scope, block, atom, scope.predicates, warnings)
            facts.add(atom)
    for atom, block in absent.items():
        if atom in facts:
            raise source.error(block, f"found {shown(block)} and the fact itself, expected one of them")
    return frozenset(facts), values, tuple(warnings)


def _warn(
    scope: Scope,
    block: Block,
    atom: Atom,
    known: Mapping[str, tuple[str, ...]],
    warnings: list[Remark],
) -> None:
    """Add a warning for each object of an atom that is of another type than its argument."""
    for item, name, wanted in zip(block.items[1:], atom.terms, known[atom.name], strict=True):
        if len(warnings) < MOST_WARNINGS and wanted not in _types(scope, name):
            message = f"found {name!r} of type {scope.objects[name]!r} in {shown(block)}, expected type {wanted!r}"
            warnings.append((*scope.source.place(item), message))


def _types(scope: Scope, name: str) -> Iterator[str]:
    """Yield the type of an object, and those above it."""
    kind = scope.objects[name]
    while kind != OBJECT:
        yield kind
        kind = scope.types[kind]
    yield OBJECT


def _check_bounds(scope: Scope, block: Block, value: Value, domain: Domain) -> None:
    """Raise LevelError for a value that its function may not have."""
    name = scope.source.block(block.items[1], "a function").head
    least, largest = domain.bounds.get(name, (None, None))
    if (least is not None and value < least) or (largest is not None and value > largest):
        low, high = ("-" if each is None else show_number(each) for each in (least, largest))
        raise scope.source.error(
            block, f"found {shown(block)}, expected a value within its bounds, {low} to {high}"
        )
