"""The forms of certificates: the fields of each JSON object, and what errors say was expected."""

import json
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

# The form of all versions. A description is what errors say was expected.
T = TypeVar("T", bound=msgspec.Struct)
Natural = Annotated[int, Meta(ge=0, description="a whole number from 0")]
Text = Annotated[str, Meta(description="a text")]
Texts = Annotated[list[str], Meta(description="a list of texts")]
Parts = Annotated[list[Any], Meta(description="a list")]  # their form is checked one by one, to name the wrong one
Place = Annotated[int, Meta(ge=1)]
Gate = tuple[Natural, Natural]
Sizes = tuple[Natural, Natural]
Blocks = Annotated[list[Sizes], Meta(description="a list of pairs, numbers of states and of bytes")]


class Head(msgspec.Struct):
    """What files of all versions begin with."""

    format: Text
    version: Natural


class Form(Head, forbid_unknown_fields=True):
    """The whole object."""

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


class WithPart(Form, forbid_unknown_fields=True):
    """The whole object of a proof about a part of a level."""

    part: Annotated[dict[str, Any], Meta(description="an object")]


class PartForm(msgspec.Struct, forbid_unknown_fields=True):
    """That part."""

    kind: Text
    objects: Texts


class LayersForm(msgspec.Struct, forbid_unknown_fields=True):
    """A circuit."""

    counts: Parts
    inputs: Texts
    gates: Parts
    layers: Annotated[list[Natural], Meta(description="a list of literals")]


class ListingForm(msgspec.Struct, forbid_unknown_fields=True):
    """Sizes of blocks of states."""

    below: Annotated[Natural | None, Meta(description="a number or null")]
    ahead: Annotated[Natural | None, Meta(description="a number or null")]
    behind: Annotated[Natural | None, Meta(description="a number or null")]
    forward: Blocks
    backward: Blocks


class PositionsForm(ListingForm, forbid_unknown_fields=True):
    """Positions."""

    objects: Natural


class InOrderForm(PositionsForm, forbid_unknown_fields=True):
    """Positions, with costs by two metrics."""

    scale: Natural


class BitsForm(ListingForm, forbid_unknown_fields=True):
    """States of bits."""

    bits: Texts


Rows = Annotated[list[tuple[int, ...]], Meta(description="a list of lists of numbers")]


class SumsForm(msgspec.Struct, forbid_unknown_fields=True):
    """Sums of weights."""

    inputs: Texts
    variables: Parts
    apart: Rows
    goals: Rows
    sums: Parts


class VariableForm(msgspec.Struct, forbid_unknown_fields=True):
    """A variable."""

    bits: Annotated[list[Natural], Meta(description="a list of numbers")]
    codes: Annotated[list[Natural], Meta(description="a list of numbers")]
    kind: Natural


class SumForm(msgspec.Struct, forbid_unknown_fields=True):
    """A sum."""

    prime: Natural
    weights: Rows


class PotentialForm(msgspec.Struct, forbid_unknown_fields=True):
    """A potential."""

    divisor: Natural
    weights: Rows


class TableForm(msgspec.Struct, forbid_unknown_fields=True):
    """A table."""

    variables: Annotated[list[Natural], Meta(description="a list of numbers")]
    rows: Annotated[list[Natural], Meta(description="a list of numbers")]
    bytes: Natural


class TablesForm(msgspec.Struct, forbid_unknown_fields=True):
    """Tables and states."""

    below: Annotated[Natural | None, Meta(description="a number or null")]
    inputs: Texts
    variables: Parts
    apart: Rows
    goals: Rows
    tables: Parts
    forward: Blocks
    potential: Annotated[dict[str, Any] | None, Meta(description="an object or null")]


class CountForm(msgspec.Struct, forbid_unknown_fields=True):
    """A number of bits that always hold."""

    bits: Texts
    total: Natural


Numbers = Annotated[list[Natural], Meta(description="a list of numbers")]


class RepairsForm(msgspec.Struct, forbid_unknown_fields=True):
    """A least number of edits, by cores."""

    edits: Texts
    keep: Annotated[list[tuple[Place, Place]], Meta(description="a list of pairs, rows and columns from 1")]
    least: Natural
    objects: Texts
    cores: Parts


class CoreForm(msgspec.Struct, forbid_unknown_fields=True):
    """A core."""

    kept: Numbers
    freed: Numbers
    placed: Numbers
    removed: Numbers
    needed: Natural
    objects: Natural
    positions: Blocks


class Misfit(Exception):
    """A field that does not have the required form."""


def fits(kind: Any, value: object) -> bool:
    """Has a value this form?"""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a pair of surrogates where no text belongs
        return False
    return True


def fitted(form: type[T], content: object, path: str) -> T:
    """The form of a JSON object. Raises Misfit for the first of its fields that does not fit."""
    if not isinstance(content, dict):
        raise Misfit(f"{path.removesuffix('.') or 'the whole'}: expected a JSON object")
    kinds = get_type_hints(form, include_extras=True)
    for name, kind in kinds.items():
        if name not in content or not fits(kind, content[name]):
            found = short(content[name]) if name in content else "nothing"
            (meta,) = kind.__metadata__
            raise Misfit(f"{path}{name}: found {found}, expected {meta.description}")
    unknown = [name for name in content if name not in kinds]
    if unknown and form.__struct_config__.forbid_unknown_fields:
        raise Misfit(f"{path}{unknown[0]}: found a field that is not known")
    return form(**{name: content[name] for name in kinds})


def short(value: object) -> str:
    """A value as the JSON of a message."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
