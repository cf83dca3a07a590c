"""New levels: rooms, and the hardest start positions in them, found by pulling from the goals."""
