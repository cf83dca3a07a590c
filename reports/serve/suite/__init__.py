"""The levels of a game as a test suite for its rules."""
