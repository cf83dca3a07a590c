"""A model in the language of NuSMV, with the invariant that its goal is unreachable.

The bits are boolean variables. The action is an input: one whose guard holds or, if there is none, `stay`, which
changes nothing, so that every state has a successor. A bit is set by the actions that update it, and keeps its
value otherwise. SMV has no costs: a shortest counterexample has the least cost only if every action costs 1.
"""

import re

from puzzlemc.mc.model.formula import Bit, Formula, fold
from puzzlemc.mc.model.model import Model


def write(model: Model) -> str:
    """The module `main`, with one line for each definition, case and assignment."""
    bits = {b: _word(f"b{number}", str(b)) for number, b in enumerate(model.bits)}
    actions = {_word(f"a{number}", action.name): action for number, action in enumerate(model.actions)}

    def text(formula: Formula) -> str:
        return fold(formula, lambda b, value: bits[b] if value else f"!{bits[b]}", _and, _or)

    def becomes(b: Bit) -> str:
        names: dict[str, list[str]] = {}  # of the actions, by the new value
        for name, action in actions.items():
            if b in action.update:
                formula = action.formulas.get(b)
                value = str(action.constants[b]).upper() if formula is None else text(formula)
                names.setdefault(value, []).append(name)
        cases = [f"action in {{{', '.join(members)}}} : {value};" for value, members in names.items()]
        return " ".join(["case", *cases, f"TRUE : {bits[b]};", "esac"])

    lines = [
        "MODULE main",
        "VAR",
        *(f"  {name} : boolean;" for name in bits.values()),
        "IVAR",
        f"  action : {{{', '.join(['stay', *actions])}}};",
        "DEFINE",
        *(f"  can_{name} := {text(action.guard)};" for name, action in actions.items()),
        f"  stuck := !{_or([f'can_{name}' for name in actions])};",
        f"  goal := {text(model.goal)};",
        "INIT",
        f"  {text(model.init)};",
        "TRANS case",
        *(f"  action = {name} : can_{name};" for name in actions),
        "  action = stay : stuck;",
        "esac;",
        "ASSIGN",
        *(f"  next({name}) := {becomes(b)};" for b, name in bits.items()),
        "INVARSPEC !goal;",
    ]
    return "\n".join(lines) + "\n"


def _and(parts: list[str]) -> str:
    return f"({' & '.join(parts)})" if parts else "TRUE"


def _or(parts: list[str]) -> str:
    return f"({' | '.join(parts)})" if parts else "FALSE"


def _word(unique: str, text: str) -> str:
    """A valid SMV name: a unique prefix, and the allowed characters of the text for readers."""
    return "_".join([unique, *re.findall("[A-Za-z0-9]+", text)])
