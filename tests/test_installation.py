"""No text takes puzzlemc from a package index, and all take it from a repository by one form."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from places import ROOT

from puzzlemc.mc.installed import REPOSITORY, from_repository

FOLDERS = ("docs", "examples", "shell", "mc", "encodings", "screens", "reports", "tools", "benchmarks", ".github")
TEXTS = {
    ".md",
    ".py",
    ".yml",
    ".yaml",
    ".ipynb",
    ".toml",
    ".cff",
    ".cfg",
    ".html",
    ".js",
    ".css",
    ".1",
    ".txt",
    "",
}
RELEASE = f"v{yaml.safe_load((ROOT / 'CITATION.cff').read_text(encoding='utf-8'))['version']}"

_COMMAND = re.compile(
    r"""(?:\bpip3?["']? (?:install|wheel|download)|\bpipx (?:install|run|inject)|\buvx|\buv \w+)"""
    r"""(?P<words>[^\n`#|]*)"""
)
_WORD = re.compile(r"""\\?"[^"\\]*\\?"|'[^']*'|\S+""")
_BY_NAME = re.compile(r"puzzlemc(?:\[[\w,]*\])?(?:[=<>~!]=\S*)?[.,;:)]*")
_EXTRA = re.compile(r"(?<![/\w.])puzzlemc\[[a-z,]+\](?! @ )")
_LISTED = re.compile(r"""dependencies["']?\s*[:=]\s*\[[^\]]*(?<![\w/-])puzzlemc(?! @ |[\w-])""")
_DIRECT = re.compile(r"""puzzlemc(?:\[(?P<extra>[\w,]*)\])? @ git\+[^"'`\s\\]*""")
_RELEASE = re.compile(r"""(?:OWNER/puzzlemc@|rev: )(?P<release>v[\w.]+)""")

WRONG = (
    "pip install puzzlemc",
    "`pip install 'puzzlemc[mcp]'`",
    "`python -m pip install --upgrade puzzlemc`, and then",
    "pipx install puzzlemc",
    'pip install "puzzlemc==0.1.0"',
    "uvx puzzlemc doctor",
    "pipx run puzzlemc check .",
    "the extra puzzlemc[mcp] is missing",
    "additional_dependencies: [puzzlemc]",
    "https://pypi.org/project/puzzlemc/",
    f'pip install "puzzlemc @ git+{REPOSITORY}"',
    'pip install "puzzlemc @ git+$PUZZLEMC"',
    "rev: v0.0.9",
)
RIGHT = (
    "`pip install .`, and puzzlemc knows",
    "pip install '.[mcp]'     # in a clone of puzzlemc",
    "`pipx install .`, then puzzlemc",
    "uvx --from . puzzlemc doctor",
    "pip install ./puzzlemc-0.1.0-….whl",
    "pip install '/home/me/puzzlemc[mcp]'",
    f'pip install "{from_repository(REPOSITORY, RELEASE, "mcp,pddl")}"',
    f'["{from_repository(REPOSITORY, RELEASE)}"]',
    "uses: OWNER/puzzlemc@v0.1.0",
    'pip" install --no-index --find-links wheels puzzlemc',
)


def faults(text: str) -> Iterator[str]:
    """Yield what takes puzzlemc from an index, or from a repository in another form."""
    for found in _COMMAND.finditer(text):
        words = [word.strip("\\\"'") for word in _WORD.findall(found["words"])]
        if not {"--from", "--spec", "--no-index"} & set(words) and any(map(_BY_NAME.fullmatch, words)):
            yield found[0]
    for pattern in (_EXTRA, _LISTED, re.compile(r"pypi\.org/\S*puzzlemc")):
        yield from (found[0] for found in pattern.finditer(text))
    for found in _DIRECT.finditer(text):
        if found[0] != from_repository(REPOSITORY, RELEASE, found["extra"] or ""):
            yield found[0]
    yield from (found[0] for found in _RELEASE.finditer(text) if found["release"] != RELEASE)


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_form_is_found(text: str) -> None:
    assert list(faults(text))


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_form_is_none(text: str) -> None:
    assert not list(faults(text))


def texts() -> Iterator[Path]:
    """Yield the files that readers and users see; not the module that has the forms."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in TEXTS | {".in"})
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in TEXTS and path.is_file() and path != ROOT / "mc" / "installed.py":
                yield path


def test_every_text_has_the_forms_that_work() -> None:
    # A package of somebody's own puzzle names puzzlemc: it goes into an environment that has it.
    own = ROOT / "reports" / "starter" / "templates" / "pyproject.toml"
    seen = {path: list(faults(path.read_text(encoding="utf-8"))) for path in texts() if path != own}
    assert not {str(path.relative_to(ROOT)): found for path, found in seen.items() if found}
    pages = {path.name for path in seen}
    assert {"README.md", "CITATION.cff", "install.md", "puzzlemc.1", "gitlab-ci.yml", "action.yml"} <= pages


def test_the_page_of_installation_has_each_form() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    forms = (
        from_repository(REPOSITORY, RELEASE),
        from_repository(REPOSITORY, RELEASE, "pddl"),
        f"git clone {REPOSITORY}",
    )
    assert all(form in page for form in forms)
