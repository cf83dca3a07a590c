"""Generates levels: one for each seed (`random_levels`), or a series with proved costs (`series`)."""
