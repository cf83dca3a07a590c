"""The domain: rules of Sokoban, names of actions and atoms, solutions as text, symmetries of levels."""
