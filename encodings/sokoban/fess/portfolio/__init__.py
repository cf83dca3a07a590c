"""The plan finder: portfolios of searches side by side, and relays between their ends."""
