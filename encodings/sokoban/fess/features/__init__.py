"""Features of a position: the packing plan, what packed targets bar, and plans that fill targets in any order."""
