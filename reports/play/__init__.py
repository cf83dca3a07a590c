"""Playing by hand: the game, what is known of its positions, and the terminal that shows both."""
