"""The actions of a model as transitions: guards by literals, updates by constants or by disjunctive normal forms.

An action whose guard is a disjunction becomes a transition for each of its terms. A formula in an update has two
normal forms, one for each value that the bit may get. A model whose normal forms are too large is refused.

`relaxed` removes what never happens: literals that never hold, and transitions that never fire, in a relaxation in
which every literal keeps holding once it held (relaxed reachability; Bonet and Geffner 2001).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from puzzlemc.mc.errors import ModelError, Unsuitable
from puzzlemc.mc.model.formula import Bit, Formula, negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.passes.normal_form import Term, Terms, TooLarge, disjunction, restricted

MOST_TERMS = 64  # of a guard or of a value of an update
MOST_TRANSITIONS = 200_000


@dataclass(frozen=True)
class Transition:
    """A part of an action: where all literals of `guard` hold, it sets bits.

    action    its number
    constants bit -> new value
    formulas  bit -> (terms where it becomes false, terms where it becomes true); one of them holds
    """

    action: int
    guard: Term
    constants: Mapping[int, bool]
    formulas: Mapping[int, tuple[Terms, Terms]] = field(default_factory=dict)

    @property
    def changed(self) -> Iterable[int]:
        """The bits that it sets."""
        return [*self.constants, *self.formulas]


def transitions_of(model: Model) -> list[Transition]:
    """All transitions. Raises Unsuitable if there are too many, or if a normal form is too large."""
    if not model.has_formulas:
        raise Unsuitable("its steps are a function of a state")
    number = {b: i for i, b in enumerate(model.bits)}
    found: list[Transition] = []
    for index, action in enumerate(model.actions):
        cube = action.cube
        what = f"the guard of action {action.name}"
        guards = terms_of(action.guard if cube is None else cube, number, MOST_TERMS, what)
        constants = {number[b]: value for b, value in action.constants.items()}
        what = f"the update of action {action.name}"
        formulas = {number[b]: _values(formula, number, what) for b, formula in action.formulas.items()}
        for guard in guards:
            left = {b: (restricted(no, guard), restricted(yes, guard)) for b, (no, yes) in formulas.items()}
            found.append(_transition(index, guard, constants, left))
        if len(found) > MOST_TRANSITIONS:
            raise Unsuitable(f"its actions have more than {MOST_TRANSITIONS} cases")
    return found


def terms_of(formula: Formula, number: Mapping[Bit, int], most: int, what: str) -> Terms:
    """The terms of a formula. Raises Unsuitable, with the words `what`, if they are too many."""
    try:
        return disjunction(formula, number, most)
    except TooLarge:
        raise Unsuitable(f"{what} has more than {most} terms in disjunctive normal form") from None
    except ModelError as error:  # lazy constraints
        raise Unsuitable(f"{what}: {error}") from None


def _values(formula: Formula, number: Mapping[Bit, int], what: str) -> tuple[Terms, Terms]:
    """The terms where a formula is false, and those where it is true."""
    return terms_of(negation(formula), number, MOST_TERMS, what), terms_of(formula, number, MOST_TERMS, what)


def relaxed(transitions: Sequence[Transition], initial: Term) -> tuple[list[Transition], set[int]]:
    """The transitions that fire in the relaxation, without what never happens; and its literals."""
    reached = set(initial)
    waiting = list(transitions)
    while True:
        before = len(reached)
        blocked = []
        for transition in waiting:
            if reached >= transition.guard:
                reached.update(2 * b + value for b, value in transition.constants.items())
                for b, values in transition.formulas.items():
                    reached.update(2 * b + v for v in (0, 1) if any(reached >= t for t in values[v]))
                if not transition.formulas:
                    continue
            blocked.append(transition)
        waiting = blocked
        if len(reached) == before:
            break
    constant = frozenset(p for p in reached if p ^ 1 not in reached)
    found = (_simplified(t, constant) for t in transitions if reached >= t.guard)
    return [t for t in found if t.constants or t.formulas], reached


def _simplified(transition: Transition, constant: Term) -> Transition:
    """The transition where the literals `constant` always hold."""
    formulas = {
        b: (restricted(no, constant), restricted(yes, constant))
        for b, (no, yes) in transition.formulas.items()
        if not constant & {2 * b, 2 * b + 1}
    }
    constants = {b: v for b, v in transition.constants.items() if 2 * b + v not in constant}
    return _transition(transition.action, transition.guard - constant, constants, formulas)


def _transition(
    action: int, guard: Term, constants: Mapping[int, bool], formulas: Mapping[int, tuple[Terms, Terms]]
) -> Transition:
    """The transition; formulas without a choice become constants, and a bit that has its new value is left out."""
    fixed = dict(constants)
    left = {}
    for b, (no, yes) in formulas.items():
        if not no or not yes:
            fixed[b] = bool(yes)
        else:
            left[b] = (no, yes)
    return Transition(action, guard, {b: v for b, v in fixed.items() if 2 * b + v not in guard}, left)
