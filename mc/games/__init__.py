"""Games of two sides: models, strategies and their check, and who wins, over graphs and over sets."""
