"""Parts of the goal, for puzzles that define no other parts: facts that cannot hold together.

*Theorem.* If some conjuncts of the goal cannot hold together, neither can more of them, and the level has no
solution. *Proof.* A state in which all conjuncts hold is one in which each set of them does. ∎

If the goal is a conjunction of literals, those on one variable that is found in the model are one fact.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.explanation import Drawn, Part, Parts
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Cube, Formula, Gates, Signal, expression, holds, literals
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.operators import NONE
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.screens.base.picture import Label, Picture

KIND, ONE = "facts of the goal", "fact of the goal"
NAMED = 8  # facts that a sentence lists
MOST = 512  # facts


def goal_parts(rules: Puzzle, level: Any) -> tuple[Parts, ...]:
    """The parts of a level's goal; none if it has no several conjuncts, or if its steps are a function."""
    if rules.game is not None or rules.optimisation is not None:
        return ()
    if rules.constraint is not None and rules.constraint(level) is not None:
        encoded = rules.encodings[next(iter(rules.encodings))](level)
        model, facts = encoded.model, encoded.conditions
    else:
        model = rules.encode_faithfully(level).model
        if not model.has_formulas or not model.actions:
            return ()
        facts = goal_facts(model)
    if not 1 < len(facts) <= MOST:
        return ()
    texts = {name: name for name in facts}
    return (
        Parts(
            KIND,
            ONE,
            lambda _: tuple(facts),
            lambda _, part: part_of(model, facts, part),
            lambda _, part, budget: _words(part, tuple(facts), budget),
            lambda _, part: drawn(texts, part),
            lambda _, part: pictured(texts, part),
            lambda _, part, state: part | {name for name, fact in facts.items() if holds(fact, state)},
        ),
    )


def goal_facts(model: Model) -> Mapping[str, Formula]:
    """The conjuncts of a model's goal by their names."""
    goal = literals(model.goal)
    if goal is None:
        whole = expression(model.goal)
        parts: list[Formula] = list(whole.xs) if whole.ASTOP == "and" else []
        return {_name(model, part, f"conjunct-{number}"): part for number, part in enumerate(parts, 1)}
    found: dict[str, Formula] = {}
    left = dict(goal)
    for name, bits in _variables(model):
        fact = {b: left.pop(b) for b in bits if b in left}
        if fact:
            found[_name(model, fact, _text(fact) if len(fact) == 1 else name)] = fact
    return found | {_name(model, {b: value}, _text({b: value})): {b: value} for b, value in left.items()}


def part_of(model: Model, facts: Mapping[str, Formula], part: Part) -> Model:
    """The model whose goal is these conjuncts alone."""
    wanted = [formula for name, formula in facts.items() if name in part]
    whole_cube = _joined(wanted)
    if whole_cube is not None:
        goal: Formula = whole_cube
    elif any(isinstance(formula, Signal | Mapping) for formula in wanted):
        circuit = Circuit([str(b) for b in model.bits])
        goal = Signal(Gates(model.bits, circuit.gates), circuit.conj(map(circuit.formula, wanted)))
    else:
        whole = expression(wanted[0])
        for formula in wanted[1:]:
            whole &= expression(formula)
        goal = whole
    own = model.hints  # what they say of the goal does not hold here
    hints = Hints(own.location, own.conserved, own.exclusive, order=own.order)
    return Model(model.variables, model.init, model.actions, goal, model.atoms, hints)


def _joined(formulas: Iterable[Formula]) -> Cube | None:
    """Formulas as one cube; None if one is no cube, or if two contradict each other."""
    found: dict[Bit, bool] = {}
    for formula in formulas:
        cube = literals(formula)
        if cube is None or any(found.get(b, value) != value for b, value in cube.items()):
            return None
        found |= cube
    return found


def drawn(texts: Mapping[str, str], part: Part) -> Drawn:
    """Conjuncts by name, as lines of text."""
    text = "\n".join(each for name, each in texts.items() if name in part)
    bright = {
        (row, column)
        for row, (name, each) in enumerate(texts.items())
        if name in part
        for column in range(len(each))
    }
    return Drawn(text, "\n".join(texts.values()), frozenset(bright))


def pictured(texts: Mapping[str, str], part: Part) -> Picture:
    """Conjuncts by name, as labels below each other."""
    labels = tuple(
        Label(0.2, row + 0.5, text, 0.6, "mark" if name in part else "line", from_left=True)
        for row, (name, text) in enumerate(texts.items())
    )
    width = max((len(text) for text in texts.values()), default=0)
    return Picture(max(8.0, 0.4 * width), max(1, len(texts)), (), labels)


def _variables(model: Model) -> list[tuple[str, tuple[Bit, ...]]]:
    """The name of each variable's value in the goal, and its bits; the variables of several bits come first."""
    try:
        made = translation(model, whole=True)
    except Unsuitable:
        return []
    found = []
    for variable, value in made.task.goal.items():
        group = made.groups[variable]
        if group is not None:
            bits = tuple(made.bits[b] for b in group.bits)
            about = made.task.variables[variable]
            name = f"none of {about.name}" if about.values[value] == NONE else about.values[value]
            found.append((name, bits))
    return sorted(found, key=lambda each: len(each[1]) == 1)


def _name(model: Model, formula: Formula, otherwise: str) -> str:
    """The atom that says the same as a formula; else another name."""
    cube = literals(formula)
    if cube is None:
        return next((name for name, atom in model.atoms.items() if atom is formula), otherwise)
    positive: Cube = {b: True for b, value in cube.items() if value}
    for name, atom in model.atoms.items():
        held = literals(atom)
        if held and held in (cube, positive):
            return name
    return otherwise


def _text(fact: Cube) -> str:
    ((b, value),) = fact.items()
    return str(b) if value else f"not {b}"


def _words(part: Part, facts: tuple[str, ...], budget: Budget) -> str:
    budget.check()
    names = [name for name in facts if name in part]
    if len(names) == 1:
        return f"this fact of the goal can never hold: {names[0]}"
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"these {len(names)} facts of the goal cannot hold together: {', '.join(names[:NAMED])}{more}"
