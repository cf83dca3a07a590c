"""Step systems: transition systems whose successors are a function of a packed state."""
