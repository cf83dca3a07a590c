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
version 6  the proof shows that every repair of an unsolvable level has at least a number of edits (`RepairProof`):
           the JSON object has the cores, and the positions of all of them follow it as bytes

A file with fields of another version is refused. `_written` and `_proof` are the only places that tell kinds of
proof apart.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle.design.repair_proof import ProvedCore, RepairProof
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.closed import ClosedPositions
from puzzlemc.mc.proofs.facts import CodedBits, Facts
from puzzlemc.mc.proofs.layered import Count, LayeredProof
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.proof import Listing, Proof
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts
from puzzlemc.mc.proofs.tables import Potential, Table, TableProof
from puzzlemc.reports.certify.forms import (
    BitsForm,
    CoreForm,
    CountForm,
    Form,
    Gate,
    Head,
    InOrderForm,
    LayersForm,
    ListingForm,
    Misfit,
    PartForm,
    PositionsForm,
    PotentialForm,
    RepairsForm,
    SumForm,
    SumsForm,
    TableForm,
    TablesForm,
    VariableForm,
    WithPart,
    fits,
    fitted,
    short,
)
from puzzlemc.reports.output.files import writing
from puzzlemc.screens.base.errors import CertificateError, LevelError
from puzzlemc.screens.base.reading import read_bytes

FORMAT = "puzzlemc-certificate"
# The versions, by their proofs; PART is a circuit, or sums, about a part of the level.
CIRCUIT, LISTING, PART, SUMS, TABLES, REPAIRS = 1, 2, 3, 4, 5, 6
MOST_BYTES = 1 << 30
# Of the JSON object that has bytes behind it.
BEGIN = tuple(f'{{\n "format": "{FORMAT}",\n "version": {each},\n'.encode() for each in (LISTING, TABLES, REPAIRS))
END = b"\n}\n"


@dataclass(frozen=True)
class Certificate:
    """A verdict, `solvable`, `unsolvable` or `unknown`, on a level, with its evidence.

    level    the level as text in the puzzle's own format
    trace    the moves of a solution, as in results; None if the level is not solvable
    cost     the cost of the trace under the metric; None under `any`, or without a trace
    optimal  the proof shows that no trace costs less; a trace without moves needs none
    proof    shows `optimal`, or that no solution exists, or a lower bound on the cost of every solution, or on the
             number of edits of every repair
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
    proof: Proof | RepairProof | None
    part: tuple[str, tuple[str, ...]] | None = None


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


def _written(proof: Proof | RepairProof | None) -> tuple[int, dict[str, Any] | None, list[bytes | memoryview]]:
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
        case RepairProof():
            cores = [
                {**vars(core), "objects": core.positions.objects, "positions": _sizes(core.positions.blocks)}
                for core in proof.cores
            ]
            keep = [(row + 1, column + 1) for row, column in proof.keep]
            blocks = [block.data for core in proof.cores for block in core.positions.blocks]
            return REPAIRS, {**vars(proof), "keep": keep, "cores": cores}, blocks


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
        head = fitted(Head, content, "")
        if head.format != FORMAT:
            raise Misfit(f"format: found {short(head.format)}, expected {FORMAT!r}")
        if head.version not in (CIRCUIT, LISTING, PART, SUMS, TABLES, REPAIRS):
            known = f"{CIRCUIT}, {LISTING}, {PART}, {SUMS}, {TABLES} or {REPAIRS}, which this program knows"
            raise Misfit(f"version: found {head.version}, expected {known}")
        form: Form = fitted(WithPart if head.version == PART else Form, content, "")
        part = fitted(PartForm, form.part, "part.") if isinstance(form, WithPart) else None
        has_sums = head.version == PART and form.proof is not None and "sums" in form.proof
        proof = _proof(SUMS if has_sums else head.version, form, states)
    except Misfit as error:
        raise CertificateError(str(error), source=source) from None
    fields = {name: getattr(form, name) for name in Form.__struct_fields__ if name not in Head.__struct_fields__}
    fields |= {"level": "\n".join(form.level), "proof": proof}
    return Certificate(**fields, part=None if part is None else (part.kind, tuple(part.objects)))


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


def _cut(data: bytes) -> tuple[bytes, memoryview]:
    """The JSON object, and the bytes that stand behind it in a file of some versions."""
    end = data.find(END) + len(END) if data.startswith(BEGIN) and END in data else len(data)
    return data[:end], memoryview(data)[end:]


def _proof(version: int, form: Form, states: memoryview) -> Proof | RepairProof | None:
    """Read the proof of a file of that version. Raises Misfit."""
    if version == LISTING:
        return _listing(form.proof, form.metric, states)
    if version == SUMS:
        return _sums(form.proof)
    if version == TABLES:
        return _tables(form.proof, form.metric, states)
    if version == REPAIRS:
        return _repairs(form.proof, states)
    return None if form.proof is None else _layers(form.proof)


def _listing(content: dict[str, Any] | None, metric: str, states: memoryview) -> Listing:
    """Read a proof that lists states.

    Listed bits whose costs contradict each other are a proof with a fault. Raises Misfit unless `states` has the
    size that the object says.
    """
    if isinstance(content, dict) and "bits" in content:
        listed = fitted(BitsForm, content, "proof.")
        forward, backward = _blocks(listed, states)
        is_consistent = listed.ahead == listed.below and listed.behind == 0 and not backward
        fault = None if is_consistent else "a proof of bits lists the states near the start, and no others"
        return ListedStates(metric, listed.below, tuple(listed.bits), forward, fault)
    has_scale = isinstance(content, dict) and "scale" in content
    form = fitted(InOrderForm if has_scale else PositionsForm, content, "proof.")
    costs, scale = (form.below, form.ahead, form.behind), getattr(form, "scale", None)
    return BidirectionalProof(metric, *costs, form.objects, *_blocks(form, states), scale)


def _blocks(form: ListingForm, states: memoryview) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """Cut the bytes of states into the blocks of the forward and the backward set. Raises Misfit."""
    sizes = form.forward + form.backward
    pieces = zip(sizes, _pieces([size for _, size in sizes], states), strict=True)
    blocks = tuple(Block(count, piece) for (count, _), piece in pieces)
    return blocks[: len(form.forward)], blocks[len(form.forward) :]


def _pieces(sizes: Sequence[int], data: memoryview) -> list[memoryview]:
    """Cut the bytes behind the object into pieces of these sizes. Raises Misfit."""
    if sum(sizes) != len(data):
        raise Misfit(f"proof: found {len(data)} bytes behind the object, expected {sum(sizes)}")
    firsts = list(accumulate(sizes, initial=0))
    return [data[first : first + size] for first, size in zip(firsts, sizes, strict=False)]


def _layers(content: dict[str, Any]) -> LayeredProof:
    """Read a circuit. The certificate says which bound the layers show. Raises Misfit."""
    form = fitted(LayersForm, content, "proof.")
    counts = [fitted(CountForm, count, f"proof.counts[{i}].") for i, count in enumerate(form.counts)]
    circuit = Circuit(form.inputs)
    most = 2 * (len(circuit.inputs) + 1)  # literals so far
    pairs = fits(list[Gate], form.gates)  # all at once, which is quicker
    for number, gate in enumerate(form.gates):
        if not (pairs or fits(Gate, gate)) or max(gate) >= most:
            raise Misfit(f"proof.gates[{number}]: found {short(gate)}, expected two literals below {most}")
        circuit.gates.append((gate[0], gate[1]))
        most += 2
    if max(form.layers, default=0) >= most:
        raise Misfit(f"proof.layers: found {short(form.layers)}, expected a list of literals below {most}")
    return LayeredProof(
        circuit, tuple(form.layers), tuple(Count(tuple(count.bits), count.total) for count in counts)
    )


def _sums(content: dict[str, Any] | None) -> SumProof:
    """Read sums of weights. Raises Misfit."""
    form = fitted(SumsForm, content, "proof.")
    sums = [fitted(SumForm, each, f"proof.sums[{i}].") for i, each in enumerate(form.sums)]
    weighted = tuple(WeightedFacts(each.prime, tuple(map(tuple, each.weights))) for each in sums)
    return SumProof(**vars(_facts(form)), sums=weighted)


def _tables(content: dict[str, Any] | None, metric: str, data: memoryview) -> TableProof:
    """Read tables and listed states. Raises Misfit."""
    form = fitted(TablesForm, content, "proof.")
    tables = [fitted(TableForm, each, f"proof.tables[{i}].") for i, each in enumerate(form.tables)]
    pieces = _pieces([*(each.bytes for each in tables), *(size for _, size in form.forward)], data)
    made = (
        Table(tuple(each.variables), tuple(each.rows), piece) for each, piece in zip(tables, pieces, strict=False)
    )
    blocks = zip((count for count, _ in form.forward), pieces[len(tables) :], strict=True)
    listed = ListedStates(metric, form.below, tuple(form.inputs), tuple(Block(*each) for each in blocks))
    potential = None
    if form.potential is not None:
        held = fitted(PotentialForm, form.potential, "proof.potential.")
        potential = Potential(tuple(map(tuple, held.weights)), held.divisor)
    return TableProof(_facts(form), tuple(made), listed, potential)


def _repairs(content: dict[str, Any] | None, data: memoryview) -> RepairProof:
    """Read cores and their positions. Raises Misfit."""
    form = fitted(RepairsForm, content, "proof.")
    cores = [fitted(CoreForm, each, f"proof.cores[{i}].") for i, each in enumerate(form.cores)]
    sizes = [size for core in cores for size in core.positions]
    blocks = map(Block, [count for count, _ in sizes], _pieces([size for _, size in sizes], data))
    proved = []
    for number, core in enumerate(cores):
        objects = (tuple(core.kept), tuple(core.freed), tuple(core.placed), tuple(core.removed))
        if max((max(some, default=0) for some in objects), default=0) >= len(form.objects):
            raise Misfit(f"proof.cores[{number}]: expected numbers of {len(form.objects)} objects")
        listed = ClosedPositions(core.objects, tuple(islice(blocks, len(core.positions))))
        proved.append(ProvedCore(*objects, core.needed, listed))
    keep = tuple((row - 1, column - 1) for row, column in form.keep)
    return RepairProof(tuple(form.edits), keep, form.least, tuple(form.objects), tuple(proved))


def _facts(form: SumsForm | TablesForm) -> Facts:
    """Read what a proof says of variables. Raises Misfit."""
    variables = [fitted(VariableForm, each, f"proof.variables[{i}].") for i, each in enumerate(form.variables)]
    return Facts(
        tuple(form.inputs),
        tuple(CodedBits(tuple(each.bits), tuple(each.codes), each.kind) for each in variables),
        tuple(map(tuple, form.apart)),
        tuple(map(tuple, form.goals)),
    )
