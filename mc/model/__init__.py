"""Models: transition systems over boolean state, their formulas, variables and traces, and hints about them."""
