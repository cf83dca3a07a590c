"""Proofs by tables as files, and through `solve --certificate` for a puzzle of one's own."""

from pathlib import Path

import pytest
from places import WRITTEN

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.proofs.tables import TableProof
from puzzlemc.reports.certify.certificate import read, write
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import CertificateError


def test_the_search_of_a_board_is_its_proof(tmp_path: Path) -> None:
    level, path = tmp_path / "board.sliding", tmp_path / "board.cert"
    level.write_text("8 6 7\n2 5 4\n3 0 1\n")
    (entry,) = load([str(level)], puzzle=str(WRITTEN / "sliding.py"))
    result = certify(entry, Options(prove=True), solve_entry(entry, Options(prove=True)), path)
    assert (result.cost, result.checked) == (31, True)
    certificate = read(path)
    assert isinstance(certificate.proof, TableProof)
    assert verify(path, [entry]).by == "tables"
    again = tmp_path / "again.cert"
    write(certificate, again)
    assert again.read_bytes() == path.read_bytes()
    again.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CertificateError, match="bytes behind the object"):
        read(again)
