"""The best layout: bounds, cuts, and searches by SAT and by CP-SAT."""
