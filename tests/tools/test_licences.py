"""The list of licences has every package that puzzlemc needs."""

import re
import runpy
from importlib.metadata import requires
from typing import Any

import pytest
from packaging.requirements import Requirement
from places import ROOT

ROW = re.compile(r"\| ([a-z0-9-]+) \| ([^|]+) \| ([^|]+) \|")


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "licences.py"))


@pytest.fixture(scope="module")
def listed() -> dict[str, tuple[str, str]]:
    text = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    return {row[1]: (row[2], row[3]) for line in text.splitlines() if (row := ROW.fullmatch(line))}


def test_every_package_that_is_needed_has_a_row(tool: dict[str, Any], listed: dict[str, tuple[str, str]]) -> None:
    """`make licences` writes the list again."""
    needs = tool["reasons"]()
    installed = tool["licences"](needs)
    assert [name for name in needs if name in installed and name not in listed] == []
    assert len(installed) > 40
    direct = {Requirement(each).name for each in requires("puzzlemc") or () if "extra" not in each}
    assert {tool["canonicalize_name"](name) for name in direct} <= listed.keys()


def test_licences_are_known_and_only_extras_have_strict_ones(listed: dict[str, tuple[str, str]]) -> None:
    assert [name for name, (licence, _) in listed.items() if licence.strip().upper() in ("", "UNKNOWN")] == []
    strict = {name: why for name, (licence, why) in listed.items() if "GPL" in licence or "GNU" in licence}
    assert "always" not in strict.values()
