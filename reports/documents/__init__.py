"""Documents: texts with levels. Their levels are changed one by one, and nothing else in the text is."""
