"""What assistants can read: the puzzles with their rules, and the formats of their levels."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.suggest.request import WISHES

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle import Puzzle

SCHEME = "puzzlemc://"
ALL = f"{SCHEME}puzzles"
MOST_EXAMPLE = 3000  # characters of an example


@dataclass(frozen=True)
class Readable:
    """A resource: its address, its name, and what is in it."""

    uri: str
    name: str
    description: str


def readable() -> Iterator[Readable]:
    """All resources."""
    yield Readable(ALL, "puzzles", "The puzzles by name, each with its rules in a sentence.")
    for name in puzzles():
        yield Readable(f"{ALL}/{name}", name, f"The rules of {name}: metrics, wishes, options, words of formulas.")
        if _format(name):
            uri = f"{SCHEME}formats/{name}"
            yield Readable(uri, f"{name} format", f"How levels of {name} are written, with an example.")


def text_of(uri: str) -> str:
    """The text of a resource, as Markdown. Raises ModelError for an unknown one."""
    if uri not in {each.uri for each in readable()}:
        raise ModelError(f"found no resource {plain(uri)[:200]}, expected one that resources/list names")
    kind, _, name = uri.removeprefix(SCHEME).partition("/")
    if kind == "formats":
        return _format(name)
    if name:
        return _rules(puzzles()[name])
    return "".join(f"- **{name}**: {_sentence(puzzles()[name])}\n" for name in puzzles())


def _sentence(rules: "Puzzle") -> str:
    return " ".join(rules.how_to_play.split()) or "Each game has its own rules, which its text defines."


def _rules(rules: "Puzzle") -> str:
    """What can be asked about levels of a puzzle."""
    lines = [f"# {rules.name}", "", _sentence(rules), ""]
    metrics = rules.metrics if rules.game is not None else (*rules.metrics, *rules.orders, "any")
    lines += [f"- metrics: {', '.join(metrics)}; the first one is used without another"]
    lines += [f"- suffixes of files: {' '.join(rules.screen.SUFFIXES)}"]
    if rules.game is not None:
        lines += [f"- a game of two sides: {' and '.join(rules.game.sides)}; solvable: the side to move can win"]
    if rules.changes is not None:
        lines += [f"- suggest: the wishes {', '.join(WISHES)}"]
    if rules.counting is not None:
        lines += [f"- count: {rules.counting.what}"]
    if rules.generation is not None:
        lines += ["- generate: with the options"]
        lines += [f"    - {each.name.replace('-', '_')}: {each.help}" for each in rules.generation.options]
    example = _example(rules.name)
    if example:
        lines += ["", "A level, as text:", "", "```text", example, "```"]
    return "\n".join(lines) + "\n"


def _format(name: str) -> str:
    """How levels of a puzzle are written; empty for a puzzle of one's own."""
    file = files("puzzlemc.reports.mcp") / "formats" / f"{name}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _example(name: str) -> str:
    """The smallest file of levels of a puzzle that ships; empty without one, or if it is large."""
    folder = files("puzzlemc.screens") / "levels" / name
    if not folder.is_dir():
        return ""
    texts = (each.read_text(encoding="utf-8") for each in folder.iterdir() if each.is_file())
    smallest = min(texts, key=len, default="").rstrip("\n")
    return smallest if len(smallest) <= MOST_EXAMPLE else ""
