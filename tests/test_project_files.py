"""Files about the project name what exists: extras, targets of make, files of the Dockerfile, fields of forms."""

import re
from configparser import ConfigParser

import pytest
from command import puzzlemc
from places import ROOT

from puzzlemc.reports.cli.commands.doctor import USES
from puzzlemc.reports.serve.address import Address, listen
from puzzlemc.reports.serve.safety import Guard

yaml = pytest.importorskip("yaml")
SETUP = ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_every_extra_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \|$", page("install.md"), re.MULTILINE)
    extras = set(SETUP["options.extras_require"]) - {"test", "docs"}  # these are for whoever changes the program
    assert set(rows) == extras == set(USES)
    used = re.findall(r"(?:puzzlemc|\.|whl)\[([\w,]+)\]", page("install.md"))
    assert used
    assert {each for words in used for each in words.split(",")} <= extras


@pytest.mark.parametrize("name", ["install.md", "release.md", "licences.md"])
def test_targets_of_make_exist(name: str) -> None:
    called = {word for words in re.findall(r"`make ([a-z -]+)`", page(name)) for word in words.split()}
    assert called
    assert called <= TARGETS


def test_the_dockerfile_names_what_exists() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?!--from)(\S+) ", text, re.MULTILINE)
    assert copied == [".", "screens/levels"]
    assert all((ROOT / each).exists() for each in copied)
    (demo,) = re.findall(r'^CMD \["solve", "(\S+)"\]', text, re.MULTILINE)
    assert (ROOT / "screens" / "levels" / demo).is_file()
    (extras,) = re.findall(r"'/src\[(\S+)\]'", text)
    assert set(extras.split(",")) < set(SETUP["options.extras_require"])


@pytest.mark.parametrize("name", ["fault", "wish"])
def test_forms_ask_for_what_is_needed(name: str) -> None:
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text(encoding="utf-8"))
    assert form.keys() == {"name", "description", "labels", "body"}
    fields = [each for each in form["body"] if each["type"] != "markdown"]
    assert len({each["id"] for each in fields}) == len(fields) >= 3
    assert any(each.get("validations", {}).get("required") for each in fields)


def test_a_release_names_the_version_of_the_changes_and_ends_at_an_index() -> None:
    steps = re.findall(r"^(\d+)\. ", page("release.md"), re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert "twine upload" in page("release.md")


def test_the_workbench_in_a_container_is_found_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line of the page: the name of the container is in the address, and any port of the machine will do."""
    (line,) = re.findall(r"^docker run .* puzzlemc (serve .*)$", page("install.md"), re.MULTILINE)
    words = line.split()
    shown = puzzlemc("serve", "--help").stdout
    assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[\w-]+", shown))
    host = words[words.index("--host") + 1]
    name = re.search(r" -h (\S+) .*puzzlemc serve", page("install.md"))
    assert name is not None
    monkeypatch.setattr("socket.gethostname", lambda: name[1])
    with listen(host, 0) as listening:
        address = Address(listening, host)
        port = listening.getsockname()[1]
        assert address.page == f"http://localhost:{port}/{address.token}/"
    guard = Guard(None, address.token, address.names, any_address=address.any_host)  # type: ignore[arg-type]
    accepted = {each: guard._is_here(each) for each in ("localhost:9000", "127.0.0.1:8321", "other.example:8321")}
    assert accepted == {"localhost:9000": True, "127.0.0.1:8321": True, "other.example:8321": False}
