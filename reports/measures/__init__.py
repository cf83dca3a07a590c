"""How hard levels are: the measures of every puzzle."""
