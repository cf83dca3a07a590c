"""Level texts in, level objects out, and back: a package for each puzzle, and `base`, which they share."""
