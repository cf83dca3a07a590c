"""Problems in PDDL: for each kind of puzzle, five sizes that are solvable by construction, and one that is not."""
