"""Certificates: a verdict with all that someone needs to check it, as one file.

A certificate holds the level itself, the question, the answer, the trace, and a proof. `docs/certificates.md`
specifies the format of each version:

version 1  the file is JSON, and the proof is a circuit (`LayeredProof`)
version 2  the proof lists states (`BidirectionalProof`, `ListedStates`): the JSON object has the number of the
           states, and the states follow it as bytes
version 3  version 1 with a proof about a part of the level that already has no solution
version 4  the file is JSON, and the proof has sums of weights (`SumProof`)
version 5  the proof has tables and lists states (`TableProof`): the JSON object has the sizes of both, and the
           tables follow it as bytes, and then the states

A file with fields of another version is refused. `_written` and `_proof` are the only places that tell kinds of
proof apart.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.facts import CodedBits, Facts
from puzzlemc.mc.proofs.layered import Count, LayeredProof
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.proof import Listing, Proof
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts
from puzzlemc.mc.proofs.tables import Potential, Table, TableProof
from puzzlemc.reports.output.files import writing
from puzzlemc.screens.base.errors import CertificateError, LevelError
from puzzlemc.screens.base.reading import read_bytes

FORMAT = "puzzlemc-certificate"
# The versions, by their proofs; PART is a circuit, or sums, about a part of the level.
CIRCUIT, LISTING, PART, SUMS, TABLES = 1, 2, 3, 4, 5
MOST_BYTES = 1 << 30
# Of the JSON object that has bytes behind it.
BEGIN = tuple(f'{{\n "format": "{FORMAT}",\n "version": {each},\n'.encode() for each in (LISTING, TABLES))
END = b"\n}\n"


@dataclass(frozen=True)
class Certificate:
    """A verdict, `solvable`, `unsolvable` or `unknown`, on a level, with its evidence.

    level    the level as text in the puzzle's own format
    trace    the moves of a solution, as in results; None if the level is not solvable
    cost     the cost of the trace under the metric; None under `any`, or without a trace
    optimal  the proof shows that no trace costs less; a trace without moves needs none
    proof    shows `optimal`, or that no solution exists, or a lower bound on the cost of every solution
    part     the part of an unsolvable level that the proof is about: the kind of its objects, and their names;
             None: the proof is about the whole level
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
    part: tuple[str, tuple[str, ...]] | None = None


# The form of all versions. A description is what errors say was expected.
T = TypeVar("T", bound=msgspec.Struct)
Natural = Annotated[int, Meta(ge=0, description="a whole number from 0")]
Text = Annotated[str, Meta(description="a text")]
Texts = Annotated[list[str], Meta(description="a list of texts")]
Parts = Annotated[list[Any], Meta(description="a list")]  # their form is checked one by one, to name the wrong one
Gate = tuple[Natural, Natural]
Sizes = tuple[Natural, Natural]
Blocks = Annotated[list[Sizes], Meta(description="a list of pairs, numbers of states and of bytes")]


class _Head(msgspec.Struct):
    """What files of all versions begin with."""

    format: Text
    version: Natural


class _Form(_Head, forbid_unknown_fields=True):
    id: Text
    title: Text
    puzzle: Text
    level: Texts
    encoding: Text
    metric: Text
    verdict: Text
    cost: Annotated[Natural | None, Meta(description="a number or null")]
    optimal: Annotated[bool, Meta(description="true or false")]
    trace: Annotated[str | list[str] | None, Meta(description="a text, a list of texts or null")]
    proof: Annotated[dict[str, Any] | None, Meta(description="an object or null")]


class _WithPart(_Form, forbid_unknown_fields=True):
    part: Annotated[dict[str, Any], Meta(description="an object")]


class _PartForm(msgspec.Struct, forbid_unknown_fields=True):
    kind: Text
    objects: Texts


class _LayersForm(msgspec.Struct, forbid_unknown_fields=True):
    counts: Parts
    inputs: Texts
    gates: Parts
    layers: Annotated[list[Natural], Meta(description="a list of literals")]


class _ListingForm(msgspec.Struct, forbid_unknown_fields=True):
    below: Annotated[Natural | None, Meta(description="a number or null")]
    ahead: Annotated[Natural | None, Meta(description="a number or null")]
    behind: Annotated[Natural | None, Meta(description="a number or null")]
    forward: Blocks
    backward: Blocks


class _PositionsForm(_ListingForm, forbid_unknown_fields=True):
    objects: Natural


class _InOrderForm(_PositionsForm, forbid_unknown_fields=True):
    scale: Natural


class _BitsForm(_ListingForm, forbid_unknown_fields=True):
    bits: Texts


Rows = Annotated[list[tuple[int, ...]], Meta(description="a list of lists of numbers")]


class _SumsForm(msgspec.Struct, forbid_unknown_fields=True):
    inputs: Texts
    variables: Parts
    apart: Rows
    goals: Rows
    sums: Parts


class _VariableForm(msgspec.Struct, forbid_unknown_fields=True):
    bits: Annotated[list[Natural], Meta(description="a list of numbers")]
    codes: Annotated[list[Natural], Meta(description="a list of numbers")]
    kind: Natural


class _SumForm(msgspec.Struct, forbid_unknown_fields=True):
    prime: Natural
    weights: Rows


class _PotentialForm(msgspec.Struct, forbid_unknown_fields=True):
    divisor: Natural
    weights: Rows


class _TableForm(msgspec.Struct, forbid_unknown_fields=True):
    variables: Annotated[list[Natural], Meta(description="a list of numbers")]
    rows: Annotated[list[Natural], Meta(description="a list of numbers")]
    bytes: Natural


class _TablesForm(msgspec.Struct, forbid_unknown_fields=True):
    below: Annotated[Natural | None, Meta(description="a number or null")]
    inputs: Texts
    variables: Parts
    apart: Rows
    goals: Rows
    tables: Parts
    forward: Blocks
    potential: Annotated[dict[str, Any] | None, Meta(description="an object or null")]


class _CountForm(msgspec.Struct, forbid_unknown_fields=True):
    bits: Texts
    total: Natural


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate; the file is there as a whole or not at all. Raises OutputError."""
    version, proof, states = _written(certificate.proof)
    parts: dict[str, object] = {"format": FORMAT, "version": version, **vars(certificate)}
    parts |= {"level": certificate.level.split("\n"), "proof": proof}
    if certificate.part is None:
        del parts["part"]
    else:
        kind, objects = certificate.part
        parts |= {"version": PART, "part": {"kind": kind, "objects": objects}}
    rows = [f" {json.dumps(key)}: {_text(value)}" for key, value in parts.items()]
    with writing(path) as file:
        file.write(("{\n" + ",\n".join(rows) + "\n}\n").encode())
        file.writelines(states)


def _written(proof: Proof | None) -> tuple[int, dict[str, Any] | None, list[bytes | memoryview]]:
    """Return how a file holds a proof: its version, the JSON object, and what stands behind the whole object."""
    match proof:
        case None:
            return CIRCUIT, None, []
        case LayeredProof():
            counts = [{"bits": count.bits, "total": count.total} for count in proof.counts]
            circuit = {"inputs": proof.circuit.inputs, "gates": proof.circuit.gates}
            return CIRCUIT, {"counts": counts, **circuit, "layers": proof.layers}, []
        case BidirectionalProof():
            costs = {"below": proof.below, "ahead": proof.ahead, "behind": proof.behind}
            scale = {} if proof.scale is None else {"scale": proof.scale}
            sets = {"forward": _sizes(proof.forward), "backward": _sizes(proof.backward)}
            blocks = [block.data for block in proof.blocks]
            return LISTING, {**costs, "objects": proof.objects, **scale, **sets}, blocks
        case ListedStates():
            costs = {"below": proof.below, "ahead": proof.below, "behind": 0}
            sets = {"forward": _sizes(proof.forward), "backward": []}
            return LISTING, {**costs, "bits": proof.bits, **sets}, [block.data for block in proof.blocks]
        case SumProof():
            return SUMS, {**_known(proof), "sums": list(map(vars, proof.sums))}, []
        case TableProof(facts, tables, listed, potential):
            sizes = [{"variables": each.variables, "rows": each.rows, "bytes": len(each.data)} for each in tables]
            scaled = potential and {"divisor": potential.divisor, "weights": potential.weights}
            more = {"tables": sizes, "potential": scaled, "forward": _sizes(listed.forward)}
            proved = {"below": listed.below, **_known(facts), **more}
            return TABLES, proved, [*(each.data for each in tables), *(block.data for block in listed.forward)]


def _known(facts: Facts) -> dict[str, Any]:
    """What a proof says of variables."""
    variables = list(map(vars, facts.variables))
    return {"inputs": facts.inputs, "variables": variables, "apart": facts.apart, "goals": facts.goals}


def _sizes(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Numbers of states and of bytes."""
    return [(block.count, len(block.data)) for block in blocks]


def _text(value: object, indent: str = "  ") -> str:
    """JSON with a line for each row of the level and each part of the proof."""
    if isinstance(value, dict):
        rows = [f"{indent}{json.dumps(key)}: {json.dumps(part)}" for key, part in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + indent[1:] + "}"
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{indent}{json.dumps(part)}" for part in value) + "\n" + indent[1:] + "]"
    return json.dumps(value)


def read(path: Path) -> Certificate:
    """Read a certificate. Raises CertificateError for a file that is no certificate or of an unknown version."""
    source = str(path)
    try:
        data, states = _cut(read_bytes(path, MOST_BYTES, "a certificate"))
        # Not by msgspec: it takes fields that stand twice, and tells no line and column.
        content = json.loads(data.decode("utf-8"), object_pairs_hook=_once)
    except LevelError as error:
        raise CertificateError(error.message, source=source) from None
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
    try:
        head = _fitted(_Head, content, "")
        if head.format != FORMAT:
            raise _Misfit(f"format: found {_short(head.format)}, expected {FORMAT!r}")
        if head.version not in (CIRCUIT, LISTING, PART, SUMS, TABLES):
            known = f"{CIRCUIT}, {LISTING}, {PART}, {SUMS} or {TABLES}, which this program knows"
            raise _Misfit(f"version: found {head.version}, expected {known}")
        form: _Form = _fitted(_WithPart if head.version == PART else _Form, content, "")
        part = _fitted(_PartForm, form.part, "part.") if isinstance(form, _WithPart) else None
        has_sums = head.version == PART and form.proof is not None and "sums" in form.proof
        proof = _proof(SUMS if has_sums else head.version, form, states)
    except _Misfit as error:
        raise CertificateError(str(error), source=source) from None
    fields = {name: getattr(form, name) for name in _Form.__struct_fields__ if name not in _Head.__struct_fields__}
    fields |= {"level": "\n".join(form.level), "proof": proof}
    return Certificate(**fields, part=None if part is None else (part.kind, tuple(part.objects)))


def _cut(data: bytes) -> tuple[bytes, memoryview]:
    """The JSON object, and the bytes that stand behind it in a file of some versions."""
    end = data.find(END) + len(END) if data.startswith(BEGIN) and END in data else len(data)
    return data[:end], memoryview(data)[end:]


class _Twice(ValueError):
    """A field that stands twice in a JSON object: readers would not agree on what it says."""


def _once(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these fields. Raises _Twice."""
    values: dict[str, Any] = {}
    for name, value in fields:
        if name in values:
            raise _Twice(ascii(name))
        values[name] = value
    return values


class _Misfit(Exception):
    """A field that does not have the required form."""


def _fits(kind: Any, value: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a pair of surrogates where no text belongs
        return False
    return True


def _fitted(form: type[T], content: object, path: str) -> T:
    """The form of a JSON object. Raises _Misfit for the first of its fields that does not fit."""
    if not isinstance(content, dict):
        raise _Misfit(f"{path.removesuffix('.') or 'the whole'}: expected a JSON object")
    kinds = get_type_hints(form, include_extras=True)
    for name, kind in kinds.items():
        if name not in content or not _fits(kind, content[name]):
            found = _short(content[name]) if name in content else "nothing"
            (meta,) = kind.__metadata__
            raise _Misfit(f"{path}{name}: found {found}, expected {meta.description}")
    unknown = [name for name in content if name not in kinds]
    if unknown and form.__struct_config__.forbid_unknown_fields:
        raise _Misfit(f"{path}{unknown[0]}: found a field that is not known")
    return form(**{name: content[name] for name in kinds})


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _proof(version: int, form: _Form, states: memoryview) -> Proof | None:
    """Read the proof of a file of that version. Raises _Misfit."""
    if version == LISTING:
        return _listing(form.proof, form.metric, states)
    if version == SUMS:
        return _sums(form.proof)
    if version == TABLES:
        return _tables(form.proof, form.metric, states)
    return None if form.proof is None else _layers(form.proof)


def _listing(content: dict[str, Any] | None, metric: str, states: memoryview) -> Listing:
    """Read a proof that lists states.

    Listed bits whose costs contradict each other are a proof with a fault. Raises _Misfit unless `states` has the
    size that the object says.
    """
    if isinstance(content, dict) and "bits" in content:
        listed = _fitted(_BitsForm, content, "proof.")
        forward, backward = _blocks(listed, states)
        is_consistent = listed.ahead == listed.below and listed.behind == 0 and not backward
        fault = None if is_consistent else "a proof of bits lists the states near the start, and no others"
        return ListedStates(metric, listed.below, tuple(listed.bits), forward, fault)
    has_scale = isinstance(content, dict) and "scale" in content
    form = _fitted(_InOrderForm if has_scale else _PositionsForm, content, "proof.")
    costs, scale = (form.below, form.ahead, form.behind), getattr(form, "scale", None)
    return BidirectionalProof(metric, *costs, form.objects, *_blocks(form, states), scale)


def _blocks(form: _ListingForm, states: memoryview) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Cut the bytes of states into the blocks of the forward and the backward set. Raises _Misfit."""
    sizes = form.forward + form.backward
    pieces = zip(sizes, _pieces([size for _, size in sizes], states), strict=True)
    blocks = tuple(Block(count, piece) for (count, _), piece in pieces)
    return blocks[: len(form.forward)], blocks[len(form.forward) :]


def _pieces(sizes: Sequence[int], data: memoryview) -> list[memoryview]:
    """Cut the bytes behind the object into pieces of these sizes. Raises _Misfit."""
    if sum(sizes) != len(data):
        raise _Misfit(f"proof: found {len(data)} bytes behind the object, expected {sum(sizes)}")
    firsts = list(accumulate(sizes, initial=0))
    return [data[first : first + size] for first, size in zip(firsts, sizes, strict=False)]


def _layers(content: dict[str, Any]) -> LayeredProof:
    """Read a circuit. The certificate says which bound the layers show. Raises _Misfit."""
    form = _fitted(_LayersForm, content, "proof.")
    counts = [_fitted(_CountForm, count, f"proof.counts[{i}].") for i, count in enumerate(form.counts)]
    circuit = Circuit(form.inputs)
    most = 2 * (len(circuit.inputs) + 1)  # literals so far
    pairs = _fits(list[Gate], form.gates)  # all at once, which is quicker
    for number, gate in enumerate(form.gates):
        if not (pairs or _fits(Gate, gate)) or max(gate) >= most:
            raise _Misfit(f"proof.gates[{number}]: found {_short(gate)}, expected two literals below {most}")
        circuit.gates.append((gate[0], gate[1]))
        most += 2
    if max(form.layers, default=0) >= most:
        raise _Misfit(f"proof.layers: found {_short(form.layers)}, expected a list of literals below {most}")
    return LayeredProof(
        circuit, tuple(form.layers), tuple(Count(tuple(count.bits), count.total) for count in counts)
    )


def _sums(content: dict[str, Any] | None) -> SumProof:
    """Read sums of weights. Raises _Misfit."""
    form = _fitted(_SumsForm, content, "proof.")
    sums = [_fitted(_SumForm, each, f"proof.sums[{i}].") for i, each in enumerate(form.sums)]
    weighted = tuple(WeightedFacts(each.prime, tuple(map(tuple, each.weights))) for each in sums)
    return SumProof(**vars(_facts(form)), sums=weighted)


def _tables(content: dict[str, Any] | None, metric: str, data: memoryview) -> TableProof:
    """Read tables and listed states. Raises _Misfit."""
    form = _fitted(_TablesForm, content, "proof.")
    tables = [_fitted(_TableForm, each, f"proof.tables[{i}].") for i, each in enumerate(form.tables)]
    pieces = _pieces([*(each.bytes for each in tables), *(size for _, size in form.forward)], data)
    made = (
        Table(tuple(each.variables), tuple(each.rows), piece) for each, piece in zip(tables, pieces, strict=False)
    )
    blocks = zip((count for count, _ in form.forward), pieces[len(tables) :], strict=True)
    listed = ListedStates(metric, form.below, tuple(form.inputs), tuple(Block(*each) for each in blocks))
    potential = None
    if form.potential is not None:
        held = _fitted(_PotentialForm, form.potential, "proof.potential.")
        potential = Potential(tuple(map(tuple, held.weights)), held.divisor)
    return TableProof(_facts(form), tuple(made), listed, potential)


def _facts(form: _SumsForm | _TablesForm) -> Facts:
    """Read what a proof says of variables. Raises _Misfit."""
    variables = [_fitted(_VariableForm, each, f"proof.variables[{i}].") for i, each in enumerate(form.variables)]
    return Facts(
        tuple(form.inputs),
        tuple(CodedBits(tuple(each.bits), tuple(each.codes), each.kind) for each in variables),
        tuple(map(tuple, form.apart)),
        tuple(map(tuple, form.goals)),
    )
