"""The readers of oracles, compiled once."""

import pytest
from oracle_readers import Reader, readers


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Reader]:
    """The readers that can run here."""
    found = readers(tmp_path_factory.mktemp("readers"))
    if not found:
        pytest.skip("there is no node, gcc or mono on the PATH")
    return found
