"""Lower bounds and pruning for A*: the assignment bound, pairs of objects, frozen objects, stubborn sets."""
