"""The plan finder: several searches side by side, relays between their ends, and subgoals."""
