"""Decides a BTOR2 file by the model checker of Boolector, or checks a witness of it, without any code of puzzlemc.

    python benchmarks/by_boolector.py level.btor2 20           is a bad state reachable in at most 20 steps?
    python benchmarks/by_boolector.py level.btor2 level.wit    does the witness lead to a bad state at its end?

Prints `reachable N` after N steps or `unreachable within N`; of a witness, `accepted` or `refused`. Boolector's
parser reads the whole file; of the operators, this bridge passes on those of one bit. Needs pyboolector.
"""

import ctypes
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PRINTED = 4  # the number of Boolector's option to print the witness that it finds

Row = dict[int, bool]  # the values of inputs by their number, in one step


class Refused(Exception):
    """The file or the witness is not what its format says."""


def library() -> Any:
    """The shared library that pyboolector ships. Raises ImportError if it is not installed."""
    found = find_spec("pyboolector")
    if found is None or found.origin is None:
        raise ImportError("pyboolector is not installed")
    (path,) = (Path(found.origin).parent / "pyboolector.libs").glob("libboolector-*.so")
    return ctypes.CDLL(str(path))


class Checker:
    """The model of a file in Boolector's model checker."""

    def __init__(self, path: Path) -> None:
        self._library = library()
        lines = path.read_text(encoding="utf-8").splitlines()
        self._parse(path)  # it crashes without a file
        self._checker = self._call("boolector_mc_new")
        self._void("boolector_mc_set_opt", ctypes.c_int(PRINTED), ctypes.c_uint32(0))
        self._solver = self._call("boolector_mc_get_btor", self._checker)
        self._bit = self._call("boolector_bitvec_sort", self._solver, ctypes.c_uint32(1))
        self._inputs: list[Any] = []
        self._nodes: dict[int, Any] = {}
        for line in lines:
            number, *words = line.split(";")[0].split() or [""]
            if number:
                self._read(int(number), words)

    def reached(self, least: int, most: int) -> int | None:
        """The fewest steps to a bad state, at least and at most these."""
        call = self._library.boolector_mc_bmc
        call.restype = ctypes.c_int32
        bound = call(self._checker, ctypes.c_int32(least), ctypes.c_int32(most))
        return None if bound < 0 else int(bound)

    def accepts(self, witness: str) -> bool:
        """Does the run with the inputs of the witness end in a bad state? Raises Refused if it is no witness."""
        rows = read_witness(witness)
        clock = None  # a chain of states: the one of number N is set after N steps
        for number, row in enumerate(rows):
            tick = self._call("boolector_mc_state", self._checker, self._bit, f"tick{number}".encode())
            first = self._call("boolector_true" if clock is None else "boolector_false", self._solver)
            self._void("boolector_mc_init", tick, first)
            before = self._call("boolector_false", self._solver) if clock is None else clock
            self._void("boolector_mc_next", tick, before)
            for which, value in row.items():
                if which >= len(self._inputs):
                    raise Refused(f"there is no input {which}")
                same = self._inputs[which] if value else self._negated(self._inputs[which])
                held = self._call("boolector_implies", self._solver, tick, same)
                self._void("boolector_mc_constraint", held)
            clock = tick
        return self.reached(len(rows) - 1, len(rows) - 1) is not None

    def _parse(self, path: Path) -> None:
        """Let Boolector's own parser of the format read the file."""
        libc = ctypes.CDLL(None)
        libc.fopen.restype = ctypes.c_void_p
        parser = self._call("btor2parser_new")
        file = ctypes.c_void_p(libc.fopen(str(path).encode(), b"r"))
        if not self._library.btor2parser_read_lines(parser, file):
            self._library.btor2parser_error.restype = ctypes.c_char_p
            raise Refused(self._library.btor2parser_error(parser).decode())
        libc.fclose(file)

    def _read(self, number: int, words: list[str]) -> None:
        kind, *rest = words
        one_bit: dict[str, Callable[..., Any]] = {
            "zero": lambda: self._call("boolector_false", self._solver),
            "one": lambda: self._call("boolector_true", self._solver),
            "and": lambda one, other: self._call("boolector_and", self._solver, one, other),
        }
        if kind == "sort":
            if rest != ["bitvec", "1"]:
                raise Refused(f"{number}: expected a sort of one bit")
        elif kind in ("input", "state"):
            name = " ".join(rest[1:]).encode()
            self._nodes[number] = self._call(f"boolector_mc_{kind}", self._checker, self._bit, name)
            if kind == "input":
                self._inputs.append(self._nodes[number])
        elif kind in ("init", "next"):
            self._void(f"boolector_mc_{kind}", self._operand(rest[1]), self._operand(rest[2]))
        elif kind in ("bad", "constraint"):
            self._void(f"boolector_mc_{kind}", self._operand(rest[0]))
        elif kind in one_bit:
            self._nodes[number] = one_bit[kind](*map(self._operand, rest[1:]))
        else:
            raise Refused(f"{number}: found {kind}, which this bridge does not pass on")

    def _operand(self, word: str) -> Any:
        node = self._nodes[abs(int(word))]
        return self._negated(node) if word.startswith("-") else node

    def _negated(self, node: Any) -> Any:
        return self._call("boolector_not", self._solver, node)

    def _call(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        function = getattr(self._library, name)
        function.restype = ctypes.c_void_p
        return ctypes.c_void_p(function(*arguments))

    def _void(self, name: str, *arguments: Any) -> None:
        getattr(self._library, name)(self._checker, *arguments)


def read_witness(text: str) -> list[Row]:
    """The inputs of each step. Raises Refused if the text is no witness of the first bad state."""
    lines = text.splitlines()
    if lines[:2] != ["sat", "b0"] or lines[-1] != ".":
        raise Refused("expected sat, b0, steps and a dot")
    rows: list[Row] = []
    for line in lines[2:-1]:
        if line == f"@{len(rows)}":
            rows.append({})
        elif rows and (found := re.fullmatch(rf"(\d+) ([01]) \S+@{len(rows) - 1}", line)):
            rows[-1][int(found[1])] = found[2] == "1"
        else:
            raise Refused(f"found {line!r}, expected a value of step {len(rows) - 1}")
    return rows


if __name__ == "__main__":
    model, question = Checker(Path(sys.argv[1])), sys.argv[2]
    if question.isdecimal():
        steps = model.reached(0, int(question))
        print(f"unreachable within {question}" if steps is None else f"reachable {steps}")
    else:
        print("accepted" if model.accepts(Path(question).read_text(encoding="utf-8")) else "refused")
