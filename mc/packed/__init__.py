"""States packed into machine words: their layout, actions on them, and the open and closed lists of a search."""
