"""Levels that are lines `key: value`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.modelling.cutting import lines_of
from puzzlemc.screens.modelling.faults import blamed
from puzzlemc.screens.modelling.numbers import whole_number

# A type, or a function of the text, or one of both in a list: then a value has several words.
Kind: TypeAlias = Callable[[str], Any] | list[Any]

RESERVED = ("title", "author", "text")
TRUTH = {"yes": True, "true": True, "no": False, "false": False}

_WORD = re.compile(r"[^\s,;]+")


class Optional(NamedTuple):
    """A field that a level may leave out: its kind, and its value then."""

    kind: Kind
    default: Any


class Fields:
    """The values of a level, as attributes of their names. Two levels of one text are equal.

    title, author  what the file says
    text           the lines, without title and comments
    """

    def __init__(self, values: Mapping[str, Any], title: str, author: str, text: str) -> None:
        """Hold the values."""
        self.title, self.author, self.text = title, author, text
        self._values = dict(values)
        self.__dict__.update(values)  # rules read them for each position: found without `__getattr__`

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError: there is no such field."""
        values: dict[str, Any] = self.__dict__.get("_values", {})
        raise AttributeError(
            f"found no field {name!r}, expected one of: {', '.join(values)}{nearest(name, values)}"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fields) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<fields {', '.join(f'{name}={value!r}' for name, value in self._values.items())}>"


class FieldsReader:
    """Reads lines of fields."""

    def __init__(self, kinds: Mapping[str, Kind | Optional]) -> None:
        """Hold the kind of each field. Raises ModelError."""
        if not kinds:
            raise ModelError("fields: found none, expected at least one, as fields(goal=int)")
        for name, kind in kinds.items():
            _check(name, kind.kind if isinstance(kind, Optional) else kind)
        self._kinds = kinds
        self.expected = f"lines {'; '.join(f'{name}: …' for name in kinds)}"

    def read(self, part: Part) -> Fields:
        """Return the fields of a text. Raises LevelError."""
        values, found, lines = dict[str, Any](), dict[str, int](), lines_of(part)
        for number, text, _ in lines:
            key, colon, value = text.partition(":")
            name, start = key.strip().lower(), 1 + len(key) - len(key.lstrip())
            if not colon or name not in self._kinds:
                what = f"the field {key.strip()!r}" if colon else repr(text.strip()[:40])
                message = f"found {what}, expected one of: {', '.join(self._kinds)}{nearest(name, self._kinds)}"
                raise LevelError(message, source=part.source, line=number, column=start)
            if name in found:
                message = f"found the field {name} for the second time, expected it in line {found[name]} alone"
                raise LevelError(message, source=part.source, line=number, column=start)
            found[name] = number
            kind = self._kinds[name]
            column = 2 + len(key) + len(value) - len(value.lstrip())
            place = part._replace(line=number, column=column)
            values[name] = _value(name, kind.kind if isinstance(kind, Optional) else kind, value.strip(), place)
        for name, kind in self._kinds.items():
            if name not in values and not isinstance(kind, Optional):
                raise LevelError(
                    f"found no field {name}, expected a line {name}: …", source=part.source, line=part.line
                )
            if isinstance(kind, Optional):
                values.setdefault(name, kind.default)
        values = {name: values[name] for name in self._kinds}
        return Fields(values, part.title, part.author, "\n".join(line.text for line in lines))


def fields(**kinds: Any) -> FieldsReader:
    """Return the reader of levels with these fields. Raises ModelError.

    The kind of a field is `int`, `str`, `bool` (yes or no), or a function of the text that returns the value or
    raises ValueError; or a list of one of them, as `[int]`: then the value is a tuple.
    """
    return FieldsReader(kinds)


def optional(kind: Kind, default: Any) -> Any:
    """Return the kind of a field that a level may leave out; its value is the default then."""
    return Optional(kind, default)


def _check(name: str, kind: Kind) -> None:
    """Raise ModelError for a field that cannot be."""
    if name in RESERVED or name != name.lower() or name.startswith("_"):
        expected = f"letters in lower case, and none of: {', '.join(RESERVED)}, which every level has"
        raise ModelError(f"fields: found the name {name!r}, expected {expected}")
    (inner,) = kind if isinstance(kind, list) and len(kind) == 1 else (kind,)
    if not callable(inner):
        expected = "int, str, bool, a function of the text, or one of them in a list, as [int]"
        raise ModelError(f"fields: {name}: found {kind!r}, expected {expected}")


def _value(name: str, kind: Kind, text: str, place: Part) -> Any:
    """Return the value of a field from its text. Raises LevelError.

    place  the level, with the line and the column of the text
    """
    if isinstance(kind, list):
        return tuple(
            _value(name, kind[0], word[0], place._replace(column=place.column + word.start()))
            for word in _WORD.finditer(text)
        )
    try:
        if kind is int:
            return whole_number(text)
        if kind is bool:
            return _truth(text)
    except ValueError as error:
        message = f"{name}: {error}"
        raise LevelError(message, source=place.source, line=place.line, column=place.column) from None
    with blamed(kind, place, f"{name}: "):
        return kind(text)


def _truth(word: str) -> bool:
    if word.lower() not in TRUTH:
        raise ValueError(f"found {word[:20]!r}, expected yes or no")
    return TRUTH[word.lower()]
