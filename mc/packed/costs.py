"""Two costs that stand for none. `costs.pxd` has the same for compiled code."""

NEVER = 1 << 62  # the cost of the best plan while there is none
INFINITE = 1 << 28  # the bound of a state that cannot reach the goal; larger than any finite bound
