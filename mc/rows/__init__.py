"""States as rows of machine words: their layout, steps on them, and the search loops that are compiled."""
