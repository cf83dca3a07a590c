"""Numbers in the words of the page, by node."""

import json
import shutil
import subprocess

import pytest
from places import ROOT

WORDS = ROOT / "reports" / "serve" / "static" / "app" / "words.js"
SHARES = [(0, 9), (1, 999), (1, 2), (998, 999), (0.9959, 1), (9, 9)]
ANSWER = """
const { number, percent } = await import(process.argv[1])
const shares = JSON.parse(process.argv[2])
console.log(JSON.stringify([shares.map(each => percent(...each)), number(80619.1)]))
"""


def test_a_share_is_not_rounded_to_none_or_all_and_thousands_are_apart() -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node on the PATH")
    command = ["node", "--input-type=module", "-e", ANSWER, WORDS.as_uri(), json.dumps(SHARES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shares, number = json.loads(done.stdout)
    assert shares == ["0 %", "< 1 %", "50 %", "> 99 %", "> 99 %", "100 %"]
    assert number == "80\N{NARROW NO-BREAK SPACE}619.1"
