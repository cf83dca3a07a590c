"""A model in the language of NuSMV, with the invariant that its goal is unreachable.

The bits are boolean variables. The action is an input: one whose guard holds or, if there is none, `stay`, which
changes nothing, so that every state has a successor. A bit is set by the actions that update it, and keeps its
value otherwise. SMV has no costs: a shortest counterexample has the least cost only if every action costs 1.
"""

import re
from collections.abc import Mapping

from puzzlemc.mc.model.formula import Bit, Formula, Gates, Signal, fold
from puzzlemc.mc.model.model import Model
from puzzlemc.reports.formats.legend import plain


def write(model: Model) -> str:
    """The module `main`, with one line for each definition, case and assignment."""
    bits = {b: _word(f"b{number}", str(b)) for number, b in enumerate(model.bits)}
    actions = {_word(f"a{number}", action.name): action for number, action in enumerate(model.actions)}

    graphs = _Graphs(bits)

    def text(formula: Formula) -> str:
        if isinstance(formula, Signal):
            return graphs.text(formula)
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

    conditions = [
        *(f"  can_{name} := {text(action.guard)};" for name, action in actions.items()),
        f"  stuck := !{_or([f'can_{name}' for name in actions])};",
        f"  goal := {text(model.goal)};",
    ]
    start = text(model.init)
    assignments = [f"  next({name}) := {becomes(b)};" for b, name in bits.items()]
    lines = [
        "MODULE main",
        "VAR",
        *(f"  {name} : boolean; -- {b}" for b, name in bits.items()),
        "IVAR",
        f"  action : {{{', '.join(['stay', *actions])}}};",
        "DEFINE",
        *graphs.definitions,
        *conditions,
        "INIT",
        f"  {start};",
        "TRANS case",
        *(f"  action = {name} : can_{name}; -- {plain(action.name)}" for name, action in actions.items()),
        "  action = stay : stuck;",
        "esac;",
        "ASSIGN",
        *assignments,
        "INVARSPEC !goal;",
    ]
    return "\n".join(lines) + "\n"


class _Graphs:
    """The circuits of signals. `definitions` has a line for each gate that a signal so far depends on."""

    def __init__(self, bits: Mapping[Bit, str]) -> None:
        self.definitions: list[str] = []
        self._bits = bits
        self._names: dict[Gates, dict[int, str]] = {}  # of nodes

    def text(self, signal: Signal) -> str:
        """The signal, as the name of its node or as its negation."""
        graph = signal.graph
        names = self._names.setdefault(graph, {0: "FALSE"})
        number, first = len(self._names), len(graph.inputs) + 1
        for node in graph.cone([signal.literal]):
            if node in names:
                continue
            if node < first:
                held = graph.inputs[node - 1]
                names[node] = str(held).upper() if isinstance(held, bool) else self._bits[held]
            else:
                one, other = (_not(names[v >> 1]) if v & 1 else names[v >> 1] for v in graph.gates[node - first])
                names[node] = f"g{number}_{node}"
                self.definitions.append(f"  {names[node]} := {one} & {other};")
        name = names[signal.literal >> 1]
        return _not(name) if signal.literal & 1 else name


def _not(name: str) -> str:
    return f"!{name}"


def _and(parts: list[str]) -> str:
    return f"({' & '.join(parts)})" if parts else "TRUE"


def _or(parts: list[str]) -> str:
    return f"({' | '.join(parts)})" if parts else "FALSE"


def _word(unique: str, text: str) -> str:
    """A valid SMV name: a unique prefix, and the allowed characters of the text for readers."""
    return "_".join([unique, *re.findall("[A-Za-z0-9]+", text)])
