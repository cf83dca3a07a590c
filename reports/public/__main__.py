"""`python -m puzzlemc` is the program `puzzlemc`."""

from puzzlemc.reports.cli.start import main

main()
