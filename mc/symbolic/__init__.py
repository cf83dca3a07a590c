"""Sets of states as decision diagrams: the packages, a model compiled for them, search by image and preimage."""
