"""What designers ask of a puzzle: new levels, changes of a level, and how hard it is."""
