"""The search from both ends: its sides, the order of the cells of the feature space, and where searches meet."""
