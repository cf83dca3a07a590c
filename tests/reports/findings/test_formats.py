"""The formats for build servers keep what hostile names and sentences say, and nothing breaks out of its place."""

import json
import os
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest
import yaml
from sarif_kit.validate import validation_errors

from puzzlemc.reports.findings import github, junit, sarif, tap
from puzzlemc.reports.findings.at import Extent, Place, fault, placed
from puzzlemc.reports.findings.failing import EVERY, WORDS, UnknownWord, code_of, words_of
from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.findings.judge import case_of
from puzzlemc.reports.findings.rules import RULES
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.solve.result import BAD_INPUT, CODES, REFUTED, Result

STRANGE = (
    "plain",
    "two\nlines",
    "a,b=c",
    "::error::x",
    "100%0A",
    "end]]><b>&amp;",
    "grün 箱 😀",
    "bytes \udcff",
    "\x1b[31m red",
    "bell \x07 \r\n",
    "# TODO \\# hash",
    "---\n...\n  ---",
    "[link](https://example.org) {0}",
    "tab\t quote \"'",
    "##[add-mask]x",
)


def case(text: str, *, rule: str = "unsolvable", fails: bool = True, path: str | None = None) -> Case:
    """A level whose file, title and sentence are a text."""
    file = f"levels/{text}.xsb" if path is None else path
    finding = Finding(rule, fails, text, Place(file, 3, 1))
    return Case(f"{file}#2", file, f"#2 {text}", Place(file, 3, 1), [finding], 0.5, {"chance": text})


# GitHub


def as_runner(line: str) -> tuple[str, dict[str, str], str]:
    """A line as the runner reads it: the command, its properties, and the message."""
    assert line.startswith("::")
    head, message = line[2:].split("::", 1)
    command, _, words = head.partition(" ")
    pairs = (each.split("=", 1) for each in words.split(","))
    properties = {name: unescaped(value, ("%0D\r", "%0A\n", "%3A:", "%2C,", "%25%")) for name, value in pairs}
    return command, properties, unescaped(message, ("%0D\r", "%0A\n", "%25%"))


def unescaped(text: str, signs: tuple[str, ...]) -> str:
    for sign in signs:
        text = text.replace(sign[:3], sign[3:])
    return text


@pytest.mark.parametrize("text", STRANGE)
def test_github_reads_what_was_found(text: str) -> None:
    (line,) = github.lines(case(text))
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert all(sign.isprintable() for sign in line[:-1])
    command, properties, message = as_runner(line[:-1])
    assert command == "error"
    assert set(properties) == {"file", "line", "col", "title"}
    assert "##[" not in line, "runners look for it anywhere in a line"
    text = text.replace("##[", r"##\x5b")
    kept = "\n".join(map(plain, text.split("\n")))
    assert properties["file"] == f"levels/{kept}.xsb"
    assert properties["title"] == f"unsolvable: #2 {kept}"
    assert message.replace("\r", "") == "\n".join(map(plain, text.replace("\r\n", "\n").split("\n")))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.xsb#1: x::y", "a.xsb#1: x::y"),
        ("::add-mask::x", "| ::add-mask::x"),
        (" \u00a0::add-mask::x", "|  \u00a0::add-mask::x"),
        ("a ##[group]##[x]", r"a ##\x5bgroup]##\x5bx]"),
        ("###[x]", r"###\x5bx]"),
    ],
)
def test_no_other_line_is_a_command_to_the_runner(line: str, expected: str) -> None:
    assert github.no_command(line) == expected


def test_github_warns_of_what_does_not_fail_and_needs_no_file() -> None:
    (line,) = github.lines(case("x", fails=False))
    assert line.startswith("::warning file=levels/x.xsb,line=3,col=1,")
    (line,) = github.lines(case("x", path=""))
    assert line.startswith("::error title=")


# SARIF


def document(*cases: Case) -> dict[str, Any]:
    text = sarif.document(cases, 1)
    assert text.isascii()
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.mark.parametrize("text", STRANGE)
def test_sarif_is_valid_and_names_the_file_by_its_bytes(text: str) -> None:
    read = document(case(text))
    assert validation_errors(read) == []
    (found,) = read["runs"][0]["results"]
    physical = found["locations"][0]["physicalLocation"]
    assert unquote_to_bytes(physical["artifactLocation"]["uri"]) == os.fsencode(f"levels/{text}.xsb")
    assert ":" not in physical["artifactLocation"]["uri"]
    assert physical["region"] == {"startLine": 3, "startColumn": 1}
    assert "](" not in found["message"]["text"].replace("\\[link](", "")
    text.encode("utf-8", "surrogateescape")
    found["message"]["text"].encode()


def test_sarif_explains_each_rule() -> None:
    read = document(*(case("x", rule=name) for name in RULES))
    assert validation_errors(read) == []
    (run,) = read["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == list(RULES)
    assert all(len(each["help"]["text"]) > 40 and "`" not in each["help"]["text"] for each in rules)
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert root == f"{Path.cwd().as_uri()}/"


def test_the_schema_refuses_other_documents() -> None:
    read = document(case("x"))
    region = read["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    region["startLine"] = 0
    assert validation_errors(read)
    read = document(case("x"))
    del read["runs"][0]["results"][0]["message"]
    assert validation_errors(read)


def test_sarif_of_files_outside_and_of_no_file() -> None:
    one, other = document(case("x", path="/above/a b.xsb"), case("x", path=""))["runs"][0]["results"]
    assert one["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///above/a%20b.xsb"}
    assert "locations" not in other


# JUnit


@pytest.mark.parametrize("text", STRANGE)
def test_junit_is_xml_with_one_reason_for_a_level(text: str) -> None:
    root = ElementTree.fromstring("".join(junit.document([case(text)])).encode())
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    (test,) = suite
    kept = "\n".join(map(plain, text.split("\n")))
    assert (test.get("name"), test.get("file")) == (f"#2 {kept}", f"levels/{kept}.xsb")
    assert [each.tag for each in test] == ["properties", "failure"]
    assert test[1].get("message") == kept
    assert kept in (test[1].text or "")


def test_junit_tells_failures_errors_and_skipped_levels_apart() -> None:
    cases = [
        case("a", path="d/a.xsb"),
        case("b", path="d/a.xsb", rule="unknown", fails=False),
        case("c", path="d/a.xsb", rule="bad-input"),
        case("d", path="d/a.xsb", rule="remark", fails=False),
    ]
    (suite,) = ElementTree.fromstring("".join(junit.document(cases)))
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    assert [test[-1].tag for test in suite] == ["failure", "skipped", "error", "system-out"]
    assert {test.get("classname") for test in suite} == {"d.a_xsb"}


# What the schema of Jenkins' xUnit plugin (junit-10) names: attributes, those that must be there, and children.
ATTRIBUTES = {
    "testsuites": "name time tests failures errors",
    "testsuite": "name! tests! failures! errors! group time skipped timestamp hostname id package file log url",
    "testcase": "name! time classname group",
    "properties": "",
    "property": "name! value!",
    "failure": "type message",
    "error": "type message",
    "skipped": "type message",
    "system-out": "",
}
CHILDREN = {
    "testsuites": "testsuite",
    "testsuite": "testsuite properties testcase system-out system-err",
    "testcase": "skipped error failure system-out system-err",
    "properties": "property",
}
MORE = {("testcase", "file"), ("testcase", "line"), ("testcase", "properties")}  # the page on builds says so


def test_junit_has_what_the_schema_of_jenkins_names_and_three_more() -> None:
    rules = [*RULES, "remark"]
    cases = [case(text, rule=rule, fails=fails) for text, rule, fails in product(STRANGE, rules, (True, False))]
    seen, more = set[str](), set[tuple[str, str]]()
    for each in ElementTree.fromstring("".join(junit.document(cases))).iter():
        seen.add(each.tag)
        names = ATTRIBUTES[each.tag].split()
        assert {name.rstrip("!") for name in names if name.endswith("!")} <= set(each.attrib)
        found = set(each.attrib) - {name.rstrip("!") for name in names}
        found |= {child.tag for child in each} - set(CHILDREN.get(each.tag, "").split())
        more |= {(each.tag, name) for name in found}
        assert re.fullmatch(r"[0-9]+[.][0-9]{3}", each.get("time", "0.000"))
    assert (seen, more) == (set(ATTRIBUTES), MORE)


# TAP


def as_harness(text: str) -> Iterator[tuple[bool, int, str, str, Any]]:
    """The test points of a stream: passed, number, description, directive, and the block of YAML."""
    lines = text.split("\n")
    assert (lines[0], lines[-1]) == ("TAP version 14", "")
    at, number = 1, 0
    while not lines[at].startswith("1.."):
        number += 1
        passed, _, rest = lines[at].partition(f"ok {number} - ")
        assert passed in ("", "not ")
        described, _, directive = rest.replace("\\\\", "\0").replace("\\#", "\1").partition(" # ")
        block, at = [], at + 1
        if lines[at] == "  ---":
            end = lines.index("  ...", at)
            block, at = lines[at + 1 : end], end + 1
        description, directive = (each.replace("\0", "\\").replace("\1", "#") for each in (described, directive))
        yield not passed, number, description, directive, yaml.safe_load("\n".join(block))
    assert lines[at] == f"1..{number}"
    assert len(lines) == at + 2


@pytest.mark.parametrize("text", STRANGE)
def test_tap_keeps_each_level_in_its_line(text: str) -> None:
    cases = [Case("a#1", "a", "#1", Place("a", 1, 1)), case(text), case(text, fails=False)]
    stream = tap.VERSION + "".join("".join(tap.point(*each)) for each in enumerate(cases, 1)) + tap.plan(3)
    passed, failed, accepted = as_harness(stream)
    assert passed == (True, 1, "a #1", "", None)
    assert failed[:4] == (False, 2, f"levels/{plain(text)}.xsb #2 {plain(text)}", "")
    (found,) = failed[4]["findings"]
    assert found["message"] == "\n".join(map(plain, text.split("\n")))
    assert (found["line"], found["column"], found["severity"]) == (3, 1, "fail")
    assert accepted[3] == f"TODO {plain(text)}"


# Places


def test_paths_are_relative_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    (work / "levels").mkdir(parents=True)
    (work / "levels" / "a.xsb").touch()
    (work / "all.zip").touch()
    (work / "b.xsb.gz").touch()
    (tmp_path / "link").symlink_to(work)
    monkeypatch.chdir(work)
    for given in ("levels/a.xsb", "./levels//a.xsb", str(work / "levels/a.xsb"), f"{tmp_path}/link/levels/a.xsb"):
        assert placed(given, 3, 1) == ("levels/a.xsb", 3, 1), given
    assert placed("../other.xsb", 3) == (str(tmp_path / "other.xsb"), 3, None)
    assert placed("all.zip/deep/a.xsb", 3, 1) == ("all.zip", None, None), "a server shows no line of it"
    assert placed("b.xsb.gz", 3, 1) == ("b.xsb.gz", None, None)
    assert placed("-", 3, 1) == ("", 3, 1)
    assert placed("gone\0.xsb", 3)[1:] == (3, None)
    assert placed("gone.xsb") == ("gone.xsb", None, None)


def test_a_working_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here").rmdir()
    assert placed("a.xsb", 1) == ("a.xsb", 1, None)
    assert validation_errors(document(case("x"))) == []


@pytest.mark.parametrize(
    ("message", "source", "expected"),
    [
        ("d/a.xsb:5:2: found q", "d/a.xsb", (("d/a.xsb", 5, 2), "found q")),
        ("d/a.xsb:5: found q", "d/a.xsb", (("d/a.xsb", 5, None), "found q")),
        ("d/a.xsb: too large", "d/a.xsb", (("d/a.xsb", 4, 1), "too large")),
        ("a\\nb:5:2: x", "a\nb", (("a\nb", 5, 2), "x")),
        ("own.py:7:1: x", "d/a.xsb", (("own.py", 7, 1), "x")),
        ("d/a.xsb#1: refuted: x", "d/a.xsb", (("d/a.xsb", 4, 1), "d/a.xsb#1: refuted: x")),
        ("the worker died", "d/a.xsb", (("d/a.xsb", 4, 1), "the worker died")),
    ],
)
def test_a_fault_has_the_place_of_its_message(message: str, source: str, expected: tuple[object, str]) -> None:
    assert fault(message, source, Extent(source, 4, 9, 1, 4)) == expected


def test_an_earlier_fault_is_placed_only_where_it_can_be() -> None:
    """A store knows a level by its text, and its fault by the line that it had then."""
    level = Extent("a.xsb", 4, 9, 1, 4)
    assert fault("a.xsb:5:2: x", "a.xsb", level, kept=True) == (("a.xsb", 5, 2), "x")
    assert fault("a.xsb:12:2: x", "a.xsb", level, kept=True) == (("a.xsb", 4, 1), "x")
    assert fault("was/a.xsb:5:2: x", "a.xsb", level, kept=True)[1] == "x"
    game = Extent("g.txt", 40, 49, 1, 1)
    assert fault("g.txt:12:2: x", "g.txt", game, kept=True) == (("g.txt", 12, 2), "x"), "rules stand before levels"


def test_each_error_of_a_level_is_a_finding() -> None:
    reason = "a.xsb:5:2: found q (level #1)\na.xsb:6:1: found r\na.xsb: and 3 more errors in this level"
    found = case_of(Result("a.xsb#1", reason=reason), Extent("a.xsb", 4, 9, 1, 4), EVERY).findings
    assert [each.place.line for each in found] == [5, 6, 4]
    assert found[2].sentence == "and 3 more errors in this level"


# What fails


@pytest.mark.parametrize("words", [frozenset(each) for each in product(WORDS, WORDS)] + [frozenset()])
def test_the_exit_code_is_0_only_without_a_finding_that_fails(words: frozenset[str]) -> None:
    for verdict, code in product(CODES, (None, BAD_INPUT, REFUTED)):
        result = Result("a.xsb#1", verdict=verdict, reason="x", code=code, note="its certificate is not there")
        found = case_of(result, None, words)
        assert found.fails == (code_of([result], words) != 0), (verdict, code)
        assert bool(found.findings) == (result.exit_code != 0)


def test_the_words_of_fail_on() -> None:
    assert words_of("unsolvable, error") == {"unsolvable", "error"}
    assert words_of("none") == frozenset()
    for wrong in ("", "unsolvable,", "none,error", "Unknown"):
        with pytest.raises(UnknownWord):
            words_of(wrong)
