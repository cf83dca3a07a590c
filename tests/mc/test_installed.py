"""The command that adds an extra, by where the package came from; no document names an index that has none."""

import re
import shlex

import pytest
from places import ROOT

from puzzlemc.mc.installed import adding, command

ORIGINS = {
    "a folder": ({"url": "file:///a%20b", "dir_info": {}}, "/a b[pddl]"),
    "an editable folder": ({"url": "file:///a", "dir_info": {"editable": True}}, "-e /a[pddl]"),
    "a wheel": ({"url": "file:///a.whl", "archive_info": {}}, "puzzlemc[pddl] @ file:///a.whl"),
    "git": (
        {"url": "https://host/p", "vcs_info": {"vcs": "git", "commit_id": "1f"}},
        "puzzlemc[pddl] @ git+https://host/p@1f",
    ),
    "an index": ({}, "puzzlemc[pddl]"),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_command_takes_the_same_origin(origin: str) -> None:
    found, wanted = ORIGINS[origin]
    words = shlex.split(command(found, "pddl"))
    assert (words[:2], " ".join(words[2:])) == (["pip", "install"], wanted)


def test_this_installation_is_a_folder() -> None:
    assert adding("pddl") == f"pip install -e '{ROOT}[pddl]'"


def test_no_recipe_takes_puzzlemc_from_an_index() -> None:
    pages = [*(ROOT / "docs").rglob("*.*"), ROOT / "README.md", *(ROOT / "reports" / "starter").glob("*")]
    for page in pages:
        if page.suffix in (".md", ".py", ".yml", ".yaml", ".ipynb", ".toml"):
            text = page.read_text(encoding="utf-8")
            by_name = re.findall(r"install ['\"]?puzzlemc(?:\[[\w,]+\])?(?! @|[\w\[])|: \[puzzlemc\]", text)
            assert not by_name, page
