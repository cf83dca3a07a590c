"""`python -m puzzlemc` is the program `puzzlemc`."""

import sys

# Python has put the current folder first. Files of strangers, which are there, must not be taken for modules.
if not sys.flags.safe_path:
    del sys.path[0]

from puzzlemc.reports.cli.start import main

main()
