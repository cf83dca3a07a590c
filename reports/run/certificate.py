"""Certificates: a verdict with all that someone needs to check it, as one JSON file.

It holds the level itself, what was asked, the answer, the trace, and the proof as an and-inverter graph. The
README has the format. Version 1 stays readable; what a later version adds is refused here, not skipped.
"""

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlemc.mc.circuit import Circuit
from puzzlemc.mc.proof import Count, Proof
from puzzlemc.reports.output.files import OutputError
from puzzlemc.screens.errors import CertificateError

FORMAT, VERSION = "puzzlemc-certificate", 1
MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class Certificate:
    """A verdict, `solvable` or `unsolvable`, on a level, with its evidence.

    level    the level as text of the puzzle's own format
    trace    the moves of a solution, as in results; None where the level is unsolvable
    cost     what the trace costs under the metric; None under `any`, or without a trace
    optimal  the proof shows that no trace costs less
    proof    of `optimal`, or that there is no solution
    """

    id: str
    title: str
    puzzle: str
    level: str
    encoding: str
    metric: str
    verdict: str
    cost: int | None
    optimal: bool
    trace: str | list[str] | None
    proof: Proof | None


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate; the file is there as a whole or not at all. Raises OutputError."""
    parts = {
        "format": FORMAT,
        "version": VERSION,
        "id": certificate.id,
        "title": certificate.title,
        "puzzle": certificate.puzzle,
        "level": certificate.level.split("\n"),
        "encoding": certificate.encoding,
        "metric": certificate.metric,
        "verdict": certificate.verdict,
        "cost": certificate.cost,
        "optimal": certificate.optimal,
        "trace": certificate.trace,
        "proof": None if certificate.proof is None else _proof_as_json(certificate.proof),
    }
    rows = [f" {json.dumps(key)}: {_text(value)}" for key, value in parts.items()]
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        draft.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise OutputError(str(path), error.errno or errno.EIO) from None
    finally:
        draft.unlink(missing_ok=True)


def _proof_as_json(proof: Proof) -> dict[str, Any]:
    return {
        "counts": [{"bits": count.bits, "total": count.total} for count in proof.counts],
        "inputs": proof.circuit.inputs,
        "gates": proof.circuit.gates,
        "layers": proof.layers,
    }


def _text(value: object, indent: str = "  ") -> str:
    """JSON with a line for each row of the level and each part of the proof."""
    if isinstance(value, dict):
        rows = [f"{indent}{json.dumps(key)}: {json.dumps(part)}" for key, part in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + indent[1:] + "}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{indent}{json.dumps(part)}" for part in value) + "\n" + indent[1:] + "]"
    return json.dumps(value)


def read(path: Path) -> Certificate:
    """Read a certificate. Raises CertificateError for what is none, or of a later version."""
    source = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise CertificateError(f"more than {MOST_BYTES} bytes, expected a certificate", source=source)
        parts = _Parts(json.loads(data.decode("utf-8"), object_pairs_hook=_once), source, "")
    except OSError as error:
        raise CertificateError(f"cannot be read: {error.strerror}", source=source) from None
    except UnicodeDecodeError as error:
        raise CertificateError(f"found byte {error.start} that is no UTF-8", source=source) from None
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise CertificateError(
            f"found no JSON ({error.msg}), expected a certificate, as --certificate writes", source=source, **place
        ) from None
    except _Twice as error:
        raise CertificateError(f"found the field {error} twice", source=source) from None
    except ValueError:  # a number of thousands of digits
        raise CertificateError("found a number that is none of a certificate's", source=source) from None
    except RecursionError:
        raise CertificateError("found JSON in too many layers, expected a certificate", source=source) from None
    if parts.text("format") != FORMAT:
        raise parts.unexpected("format", repr(FORMAT))
    if parts.number("version") != VERSION:
        raise parts.unexpected("version", f"{VERSION}, the one that this program knows")
    certificate = Certificate(
        id=parts.text("id"),
        title=parts.text("title"),
        puzzle=parts.text("puzzle"),
        level="\n".join(parts.texts("level")),
        encoding=parts.text("encoding"),
        metric=parts.text("metric"),
        verdict=parts.text("verdict"),
        cost=parts.take("cost", lambda value: value is None or _is_number(value), "a number or null"),
        optimal=parts.take("optimal", lambda value: isinstance(value, bool), "true or false"),
        trace=parts.take("trace", _is_trace, "a text, a list of texts or null"),
        proof=parts.proof("proof"),
    )
    parts.nothing_else()
    return certificate


class _Twice(ValueError):
    """A field that stands twice in a JSON object: readers would not agree on what it says."""


def _once(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these fields. Raises _Twice."""
    found: dict[str, Any] = {}
    for name, value in fields:
        if name in found:
            raise _Twice(ascii(name))
        found[name] = value
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_trace(value: object) -> bool:
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, list) and all(isinstance(v, str) for v in value))
    )


class _Parts:
    """The fields of a JSON object, each taken once, and none left over."""

    def __init__(self, value: Any, source: str, path: str) -> None:
        if not isinstance(value, dict):
            raise CertificateError(f"{path or 'the whole'}: expected a JSON object", source=source)
        self._rest: dict[str, Any] = dict(value)
        self._all: Mapping[str, Any] = value
        self._source = source
        self._path = path

    def unexpected(self, name: str, expected: str) -> CertificateError:
        """The error that says what was found in a field."""
        found = json.dumps(self._all[name]) if name in self._all else "nothing"
        found = found if len(found) <= 60 else found[:57] + "..."
        return CertificateError(f"{self._path}{name}: found {found}, expected {expected}", source=self._source)

    def take(self, name: str, fits: Any, expected: str) -> Any:
        """The value of a field."""
        if name not in self._rest or not fits(self._rest[name]):
            raise self.unexpected(name, expected)
        return self._rest.pop(name)

    def text(self, name: str) -> str:
        """The value of a field that is a text."""
        value: str = self.take(name, lambda value: isinstance(value, str), "a text")
        return value

    def texts(self, name: str) -> list[str]:
        """The value of a field that is a list of texts."""
        fits = lambda value: isinstance(value, list) and all(isinstance(part, str) for part in value)  # noqa: E731
        value: list[str] = self.take(name, fits, "a list of texts")
        return value

    def number(self, name: str) -> int:
        """The value of a field that is a whole number from 0."""
        value: int = self.take(name, _is_number, "a whole number from 0")
        return value

    def nothing_else(self) -> None:
        """Raise CertificateError where a field is left over."""
        for name in self._rest:
            raise CertificateError(f"{self._path}{name}: found a field that is not known", source=self._source)

    def proof(self, name: str) -> Proof | None:
        """The value of a field that is a proof or null. What it counts, the certificate says."""
        value = self.take(name, lambda value: value is None or isinstance(value, dict), "an object or null")
        if value is None:
            return None
        parts = _Parts(value, self._source, f"{self._path}{name}.")
        counts = []
        for number, item in enumerate(parts.take("counts", lambda value: isinstance(value, list), "a list")):
            count = _Parts(item, self._source, f"{self._path}{name}.counts[{number}].")
            counts.append(Count(tuple(count.texts("bits")), count.number("total")))
            count.nothing_else()
        circuit = Circuit(parts.texts("inputs"))
        nodes = len(circuit.inputs) + 1
        for number, gate in enumerate(parts.take("gates", lambda value: isinstance(value, list), "a list")):
            if not _is_pair(gate) or max(gate) >= 2 * (nodes + number):
                expected = f"two literals below {2 * (nodes + number)}"
                raise CertificateError(
                    f"{name}.gates[{number}]: found {str(gate)[:60]}, expected {expected}", source=self._source
                )
            circuit.gates.append((gate[0], gate[1]))
        most = 2 * (nodes + len(circuit.gates))
        fits = lambda value: isinstance(value, list) and all(_is_number(v) and v < most for v in value)  # noqa: E731
        layers = parts.take("layers", fits, f"a list of literals below {most}")
        parts.nothing_else()
        return Proof(circuit, tuple(layers), tuple(counts))


def _is_pair(gate: object) -> bool:
    return isinstance(gate, list) and len(gate) == 2 and all(map(_is_number, gate))
