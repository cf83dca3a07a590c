"""Writes how levels of each puzzle are written, for the resources of `puzzlemc mcp`.

    python tools/format_texts.py [FOLDER]

The texts are those of the documentation, which an installed program does not have. FOLDER is reports/mcp/formats/
if it is not given.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SECTIONS = {  # of docs/reference/puzzles.md
    "sokoban": "Sokoban",
    "folding": "Folding Blocks",
    "tetravex": "Tetravex",
    "fabrik": "Fabrik",
    "factorio": "Factorio",
}
PAGES = ("puzzlescript", "pddl")


def texts() -> Mapping[str, str]:
    """The texts by the name of the puzzle."""
    page = (DOCS / "reference" / "puzzles.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", page, re.MULTILINE))
    found = {name: f"# {title}\n{_unlinked(sections[title])}" for name, title in SECTIONS.items()}
    return found | {name: _unlinked((DOCS / f"{name}.md").read_text(encoding="utf-8")) for name in PAGES}


def _unlinked(text: str) -> str:
    """A text without pictures, and with the words of its links alone: there is nothing that they could lead to."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)\n?", "", text)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", text).rstrip() + "\n"


def write(folder: Path) -> None:
    """Write the texts."""
    folder.mkdir(exist_ok=True)
    for name, text in texts().items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "reports" / "mcp" / "formats")
