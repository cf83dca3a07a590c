"""Ends each process of a checked build at the first error in compiled code.

Compiled functions cannot raise: Python would report such an error and go on.
"""

import os
import sys
import traceback
from typing import Any


def _end(error: Any) -> None:
    traceback.print_exception(error.exc_value)
    print(f"in compiled code: {error.err_msg or error.object}", file=sys.stderr, flush=True)
    os._exit(70)


sys.unraisablehook = _end
