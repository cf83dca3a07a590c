"""Changes of a document: a level is replaced, inserted, moved or described, and all other lines stay as they are.

Only the reader of a format knows how its lines hang together. So a changed text is read again, and is refused
where any other level, or the changed one, would not be read as expected.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.documents.levels import (
    SOURCE,
    Block,
    Meaning,
    Parts,
    alone,
    blocks,
    is_message,
    meaning,
    rows_of,
    shared,
    stripped,
)
from puzzlemc.screens.base.entry import Screen
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part

MOST_CHARACTERS = 1 << 22  # of a document
MOST_WORDS = 10_000  # characters of what is said about a level
MOST_LEVELS = 10_000
SIGNS = ("; ", "% ", "# ", "")  # that begin lines of comment in some format

At: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Text: TypeAlias = Annotated[str, Meta(max_length=MOST_CHARACTERS)]
Field = Literal["title", "author", "comment"]


class _Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="change"):
    """A change of a document; levels are counted from 0."""


class Replace(_Change, frozen=True, tag="replace"):
    """A level has another text."""

    at: At
    text: Text


class Insert(_Change, frozen=True, tag="insert"):
    """New levels stand before the level `at`, or behind the last one."""

    at: At
    text: Text


class Remove(_Change, frozen=True, tag="remove"):
    """Some levels are not there any more."""

    levels: list[At]


class Move(_Change, frozen=True, tag="move"):
    """Some levels, in the order of the document, have their first at the place `to` afterwards."""

    levels: list[At]
    to: At


class Describe(_Change, frozen=True, tag="describe"):
    """A level has another title, author or comment; None leaves that as it is."""

    at: At
    title: Annotated[str, Meta(max_length=500)] | None = None
    author: Annotated[str, Meta(max_length=500)] | None = None
    comment: Annotated[str, Meta(max_length=MOST_WORDS)] | None = None


class Header(_Change, frozen=True, tag="header"):
    """The document has other lines above its first level."""

    text: Annotated[str, Meta(max_length=MOST_WORDS)]


Change: TypeAlias = Replace | Insert | Remove | Move | Describe | Header


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document and its changes, one after the other; without any it is read."""

    puzzle: Annotated[str, Meta(max_length=64)]
    text: Text
    changes: Annotated[list[Change], Meta(max_length=MOST_LEVELS)] = []


@dataclass(frozen=True)
class Document:
    """A text with levels, as it is read; its lines end with line feeds."""

    screen: Screen
    text: str
    parts: Parts

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    @cached_property
    def blocks(self) -> list[Block | None]:
        """The lines of each level; None for a level with faults, or one whose rows are elsewhere."""
        return blocks(self.screen, self.text, self.parts)

    @property
    def header(self) -> str:
        """The lines above the first level."""
        first = next((each.first for each in self.blocks if each is not None), 0)
        return "\n".join(self.lines[:first]).strip("\n")

    @property
    def is_shared(self) -> bool:
        """Do all levels share a part of the text, such as the rules of a game?"""
        return bool(shared(self.parts))

    def alone(self, text: str) -> Parts:
        """The levels of a text that stands in the place of all levels."""
        return alone(self.screen, "\n".join([*self.lines[: shared(self.parts)], text]))

    def block(self, at: int) -> Block:
        """The lines of a level. Raises LevelError if it has none."""
        found = self.blocks[at] if at < len(self.parts) else None
        if found is None:
            raise LevelError(f"found no lines of a level {at + 1} alone, expected some", source=SOURCE)
        return found

    def listed(self) -> list[dict[str, Any]]:
        """What is said of each level, its first line, from 1, and its text, None if it has no lines of its own."""
        return [_item(each, own) for each, own in zip(self.parts, self.blocks, strict=True)]


def read(puzzle: str, text: str) -> Document:
    """The document of a text. Raises LevelError."""
    if puzzle not in puzzles():
        raise LevelError("found no such puzzle", source=SOURCE)
    screen = puzzles()[puzzle].screen
    return Document(screen, text, tuple(screen.cut(text, SOURCE)))


def edit(asked: Edit) -> Document:
    """The document after its changes. Raises LevelError if one would change anything else."""
    found = read(asked.puzzle, asked.text)
    for change in asked.changes:
        found = CHANGES[type(change)](found, change)
    return found


def answer(found: Document) -> dict[str, Any]:
    """A document as the page knows it."""
    header = "" if found.is_shared else found.header
    return {"text": found.text, "header": header, "shared": found.is_shared, "levels": found.listed()}


def _item(part: Part | LevelError, own: Block | None) -> dict[str, Any]:
    if isinstance(part, LevelError):
        return {"title": "", "author": "", "comment": "", "line": part.line, "text": None, "error": part.message}
    line, text = (part.line, None) if own is None else (own.first + 1, own.text)
    about = {"title": part.title, "author": part.author, "comment": part.comment}
    return {**about, "line": line, "text": text, "error": ""}


def _read_again(
    before: Document, lines: Sequence[str], expected: Sequence[Part | LevelError], inexact: Container[int] = ()
) -> Document:
    """The document of changed lines. Raises LevelError unless its levels are the expected ones.

    inexact  the levels with any authors, which may come from the lines about all levels
    """
    if not expected:
        raise LevelError("found that no level would be left, expected one at least", source=SOURCE)
    text = "\n".join(lines)
    after = Document(before.screen, text, tuple(before.screen.cut(text, SOURCE)))
    mine, wanted = (
        [_sense(each, exact=at not in inexact) for at, each in enumerate(every)]
        for every in (after.parts, expected)
    )
    if mine != wanted:
        message = "found that other levels would be read otherwise, expected a text with the other levels"
        raise LevelError(message, source=SOURCE)
    return after


def _sense(part: Part | LevelError, *, exact: bool) -> tuple[Any, ...]:
    text, title, author, *rest = meaning(part)
    return (text, title, author if exact else "", *rest)


def _replace(before: Document, change: Replace) -> Document:
    """The level may have faults. What is above its rows may have to be below."""
    old, text = before.block(change.at), change.text.rstrip("\n")
    only = before.alone(text)
    if len(only) != 1:
        raise LevelError(f"found {len(only)} levels in the text, expected one", source=SOURCE)
    ways, new, own = [text], only[0], text.split("\n")
    if isinstance(new, Part) and (rows := rows_of(own, new)) is not None and rows.start:
        around = [each for each in (*own[: rows.start], *own[rows.stop :]) if each.strip()]
        ways.append("\n".join([*own[rows.start : rows.stop], *around]))
    for way in ways:
        found = _replaced(before, change.at, old, way)
        if found is not None and meaning(found.parts[change.at])[:2] == meaning(new)[:2]:
            return found
    message = "found that other levels, or the title, would be read otherwise, expected lines of this level alone"
    raise LevelError(message, source=SOURCE)


def _replaced(before: Document, at: int, old: Block, text: str) -> Document | None:
    """The document with another text for a level, None if other levels would be read otherwise."""
    made = "\n".join([*before.lines[: old.first], *text.split("\n"), *before.lines[old.end :]])
    after = Document(before.screen, made, tuple(before.screen.cut(made, SOURCE)))
    others = [[meaning(each) for place, each in enumerate(of.parts) if place != at] for of in (before, after)]
    return after if len(after.parts) == len(before.parts) and others[0] == others[1] else None


def _insert(before: Document, change: Insert) -> Document:
    """One without a title gets one where its reader takes that of the document for the title of a level else."""
    text, at = change.text.strip("\n"), min(change.at, len(before.parts))
    refused = LevelError("found no level in the text, expected one at least", source=SOURCE)
    named = f"Title: Level {len(before.parts) + 1}"
    for lines in (text, f"{text}\n{named}", f"{named}\n{text}"):
        new = before.alone(lines)
        for each in new:
            if isinstance(each, LevelError):
                raise each
        if not new or (lines != text and (len(new) > 1 or _titled(before.alone(text)))):
            continue
        expected = [*before.parts[:at], *new, *before.parts[at:]]
        for place in _gaps(before, at):
            for inexact in ((), range(at, at + len(new))):
                try:
                    made = _with_lines(before.lines, place, lines.split("\n"))
                    return _read_again(before, made, expected, inexact)
                except LevelError as error:
                    refused = error
    raise refused


def _titled(parts: Parts) -> bool:
    return any(isinstance(each, Part) and each.title for each in parts)


def _gaps(before: Document, at: int) -> Iterator[int]:
    """The lines before which a new level may stand, the best place first."""
    if at < len(before.parts):
        yield before.block(at).first
    if at == len(before.parts):
        yield len("\n".join(before.lines).rstrip("\n").split("\n"))
    if at:
        yield before.block(at - 1).end


def _with_lines(lines: Sequence[str], place: int, new: Sequence[str]) -> list[str]:
    """The lines of a document with new ones at a place, between blank lines."""
    above, below = lines[:place], lines[place:]
    first = [] if not above or not above[-1].strip() else [""]
    last = [""] if not below or below[0].strip() else []
    return [*above, *first, *new, *last, *below]


def _remove(before: Document, change: Remove) -> Document:
    """The empty lines below a level go with it."""
    lines, gone = list(before.lines), set(change.levels)
    for old in sorted((before.block(at) for at in gone), reverse=True):
        end = old.end
        while end < len(lines) - 1 and not lines[end].strip():
            end += 1
        del lines[old.first : end]
    return _read_again(before, lines, [each for at, each in enumerate(before.parts) if at not in gone])


def _move(before: Document, change: Move) -> Document:
    """The levels change places, what stands between them stays."""
    count, moved = len(before.parts), sorted(set(change.levels))
    rest = [at for at in range(count) if at not in set(moved)]
    order = [*rest[: change.to], *moved, *rest[change.to :]]
    lines = list(before.lines)
    for place in range(count - 1, -1, -1):
        if order[place] != place:
            slot = before.block(place)
            lines[slot.first : slot.end] = before.block(order[place]).text.split("\n")
    return _read_again(before, lines, [before.parts[at] for at in order])


def _header(before: Document, change: Header) -> Document:
    first = next((each.first for each in before.blocks if each is not None), None)
    if first is None:
        raise LevelError("found one text with all levels, expected lines above the first one", source=SOURCE)
    text = change.text.strip("\n")
    lines = [*([*text.split("\n"), ""] if text else []), *before.lines[first:]]
    return _read_again(before, lines, before.parts, range(len(before.parts)))


def _describe(before: Document, change: Describe) -> Document:
    wanted: dict[Field, str | None] = {
        "comment": change.comment,
        "author": change.author,
        "title": change.title,  # the last new line is the nearest to the rows
    }
    for field, value in wanted.items():
        part = before.parts[change.at] if change.at < len(before.parts) else None
        if value is not None and isinstance(part, Part) and stripped(value) != getattr(part, field):
            before = _described(before, change.at, part, field, stripped(value))
    return before


def _described(before: Document, at: int, part: Part, field: Field, value: str) -> Document:
    """The document in which one thing is said otherwise about a level, in the first way that its reader takes."""
    old = before.block(at)
    wanted = _saying(part, field, value)
    ways = _sayings if part.own is None else _messages
    for text in ways(old.text.split("\n"), part, field, value):
        found = _replaced(before, at, old, text)
        if found is not None and meaning(found.parts[at]) == wanted:
            return found
    message = f"found no place for this {field} in this format that leaves all else as it is, expected one"
    raise LevelError(message, source=SOURCE)


def _saying(part: Part, field: Field, value: str) -> Meaning:
    """What is read from a level once one thing is said otherwise about it."""
    text, title, author, comment, solutions = meaning(part)
    said = {"title": title, "author": author, "comment": comment, field: value}
    return text, said["title"], said["author"], said["comment"], solutions


def _messages(lines: list[str], part: Part, field: Field, value: str) -> Iterator[str]:
    """The text of a level of a game with another title, which is its last message."""
    if field != "title" or part.own is None:
        return
    new = [f"message {value}"] if value else []
    rows = part.line - part.own.first
    messages = [at for at, line in enumerate(lines[:rows]) if is_message(line)]
    if part.title and messages:
        at = messages[-1]
        yield "\n".join([*lines[:at], *new, *lines[at + 1 :]]).lstrip("\n")
    elif not part.title:
        yield "\n".join([*new, "", *lines])


def _sayings(lines: list[str], part: Part, field: Field, value: str) -> Iterator[str]:
    """Texts of a level that may say `value`: where the old value stands, or in new lines at each place."""
    old, new = getattr(part, field).split("\n"), value.split("\n") if value else []
    size = part.text.rstrip("\n").count("\n") + 1
    rows = [row.rstrip() for row in part.text.rstrip("\n").split("\n")]
    first = next((at for at in range(len(lines)) if [each.rstrip() for each in lines[at : at + size]] == rows), 0)
    outside = [at for at in range(len(lines)) if not first <= at < first + size]
    said = [at for at in outside if lines[at].strip() and any(each and each in lines[at] for each in old)]
    for at in said if field != "comment" else []:
        line = [lines[at].replace(old[0], value, 1)] if value else []
        yield "\n".join([*lines[:at], *line, *lines[at + 1 :]])
    others = [(at, line) for at, line in enumerate(lines) if field != "comment" or at not in said]
    kept = [line for _, line in others]
    if not new:
        yield "\n".join(kept)
        return
    top = sum(at < first for at, _ in others)
    places = dict.fromkeys((top + size, top, len(kept), 0))
    signs: Sequence[str] = SIGNS
    if field != "comment":
        new, signs = [f"{field.capitalize()}: {value}"], ("", "; ")
    elif said:
        sign = lines[said[0]][
            : lines[said[0]].index(next(each for each in old if each and each in lines[said[0]]))
        ]
        signs, places = (sign, *SIGNS), dict.fromkeys((sum(at < said[0] for at, _ in others), *places))
    for sign in signs:
        for place in places:
            yield "\n".join([*kept[:place], *(f"{sign}{each}".rstrip() for each in new), *kept[place:]])


CHANGES: dict[type[_Change], Callable[[Document, Any], Document]] = {
    Replace: _replace,
    Insert: _insert,
    Remove: _remove,
    Move: _move,
    Describe: _describe,
    Header: _header,
}
