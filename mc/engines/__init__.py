"""What decides reachability: a file an engine, their registry, and the portfolio `auto`."""
