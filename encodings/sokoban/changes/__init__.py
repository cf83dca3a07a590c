"""Changes of Sokoban levels: single edits, and the smallest sets of edits that repair an unsolvable level."""
