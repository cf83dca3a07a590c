"""The plain rules of puzzles, as functions over levels, and the textbook searches over them."""
