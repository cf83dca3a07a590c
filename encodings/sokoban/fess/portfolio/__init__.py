"""The plan finder: several searches side by side, and relays between their ends."""
