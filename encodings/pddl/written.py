"""A level in PDDL for the translator, with what makes its answer complete.

A translator drops what no way to the goal needs, and may find that the goal is out of reach before it has written
one state. So the goal for it is a fact of our own: one action sets it wherever it likes, which is left out of the
model again, and another one for each conjunct of the goal, whose precondition is that conjunct. The conditions of
these actions, grounded, are the goal. Likewise for each conjunct of a preference.

The translator takes a quantifier around a constant for that constant, but all of no objects satisfy even what
is false. So quantifiers over types without objects, and constants inside other conditions, are removed before.
"""

from collections.abc import Iterator, Mapping

from puzzlemc.encodings.pddl.soft.phases import first
from puzzlemc.screens.pddl.conditions import (
    FALSE,
    TRUE,
    And,
    Atom,
    Comparison,
    Condition,
    Effect,
    Equal,
    Not,
    NumericEffect,
    Or,
    Quantified,
)
from puzzlemc.screens.pddl.level import OBJECT, RESERVED, Level
from puzzlemc.screens.pddl.numbers import Fluent, Number, Numeric, Operation, Value, show_number
from puzzlemc.screens.pddl.scope import TOTAL_COST

GOAL = f"{RESERVED}fact"
ANYWHERE = f"{RESERVED}anywhere"
CONJUNCT = f"{RESERVED}conjunct-"
PREFERRED = f"{RESERVED}preferred-"  # and the number of a preference, and that of its conjunct


def domain(level: Level) -> str:
    """The domain, with the actions of our own."""
    found = level.domain
    predicates = [f"({name}{_arguments(len(kinds))})" for name, kinds in found.predicates.items()]
    functions = [f"({name}{_arguments(len(kinds))})" for name, kinds in found.functions.items()]
    if TOTAL_COST not in found.functions:
        functions.append(f"({TOTAL_COST})")
    types = [f"{name} - {above}" for name, above in found.types.items()]
    lines = [
        "(define (domain task)",
        "(:requirements :adl :derived-predicates :action-costs)",
        f"(:types {' '.join(types)})" if types else "",
        f"(:constants {_typed(level.objects)})" if level.objects else "",
        f"(:predicates ({GOAL}) {' '.join(predicates)})",
        f"(:functions {' '.join(functions)})",
    ]
    if found.bounds:
        limits = (f"({name} {_limit(least)} {_limit(most)})" for name, (least, most) in found.bounds.items())
        lines.append(f"(:bounds {' '.join(limits)})")
    for rule in found.rules:
        lines.append(f"(:derived ({rule.name} {_typed(dict(rule.parameters))}) {_simple(level, rule.condition)})")
    for action in found.actions:
        increase = f" (increase ({TOTAL_COST}) {expression(action.cost)})" if level.has_costs else ""
        effects = " ".join(
            (*(_effect(level, each) for each in action.effects), *map(_numeric_effect, action.numeric))
        )
        lines.append(
            f"(:action {action.name} :parameters ({_typed(dict(action.parameters))})"
            f" :precondition {_simple(level, action.precondition)} :effect (and {effects}{increase}))"
        )
    lines.append(f"(:action {ANYWHERE} :parameters () :precondition (and) :effect ({GOAL}))")
    parts = {f"{CONJUNCT}{number}": part for number, part in enumerate(level.conjuncts)}
    parts |= {name: part for name, _, part in _preference_conjuncts(level)}
    for name, part in parts.items():
        lines.append(f"(:action {name} :parameters () :precondition {_simple(level, part)} :effect ({GOAL}))")
    return "\n".join([*lines, ")\n"])


def preference_conjuncts(level: Level) -> Mapping[str, int]:
    """The names of the actions for conjuncts of preferences, with the number of the preference."""
    return {name: number for name, number, _ in _preference_conjuncts(level)}


def _preference_conjuncts(level: Level) -> Iterator[tuple[str, int, Condition]]:
    for number, preference in enumerate(level.preferences):
        for at, part in enumerate(level.conjuncts_of(preference.condition)):
            yield f"{PREFERRED}{number}-{at}", number, part


def problem(level: Level) -> str:
    """The problem, whose goal is the fact of our own."""
    is_phase = {atom for atom in level.init if atom.name.startswith(RESERVED) and not atom.terms}
    facts = sorted(map(_atom, level.init - is_phase))
    values = []
    for name, value in level.values.items():
        head, _, rest = name.partition("(")
        if head != TOTAL_COST:
            function = " ".join([head, *rest.removesuffix(")").split(",")]).strip()
            values.append(f"(= ({function}) {show_number(value)})")
    lines = ["(define (problem task)", "(:domain task)", "(:init", f"(= ({TOTAL_COST}) 0)", *facts, *values, ")"]
    lines += [f"(:goal ({GOAL}))"]
    if level.has_costs:
        lines.append(f"(:metric minimize ({TOTAL_COST}))")
    return "\n".join([*lines, ")\n"])


def penalties(level: Level) -> str:
    """What no file for the translator says: the factor of costs, the penalties of preferences, and the phase."""
    named = [f"{' '.join(each.terms)} {each.penalty}\n" for each in level.preferences]
    phase = [f"{first(level)}\n"] if named else []
    return "".join([*([] if level.factor == 1 else [f"factor {level.factor}\n"]), *named, *phase])


def condition(item: Condition) -> str:
    """A condition in PDDL."""
    match item:
        case Atom():
            return _atom(item)
        case Equal(one, other):
            return f"(= {one} {other})"
        case Comparison("!=", left, right):
            return f"(not (= {expression(left)} {expression(right)}))"
        case Comparison(sign, left, right):
            return f"({sign} {expression(left)} {expression(right)})"
        case Not(part):
            return f"(not {condition(part)})"
        case And(parts):
            return f"(and {' '.join(map(condition, parts))})"
        case Or(parts):
            return f"(or {' '.join(map(condition, parts))})"
        case _:
            kind = "forall" if item.for_all else "exists"
            return f"({kind} ({_typed(dict(item.variables))}) {condition(item.part)})"


def expression(item: Numeric) -> str:
    """An expression over numbers in PDDL."""
    match item:
        case Number(value):
            return show_number(value)
        case Fluent(name, terms):
            return f"({' '.join([name, *terms])})"
        case Operation(sign, one, other):
            return f"({sign} {expression(one)} {expression(other)})"


def _simple(level: Level, item: Condition) -> str:
    return condition(simplified(level, item))


def simplified(level: Level, item: Condition) -> Condition:
    """An equivalent condition that is constant, or contains no constant and no quantifier over no object."""
    match item:
        case Not(part):
            part = simplified(level, part)
            return TRUE if part == FALSE else FALSE if part == TRUE else Not(part)
        case And(parts):
            found = [simplified(level, part) for part in parts]
            return FALSE if FALSE in found else And(tuple(part for part in found if part != TRUE))
        case Or(parts):
            found = [simplified(level, part) for part in parts]
            return TRUE if TRUE in found else Or(tuple(part for part in found if part != FALSE))
        case Quantified(for_all, variables, part):
            if not all(level.of_type[kind] for _, kind in variables):
                return TRUE if for_all else FALSE
            part = simplified(level, part)
            return part if part in (TRUE, FALSE) or not variables else Quantified(for_all, variables, part)
    return item


def _effect(level: Level, effect: Effect) -> str:
    text = _atom(effect.atom) if effect.value else f"(not {_atom(effect.atom)})"
    if effect.condition != TRUE:
        text = f"(when {_simple(level, effect.condition)} {text})"
    return f"(forall ({_typed(dict(effect.variables))}) {text})" if effect.variables else text


def _numeric_effect(effect: NumericEffect) -> str:
    text = f"({effect.change} {expression(effect.target)} {expression(effect.amount)})"
    if effect.condition != TRUE:
        text = f"(when {condition(effect.condition)} {text})"
    return f"(forall ({_typed(dict(effect.variables))}) {text})" if effect.variables else text


def _atom(atom: Atom) -> str:
    return f"({' '.join([atom.name, *atom.terms])})"


def _typed(names: Mapping[str, str]) -> str:
    return " ".join(f"{name} - {kind}" for name, kind in names.items())


def _limit(value: Value | None) -> str:
    return "-" if value is None else show_number(value)


def _arguments(count: int) -> str:
    return "".join(f" ?x{number} - {OBJECT}" for number in range(count))


def is_own(name: str) -> bool:
    """Is it a name of ours?"""
    return name in (GOAL, ANYWHERE) or name.startswith((CONJUNCT, PREFERRED))
