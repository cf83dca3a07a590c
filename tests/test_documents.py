"""The commands of README.md and of the pages for beginners print what the documents say; links lead somewhere."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from documents import Example, Written, alike, parts, printed
from places import ROOT

DOCUMENTS = [
    "README.md",
    "docs/builds.md",
    "docs/data.md",
    "docs/index.md",
    "docs/start.md",
    "docs/oracle.md",
    "docs/reference/puzzles.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "guides").glob("*.md")),
]
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
]
MADE = {"changes.md", "contributing.md", "reference/commands.md", "reference/api.md"}  # by tools/site_pages.py
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


LONG = {f"docs/guides/{name}.md" for name in ("collector", "researcher", "teacher")}  # three seconds each


@pytest.mark.parametrize(
    "document", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in DOCUMENTS]
)
def test_commands_print_what_the_document_says(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("screens", "examples", "tools"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    code = 0
    for part in parts((ROOT / document).read_text(encoding="utf-8")):
        if isinstance(part, Written):
            Path(part.name).parent.mkdir(parents=True, exist_ok=True)
            Path(part.name).write_text(part.text, encoding="utf-8")
        else:
            found, code = printed(part.words, code)
            assert "Traceback" not in found
            assert alike(part.output, found), f"{document}:{part.line}: {part.words}\n{found}"


def test_other_output_is_noticed() -> None:
    first, second = (part for part in parts("```\n$ a\nx  1.5 s\n…\nz\n$ b\n```\n") if isinstance(part, Example))
    assert alike(first.output, "x 2.25 s\ny\nz\n")
    assert alike(first.output, "x 2.25 s\nz\n")
    assert not alike(first.output, "x 2 s\nz\n")
    assert not alike(first.output, "x 2.25 s\nz\nw\n")
    assert not alike(second.output, "more\n")
    assert alike(second.output, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    missing = []
    for target, heading in LINK.findall(
        re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    ):
        at = (page.parent / target).resolve() if target else page
        made = at.is_relative_to(ROOT / "docs") and at.relative_to(ROOT / "docs").as_posix() in MADE
        if not made and not (at.exists() and (not heading or heading in headings(at))):
            missing.append(f"{target}#{heading}")
    assert missing == []


def headings(page: Path) -> set[str]:
    """The anchors of a page."""
    lines = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL).splitlines()
    found = [line.lstrip("#").strip() for line in lines if line.startswith("#")]
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", each.lower())) for each in found}


def test_each_page_is_in_the_navigation() -> None:
    """MkDocs checks it, too; but only `make docs` runs it."""
    lines = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"[\w/]+\.md", lines)
    shown = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    notebooks = {f"tutorial/{path.stem}.md" for path in (ROOT / "docs" / "tutorial").glob("*.ipynb")}
    assert sorted(named) == sorted(shown | notebooks | MADE)
    assert all(one != other for one, other in pairwise(sorted(named)))
