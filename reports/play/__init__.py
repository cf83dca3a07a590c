"""Playing by hand: the game, an advisor or a referee in the background, and the terminal."""
