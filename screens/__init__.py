"""Level texts in, level objects out, and back: one module a puzzle."""
