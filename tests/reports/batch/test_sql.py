"""One file contains all SQL."""

import re

from places import ROOT

STATEMENT = re.compile(r"[\"'](SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA) ")


def test_one_file_contains_all_sql() -> None:
    files = sorted((ROOT / "reports").rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix() for path in files if STATEMENT.search(path.read_text("utf-8"))}
    assert found == {"reports/batch/sql.py"}
