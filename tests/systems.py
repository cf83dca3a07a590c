"""What this system has. `tests/elsewhere` hides what only Linux has, and the tests of it skip."""

import pytest

from puzzlemc.mc.system.memory import RESOURCE
from puzzlemc.mc.system.processes import COPIES
from puzzlemc.mc.system.reading import POSIX as FIFOS
from puzzlemc.mc.system.signals import ALARM, HANG_UP
from puzzlemc.mc.system.writing import POSIX as OWNERS

copies = pytest.mark.skipif(not COPIES, reason="processes are not copied on this system")
address_space = pytest.mark.skipif(not RESOURCE, reason="this system has no limit on address space")
fifos = pytest.mark.skipif(not FIFOS, reason="this system has no FIFOs among its files")
permissions = pytest.mark.skipif(not OWNERS, reason="files have no owners and permissions on this system")
signals = pytest.mark.skipif(ALARM is None or HANG_UP is None, reason="this system has fewer signals")
