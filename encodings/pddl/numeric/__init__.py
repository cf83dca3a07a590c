"""Functions with numbers as values: their finitely many values, and a task without numbers for the translator."""
