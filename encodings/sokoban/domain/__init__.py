"""What Sokoban is: the plain rules, the names of moves, their text, and the symmetries of a level."""
