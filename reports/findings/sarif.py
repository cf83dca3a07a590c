"""Findings as SARIF 2.1.0, which GitHub's code scanning, Azure DevOps and editors show.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. The text is ASCII. Paths are URIs relative to
`%SRCROOT%`, the working directory; the bytes of a name that is no UTF-8 are kept.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from puzzlemc.reports.findings.at import Place
from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.findings.rules import ALWAYS, RULES, Rule
from puzzlemc.reports.output.plain import plain, plain_lines

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"

_LINK = re.compile(r"\[(?=[^\]]*\]\()")  # what would be a link within a message


def document(cases: Sequence[Case], code: int, *, whole: bool = True) -> str:
    """The document, with the exit code of the program; `whole` is false for a run that was interrupted."""
    rules = list(RULES)
    results = [_result(case, each, rules.index(each.rule)) for case in cases for each in case.findings]
    driver = {
        "name": "puzzlemc",
        "version": version("puzzlemc"),
        "rules": [_rule(name, RULES[name]) for name in rules],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": whole, "exitCode": code}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    with suppress(OSError):  # the working directory may be gone
        run["originalUriBaseIds"] = {ROOT: {"uri": f"{_uri(os.getcwdb()).rstrip('/')}/"}}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(name: str, rule: Rule) -> dict[str, Any]:
    level = "error" if rule.verdict else "warning"
    words = "It always fails a build." if rule.verdict == ALWAYS else f"In `--fail-on`: `{rule.verdict}`."
    text = f"{rule.help} {words if rule.verdict else 'It never fails a build.'}"
    return {
        "id": name,
        "name": name.title().replace("-", ""),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary} {rule.help}"},
        "help": {"text": text.replace("`", ""), "markdown": text},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["puzzle"], "problem.severity": level},
    }


def _result(case: Case, finding: Finding, index: int) -> dict[str, Any]:
    message = _LINK.sub(r"\\[", plain_lines(f"{case.name}: {finding.sentence}"))
    found: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": "error" if finding.fails else "warning",
        "message": {"text": message},
    }
    if finding.place.path:
        location: dict[str, Any] = {"physicalLocation": _physical(finding.place)}
        location["logicalLocations"] = [{"name": plain(case.name), "fullyQualifiedName": plain(case.id)}]
        found["locations"] = [location]
    return found


def _physical(place: Place) -> dict[str, Any]:
    uri: dict[str, str] = {"uri": _uri(place.path.encode("utf-8", "surrogateescape"))}
    if not os.path.isabs(place.path):
        uri["uriBaseId"] = ROOT
    region = {"startLine": place.line, "startColumn": place.column}
    written = {name: value for name, value in region.items() if value}
    return {"artifactLocation": uri} | ({"region": written} if place.line else {})


def _uri(path: bytes) -> str:
    """A path as a URI: relative, or with the scheme `file`."""
    quoted = quote(path)
    return f"file://{quoted}" if path.startswith(b"/") else quoted
