"""Rules of PuzzleScript games as patterns of planes, and what they can do: for `planes` and `circuit`."""
