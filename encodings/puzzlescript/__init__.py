"""PuzzleScript: the plain rules, and its levels as step systems."""
