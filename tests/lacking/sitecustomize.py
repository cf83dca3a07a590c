"""In a process with this folder on its path, the packages named in LACKING cannot be imported."""

import os
import sys

sys.modules.update(dict.fromkeys(os.environ.get("LACKING", "").split()))  # None there means: no such module
