"""What this system has. `tests/elsewhere` hides what only Linux has, and the tests of it skip."""

import pytest

from puzzlemc.mc.system.processes import COPIES
from puzzlemc.mc.system.signals import ALARM, HANG_UP

copies = pytest.mark.skipif(not COPIES, reason="processes are not copied on this system")
signals = pytest.mark.skipif(ALARM is None or HANG_UP is None, reason="this system has fewer signals")
